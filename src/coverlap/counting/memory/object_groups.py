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
    weights, n_groups = _weights(sides[0].lists, sides[1].lists, team)
    if n_groups > MAX_SHARE * n_objects:
        weights = np.ones(n_objects, np.uint32)
    else:
        firsts = np.flatnonzero(weights)
        weights = weights[firsts]
        sides = _restricted(sides[0], firsts, team), _restricted(sides[1], firsts, team)
    return ObjectGroups(*sides, frozen(weights))


def _weights(left: Lists, right: Lists, team: Workers) -> tuple[NDArray[np.uint32], int]:
    """Return the size of the group of each object that is its first, and the number of groups."""
    threads, n_objects = team.threads, len(left.ends) - 1
    hashes, weights = np.empty(n_objects, np.uint64), np.zeros(n_objects, np.uint32)
    counts = np.zeros((threads, threads), np.int64)
    team.run(
        _kernels.object_groups.hash_objects, *team.ranges(n_objects), left, right, KEY, hashes,
        list(counts),
    )  # fmt: skip
    lengths = [2 << int(n).bit_length() for n in counts.sum(axis=0)]
    n_groups = team.map(
        _kernels.object_groups.find_groups, list(range(threads)), threads, left, right,
        frozen(hashes), KEY, [*map(slot_shift, lengths)],
        [np.zeros(length, np.uint64) for length in lengths], weights,
    )  # fmt: skip
    return weights, sum(map(int, n_groups))


def _ungrouped(runs: Runs, n_objects: int, team: Workers) -> GroupSide:
    """Sort the clusters by size, with every object as a group of its own."""
    sizes = np.diff(runs.pointers)
    order = np.argsort(sizes, kind="stable")
    order = order[np.searchsorted(sizes, 1, sorter=order) :]
    clusters = _copied(order, runs.pointers, runs.members, team)
    lists, max_memberships = _transposed(clusters, n_objects, team)
    return GroupSide(lists, clusters, frozen(sizes[order]), max_memberships)


def _restricted(side: GroupSide, firsts: NDArray[np.int64], team: Workers) -> GroupSide:
    """Keep only the first object of each group."""
    lists = _copied(firsts, side.lists.ends, side.lists.items, team)
    clusters, _ = _transposed(lists, len(side.sizes), team)
    return GroupSide(lists, clusters, side.sizes, side.max_memberships)


def _copied(
    order: NDArray[np.int64], ends: NDArray[Any], items: NDArray[Any], team: Workers
) -> Lists:
    """Copy some lists, in the given order."""
    copied_ends = np.append(0, np.cumsum(np.diff(ends)[order]))
    copied = np.empty(int(copied_ends[-1]), np.uint32)
    places, orders = team.balanced_slices(frozen(copied_ends), frozen(order))
    team.run(_kernels.object_groups.copy_lists, orders, ends, items, places, copied)
    return Lists(frozen(copied_ends), frozen(copied))


def _transposed(lists: Lists, n_items: int, team: Workers) -> tuple[Lists, int]:
    """List the lists that each item is in; return also the length of the longest of these."""
    ends, numbers, _, longest = transpose(Runs(*lists), n_items, team, wide=True)
    return Lists(frozen(ends), frozen(numbers)), longest
