"""The score of two clusterings as a fraction, from what `coverlap.compare` counts."""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from coverlap.clustering.clustering import Clustering
from coverlap.verbs.compare import compare

Cluster = frozenset[int]
Sets = frozenset[Cluster]
"""A clustering as the paper defines it: a set of sets. The objects are 0..n-1."""

EMPTY: Cluster = frozenset()


class Exact(NamedTuple):
    """F*_wo, the mean similarity of the clusters there and back, and coverlap's float."""

    score: Fraction
    there: Fraction
    back: Fraction
    rounded: float


def sets(*clusters: Iterable[int]) -> Sets:
    """Make a clustering of its clusters."""
    return frozenset(map(frozenset, clusters))


def span(start: int, stop: int) -> Cluster:
    """Return the objects from `start` on, before `stop`."""
    return frozenset(range(start, stop))


def mass(clustering: Sets) -> int:
    """Return the number of memberships: A or B in the paper."""
    return sum(map(len, clustering))


def jaccard(own: Cluster, other: Cluster) -> Fraction:
    """Return what two clusters share over what they have together; 0 if they share nothing."""
    shared = len(own & other)
    return Fraction(shared, len(own) + len(other) - shared) if shared else Fraction(0)


@lru_cache(maxsize=1024)
def read(clustering: Sets, n: int) -> Clustering:
    """Make coverlap's clustering of a set of sets."""
    return Clustering.from_clusters(sorted(map(sorted, clustering)), universe=n)


@lru_cache(maxsize=1 << 15)
def exact(left: Sets, right: Sets, n: int) -> Exact:
    """Compare two clusterings of ``range(n)``.

    Each best match is chosen by floats, each rounded once. Fractions with terms below 2^26 are too
    far apart to be rounded to the same float, so it is the best one exactly, and its counts give
    its similarity as a fraction.
    """
    result = compare(read(left, n), read(right, n))
    columns = result.columns()
    fields = ("side", "kind", "size", "match_size", "shared")
    rows = list(zip(*(columns[field] for field in fields), strict=True))
    there, back = (_matched([row[2:] for row in rows if row[:2] == (side, "cluster")])
                   for side in ("left", "right"))  # fmt: skip
    n_left, n_right, n_shared, _ = result.outliers
    alike = Fraction(n_shared, n_left + n_right - n_shared) if n_shared else Fraction(0)
    covered = (n - n_left) * there + (n - n_right) * back
    score = ((n_left + n_right) * alike + covered) / (2 * n)
    return Exact(score, there, back, result.score)


def _matched(rows: list[tuple[int, int, int]]) -> Fraction:
    """Average the similarities of clusters by size; 0 without clusters."""
    total = sum(
        (Fraction(size * shared, size + match - shared) for size, match, shared in rows),
        start=Fraction(0),
    )
    return total / sum(size for size, _, _ in rows) if rows else Fraction(0)
