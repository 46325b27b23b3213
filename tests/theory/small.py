"""Every clustering of a few objects, and the exact score of every pair of them."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, combinations

from tests import naive

Clustering = frozenset[frozenset[int]]


def subsets(n: int) -> list[frozenset[int]]:
    """Return the non-empty subsets of ``range(n)``."""
    sizes = range(1, n + 1)
    return [frozenset(s) for s in chain.from_iterable(combinations(range(n), k) for k in sizes)]


@cache
def clusterings(n: int) -> list[Clustering]:
    """Return all 2^(2^n - 1) clusterings of ``range(n)``, the one without clusters included."""
    sets = subsets(n)
    sizes = range(len(sets) + 1)
    return [frozenset(c) for c in chain.from_iterable(combinations(sets, k) for k in sizes)]


@cache
def scores(n: int) -> dict[tuple[Clustering, Clustering], Fraction]:
    """Return F*_wo of all ordered pairs; both orders are computed, none is copied."""
    every = clusterings(n)
    return {(a, b): naive.fstar(a, b, range(n)) for a in every for b in every}


@cache
def directions(n: int) -> dict[tuple[Clustering, Clustering], Fraction]:
    """Return F^*_w, how well the first finds a match in the second, of all ordered pairs."""
    every = clusterings(n)
    return {(a, b): naive.fhat_w(a, b) for a in every for b in every}


def partitions(n: int) -> Iterator[Clustering]:
    """Yield the partitions of ``range(n)``."""
    if n == 0:
        yield frozenset()
        return
    for smaller in partitions(n - 1):
        yield smaller | {frozenset({n - 1})}
        for cluster in smaller:
            yield (smaller - {cluster}) | {cluster | {n - 1}}
