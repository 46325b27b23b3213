"""The objects of a clustering, and how to find them in another one."""

from collections import Counter
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.coding import locate_keys
from coverlap.core.errors import UniverseError
from coverlap.core.texts import Ids, Texts, locate_texts
from coverlap.core.values import code_integers
from coverlap.core.wording import some

Identity = Literal["position", "index", "id"]
"""What identifies an object.

Objects with an "index", as those of a pandas Series, are identified by their position when they
are compared with objects that only have positions, and by their id otherwise.
"""


class Objects(NamedTuple):
    """The objects of a clustering: their number, ids (None for 0..n-1), and how to match them."""

    n: int
    ids: Ids | None = None
    identified_by: Identity = "position"

    def id_array(self) -> Ids:
        """Return the ids as an array."""
        return np.arange(self.n) if self.ids is None else self.ids


NO_OBJECTS = Objects(0, np.empty(0, np.int64), "id")
"""The objects of an empty sequence, which may be compared with any other ones."""


def are_equal(one: Ids, other: Ids) -> bool:
    """Return whether ids are texts or integers and the same ones in the same order."""
    if isinstance(one, Texts) and isinstance(other, Texts):
        return one.equals(other)
    return object not in (one.dtype, other.dtype) and np.array_equal(one, other)


def locate(wanted: Ids, known: Ids) -> NDArray[np.int64]:
    """Return the position of each wanted id among the known ones, -1 if it is not known."""
    if len(known) == 0 or len(wanted) == 0:
        return np.full(len(wanted), -1)
    if isinstance(wanted, Texts) and isinstance(known, Texts):
        return locate_texts(wanted, known)
    if object not in (wanted.dtype, known.dtype):
        return _locate_integers(np.asarray(wanted), np.asarray(known))
    position = dict(zip(known.tolist(), range(len(known)), strict=True))
    return np.fromiter(
        (position.get(item, -1) for item in wanted.tolist()), np.int64, count=len(wanted)
    )


def locate_among(wanted: Ids, known: Objects) -> NDArray[np.int64]:
    """Return the position of each wanted id among objects, -1 if it is not one of them."""
    if known.ids is not None:
        return locate(wanted, known.ids)
    if isinstance(wanted, np.ndarray) and wanted.dtype != object:
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
    return locate_keys(wanted.astype(np.uint64), known.astype(np.uint64))


def check_distinct(ids: Ids, where: str) -> None:
    """Raise an error if an id occurs twice."""
    if _n_distinct(ids) == len(ids):
        return
    repeated = [item for item, times in Counter(ids.tolist()).items() if times > 1]
    raise UniverseError(f"{where} must name each object once; repeated: {some(repeated)}")


def _n_distinct(ids: Ids) -> int:
    if isinstance(ids, Texts):
        return len(ids.number()[1])
    return len(set(ids.tolist()) if ids.dtype == object else code_integers(ids)[1])
