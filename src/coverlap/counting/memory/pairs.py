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
from coverlap.core.align import Pair
from coverlap.core.incidence import frozen
from coverlap.core.threads import Workers
from coverlap.counting.contingency import BCubed, PairCounts
from coverlap.counting.matching import Sum
from coverlap.counting.memory.object_groups import GroupSide, ObjectGroups, group_objects
from coverlap.counting.memory.pair_strategies import (
    Accumulators,
    Strategy,
    faster_strategy,
    total_sizes,
)
from coverlap.counting.memory.workspace import team_for

Integers = NDArray[np.int64]


def count_pairs(pair: Pair, threads: int | None = None) -> PairCounts:
    """Count the pairs of objects by how many clusters they share."""
    n_objects = pair.objects.n
    with team_for(pair, threads) as team:
        groups = group_objects(pair.left.runs, pair.right.runs, n_objects, team)
        visited = visit_pairs(groups, n_objects, team, by_object=False)
    return pair_counts(groups, visited, pair.n_objects)


def count_pairs_and_bcubed(pair: Pair, threads: int | None = None) -> tuple[PairCounts, BCubed]:
    """Count pairs and compute extended B-cubed together, which takes little more than the latter.

    B-cubed is meant for objects that have clusters on both sides. An object in no right cluster
    has no precision, and one in no left cluster no recall: the means are over the others, and 1.0
    if there are no others.
    """
    n_objects = pair.objects.n
    with team_for(pair, threads) as team:
        groups = group_objects(pair.left.runs, pair.right.runs, n_objects, team)
        visited = visit_pairs(groups, n_objects, team, by_object=True)
        return pair_counts(groups, visited, pair.n_objects), bcubed(groups, visited, team)


def visit_pairs(
    groups: ObjectGroups, n_objects: int, team: Workers, *, by_object: bool,
    strategy: Strategy | None = None,
) -> Accumulators:  # fmt: skip
    """Visit the pairs by the given strategy, or by the one that is expected to be faster."""
    visited = Accumulators(
        [_empty_tally(groups) for _ in range(team.threads)],
        np.zeros((len(groups.weights) * by_object, 5), np.int64),
        Sides(
            *(
                _reciprocals(_scale(side, n_objects, team) if by_object else 1, side)
                for side in groups.sides
            )
        ),
    )
    if strategy is None:
        strategy = faster_strategy(groups, n_objects, team)
    strategy(groups, visited, team)
    return visited


def _empty_tally(groups: ObjectGroups) -> Tally:
    lengths = groups.left.max_memberships + 1, groups.right.max_memberships + 1, 1, 1
    return Tally(*(np.zeros(length, np.int64) for length in lengths))


def _scale(side: GroupSide, n_objects: int, team: Workers) -> int:
    """Return the scale of the fixed-point numbers in which the losses of one side are summed.

    No object shares clusters of this side with more objects than its clusters have members, so the
    sums stay below 2**62. The scale is divisible by 2, 3, 4, ... as far as it can be: losses are
    exact up to that many shared clusters (22 for 2**31 objects, 30 for 2**20), and rounded to half
    a unit beyond.
    """
    bound = min(n_objects, int(total_sizes(side, team).max(initial=0)))
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
    histograms = (
        _histogram(_by_shared(total.left, groups.left)),
        _histogram(_by_shared(total.right, groups.right)),
    )
    return PairCounts(n_objects, *histograms, int(total.n_equal[0]), int(total.n_both[0]))


def _by_shared(counts: Integers, side: GroupSide) -> list[int]:
    """Return the numbers of pairs that share 1, 2, ... clusters.

    `visit_intersections` does not visit the pairs that share one cluster, but their number follows
    from the sizes of the clusters.
    """
    several = counts[2:].tolist()
    return [side.n_pairs() - sum(j * n for j, n in enumerate(several, 2)), *several]


def _histogram(n_pairs: list[int]) -> tuple[int, ...]:
    """Return numbers of pairs that share 1, 2, ... clusters as a histogram that ends with them."""
    while n_pairs and n_pairs[-1] == 0:
        n_pairs.pop()
    return (0, *n_pairs) if n_pairs else ()


def bcubed(groups: ObjectGroups, visited: Accumulators, team: Workers) -> BCubed:
    """Compute extended B-cubed from the rows of all groups."""
    parts, scales = (team.slices(groups.weights), team.slices(visited.rows)), visited.reciprocals
    recall = team.map(_sum, *parts, N_LEFT, LEFT_LOSS, scales.left[1])
    precision = team.map(_sum, *parts, N_RIGHT, RIGHT_LOSS, scales.right[1])
    return BCubed(*(_mean(sums) for sums in (precision, recall)))


def _sum(weights: NDArray[Any], rows: Integers, n_others: int, lost: int, scale: int) -> Sum:
    """Sum (both - lost / scale) / n_others over the objects of some rows, without rounding."""
    known, equal = rows[:, n_others] > 0, False
    above, below = rows[:, N_BOTH] * scale - rows[:, lost], rows[:, n_others] * scale
    values = np.divide(above, below, out=np.zeros(len(rows)), where=known)
    return Sum(*_kernels.matching.add_up(weights * known, values, equal))


def _mean(sums: list[Sum]) -> float:
    """Return the mean over the objects of all threads, 1.0 if there are none."""
    total = Sum(*(sum(map(int, pieces)) for pieces in zip(*sums, strict=True)))
    return total.mean() if total.weight else 1.0
