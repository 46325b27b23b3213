"""Predict the time of each strategy for pairs of objects, and choose the fastest.

The choice never changes a count. ``benchmarks/pair_strategies.py`` compares it with the strategy
that is measured as the fastest.
"""

from functools import partial

import numpy as np

from coverlap.core.threads import Workers
from coverlap.counting.memory.object_groups import GroupSide, ObjectGroups
from coverlap.counting.memory.pair_strategies import (
    Strategy,
    compare_bits,
    intersection_sizes,
    n_words,
    visit_intersections,
    visit_neighbors,
)

MAX_SUM = 2**62
"""Sums of products of shared clusters must stay below this."""


def fastest_strategy(
    groups: ObjectGroups, n_objects: int, team: Workers, *, by_object: bool
) -> Strategy:
    """Predict how many nanoseconds each way takes, and return the fastest.

    The figures were measured on one core of 2.6 GHz, and only their ratios matter.
    """
    left, right = groups.left, groups.right
    n_pairs = len(groups.weights) * (len(groups.weights) - 1) / 2 * (1 + by_object)
    n_steps = (_n_steps(left) + _n_steps(right)) * (1 + by_object)
    walking = 1.0 * n_steps + 2.5 * min(n_steps, n_pairs)
    comparing = (3.2 + 0.15 * (n_words(left) + n_words(right))) * n_pairs
    least = 40 * float(left.n_memberships() @ right.n_memberships()) + 80 * (
        _n_entries(left) + _n_entries(right)
    )
    if least < min(walking, comparing) and _is_safe(groups, n_objects):
        sizes = intersection_sizes(left, team), intersection_sizes(right, team)
        per_pair = 8 + 8 * by_object
        visiting = least + sum(
            (per_pair + 0.5 * _length(side, groups)) * float(size.n_pairs.sum())
            for side, size in zip((left, right), sizes, strict=True)
        )
        if visiting < min(walking, comparing):
            return partial(visit_intersections, sizes=sizes)
    return visit_neighbors if walking <= comparing else compare_bits


def _n_steps(side: GroupSide) -> float:
    """Return the number of pairs of groups within clusters."""
    sizes = np.diff(side.clusters.ends).astype(float)
    return float((sizes * (sizes - 1)).sum()) / 2


def _n_entries(side: GroupSide) -> float:
    """Return the number of pairs of clusters within the lists of groups."""
    n_memberships = side.n_memberships().astype(float)
    return float((n_memberships * (n_memberships - 1)).sum()) / 2


def _length(side: GroupSide, groups: ObjectGroups) -> float:
    """Return the mean number of clusters, on both sides, of a group in an intersection."""
    n_memberships = side.n_memberships().astype(float)
    entries = n_memberships * (n_memberships - 1)
    lengths = groups.left.n_memberships() + groups.right.n_memberships()
    return float((entries * lengths).sum()) / max(float(entries.sum()), 1.0)


def _is_safe(groups: ObjectGroups, n_objects: int) -> bool:
    """Return whether the sums over products of shared clusters fit into 64 bits."""
    left, right = groups.left, groups.right
    products = min(left.n_pairs() * right.max_memberships, right.n_pairs() * left.max_memberships)
    per_object = n_objects * left.max_memberships * right.max_memberships
    return max(products, per_object) < MAX_SUM
