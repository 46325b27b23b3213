"""B-cubed: the share of an object's cluster that is also in its cluster of the other side.

If clusters overlap, this is the extended measure of Amigó and others: objects that share several
clusters on one side should share equally many on the other.
"""

from math import fsum

import numpy as np

from coverlap.counting.contingency import BCubed
from coverlap.counting.counts import Counts


def bcubed_precision(counts: Counts) -> float:
    """Return the mean share of an object's right cluster that is in its left cluster too."""
    return counts.once(_bcubed).precision


def bcubed_recall(counts: Counts) -> float:
    """Return the mean share of an object's left cluster that is in its right cluster too."""
    return counts.once(_bcubed).recall


def bcubed_f1(counts: Counts) -> float:
    """Return the harmonic mean of precision and recall."""
    precision, recall = bcubed_precision(counts), bcubed_recall(counts)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _bcubed(counts: Counts) -> BCubed:
    if counts.n_objects == 0:
        return BCubed(precision=1.0, recall=1.0)
    if any(counts.overlapping):
        return counts.bcubed
    table = counts.contingency
    shared = table.shared.astype(np.float64)
    of_left = shared / table.left_sizes[table.rows()]
    of_right = shared / table.right_sizes[table.columns]
    return BCubed(
        precision=fsum((shared * of_right).tolist()) / table.n_objects,
        recall=fsum((shared * of_left).tolist()) / table.n_objects,
    )
