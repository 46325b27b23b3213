"""Two strategies to visit pairs of objects, and the one that is expected to be faster.

Both give the same counts; see `coverlap._kernels.pairs`. Their times differ by factors of ten and
more, and each is the faster one for some clusterings. ``benchmarks/pair_strategies.py`` compares
the one that `faster_strategy` chooses with the one that is measured as the faster.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
from coverlap.counting.contingency import n_pairs_within
from coverlap.counting.memory.object_groups import GroupSide, ObjectGroups

Integers = NDArray[np.int64]

MAX_ROW_WRITERS = 8
"""At most this many threads write rows for the same groups, with 40 bytes per group for each."""

MAX_CELLS = 1 << 20
"""Maximum number of cells in which objects are counted by the numbers of shared clusters."""

MAX_SUM = 2**62
"""Sums of products of shared clusters must stay below this."""


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
    n, width = len(groups.weights), groups.right.max_memberships + 1
    n_cells = min((groups.left.max_memberships + 1) * width, MAX_CELLS)
    neighbors = [
        Neighbors(
            listed=np.empty(n + 1, np.uint32),
            n_shared=np.zeros(n, np.uint64),
            listed_cells=np.empty(n_cells + 1, np.int64),
            cells=np.zeros(n_cells, np.int64),
        )
        for _ in range(team.threads)
    ]
    team.run(
        _kernels.pairs.visit_neighbors, list(range(team.threads)), team.threads,
        groups.left.lists, groups.left.clusters, groups.right.lists, groups.right.clusters,
        groups.weights, to.reciprocals, neighbors, to.tallies, to.rows,
    )  # fmt: skip
    if len(to.rows):  # then each pair was counted for either of its objects
        for counts in zip(*to.tallies, strict=True):
            halves = sum(counts) // 2
            for count in counts:
                count[:] = 0
            counts[0][:] = halves
    _add_pairs_within_groups(groups, to, team, presummed=0)


def visit_intersections(
    groups: ObjectGroups, to: Accumulators, team: Workers,
    sizes: list[IntersectionSizes] | None = None,
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
    left_sizes, right_sizes = sizes or intersection_sizes(groups, team)
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


def intersection_sizes(groups: ObjectGroups, team: Workers) -> list[IntersectionSizes]:
    """Count what there is to visit in the intersections of each cluster of the two sides."""
    found = []
    for side in groups.sides:
        sizes = IntersectionSizes(*np.zeros((2, len(side.sizes)), np.int64))
        team.run(
            _kernels.pairs.count_intersections, list(range(team.threads)), team.threads,
            side.clusters, side.lists, *_cluster_counts(side, team), *sizes,
        )  # fmt: skip
        found.append(sizes)
    return found


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


# The choice, which never changes a count.


def faster_strategy(groups: ObjectGroups, n_objects: int, team: Workers) -> Strategy:
    """Return the strategy that is expected to be faster, by the numbers of their steps.

    Neighbors take about 2 steps for each pair of groups in a cluster; intersections take 12 for
    each pair in an intersection, and 1 for each product that is summed.
    """
    left, right = (side.n_memberships() for side in groups.sides)
    n_sums = int(left @ left + right @ right + left @ right - left.sum() - right.sum())
    n_pairs = sum(n_pairs_within(np.diff(side.clusters.ends)) for side in groups.sides)
    if n_sums < 2 * n_pairs and sums_fit(groups, n_objects):
        sizes = intersection_sizes(groups, team)
        if 12 * sum(int(size.n_pairs.sum()) for size in sizes) + n_sums < 2 * n_pairs:
            return partial(visit_intersections, sizes=sizes)
    return visit_neighbors


def sums_fit(groups: ObjectGroups, n_objects: int) -> bool:
    """Return whether the sums over products of shared clusters fit into 64 bits."""
    left, right = groups.left, groups.right
    products = min(left.n_pairs() * right.max_memberships, right.n_pairs() * left.max_memberships)
    per_object = n_objects * left.max_memberships * right.max_memberships
    return max(products, per_object) < MAX_SUM
