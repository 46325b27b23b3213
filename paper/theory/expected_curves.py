"""Theorem D in floats: the values that the curves of scenarios 1 and 3 are expected to have.

Numbers of objects that a random set shares with disjoint clusters are independent binomial
numbers, given their sum. All terms are positive, so rounding errors stay small.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import comb

import numpy as np

from paper.experiments.experiment import Floats
from paper.experiments.scenarios import N_OBJECTS
from paper.results.stored import stored_curves
from paper.theory.check import NOT_STATED, Check


def binomial(n: int, share: float, most: int) -> Floats:
    """Return the probabilities of 0, 1, ..., `most` successes of n."""
    return np.array([comb(n, i) * share**i * (1 - share) ** (n - i) for i in range(most + 1)])


def power(series: Floats, exponent: int) -> Floats:
    """Raise a polynomial to a power, and keep as many coefficients as it has."""
    result = np.zeros_like(series)
    result[0] = 1
    while exponent:
        if exponent % 2:
            result = np.convolve(result, series)[: len(series)]
        series = np.convolve(series, series)[: len(series)]
        exponent //= 2
    return result


def expected_best(own: int, sizes: Sequence[int], n: int) -> float:
    """Return the expected similarity of a random set of `own` < n objects to its best match."""
    numbers = Counter(sizes)
    share = own / n
    rest = binomial(n - sum(sizes), share, own)
    chances = {size: binomial(size, share, own) for size in numbers}
    at_sum = binomial(n, share, own)[own]
    values = sorted({i / (own + size - i) for size in numbers for i in range(min(own, size) + 1)})
    expected = 0.0
    for low, high in pairwise(values):
        below = rest
        for size, number in numbers.items():
            shared = np.arange(own + 1)
            similar = shared / (own + size - np.minimum(shared, size))
            allowed = np.where(similar <= low, chances[size], 0)
            below = np.convolve(below, power(allowed, number))[: own + 1]
        expected += (high - low) * (1 - float(below[own] / at_sum))
    return expected


def expected_score(left: Sequence[int], right: Sequence[int], n: int) -> float:
    """Return the expected F*_wo of two partitions of n objects, from their sizes of clusters."""
    return sum(
        number * size / n * expected_best(size, others, n) / 2
        for own, others in ((left, right), (right, left))
        for size, number in Counter(own).items()
    )


def equal_sizes(n: int, n_clusters: int) -> list[int]:
    """Return the sizes of a partition into clusters of equal size, up to one object."""
    size, larger = divmod(n, n_clusters)
    return [size + 1] * larger + [size] * (n_clusters - larger)


def quotients() -> Floats:
    """Return the differences of the authors' means of scenario 3, in their standard errors.

    The last mean does not vary.
    """
    stored = stored_curves()["number", "fstar_wo"]
    given = equal_sizes(N_OBJECTS, 8)
    expected = [expected_score(given, equal_sizes(N_OBJECTS, int(k)), N_OBJECTS) for k in stored.x]
    errors = stored.sds[:-1] / np.sqrt(stored.counts[:-1] - 1)
    differences: Floats = stored.means[:-1] - expected[:-1]
    return differences / errors


def check_expected_curves() -> list[Check]:
    """Check that the authors' means of scenarios 1 and 3 agree with the expectation."""
    expected = expected_score([32] * 32, [32] * 32, N_OBJECTS)
    stored = stored_curves()["shuffle", "fstar_wo"]
    mean, error = stored.means[-1], stored.sds[-1] / (stored.counts[-1] - 1) ** 0.5
    z = quotients()
    rms = float(np.sqrt(np.mean(z**2)))
    return [
        Check(
            "Theorem D, scenarios 1 and 3",
            "The authors' curves of scenarios 1 (its end) and 3 have the expected values.",
            NOT_STATED, abs(mean - expected) < 3 * error and rms < 1.4,
            f"scenario 1: {expected:.6f}, and the authors' mean {mean:.6f} is "
            f"{abs(mean - expected) / error:.2f} standard errors away; scenario 3: {rms:.2f} (root "
            f"mean square) and at most {float(np.abs(z).max()):.2f} standard errors at {len(z)} "
            "points",
        )
    ]  # fmt: skip
