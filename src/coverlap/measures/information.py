"""Mutual information of two partitions, and the scores made of it.

For partitions only: every object is in exactly one cluster on each side. Entropies are in nats.
"""

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import frozen
from coverlap.core.threads import number_of_threads, workers
from coverlap.counting.contingency import Contingency

LOWEST = 2**86
"""The sums of the kernels are in units of 2**-56 and 2**-86."""


class Information(NamedTuple):
    """What the scores are made of: entropies in nats, and how the two partitions are related.

    ``constant`` says that a side has only one cluster or only singletons, so that the mutual
    information is the same for every way to shuffle the objects.
    """

    left: float
    right: float
    mutual: float
    left_given_right: float
    right_given_left: float
    equal: bool
    constant: bool


def information(contingency: Contingency) -> Information:
    """Compute the entropies and the mutual information of two partitions.

    Where one partition refines the other, the mutual information is the entropy of the coarser one,
    to the last bit.
    """
    pointers, columns, shared, left, right, n_objects = contingency[:6]
    if n_objects == 0:
        return Information(0.0, 0.0, 0.0, 0.0, 0.0, equal=True, constant=True)
    entropies = np.zeros((2, 2), np.int64)
    _kernels.information.entropy(n_objects, left, entropies, 0)
    _kernels.information.entropy(n_objects, right, entropies, 1)
    of_left, of_right = map(_value, entropies)
    sums = np.zeros((3, 2), np.int64)
    _kernels.information.cells(pointers, columns, shared, left, right, n_objects, sums)
    mutual, left_given_right, right_given_left = map(_value, sums)
    mutual = min(max(mutual, 0.0), of_left, of_right)
    refines = len(shared) == len(right), len(shared) == len(left)
    if any(refines):
        mutual = of_left if refines[0] else of_right
    constant = any(len(side) in {1, n_objects} for side in (left, right))
    return Information(
        of_left, of_right, mutual, left_given_right, right_given_left, all(refines), constant
    )


def _value(pieces: NDArray[np.int64]) -> float:
    """Turn a sum in two integers into the nearest float."""
    high, low = pieces.tolist()
    return float(((high << 30) + low) / LOWEST)


def expected_mutual_information(contingency: Contingency, threads: int | None = None) -> float:
    """Compute the mutual information to expect if the objects of one side are shuffled.

    The clusters keep their sizes. The sum runs over pairs of different sizes, of which there are
    few: k different sizes take at least k * (k + 1) / 2 objects.
    """
    left, right, n_objects = contingency[3:6]
    if n_objects == 0:
        return 0.0
    sizes = np.union1d(left, right)
    numbers = [frozen(np.bincount(np.searchsorted(sizes, side), minlength=len(sizes)))
               for side in (left, right)]  # fmt: skip
    with workers(number_of_threads(threads, 8 * len(sizes) ** 2, len(sizes))) as team:
        sums = [np.zeros((1, 2), np.int64) for _ in range(team.threads)]
        team.run(
            _kernels.information.expected, list(range(team.threads)), team.threads,
            frozen(sizes), *numbers, n_objects, sums,
        )  # fmt: skip
    return _value(sum(sums[1:], sums[0])[0])


def mutual_information(information: Information) -> float:
    """Return the mutual information in nats."""
    return information.mutual


def variation_of_information(information: Information) -> float:
    """Return the entropy that is left when only the other side is known, both ways, in nats."""
    return information.left_given_right + information.right_given_left


def nmi(information: Information, mean: str = "mean") -> float:
    """Divide the mutual information by a mean of the two entropies.

    Two partitions of one cluster each, or of no objects, score 1.0; without mutual information the
    score is 0.0.

    Parameters
    ----------
    information : Information
    mean : {"mean", "sqrt", "min", "max", "joint"}
        Of the two entropies; ``"joint"`` is the entropy of both partitions together.
    """
    if information.equal:
        return 1.0
    if information.mutual == 0:
        return 0.0
    return information.mutual / MEANS[mean](information)


def ami(information: Information, expected: float, mean: str = "mean") -> float:
    """Adjust the mutual information for chance: 0 is what shuffled objects score on average.

    Equal partitions score 1.0. If the mutual information is the same however the objects are
    shuffled, other partitions score 0.0.

    Parameters
    ----------
    information : Information
    expected : float
        See `expected_mutual_information`.
    mean : {"mean", "sqrt", "min", "max"}
        Of the two entropies.
    """
    if information.equal:
        return 1.0
    if information.constant:
        return 0.0
    return (information.mutual - expected) / (MEANS[mean](information) - expected)


def homogeneity(information: Information) -> float:
    """Return the share of the left entropy that the right side explains; 1.0 if there is none."""
    return information.mutual / information.left if information.left else 1.0


def completeness(information: Information) -> float:
    """Return the share of the right entropy that the left side explains; 1.0 if there is none."""
    return information.mutual / information.right if information.right else 1.0


def v_measure(information: Information) -> float:
    """Return the harmonic mean of homogeneity and completeness."""
    homogeneous, complete = homogeneity(information), completeness(information)
    both = homogeneous + complete
    return 2 * homogeneous * complete / both if both else 0.0


MEANS: dict[str, Callable[[Information], float]] = {
    "mean": lambda i: (i.left + i.right) / 2,
    "sqrt": lambda i: sqrt(i.left * i.right),
    "min": lambda i: min(i.left, i.right),
    "max": lambda i: max(i.left, i.right),
    "joint": lambda i: i.mutual + (i.left_given_right + i.right_given_left),
}
"""What to divide the mutual information by."""
