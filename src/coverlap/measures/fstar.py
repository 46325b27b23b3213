r"""F\*: how well each cluster, and each side's set of outliers, finds a match on the other side."""

from typing import NamedTuple

import numpy as np

from coverlap.matching import Form, Similarity, Sum, Totals, apply_similarity


class Direction(NamedTuple):
    """How well one side finds its matches on the other.

    ``clusters`` is the mean similarity of its clusters to their best matches and ``outliers`` the
    similarity of its outliers to the other side's; the shares are what each counts for, and add
    up to 1 (to 0 where there is nothing to compare). ``weight`` is what the direction counts for.
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


def fstar(totals: Totals, similarity: Form | Similarity, outliers: bool, balance: float) -> FStar:
    r"""Compute F\*_wo, or F\*_w without the outliers, from the totals of a matching."""
    n, nothing = totals.n_objects, not totals.left.n_clusters and not totals.right.n_clusters
    own, other, shared = totals[3:]
    forth, back = _alike(similarity, shared, own, other), _alike(similarity, shared, other, own)
    if outliers and n:
        left = _with_outliers(totals.left, n, own, forth, balance)
        right = _with_outliers(totals.right, n, other, back, 1 - balance)
    else:
        left = _without_outliers(totals.left, nothing, forth, balance)
        right = _without_outliers(totals.right, nothing, back, 1 - balance)
    return FStar(left.weight * left.score + right.weight * right.score, left, right)


def _with_outliers(
    clusters: Sum, n_objects: int, n_outliers: int, alike: float, weight: float
) -> Direction:
    mean = clusters.mean()
    n_clustered = n_objects - n_outliers
    # One division at the end: two equal sides give exactly 1.
    score = (n_outliers * alike + n_clustered * mean) / n_objects
    return Direction(score, mean, n_clustered / n_objects, alike, n_outliers / n_objects, weight)


def _without_outliers(clusters: Sum, nothing: bool, alike: float, weight: float) -> Direction:
    mean = clusters.mean()
    if nothing:
        return Direction(1.0, mean, 0.0, alike, 0.0, weight)
    return Direction(mean, mean, 1.0, alike, 0.0, weight)


def _alike(similarity: Form | Similarity, shared: int, own: int, other: int) -> float:
    """Return the similarity of the two sets of outliers."""
    if shared == 0:
        return 0.0
    if isinstance(similarity, Form):
        return similarity.of(shared, own, other)
    sizes = (np.array([count]) for count in (shared, own, other))
    return float(apply_similarity(similarity, *sizes)[0])
