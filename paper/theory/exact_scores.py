"""The score of two clusterings as a fraction, computed from the counts of `coverlap.compare`."""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import coverlap as cv

Cluster = frozenset[int]
Sets = frozenset[Cluster]
"""A clustering as the paper defines it: a set of sets. The objects are 0..n-1."""

EMPTY: Cluster = frozenset()


class ExactScore(NamedTuple):
    """F*_wo, the weighted mean similarity of the left and right clusters, and coverlap's float."""

    score: Fraction
    left_to_right: Fraction
    right_to_left: Fraction
    rounded: float


class _Row(NamedTuple):
    """A row of the cluster table."""

    side: str
    kind: str
    size: int
    match_size: int
    shared: int


def sets(*clusters: Iterable[int]) -> Sets:
    """Return the clustering of the given clusters."""
    return frozenset(map(frozenset, clusters))


def span(start: int, stop: int) -> Cluster:
    """Return the cluster of the objects from `start` to `stop` - 1."""
    return frozenset(range(start, stop))


def rename(clustering: Sets, names: tuple[int, ...]) -> Sets:
    """Return the clustering in which object x is called ``names[x]``."""
    return frozenset(frozenset(names[x] for x in cluster) for cluster in clustering)


def n_memberships(clustering: Sets) -> int:
    """Return the number of memberships: A or B in the paper."""
    return sum(map(len, clustering))


def jaccard(own: Cluster, other: Cluster) -> Fraction:
    """Return the Jaccard index of two clusters, and 0 if both are empty."""
    shared = len(own & other)
    return Fraction(shared, len(own) + len(other) - shared) if shared else Fraction(0)


@lru_cache(maxsize=1024)
def to_clustering(clustering: Sets, n: int) -> cv.Clustering:
    """Convert a set of sets to a `coverlap.Clustering` of n objects."""
    return cv.Clustering.from_clusters(sorted(map(sorted, clustering)), universe=n)


@lru_cache(maxsize=1 << 15)
def exact_score(left: Sets, right: Sets, n: int) -> ExactScore:
    """Compare two clusterings of ``range(n)``.

    coverlap chooses the best match of each cluster by floats that are rounded once. Different
    fractions with terms below 2^26 round to different floats, so the match is exactly the best one,
    and its counts give the similarity as a fraction.
    """
    result = cv.compare(to_clustering(left, n), to_clustering(right, n))
    columns = result.columns()
    rows = [_Row(*row) for row in zip(*(columns[field] for field in _Row._fields), strict=True)]
    there, back = (_mean_similarity(rows, side) for side in ("left", "right"))
    outliers = result.outliers
    of_outliers = _similarity(outliers.n_left, outliers.n_right, outliers.n_shared)
    clustered = (n - outliers.n_left) * there + (n - outliers.n_right) * back
    score = ((outliers.n_left + outliers.n_right) * of_outliers + clustered) / (2 * n)
    return ExactScore(score, there, back, result.score)


def directed_loss(left: Sets, right: Sets, n: int) -> Fraction:
    """Return 1 minus the score of one direction, from left to right, outliers included."""
    outliers, others = (span(0, n).difference(*clustering) for clustering in (left, right))
    of_clusters = (n - len(outliers)) * exact_score(left, right, n).left_to_right
    return 1 - (len(outliers) * jaccard(outliers, others) + of_clusters) / n


def _mean_similarity(rows: list[_Row], side: str) -> Fraction:
    """Return the mean similarity of a side's clusters, weighted by size; 0 without clusters."""
    clusters = [row for row in rows if (row.side, row.kind) == (side, "cluster")]
    total = sum(
        (row.size * _similarity(row.size, row.match_size, row.shared) for row in clusters),
        start=Fraction(0),
    )
    return total / sum(row.size for row in clusters) if clusters else total


def _similarity(size: int, other_size: int, shared: int) -> Fraction:
    return Fraction(shared, size + other_size - shared) if shared else Fraction(0)
