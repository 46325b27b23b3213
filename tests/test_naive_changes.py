"""The oracle of what changed: changes and losses that were made by hand."""

from fractions import Fraction

import pytest

from tests.naive_changes import (
    Options,
    changes,
    losses,
    moved,
    object_losses,
    object_reasons,
    partners,
)


def objects(*ranges):
    """Return one set of the integers of ranges: pairs of the first one and the end."""
    return frozenset(item for first, end in ranges for item in range(first, end))


REST = [objects((1000, 1050)), objects((1050, 1100))]
"""Clusters that stay as they are."""


def only_change(left, right):
    """Return the one change that is not 'same', between clusters beside `REST`."""
    rows = changes(left + REST, right + REST, objects((0, 1200)))
    assert sum(row.change == "same" for row in rows) == len(REST)
    (row,) = [row for row in rows if row.change != "same"]
    return row


WHOLE = [objects((0, 10))]
PARTS = [objects((0, 6)), objects((6, 10))]


def test_a_cluster_cut_in_two_is_a_split():
    row = only_change(WHOLE, PARTS)
    assert row[:8] == ("split", {0}, {0, 1}, 10, 10, 10, 0, 0)
    # Jaccard similarities are 6/10 for the left cluster, and 6/10 and 4/10 for the right ones.
    # A cluster's weight is half its share of the objects of the universe.
    assert row.loss == (10 * Fraction(4, 10) + 6 * Fraction(4, 10) + 4 * Fraction(6, 10)) / 2400


def test_objects_that_stay_carry_what_the_smaller_part_misses():
    options = Options(balance=Fraction(0))
    # The part of 6 (weight 6/10) charges the other 4 with 1/10 of its weight each, and the part of
    # 4 (weight 4/10) charges the other 6 in the same way. Both parts seek the left cluster.
    found = object_losses(WHOLE, PARTS, objects((0, 10)), options)
    assert [found[item] for item in range(10)] == [Fraction(4, 100)] * 6 + [Fraction(6, 100)] * 4
    assert losses(WHOLE, PARTS, objects((0, 10)), options)["gone to clusters"] == Fraction(48, 100)


def test_an_object_that_changes_its_cluster_moves_from_one_to_the_other():
    left = [objects((0, 5)), objects((5, 10))]
    right = [objects((0, 4)), objects((4, 10))]
    assert moved(left, right, partners(left, right)) == {4: ({0}, {1})}


def test_objects_of_a_cluster_without_partner_move():
    pairs = partners(PARTS, WHOLE)
    assert pairs == {(0, 0)}
    assert moved(PARTS, WHOLE, pairs) == {item: ({1}, {0}) for item in range(6, 10)}


@pytest.mark.parametrize(("threshold", "linked"), [(0.1, {0}), (0.11, set())])
def test_a_tenth_reaches_a_threshold_of_a_tenth(threshold, linked):
    # As fractions it would not: the float 0.1 is more than 1/10.
    right = [objects((0, 1), (100, 120))]
    assert changes(WHOLE, right, objects((0, 120)), threshold=threshold)[0].right == linked


# Corner cases that follow from the definitions


def test_a_cluster_that_more_than_doubled_is_new():
    assert only_change(WHOLE, [objects((0, 20))]).detail == "grown"
    row = only_change(WHOLE, [objects((0, 21))])
    assert row[:8] == ("new", {0}, {0}, 10, 21, 10, 0, 11)


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
    assert [row.change for row in changes([objects((0, 100))], parts, objects((0, 100)))] == [
        "split"
    ]


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
    left = [objects((0, 6)), objects((6, 8))]
    right = [objects((0, 4), (6, 7), (8, 9)), objects((4, 5), (7, 8))]
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
    ("similarity", "gone", "come"),
    [("jaccard", 6, 6), ("f1", 10, 10), ("precision", 5, None), ("recall", None, 5)],
)
def test_objects_are_charged_by_the_similarity_a_part_of_their_weight(similarity, gone, come):
    left, right = [objects((0, 5))], [objects((0, 4), (5, 6))]
    options = Options(outliers=False, balance=Fraction(1), similarity=similarity)
    found = object_losses(left, right, objects((0, 6)), options)
    expected = {item: Fraction(1, part) for item, part in ((4, gone), (5, come)) if part}
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
