"""The oracle of the expected F*: the mean over all permutations of the objects of one side.

``brute_force`` scores every permutation by `tests.naive`. ``expected_fstar`` counts subsets by
polynomials in exact integers, so that it can be used for more objects; test_chance.py compares the
two. Both return fractions.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations
from math import comb
from typing import Any

from tests import naive
from tests.naive import Cluster, Clusters

Sizes = tuple[int, ...]


def brute_force(left: Clusters, right: Clusters, n: int, **options: Any) -> Fraction:
    """Return the mean of F* over all permutations of ``range(n)``."""
    orders = list(permutations(range(n)))
    moved = Counter(
        frozenset(frozenset(order[item] for item in cluster) for cluster in right)
        for order in orders
    )
    total = sum(
        times * naive.fstar(left, list(clusters), range(n), **options)
        for clusters, times in moved.items()
    )
    return Fraction(total, len(orders))


@cache
def expected_best(own: int, sizes: Sizes, n: int, similarity: str) -> Fraction:
    """Return the expected similarity of a random cluster to its best match among disjoint ones."""

    def alike(shared: int, size: int) -> Fraction:
        return naive.SIMILARITIES[similarity](shared, own, size)

    def fits(level: Fraction) -> int:
        """Count the sets of ``own`` objects with no similarity above the level."""
        bits = n + 1  # of each coefficient, in polynomials that are written as one integer
        product = sum(comb(n - sum(sizes), i) << (bits * i) for i in range(n - sum(sizes) + 1))
        for size, times in Counter(sizes).items():
            allowed = [i for i in range(min(own, size) + 1) if alike(i, size) <= level]
            product *= sum(comb(size, i) << (bits * i) for i in allowed) ** times
        return product >> (bits * own) & ((1 << bits) - 1)

    levels = sorted({alike(i, size) for size in sizes for i in range(min(own, size) + 1)})
    return sum(
        ((high - low) * (1 - Fraction(fits(low), comb(n, own))) for low, high in pairwise(levels)),
        Fraction(0),
    )


def expected_of_outliers(own: int, other: int, n: int, similarity: str) -> Fraction:
    """Return the expected similarity of two sets of outliers."""
    return sum(
        (
            Fraction(comb(other, i) * comb(n - other, own - i), comb(n, own))
            * naive.SIMILARITIES[similarity](i, own, other)
            for i in range(max(0, own + other - n), min(own, other) + 1)
        ),
        Fraction(0),
    )


def _direction(
    own: Sizes, other: Sizes, n: int, *, outliers: bool, similarity: str, average: str
) -> Fraction:
    """Return the expected score of one direction, given the sizes of clusters."""
    weights = own if average == "size" else (1,) * len(own)
    total = sum(
        (weight * expected_best(size, other, n, similarity) for weight, size in zip(weights, own)),  # noqa: B905
        Fraction(0),
    )
    clusters = total / sum(weights) if own else Fraction(0)
    if not outliers:
        return clusters
    rest = n - sum(own)
    free = expected_of_outliers(rest, n - sum(other), n, similarity)
    return Fraction(rest, n) * free + Fraction(n - rest, n) * clusters


def expected_of_sizes(
    left: Sizes, right: Sizes, n: int, *, outliers: bool = True, balance: Any = Fraction(1, 2),
    similarity: str = "jaccard", average: str = "size",
) -> Fraction:  # fmt: skip
    """Return the expected F* of two clusterings without overlaps, given the sizes of clusters."""
    if n == 0 or not (left or right):
        return Fraction(1)
    options = {"outliers": outliers, "similarity": similarity, "average": average}
    there, back = _direction(left, right, n, **options), _direction(right, left, n, **options)
    return Fraction(balance) * there + (1 - Fraction(balance)) * back


def sizes_of(clusters: Clusters) -> Sizes:
    """Return the sizes of clusters, in ascending order."""
    return tuple(sorted(map(len, clusters)))


def fstar_adjusted(left: Clusters, right: Clusters, objects: Cluster, **options: Any) -> Fraction:
    """Return (F* - expected) / (1 - expected), and 1 if no permutation is different."""
    expected = expected_of_sizes(sizes_of(left), sizes_of(right), len(objects), **options)
    if expected == 1:
        return Fraction(1)
    return (naive.fstar(left, right, objects, **options) - expected) / (1 - expected)
