"""Three strategies to visit pairs of objects, and the one that is predicted to be the fastest.

All of them give the same counts; see `coverlap._kernels.pairs`. Their times differ by factors of
ten and more, and each is the fastest for some clusterings. ``benchmarks/pair_strategies.py``
compares the one that `fastest_strategy` chooses with the one that is measured as the fastest. All
times are nanoseconds on one core of 2.6 GHz, fitted to that benchmark; only their ratios matter.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coverlap import _kernels
from coverlap._kernels.pair_records import (
    N_LEFT,
    N_RIGHT,
    Intersections,
    Lists,
    Neighbors,
    Sides,
    Tally,
)
from coverlap.core.incidence import frozen
from coverlap.core.threads import Workers
from coverlap.counting.memory.object_groups import GroupSide, ObjectGroups

Integers = NDArray[np.int64]

MAX_ROW_WRITERS = 8
"""At most this many threads write rows for the same groups, with 40 bytes per group for each."""

MAX_CELLS = 1 << 20
"""Maximum number of cells in which objects are counted by the numbers of shared clusters."""

MAX_SUM = 2**62
"""Sums of products of shared clusters must stay below this."""

INTERSECTIONS_START = 190_000
"""Time that `visit_intersections` takes for the smallest clusterings."""

CACHED_GROUPS = 2**14
"""Random access to arrays of more groups than this becomes slower with each doubling."""


class Accumulators(NamedTuple):
    """The arrays that the strategies add to: a tally per thread, and a row per group.

    `reciprocals` is only read; see `coverlap._kernels.pairs.loss`.
    """

    tallies: list[Tally]
    rows: Integers
    reciprocals: Sides


class IntersectionSizes(NamedTuple):
    """Groups, and pairs of groups, in the intersections of each cluster with later ones."""

    n_groups: Integers
    n_pairs: Integers


Strategy = Callable[[ObjectGroups, Accumulators, Workers], None]


def visit_neighbors(groups: ObjectGroups, to: Accumulators, team: Workers) -> None:
    """Visit all pairs that share a cluster."""
    team.run(
        _kernels.pairs.visit_neighbors, list(range(team.threads)), team.threads,
        groups.left.lists, groups.left.clusters, groups.right.lists, groups.right.clusters,
        groups.weights, to.reciprocals, _neighbors(groups, team), to.tallies, to.rows,
    )  # fmt: skip
    _halve(to)
    _add_pairs_within_groups(groups, to, team, presummed=0)


def compare_bits(groups: ObjectGroups, to: Accumulators, team: Workers) -> None:
    """Visit all pairs."""
    bits = []
    for side in groups.sides:
        words = np.zeros((len(groups.weights), n_words(side)), np.uint64)
        _kernels.pairs.set_bits(side.lists, words)
        bits.append(frozen(words))
    team.run(
        _kernels.pairs.compare_bits, list(range(team.threads)), team.threads, *bits,
        groups.weights, to.reciprocals, _neighbors(groups, team), to.tallies, to.rows,
    )  # fmt: skip
    _halve(to)
    _add_pairs_within_groups(groups, to, team, presummed=0)


def _neighbors(groups: ObjectGroups, team: Workers) -> list[Neighbors]:
    n, width = len(groups.weights), groups.right.max_memberships + 1
    n_cells = min((groups.left.max_memberships + 1) * width, MAX_CELLS)
    return [
        Neighbors(
            listed=np.empty(n + 1, np.uint32),
            n_shared=np.zeros(n, np.uint64),
            listed_cells=np.empty(n_cells + 1, np.int64),
            cells=np.zeros(n_cells, np.int64),
        )
        for _ in range(team.threads)
    ]


def _halve(to: Accumulators) -> None:
    """Count each pair once: where there are rows, it was counted for either of its objects."""
    if len(to.rows):
        for counts in zip(*to.tallies, strict=True):
            halves = sum(counts) // 2
            for count in counts:
                count[:] = 0
            counts[0][:] = halves


def visit_intersections(
    groups: ObjectGroups, to: Accumulators, team: Workers,
    sizes: tuple[IntersectionSizes, IntersectionSizes] | None = None,
) -> None:  # fmt: skip
    """Visit the pairs that share two clusters of a side; the others follow from sums."""
    left, right = groups.left, groups.right
    if len(to.rows) and team.threads > MAX_ROW_WRITERS:
        team = Workers(MAX_ROW_WRITERS, team.pool)
    rows = [to.rows, *(np.zeros_like(to.rows) for _ in range(1, team.threads))]
    team.run(
        _kernels.pairs.add_shared, list(range(team.threads)), team.threads, left.clusters,
        right.lists, groups.weights, *_cluster_counts(right, team),
        to.tallies[: team.threads], rows,
    )  # fmt: skip
    left_sizes, right_sizes = sizes or (
        intersection_sizes(left, team), intersection_sizes(right, team)
    )  # fmt: skip
    _visit_side(0, left, right, left_sizes, groups, to, rows, team)
    _visit_side(1, right, left, right_sizes, groups, to, rows, team)
    if len(to.rows):
        sums = total_sizes(left, team), total_sizes(right, team)
        team.run(_add_rows, *map(team.slices, (*sums, *rows)))
    _add_pairs_within_groups(groups, to, team, presummed=1)


def _add_rows(left: Integers, right: Integers, rows: Integers, *others: Integers) -> None:
    """Add to some rows those of the other threads, and the total sizes of the clusters."""
    for more in others:
        rows += more
    rows[:, N_LEFT] += left
    rows[:, N_RIGHT] += right


def _visit_side(
    number: int, own: GroupSide, other: GroupSide, sizes: IntersectionSizes, groups: ObjectGroups,
    to: Accumulators, rows: list[Integers], team: Workers,
) -> None:  # fmt: skip
    """Distribute the clusters over the threads, so that all have about as many pairs."""
    order = np.argsort(sizes.n_pairs, kind="stable")
    order = order[len(order) - np.count_nonzero(sizes.n_pairs) :]
    n_groups = int(sizes.n_groups[order].max(initial=0))
    n_memberships = frozen(own.n_memberships() + other.n_memberships())
    length = int(_sums(own.clusters, n_memberships, team)[order].max(initial=0))
    scratch = [_intersections(own, other, n_groups, length) for _ in range(team.threads)]
    team.run(
        _kernels.pairs.visit_intersections, team.dealt(order),
        number, own.clusters, own.lists, other.lists, groups.weights, to.reciprocals, scratch,
        to.tallies[: team.threads], rows,
    )  # fmt: skip


def _intersections(own: GroupSide, other: GroupSide, n_groups: int, length: int) -> Intersections:
    """Return scratch for that many groups with lists of that total length."""
    return Intersections(
        clusters=np.empty(len(own.sizes) + 1, np.uint32),
        bounds=np.zeros(len(own.sizes), np.uint32),
        found=np.empty((n_groups, 2), np.uint32),
        groups=np.empty(n_groups, np.uint32),
        list_ends=np.empty(2 * n_groups + 1, np.uint32),
        list_items=np.empty(length, np.uint32),
        own_marks=np.zeros(len(own.sizes), np.uint8),
        other_marks=np.zeros(len(other.sizes), np.uint8),
    )


def total_sizes(side: GroupSide, team: Workers) -> Integers:
    """Return the total size of the clusters of each group."""
    return _sums(side.lists, side.sizes, team)


def _sums(lists: Lists, values: Integers, team: Workers) -> Integers:
    """Return the sum of the values of the items of each list."""
    sums = np.empty(len(lists.ends) - 1, np.int64)
    team.run(_kernels.pairs.sum_values, *team.ranges(len(sums)), lists, values, sums)
    return sums


def intersection_sizes(side: GroupSide, team: Workers) -> IntersectionSizes:
    """Count what there is to visit in the intersections of each cluster."""
    n_clusters = len(side.sizes)
    sizes = IntersectionSizes(np.zeros(n_clusters, np.int64), np.zeros(n_clusters, np.int64))
    team.run(
        _kernels.pairs.count_intersections, list(range(team.threads)), team.threads,
        side.clusters, side.lists, *_cluster_counts(side, team), sizes.n_groups, sizes.n_pairs,
    )  # fmt: skip
    return sizes


def _add_pairs_within_groups(
    groups: ObjectGroups, to: Accumulators, team: Workers, *, presummed: int
) -> None:
    team.run(
        _kernels.pairs.add_pairs_within_groups, *team.ranges(len(groups.weights)),
        groups.left.lists, groups.right.lists, presummed, groups.weights, to.reciprocals,
        to.tallies[: team.threads], to.rows,
    )  # fmt: skip


def _cluster_counts(
    side: GroupSide, team: Workers
) -> tuple[list[NDArray[np.uint32]], list[NDArray[np.uint32]]]:
    """Return counts of clusters, all 0, and arrays to list clusters, for each thread."""
    n, threads = len(side.sizes), range(team.threads)
    return [np.zeros(n, np.uint32) for _ in threads], [np.empty(n + 1, np.uint32) for _ in threads]


def n_words(side: GroupSide) -> int:
    """Return the number of 64-bit words that hold one bit per cluster."""
    return -(-len(side.sizes) // 64)


# The choice, which never changes a count.


def fastest_strategy(
    groups: ObjectGroups, n_objects: int, team: Workers, *, by_object: bool
) -> Strategy:
    """Return the strategy that is predicted to be the fastest."""
    neighbors, bits = neighbors_time(groups, by_object), bits_time(groups, by_object)
    bound = min(neighbors, bits)
    if (
        bound > INTERSECTIONS_START
        and bound > least_intersections_time(groups)
        and sums_fit(groups, n_objects)
    ):
        sizes = intersection_sizes(groups.left, team), intersection_sizes(groups.right, team)
        if intersections_time(groups, sizes, by_object) < bound:
            return partial(visit_intersections, sizes=sizes)
    return visit_neighbors if neighbors <= bits else compare_bits


def sums_fit(groups: ObjectGroups, n_objects: int) -> bool:
    """Return whether the sums over products of shared clusters fit into 64 bits."""
    left, right = groups.left, groups.right
    products = min(left.n_pairs() * right.max_memberships, right.n_pairs() * left.max_memberships)
    per_object = n_objects * left.max_memberships * right.max_memberships
    return max(products, per_object) < MAX_SUM


def neighbors_time(groups: ObjectGroups, by_object: bool) -> float:
    """Predict the time of `visit_neighbors`.

    Visiting a cluster of a group costs as much as visiting many of its members.
    """
    visits, misses = 1 + by_object, _cache_misses(groups)
    n_steps = visits * sum(_n_pairs(np.diff(side.clusters.ends)) for side in groups.sides)
    return (
        _group_time(groups, by_object)
        + (22 + 10 * misses) * _n_memberships(groups)
        + (1 + 2.6 * misses) * n_steps
        + 2.2 * min(n_steps, visits * _n_pairs(len(groups.weights)))
    )


def bits_time(groups: ObjectGroups, by_object: bool) -> float:
    """Predict the time of `compare_bits`."""
    n_pairs = (1 + by_object) * _n_pairs(len(groups.weights))
    return _group_time(groups, by_object) + (4.2 + 0.35 * sum(map(n_words, groups.sides))) * n_pairs


def least_intersections_time(groups: ObjectGroups) -> float:
    """Predict the time of `visit_intersections` if there is no pair to visit."""
    return (
        INTERSECTIONS_START
        + 10 * _n_memberships(groups)
        + 9 * _cache_misses(groups) * groups.sums.products
        + 7 * sum(groups.sums.entries)
    )


def intersections_time(
    groups: ObjectGroups, sizes: tuple[IntersectionSizes, IntersectionSizes], by_object: bool
) -> float:
    """Predict the time of `visit_intersections`, where pairs are visited in each intersection."""
    per_pair = 11 if by_object else 5
    lengths, entries = groups.sums.lengths, groups.sums.entries
    return least_intersections_time(groups) + sum(
        (per_pair + 0.82 * length / max(n, 1.0)) * float(size.n_pairs.sum())
        for length, n, size in zip(lengths, entries, sizes, strict=True)
    )


def _group_time(groups: ObjectGroups, by_object: bool) -> float:
    return 45_000 * (1 + by_object) + 190 * len(groups.weights)


def _cache_misses(groups: ObjectGroups) -> float:
    """Return how often the number of groups has doubled beyond those that fit into the caches."""
    return max(0.0, math.log2(max(len(groups.weights), 1) / CACHED_GROUPS))


def _n_memberships(groups: ObjectGroups) -> int:
    return sum(len(side.lists.items) for side in groups.sides)


def _n_pairs(sizes: ArrayLike) -> float:
    """Return the number of pairs within sets of these sizes, about."""
    sizes = np.asarray(sizes, float)
    return float((sizes * (sizes - 1)).sum()) / 2
