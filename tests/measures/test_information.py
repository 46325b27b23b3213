"""Mutual information keeps its digits, and its expectation is that over all permutations."""

from collections import Counter
from decimal import Decimal, localcontext
from itertools import permutations

import numpy as np
import pytest

import coverlap as cv
from coverlap.core.incidence import frozen
from coverlap.counting.contingency import Contingency
from coverlap.counting.counts import counts_of
from coverlap.measures.information import (
    expected_mutual_information,
    information,
    mutual_information,
    variation_of_information,
)
from tests import naive_information as info
from tests.measures.examples import TableCounts, by_labels, near, over, partitions


def counts_of_sizes(left, right, threads=None):
    """Return counts of two partitions that have only the sizes of their clusters."""
    nothing = frozen(np.zeros(0, np.uint32))
    sides = (frozen(np.array(side, np.int64)) for side in (left, right))
    table = Contingency(frozen(np.zeros(1, np.int64)), nothing, nothing, *sides, sum(left))
    return TableCounts(table, threads)


# Expected mutual information


def test_the_expectation_is_the_mean_over_all_permutations():
    for _, n, left, right in partitions(2, 20, max_objects=7):
        if n > 7:
            continue  # grids have more
        moved = Counter(
            frozenset(frozenset(order[item] for item in cluster) for cluster in right)
            for order in permutations(range(n))
        )
        total = sum(
            times * info.mutual_information(left, list(clusters), n)
            for clusters, times in moved.items()
        )
        found = expected_mutual_information(counts_of(left, right))
        assert found == near(total / moved.total(), "mi")


def test_the_expectation_is_that_of_the_hypergeometric_distribution():
    for _, n, left, right in partitions(3, 150, max_objects=60):
        found = expected_mutual_information(counts_of(left, right))
        assert found == near(info.expected_information(left, right, n), "mi")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([3000, 997_000], [5000, 995_000]),
        ([400_000, 600_000], [500_000, 500_000]),
        ([1, 999_999], [1, 999_999]),
        ([2, 10**12 - 2], [3, 10**12 - 3]),
        ([30_000, 40_000, 29_999, 1], [60_000, 40_000]),
    ],
)
def test_the_expectation_keeps_its_digits_in_large_partitions(left, right):
    n, total = sum(left), Decimal(0)
    with localcontext(prec=50):
        for a in left:
            for b in right:
                low, high = max(0, a + b - n), min(a, b)
                centre = a * b // n
                reach = 20 + int(12 * (a * b / n * (1 - a / n) * (1 - b / n)) ** 0.5)
                first, last = max(low, centre - reach), min(high, centre + reach)
                chance, chances, value = Decimal(1), Decimal(0), Decimal(0)
                for k in range(first, last + 1):
                    chances += chance
                    if k:
                        value += chance * k * (Decimal(k * n) / (a * b)).ln()
                    chance = chance * (a - k) * (b - k) / ((k + 1) * (n - a - b + k + 1))
                total += value / chances / n
    assert expected_mutual_information(counts_of_sizes(left, right)) == pytest.approx(
        float(total), rel=1e-13, abs=1e-25
    )


def test_the_number_of_threads_changes_no_bit():
    rng = np.random.default_rng(7)
    left, right = (np.sort(rng.zipf(1.3, 400) % 5000) + 1 for _ in range(2))
    sizes = left.tolist(), right.tolist()
    alone = expected_mutual_information(counts_of_sizes(*sizes, threads=1))
    for threads in (None, 2, 3, 7):
        assert expected_mutual_information(counts_of_sizes(*sizes, threads=threads)) == alone


# Special cases


def test_a_refinement_is_exactly_homogeneous():
    for random, n, left, _ in partitions(9, 200, max_objects=60):
        finer = [part for cluster in left for part in halves(random, cluster)]
        assert cv.score(left, finer, "homogeneity") == 1.0
        assert cv.score(finer, left, "completeness") == 1.0
        assert information(counts_of(over(left, n), over(finer, n))).left_given_right == 0.0


def halves(random, cluster):
    chosen = {item for item in cluster if random.random() < 0.5}
    return filter(None, (chosen, cluster - chosen))


@pytest.mark.parametrize("trivial", [[0] * 5, [*range(5)]])
@pytest.mark.parametrize("other", [[0, 0, 0, 1, 1], [0, 1, 1, 2, 3]])
def test_chance_cannot_change_what_one_cluster_or_singletons_score(trivial, other):
    for sides in ((trivial, other), (other, trivial), ([0] * 5, [*range(5)])):
        counts = counts_of(*sides)
        assert mutual_information(counts) == near(expected_mutual_information(counts), "mi")
        for measure in ("ami", "ami_min", "ami_sqrt", "ami_max"):
            assert cv.score(*sides, measure) == 0.0


def test_a_single_object_in_one_place_keeps_its_digits():
    n = 10**6
    sizes = [n - 10, 10], [n - 9, 9]
    shared = [n - 10, 1, 9]
    table = Contingency(
        frozen(np.array([0, 1, 3])), frozen(np.array([0, 0, 1], np.uint32)),
        frozen(np.array(shared, np.uint32)), *(frozen(np.array(side)) for side in sizes), n,
    )  # fmt: skip
    with localcontext(prec=50):
        one, other, both = (sum(info.h(c, n) for c in counts) for counts in (*sizes, shared))
        expected = 2 * both - one - other
    assert variation_of_information(TableCounts(table)) == pytest.approx(
        float(expected), rel=1e-14, abs=0
    )


@pytest.mark.parametrize("beta", [0, 0.25, 1, 2.5])
def test_the_v_measure_is_the_weighted_harmonic_mean_of_its_parts(beta):
    left, right = [0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 1, 2, 2]
    expected = float(info.v_measure(by_labels(left), by_labels(right), 8, Decimal(beta)))
    assert cv.score(left, right, "v", beta=beta) == pytest.approx(expected, rel=1e-14)
    assert cv.score(left, [0] * 8, "v", beta=beta) == 0.0  # complete, but not homogeneous
    assert cv.score([0] * 8, left, "v", beta=beta) == 0.0  # homogeneous, but not complete
    assert cv.score(left, left, "v", beta=beta) == 1.0


@pytest.mark.parametrize("beta", [-1, float("nan"), float("inf"), "1", True, None, [1]])
def test_a_beta_that_is_no_weight_is_rejected(beta):
    with pytest.raises(cv.OptionError, match="beta must be a number of at least 0"):
        cv.score([0, 0, 1], [0, 1, 1], "v", beta=beta)
