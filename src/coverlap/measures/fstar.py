r"""F\*: how similar the clusters and the outliers of each side are to their best matches."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

import numpy as np

from coverlap.core.checks import check_option, check_share
from coverlap.core.errors import OptionError
from coverlap.core.wording import shown
from coverlap.counting.counts import Counts
from coverlap.counting.matching import (
    BELOW_ONE,
    Similarity,
    SimilarityFormula,
    Sum,
    Totals,
    apply_similarity,
    find_similarity,
)

Average = Literal["size", "equal"]
AVERAGES: tuple[str, ...] = get_args(Average)

EXACT = 2**53
"""Numbers of objects up to this one are exact as floats."""


@dataclass(frozen=True)
class Direction:
    """How similar the clusters and outliers of one side are to their matches on the other.

    ``clusters`` is the mean similarity of its clusters to their best matches, and ``outliers`` the
    similarity of its outliers to those of the other side. The shares are the weights of these two
    in ``score``; their sum is 1, or 0 if there is nothing to compare. ``weight`` is the weight of
    this direction in the score of both.
    """

    score: float
    clusters: float
    cluster_share: float
    outliers: float
    outlier_share: float
    weight: float


def check_options(outliers: object, balance: Any, average: object) -> None:
    """Raise an error if the value of an option is not allowed."""
    if not isinstance(outliers, (bool, np.bool_)):
        raise OptionError(f"outliers must be True or False, not {shown(outliers)}")
    check_share("balance", balance)
    check_option("average", average, AVERAGES)


def score_of_counts(
    counts: Counts,
    *,
    outliers: bool,
    balance: float = 0.5,
    similarity: str | Similarity = "jaccard",
    average: str = "size",
) -> float:
    """Compute the score from the counts; see `coverlap.fstar_score`."""
    check_options(outliers, balance, average)
    form = find_similarity(similarity)
    return score_of_totals(counts.totals(form, average), form, outliers, float(balance))


def score_of_totals(
    totals: Totals, similarity: SimilarityFormula | Similarity, outliers: bool, balance: float
) -> float:
    r"""Compute F\*_wo, or F\*_w without the outliers, from the totals of a matching."""
    left, right, n_objects = totals.left.mean(), totals.right.mean(), totals.n_objects
    if outliers and n_objects:
        forth, back = _outlier_similarities(totals, similarity)
        left = _with_outliers(left, n_objects, totals.n_left_outliers, forth)
        right = _with_outliers(right, n_objects, totals.n_right_outliers, back)
    elif totals.left.n_clusters == totals.right.n_clusters == 0:
        return 1.0
    score = balance * left + (1 - balance) * right
    if score < 1:
        return float(score)
    return 1.0 if (left == 1 or balance == 0) and (right == 1 or balance == 1) else BELOW_ONE


def _outlier_similarities(
    totals: Totals, similarity: SimilarityFormula | Similarity
) -> tuple[float, float]:
    """Return the similarity of the left set of outliers to the right one, and the reverse."""
    shared, left, right = totals.n_shared_outliers, totals.n_left_outliers, totals.n_right_outliers
    if shared == 0:
        return 0.0, 0.0
    if isinstance(similarity, SimilarityFormula):
        forth = similarity.of(shared, left, right)
        return forth, forth if similarity.symmetric else similarity.of(shared, right, left)
    sizes = np.array([shared, shared]), np.array([left, right]), np.array([right, left])
    forth, back = apply_similarity(similarity, *sizes).tolist()
    return forth, back


def _with_outliers(clusters: float, n_objects: int, n_outliers: int, outliers: float) -> float:
    """Average clusters and outliers; the result is 1.0 only if both are 1.0 or absent."""
    n_members = n_objects - n_outliers
    if n_objects <= EXACT:
        mean = (n_outliers * outliers + n_members * clusters) / n_objects
        if mean < 1:
            return mean
    if (clusters == 1 or not n_members) and (outliers == 1 or not n_outliers):
        return 1.0
    if n_objects > EXACT:
        mean = float((n_outliers * Fraction(outliers) + n_members * Fraction(clusters)) / n_objects)
    return min(mean, BELOW_ONE)


def directions(
    totals: Totals, similarity: SimilarityFormula | Similarity, outliers: bool, balance: float
) -> tuple[Direction, Direction]:
    """Return the parts of the score: how well the left side is matched, and the right side."""
    n_objects = totals.n_objects
    nothing = totals.left.n_clusters == totals.right.n_clusters == 0
    forth, back = _outlier_similarities(totals, similarity)

    def direction(clusters: Sum, n_outliers: int, similarity: float, weight: float) -> Direction:
        mean = clusters.mean()
        if outliers and n_objects:
            score = _with_outliers(mean, n_objects, n_outliers, similarity)
            shares = (n_objects - n_outliers) / n_objects, n_outliers / n_objects
            return Direction(score, mean, shares[0], similarity, shares[1], weight)
        if nothing:
            return Direction(1.0, 0.0, 0.0, similarity, 0.0, weight)
        return Direction(mean, mean, 1.0, similarity, 0.0, weight)

    return (
        direction(totals.left, totals.n_left_outliers, forth, balance),
        direction(totals.right, totals.n_right_outliers, back, 1 - balance),
    )
