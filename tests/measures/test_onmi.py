"""Overlapping NMI keeps its digits, ties never count, and tables of entropies change nothing."""

from decimal import localcontext

import numpy as np
import pytest

import coverlap as cv
from coverlap.core.incidence import frozen
from coverlap.counting.contingency import Contingency
from coverlap.counting.counts import counts_of
from coverlap.measures import onmi as module
from coverlap.measures.onmi import entropies, onmi
from tests import naive_information as info
from tests.measures.examples import TableCounts, covers, over
from tests.naive_measures import MEASURES

NORMALIZATIONS = [name[5:] for name in MEASURES if name.startswith("onmi")]


def one_pair(own, other, shared, n):
    """Return counts of two clusters of the given sizes."""
    return TableCounts(Contingency(
        frozen(np.array([0, 1])), frozen(np.array([0], np.uint32)),
        frozen(np.array([shared], np.uint64)), frozen(np.array([own])),
        frozen(np.array([other])), n,
    ))  # fmt: skip


def scores(counts, variant="definition"):
    return {name: onmi(counts, normalization=name, variant=variant) for name in NORMALIZATIONS}


def entropy(*counts):
    return sum(info.h(count, sum(counts)) for count in counts)


def test_entropies_are_in_bits():
    found = entropies(counts_of(over([{0, 1}], 4), over([{0, 1}, {2}], 4)))
    assert found.left == 1.0
    assert found.right == pytest.approx(1 + 2 - 0.75 * np.log2(3), rel=1e-15, abs=0)
    assert found.left_given_right == 0.0


def test_the_tables_of_entropies_change_no_bit(monkeypatch):
    drawn = [
        (over(left, n), over(right, n)) for _, n, left, right in covers(2, 150, max_objects=40)
    ]
    long = [scores(counts_of(*sides)) for sides in drawn]
    for longest in (1, 4):
        monkeypatch.setattr(module, "LONGEST_TABLE", longest)
        assert [scores(counts_of(*sides)) for sides in drawn] == long


# Special cases


def test_a_cluster_of_all_objects_on_both_sides_is_unknown_to_the_program_of_mcdaid():
    sides = [{0, 1, 2, 3}, {0, 1}], [{0, 1}, {0, 1, 2, 3}]
    assert cv.score(*sides, "onmi_lfk", variant="mcdaid") == 0.5


def test_one_cluster_of_a_partition_has_all_the_information_that_min_asks_for():
    ten = [set(range(10 * i, 10 * i + 10)) for i in range(10)]
    assert cv.score(ten[:1], ten, "onmi_min") == 1.0


def test_disjoint_clusters_of_at_most_half_the_objects_never_count():
    for n in range(1, 81):
        for b in range(1, n // 2 + 1):
            for c in range(b, min(n // 2, n - b) + 1):
                assert not info.informative((n - b - c, b, c, 0), n)


# Ties


@pytest.mark.parametrize(
    ("a", "b", "c", "d"),
    [(4, 2, 1, 1), (1, 2, 1, 4), (24, 16, 7, 7), (7, 16, 7, 24), (216, 162, 67, 67)],
)
def test_ties_of_dependent_clusters_do_not_count(a, b, c, d):
    n = a + b + c + d
    assert not info.informative((a, b, c, d), n)
    assert not info.informative((b, a, d, c), n)
    assert a * d != b * c
    for times in (*range(1, 60), 10**15, 2**52):  # each is rounded differently
        counts = one_pair((c + d) * times, (b + d) * times, d * times, n * times)
        assert set(scores(counts).values()) == {0.0}


def test_a_pair_counts_only_if_floats_can_tell_it_from_a_tie():
    assert info.informative((4 * 2**10 + 1, 2 * 2**10 - 1, 2**10, 2**10), 2**13)
    for m, does_count in ((2**10, True), (2**30, True), (2**57, False)):
        # (4m, 2m, m, m) is a tie, which one object more or less resolves
        for shift, expected in ((1, does_count), (0, False), (-1, False)):
            found = scores(one_pair(2 * m, 3 * m - shift, m, 8 * m))
            assert (found["mgh"] > 0) is expected


# Large universes


def test_entropies_keep_their_digits_in_a_large_universe():
    n, own, other, shared = 2**62, 1000, 900, 800
    with localcontext(prec=60):
        joint = entropy(n - own - other + shared, other - shared, own - shared, shared)
        left, right = entropy(own, n - own), entropy(other, n - other)
        expected = float((left + right - joint) / max(left, right))
        unknown = float(((joint - right) / left + (joint - left) / right) / 2)
    found = scores(one_pair(own, other, shared, n))
    assert found["mgh"] == pytest.approx(expected, rel=1e-14, abs=0)
    assert found["lfk"] == pytest.approx(1 - unknown, rel=1e-14, abs=0)


def test_a_tiny_cluster_keeps_its_digits_beside_a_huge_one():
    n, huge = 10**12, 6 * 10**11
    with localcontext(prec=60):
        joint = entropy(n - huge, huge - 1, 1)
        expected = float((joint - entropy(huge, n - huge)) / entropy(1, n - 1))
    found = entropies(one_pair(1, huge, 1, n))
    assert found.left_unknown == pytest.approx(expected, rel=1e-14, abs=0)
