"""Overlapping NMI equals the definition and other libraries, and decides ties exactly."""

import json
from decimal import Decimal, localcontext
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import get_args

import cdlib
import numpy as np
import pytest
from cdlib import evaluation

from coverlap.core.incidence import frozen
from coverlap.counting.contingency import Contingency
from coverlap.measures import onmi as module
from coverlap.measures.onmi import Normalization, entropies, onmi, sign_of_logarithms
from tests.marks import slow_after
from tests.measures.examples import TableCounts

GOLDEN = Path(__file__).parents[1] / "golden" / "information_cases.json"
VARIANTS = ("definition", "mcdaid")
NORMALIZATIONS = ("lfk", "lfk_total", "max", "min", "sqrt", "mean", "joint")


def contingency(left, right, n):
    """Count shared objects, directly from the sets."""
    cells = [
        [(j, len(set(x) & set(y))) for j, y in enumerate(right) if set(x) & set(y)] for x in left
    ]
    flat = [cell for row in cells for cell in row]
    return Contingency(
        frozen(np.cumsum([0, *map(len, cells)])),
        frozen(np.array([j for j, _ in flat], np.uint32)),
        frozen(np.array([shared for _, shared in flat], np.uint32)),
        *(frozen(np.array([len(set(x)) for x in side], np.int64)) for side in (left, right)),
        n,
    )  # fmt: skip


def one_pair(own, other, shared, n, times=1):
    """Return a table in which all pairs of clusters have the given (maybe impossible) counts."""
    return Contingency(
        frozen(np.arange(times + 1) * times),
        frozen(np.tile(np.arange(times, dtype=np.uint32), times)),
        frozen(np.full(times * times, shared, np.uint64)),
        frozen(np.full(times, own)), frozen(np.full(times, other)), n,
    )  # fmt: skip


# The definition, with the condition in integers and entropies to 50 digits.


@cache
def ln(number):
    with localcontext(prec=50):
        return Decimal(number).ln()


def h(count, n):
    """Return n times h(count), in nats."""
    return count * (ln(n) - ln(count)) if count else Decimal(0)


@cache
def counts(a, b, c, d):
    """Return whether h(a) + h(d) > h(b) + h(c), by comparing integers."""
    n = a + b + c + d
    return n ** (a + d) * b**b * c**c > n ** (b + c) * a**a * d**d


def left_over(x, others, n, variant):
    """Return n times H(x|Y), in nats."""
    own = h(len(x), n) + h(n - len(x), n)
    found = [own]
    for y in others:
        b, c, d = len(y - x), len(x - y), len(x & y)
        a = n - b - c - d
        if counts(a, b, c, d) and (d or variant == "definition"):
            found.append(sum(h(w, n) for w in (a, b, c, d)) - h(len(y), n) - h(n - len(y), n))
    return min(found)


def naive(left, right, n, variant="definition"):
    """Return all normalizations for two clusterings, directly from the definition."""
    with localcontext(prec=50):
        if not left or not right:
            return dict.fromkeys(NORMALIZATIONS, float(not left and not right))
        own = [[h(len(x), n) + h(n - len(x), n) for x in side] for side in (left, right)]
        rest = [
            [left_over(x, others, n, variant) for x in side]
            for side, others in ((left, right), (right, left))
        ]
        full = all(any(len(x) == n for x in side) for side in (left, right))
        term = Decimal(0 if full and variant == "definition" else 1)
        unknown = [
            sum(r / w if w else term for r, w in zip(rests, whole, strict=True)) / len(whole)
            for rests, whole in zip(rest, own, strict=True)
        ]
        one, other = map(sum, own)
        mutual = (one - sum(rest[0]) + other - sum(rest[1])) / 2
        divisors = {
            "max": max(one, other), "min": min(one, other), "sqrt": (one * other).sqrt(),
            "mean": (one + other) / 2, "joint": one + other - mutual,
        }  # fmt: skip
        equal = float(set(left) == set(right))
        scores = {k: float(mutual / v) if v else equal for k, v in divisors.items()}
        scores["lfk"] = float(1 - sum(unknown) / 2)
        scores["lfk_total"] = (
            float(1 - (sum(rest[0]) / one + sum(rest[1]) / other) / 2) if one and other else equal
        )
        return scores


def random_clusters(rng, n, kind):
    """Draw distinct clusters: small ones, of any size, a partition, or with complements."""
    if kind == "partition":
        labels = [rng.randrange(rng.choice([1, 2, 4])) for _ in range(n)]
        clusters = {frozenset(i for i in range(n) if labels[i] == label) for label in set(labels)}
    else:
        most = n if kind == "any" else max(1, n // 3)
        k = rng.randrange(5)
        clusters = {frozenset(rng.sample(range(n), rng.randint(1, most))) for _ in range(k)}
    if kind == "complements" and clusters:
        clusters |= {frozenset(range(n)) - x for x in list(clusters)[:2]} - {frozenset()}
    if rng.random() < 0.1:
        clusters.add(frozenset(range(n)))
    return sorted(clusters, key=lambda _: rng.random())


def random_pair(rng, n):
    kinds = ("small", "any", "partition", "complements")
    left = random_clusters(rng, n, rng.choice(kinds))
    right = random_clusters(rng, n, rng.choice(kinds))
    if rng.random() < 0.3:  # some clusters in common
        right = list(dict.fromkeys(right + rng.sample(left, len(left) // 2)))
    return left, right


def scores(table, variant="definition"):
    counts = TableCounts(table)
    return {name: onmi(counts, normalization=name, variant=variant) for name in NORMALIZATIONS}


def test_every_normalization_is_tested_and_mgh_is_another_name_of_max():
    assert {*get_args(Normalization)} == {*NORMALIZATIONS, "mgh"}
    counts = TableCounts(contingency([{0, 3}, {1, 2, 5}, {4}], [{0, 3}, {1, 2}, {4, 5}], 6))
    assert onmi(counts, normalization="mgh") == onmi(counts, normalization="max") == onmi(counts)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", slow_after(5, [1, 2, 3, 5, 12, 8, 16, 24, 54]))
def test_scores_equal_the_definition(n, variant):
    rng = Random(n)
    for _ in range(250):
        left, right = random_pair(rng, n)
        expected = naive(left, right, n, variant)
        found = scores(contingency(left, right, n), variant)
        assert found == pytest.approx(expected, rel=4e-15, abs=4e-15), (left, right)


def test_entropies_are_in_bits():
    table = contingency([{0, 1}], [{0, 1}, {2}], 4)
    found = entropies(TableCounts(table))
    assert found.left == 1.0
    assert found.right == pytest.approx(1 + 2 - 0.75 * np.log2(3), rel=1e-15, abs=0)
    assert found.left_given_right == 0.0


# The same bits


def test_swapped_sides_and_shuffled_clusters_give_the_same_bits():
    rng = Random(1)
    for _ in range(300):
        n = rng.randrange(1, 40)
        left, right = random_pair(rng, n)
        for variant in VARIANTS:
            found = scores(contingency(left, right, n), variant)
            assert scores(contingency(right, left, n), variant) == found
            assert scores(contingency(left[::-1], right[::-1], n), variant) == found


def test_the_tables_of_entropies_change_no_bit(monkeypatch):
    rng = Random(2)
    drawn = [(*random_pair(rng, n), n) for n in (20, 33, 40) for _ in range(50)]
    long = [scores(contingency(*case)) for case in drawn]
    for longest in (1, 4):
        monkeypatch.setattr(module, "LONGEST_TABLE", longest)
        assert [scores(contingency(*case)) for case in drawn] == long


def test_equal_clusterings_score_exactly_one():
    rng = Random(3)
    for _ in range(200):
        n = rng.randrange(1, 50)
        left = random_clusters(rng, n, "any")
        table = contingency(left, sorted(left, key=lambda _: rng.random()), n)
        assert set(scores(table).values()) == {1.0}
        others = scores(table, "mcdaid")
        assert {score for name, score in others.items() if name != "lfk"} == {1.0}


# Special cases


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [0, 1, 5])
def test_two_empty_clusterings_score_one(n, variant):
    assert set(scores(contingency([], [], n), variant).values()) == {1.0}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("right", [[{0, 1, 2, 3}], [{0}], [{0, 1}, {1, 2}, {0, 1, 2, 3}]])
def test_one_empty_clustering_scores_zero(right, variant):
    for sides in (([], right), (right, [])):
        assert set(scores(contingency(*sides, 4), variant).values()) == {0.0}


def test_a_cluster_of_all_objects_is_known_only_if_the_other_side_has_it():
    everything, some = {0, 1, 2, 3}, {0, 1}
    assert scores(contingency([everything], [some], 4))["lfk"] == 0.0
    assert scores(contingency([everything, some], [some], 4))["lfk"] == 0.75
    assert scores(contingency([everything, some], [everything], 4))["lfk"] == 0.75
    assert scores(contingency([everything, some], [some, everything], 4))["lfk"] == 1.0
    assert scores(contingency([everything, some], [some, everything], 4), "mcdaid")["lfk"] == 0.5


def test_without_entropy_on_a_side_only_equal_clusterings_score():
    everything, some = {0, 1, 2, 3}, {0, 1}
    found = scores(contingency([everything], [everything, some], 4))
    assert (found["min"], found["sqrt"], found["lfk_total"], found["max"]) == (0, 0, 0, 0)
    assert scores(contingency([everything], [everything], 4))["min"] == 1.0


def test_min_and_sqrt_may_exceed_one():
    copies = [set(range(20)) | {20 + i} for i in range(6)]
    found = scores(contingency([set(range(20))], copies, 60))
    assert found["min"] > found["sqrt"] > 1 > found["max"]


def test_one_cluster_of_a_partition_has_all_the_information_that_min_asks_for():
    ten = [set(range(10 * i, 10 * i + 10)) for i in range(10)]
    assert scores(contingency(ten[:1], ten, 100))["min"] == 1.0


# Disjoint clusters


def test_disjoint_clusters_of_at_most_half_the_objects_never_count():
    for n in range(1, 81):
        for b in range(1, n // 2 + 1):
            for c in range(b, min(n // 2, n - b) + 1):
                assert not counts(n - b - c, b, c, 0)


def test_disjoint_clusters_count_where_one_is_larger():
    left, right = [set(range(80))], [set(range(80, 83)), set(range(83, 100))]
    for sides in ((left, right), (right, left)):
        table = contingency(*sides, 100)
        assert scores(table)["max"] == pytest.approx(0.08499481605670414, rel=1e-14, abs=0)
        assert set(scores(table, "mcdaid").values()) == {0.0}


def test_disjoint_clusters_of_every_size_equal_the_definition():
    rng = Random(7)
    n, differ = 60, 0
    for _ in range(150):
        left = list({frozenset(range(rng.randint(25, 55))) for _ in range(2)})
        right = list({frozenset(range(60 - rng.randint(1, 6), 60)) for _ in range(3)})
        expected = naive(left, right, n)
        differ += expected != naive(left, right, n, "mcdaid")
        for sides in ((left, right), (right, left)):
            found = scores(contingency(*sides, n))
            assert found == pytest.approx(expected, rel=4e-15, abs=4e-15)
    assert 40 < differ < 110  # so that both cases are tested


# Ties


@pytest.mark.parametrize(
    ("a", "b", "c", "d"),
    [(4, 2, 1, 1), (1, 2, 1, 4), (24, 16, 7, 7), (7, 16, 7, 24), (216, 162, 67, 67)],
)
def test_ties_of_dependent_clusters_do_not_count(a, b, c, d):
    assert not counts(a, b, c, d)
    assert not counts(b, a, d, c)
    assert a * d != b * c
    for times in (*range(1, 60), 10**15, 2**52):  # each is rounded differently
        table = one_pair((c + d) * times, (b + d) * times, d * times, (a + b + c + d) * times)
        assert set(scores(table).values()) == {0.0}


@pytest.mark.parametrize("times", [1, 2, 12])
def test_pairs_too_close_for_floats_are_decided_in_integers(times):
    m = 2**57  # (4m, 2m, m, m) is a tie, which one object more or less resolves
    n = 8 * m
    for shift, does_count in ((1, True), (0, False), (-1, False)):
        table = one_pair(2 * m, 3 * m - shift, m, n, times)
        assert (scores(table)["max"] > 0) is does_count
    for shift, does_count in ((1, True), (-1, False)):  # the same in small integers
        a, b = 4 * 2**10 + shift, 2 * 2**10 - shift
        assert counts(a, b, 2**10, 2**10) is does_count


def test_every_doubtful_pair_is_settled():
    m = 2**57
    one = entropies(TableCounts(one_pair(2 * m, 3 * m - 1, m, 8 * m)))
    # 144 pairs, more than the first array of undecided pairs can hold
    many = entropies(TableCounts(one_pair(2 * m, 3 * m - 1, m, 8 * m, 12)))
    assert many.left_unknown == pytest.approx(one.left_unknown, rel=1e-15, abs=0)
    assert many.mutual == pytest.approx(12 * one.mutual, rel=1e-15, abs=0)


def test_the_sign_of_logarithms_is_that_of_the_product():
    rng = Random(4)
    for _ in range(2000):
        terms = [(rng.randint(-9, 9), rng.randint(1, 40)) for _ in range(rng.randint(1, 5))]
        above = below = 1
        for weight, number in terms:
            above *= number ** max(weight, 0)
            below *= number ** max(-weight, 0)
        assert sign_of_logarithms(terms) == (above > below) - (above < below)


def test_the_sign_of_logarithms_takes_as_many_digits_as_it_needs():
    large = 10**60
    assert sign_of_logarithms([(1, large + 1), (-1, large)]) == 1
    assert sign_of_logarithms([(2, large), (-1, large - 1), (-1, large + 1)]) == 1


# Large universes


def test_entropies_keep_their_digits_in_a_large_universe():
    n, own, other, shared = 2**62, 1000, 900, 800
    with localcontext(prec=60):
        a, b, c, d = n - own - other + shared, other - shared, own - shared, shared
        joint = sum(h(w, n) for w in (a, b, c, d))
        left, right = (h(size, n) + h(n - size, n) for size in (own, other))
        expected = float((left + right - joint) / max(left, right))
        unknown = float(((joint - right) / left + (joint - left) / right) / 2)
    found = scores(one_pair(own, other, shared, n))
    assert found["max"] == pytest.approx(expected, rel=1e-14, abs=0)
    assert found["lfk"] == pytest.approx(1 - unknown, rel=1e-14, abs=0)


def test_a_tiny_cluster_keeps_its_digits_beside_a_huge_one():
    n = 10**12
    with localcontext(prec=60):
        a, b, c, d = 4 * 10**11, 6 * 10**11 - 1, 0, 1
        joint = sum(h(w, n) for w in (a, b, c, d))
        tiny, huge = (h(size, n) + h(n - size, n) for size in (1, 6 * 10**11))
        expected = float((joint - huge) / tiny)
    found = entropies(TableCounts(one_pair(1, 6 * 10**11, 1, n)))
    assert found.left_unknown == pytest.approx(expected, rel=1e-14, abs=0)


# Other libraries


def golden():
    cases = json.loads(GOLDEN.read_text())
    return [case for case in cases if case["measure"].startswith("onmi")]


@pytest.mark.parametrize("case", golden(), ids=lambda case: case["measure"])
def test_cases_of_peers(case):
    measure, sides = case["measure"], (case["clusters_a"], case["clusters_b"])
    name = measure.split()[0].removeprefix("onmi_").removeprefix("mgh_")
    name = {"global_lfk": "lfk_total"}.get(name, name)
    is_union = "union" in measure
    n = len(set().union(*sides[0], *sides[1])) if is_union else case["n_objects"]
    variant = "mcdaid" if "McDaid" in measure else "definition"
    found = scores(contingency(*sides, n), variant)[name]
    assert found == pytest.approx(case["expected"], rel=0, abs=case["tolerance"])


def ties(left, right, n):
    """Return whether dependent clusters tie; NetworKit counts ties as satisfied."""
    for x in left:
        for y in right:
            b, c, d = len(y - x), len(x - y), len(x & y)
            a = n - b - c - d
            if not counts(a, b, c, d) and not counts(b, a, d, c) and a * d != b * c:
                return True
    return False


def test_networkit_agrees_where_no_pair_ties():
    import networkit

    kinds = networkit.community.Normalization
    names = {"max": kinds.MAX, "mean": kinds.ARITHMETIC_MEAN, "joint": kinds.JOINT_ENTROPY}

    def as_cover(clusters, n):
        cover = networkit.Cover(n)
        cover.setUpperBound(len(clusters))
        for i, cluster in enumerate(clusters):
            for item in cluster:
                cover.addToSubset(i, item)
        return cover

    rng = Random(5)
    compared = 0
    for _ in range(400):
        n = rng.randrange(2, 40)
        left, right = random_pair(rng, n)
        found = scores(contingency(left, right, n), "mcdaid")
        if ties(left, right, n) or found["max"] > 1:
            continue
        sides = networkit.Graph(n), as_cover(left, n), as_cover(right, n)
        for name, kind in names.items():
            measure = networkit.community.OverlappingNMIDistance(kind)
            assert 1 - measure.getDissimilarity(*sides) == pytest.approx(found[name], abs=1e-13)
        compared += 1
    assert compared > 200


def test_cdlib_agrees_where_it_gives_a_score():
    rng = Random(6)
    compared = 0
    for _ in range(100):
        n = rng.randrange(3, 16)
        left, right = random_pair(rng, n)
        sides = [cdlib.NodeClustering([list(x) for x in side], None) for side in (left, right)]
        covers_all = set().union(*left, *right) == set(range(n))
        full = any(len(x) == n for x in left + right)
        if not (left and right and covers_all) or full or ties(left, right, n):
            continue
        found = scores(contingency(left, right, n))
        lfk = evaluation.overlapping_normalized_mutual_information_LFK(*sides).score
        mgh = evaluation.overlapping_normalized_mutual_information_MGH
        assert lfk == pytest.approx(found["lfk"], abs=1e-12)
        assert mgh(*sides, normalization="max").score == pytest.approx(found["max"], abs=1e-12)
        assert mgh(*sides, normalization="LFK").score == pytest.approx(
            found["lfk_total"], abs=1e-12
        )
        compared += 1
    assert compared > 20


def test_all_pairs_of_small_clusterings_of_four_objects():
    clusters = [frozenset(x) for k in (1, 2, 3, 4) for x in combinations(range(4), k)]
    sides = [list(pair) for k in (1, 2) for pair in combinations(clusters, k)]
    for left in sides[::4]:
        for right in sides[::3]:
            expected = naive(left, right, 4)
            assert scores(contingency(left, right, 4)) == pytest.approx(
                expected, rel=4e-15, abs=4e-15
            )
