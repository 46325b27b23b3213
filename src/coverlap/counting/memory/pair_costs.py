"""Predict the time of each strategy for pairs of objects, and choose the fastest.

The choice never changes a count. ``benchmarks/pair_strategies.py`` compares it with the strategy
that is measured as the fastest. All times are nanoseconds on one core of 2.6 GHz, fitted to that
benchmark; only their ratios matter.
"""

import math
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from coverlap.core.threads import Workers
from coverlap.counting.memory.object_groups import GroupSide, ObjectGroups
from coverlap.counting.memory.pair_strategies import (
    IntersectionSizes,
    Strategy,
    compare_bits,
    intersection_sizes,
    n_words,
    visit_intersections,
    visit_neighbors,
)

MAX_SUM = 2**62
"""Sums of products of shared clusters must stay below this."""

INTERSECTIONS_START = 190_000
"""Time that `visit_intersections` takes for the smallest clusterings."""

CACHED_GROUPS = 2**14
"""Random access to arrays of more groups than this becomes slower with each doubling."""


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


def neighbors_time(groups: ObjectGroups, by_object: bool) -> float:
    """Predict the time of `visit_neighbors`.

    Visiting a cluster of a group costs as much as visiting many of its members.
    """
    visits, misses = 1 + by_object, _cache_misses(groups)
    n_steps = visits * sum(_n_pairs(np.diff(side.clusters.ends)) for side in _sides(groups))
    return (
        _group_time(groups, by_object)
        + (22 + 10 * misses) * _n_memberships(groups)
        + (1 + 2.6 * misses) * n_steps
        + 2.2 * min(n_steps, visits * _n_pairs(len(groups.weights)))
    )


def bits_time(groups: ObjectGroups, by_object: bool) -> float:
    """Predict the time of `compare_bits`."""
    n_pairs = (1 + by_object) * _n_pairs(len(groups.weights))
    return (
        _group_time(groups, by_object) + (4.2 + 0.35 * sum(map(n_words, _sides(groups)))) * n_pairs
    )


def least_intersections_time(groups: ObjectGroups) -> float:
    """Predict the time of `visit_intersections` if there is no pair to visit."""
    left, right = groups.left.n_memberships(), groups.right.n_memberships()
    return (
        INTERSECTIONS_START
        + 10 * _n_memberships(groups)
        + 9 * _cache_misses(groups) * float(left @ right)
        + 14 * (_n_pairs(left) + _n_pairs(right))
    )


def intersections_time(
    groups: ObjectGroups, sizes: tuple[IntersectionSizes, IntersectionSizes], by_object: bool
) -> float:
    """Predict the time of `visit_intersections`, where pairs are visited in each intersection."""
    per_pair = 11 if by_object else 5
    return least_intersections_time(groups) + sum(
        (per_pair + 0.82 * _mean_length(side, groups)) * float(size.n_pairs.sum())
        for side, size in zip(_sides(groups), sizes, strict=True)
    )


def _sides(groups: ObjectGroups) -> tuple[GroupSide, GroupSide]:
    return groups.left, groups.right


def _group_time(groups: ObjectGroups, by_object: bool) -> float:
    return 45_000 * (1 + by_object) + 190 * len(groups.weights)


def _cache_misses(groups: ObjectGroups) -> float:
    """Return how often the number of groups has doubled beyond those that fit into the caches."""
    return max(0.0, math.log2(max(len(groups.weights), 1) / CACHED_GROUPS))


def _n_memberships(groups: ObjectGroups) -> int:
    return sum(len(side.lists.items) for side in _sides(groups))


def _n_pairs(sizes: ArrayLike) -> float:
    """Return the number of pairs within sets of these sizes, about."""
    sizes = np.asarray(sizes, float)
    return float((sizes * (sizes - 1)).sum()) / 2


def _mean_length(side: GroupSide, groups: ObjectGroups) -> float:
    """Return the mean number of clusters, on both sides, of a group in an intersection."""
    n_memberships = side.n_memberships().astype(float)
    entries = n_memberships * (n_memberships - 1)
    lengths = groups.left.n_memberships() + groups.right.n_memberships()
    return float((entries * lengths).sum()) / max(float(entries.sum()), 1.0)


def sums_fit(groups: ObjectGroups, n_objects: int) -> bool:
    """Return whether the sums over products of shared clusters fit into 64 bits."""
    left, right = groups.left, groups.right
    products = min(left.n_pairs() * right.max_memberships, right.n_pairs() * left.max_memberships)
    per_object = n_objects * left.max_memberships * right.max_memberships
    return max(products, per_object) < MAX_SUM
