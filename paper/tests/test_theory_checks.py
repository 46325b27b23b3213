"""The checks of the theory, against naive fractions, closed forms and known values."""

from fractions import Fraction
from itertools import product
from math import comb, log

import numpy as np
import pytest

import coverlap as cv
from paper.tests import oracle
from paper.theory import (
    Check,
    check_theory,
    move_families,
    moves,
    proposition_2,
    remarks,
    theorem_1,
    theorem_a,
)
from paper.theory.exact_scores import (
    EMPTY,
    ExactScore,
    Sets,
    exact_score,
    jaccard,
    n_memberships,
    sets,
    span,
    to_clustering,
)
from paper.theory.proposition_1 import (
    all_pairs,
    check_proposition_1,
    score_in_every_order,
    singletons_for_outliers,
)
from paper.theory.small_clusterings import clusterings, renamings, subsets
from tests import naive

BELL = [1, 1, 2, 5, 15, 52, 203, 877]


# All checks


@pytest.mark.slow
def test_every_check_holds(checks: dict[str, Check]):
    assert len(checks) == 36
    assert [check.name for check in checks.values() if not check.holds] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("Proposition 1 (2)", ["3, 36 and 8,256 pairs", "15/16", "47/48"]),
        ("Proposition 2", ["1/12, 17/72 and 7/18", "23/72 < 7/18"]),
        ("Proposition 2, smallest case", ["1/4", "28 of 512", "174,916 of 2,097,152", "1/3"]),
        ("Theorem A", ["877 partitions of 7", "20,706 pairs"]),
        ("Theorem 1, corrected (1b)", ["1.9975"]),
        ("Theorem 1, as stated (A)", ["2,049 objects", "0.0831"]),
        ("Theorem 1, as stated (B)", ["0.0076", "30.2 times", "gamma = 2 as", "0.12 times"]),
        ("Theorem 1, as stated (A)", ["0.1662"]),
        ("Complement of ECS", ["109 clusterings", "distance 0: 1 of"]),
        ("Remark on singletons", ["onmi_mgh 0.729", "onmi_lfk 0.833"]),
        ("Theorem B (1a)", ["for m = 3 at size 60"]),
        ("Theorem C", ["2,097,672 triples"]),
        ("Theorem C, factor attained", ["2, 3/2, 33/29, 129/127"]),
        ("Theorem C, no constant", ["d(P, R) = 0.990, d(P, Q) = d(Q, R) = 0.005"]),
        ("Theorem D, scenarios 1 and 3", ["0.057384", "0.57 standard errors", "39 points"]),
        ("Theorem D, hardness", ["44 graphs", "Petersen graph 76"]),
        ("Theorem E", ["52 clusterings of 4"]),
        ("ECS, one cluster", ["0.97619", "0.94286", "0.99756", "3/7"]),
        ("ECS, two designs", ["30 Fano planes", "1/2 or 4/7 or 5/7"]),
    ],
)
def test_a_check_contains_its_numbers(checks: dict[str, Check], name: str, numbers: list[str]):
    assert [number for number in numbers if number not in checks[name].found] == []


def test_progress_is_reported_after_each_part(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("paper.theory.all_checks.PARTS", (list, check_of_one_pair))
    steps: list[tuple[str, int, int]] = []
    assert [check.name for check in check_theory(lambda *step: steps.append(step))] == ["one"]
    assert steps == [("theory", 0, 2), ("theory", 1, 2), ("theory", 2, 2)]


def check_of_one_pair() -> list[Check]:
    value = exact_score(sets({0}), sets({0}), 1).score
    return [Check("one", "A clustering is equal to itself.", "", value == 1, str(value))]


# Exact scores


def test_exact_scores_are_those_of_the_definition():
    for trial in moves.random_trials(200, seed=1):
        left, right, n = trial.move.before, trial.right, trial.n
        found = exact_score(left, right, n)
        assert found.score == naive.fstar(left, right, range(n))
        assert found.left_to_right == naive.fhat_w(left, right)
        assert found.right_to_left == naive.fhat_w(right, left)
        assert found.rounded == pytest.approx(float(found.score), rel=0, abs=1e-15)


# Propositions


@pytest.mark.parametrize(
    ("n", "n_pairs", "largest"),
    [
        (1, 3, Fraction(0)),
        (2, 36, Fraction(15, 16)),
        pytest.param(3, 8256, Fraction(47, 48), marks=pytest.mark.slow),
    ],
)
def test_proposition_1_holds_for_all_pairs(n: int, n_pairs: int, largest: Fraction):
    found = all_pairs(n)
    assert (found.n_pairs, found.largest) == (n_pairs, largest)
    assert found.in_range
    assert found.one_if_equal
    assert found.symmetric
    assert found.label_invariant
    assert found.error < 2**-52


def test_proposition_1_fails_for_a_score_that_takes_singletons_for_outliers(
    monkeypatch: pytest.MonkeyPatch,
):
    def confused(left: Sets, right: Sets, n: int) -> ExactScore:
        larger = [{own for own in side if len(own) > 1} for side in (left, right)]
        value = naive.fstar(*larger, range(n))
        return exact_score(left, right, n)._replace(score=value, rounded=float(value))

    for module in ("proposition_1", "small_clusterings"):
        monkeypatch.setattr(f"paper.theory.{module}.exact_score", confused)
    monkeypatch.setattr("paper.theory.proposition_1.MAX_OBJECTS", 2)
    holds = {check.name: check.holds for check in check_proposition_1()}
    assert not holds["Proposition 1 (2)"]
    assert not holds["Proposition 1 (4)"]
    assert holds["Proposition 1 (3)"]


def test_order_of_clusters_is_tried_in_all_ways():
    # Of the clusterings of two objects 1, 3, 3 and 1 have 0, 1, 2 and 3 clusters.
    assert score_in_every_order(2) == ((1 + 3 + 3 * 2 + 6) ** 2, True)


def test_all_renamings_are_tried():
    found = list(renamings(3))
    assert len(found) == 6
    assert found[0] == list(range(128))
    assert all(sorted(to) == list(range(128)) for to in found)


def test_an_outlier_is_not_a_singleton():
    found = singletons_for_outliers(2)
    assert len(found) == 4
    assert max(score for _, score in found) < 1
    assert (sets(), Fraction(3, 8)) in found


def test_distances_of_the_papers_three_clusterings():
    found = proposition_2.triangle(proposition_2.PAPER, 3)
    assert found == (Fraction(1, 12), Fraction(17, 72), Fraction(7, 18))
    assert found.gap == Fraction(7, 18) - Fraction(23, 72)


@pytest.mark.parametrize(
    ("n", "count", "widest"),
    [
        (1, 0, Fraction(0)),
        (2, 28, Fraction(1, 4)),
        pytest.param(3, 174_916, Fraction(1, 3), marks=pytest.mark.slow),
    ],
)
def test_how_many_triples_break_the_triangle_inequality(n: int, count: int, widest: Fraction):
    assert proposition_2.count_violations(n) == (count, 2 ** (3 * (2**n - 1)), widest)
    assert proposition_2.triangle(proposition_2.SMALLEST, 2).gap == Fraction(1, 4)


# Without overlaps


@pytest.mark.parametrize("n", range(7))
def test_clusterings_without_overlaps_are_as_many_as_partitions_of_one_object_more(n: int):
    every = list(theorem_a.without_overlaps(n))
    assert len(set(every)) == len(every) == BELL[n + 1]
    assert len(theorem_a.partitions(n)) == BELL[n]
    assert all(sum(blocks) == 2**n - 1 for blocks in every)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_losses_without_overlaps_are_those_of_the_definition(n: int):
    every = list(theorem_a.without_overlaps(n))
    table, unit = theorem_a.losses(every, n)
    clusterings = [
        [frozenset(theorem_a._objects(block)) for block in blocks[1:]] for blocks in every
    ]
    for (i, left), (j, right) in product(enumerate(clusterings), repeat=2):
        expected = 1 - naive.fhat_wo(left, right, range(n))
        assert Fraction(int(table[i, j]), unit) == expected


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_one_direction_keeps_the_triangle_inequality_without_overlaps(n: int):
    assert theorem_a.check_triples(list(theorem_a.without_overlaps(n)), n) == (
        n,
        BELL[n + 1],
        0,
    )


def test_a_table_that_breaks_the_triangle_inequality_has_negative_slack():
    table = np.array([[0, 3, 10], [3, 0, 4], [10, 4, 0]])
    assert theorem_a.least_slack(theorem_a.Losses(table, 10)) == pytest.approx(-0.3)
    table[0, 2] = table[2, 0] = 6
    assert theorem_a.least_slack(theorem_a.Losses(table, 10)) == pytest.approx(0.1)


def test_coverlap_agrees_without_overlaps():
    n_pairs, difference = theorem_a.largest_disagreement(4)
    assert n_pairs == 52 * 53 // 2
    assert difference < 1e-15


def test_the_lemma_holds_for_all_sets_of_four_objects():
    for c, d, e in product(subsets(4), repeat=3):
        left = len(c) * (jaccard(c, d) - jaccard(c, e))
        right = len(c & d - e) + len(c & d & e) * (1 - Fraction(len(d), len(d | e)))
        assert left <= right


def test_the_lemma_adds_up_to_the_loss_of_the_set_in_the_middle():
    for d, e in product(subsets(5), repeat=2):
        only, both = len(d - e), len(d & e)
        total = only + both * (1 - Fraction(len(d), len(d | e)))
        assert total == len(d) * (1 - jaccard(d, e))


def test_the_lemma_is_tried_for_all_counts():
    assert theorem_a.lemma_exceptions(1) == (2**7 - 2 * 2**3 + 2, 0)
    assert theorem_a.lemma_exceptions(3)[1] == 0


def test_random_partitions_with_outliers_keep_the_triangle_inequality():
    rng = np.random.default_rng(7)
    for _ in range(200):
        # Labels from -1 on: a coarse, a middling and a fine one, made by chance from each other.
        coarse = rng.integers(-1, 4, 40)
        middle = np.where(rng.random(40) < 0.3, rng.integers(-1, 6, 40), coarse)
        fine = np.where(rng.random(40) < 0.3, rng.integers(-1, 9, 40), middle)
        first, second, direct = (
            1 - cv.fstar_score(*pair) for pair in ((coarse, middle), (middle, fine), (coarse, fine))
        )
        assert direct <= first + second + 1e-12


# Lemmas and Theorem 1


def test_trials_are_those_of_the_oracle():
    seen = set()
    for trial in moves.random_trials(300, seed=5):
        assert trial.change() == oracle.change(trial)
        assert trial.ratio() == oracle.ratio(trial)
        seen.add(trial.move.case)
    assert seen == {"1a", "1b", "2a", "2b"}


@pytest.mark.parametrize(
    ("before", "cluster", "case", "collapses"),
    [
        (sets({0}, {1, 2}), {0}, "1a", False),
        (sets({0}, {1, 2}, {0, 1}), {0}, "1a", True),
        (sets({0}), {0}, "1b", False),
        (sets({0}, {1, 2}), EMPTY, "2a", False),
        (sets({0}), EMPTY, "2b", False),
    ],
)
def test_the_case_of_a_move_of_object_1(before: Sets, cluster: set, case: str, *, collapses: bool):
    move = moves.Move(before, frozenset(cluster), 1)
    assert (move.case, move.collapses) == (case, collapses)
    assert move.after == before - {move.cluster} | {move.cluster | {1}}


def test_every_trial_is_tried_once():
    expected = [
        (left, cluster, x, right)
        for left, right in product(clusterings(2), repeat=2)
        for cluster in (EMPTY, *left)
        for x in range(2)
        if x not in cluster and (cluster or {x} not in left)
    ]
    found = [(*trial.move, trial.right) for trial in moves.every_trial(2)]
    assert len(found) == len(expected)
    assert {*found} == {*expected}


def test_a_collapse_is_no_case_of_the_corrected_theorem():
    assert list(moves.ratios(move_families.collapse(3))) == []


def test_a_division_by_0_is_0_or_unbounded():
    assert moves.quotient(Fraction(0), 0) == 0
    assert moves.quotient(Fraction(1, 3), 2) == Fraction(1, 6)
    assert moves.quotient(Fraction(1, 3), 0) > 10**6


def test_lemma_1_has_no_exceptions():
    # Each of the 15 sets lacks 4 - size objects, 28 in all, and is set beside 15 others.
    assert theorem_1.lemma_1_exceptions(4) == (28 * 15, 0)


@pytest.mark.parametrize("size", [1, 20, 80])
def test_lemma_2_constant_2_is_approached(size: int):
    before = Fraction(size**2, (size + 1) * (size + size**2))
    assert theorem_1.lemma_2_ratio(size) == Fraction(2 * size + 1, size + 1) - before
    assert 2 - Fraction(2, size) < theorem_1.lemma_2_ratio(size) < 2


def test_lemma_3_constant_1_is_attained():
    trial = move_families.grow_inside_match(4)
    assert trial.change_right_to_left() * n_memberships(trial.right) == trial.gamma() == 1


@pytest.mark.parametrize("size", [4, 20, 100])
@pytest.mark.parametrize("case", move_families.FAMILIES)
def test_constants_of_theorem_1_are_approached(case: str, size: int):
    trial = move_families.FAMILIES[case](size)
    assert trial.move.case == case
    assert trial.ratio() == oracle.ratio(trial)
    assert 0 < theorem_1.CONSTANTS[case] - trial.ratio() < Fraction(2, size)


def test_constant_2_is_approached_as_far_as_was_known():
    assert move_families.join_outlier(400).ratio() == Fraction(801, 401)
    assert float(Fraction(801, 401)) == pytest.approx(1.9975, abs=5e-5)


def test_random_trials_stay_below_the_constants():
    found = theorem_1.extremes(moves.random_trials(400, seed=11))
    assert found["Lemma 2"].largest < 2
    assert found["Lemma 3"].largest <= 1
    for case, constant in theorem_1.CONSTANTS.items():
        assert found[case].n_tried > 20
        assert 0 < found[case].largest < constant


def test_a_ratio_above_the_constant_makes_the_check_fail():
    fine, too_large = theorem_1.Extreme(1, Fraction(1)), theorem_1.Extreme(1, Fraction(2))
    assert theorem_1._check_case("1b", fine, fine).holds
    assert not theorem_1._check_case("1b", fine, too_large).holds
    assert not theorem_1._check_case("2a", fine, fine).holds


@pytest.mark.parametrize("size", [10, 1024])
def test_a_collapse_changes_the_score_by_a_twelfth(size: int):
    before = (Fraction(size**2, size + 1) + size + 1) / (3 * size + 1)
    after = Fraction(size + 1, 2 * size + 1)
    assert move_families.collapse(size).change() == (before - after) / 2
    assert move_families.collapse(size).move.collapses


def test_known_value_of_the_collapse():
    assert float(move_families.collapse(1024).change()) == pytest.approx(0.0831, abs=5e-5)


def test_removal_breaks_the_printed_bound_but_not_the_corrected_one():
    found = theorem_1.counterexample_b(15, 4000)
    trial = move_families.removal(15, 4000)
    assert len(trial.right) == comb(13, 9) + 2
    assert found.printed_gamma == 2
    assert found.gamma == comb(13, 9) + 2
    assert found.change == oracle.change(trial)
    assert float(found.change) == pytest.approx(0.0076, abs=5e-5)
    assert found.printed_ratio == 4000 * found.change  # the maximum is 1
    assert float(found.printed_ratio) == pytest.approx(30, abs=0.5)
    assert found.ratio == oracle.ratio(trial)
    assert float(found.ratio) == pytest.approx(0.12, abs=0.005)


# Remarks


@pytest.mark.parametrize(
    ("name", "size"), [("the Fano plane", 3), ("all pairs", 2), ("all sixes", 6)]
)
def test_ecs_of_a_design_and_one_cluster_is_as_the_eigenvalues_say(name: str, size: int):
    design = remarks.designs()[name]
    assert {*map(len, design)} == {size}
    alpha, stays = Fraction(9, 10), Fraction(7 - size, size * 6)
    expected = 1 - (1 - alpha) * stays * Fraction(6, 7) / (1 - alpha * stays)
    found = cv.ecs_score(to_clustering(design, 7), to_clustering(remarks.WHOLE, 7))
    assert found == pytest.approx(float(expected), rel=0, abs=1e-14)
    assert exact_score(design, remarks.WHOLE, 7).score == Fraction(size, 7)
    assert remarks.ecs_without_loops(design, remarks.WHOLE, 7) == pytest.approx(1, abs=1e-14)


def test_known_values_of_ecs_and_designs():
    values = [
        cv.ecs_score(to_clustering(design, 7), to_clustering(remarks.WHOLE, 7))
        for design in remarks.designs().values()
    ]
    assert values == pytest.approx([41 / 42, 33 / 35, 817 / 819], abs=1e-14)


def test_ecs_without_loops_is_as_the_eigenvalues_say():
    # Two pairs beside four in one cluster: steps have the eigenvalues 1 and -1, or 1 and -1/3.
    halves, whole = sets({0, 1}, {2, 3}), sets(span(0, 4))
    in_pair, in_whole = 0.1 / 1.9, 0.1 / 1.3
    own = (1 + in_pair) / 2 - (1 + 3 * in_whole) / 4
    partner = (1 - in_pair) / 2 - (1 - in_whole) / 4
    stranger = (1 - in_whole) / 4
    expected = 1 - (abs(own) + abs(partner) + 2 * stranger) / 1.8
    assert remarks.ecs_without_loops(halves, whole, 4) == pytest.approx(expected, abs=1e-14)


def test_fano_planes():
    found = remarks.fano_planes()
    assert found.n_planes == 30
    assert found.least_ecs == pytest.approx(1, abs=1e-14)
    assert found.fstar == (Fraction(1, 2), Fraction(4, 7), Fraction(5, 7))


def test_where_a_quarter_of_each_cluster_goes():
    names = ("fstar_wo", "onmi_mgh", "onmi_lfk", "ari", "ecs", "vi")
    found = {
        moved.measure: (moved.together, moved.spread) for moved in remarks.quarter_moved(names)
    }
    assert found["fstar_wo"] == pytest.approx([9 / 15] * 2, abs=1e-15)
    assert found["onmi_mgh"][0] == found["onmi_mgh"][1]
    assert found["onmi_lfk"][0] == found["onmi_lfk"][1]
    assert found["ecs"] == pytest.approx([(81 + 9) / 144, (81 + 3) / 144], abs=1e-15)
    together, spread = [9, 3], [9, 1, 1, 1]
    assert found["ari"] == pytest.approx([adjusted_rand(c) for c in (together, spread)], abs=1e-14)
    lost = [2 * sum(-k / 12 * log(k / 12) for k in counts) for counts in (together, spread)]
    assert found["vi"] == pytest.approx(lost, abs=1e-14)


def adjusted_rand(counts: list[int]) -> float:
    """Return the ARI of four clusters of 12 on either side, each divided into `counts`."""
    both, one, every = 4 * sum(comb(k, 2) for k in counts), 4 * comb(12, 2), comb(48, 2)
    expected = one * one / every
    return (both - expected) / (one - expected)
