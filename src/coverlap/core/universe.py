"""Two clusterings on one universe."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.clustering.clustering import Clustering
from coverlap.core.checks import check_option
from coverlap.core.errors import OptionError, UniverseError
from coverlap.core.objects import Objects, check_distinct, locate, locate_among
from coverlap.core.values import INT64_MAX, refuse_missing
from coverlap.core.wording import shown, some
from coverlap.files.id_types import Ids, share_type
from coverlap.files.source import Source
from coverlap.files.universe import read_universe as read_ids_of_universe
from coverlap.inputs.sets import read_universe

RULES = ("union", "intersection", "left", "right")
MOST = 2**31
"""More objects than this are not laid out one by one, if they are not mentioned."""

DROP_RULES = (None, "left", "right", "either", "both")


class Pair(NamedTuple):
    """Two clusterings whose objects are the same positions, and how that came about.

    ``n_unmentioned`` objects of the universe are known to neither side: outliers on both.
    """

    left: Clustering
    right: Clustering
    objects: Objects
    rule: str
    n_only_left: int = 0
    n_only_right: int = 0
    n_unmentioned: int = 0
    n_outliers_dropped: int = 0

    @property
    def n_objects(self) -> int:
        """Number of objects in the common universe."""
        return self.objects.n + self.n_unmentioned


def align(
    left: Clustering,
    right: Clustering,
    *,
    universe: Any = "union",
    n_objects: int | None = None,
    drop_outliers: str | None = None,
) -> Pair:
    """Put two clusterings on one universe.

    Parameters
    ----------
    left, right : Clustering
    universe : {"union", "intersection", "left", "right"}, iterable of ids, int, or Path
        Which objects to compare on. An object that a side does not know is an outlier there.
    n_objects : int, optional
        The number of objects in all, where some are never mentioned: they are outliers on both
        sides. Goes with ``universe="union"``.
    drop_outliers : {None, "left", "right", "either", "both"}
        Leave out the objects that are outliers on that side, on either, or on both.

    Returns
    -------
    Pair
    """
    check_rules(universe, n_objects, drop_outliers)
    by_name = isinstance(universe, str)
    if by_name and n_objects is None and same_positions(left._objects, right._objects):
        pair = Pair(left, right, left._objects, universe)
    else:
        pair = _align_ids(left, right, universe, n_objects)
    return pair if drop_outliers is None else drop(pair, drop_outliers)


def check_rules(universe: Any, n_objects: int | None, drop_outliers: str | None) -> None:
    """Refuse rules that there are not, or that do not go together."""
    by_name = isinstance(universe, str)
    if by_name:
        check_option("universe", universe, RULES)
    check_option("drop_outliers", drop_outliers, DROP_RULES)
    if n_objects is not None and not (by_name and universe == "union"):
        raise OptionError("n_objects counts all objects, so it goes with universe='union' only")


def same_positions(left: Objects, right: Objects) -> bool:
    """Tell whether objects are told apart by position, and refuse different numbers of them."""
    kinds = {left.keyed, right.keyed}
    if "position" not in kinds or "id" in kinds:
        return False
    if left.n != right.n:
        raise UniverseError(
            f"left has {left.n:,} objects and right has {right.n:,}, but without ids they must be "
            "the same ones; pass dicts, Series or pairs to compare different objects"
        )
    return True


def _align_ids(left: Clustering, right: Clustering, universe: Any, n_objects: int | None) -> Pair:
    one, other = _ids_of(left, right)
    there = locate(other, one)
    n_common = int(np.count_nonzero(there >= 0))
    n_unmentioned = 0
    if isinstance(universe, str):
        rule = universe
        from_left, from_right, ids = _ROUTES[universe](one, other, there)
    else:
        rule = "given objects"
        (one, other), known = read_given([Ids("left", one), Ids("right", other)], universe)
        from_left = inside(left, one, known, "left")
        from_right = inside(right, other, known, "right")
        if known.ids is not None:
            ids = known.ids
        else:
            from_left, from_right, ids = _union(one, other, there)
            n_unmentioned = known.n - len(ids)
    if n_objects is not None:
        rule = "given number of objects"
        n_unmentioned = count_unmentioned(n_objects, len(ids))
    objects = Objects(len(ids), ids, "id")
    return Pair(
        left._moved(from_left, objects), right._moved(from_right, objects), objects, rule,
        len(one) - n_common, len(other) - n_common, n_unmentioned,
    )  # fmt: skip


def read_given(sides: list[Ids], universe: Any) -> tuple[list[NDArray[Any]], Objects]:
    """Read a given universe; if it is a file, all ids get one type, as those of files have."""
    if not isinstance(universe, Path):
        return [side.values for side in sides], read_universe(universe)
    with Source(universe, "universe") as source:
        ids_of_file = Ids(str(source), read_ids_of_universe(source))
    *ids, given = share_type([*sides, ids_of_file])
    return ids, read_universe(given)


def _ids_of(left: Clustering, right: Clustering) -> tuple[NDArray[Any], NDArray[Any]]:
    one, other = left._objects.names(), right._objects.names()
    if same_positions(left._objects, right._objects):
        return np.arange(len(one)), np.arange(len(other))
    for ids, side, name in ((one, left, "left"), (other, right, "right")):
        if side._objects.keyed == "index":
            refuse_missing(ids, f"the index of {name}")
            check_distinct(ids, f"the index of {name}")
    check_types(one, other)
    for ids, objects, name in ((one, right._objects, "left"), (other, left._objects, "right")):
        if objects.keyed == "position":
            _check_positions(ids, objects.n, name)
    return one, other


def fit_together(ids: list[NDArray[Any]]) -> bool:
    """Tell whether no side has strings for ids where another has numbers."""
    known = [side for side in ids if len(side)]
    return not (any(_all(str, side) for side in known) and any(map(_are_numbers, known)))


def _are_numbers(ids: NDArray[Any]) -> bool:
    return ids.dtype != object or _all((int, float), ids)


def check_types(one: NDArray[Any], other: NDArray[Any]) -> None:
    """Refuse numbers for ids on one side and strings on the other."""
    if len(one) == 0 or len(other) == 0:
        return
    for ids, strings, names in ((one, other, ("left", "right")), (other, one, ("right", "left"))):
        if _all(str, strings) and _are_numbers(ids):
            raise UniverseError(
                f"the ids of {names[0]} are integers ({ids[0]}, ...) and those of {names[1]} are "
                f"strings ({strings[0]!r}, ...), so they share no object; convert one side"
            )


def _all(kind: type | tuple[type, ...], ids: NDArray[Any]) -> bool:
    return ids.dtype == object and all(isinstance(item, kind) for item in ids.tolist())


def _check_positions(ids: NDArray[Any], n: int, name: str) -> None:
    other = "right" if name == "left" else "left"
    outside = [item for item in ids.tolist() if not (isinstance(item, int) and 0 <= item < n)]
    if outside:
        raise UniverseError(
            f"the {n:,} objects of {other} have no ids and so are called 0 to {n - 1:,}, but "
            f"{name} has others: {some(outside)}"
        )


Positions = NDArray[np.int64] | None
Route = tuple[Positions, Positions, NDArray[Any]]


def _union(one: NDArray[Any], other: NDArray[Any], there: NDArray[np.int64]) -> Route:
    new = there < 0
    to = np.where(new, len(one) + np.cumsum(new) - 1, there)
    if not new.any():
        return None, to, one
    return None, to, np.concatenate((one, other[new]))


def _intersection(one: NDArray[Any], _: NDArray[Any], there: NDArray[np.int64]) -> Route:
    common = np.zeros(len(one), bool)
    common[there[there >= 0]] = True
    rank = np.where(common, np.cumsum(common) - 1, -1)
    to = np.where(there >= 0, rank[there], -1) if len(one) else there
    return rank, to, one[common]


def _left(one: NDArray[Any], _: NDArray[Any], there: NDArray[np.int64]) -> Route:
    return None, there, one


def _right(one: NDArray[Any], other: NDArray[Any], _: NDArray[np.int64]) -> Route:
    return locate(one, other), None, other


_ROUTES = {"union": _union, "intersection": _intersection, "left": _left, "right": _right}
"""For each rule: the new positions of the left and of the right objects, and the ids."""


def inside(side: Clustering, ids: NDArray[Any], known: Objects, name: str) -> Positions:
    """Find the objects of one side in a given universe.

    Ids outside 0..n-1 are refused. Of others, members are refused and outliers are left out.
    """
    position = locate_among(ids, known)
    outside = position < 0
    if known.ids is not None:
        outside &= ~side._outlier_mask()
    if outside.any():
        what = "objects" if known.ids is None else "members"
        others = some(ids[outside].tolist())
        raise UniverseError(f"{name} has {what} outside the universe: {others}")
    return position


def count_unmentioned(n_objects: Any, n_known: int) -> int:
    """Return how many of the objects in all are known to neither side."""
    if isinstance(n_objects, bool) or not isinstance(n_objects, (int, np.integer)):
        raise OptionError(f"n_objects must be an integer, not {shown(n_objects)}")
    if n_objects < n_known:
        raise UniverseError(
            f"n_objects is {n_objects:,}, but the two clusterings know {n_known:,} objects"
        )
    if n_objects > INT64_MAX:
        raise OptionError(f"n_objects must be below 2**63, not {shown(n_objects)}")
    return int(n_objects) - n_known


def lay_out(pair: Pair) -> Pair:
    """Make objects of those that are never mentioned, which are outliers on both sides."""
    if pair.n_unmentioned == 0:
        return pair
    if pair.n_objects > MOST:
        raise UniverseError(
            f"there is no room for {pair.n_objects:,} objects, most of them never mentioned; "
            "leave n_objects out, or give a smaller universe"
        )
    objects = Objects(pair.n_objects)
    left, right = (side._moved(None, objects) for side in (pair.left, pair.right))
    return pair._replace(left=left, right=right, objects=objects, n_unmentioned=0)


def drop(pair: Pair, rule: str) -> Pair:
    """Take the objects out that are outliers on that side, on either, or on both."""
    left, right = pair.left._outlier_mask(), pair.right._outlier_mask()
    masks = {"left": left, "right": right, "either": left | right, "both": left & right}
    stays = ~masks[rule]
    position = np.where(stays, np.cumsum(stays) - 1, -1)
    objects = Objects(int(np.count_nonzero(stays)), pair.objects.names()[stays], "id")
    return pair._replace(
        left=pair.left._moved(position, objects),
        right=pair.right._moved(position, objects),
        objects=objects,
        n_unmentioned=0,
        n_outliers_dropped=pair.n_objects - objects.n,
    )
