"""Counts: the shortcut for small labels, and no dependence on the order of calls."""

import numpy as np
import pytest

import coverlap as cv
from coverlap.counting.counts import counts_of, small_labels
from tests import naive

LEFT, RIGHT = [0, 0, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 2, 2]
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", ">i4"]


def clusters(labels):
    return [{i for i, label in enumerate(labels) if label == name} for name in set(labels)]


@pytest.mark.parametrize("threads", [None, 1, 2])
@pytest.mark.parametrize("dtype", INTEGERS)
def test_every_integer_type_gives_the_score_of_the_definition(dtype, threads):
    sides = np.array(LEFT, dtype), np.array(RIGHT, dtype)
    assert small_labels(*sides) is not None
    score = cv.fstar_score(*sides, threads=threads)
    assert score == cv.score(*sides, "fstar_wo", threads=threads)
    assert score == cv.compare(*sides, threads=threads).score
    assert score == cv.fstar_score(LEFT, RIGHT)
    assert score == pytest.approx(float(naive.fstar(clusters(LEFT), clusters(RIGHT), range(7))))


def test_labels_too_large_for_codes_are_coded_first():
    left, right = np.array([10**12, 10**12, 5]), np.array([2**63 + 1, 7, 7], np.uint64)
    assert cv.fstar_score(left, right) == cv.fstar_score([0, 0, 1], [0, 1, 1])


def test_pairs_and_bcubed_are_the_same_in_any_order():
    sides = [{0, 1, 2}, {2, 3}, {3, 4, 5}], [{0, 1}, {1, 2, 3}, {4, 5}]
    alone, after, together = (
        counts_of(*sides),
        counts_of(*sides),
        counts_of(*sides, with_bcubed=True),
    )
    bcubed = after.bcubed
    assert after.pair_counts == alone.pair_counts == together.pair_counts
    assert together.bcubed == alone.bcubed == bcubed
