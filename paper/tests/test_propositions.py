"""Propositions 1 and 2 of the paper, in exact fractions."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from math import lcm
from random import Random

import pytest
from hypothesis import given, settings

import coverlap
from paper.tests import oracle
from paper.theory.small_clusterings import clusterings
from tests import naive
from tests.strategies import Sets, pairs

EXACT = settings(derandomize=True, deadline=None, max_examples=200)


def distance(left: Sets, right: Sets, n: int, *, outliers: bool = True) -> Fraction:
    return 1 - naive.fstar(left, right, range(n), outliers=outliers)


def worst_triangle(clusterings: list[frozenset], n: int) -> tuple[int, Fraction]:
    """Return the number of ordered triples that violate the inequality, and the largest gap."""
    table = [[naive.fstar(a, b, range(n)) for b in clusterings] for a in clusterings]
    # Integers with a common denominator, because the loop below runs millions of times.
    unit = lcm(*(value.denominator for row in table for value in row))
    far = [[int((1 - value) * unit) for value in row] for row in table]
    count, widest = 0, 0
    for from_a in far:
        for direct, from_c in zip(from_a, far, strict=True):
            gaps = [direct - x - y for x, y in zip(from_a, from_c, strict=True)]
            count += sum(gap > 0 for gap in gaps)
            widest = max(widest, *gaps)
    return count, Fraction(widest, unit)


def partitions(n: int) -> Iterator[frozenset]:
    """Yield the partitions of ``range(n)``."""
    if n == 0:
        yield frozenset()
        return
    for smaller in partitions(n - 1):
        yield smaller | {frozenset({n - 1})}
        for cluster in smaller:
            yield (smaller - {cluster}) | {cluster | {n - 1}}


# Proposition 1


@EXACT
@given(pairs(max_objects=8))
def test_order_of_clusters_does_not_change_the_score(pair: tuple[int, Sets, Sets]) -> None:
    n, left, right = pair
    expected = naive.fstar(left, right, range(n))
    shuffle = Random(n).shuffle
    for _ in range(3):
        shuffle(left)
        shuffle(right)
        assert naive.fstar(left, right, range(n)) == expected


def test_every_order_of_clusters_gives_the_score_of_two_objects() -> None:
    for (left, right), expected in oracle.scores(2).items():
        for a, b in product(permutations(left), permutations(right)):
            assert naive.fstar(a, b, range(2)) == expected


def test_renaming_the_objects_on_both_sides_does_not_change_the_score() -> None:
    table = oracle.scores(3)
    for names in permutations(range(3)):
        renamed = {
            clustering: frozenset(frozenset(names[x] for x in cluster) for cluster in clustering)
            for clustering in clusterings(3)
        }
        for (left, right), expected in table.items():
            assert table[renamed[left], renamed[right]] == expected


@pytest.mark.parametrize("n", [1, 2, 3])
def test_score_is_in_0_1_and_is_1_exactly_for_equal_clusterings(n: int) -> None:
    table = oracle.scores(n)
    assert len(table) == (2 ** (2**n - 1)) ** 2
    assert all(0 <= score <= 1 for score in table.values())
    assert {pair for pair, score in table.items() if score == 1} == {
        (clustering, clustering) for clustering in clusterings(n)
    }


@pytest.mark.parametrize(
    ("n", "largest"), [(1, Fraction(0)), (2, Fraction(15, 16)), (3, Fraction(47, 48))]
)
def test_largest_score_of_different_clusterings(n: int, largest: Fraction) -> None:
    assert max(score for (a, b), score in oracle.scores(n).items() if a != b) == largest


@pytest.mark.parametrize("n", [1, 2, 3])
def test_swapping_the_sides_does_not_change_the_score(n: int) -> None:
    table = oracle.scores(n)
    assert all(table[right, left] == score for (left, right), score in table.items())


@EXACT
@given(pairs(max_objects=8))
def test_swapping_the_sides_and_the_balance_does_not_change_the_score(
    pair: tuple[int, Sets, Sets],
) -> None:
    n, left, right = pair
    there = naive.fstar(left, right, range(n), balance=Fraction(1, 5))
    assert naive.fstar(right, left, range(n), balance=Fraction(4, 5)) == there


@pytest.mark.parametrize("n", [1, 2, 3])
def test_an_outlier_made_a_singleton_changes_every_clustering(n: int) -> None:
    table = oracle.scores(n)
    seen = 0
    for clustering in clusterings(n):
        for x in naive.outliers(clustering, range(n)):
            assert table[clustering, clustering | {frozenset({x})}] < 1
            seen += 1
    assert seen >= n


@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_only_outliers_against_only_singletons_is_0(n: int) -> None:
    singletons = [frozenset({x}) for x in range(n)]
    assert naive.fstar([], singletons, range(n)) == 0
    assert coverlap.fstar_score([], singletons, universe=n) == 0.0


def test_a_clustering_is_a_set_so_a_repeated_cluster_weighs_once() -> None:
    left: Sets = [frozenset({0}), frozenset({0}), frozenset({1, 2})]
    right: Sets = [frozenset({0}), frozenset({1, 2, 3})]
    assert naive.fstar(left, right, range(4)) == Fraction(2, 3)
    assert naive.fstar(left[1:], right, range(4)) == Fraction(2, 3)
    found = coverlap.fstar_score(left, right, universe=4)
    assert found == pytest.approx(2 / 3, rel=0, abs=1e-12)


def test_coverlap_agrees_on_every_pair_of_clusterings_of_two_objects() -> None:
    for (left, right), expected in oracle.scores(2).items():
        found = coverlap.fstar_score(list(left), list(right), universe=2)
        assert found == pytest.approx(float(expected), rel=0, abs=1e-12)


# Proposition 2; the paper's objects 1, 2, 3 are 0, 1, 2 here.

ONE: Sets = [frozenset({0, 1, 2})]
TWO: Sets = [frozenset({0}), frozenset({0, 1, 2})]
THREE: Sets = [frozenset({0}), frozenset({1, 2})]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [(ONE, TWO, Fraction(1, 12)), (TWO, THREE, Fraction(17, 72)), (ONE, THREE, Fraction(7, 18))],
    ids=["1-2", "2-3", "1-3"],
)
@pytest.mark.parametrize("outliers", [True, False], ids=["F*_wo", "F*_w"])
def test_distances_of_the_papers_counterexample(
    left: Sets, right: Sets, expected: Fraction, *, outliers: bool
) -> None:
    assert distance(left, right, 3, outliers=outliers) == expected
    found = coverlap.fstar_score(left, right, universe=3, outliers=outliers)
    assert found == pytest.approx(float(1 - expected), rel=0, abs=1e-12)


@pytest.mark.parametrize("outliers", [True, False], ids=["F*_wo", "F*_w"])
def test_complement_breaks_the_triangle_inequality(*, outliers: bool) -> None:
    detour = distance(ONE, TWO, 3, outliers=outliers) + distance(TWO, THREE, 3, outliers=outliers)
    assert detour == Fraction(23, 72)
    assert detour < distance(ONE, THREE, 3, outliers=outliers)


def test_two_objects_are_enough_to_break_the_triangle_inequality_by_a_quarter() -> None:
    whole: Sets = [frozenset({0, 1})]
    parts: Sets = [frozenset({0}), frozenset({1})]
    both = whole + parts
    gap = distance(whole, parts, 2) - distance(whole, both, 2) - distance(both, parts, 2)
    assert gap == Fraction(1, 4)
    first = coverlap.fstar_score(whole, both, universe=2)
    second = coverlap.fstar_score(both, parts, universe=2)
    direct = coverlap.fstar_score(whole, parts, universe=2)
    assert first + second - direct - 1 == pytest.approx(0.25, rel=0, abs=1e-12)


@pytest.mark.parametrize(
    ("n", "count", "widest"),
    [(1, 0, Fraction(0)), (2, 28, Fraction(1, 4)), (3, 174_916, Fraction(1, 3))],
)
def test_how_often_the_triangle_inequality_breaks(n: int, count: int, widest: Fraction) -> None:
    assert worst_triangle(clusterings(n), n) == (count, widest)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_no_three_partitions_break_the_triangle_inequality(n: int) -> None:
    count, _ = worst_triangle(list(partitions(n)), n)
    assert count == 0


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_no_three_disjoint_clusterings_with_outliers_break_the_triangle_inequality(n: int) -> None:
    # The part of a partition that contains the additional object n stands for the outliers.
    parted = partitions(n + 1)
    disjoint = [frozenset(part for part in parts if n not in part) for parts in parted]
    count, _ = worst_triangle(disjoint, n)
    assert count == 0
