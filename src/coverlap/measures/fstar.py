r"""F\*: how similar the clusters and the outliers of each side are to their best matches."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from coverlap.core.checks import check_option, check_share
from coverlap.core.errors import OptionError
from coverlap.core.wording import shown
from coverlap.counting.counts import Counts
from coverlap.counting.matching import (
    Similarity,
    SimilarityFormula,
    Sum,
    Totals,
    apply_similarity,
    find_similarity,
)

Average = Literal["size", "equal"]
AVERAGES: tuple[str, ...] = get_args(Average)


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


@dataclass(frozen=True)
class FStar:
    """The score and its two directions."""

    score: float
    left: Direction
    right: Direction


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
    return float(balance * left + (1 - balance) * right)


def _outlier_similarities(
    totals: Totals, similarity: SimilarityFormula | Similarity
) -> tuple[float, float]:
    """Return the similarity of the left set of outliers to the right one, and the reverse."""
    shared, left, right = totals.n_shared_outliers, totals.n_left_outliers, totals.n_right_outliers
    if shared == 0:
        return 0.0, 0.0
    if isinstance(similarity, SimilarityFormula):
        return similarity.of(shared, left, right), similarity.of(shared, right, left)
    sizes = np.array([shared, shared]), np.array([left, right]), np.array([right, left])
    forth, back = apply_similarity(similarity, *sizes).tolist()
    return forth, back


def _with_outliers(clusters: float, n_objects: int, n_outliers: int, outliers: float) -> float:
    """Average clusters and outliers; one division at the end, so that equal sides give exactly 1."""
    return (n_outliers * outliers + (n_objects - n_outliers) * clusters) / n_objects


def fstar(
    totals: Totals, similarity: SimilarityFormula | Similarity, outliers: bool, balance: float
) -> FStar:
    """Compute the score together with its parts."""
    forth, back = _outlier_similarities(totals, similarity)
    n_objects = totals.n_objects
    if outliers and n_objects:
        left = _direction(totals.left, forth, n_objects, totals.n_left_outliers, balance)
        right = _direction(totals.right, back, n_objects, totals.n_right_outliers, 1 - balance)
    else:
        nothing = totals.left.n_clusters == totals.right.n_clusters == 0
        left = _direction_of_clusters(totals.left, forth, nothing, balance)
        right = _direction_of_clusters(totals.right, back, nothing, 1 - balance)
    return FStar(score_of_totals(totals, similarity, outliers, balance), left, right)


def _direction(
    clusters: Sum, outliers: float, n_objects: int, n_outliers: int, weight: float
) -> Direction:
    score = _with_outliers(clusters.mean(), n_objects, n_outliers, outliers)
    shares = (n_objects - n_outliers) / n_objects, n_outliers / n_objects
    return Direction(score, clusters.mean(), shares[0], outliers, shares[1], weight)


def _direction_of_clusters(
    clusters: Sum, outliers: float, nothing: bool, weight: float
) -> Direction:
    if nothing:
        return Direction(1.0, 0.0, 0.0, outliers, 0.0, weight)
    mean = clusters.mean()
    return Direction(mean, mean, 1.0, outliers, 0.0, weight)
