"""Count pairs of objects by how many clusters they share, for any clusterings.

`coverlap.counting.memory.pair_strategies` visits the pairs; this module allocates the arrays that
it adds to, and sums them up. All sums are integers, so that the result depends neither on the
strategy, nor on the number of threads, nor on the order of the clusters.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap._kernels.pair_records import (
    LEFT_LOSS,
    N_BOTH,
    N_LEFT,
    N_RIGHT,
    RIGHT_LOSS,
    Sides,
    Tally,
)
from coverlap.core.incidence import Runs, frozen
from coverlap.core.threads import Workers
from coverlap.counting.contingency import BCubed, PairCounts
from coverlap.counting.matching import Sum
from coverlap.counting.memory.object_groups import GroupSide, ObjectGroups, group_objects
from coverlap.counting.memory.pair_costs import fastest_strategy
from coverlap.counting.memory.pair_strategies import Accumulators, Strategy, total_sizes

Integers = NDArray[np.int64]


def count_pairs(left: Runs, right: Runs, n_objects: int, team: Workers) -> PairCounts:
    """Count the pairs of objects by how many clusters they share."""
    groups = group_objects(left, right, n_objects, team)
    return pair_counts(groups, visit_pairs(groups, n_objects, team, by_object=False), n_objects)


def count_pairs_and_bcubed(
    left: Runs, right: Runs, n_objects: int, team: Workers
) -> tuple[PairCounts, BCubed]:
    """Count pairs and compute extended B-cubed together, which takes little more than the latter.

    B-cubed is meant for objects that have clusters on both sides. An object in no right cluster
    has no precision, and one in no left cluster no recall: the means are over the others, and 1.0
    if there are no others.
    """
    groups = group_objects(left, right, n_objects, team)
    visited = visit_pairs(groups, n_objects, team, by_object=True)
    return pair_counts(groups, visited, n_objects), bcubed(groups, visited)


def visit_pairs(
    groups: ObjectGroups, n_objects: int, team: Workers, *, by_object: bool,
    strategy: Strategy | None = None,
) -> Accumulators:  # fmt: skip
    """Visit the pairs by the given strategy, or by the one that is predicted to be the fastest."""
    visited = Accumulators(
        [_empty_tally(groups) for _ in range(team.threads)],
        np.zeros((len(groups.weights) * by_object, 5), np.int64),
        Sides(
            *(
                _reciprocals(_scale(groups, side, n_objects, team) if by_object else 1, side)
                for side in (groups.left, groups.right)
            )
        ),
    )
    if strategy is None:
        strategy = fastest_strategy(groups, n_objects, team, by_object=by_object)
    strategy(groups, visited, team)
    return visited


def _empty_tally(groups: ObjectGroups) -> Tally:
    lengths = groups.left.max_memberships + 1, groups.right.max_memberships + 1, 1, 1
    return Tally(*(np.zeros(length, np.int64) for length in lengths))


def _scale(groups: ObjectGroups, side: GroupSide, n_objects: int, team: Workers) -> int:
    """Return the scale of the fixed-point numbers in which the losses of one side are summed.

    No object shares clusters of this side with more objects than its clusters have members, so the
    sums stay below 2**62. The scale is divisible by 2, 3, 4, ... as far as it can be: losses are
    exact up to that many shared clusters (22 for 2**31 objects, 30 for 2**20), and rounded to half
    a unit beyond.
    """
    bound = min(n_objects, int(total_sizes(groups, side, team).max(initial=0)))
    largest, scale = min(2**53, 2**62 // max(bound, 1)), 1
    for divisor in range(2, side.max_memberships + 1):
        if math.lcm(scale, divisor) > largest:
            break
        scale = math.lcm(scale, divisor)
    return largest // scale * scale


def _reciprocals(scale: int, side: GroupSide) -> Integers:
    """Divide a scale by 1, 2, 3, ..., up to the maximum number of shared clusters."""
    return frozen(scale // np.maximum(np.arange(max(side.max_memberships, 1) + 1), 1))


def pair_counts(groups: ObjectGroups, visited: Accumulators, n_objects: int) -> PairCounts:
    """Sum up the tallies of all threads."""
    total = Tally(*(np.sum(counts, axis=0) for counts in zip(*visited.tallies, strict=True)))
    return PairCounts(
        n_objects, _histogram(total.left, groups.left), _histogram(total.right, groups.right),
        int(total.n_equal[0]), int(total.n_both[0]),
    )  # fmt: skip


def _histogram(counts: Integers, side: GroupSide) -> tuple[int, ...]:
    """Return the counts, where those of one shared cluster follow from the sizes of clusters."""
    several = counts[2:].tolist()
    one = side.n_pairs() - sum(j * n_pairs for j, n_pairs in enumerate(several, 2))
    histogram = [0, one, *several]
    while histogram and histogram[-1] == 0:
        histogram.pop()
    return tuple(histogram)


def bcubed(groups: ObjectGroups, visited: Accumulators) -> BCubed:
    """Compute extended B-cubed from the rows of all groups."""
    rows, scales = visited.rows, visited.reciprocals
    both, weights = rows[:, N_BOTH], groups.weights
    recall = _mean(weights, both, rows[:, N_LEFT], rows[:, LEFT_LOSS], scales.left[1])
    precision = _mean(weights, both, rows[:, N_RIGHT], rows[:, RIGHT_LOSS], scales.right[1])
    return BCubed(precision, recall)


def _mean(
    weights: NDArray[Any], both: Integers, n_others: Integers, lost: Integers, scale: np.int64
) -> float:
    """Return the mean over objects of (both - lost / scale) / n_others, summed without rounding."""
    known, equal = n_others > 0, False
    if not known.any():
        return 1.0
    shape = len(n_others)
    values = np.divide(both * scale - lost, n_others * scale, out=np.zeros(shape), where=known)
    return Sum(*_kernels.matching.add_up(weights * known, values, equal)).mean()
