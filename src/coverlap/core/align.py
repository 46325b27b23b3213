"""Align two clusterings: put both on one universe of objects."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import OptionError, UniverseError
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects, check_distinct, locate, locate_among
from coverlap.core.rules import DEFAULT_RULES, Rules
from coverlap.core.values import INT64_MAX, refuse_missing
from coverlap.core.wording import shown, some

MOST_OBJECTS = 2**31
"""Unmentioned objects are not written out one by one if there are more objects than this."""

Ids = NDArray[Any]
Positions = NDArray[np.int64] | None
"""The new position of each object, -1 if it leaves; None if all stay in place."""


class Pair(NamedTuple):
    """Two clusterings of the same objects, which have the same positions on both sides.

    ``n_unmentioned`` objects of the universe are known to neither side: outliers on both.
    ``n_only_left`` and ``n_only_right`` count the objects that only one side knew.
    """

    left: Memberships
    right: Memberships
    objects: Objects
    rule: str
    n_only_left: int = 0
    n_only_right: int = 0
    n_unmentioned: int = 0
    n_outliers_dropped: int = 0

    @property
    def n_objects(self) -> int:
        """Number of objects in the universe."""
        return self.objects.n + self.n_unmentioned


def align(left: Memberships, right: Memberships, rules: Rules = DEFAULT_RULES) -> Pair:
    """Put two clusterings on one universe, and treat their outliers."""
    universe, n_objects = rules.universe, rules.n_objects
    one, other = left.objects, right.objects
    same = (one is other and one.identified_by == "id") or identified_by_position(one, other)
    if same and isinstance(universe, str) and n_objects is None:
        pair = _pair_in_place(left, right, universe)
    else:
        pair = _align_ids(left, right, universe, n_objects)
    if rules.drop_outliers is not None:
        pair = remove_outliers(pair, rules.drop_outliers)
    return pair if rules.outliers_as is None else cluster_outliers(pair, rules.outliers_as)


def identified_by_position(left: Objects, right: Objects) -> bool:
    """Return whether objects are identified by position; raise an error if their numbers differ."""
    kinds = {left.identified_by, right.identified_by}
    if "position" not in kinds or "id" in kinds:
        return False
    if left.n != right.n:
        raise UniverseError(
            f"left has {left.n:,} objects and right has {right.n:,}, but without ids they must be "
            "the same ones; pass dicts, Series or pairs to compare different objects"
        )
    return True


def _pair_in_place(left: Memberships, right: Memberships, rule: str) -> Pair:
    if "index" in (left.objects.identified_by, right.objects.identified_by):
        right = replace(right, objects=left.objects)
    return Pair(left, right, left.objects, rule)


def _align_ids(
    left: Memberships, right: Memberships, universe: str | Objects, n_objects: int | None
) -> Pair:
    left_ids, right_ids = _comparable_ids(left.objects, right.objects)
    left_position = locate(right_ids, left_ids)
    n_common = int(np.count_nonzero(left_position >= 0))
    n_unmentioned = 0
    if isinstance(universe, str):
        rule = universe
        to_left, to_right, ids = _MERGERS[universe](left_ids, right_ids, left_position)
    else:
        rule = "given objects"
        to_left = locate_members(left, left_ids, universe, "left")
        to_right = locate_members(right, right_ids, universe, "right")
        if universe.ids is not None:
            ids = universe.ids
        else:
            to_left, to_right, ids = _union(left_ids, right_ids, left_position)
            n_unmentioned = universe.n - len(ids)
    if n_objects is not None:
        rule = "given number of objects"
        n_unmentioned = count_unmentioned(n_objects, len(ids))
    objects = Objects(len(ids), ids, "id")
    return Pair(
        left.moved(to_left, objects), right.moved(to_right, objects), objects, rule,
        len(left_ids) - n_common, len(right_ids) - n_common, n_unmentioned,
    )  # fmt: skip


def _comparable_ids(left: Objects, right: Objects) -> tuple[Ids, Ids]:
    """Return the ids of both sides, or raise an error if they cannot name the same objects."""
    if identified_by_position(left, right):
        return np.arange(left.n), np.arange(right.n)
    one, other = left.id_array(), right.id_array()
    for objects, name in ((left, "left"), (right, "right")):
        check_index(objects, f"the index of {name}")
    check_types(one, other)
    for ids, objects, name in ((one, right, "left"), (other, left, "right")):
        if objects.identified_by == "position":
            _check_positions(ids, objects.n, name)
    return one, other


def check_index(objects: Objects, where: str) -> None:
    """Raise an error if an index has missing or repeated values."""
    if objects.identified_by == "index":
        refuse_missing(objects.id_array(), where)
        check_distinct(objects.id_array(), where)


def have_common_type(ids: list[Ids]) -> bool:
    """Return whether no side has strings for ids while another has numbers."""
    known = [side for side in ids if len(side)]
    return not (any(_all(str, side) for side in known) and any(map(_are_numbers, known)))


def check_types(one: Ids, other: Ids) -> None:
    """Raise an error if ids are numbers on one side and strings on the other."""
    if len(one) == 0 or len(other) == 0:
        return
    for ids, strings, names in ((one, other, ("left", "right")), (other, one, ("right", "left"))):
        if _all(str, strings) and _are_numbers(ids):
            raise UniverseError(
                f"the ids of {names[0]} are integers ({ids[0]}, ...) and those of {names[1]} are "
                f"strings ({strings[0]!r}, ...), so they share no object; convert one side"
            )


def _are_numbers(ids: Ids) -> bool:
    return ids.dtype != object or _all((int, float), ids)


def _all(kind: type | tuple[type, ...], ids: Ids) -> bool:
    return ids.dtype == object and all(isinstance(item, kind) for item in ids.tolist())


def _check_positions(ids: Ids, n: int, name: str) -> None:
    other = "right" if name == "left" else "left"
    outside = [item for item in ids.tolist() if not (isinstance(item, int) and 0 <= item < n)]
    if outside:
        raise UniverseError(
            f"the {n:,} objects of {other} have no ids and so are called 0 to {n - 1:,}, but "
            f"{name} has others: {some(outside)}"
        )


Merged = tuple[Positions, Positions, Ids]


def _union(left: Ids, right: Ids, left_position: NDArray[np.int64]) -> Merged:
    new = left_position < 0
    to_right = np.where(new, len(left) + np.cumsum(new) - 1, left_position)
    return None, to_right, np.concatenate((left, right[new])) if new.any() else left


def _intersection(left: Ids, _: Ids, left_position: NDArray[np.int64]) -> Merged:
    common = np.zeros(len(left), bool)
    common[left_position[left_position >= 0]] = True
    rank = np.where(common, np.cumsum(common) - 1, -1)
    to_right = np.where(left_position >= 0, rank[left_position], -1) if len(left) else left_position
    return rank, to_right, left[common]


def _left(left: Ids, _: Ids, left_position: NDArray[np.int64]) -> Merged:
    return None, left_position, left


def _right(left: Ids, right: Ids, _: NDArray[np.int64]) -> Merged:
    return locate(left, right), None, right


_MERGERS = {"union": _union, "intersection": _intersection, "left": _left, "right": _right}
"""For each rule, the new positions of the left and of the right objects, and the ids.

The arguments are the ids of both sides, and the left position of each right id (-1: none).
"""


def locate_members(side: Memberships, ids: Ids, universe: Objects, name: str) -> Positions:
    """Return the position of each object of one side in a given universe, -1 for other objects.

    Members outside the universe are an error. If the universe is 0..n-1, so is any other id.
    """
    position = locate_among(ids, universe)
    outside = position < 0
    if universe.ids is not None:
        outside &= ~side.outlier_mask()
    if outside.any():
        what = "objects" if universe.ids is None else "members"
        others = some(ids[outside].tolist())
        raise UniverseError(f"{name} has {what} outside the universe: {others}")
    return position


def count_unmentioned(n_objects: Any, n_known: int) -> int:
    """Return how many of n_objects are known to neither side."""
    if isinstance(n_objects, bool) or not isinstance(n_objects, (int, np.integer)):
        raise OptionError(f"n_objects must be an integer, not {shown(n_objects)}")
    if n_objects < n_known:
        raise UniverseError(
            f"n_objects is {n_objects:,}, but the two clusterings know {n_known:,} objects"
        )
    if n_objects > INT64_MAX:
        raise OptionError(f"n_objects must be below 2**63, not {shown(n_objects)}")
    return int(n_objects) - n_known


def write_out_unmentioned(pair: Pair) -> Pair:
    """Add the objects that neither side mentions, as outliers on both sides."""
    if pair.n_unmentioned == 0:
        return pair
    check_can_be_written_out(pair.n_objects)
    objects = Objects(pair.n_objects)
    left, right = (side.moved(None, objects) for side in (pair.left, pair.right))
    return pair._replace(left=left, right=right, objects=objects, n_unmentioned=0)


def check_can_be_written_out(n_objects: int) -> None:
    """Raise an error if there are too many objects for one item each."""
    if n_objects > MOST_OBJECTS:
        raise UniverseError(
            f"{n_objects:,} objects, most of them never mentioned, are too many for this; leave "
            "n_objects out, or give a smaller universe"
        )


def remove_outliers(pair: Pair, rule: str) -> Pair:
    """Remove the objects that are outliers on that side, on either, or on both."""
    left, right = pair.left.outlier_mask(), pair.right.outlier_mask()
    masks = {"left": left, "right": right, "either": left | right, "both": left & right}
    stays = ~masks[rule]
    position = np.where(stays, np.cumsum(stays) - 1, -1)
    objects = Objects(int(np.count_nonzero(stays)), pair.objects.id_array()[stays], "id")
    return pair._replace(
        left=pair.left.moved(position, objects),
        right=pair.right.moved(position, objects),
        objects=objects,
        n_unmentioned=0,
        n_outliers_dropped=pair.n_objects - objects.n,
    )


def cluster_outliers(pair: Pair, outliers_as: str) -> Pair:
    """Put the outliers of each side into one cluster, or into a cluster each."""
    whole = write_out_unmentioned(pair)
    left, right = (side.with_outliers_as(outliers_as) for side in (whole.left, whole.right))
    return whole._replace(left=left, right=right)
