"""The parameters of an ABCD graph: checks, default values and power laws."""

import math
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

import coverlap as cv
from paper.generate.checks import check_integer, check_number, check_share

MOST_EDGES = 10**9
"""Maximum number of edges: kernels number the ends of edges in 32 bits."""

CERTAIN = 30
"""An event with this expected number of occurrences practically always occurs."""


class PowerLaw(NamedTuple):
    """Integers from ``least`` to ``greatest``; x has a probability proportional to x**-exponent.

    ``cumulative`` holds the probability of x or less for each x; ``mean`` is the expected value.
    """

    least: int
    greatest: int
    cumulative: NDArray[np.float64]
    mean: float

    @classmethod
    def between(cls, least: int, greatest: int, exponent: float) -> Self:
        """Return the power law with given bounds and exponent."""
        values = np.arange(least, greatest + 1)
        with np.errstate(under="ignore"):
            weights = (values / least) ** -exponent
        total = float(weights.sum())
        return cls(least, greatest, np.cumsum(weights / total), float(values @ weights) / total)

    def probability_of_least(self, n: int) -> float:
        """Return the probability of the n least values together."""
        return float(self.cumulative[min(n, len(self.cumulative)) - 1]) if n > 0 else 0.0

    def draw(self, n: int, generator: np.random.Generator) -> NDArray[np.int64]:
        """Draw n independent values."""
        uniform = generator.random(n) * self.cumulative[-1]
        drawn: NDArray[np.int64] = np.searchsorted(self.cumulative, uniform, side="right")
        return drawn + self.least


class Parameters(NamedTuple):
    """Number of vertices, share of the background, and power laws of degrees and cluster sizes."""

    n_vertices: int
    xi: float
    degrees: PowerLaw
    sizes: PowerLaw

    @classmethod
    def checked(
        cls, n_vertices: Any, xi: Any, gamma: Any, degrees: Any, beta: Any, sizes: Any
    ) -> Self:
        """Check the arguments of `paper.generate.abcd_graph` and fill in default values.

        ``degrees`` and ``sizes`` are pairs (least, greatest); the greatest may be None.
        """
        n = check_integer("n_vertices", n_vertices, 2)
        xi = check_share("xi", xi)
        gamma, beta = check_number("gamma", gamma, 0), check_number("beta", beta, 0)
        least_degree = _check_bound("min_degree", degrees[0], 1, n - 1)
        _check_edges(n, least_degree)
        greatest_degree = _check_greatest("degree", degrees[1], least_degree, n - 1, math.isqrt(n))
        least_size = _check_bound("min_size", sizes[0], 2, n)
        enough = -(-n // (n // least_size))
        usual = max(int(n**0.767), enough)
        greatest_size = _check_greatest("size", sizes[1], least_size, n, usual)
        _check_sum(n, least_size, greatest_size)
        degree_law = PowerLaw.between(least_degree, greatest_degree, gamma)
        size_law = PowerLaw.between(least_size, greatest_size, beta)
        _check_edges(n, degree_law.mean)
        _check_fit(n, xi, degree_law, size_law)
        return cls(n, xi, degree_law, size_law)


def share_inside(xi: float, squared_shares: float) -> float:
    """Return the expected share of the edges of a vertex that stay in its cluster.

    ``squared_shares`` is the sum of the squared shares of the clusters in the vertices.
    """
    return 1 - xi * (1 - squared_shares)


def _check_fit(n: int, xi: float, degrees: PowerLaw, sizes: PowerLaw) -> None:
    """Reject degrees that do not fit into the clusters, or practically never do."""
    inside = share_inside(xi, 1 / (n // sizes.least))  # the least share: clusters of equal size
    values = np.arange(degrees.least, degrees.greatest + 1)
    n_fitting = int(np.count_nonzero(inside * values + 1 <= sizes.greatest))
    n_misfits = n * (1 - degrees.probability_of_least(n_fitting))
    if n_fitting == 0 or (n_fitting < len(values) and n_misfits > CERTAIN):
        degree = degrees.least + n_fitting
        raise cv.OptionError(
            f"vertices of degree {degree:,} need clusters of at least "
            f"{math.ceil(inside * degree + 1):,} vertices, but max_size is {sizes.greatest:,}; "
            f"lower {'max' if n_fitting else 'min'}_degree or raise max_size"
        )
    needed = math.ceil(inside * degrees.least + 1)
    n_too_small = n / sizes.mean * sizes.probability_of_least(needed - sizes.least)
    if n_too_small > CERTAIN:
        raise cv.OptionError(
            f"vertices of degree {degrees.least:,} need clusters of at least {needed:,} "
            f"vertices, but min_size is {sizes.least:,}; lower min_degree or raise min_size"
        )


def _check_edges(n: int, mean_degree: float) -> None:
    if n * mean_degree > 2 * MOST_EDGES:
        raise cv.OptionError(
            f"{n:,} vertices with a mean degree of at least {mean_degree:,.1f} have more than the "
            f"{MOST_EDGES:,} edges that can be drawn; lower n_vertices or the degrees"
        )


def _check_bound(name: str, value: Any, least: int, limit: int) -> int:
    number = check_integer(name, value, least)
    if number > limit:
        raise cv.OptionError(
            f"{name} must be at most {limit:,} with so few vertices, not {number:,}"
        )
    return number


def _check_greatest(what: str, value: Any, least: int, limit: int, usual: int) -> int:
    """Check the upper bound of degrees or sizes; None means the usual one within the limits."""
    if value is None:
        return min(max(usual, least), limit)
    number = _check_bound(f"max_{what}", value, 1, limit)
    if number < least:
        raise cv.OptionError(f"max_{what} must be at least min_{what}, {least:,}, not {number:,}")
    return number


def _check_sum(n: int, least: int, greatest: int) -> None:
    """Reject bounds within which no sizes add up to n."""
    most = n // least
    if most * greatest < n:
        raise cv.OptionError(
            f"no clusters of {least:,} to {greatest:,} vertices add up to {n:,}: {most:,} of them "
            f"have at most {most * greatest:,} and {most + 1:,} have at least "
            f"{(most + 1) * least:,}; lower min_size or raise max_size"
        )
