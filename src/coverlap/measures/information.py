"""Mutual information of two partitions, and the measures derived from it.

These are defined for partitions only: each object is in exactly one cluster of each side. Entropies
are in nats.
"""

from collections.abc import Callable
from math import sqrt
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.checks import check_number
from coverlap.core.incidence import frozen
from coverlap.core.threads import number_of_threads, workers
from coverlap.counting.counts import Counts

Mean = Literal["mean", "sqrt", "min", "max"]
"""Arithmetic mean, geometric mean, minimum or maximum of two entropies."""

MeanOrJoint = Literal[Mean, "joint"]
"""A mean of two entropies, or the entropy of both partitions together."""

UNITS = 2**86
"""The kernels return each sum as two integers, in units of 2**-56 and 2**-86."""


class Information(NamedTuple):
    """Entropies of two partitions in nats, and how the partitions are related.

    ``left_given_right`` is the conditional entropy of the left partition if the right one is known.
    ``constant`` is true if a side has only one cluster or only singletons. The mutual information
    is then the same for all permutations of the objects.
    """

    left: float
    right: float
    mutual: float
    left_given_right: float
    right_given_left: float
    equal: bool
    constant: bool


def information(counts: Counts) -> Information:
    """Compute the entropies and the mutual information of two partitions.

    If one partition refines the other, the mutual information is exactly the entropy of the coarser
    one.
    """
    table = counts.contingency
    left, right, n_objects = table.left_sizes, table.right_sizes, table.n_objects
    if n_objects == 0:
        return Information(0.0, 0.0, 0.0, 0.0, 0.0, equal=True, constant=True)
    entropies = np.zeros((2, 2), np.int64)
    _kernels.information.entropy(n_objects, left, entropies, 0)
    _kernels.information.entropy(n_objects, right, entropies, 1)
    with workers(number_of_threads(counts.threads, len(table.shared), 1)) as team:
        pointers, sizes = team.balanced_slices(table.pointers, left)
        sums = np.zeros((team.threads, 3, 2), np.int64)
        team.run(
            _kernels.information.cells, pointers, table.columns, table.shared, sizes, right,
            n_objects, list(sums),
        )  # fmt: skip
    of_left, of_right = map(_nearest_float, entropies)
    mutual, left_given_right, right_given_left = map(_nearest_float, sums.sum(axis=0))
    mutual = min(max(mutual, 0.0), of_left, of_right)
    n_cells = len(table.shared)
    right_refines_left, left_refines_right = n_cells == len(right), n_cells == len(left)
    if right_refines_left:
        mutual = of_left
    elif left_refines_right:
        mutual = of_right
    return Information(
        left=of_left,
        right=of_right,
        mutual=mutual,
        left_given_right=left_given_right,
        right_given_left=right_given_left,
        equal=right_refines_left and left_refines_right,
        constant=any(len(side) in {1, n_objects} for side in (left, right)),
    )


def expected_mutual_information(counts: Counts) -> float:
    """Compute the mean mutual information over all permutations of the objects of one side.

    The clusters keep their sizes. The sum is over pairs of different sizes, and these are few: k
    different sizes require at least k * (k + 1) / 2 objects.
    """
    table = counts.contingency
    if table.n_objects == 0:
        return 0.0
    sizes = np.union1d(table.left_sizes, table.right_sizes)
    n_clusters = [
        frozen(np.bincount(np.searchsorted(sizes, side), minlength=len(sizes)))
        for side in (table.left_sizes, table.right_sizes)
    ]
    with workers(number_of_threads(counts.threads, 8 * len(sizes) ** 2, len(sizes))) as team:
        sums = [np.zeros((1, 2), np.int64) for _ in range(team.threads)]
        team.run(
            _kernels.information.expected, list(range(team.threads)), team.threads,
            frozen(sizes), *n_clusters, table.n_objects, sums,
        )  # fmt: skip
    return _nearest_float(sum(sums[1:], sums[0])[0])


def _nearest_float(pieces: NDArray[np.int64]) -> float:
    """Convert a sum of a kernel to the nearest float."""
    high, low = pieces.tolist()
    return float(((high << 30) + low) / UNITS)


def mutual_information(counts: Counts) -> float:
    """Return the mutual information in nats."""
    return counts.once(information).mutual


def variation_of_information(counts: Counts) -> float:
    """Return the sum of the two conditional entropies, in nats."""
    known = counts.once(information)
    return known.left_given_right + known.right_given_left


def nmi(counts: Counts, *, mean: MeanOrJoint = "mean") -> float:
    """Return the mutual information divided by a mean of the two entropies.

    Two partitions into one cluster each, and partitions of no objects, score 1.0. Other partitions
    without mutual information score 0.0.
    """
    known = counts.once(information)
    if known.equal:
        return 1.0
    if known.mutual == 0:
        return 0.0
    if mean == "joint":
        return known.mutual / (known.mutual + (known.left_given_right + known.right_given_left))
    return known.mutual / MEANS[mean](known.left, known.right)


def ami(counts: Counts, *, mean: Mean = "mean") -> float:
    """Return the mutual information adjusted for chance, (mutual - expected) / (mean - expected).

    Permuted objects score 0 on average. Equal partitions score 1.0. Other partitions score 0.0 if
    the mutual information is the same for all permutations.
    """
    known = counts.once(information)
    if known.equal:
        return 1.0
    if known.constant:
        return 0.0
    expected = counts.once(expected_mutual_information)
    return (known.mutual - expected) / (MEANS[mean](known.left, known.right) - expected)


def homogeneity(counts: Counts) -> float:
    """Return mutual information / left entropy; 1.0 if that entropy is 0."""
    known = counts.once(information)
    return known.mutual / known.left if known.left else 1.0


def completeness(counts: Counts) -> float:
    """Return mutual information / right entropy; 1.0 if that entropy is 0."""
    known = counts.once(information)
    return known.mutual / known.right if known.right else 1.0


def v_measure(counts: Counts, *, beta: float = 1.0) -> float:
    """Return the harmonic mean of homogeneity, with weight 1, and completeness, with weight beta.

    If one of them is 0, the mean is 0.
    """
    beta = check_number("beta", beta, 0)
    homogeneous, complete = homogeneity(counts), completeness(counts)
    both = (1 + beta) * homogeneous * complete
    return both / (beta * homogeneous + complete) if both else 0.0


MEANS: dict[Mean, Callable[[float, float], float]] = {
    "mean": lambda left, right: (left + right) / 2,
    "sqrt": lambda left, right: sqrt(left * right),
    "min": min,
    "max": max,
}
