"""The oracle of what changed: its sums, and changes that were made by hand."""

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from tests import naive
from tests.naive_changes import (
    REASONS,
    Options,
    changes,
    cluster_rows,
    contingency,
    losses,
    moved,
    object_losses,
    object_reasons,
    other_changes,
    partners,
)

OPTIONS = [
    Options(outliers, balance, similarity, average)
    for outliers, balance, similarity, average in product(
        [True, False],
        [Fraction(0), Fraction(1, 2), Fraction(3, 10), Fraction(1)],
        ["jaccard", "f1", "precision", "recall"],
        ["size", "equal"],
    )
]


def objects(*ranges):
    """Return one set of the integers of ranges: pairs of the first one and the end."""
    return frozenset(item for first, end in ranges for item in range(first, end))


def random_cover(rng, n):
    """Return distinct clusters of ``range(n)`` with overlaps, nested ones and outliers."""
    found = []
    for _ in range(rng.choice([0, 1, 2, 3, 5, 8])):
        nested = found and rng.random() < 0.3
        population = sorted(rng.choice(found)) if nested else range(n)
        found.append(frozenset(rng.sample(population, rng.randint(0, len(population)))))
    return naive.normalise(found)


def random_change(rng, clusters, n):
    """Return clusters most of which are as before, and some changed, cut, fused or left out."""
    found = []
    for cluster in clusters:
        others = frozenset(rng.sample(range(n), rng.randint(0, n // 3)))
        cut = frozenset(item for item in cluster if rng.random() < 0.5)
        fused = cluster | rng.choice(clusters)
        found += rng.choice([[cluster], [cluster ^ others], [cut, cluster - cut], [fused], []])
    return naive.normalise(found)


def random_pair(rng):
    n = rng.randint(0, 14)
    left = random_cover(rng, n)
    right = random_change(rng, left, n) if rng.random() < 0.5 else random_cover(rng, n)
    return left, right, frozenset(range(n))


# Each choice of options has 8 pairs of its own.
PAIRS = [random_pair(Random(f"changes {seed}")) for seed in range(8 * len(OPTIONS))]


def words(left, right, universe, **options):
    return sorted(change.change for change in changes(left, right, universe, **options))


# Sums


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_losses_by_cluster_change_reason_and_object_sum_up_to_one_minus_the_score(options):
    first = 8 * OPTIONS.index(options)
    for left, right, universe in PAIRS[first : first + 8]:
        missing = 1 - naive.fstar(left, right, universe, **options._asdict())
        given = left, right, universe, options
        assert sum(row.loss for row in cluster_rows(*given)) == missing
        assert sum(row.loss for row in changes(*given) + other_changes(*given)) == missing
        assert sum(losses(*given).values()) == missing
        assert sum(object_losses(*given).values()) == missing
        assert sum(object_reasons(*given).values()) == missing
        assert object_losses(*given).keys() == universe
        assert tuple(losses(*given)) == REASONS


@pytest.mark.slow
def test_random_pairs_have_every_kind_of_row_reason_and_change():
    rows, reasons, found = set(), set(), Counter()
    for left, right, universe in PAIRS:
        for options in (Options(outliers=True), Options(outliers=False)):
            rows |= {row.kind for row in cluster_rows(left, right, universe, options)}
            reasons |= {why for _, why in object_reasons(left, right, universe, options)}
        found.update(words(left, right, universe))
    assert rows == {"cluster", "outliers", "none"}
    assert reasons == set(REASONS)
    everything = {"same", "kept", "split", "merged", "mixed"}
    everything |= {"dissolved", "scattered", "new", "gathered"}
    assert found.keys() == everything
    assert min(found.values()) >= 10
    assert any(not left and right for left, right, _ in PAIRS)
    assert any(left and not right for left, right, _ in PAIRS)
    assert any(not left and not right and universe for left, right, universe in PAIRS)
    assert any(not universe for _, _, universe in PAIRS)


@pytest.mark.slow
@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("similarity", ["jaccard", "f1", "precision", "recall"])
def test_each_cluster_is_in_exactly_one_change(similarity, threshold):
    for left, right, universe in PAIRS[::4]:
        options = Options(similarity=similarity)
        found = changes(left, right, universe, options, threshold)
        assert sorted(i for change in found for i in change.left) == list(range(len(left)))
        assert sorted(j for change in found for j in change.right) == list(range(len(right)))
        for change in found:
            assert change.gone == change.n_left - change.n_shared
            assert change.come == change.n_right - change.n_shared


SWAPPED = {
    "split": "merged",
    "dissolved": "new",
    "scattered": "gathered",
    "grown": "shrunk",
}
SWAPPED |= {new: old for old, new in SWAPPED.items()}


def swapped(word):
    return SWAPPED.get(word, word)


@pytest.mark.slow
@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.5, 1.0])
def test_swapped_sides_have_the_opposite_changes_with_the_same_losses(threshold):
    for left, right, universe in PAIRS:
        there = {
            (swapped(row.change), row.right, row.left, row.loss, swapped(row.detail))
            for row in changes(left, right, universe, threshold=threshold)
        }
        back = {
            (row.change, row.left, row.right, row.loss, row.detail)
            for row in changes(right, left, universe, threshold=threshold)
        }
        assert there == back


def test_contingency_of_partitions_counts_every_object_once():
    rng = Random("contingency")
    for _ in range(100):
        sides = []
        for _ in range(2):
            labels = [rng.randint(-1, 3) for _ in range(12)]
            clusters = [frozenset(x for x in range(12) if labels[x] == c) for c in range(4)]
            sides.append(naive.normalise(clusters))
        table = contingency(*sides, frozenset(range(12)))
        assert sum(table.values()) == 12
        assert min(table.values()) > 0


def test_contingency_has_clusters_and_outliers():
    left, right = [objects((0, 4)), objects((3, 6))], [objects((0, 3)), objects((6, 8))]
    assert contingency(left, right, objects((0, 10))) == {
        (0, 0): 3,
        (0, None): 1,
        (1, None): 3,
        (None, 1): 2,
        (None, None): 2,
    }


# Changes made by hand


@pytest.mark.slow
def test_identical_covers_are_same_throughout():
    for seed in range(500):
        rng = Random(f"identical {seed}")
        n = rng.randint(1, 20)
        cover, universe = random_cover(rng, n), frozenset(range(n))
        for similarity, threshold in product(["jaccard", "f1"], [0.0, 0.5, 1.0]):
            options = Options(similarity=similarity)
            found = changes(cover, cover, universe, options, threshold)
            assert [row.change for row in found] == ["same"] * len(cover)
            assert all(row.left == row.right and row.loss == 0 for row in found)
        assert moved(cover, cover, partners(cover, cover)) == {}


REST = [objects((1000, 1050)), objects((1050, 1100))]
"""Clusters that stay as they are."""


def only_change(left, right):
    """Return the one change that is not 'same', between clusters beside `REST`."""
    rows = changes(left + REST, right + REST, objects((0, 1200)))
    assert sum(row.change == "same" for row in rows) == len(REST)
    (row,) = [row for row in rows if row.change != "same"]
    return row


def test_a_cluster_cut_in_two_is_a_split():
    row = only_change([objects((0, 10))], [objects((0, 6)), objects((6, 10))])
    assert row[:8] == ("split", {0}, {0, 1}, 10, 10, 10, 0, 0)
    # Jaccard similarities are 6/10 for the left cluster, and 6/10 and 4/10 for the right ones.
    # A cluster's weight is half its share of the objects of the universe.
    assert row.loss == (10 * Fraction(4, 10) + 6 * Fraction(4, 10) + 4 * Fraction(6, 10)) / 2400


def test_objects_that_stay_carry_what_the_smaller_part_misses():
    left, right = [objects((0, 10))], [objects((0, 6)), objects((6, 10))]
    options = Options(balance=Fraction(0))
    # The part of 6 (weight 6/10) charges the other 4 with 1/10 of its weight each, and the part of
    # 4 (weight 4/10) charges the other 6 in the same way. Both parts seek the left cluster.
    found = object_losses(left, right, objects((0, 10)), options)
    assert [found[item] for item in range(10)] == [Fraction(4, 100)] * 6 + [Fraction(6, 100)] * 4
    assert losses(left, right, objects((0, 10)), options)["gone to clusters"] == Fraction(48, 100)


def test_three_fused_clusters_are_a_merge():
    fused = [objects((0, 10)), objects((10, 17)), objects((17, 20))]
    row = only_change(fused, [objects((0, 20))])
    assert row[:8] == ("merged", {0, 1, 2}, {0}, 20, 20, 20, 0, 0)


def test_a_cluster_whose_objects_are_outliers_is_dissolved():
    row = only_change([objects((0, 10))], [])
    assert row[:8] == ("dissolved", {0}, set(), 10, 0, 0, 10, 0)
    assert row.loss == Fraction(10, 2400)


def test_what_is_left_of_a_dissolved_cluster_is_in_its_row():
    row = only_change([objects((0, 10))], [objects((0, 3))])
    assert row[:8] == ("dissolved", {0}, {0}, 10, 3, 3, 7, 0)


def test_a_new_cluster_of_outliers_is_new():
    row = only_change([], [objects((0, 10))])
    assert row[:8] == ("new", set(), {0}, 0, 10, 0, 0, 10)


@pytest.mark.parametrize(
    ("left", "right", "detail"),
    [
        (objects((0, 10)), objects((0, 12)), "grown"),
        (objects((0, 10)), objects((0, 8)), "shrunk"),
        (objects((0, 10)), objects((2, 12)), "shifted"),
    ],
)
def test_a_cluster_that_changed_by_a_fifth_is_kept(left, right, detail):
    row = only_change([left], [right])
    assert (row.change, row.detail) == ("kept", detail)
    assert (row.gone, row.come) == (len(left - right), len(right - left))


BIG = [objects((100 * i, 100 * (i + 1))) for i in range(10)]


def test_a_cluster_whose_members_go_to_many_big_clusters_is_scattered():
    spread = objects((1000, 1010))
    bigger = [cluster | {1000 + i} for i, cluster in enumerate(BIG)]
    rows = changes([spread, *BIG], bigger, objects((0, 1010)))
    assert rows[0][:8] == ("scattered", {0}, set(), 10, 0, 0, 10, 0)
    assert [(row.change, row.detail, row.come) for row in rows[1:]] == [("kept", "grown", 1)] * 10
    back = changes(bigger, [spread, *BIG], objects((0, 1010)))
    assert back[-1][:8] == ("gathered", set(), {0}, 0, 10, 0, 0, 10)
    assert [(row.change, row.detail, row.gone) for row in back[:-1]] == [("kept", "shrunk", 1)] * 10


def test_half_of_the_objects_that_went_decide_between_dissolved_and_scattered():
    # Of 10 objects, one each goes to 5 or to 6 of the big clusters; the others are outliers.
    for n_spread, word in ((5, "dissolved"), (6, "scattered")):
        grown = [c | {1000 + i} if i < n_spread else c for i, c in enumerate(BIG)]
        row = changes([objects((1000, 1010)), *BIG], grown, objects((0, 1010)))[0]
        assert (row.change, row.right) == (word, frozenset())


def test_in_a_full_shuffle_left_clusters_are_scattered_and_right_ones_gathered():
    # Rows and columns of a square of 10 x 10 objects: each pair shares 1 of 10 objects. No pair
    # reaches one half, and there are no outliers.
    rows = [frozenset(10 * i + j for j in range(10)) for i in range(10)]
    columns = [frozenset(10 * i + j for i in range(10)) for j in range(10)]
    assert words(rows, columns, objects((0, 100))) == ["gathered"] * 10 + ["scattered"] * 10
    # All similarities are equal, so the first ones are partners: one object stays.
    assert partners(rows, columns) == {(0, 0)}
    assert moved(rows, columns, {(0, 0)}).keys() == set(range(1, 100))
    # 1/10 of a cluster reaches a threshold of 0.1, and everything is linked with everything.
    assert words(rows, columns, objects((0, 100)), threshold=0.1) == ["mixed"]


def test_a_shuffle_of_two_halves_is_mixed():
    # Each pair shares exactly one half, which reaches the threshold.
    left, right = (
        [objects((0, 4)), objects((4, 8))],
        [objects((0, 2), (4, 6)), objects((2, 4), (6, 8))],
    )
    assert words(left, right, objects((0, 8))) == ["mixed"]
    assert (
        words(left, right, objects((0, 8)), threshold=0.51) == ["gathered"] * 2 + ["scattered"] * 2
    )


def test_clusters_to_which_overlaps_are_added_are_grown():
    overlapping = [
        cluster | objects((100 * (i + 1), 100 * (i + 1) + 20)) for i, cluster in enumerate(BIG[:-1])
    ]
    rows = changes(BIG[:-1], overlapping, objects((0, 1000)))
    assert [(row.change, row.detail, row.come) for row in rows] == [("kept", "grown", 20)] * 9
    pairs = partners(BIG[:-1], overlapping)
    assert pairs == {(i, i) for i in range(9)}
    # The objects that are added to a cluster moved to it from nowhere: they stay in their own.
    assert moved(BIG[:-1], overlapping, pairs) == {
        item: (frozenset(), {i})
        for i in range(9)
        for item in range(100 * (i + 1), 100 * (i + 1) + 20)
    }


def test_a_cluster_added_across_clusters_that_stay_is_gathered():
    across = objects((50, 150))
    rows = changes(BIG, [*BIG, across], objects((0, 1000)))
    assert [row.change for row in rows] == ["same"] * 10 + ["gathered"]


def test_nested_clusters_do_not_drag_each_other_along():
    outer, inner = objects((0, 20)), objects((0, 8))
    rows = changes([outer, inner], [outer, objects((0, 7))], objects((0, 20)))
    assert [(row.change, row.detail) for row in rows] == [("same", None), ("kept", "shrunk")]


def test_an_object_that_changes_its_cluster_moves_from_one_to_the_other():
    left = [objects((0, 5)), objects((5, 10))]
    right = [objects((0, 4)), objects((4, 10))]
    assert moved(left, right, partners(left, right)) == {4: ({0}, {1})}


def test_objects_of_a_cluster_without_partner_move():
    left, right = [objects((0, 6)), objects((6, 10))], [objects((0, 10))]
    pairs = partners(left, right)
    assert pairs == {(0, 0)}
    assert moved(left, right, pairs) == {item: ({1}, {0}) for item in range(6, 10)}


def test_a_tenth_reaches_a_threshold_of_a_tenth():
    # As fractions it would not: the float 0.1 is more than 1/10.
    left = [objects((0, 10))]
    right = [objects((0, 1), (100, 120))]
    universe = objects((0, 120))
    assert changes(left, right, universe, threshold=0.1)[0].right == {0}
    assert changes(left, right, universe, threshold=0.11)[0].right == frozenset()


# Corner cases that follow from the definitions


def test_a_cluster_that_more_than_doubled_is_new():
    assert only_change([objects((0, 10))], [objects((0, 20))]).detail == "grown"
    row = only_change([objects((0, 10))], [objects((0, 21))])
    assert row[:8] == ("new", {0}, {0}, 10, 21, 10, 0, 11)


def test_an_object_that_gets_a_cluster_of_its_own_is_a_split():
    row = only_change([objects((0, 100))], [objects((0, 99)), objects((99, 100))])
    assert (row.change, row.right) == ("split", {0, 1})


def test_a_pair_of_objects_that_parts_joins_the_clusters_it_goes_to():
    # One of two objects is one half, which reaches the threshold in both clusters.
    pair = frozenset({1000, 1001})
    bigger = [BIG[0] | {1000}, BIG[1] | {1001}]
    universe = objects((0, 1002))
    assert words([*BIG[:2], pair], bigger, universe) == ["mixed"]
    assert words([*BIG[:2], pair], bigger, universe, threshold=0.51) == [
        "kept",
        "kept",
        "scattered",
    ]


def test_a_mixed_change_can_share_less_than_the_threshold_on_both_sides():
    # A chain: 100 - 10 - 10 - 100 objects, and each link is one half of a cluster of 10.
    left = [objects((0, 5), (100, 195)), objects((5, 15))]
    right = [objects((0, 10)), objects((10, 15), (200, 295))]
    (row,) = changes(left, right, objects((0, 295)))
    assert row[:8] == ("mixed", {0, 1}, {0, 1}, 110, 110, 15, 95, 95)


def test_parts_that_overlap_too_much_are_not_a_split():
    # The second part is measured by what the first, its whole's partner, does not hold: 20 of 80.
    rows = changes([objects((0, 100))], [objects((0, 80)), objects((20, 100))], objects((0, 100)))
    assert [row[:8] for row in rows] == [
        ("kept", {0}, {0}, 100, 80, 80, 20, 0),
        ("gathered", frozenset(), {1}, 0, 80, 0, 0, 80),
    ]
    # With parts of 60, it is 40 of 60.
    parts = [objects((0, 60)), objects((40, 100))]
    assert words([objects((0, 100))], parts, objects((0, 100))) == ["split"]


@pytest.mark.parametrize("threshold", [0.0, 0.5, 1.0])
def test_a_nested_cluster_that_vanishes_from_a_cluster_that_stays_is_scattered(threshold):
    left, right = [objects((0, 20)), objects((0, 8))], [objects((0, 20))]
    rows = changes(left, right, objects((0, 20)), threshold=threshold)
    assert [row.change for row in rows] == ["same", "scattered"]
    assert moved(left, right, partners(left, right)) == {
        item: ({1}, frozenset()) for item in range(8)
    }


# Losses by hand


def test_reasons_of_a_cluster_that_lost_and_won_objects():
    # Universe of 10. Left {0..5} and {6, 7}, outliers 8 and 9; right {0..3, 6, 8} and {4, 7},
    # outliers 5 and 9. All weight is on the left side, so only left clusters seek matches.
    left, right = [objects((0, 6)), objects((6, 8))], [objects((0, 4), (6, 7), (8, 9)), {4, 7}]
    right = [frozenset(cluster) for cluster in right]
    found = losses(left, right, objects((0, 10)), Options(balance=Fraction(1)))
    # {0..5} with {0..3, 6, 8}: weight 6/10, union of 8; 4 went to a cluster, 5 to the outliers, 6
    # came from a cluster, 8 from the outliers. {6, 7} with {4, 7}: weight 2/10, union of 3. The
    # outliers {8, 9} with {5, 9}: weight 2/10, union of 3.
    assert found == {
        "gone to clusters": Fraction(6, 80) + Fraction(2, 30),
        "gone to outliers": Fraction(6, 80),
        "come from clusters": Fraction(6, 80) + Fraction(2, 30),
        "come from outliers": Fraction(6, 80),
        "outliers": Fraction(4, 30),
        "no clusters": 0,
    }


@pytest.mark.parametrize(
    ("similarity", "expected"),
    [
        ("jaccard", {4: Fraction(1, 6), 5: Fraction(1, 6)}),
        ("f1", {4: Fraction(1, 10), 5: Fraction(1, 10)}),
        ("precision", {4: Fraction(1, 5)}),
        ("recall", {5: Fraction(1, 5)}),
    ],
)
def test_objects_are_charged_by_the_similarity(similarity, expected):
    left, right = [objects((0, 5))], [objects((0, 4), (5, 6))]
    options = Options(outliers=False, balance=Fraction(1), similarity=similarity)
    found = object_losses(left, right, objects((0, 6)), options)
    assert {item: loss for item, loss in found.items() if loss} == expected


def test_the_loss_of_a_side_without_clusters_is_spread_over_the_members_of_the_other():
    found = object_reasons([], [objects((0, 4))], objects((0, 5)), Options(outliers=False))
    assert found == {
        (item, reason): Fraction(1, 8)
        for item in range(4)
        for reason in ("no clusters", "come from outliers")
    }


def test_outliers_that_share_nothing_charge_both_sets():
    left, right = [objects((0, 2))], [objects((2, 4))]
    found = object_reasons(left, right, objects((0, 4)), Options(balance=Fraction(1)))
    assert found == {
        (0, "gone to outliers"): Fraction(1, 4),
        (1, "gone to outliers"): Fraction(1, 4),
        **{(item, "outliers"): Fraction(1, 8) for item in range(4)},
    }
