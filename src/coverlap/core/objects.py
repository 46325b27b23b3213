"""The objects of a clustering, and how to find them in another one."""

from collections import Counter
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import UniverseError
from coverlap.core.wording import some

Identity = Literal["position", "index", "id"]
"""What identifies an object.

Objects with an "index", as those of a pandas Series, are identified by their position when they
are compared with objects that only have positions, and by their id otherwise.
"""


class Objects(NamedTuple):
    """The objects of a clustering: their number, ids (None for 0..n-1), and how to match them."""

    n: int
    ids: NDArray[Any] | None = None
    identified_by: Identity = "position"

    def id_array(self) -> NDArray[Any]:
        """Return the ids as an array."""
        return np.arange(self.n) if self.ids is None else self.ids


NO_OBJECTS = Objects(0, np.empty(0, np.int64), "id")
"""The objects of an empty sequence, which may be compared with any other ones."""


def locate(wanted: NDArray[Any], known: NDArray[Any]) -> NDArray[np.int64]:
    """Return the position of each wanted id among the known ones, -1 if it is not known."""
    if len(known) == 0 or len(wanted) == 0:
        return np.full(len(wanted), -1)
    if object not in (wanted.dtype, known.dtype):
        return _locate_integers(wanted, known)
    position = dict(zip(known.tolist(), range(len(known)), strict=True))
    return np.fromiter(
        (position.get(item, -1) for item in wanted.tolist()), np.int64, count=len(wanted)
    )


def locate_among(wanted: NDArray[Any], known: Objects) -> NDArray[np.int64]:
    """Return the position of each wanted id among objects, -1 if it is not one of them."""
    if known.ids is not None:
        return locate(wanted, known.ids)
    if wanted.dtype != object:
        return np.where((wanted >= 0) & (wanted < known.n), wanted, -1)
    found = (
        item if isinstance(item, int) and 0 <= item < known.n else -1 for item in wanted.tolist()
    )
    return np.fromiter(found, np.int64, count=len(wanted))


def _locate_integers(wanted: NDArray[Any], known: NDArray[Any]) -> NDArray[np.int64]:
    low, high = int(known.min()), int(known.max())
    if high - low < 4 * (len(known) + len(wanted)):
        table = np.full(high - low + 1, -1)
        table[known - low] = np.arange(len(known))
        inside = (wanted >= low) & (wanted <= high)
        return np.where(inside, table[np.where(inside, wanted - low, 0)], -1)
    order = np.argsort(known, kind="stable")
    place = np.searchsorted(known, wanted, sorter=order)
    found = order[np.minimum(place, len(known) - 1)]
    return np.where(known[found] == wanted, found, -1)


def check_distinct(ids: NDArray[Any], where: str) -> None:
    """Raise an error if an id occurs twice."""
    distinct = set(ids.tolist()) if ids.dtype == object else np.unique(ids)
    if len(distinct) == len(ids):
        return
    repeated = [item for item, times in Counter(ids.tolist()).items() if times > 1]
    raise UniverseError(f"{where} must name each object once; repeated: {some(repeated)}")
