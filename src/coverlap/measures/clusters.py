"""Measures that compare each cluster with single clusters of the other side."""

import numpy as np

from coverlap.counting.contingency import Contingency
from coverlap.counting.counts import Counts
from coverlap.measures.pair_counting import ratio


def purity(counts: Counts) -> float:
    """Return the share of objects in the left cluster that is most frequent in their right one."""
    _, n_right = _sums_of_largest_shared(counts.contingency)
    return ratio(n_right, counts.n_objects)


def split_join(counts: Counts) -> float:
    """Return how many objects have to move to turn both partitions into their common refinement.

    This is van Dongen's distance: 2n minus the sum, over the clusters of both sides, of the largest
    number of objects shared with one cluster of the other side.
    """
    return float(2 * counts.n_objects - sum(_sums_of_largest_shared(counts.contingency)))


def exact_precision(counts: Counts) -> float:
    """Return the share of the right clusters that are left clusters too."""
    table = counts.contingency
    n_left, n_right = len(table.left_sizes), len(table.right_sizes)
    return ratio(table.n_equal_clusters(), n_right, float(n_left == 0))


def exact_recall(counts: Counts) -> float:
    """Return the share of the left clusters that are right clusters too."""
    table = counts.contingency
    n_left, n_right = len(table.left_sizes), len(table.right_sizes)
    return ratio(table.n_equal_clusters(), n_left, float(n_right == 0))


def exact_f1(counts: Counts) -> float:
    """Return the harmonic mean of `exact_precision` and `exact_recall`."""
    table = counts.contingency
    return ratio(2 * table.n_equal_clusters(), len(table.left_sizes) + len(table.right_sizes))


def _sums_of_largest_shared(table: Contingency) -> tuple[int, int]:
    """Return the sum of the largest shared counts of the left clusters, and of the right ones."""
    left = np.zeros(len(table.left_sizes), np.int64)
    right = np.zeros(len(table.right_sizes), np.int64)
    np.maximum.at(left, table.rows(), table.shared)
    np.maximum.at(right, table.columns, table.shared)
    return int(left.sum()), int(right.sum())
