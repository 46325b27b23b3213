r"""F\*: how similar the clusters and the outliers of each side are to their best matches."""

from typing import Any, NamedTuple

import numpy as np

from coverlap.core.checks import check_option, check_share
from coverlap.core.errors import OptionError
from coverlap.core.wording import shown
from coverlap.counting.counts import Counts
from coverlap.counting.matching import (
    Form,
    Similarity,
    Sum,
    Totals,
    apply_similarity,
    find_similarity,
)

AVERAGES = ("size", "equal")


class Direction(NamedTuple):
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


class FStar(NamedTuple):
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


def fstar_of_counts(
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
    return fstar_value(counts.matching(form).totals(average), form, outliers, float(balance))


def fstar_value(
    totals: Totals, similarity: Form | Similarity, outliers: bool, balance: float
) -> float:
    r"""Compute F\*_wo, or F\*_w without the outliers, from the totals of a matching."""
    left, right, n_objects, n_left, n_right, n_shared = totals
    if not outliers or n_objects == 0:
        if left.n_clusters == right.n_clusters == 0:
            return 1.0
        return balance * left.mean() + (1 - balance) * right.mean()
    forth = _with_outliers(left, n_objects, n_left, alike(similarity, n_shared, n_left, n_right))
    back = _with_outliers(right, n_objects, n_right, alike(similarity, n_shared, n_right, n_left))
    return float(balance * forth + (1 - balance) * back)


def _with_outliers(clusters: Sum, n_objects: int, n_outliers: int, outliers: float) -> float:
    """Return the weighted mean; divided once at the end, so that equal sides give exactly 1."""
    return (n_outliers * outliers + (n_objects - n_outliers) * clusters.mean()) / n_objects


def alike(similarity: Form | Similarity, shared: int, own: int, other: int) -> float:
    """Return the similarity of the two sets of outliers."""
    if shared == 0:
        return 0.0
    if isinstance(similarity, Form):
        return similarity.of(shared, own, other)
    sizes = (np.array([count]) for count in (shared, own, other))
    return float(apply_similarity(similarity, *sizes)[0])


def fstar(totals: Totals, similarity: Form | Similarity, outliers: bool, balance: float) -> FStar:
    """Compute the score and its components."""
    left, right, n_objects, n_left, n_right, n_shared = totals
    forth = alike(similarity, n_shared, n_left, n_right)
    back = alike(similarity, n_shared, n_right, n_left)
    if outliers and n_objects:
        directions = (
            _direction(left, forth, n_objects, n_left, balance),
            _direction(right, back, n_objects, n_right, 1 - balance),
        )
    else:
        nothing = left.n_clusters == right.n_clusters == 0
        directions = (
            _direction_of_clusters(left, forth, nothing, balance),
            _direction_of_clusters(right, back, nothing, 1 - balance),
        )
    return FStar(fstar_value(totals, similarity, outliers, balance), *directions)


def _direction(
    clusters: Sum, outliers: float, n_objects: int, n_outliers: int, weight: float
) -> Direction:
    score = _with_outliers(clusters, n_objects, n_outliers, outliers)
    shares = (n_objects - n_outliers) / n_objects, n_outliers / n_objects
    return Direction(score, clusters.mean(), shares[0], outliers, shares[1], weight)


def _direction_of_clusters(
    clusters: Sum, outliers: float, nothing: bool, weight: float
) -> Direction:
    if nothing:
        return Direction(1.0, 0.0, 0.0, outliers, 0.0, weight)
    mean = clusters.mean()
    return Direction(mean, mean, 1.0, outliers, 0.0, weight)
