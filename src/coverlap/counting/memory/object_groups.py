"""Objects that have the same clusters on both sides, counted together as one group."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap._kernels.pair_records import Lists
from coverlap.core.hashing import KEY, slot_shift
from coverlap.core.incidence import Runs, frozen
from coverlap.core.threads import Workers
from coverlap.counting.contingency import n_pairs_within
from coverlap.counting.memory.covers import transpose

MAX_SHARE = 0.9
"""Objects are grouped only if the groups are at most this share of the objects."""


class GroupSide(NamedTuple):
    """The clusters of each group, and the groups in each cluster, of one side.

    Clusters are in ascending order of their sizes in objects, and none is empty. No object is in
    more than `max_memberships` clusters.
    """

    lists: Lists
    clusters: Lists
    sizes: NDArray[np.int64]
    max_memberships: int

    def n_memberships(self) -> NDArray[np.int64]:
        """Return the number of clusters of each group."""
        return np.diff(self.lists.ends)

    def n_pairs(self) -> int:
        """Return the number of pairs of objects within clusters, summed over the clusters."""
        return n_pairs_within(self.sizes)


class ObjectGroups(NamedTuple):
    """The groups of all objects that are in some cluster, and the number of objects in each."""

    left: GroupSide
    right: GroupSide
    weights: NDArray[np.uint32]

    @property
    def sides(self) -> tuple[GroupSide, GroupSide]:
        """Both sides."""
        return self.left, self.right


def group_objects(left: Runs, right: Runs, n_objects: int, team: Workers) -> ObjectGroups:
    """Group the objects; each is a group of its own if there would be almost as many groups."""
    sides = _ungrouped(left, n_objects, team), _ungrouped(right, n_objects, team)
    table = np.zeros(2 << n_objects.bit_length(), np.uint64)
    firsts, weights = np.empty(n_objects, np.uint32), np.empty(n_objects, np.uint32)
    n_groups = int(
        _kernels.object_groups.find_groups(
            sides[0].lists, sides[1].lists, KEY, slot_shift(len(table)), table, firsts, weights
        )
    )
    if n_groups > MAX_SHARE * n_objects:
        return ObjectGroups(*sides, frozen(np.ones(n_objects, np.uint32)))
    firsts = frozen(firsts[:n_groups])
    one, other = (_restricted(side, firsts, team) for side in sides)
    return ObjectGroups(one, other, frozen(weights[:n_groups]))


def _ungrouped(runs: Runs, n_objects: int, team: Workers) -> GroupSide:
    """Sort the clusters by size, with every object as a group of its own."""
    sizes = np.diff(runs.pointers)
    order = np.argsort(sizes, kind="stable")
    order = order[np.searchsorted(sizes, 1, sorter=order) :]
    clusters = _copied(frozen(order), runs.pointers, runs.members)
    lists, max_memberships = _transposed(clusters, n_objects, team)
    return GroupSide(lists, clusters, frozen(sizes[order]), max_memberships)


def _restricted(side: GroupSide, firsts: NDArray[Any], team: Workers) -> GroupSide:
    """Keep only the first object of each group."""
    lists = _copied(firsts, side.lists.ends, side.lists.items)
    clusters, _ = _transposed(lists, len(side.sizes), team)
    return GroupSide(lists, clusters, side.sizes, side.max_memberships)


def _copied(order: NDArray[Any], ends: NDArray[Any], items: NDArray[Any]) -> Lists:
    """Copy some lists, in the given order."""
    copied_ends = np.zeros(len(order) + 1, np.int64)
    np.cumsum(np.diff(ends)[order], out=copied_ends[1:])
    copied = np.empty(int(copied_ends[-1]), np.uint32)
    _kernels.object_groups.copy_lists(order, frozen(ends), frozen(items), copied_ends, copied)
    return Lists(frozen(copied_ends), frozen(copied))


def _transposed(lists: Lists, n_items: int, team: Workers) -> tuple[Lists, int]:
    """List the lists that each item is in; return also the length of the longest of these."""
    transposed = transpose(Runs(lists.ends, lists.items), n_items, team)
    ends, numbers = transposed.ends.astype(np.int64), transposed.clusters.astype(np.uint32)
    return Lists(frozen(ends), frozen(numbers)), transposed.max_memberships
