"""Measures that ask how much of each cluster is one cluster of the other side."""

import numpy as np

from coverlap.counting.contingency import Contingency
from coverlap.measures.pair_counting import ratio


def purity(table: Contingency) -> float:
    """Return the share of objects that belong to the main left cluster of their right cluster."""
    return ratio(_largest_shared(table)[1], table.n_objects)


def split_join(table: Contingency) -> float:
    """Return how many objects must move to turn either partition into their common refinement.

    This is van Dongen's distance: 2n minus the largest shared counts of all clusters.
    """
    return float(2 * table.n_objects - sum(_largest_shared(table)))


def exact_precision(table: Contingency) -> float:
    """Return the share of the right clusters that the left side has, member for member."""
    n_left, n_right = len(table.left_sizes), len(table.right_sizes)
    return ratio(table.n_equal_clusters(), n_right, float(n_left == 0))


def exact_recall(table: Contingency) -> float:
    """Return the share of the left clusters that the right side has, member for member."""
    n_left, n_right = len(table.left_sizes), len(table.right_sizes)
    return ratio(table.n_equal_clusters(), n_left, float(n_right == 0))


def exact_f1(table: Contingency) -> float:
    """Return the harmonic mean of the two shares."""
    return ratio(2 * table.n_equal_clusters(), len(table.left_sizes) + len(table.right_sizes))


def _largest_shared(table: Contingency) -> tuple[int, int]:
    """Add up the largest shared count of each left cluster, and of each right one."""
    left = np.zeros(len(table.left_sizes), np.int64)
    right = np.zeros(len(table.right_sizes), np.int64)
    np.maximum.at(left, table.rows(), table.shared)
    np.maximum.at(right, table.columns, table.shared)
    return int(left.sum()), int(right.sum())
