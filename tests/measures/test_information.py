"""Mutual information of partitions: equal to the definition, exact in corners, and the peers."""

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

GOLDEN = Path(__file__).parents[1] / "golden" / "information_cases.json"
MEANS = ("mean", "sqrt", "min", "max")
NAMES = {"mean": "arithmetic", "sqrt": "geometric", "min": "min", "max": "max"}


def contingency(left, right):
    """Count what clusters share, straight from the labels; clusters in order of appearance."""
    cells = Counter(zip(left, right, strict=True))
    sizes = Counter(left), Counter(right)
    place = {name: j for j, name in enumerate(sizes[1])}
    rows = [[(place[y], c) for (x, y), c in cells.items() if x == name] for name in sizes[0]]
    flat = [cell for row in rows for cell in row]
    return Contingency(
        frozen(np.cumsum([0, *map(len, rows)])),
        frozen(np.array([j for j, _ in flat], np.uint32)),
        frozen(np.array([shared for _, shared in flat], np.uint32)),
        *(frozen(np.array(list(side.values()), np.int64)) for side in sizes),
        len(left),
    )  # fmt: skip


def of_sizes(left, right):
    """Two partitions with given sizes, of which only these matter."""
    n = sum(left)
    nothing = frozen(np.zeros(0, np.uint32))
    sides = (frozen(np.array(side, np.int64)) for side in (left, right))
    return Contingency(frozen(np.zeros(1, np.int64)), nothing, nothing, *sides, n)


# The definitions, to 50 digits


@cache
def ln(number):
    with localcontext(prec=50):
        return Decimal(number).ln()


def entropy(counts, n):
    return sum((Decimal(c) / n * (ln(n) - ln(c)) for c in counts), Decimal(0))


def naive(left, right):
    """Entropies of left and right, and both together."""
    n = len(left)
    both = Counter(zip(left, right, strict=True)).values()
    sides = (Counter(left).values(), Counter(right).values(), both)
    return [entropy(side, n) for side in sides]


def naive_expected(left_sizes, right_sizes):
    """Expected mutual information, with the exact chance of each number of shared objects."""
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
    table = contingency(left, right)
    found = information(table)
    expected = expected_mutual_information(table)
    return [
        mutual_information(found), variation_of_information(found), v_measure(found), expected,
        *(nmi(found, mean) for mean in (*MEANS, "joint")),
        *(ami(found, expected, mean) for mean in MEANS),
    ]  # fmt: skip


def test_scores_equal_the_definition():
    rng = Random(1)
    for _ in range(1500):
        left, right = random_pair(rng, rng.randrange(1, 40))
        one, other, both = naive(left, right)
        mutual = one + other - both
        found = information(contingency(left, right))
        assert (found.left, found.right) == (near(one), near(other))
        assert mutual_information(found) == near(mutual)
        assert variation_of_information(found) == near(both + both - one - other)
        assert homogeneity(found) == near(mutual / one if one else 1)
        assert completeness(found) == near(mutual / other if other else 1)
        means = {
            "mean": (one + other) / 2, "sqrt": (one * other).sqrt(), "min": min(one, other),
            "max": max(one, other), "joint": both,
        }  # fmt: skip
        for name, mean in means.items():
            assert nmi(found, name) == near(mutual / mean if mean else not both)


def test_v_is_the_harmonic_mean():
    found = information(contingency([0, 0, 1, 1, 2], [0, 1, 1, 1, 1]))
    h, c = homogeneity(found), completeness(found)
    assert v_measure(found) == near(2 * h * c / (h + c))


# Expected mutual information


def test_the_expectation_is_the_mean_over_all_permutations():
    rng = Random(2)
    for n in (2, 3, 4, 5, 6, 7):
        left, right = random_labels(rng, n), [rng.randrange(3) for _ in range(n)]
        sums = naive(left, right)[:2]
        seen = Counter(tuple(right[i] for i in order) for order in permutations(range(n)))
        total = sum(times * naive(left, list(some))[2] for some, times in seen.items())
        expected = sum(sums) - total / seen.total()
        assert expected_mutual_information(contingency(left, right)) == near(expected)


def test_the_expectation_is_that_of_the_hypergeometric_distribution():
    rng = Random(3)
    for _ in range(150):
        left, right = random_pair(rng, rng.randrange(1, 61))
        table = contingency(left, right)
        expected = naive_expected(table.left_sizes.tolist(), table.right_sizes.tolist())
        assert expected_mutual_information(table) == near(expected)


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
    assert expected_mutual_information(of_sizes(left, right)) == pytest.approx(
        float(total), rel=1e-13, abs=1e-25
    )


def test_scikit_learn_finds_the_same_scores():
    rng = np.random.default_rng(4)
    for n, k in ((20, 3), (200, 10), (1000, 30), (3000, 80)):
        left = rng.integers(0, k, n)
        right = np.where(rng.random(n) < 0.5, left, rng.integers(0, k, n))
        table = contingency(left.tolist(), right.tolist())
        found, expected = information(table), expected_mutual_information(table)
        assert mutual_information(found) == pytest.approx(
            metrics.mutual_info_score(left, right), rel=1e-12, abs=0
        )
        theirs = metrics.homogeneity_completeness_v_measure(left, right)
        ours = homogeneity(found), completeness(found), v_measure(found)
        assert ours == pytest.approx(theirs, rel=1e-12, abs=0)
        for mean in MEANS:
            name = NAMES[mean]
            assert nmi(found, mean) == pytest.approx(
                metrics.normalized_mutual_info_score(left, right, average_method=name),
                rel=1e-12,
                abs=0,
            )
            assert ami(found, expected, mean) == pytest.approx(
                metrics.adjusted_mutual_info_score(left, right, average_method=name), abs=1e-10
            )


def test_igraph_finds_the_same_scores():
    rng = Random(5)
    for _ in range(200):
        left, right = random_pair(rng, rng.randrange(2, 50))
        names = {label: i for i, label in enumerate(dict.fromkeys(right))}
        codes = [names[label] for label in right]
        found = information(contingency(left, right))
        for method, score in (("vi", variation_of_information), ("nmi", nmi)):
            theirs = igraph.compare_communities(left, codes, method=method)
            assert score(found) == pytest.approx(theirs, abs=1e-13)


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
    found = score(information(contingency(*sides)))
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
    table = of_sizes(left.tolist(), right.tolist())
    alone = expected_mutual_information(table, threads=1)
    for threads in (None, 2, 3, 7):
        assert expected_mutual_information(table, threads=threads) == alone


def test_equal_partitions_score_exactly_one():
    rng = Random(8)
    for _ in range(200):
        left = random_labels(rng, rng.randrange(1, 60))
        table = contingency(left, [f"_{x}" for x in left])
        found, expected = information(table), expected_mutual_information(table)
        ours = [nmi(found, mean) for mean in (*MEANS, "joint")]
        ours += [ami(found, expected, mean) for mean in MEANS]
        ours += [homogeneity(found), completeness(found), v_measure(found)]
        assert set(ours) == {1.0}
        assert variation_of_information(found) == 0.0


def test_a_refinement_is_exactly_homogeneous():
    rng = Random(9)
    for _ in range(200):
        n = rng.randrange(1, 60)
        left = random_labels(rng, n)
        right = list(zip(left, random_labels(rng, n), strict=True))
        assert homogeneity(information(contingency(left, right))) == 1.0
        assert completeness(information(contingency(right, left))) == 1.0
        assert information(contingency(left, right)).left_given_right == 0.0


def test_independent_partitions_have_exactly_no_information():
    left = [i // 35 for i in range(35 * 22)]
    right = [i % 7 for i in range(35 * 22)]
    found = information(contingency(left, right))
    assert mutual_information(found) == 0.0
    assert {nmi(found, mean) for mean in (*MEANS, "joint")} == {0.0}


# Corners


def test_no_objects_score_one_and_have_no_information():
    table = contingency([], [])
    found = information(table)
    assert expected_mutual_information(table) == 0.0
    assert (mutual_information(found), variation_of_information(found)) == (0.0, 0.0)
    assert {nmi(found, mean) for mean in (*MEANS, "joint")} == {1.0}
    assert {ami(found, 0.0, mean) for mean in MEANS} == {1.0}
    assert (homogeneity(found), completeness(found), v_measure(found)) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("trivial", [[0] * 5, [*range(5)]])
@pytest.mark.parametrize("other", [[0, 0, 0, 1, 1], [0, 1, 1, 2, 3]])
def test_chance_cannot_change_what_one_cluster_or_singletons_score(trivial, other):
    for sides in ((trivial, other), (other, trivial), ([0] * 5, [*range(5)])):
        table = contingency(*sides)
        found, expected = information(table), expected_mutual_information(table)
        assert mutual_information(found) == near(expected)
        assert {ami(found, expected, mean) for mean in MEANS} == {0.0}


def test_one_cluster_shares_no_information():
    found = information(contingency([0] * 4, [0, 0, 1, 1]))
    assert {nmi(found, mean) for mean in (*MEANS, "joint")} == {0.0}
    assert (homogeneity(found), completeness(found), v_measure(found)) == (1.0, 0.0, 0.0)


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
    assert variation_of_information(information(table)) == pytest.approx(
        float(expected), rel=1e-14, abs=0
    )
