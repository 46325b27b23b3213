"""B-cubed: how far the companions of each object on one side are so on the other.

With overlaps this is the extended measure of Amigó and others: objects that share several
clusters on one side should share as many on the other.
"""

from math import fsum

import numpy as np

from coverlap.counting.counts import Counts


def bcubed_precision(counts: Counts) -> float:
    """Return the mean over objects of how far the right side's companions are the left side's."""
    return counts.once(_bcubed)[0]


def bcubed_recall(counts: Counts) -> float:
    """Return the mean over objects of how far the left side's companions are the right side's."""
    return counts.once(_bcubed)[1]


def bcubed_f1(counts: Counts) -> float:
    """Return the harmonic mean of precision and recall."""
    precision, recall = counts.once(_bcubed)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _bcubed(counts: Counts) -> tuple[float, float]:
    if counts.n_objects == 0:
        return 1.0, 1.0
    if any(counts.overlapping):
        return counts.bcubed
    table = counts.contingency
    shared = table.shared.astype(np.float64)
    of_left = shared / table.left_sizes[table.rows()]
    of_right = shared / table.right_sizes[table.columns]
    return (
        fsum((shared * of_right).tolist()) / table.n_objects,
        fsum((shared * of_left).tolist()) / table.n_objects,
    )
