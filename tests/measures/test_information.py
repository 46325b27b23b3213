"""Mutual information of partitions equals the definition and the values of other libraries."""

import json
from collections import Counter
from decimal import Decimal, localcontext
from functools import cache
from itertools import permutations
from math import comb
from pathlib import Path
from random import Random

import igraph
import numpy as np
import pytest
from sklearn import metrics

import coverlap as cv
from coverlap.core.incidence import frozen
from coverlap.counting.contingency import Contingency
from coverlap.measures.information import (
    ami,
    completeness,
    expected_mutual_information,
    homogeneity,
    information,
    mutual_information,
    nmi,
    v_measure,
    variation_of_information,
)
from tests import naive_information
from tests.measures.examples import TableCounts

GOLDEN = Path(__file__).parents[1] / "golden" / "information_cases.json"
MEANS = ("mean", "sqrt", "min", "max")
NAMES = {"mean": "arithmetic", "sqrt": "geometric", "min": "min", "max": "max"}


def counts_of(left, right):
    """Count shared objects from labels, with clusters in order of first appearance."""
    cells = Counter(zip(left, right, strict=True))
    sizes = Counter(left), Counter(right)
    place = {name: j for j, name in enumerate(sizes[1])}
    rows = [[(place[y], c) for (x, y), c in cells.items() if x == name] for name in sizes[0]]
    flat = [cell for row in rows for cell in row]
    return TableCounts(Contingency(
        frozen(np.cumsum([0, *map(len, rows)])),
        frozen(np.array([j for j, _ in flat], np.uint32)),
        frozen(np.array([shared for _, shared in flat], np.uint32)),
        *(frozen(np.array(list(side.values()), np.int64)) for side in sizes),
        len(left),
    ))  # fmt: skip


def counts_of_sizes(left, right, threads=None):
    """Return counts of two partitions that have only the sizes of their clusters."""
    n = sum(left)
    nothing = frozen(np.zeros(0, np.uint32))
    sides = (frozen(np.array(side, np.int64)) for side in (left, right))
    table = Contingency(frozen(np.zeros(1, np.int64)), nothing, nothing, *sides, n)
    return TableCounts(table, threads)


# The definitions, to 50 digits


@cache
def ln(number):
    with localcontext(prec=50):
        return Decimal(number).ln()


def entropy(counts, n):
    return sum((Decimal(c) / n * (ln(n) - ln(c)) for c in counts), Decimal(0))


def naive(left, right):
    """Return the entropies of left and of right, and their joint entropy."""
    n = len(left)
    both = Counter(zip(left, right, strict=True)).values()
    sides = (Counter(left).values(), Counter(right).values(), both)
    return [entropy(side, n) for side in sides]


def naive_expected(left_sizes, right_sizes):
    """Return the expected mutual information, from exact hypergeometric probabilities."""
    n = sum(left_sizes)
    total = Decimal(0)
    with localcontext(prec=50):
        for a in left_sizes:
            for b in right_sizes:
                for k in range(max(1, a + b - n), min(a, b) + 1):
                    chance = Decimal(comb(a, k) * comb(n - a, b - k)) / comb(n, b)
                    total += chance * k / n * (ln(n) + ln(k) - ln(a) - ln(b))
    return total


def random_labels(rng, n):
    kind = rng.random()
    if kind < 0.1:
        return list(range(n))
    k = rng.choice([1, 2, 3, 5, max(1, n // 2)])
    return [min(rng.randrange(k), rng.randrange(k)) for _ in range(n)]


def random_pair(rng, n):
    left, right = random_labels(rng, n), random_labels(rng, n)
    kind = rng.random()
    if kind < 0.2:  # one refines the other
        right = [(x, y) for x, y in zip(left, right, strict=True)]
    elif kind < 0.4:  # almost equal
        right = [x if rng.random() < 0.8 else y for x, y in zip(left, right, strict=True)]
    return left, right


def near(value):
    return pytest.approx(float(value), rel=4e-15, abs=4e-15)


def scores(left, right):
    counts = counts_of(left, right)
    return [
        mutual_information(counts), variation_of_information(counts), v_measure(counts),
        expected_mutual_information(counts),
        *(nmi(counts, mean=mean) for mean in (*MEANS, "joint")),
        *(ami(counts, mean=mean) for mean in MEANS),
    ]  # fmt: skip


def test_scores_equal_the_definition():
    rng = Random(1)
    for _ in range(1500):
        left, right = random_pair(rng, rng.randrange(1, 40))
        one, other, both = naive(left, right)
        mutual = one + other - both
        counts = counts_of(left, right)
        found = information(counts)
        assert (found.left, found.right) == (near(one), near(other))
        assert mutual_information(counts) == near(mutual)
        assert variation_of_information(counts) == near(both + both - one - other)
        assert homogeneity(counts) == near(mutual / one if one else 1)
        assert completeness(counts) == near(mutual / other if other else 1)
        means = {
            "mean": (one + other) / 2, "sqrt": (one * other).sqrt(), "min": min(one, other),
            "max": max(one, other), "joint": both,
        }  # fmt: skip
        for name, mean in means.items():
            assert nmi(counts, mean=name) == near(mutual / mean if mean else not both)


def test_v_is_the_harmonic_mean():
    counts = counts_of([0, 0, 1, 1, 2], [0, 1, 1, 1, 1])
    h, c = homogeneity(counts), completeness(counts)
    assert v_measure(counts) == near(2 * h * c / (h + c))


# Expected mutual information


def test_the_expectation_is_the_mean_over_all_permutations():
    rng = Random(2)
    for n in (2, 3, 4, 5, 6, 7):
        left, right = random_labels(rng, n), [rng.randrange(3) for _ in range(n)]
        sums = naive(left, right)[:2]
        seen = Counter(tuple(right[i] for i in order) for order in permutations(range(n)))
        total = sum(times * naive(left, list(some))[2] for some, times in seen.items())
        expected = sum(sums) - total / seen.total()
        assert expected_mutual_information(counts_of(left, right)) == near(expected)


def test_the_expectation_is_that_of_the_hypergeometric_distribution():
    rng = Random(3)
    for _ in range(150):
        left, right = random_pair(rng, rng.randrange(1, 61))
        counts = counts_of(left, right)
        sizes = counts.contingency.left_sizes, counts.contingency.right_sizes
        expected = naive_expected(*(side.tolist() for side in sizes))
        assert expected_mutual_information(counts) == near(expected)


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


def test_scikit_learn_finds_the_same_scores():
    rng = np.random.default_rng(4)
    for n, k in ((20, 3), (200, 10), (1000, 30), (3000, 80)):
        left = rng.integers(0, k, n)
        right = np.where(rng.random(n) < 0.5, left, rng.integers(0, k, n))
        counts = counts_of(left.tolist(), right.tolist())
        assert mutual_information(counts) == pytest.approx(
            metrics.mutual_info_score(left, right), rel=1e-12, abs=0
        )
        theirs = metrics.homogeneity_completeness_v_measure(left, right)
        ours = homogeneity(counts), completeness(counts), v_measure(counts)
        assert ours == pytest.approx(theirs, rel=1e-12, abs=0)
        for beta in (0, 0.5, 3, 1e9):
            assert v_measure(counts, beta=beta) == pytest.approx(
                metrics.v_measure_score(left, right, beta=beta), rel=1e-12, abs=0
            )
        for mean in MEANS:
            name = NAMES[mean]
            assert nmi(counts, mean=mean) == pytest.approx(
                metrics.normalized_mutual_info_score(left, right, average_method=name),
                rel=1e-12,
                abs=0,
            )
            assert ami(counts, mean=mean) == pytest.approx(
                metrics.adjusted_mutual_info_score(left, right, average_method=name), abs=1e-10
            )


def test_igraph_finds_the_same_scores():
    rng = Random(5)
    for _ in range(200):
        left, right = random_pair(rng, rng.randrange(2, 50))
        names = {label: i for i, label in enumerate(dict.fromkeys(right))}
        codes = [names[label] for label in right]
        counts = counts_of(left, right)
        for method, score in (("vi", variation_of_information), ("nmi", nmi)):
            theirs = igraph.compare_communities(left, codes, method=method)
            assert score(counts) == pytest.approx(theirs, abs=1e-13)


def golden():
    cases = json.loads(GOLDEN.read_text())
    return [case for case in cases if not case["measure"].startswith("onmi")]


@pytest.mark.parametrize("case", golden(), ids=lambda case: case["measure"])
def test_cases_of_peers(case):
    sides = []
    for clusters in (case["clusters_a"], case["clusters_b"]):
        label = {item: i for i, cluster in enumerate(clusters) for item in cluster}
        sides.append([label[i] for i in range(case["n_objects"])])
    score = {
        "mutual_info_nats": mutual_information, "completeness": completeness,
        "igraph.vi": variation_of_information, "igraph.nmi": nmi,
    }[case["measure"]]  # fmt: skip
    found = score(counts_of(*sides))
    assert found == pytest.approx(case["expected"], rel=0, abs=case["tolerance"])


# The same bits


def test_swapped_sides_and_shuffled_objects_give_the_same_bits():
    rng = Random(6)
    for _ in range(200):
        left, right = random_pair(rng, rng.randrange(1, 60))
        found = scores(left, right)
        assert scores(right, left) == found
        order = rng.sample(range(len(left)), len(left))
        assert scores([left[i] for i in order], [right[i] for i in order]) == found


def test_the_number_of_threads_changes_no_bit():
    rng = np.random.default_rng(7)
    left, right = (np.sort(rng.zipf(1.3, 400) % 5000) + 1 for _ in range(2))
    sizes = left.tolist(), right.tolist()
    alone = expected_mutual_information(counts_of_sizes(*sizes, threads=1))
    for threads in (None, 2, 3, 7):
        assert expected_mutual_information(counts_of_sizes(*sizes, threads=threads)) == alone


def test_equal_partitions_score_exactly_one():
    rng = Random(8)
    for _ in range(200):
        left = random_labels(rng, rng.randrange(1, 60))
        counts = counts_of(left, [f"_{x}" for x in left])
        ours = [nmi(counts, mean=mean) for mean in (*MEANS, "joint")]
        ours += [ami(counts, mean=mean) for mean in MEANS]
        ours += [homogeneity(counts), completeness(counts), v_measure(counts)]
        assert set(ours) == {1.0}
        assert variation_of_information(counts) == 0.0


def test_a_refinement_is_exactly_homogeneous():
    rng = Random(9)
    for _ in range(200):
        n = rng.randrange(1, 60)
        left = random_labels(rng, n)
        right = list(zip(left, random_labels(rng, n), strict=True))
        assert homogeneity(counts_of(left, right)) == 1.0
        assert completeness(counts_of(right, left)) == 1.0
        assert information(counts_of(left, right)).left_given_right == 0.0


def test_independent_partitions_have_exactly_no_information():
    left = [i // 35 for i in range(35 * 22)]
    right = [i % 7 for i in range(35 * 22)]
    counts = counts_of(left, right)
    assert mutual_information(counts) == 0.0
    assert {nmi(counts, mean=mean) for mean in (*MEANS, "joint")} == {0.0}


# Special cases


def test_no_objects_score_one_and_have_no_information():
    counts = counts_of([], [])
    assert expected_mutual_information(counts) == 0.0
    assert (mutual_information(counts), variation_of_information(counts)) == (0.0, 0.0)
    assert {nmi(counts, mean=mean) for mean in (*MEANS, "joint")} == {1.0}
    assert {ami(counts, mean=mean) for mean in MEANS} == {1.0}
    assert (homogeneity(counts), completeness(counts), v_measure(counts)) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("trivial", [[0] * 5, [*range(5)]])
@pytest.mark.parametrize("other", [[0, 0, 0, 1, 1], [0, 1, 1, 2, 3]])
def test_chance_cannot_change_what_one_cluster_or_singletons_score(trivial, other):
    for sides in ((trivial, other), (other, trivial), ([0] * 5, [*range(5)])):
        counts = counts_of(*sides)
        assert mutual_information(counts) == near(expected_mutual_information(counts))
        assert {ami(counts, mean=mean) for mean in MEANS} == {0.0}


def test_one_cluster_shares_no_information():
    counts = counts_of([0] * 4, [0, 0, 1, 1])
    assert {nmi(counts, mean=mean) for mean in (*MEANS, "joint")} == {0.0}
    assert (homogeneity(counts), completeness(counts), v_measure(counts)) == (1.0, 0.0, 0.0)


def test_a_single_object_in_one_place_keeps_its_digits():
    n = 10**6
    sizes = frozen(np.array([n - 10, 10])), frozen(np.array([n - 9, 9]))
    shared = frozen(np.array([n - 10, 1, 9], np.uint32))
    table = Contingency(
        frozen(np.array([0, 1, 3])), frozen(np.array([0, 0, 1], np.uint32)), shared, *sizes,
        n,
    )  # fmt: skip
    with localcontext(prec=50):
        one, other = (entropy(side.tolist(), n) for side in sizes)
        expected = 2 * entropy(shared.tolist(), n) - one - other
    assert variation_of_information(TableCounts(table)) == pytest.approx(
        float(expected), rel=1e-14, abs=0
    )


@pytest.mark.parametrize("beta", [0, 0.25, 1, 2.5])
def test_the_v_measure_is_the_weighted_harmonic_mean_of_its_parts(beta):
    left, right = [0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 1, 2, 2]
    sides = [[frozenset(np.flatnonzero(np.equal(side, code)).tolist()) for code in range(3)]
             for side in (left, right)]  # fmt: skip
    expected = float(naive_information.v_measure(*sides, 8, Decimal(beta)))
    assert cv.score(left, right, "v", beta=beta) == pytest.approx(expected, rel=1e-14)
    assert cv.score(left, [0] * 8, "v", beta=beta) == 0.0  # complete, but not homogeneous
    assert cv.score([0] * 8, left, "v", beta=beta) == 0.0  # homogeneous, but not complete
    assert cv.score(left, left, "v", beta=beta) == 1.0


@pytest.mark.parametrize("beta", [-1, float("nan"), float("inf"), "1", True, None, [1]])
def test_a_beta_that_is_no_weight_is_rejected(beta):
    with pytest.raises(cv.OptionError, match="beta must be a number of at least 0"):
        cv.score([0, 0, 1], [0, 1, 1], "v", beta=beta)
