"""Matching the objects of two clusterings by their ids."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import UniverseError
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects, check_distinct, locate, locate_among
from coverlap.core.values import reject_missing
from coverlap.core.wording import some

Ids = NDArray[Any]
Positions = NDArray[np.int64] | None
"""The new position of each object, -1 if it leaves; None if all stay in place."""


def comparable_ids(left: Objects, right: Objects) -> tuple[Ids, Ids]:
    """Return the ids of both sides, or raise an error if they cannot name the same objects."""
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
        reject_missing(objects.id_array(), where)
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


def merge_union(left: Ids, right: Ids, left_position: NDArray[np.int64]) -> Merged:
    """Return where the objects of both sides go in the union of their ids, and these ids."""
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


MERGERS = {"union": merge_union, "intersection": _intersection, "left": _left, "right": _right}
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
