"""The engine for clusterings in memory: compiled kernels that run in several threads.

The threads only count, divide once per pair of clusters, and take maxima with fixed ties, so the
number of threads cannot change the result.
"""

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.align import Pair
from coverlap.core.incidence import SPARE, Codes, frozen
from coverlap.core.threads import SMALL, Workers
from coverlap.counting.matching import Matching, Similarity, SimilarityFormula, Sum, Totals
from coverlap.counting.memory.covers import match_by_function, match_covers
from coverlap.counting.memory.pairs import count_pairs, count_pairs_and_bcubed
from coverlap.counting.memory.partitions import match_partitions, match_small_partitions
from coverlap.counting.memory.shared import contingency, count_shared, joined_pairs
from coverlap.counting.memory.weighted import (
    in_given_unit,
    match_weighted,
    weigh_members,
    weighted_contingency,
)
from coverlap.counting.memory.workspace import team_for

__all__ = [
    "contingency",
    "count_pairs",
    "count_pairs_and_bcubed",
    "count_shared",
    "in_given_unit",
    "joined_pairs",
    "match",
    "small_codes",
    "total_codes",
    "weigh_members",
    "weighted_contingency",
]


def match(
    pair: Pair, similarity: SimilarityFormula | Similarity, threads: int | None = None
) -> Matching:
    """Find the best match of every cluster of both sides."""
    with team_for(pair, threads) as team:
        matching = _match(pair, similarity, team)
    return matching.with_outliers(pair.n_unmentioned)


def _match(pair: Pair, similarity: SimilarityFormula | Similarity, team: Workers) -> Matching:
    left, right, n_objects = pair.left.incidence, pair.right.incidence, pair.objects.n
    if pair.weights is not None:
        assert isinstance(similarity, SimilarityFormula), "checked by verbs"  # noqa: S101
        return match_weighted(pair, similarity, team)
    if (
        isinstance(similarity, SimilarityFormula)
        and isinstance(left, Codes)
        and isinstance(right, Codes)
    ):
        if team.threads == 1 and n_objects < SMALL:
            return match_small_partitions(left, right, similarity)
        return match_partitions(left, right, similarity, team)
    one, other = pair.left.runs, pair.right.runs
    if isinstance(similarity, SimilarityFormula):
        return match_covers(one, other, n_objects, similarity, team)
    return match_by_function(one, other, n_objects, similarity, team)


def small_codes(pair: Pair) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Return one label per object for both sides if they are small, unweighted and disjoint."""
    left, right = pair.left.incidence, pair.right.incidence
    if not (isinstance(left, Codes) and isinstance(right, Codes)):
        return None
    if pair.n_unmentioned or pair.weights is not None or not 0 < len(left.codes) < SMALL:
        return None
    return left.codes.astype(np.int64, copy=False), right.codes.astype(np.int64, copy=False)


def total_codes(
    left: NDArray[np.int64], right: NDArray[np.int64], similarity: SimilarityFormula, average: str
) -> Totals | None:
    """Add up the similarities of two small arrays of labels, directly from the arrays.

    This is `match` and `Matching.totals` in one call of a kernel. Return None if the labels are
    too large to be used as codes.
    """
    one, other, outliers = _kernels.matching.total_partitions(
        frozen(left), frozen(right), tuple(similarity), average == "equal", left.size + SPARE
    )
    left_sum, right_sum = Sum(*one), Sum(*other)
    if left_sum.n_clusters < 0:  # labels so large that they must be coded first
        return None
    return Totals(left_sum, right_sum, left.size, *outliers)
