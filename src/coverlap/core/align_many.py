"""Universes of more than two clusterings."""

from dataclasses import replace
from typing import Any

import numpy as np

from coverlap.core.align import Rules, align, have_equal_ids
from coverlap.core.errors import UniverseError
from coverlap.core.match_ids import have_common_type
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects, locate
from coverlap.core.texts import Ids, Texts, join_ids
from coverlap.core.values import order_of_ids, reject_missing
from coverlap.core.wording import shown


def share_objects(sides: list[Memberships], names: list[Any]) -> list[Memberships]:
    """Return the clusterings with ids that are fast to align, for many comparisons.

    Clusterings of the same objects get one order and one `Objects`, so that aligning two of them
    costs nothing. If the objects differ, their ids are replaced by integers in the same order.
    Sides without ids, or whose ids do not fit together, are returned as they are.
    """
    first = sides[0].objects
    if all(have_equal_ids(first, side.objects) for side in sides):
        if first.ids is not None:
            ids_of_all(sides[:1], names[:1])
        objects = Objects(first.n, first.ids, "id")
        return [replace(side, objects=objects) for side in sides]
    if any(side.objects.identified_by == "position" for side in sides):
        _check_orders(sides, names)
        return sides
    ids = ids_of_all(sides, names)
    if not have_common_type(ids):
        return sides  # aligning two of them raises the error that names both
    known = ids[0]
    if not isinstance(known, Texts) and all(np.array_equal(known, other) for other in ids[1:]):
        objects = Objects(len(known), known, "id")
        return [replace(side, objects=objects) for side in sides]
    for other in ids[1:]:
        known = join_ids(known, other[locate(other, known) < 0])
    known = known[order_of_ids(known)]
    positions = [locate(other, known) for other in ids]
    if all(len(position) == len(known) for position in positions):
        objects = Objects(len(known), known, "id")
        return [side.moved(at, objects) for side, at in zip(sides, positions, strict=True)]
    return [side.with_ids(at) for side, at in zip(sides, positions, strict=True)]


def _check_orders(sides: list[Memberships], names: list[Any]) -> None:
    """Reject Series in several orders beside arrays, which cannot fit all of them by position."""
    indexed = [
        (name, side.ids())
        for side, name in zip(sides, names, strict=True)
        if side.objects.identified_by == "index"
    ]
    for name, ids in indexed[1:]:
        first, known = indexed[0]
        if not np.array_equal(ids, known):
            raise UniverseError(
                f"clusterings {shown(first)} and {shown(name)} have different indexes, and others "
                "have none, so it is not known to which objects their labels belong; pass Series "
                "for all"
            )


def ids_of_all(sides: list[Memberships], names: list[Any]) -> list[Ids]:
    """Return the ids of each side, or raise an error for an index with missing values."""
    ids = [side.ids() for side in sides]
    for name, side, own in zip(names, sides, ids, strict=True):
        if side.objects.identified_by == "index":
            reject_missing(own, f"the index of clustering {shown(name)}")
    return ids


def align_three(
    left: Memberships, right: Memberships, other: Memberships, universe: str | Objects
) -> list[Memberships]:
    """Put three clusterings on one universe, by the same rule for each of the last two."""
    first = align(left, right, Rules(universe))
    if not isinstance(universe, str) or universe == "left":
        return [first.left, first.right, align(left, other, Rules(universe)).right]
    second = align(first.left, other, Rules(universe))
    return [second.left, align(second.left, first.right, Rules("left")).right, second.right]
