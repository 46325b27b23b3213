"""Matching the objects of two clusterings by their ids."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import UniverseError
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects, check_distinct, locate, locate_among
from coverlap.core.texts import Ids, Texts, join_ids
from coverlap.core.values import reject_missing
from coverlap.core.wording import shown, some

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
    if objects.identified_by == "index" and objects.ids is not None:
        reject_missing(objects.ids, where)
        check_distinct(objects.ids, where)


def have_common_type(ids: list[Ids]) -> bool:
    """Return whether no two sides have ids of kinds that cannot be equal; see `check_types`."""
    kinds = {kind for side in ids if len(side) and (kind := _kind(side))}
    numbers = kinds & {"integers", "floats", "decimal numbers"}
    return len(kinds - numbers) + bool(numbers) <= 1 and len(numbers - {"integers"}) <= 1


def check_types(one: Ids, other: Ids) -> None:
    """Raise an error if all ids of one side are of another kind than all those of the other."""
    if len(one) and len(other) and not have_common_type([one, other]):
        kinds = [_kind(one), _kind(other)]
        decimal = "decimal numbers" in kinds and "floats" in kinds
        reason = "of which the floats are rounded" if decimal else "so they share no object"
        first, second = (shown(ids.tolist()[0]) for ids in (one[:1], other[:1]))
        raise UniverseError(
            f"the ids of left are {kinds[0]} ({first}, ...) and those of right are {kinds[1]} "
            f"({second}, ...), {reason}; convert one side"
        )


KINDS: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("integers", (int,)), ("floats", (int, float, Fraction)),
    ("decimal numbers", (int, float, Fraction, Decimal)), ("strings", (str,)), ("bytes", (bytes,)),
    ("timestamps", (datetime, np.datetime64)), ("dates", (date,)), ("times", (time,)),
    ("durations", (timedelta, np.timedelta64)), ("UUIDs", (UUID,)), ("tuples", (tuple,)),
)  # fmt: skip
"""Kinds of ids, and the types of each; ids of the first kind that fits are of this kind."""


def _kind(ids: Ids) -> str | None:
    """Return the kind of all ids, None if they are of several kinds or of another one."""
    if isinstance(ids, Texts):
        return "strings"
    if ids.dtype != object:
        return "integers"
    found = set(map(type, ids.tolist()))
    return next((kind for kind, types in KINDS if all(issubclass(t, types) for t in found)), None)


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
    return None, to_right, join_ids(left, right[new]) if new.any() else left


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
