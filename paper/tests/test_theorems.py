"""Theorems B to E, against naive fractions, brute force and closed forms."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb
from random import Random

import numpy as np
import pytest

from paper.tests import oracle
from paper.theory import complements, expected_curves, theorem_b, theorem_c, theorem_d, theorem_e
from paper.theory.exact_scores import EMPTY, Sets, directed_loss, n_memberships, sets, span
from paper.theory.moves import Move, Trial, every_trial
from paper.theory.small_clusterings import clusterings
from paper.theory.theorem_a import as_sets, without_overlaps
from tests import naive

COVERS: list[tuple[Sets, Sets, int]] = [
    (trial.move.before, trial.right, trial.n) for trial in oracle.random_trials(seed=5, count=100)
]


def most_and_mean(clustering: Sets) -> tuple[int, Fraction]:
    """Return the largest and the mean number of clusters of an object that is in some."""
    numbers = Counter(x for cluster in clustering for x in cluster)
    return max(numbers.values()), Fraction(sum(numbers.values()), len(numbers))


@pytest.mark.parametrize(("left", "right", "n"), COVERS[:50])
def test_the_loss_of_one_direction_is_that_of_the_definition(left: Sets, right: Sets, n: int):
    assert directed_loss(left, right, n) == 1 - naive.fhat_wo(left, right, range(n))


# Theorem B


def test_unevenness_is_the_largest_over_the_mean_number_of_clusters():
    assert theorem_b.unevenness(sets()) == 1
    assert theorem_b.unevenness(sets({0, 1}, {5})) == 1
    assert theorem_b.unevenness(sets({0, 1}, {1, 2}, {0, 2})) == 1
    for _, right, _ in COVERS:
        if right:
            most, mean = most_and_mean(right)
            assert theorem_b.unevenness(right) == most / mean >= 1


def bound_of_theorem_b(trial: Trial) -> Fraction:
    added = {"1a": 2, "1b": 3, "2a": 1, "2b": 2}[trial.move.case]
    most, mean = most_and_mean(trial.right) if trial.right else (1, 1)
    return Fraction(added + Fraction(most, mean)) / (2 * trial.n)


def test_theorem_b_holds_for_random_moves():
    for trial in oracle.random_trials(seed=7, count=1000):
        if not trial.move.collapses:
            assert oracle.change(trial) < bound_of_theorem_b(trial)


def test_theorem_b_holds_for_every_move_of_two_objects():
    for trial in every_trial(2):
        if not trial.move.collapses:
            assert oracle.change(trial) < bound_of_theorem_b(trial)


def test_right_clusters_with_the_object_gain_and_the_others_lose_at_most_m_over_b():
    for trial in oracle.random_trials(seed=8, count=1000):
        move, right = trial.move, trial.right
        changes = {
            own: len(own) * (best(own, move.after) - best(own, move.before)) for own in right
        }
        if not right or move.collapses:
            continue
        most, _ = most_and_mean(right)
        assert all(
            (change >= 0) if move.x in own else (change <= 0) for own, change in changes.items()
        )
        assert sum(change for change in changes.values() if change > 0) <= most
        assert -sum(change for change in changes.values() if change < 0) < most


def best(own: frozenset[int], clustering: Sets) -> Fraction:
    return max((naive.compare_sets(own, other) for other in clustering), default=Fraction(0))


@pytest.mark.parametrize("m", [1, 2, 5])
@pytest.mark.parametrize("case", theorem_b.FAMILIES)
def test_the_bound_of_theorem_b_is_approached_for_every_m(case: str, m: int):
    shares = []
    for size in (4, 16):
        trial = theorem_b.FAMILIES[case](size, m)
        assert trial.move.case == case
        assert not trial.move.collapses
        assert most_and_mean(trial.right)[0] == m
        assert theorem_b.share_of_bound(trial) == oracle.change(trial) / bound_of_theorem_b(trial)
        shares.append(theorem_b.share_of_bound(trial))
        assert 0 < 1 - shares[-1] < Fraction(m, size)
    assert shares[0] < shares[1]


def test_a_move_that_makes_clusters_equal_is_left_out():
    collapse = Trial(Move(sets({0}, {0, 1}), span(0, 1), 1), sets({0}), 2)
    assert theorem_b.largest_shares([collapse])["1a"] == (0, 0)


@pytest.mark.parametrize("n", [1, 2, 7])
def test_without_right_clusters_the_bound_is_4_over_2n_or_less(n: int):
    trial = Trial(Move(sets(), EMPTY, 0), sets(), n)
    assert oracle.change(trial) == Fraction(3 * n - 1, 2 * n**2) < Fraction(2 + 1, 2 * n)


# Theorem C


def naive_loss(left: Sets, right: Sets, n: int) -> Fraction:
    return 1 - naive.fhat_wo(left, right, range(n))


def test_theorem_c_holds_for_random_triples():
    rng = Random(9)
    for (a, b, n), _ in zip(COVERS * 10, range(1000), strict=False):
        c = oracle.random_clustering(rng, n)
        most, mean = most_and_mean(a) if a else (1, 1)
        factor = Fraction(most, mean) * (most_and_mean(b)[1] if b else 1)
        assert naive_loss(a, c, n) <= naive_loss(a, b, n) + factor * naive_loss(b, c, n)


def test_theorem_c_holds_for_all_triples_of_two_objects():
    n_triples, slack = theorem_c.least_slack(2)
    assert n_triples == 8**3
    assert slack == min(
        naive_loss(a, b, 2)
        + theorem_b.unevenness(a) * theorem_c.mean_number(b) * naive_loss(b, c, 2)
        - naive_loss(a, c, 2)
        for a, b, c in product(clusterings(2), repeat=3)
    )
    assert slack == 0


@pytest.mark.parametrize(("common", "side", "copies"), [(0, 2, 0), (5, 3, 0), (6, 2, 6), (9, 4, 3)])
def test_the_grid_has_the_distances_of_its_closed_form(common: int, side: int, copies: int):
    a, b, c = theorem_c.grid(common, side, copies)
    n = common + side**2
    found = theorem_c.grid_distances(common, side, copies)
    assert found.direct == 1 - naive.fstar(a, c, range(n))
    assert found.first == 1 - naive.fstar(a, b, range(n))
    assert found.second == 1 - naive.fstar(b, c, range(n))
    assert found.factor == most_and_mean(b)[1]
    assert found.ratio <= found.factor
    assert (found.ratio == found.factor) == (copies == 0)


def test_a_union_of_two_clusterings_without_overlaps_attains_the_factor():
    every = [as_sets(blocks) for blocks in without_overlaps(4)]
    parted = [one for one in every if sum(map(len, one)) == 4]
    for a, c in permutations(parted, 2):
        found = theorem_c.measured_distances((a, a | c, c))
        assert found.ratio == found.factor == Fraction(n_memberships(a | c), 4)


# Theorem D


def brute_force(left: Sets, right: Sets, n: int) -> Fraction:
    scores = []
    for names in permutations(range(n)):
        renamed = [frozenset(names[x] for x in cluster) for cluster in right]
        scores.append(naive.fstar(left, renamed, range(n)))
    return sum(scores, Fraction(0)) / len(scores)


@pytest.mark.parametrize("name", theorem_d.CASES)
def test_the_expected_score_is_the_mean_over_all_permutations(name: str):
    left, right, n = theorem_d.CASES[name]
    sizes = [[*map(len, side)] for side in (left, right)]
    expected = brute_force(left, right, n)
    assert theorem_d.expected_score(*sizes, n) == expected
    assert theorem_d.expected_score(*sizes[::-1], n) == expected
    assert theorem_d.mean_over_permutations(left, right, n) == expected


def test_the_expected_score_of_all_sizes_of_four_objects():
    shapes = {tuple(sorted(map(len, as_sets(b)))) for b in without_overlaps(4)}
    for left, right in product(sorted(shapes), repeat=2):
        sides = [
            sets(*(span(sum(sizes[:i]), sum(sizes[: i + 1])) for i in range(len(sizes))))
            for sizes in (left, right)
        ]
        assert theorem_d.expected_score(left, right, 4) == brute_force(*sides, 4)


def test_the_side_that_searches_may_overlap():
    left, sizes, n = sets({0, 1}, {1, 2}, {0, 1, 2}), [2, 1], 5
    right = sets({0, 1}, {2})
    scores = []
    for names in permutations(range(n)):
        renamed = [frozenset(names[x] for x in cluster) for cluster in right]
        scores.append(naive.fhat_wo(left, renamed, range(n)))
    expected = sum(scores, Fraction(0)) / len(scores)
    assert theorem_d.expected_direction([2, 2, 3], sizes, n, covered=3) == expected


def test_expected_similarities_grow_no_faster_than_sizes():
    """The lemma on how expected similarities of sets of c and d objects compare."""
    covers = [[span(0, 3), span(3, 5)], [span(0, 4), span(2, 6), span(5, 7)], [span(0, 7)]]
    for clusters in covers:
        expected = {}
        for own in range(1, 8):
            drawn = [best(frozenset(some), sets(*clusters)) for some in combinations(range(7), own)]
            expected[own] = sum(drawn, Fraction(0)) / len(drawn)
        for c, d in combinations(expected, 2):
            assert c * expected[c] / d <= expected[d] <= d * expected[c] / c


@pytest.mark.parametrize("limit", [Fraction(0), Fraction(1, 4), Fraction(1, 3), Fraction(1)])
def test_sets_below_a_limit_are_counted(limit: Fraction):
    clusters = [span(0, 3), span(3, 5), span(5, 6)]
    for own in range(1, 8):
        every = map(frozenset, combinations(range(7), own))
        below = sum(max(naive.compare_sets(one, c) for c in clusters) <= limit for one in every)
        assert theorem_d.count_below(own, [3, 2, 1], 7, limit) == below


@pytest.mark.parametrize(
    ("left", "right"), [([5, 4, 3], [2] * 6), ([12], [1] * 12), ([4, 4, 4], [4, 4, 4])]
)
def test_expected_scores_in_floats_are_those_in_fractions(left: list[int], right: list[int]):
    for own, others in ((left, right), (right, left)):
        for size in {*own} - {12}:
            exact = theorem_d.expected_best(size, others, 12)
            found = expected_curves.expected_best(size, others, 12)
            assert found == pytest.approx(float(exact), rel=0, abs=1e-13)
    if 12 not in left:
        exact = theorem_d.expected_score(left, right, 12)
        assert expected_curves.expected_score(left, right, 12) == pytest.approx(
            float(exact), abs=1e-13
        )


def test_the_ends_of_scenarios_1_and_3_are_expected():
    exact = theorem_d.expected_score([32] * 32, [32] * 32, 1024)
    found = expected_curves.expected_score([32] * 32, [32] * 32, 1024)
    assert found == pytest.approx(float(exact), abs=1e-12) == pytest.approx(0.057384, abs=5e-7)
    assert theorem_d.expected_score([128] * 8, [1] * 1024, 1024) == Fraction(1, 128)


def test_known_numbers_of_independent_sets():
    graphs = theorem_d.graphs()
    # Independence polynomials: 1 + 5z + 5z^2, 2 (1 + z)^3 - 1, and 1 + 10z + 30z^2 + 30z^3 + 5z^4.
    assert theorem_d.independent_sets(graphs["cycle of 5"], 5)[:3] == [1, 5, 5]
    assert sum(theorem_d.independent_sets(graphs["complete bipartite 3, 3"], 6)) == 15
    petersen = [1, 10, 30, 30, 5, 0, 0, 0, 0, 0, 0]
    assert theorem_d.independent_sets(graphs["Petersen graph"], 10) == petersen


@pytest.mark.parametrize("name", ["graph 0 of 4 vertices", "cycle of 5", "complete bipartite 3, 3"])
def test_expected_scores_count_independent_sets(name: str):
    edges = theorem_d.graphs()[name]
    n = len(span(0, 0).union(*edges))
    expected = [sum(not any(e <= {*some} for e in edges) for some in combinations(range(n), k))
                for k in range(n + 1)]  # fmt: skip
    assert theorem_d.independent_sets_from_scores(edges, n) == expected


def test_the_mean_over_places_is_the_mean_over_permutations():
    edges = theorem_d.graphs()["cycle of 5"]
    for size in (2, 3):
        expected = brute_force(edges, sets(span(0, size)), 5)
        assert theorem_d._mean_over_places(edges, size, 5) == expected


# Theorem E


def test_with_equal_weights_the_loss_is_that_of_the_definition():
    for left, right, n in COVERS:
        expected = 1 - naive.fhat_wo(left, right, range(n))
        assert theorem_e.weighted_loss(left, right, [3] * n) == expected


def test_weights_are_copies_also_with_overlaps():
    rng = Random(3)
    for left, right, n in COVERS:
        weights = [rng.randint(1, 4) for _ in range(n)]
        copied = [theorem_e.with_copies(side, weights) for side in (left, right)]
        expected = 1 - naive.fhat_wo(*copied, range(sum(weights)))
        assert theorem_e.weighted_loss(left, right, weights) == expected


@pytest.mark.parametrize("weights", [[2, 3, 5], [0, 1, 4], [1, 0, 0], [1000, 1, 1]])
def test_the_triangle_inequality_holds_with_weights(weights: list[int]):
    three = [as_sets(blocks) for blocks in without_overlaps(3)]
    assert theorem_e.least_slack(three, weights) == 0


def test_the_distance_is_0_only_up_to_objects_without_weight():
    weights = [0, 2, 3]
    three = [as_sets(blocks) for blocks in without_overlaps(3)]
    for a, b in product(three, repeat=2):
        kept = [{cluster - {0} for cluster in side} - {EMPTY} for side in (a, b)]
        distance = theorem_e.weighted_loss(a, b, weights) + theorem_e.weighted_loss(b, a, weights)
        assert (distance == 0) == (kept[0] == kept[1])


def test_random_weights_keep_the_triangle_inequality():
    found = theorem_e.random_slacks(100, seed=1)
    assert len(found) == 100
    assert min(found) >= 0


# Other measures


def test_there_are_109_covers_of_three_objects():
    # Inclusion and exclusion over the objects that are outliers.
    assert len(complements.covers(3)) == sum(
        (-1) ** k * comb(3, k) * 2 ** (2 ** (3 - k) - 1) for k in range(4)
    )


def test_the_complement_of_the_score_without_outliers_breaks_the_inequality():
    a, b, c = complements.WITHOUT_OVERLAPS
    scores = [naive.fstar(*pair, range(2), outliers=False) for pair in ((a, b), (b, c), (a, c))]
    assert scores == [Fraction(3, 4), Fraction(3, 4), 0]


def test_a_gap_is_found():
    table = np.array([[0, 3, 10], [3, 0, 4], [10, 4, 0]]) / 10
    assert complements.largest_gap(table) == pytest.approx(0.3)
