"""Counting pairs of objects by how many clusters they share, for clusterings of any kind.

`coverlap.counting.memory.ways` looks at the pairs. Here the threads' notes are set up, and what they
say is added up: all in integers, so that neither the way nor the number of threads nor the order
of the clusters can change a bit.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import Runs, frozen
from coverlap.core.threads import Workers
from coverlap.counting.contingency import BCubed, PairCounts
from coverlap.counting.matching import Sum
from coverlap.counting.memory.kinds import Kinds, KindSide, find_kinds
from coverlap.counting.memory.ways import Notes, Way, fastest, reach

Integers = NDArray[np.int64]


def count_pairs(left: Runs, right: Runs, n_objects: int, team: Workers) -> PairCounts:
    """Count the pairs of objects by how many clusters they share."""
    kinds = find_kinds(left, right, n_objects, team)
    notes = take_notes(kinds, n_objects, team, by_object=False)
    return _pair_counts(kinds, notes, n_objects)


def count_pairs_and_bcubed(
    left: Runs, right: Runs, n_objects: int, team: Workers
) -> tuple[PairCounts, BCubed]:
    """Count pairs and compute extended B-cubed at once, in little more time than the latter.

    B-cubed is meant for objects that have clusters on both sides. An object in no right cluster
    has no precision, and one in no left cluster no recall: the means are over the others, and 1.0
    where there are none.
    """
    kinds = find_kinds(left, right, n_objects, team)
    notes = take_notes(kinds, n_objects, team, by_object=True)
    return _pair_counts(kinds, notes, n_objects), _bcubed(kinds, notes)


def take_notes(
    kinds: Kinds, n_objects: int, team: Workers, *, by_object: bool, way: Way | None = None
) -> Notes:
    """Look at the pairs in the way that is predicted to be the fastest, or in the one given."""
    sides = kinds.left, kinds.right
    tallies = [_tally(kinds) for _ in range(team.threads)]
    rows = np.zeros((len(kinds.weights) * by_object, 5), np.int64)
    left_parts, right_parts = (
        _parts(_scale(kinds, side, n_objects, team) if by_object else 1, side) for side in sides
    )
    notes = Notes(tallies, rows, (left_parts, right_parts))
    (way or fastest(kinds, n_objects, team, by_object=by_object))(kinds, notes, team)
    return notes


def _tally(kinds: Kinds) -> tuple[Integers, Integers, Integers]:
    sizes = kinds.left.most + 1, kinds.right.most + 1, 2
    left, right, sums = (np.zeros(size, np.int64) for size in sizes)
    return left, right, sums


def _scale(kinds: Kinds, side: KindSide, n_objects: int, team: Workers) -> int:
    """Choose the unit in which the losses of one side are summed.

    No object shares clusters of this side with more objects than its clusters have members, so the
    sums stay below 2**62. The scale has as many of the divisors 2, 3, 4, ... as there is room for:
    losses are whole numbers up to that many shared clusters (22 for 2**31 objects, 30 for 2**20),
    and rounded to half a unit beyond.
    """
    bound = min(n_objects, int(reach(kinds, side, team).max(initial=0)))
    most, scale = min(2**53, 2**62 // max(bound, 1)), 1
    for divisor in range(2, side.most + 1):
        if math.lcm(scale, divisor) > most:
            break
        scale = math.lcm(scale, divisor)
    return most // scale * scale


def _parts(scale: int, side: KindSide) -> Integers:
    """Divide a scale by 1, 2, 3, ..., up to the most clusters that objects may share."""
    return frozen(scale // np.maximum(np.arange(max(side.most, 1) + 1), 1))


def _pair_counts(kinds: Kinds, notes: Notes, n_objects: int) -> PairCounts:
    lefts, rights, sums = (np.sum(counts, axis=0) for counts in zip(*notes.tallies, strict=True))
    n_equal, n_both = sums.tolist()
    return PairCounts(
        n_objects, _histogram(lefts, kinds.left), _histogram(rights, kinds.right), n_equal, n_both
    )


def _histogram(counts: Integers, side: KindSide) -> tuple[int, ...]:
    """Return the counts; pairs that share one cluster are what is left of those in clusters."""
    several = counts[2:].tolist()
    one = side.n_pairs() - sum(j * n_pairs for j, n_pairs in enumerate(several, 2))
    histogram = [0, one, *several]
    while histogram and histogram[-1] == 0:
        histogram.pop()
    return tuple(histogram)


def _bcubed(kinds: Kinds, notes: Notes) -> BCubed:
    rows = notes.rows
    recall, precision = (
        _mean(kinds.weights, rows[:, 2], rows[:, side], rows[:, 3 + side], notes.parts[side][1])
        for side in (0, 1)
    )
    return BCubed(precision, recall)


def _mean(
    weights: NDArray[Any], both: Integers, reach: Integers, lost: Integers, scale: np.int64
) -> float:
    """Return the mean over objects of (both - lost / scale) / reach, summed without rounding."""
    known, equal = reach > 0, False
    if not known.any():
        return 1.0
    values = np.divide(both * scale - lost, reach * scale, out=np.zeros(len(reach)), where=known)
    return Sum(*_kernels.matching.add_up(weights * known, values, equal)).mean()
