"""The engine for clusterings in memory: compiled kernels that run in several threads.

The threads only count, divide once per pair of clusters, and take maxima with fixed ties, so the
number of threads cannot change the result.
"""

from contextlib import AbstractContextManager

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.align import Pair
from coverlap.core.incidence import SPARE, Codes, Incidence, frozen
from coverlap.core.threads import SMALL, Workers, number_of_threads, workers
from coverlap.counting.contingency import BCubed, PairCounts
from coverlap.counting.matching import Matching, Similarity, SimilarityFormula, Sum, Totals
from coverlap.counting.memory import pairs as pairs_of_covers
from coverlap.counting.memory.covers import match_covers
from coverlap.counting.memory.functions import match_by_function
from coverlap.counting.memory.partitions import match_partitions, match_small_partitions
from coverlap.counting.memory.shared import contingency, joined_pairs

__all__ = [
    "contingency",
    "count_pairs",
    "count_pairs_and_bcubed",
    "joined_pairs",
    "match",
    "small_codes",
    "total_codes",
]


def match(
    pair: Pair, similarity: SimilarityFormula | Similarity, threads: int | None = None
) -> Matching:
    """Find the best match of every cluster of both sides."""
    left, right = pair.left.incidence, pair.right.incidence
    with _team(left, right, threads) as team:
        matching = _match(pair, similarity, team)
    return matching.with_outliers(pair.n_unmentioned)


def _match(pair: Pair, similarity: SimilarityFormula | Similarity, team: Workers) -> Matching:
    left, right, n_objects = pair.left.incidence, pair.right.incidence, pair.objects.n
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
    """Return one label per object for both sides if they are small and do not overlap."""
    left, right = pair.left.incidence, pair.right.incidence
    if not (isinstance(left, Codes) and isinstance(right, Codes)):
        return None
    if pair.n_unmentioned or not 0 < len(left.codes) < SMALL:
        return None
    return left.codes.astype(np.int64, copy=False), right.codes.astype(np.int64, copy=False)


def total_codes(
    left: NDArray[np.int64], right: NDArray[np.int64], similarity: SimilarityFormula, average: str
) -> Totals | None:
    """Add up the similarities of two small arrays of labels, directly from the arrays.

    This is `match` and `Matching.totals` in one call of a kernel. Return None if the labels are so
    large that they must be coded first.
    """
    one, other, outliers = _kernels.matching.total_partitions(
        frozen(left), frozen(right), tuple(similarity), average == "equal", left.size + SPARE
    )
    if one[0] < 0:
        return None
    return Totals(Sum(*one), Sum(*other), left.size, *outliers)


def count_pairs(pair: Pair, threads: int | None = None) -> PairCounts:
    """Count the pairs of objects by how many clusters they share on either side."""
    left, right = pair.left.runs, pair.right.runs
    with _team(left, right, threads) as team:
        counted = pairs_of_covers.count_pairs(left, right, pair.objects.n, team)
    return counted._replace(n_objects=pair.n_objects)


def count_pairs_and_bcubed(pair: Pair, threads: int | None = None) -> tuple[PairCounts, BCubed]:
    """Count the pairs, and compute extended B-cubed in the same pass."""
    left, right = pair.left.runs, pair.right.runs
    with _team(left, right, threads) as team:
        counted, bcubed = pairs_of_covers.count_pairs_and_bcubed(left, right, pair.objects.n, team)
    return counted._replace(n_objects=pair.n_objects), bcubed


def _team(
    left: Incidence, right: Incidence, threads: int | None
) -> AbstractContextManager[Workers]:
    n_memberships = max(_n_memberships(left), _n_memberships(right))
    n_clusters = max(_n_clusters(left), _n_clusters(right))
    return workers(number_of_threads(threads, n_memberships, n_clusters))


def _n_memberships(incidence: Incidence) -> int:
    return len(incidence.codes if isinstance(incidence, Codes) else incidence.members)


def _n_clusters(incidence: Incidence) -> int:
    return incidence.n_codes if isinstance(incidence, Codes) else len(incidence.pointers) - 1
