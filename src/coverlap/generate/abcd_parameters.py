"""What the parameters of an ABCD graph may be, alone and together."""

import math
from typing import Any, NamedTuple, Self

import numpy as np

from coverlap.core.checks import check_integer, check_number, check_share
from coverlap.core.errors import OptionError
from coverlap.generate.power_laws import PowerLaw

MOST_EDGES = 10**9
"""The kernels number the ends of edges in 32 bits, with some to spare."""

SURE = 30
"""What is expected this often practically never fails to happen."""


class Parameters(NamedTuple):
    """The number of vertices, the share in the background, and the laws of degrees and sizes."""

    n_vertices: int
    xi: float
    degrees: PowerLaw
    sizes: PowerLaw

    @classmethod
    def checked(
        cls, n_vertices: Any, xi: Any, gamma: Any, degrees: Any, beta: Any, sizes: Any
    ) -> Self:
        """Check what `coverlap.generate.abcd_graph` was given, and fill in what it was not.

        ``degrees`` and ``sizes`` are the least and the greatest one, which may be None.
        """
        n = check_integer("n_vertices", n_vertices, 2)
        xi = check_share("xi", xi)
        gamma, beta = check_number("gamma", gamma, 0), check_number("beta", beta, 0)
        least_degree = _check_least("min_degree", degrees[0], 1, n - 1)
        _check_edges(n, least_degree)
        greatest_degree = _check_greatest("degree", degrees[1], least_degree, n - 1, math.isqrt(n))
        least_size = _check_least("min_size", sizes[0], 2, n)
        enough = -(-n // (n // least_size))
        usual = max(int(n**0.767), enough)
        greatest_size = _check_greatest("size", sizes[1], least_size, n, usual)
        _check_sum(n, least_size, greatest_size)
        made = cls(
            n, xi, PowerLaw.between(least_degree, greatest_degree, gamma),
            PowerLaw.between(least_size, greatest_size, beta),
        )  # fmt: skip
        _check_edges(n, made.degrees.mean)
        made._check_room()
        return made

    def _check_room(self) -> None:
        """Refuse degrees and sizes that cannot fit, and those that practically never do."""
        n, xi, degrees, sizes = self
        inside = share_inside(xi, 1 / (n // sizes.least))  # clusters of equal size need least room
        n_fitting = int(np.count_nonzero(inside * degrees.values + 1 <= sizes.greatest))
        n_misfits = n * (1 - degrees.chance_of_least(n_fitting))
        if n_fitting == 0 or (n_fitting < len(degrees.values) and n_misfits > SURE):
            degree = degrees.least + n_fitting
            raise OptionError(
                f"vertices of degree {degree:,} need clusters of at least "
                f"{math.ceil(inside * degree + 1):,} vertices, but max_size is {sizes.greatest:,}; "
                f"lower {'max' if n_fitting else 'min'}_degree or raise max_size"
            )
        needed = math.ceil(inside * degrees.least + 1)
        n_useless = n / sizes.mean * sizes.chance_of_least(needed - sizes.least)
        if n_useless > SURE:
            raise OptionError(
                f"vertices of degree {degrees.least:,} need clusters of at least {needed:,} "
                f"vertices, but min_size is {sizes.least:,}; lower min_degree or raise min_size"
            )


def _check_edges(n: int, mean_degree: float) -> None:
    if n * mean_degree > 2 * MOST_EDGES:
        raise OptionError(
            f"{n:,} vertices with a mean degree of at least {mean_degree:,.1f} have more than the "
            f"{MOST_EDGES:,} edges that can be drawn; lower n_vertices or the degrees"
        )


def share_inside(xi: float, squared_shares: float) -> float:
    """Return the expected share of the edges of a vertex that stay in its cluster.

    ``squared_shares`` is the sum of the squared shares of the clusters in the vertices.
    """
    return 1 - xi * (1 - squared_shares)


def _check_least(name: str, value: Any, least: int, limit: int) -> int:
    number = check_integer(name, value, least)
    if number > limit:
        raise OptionError(f"{name} must be at most {limit:,} with so few vertices, not {number:,}")
    return number


def _check_greatest(what: str, value: Any, least: int, limit: int, usual: int) -> int:
    """Check the upper bound of degrees or sizes; None stands for the usual one, where it can be."""
    if value is None:
        return min(max(usual, least), limit)
    number = _check_least(f"max_{what}", value, 1, limit)
    if number < least:
        raise OptionError(f"max_{what} must be at least min_{what}, {least:,}, not {number:,}")
    return number


def _check_sum(n: int, least: int, greatest: int) -> None:
    """Refuse sizes of which no number adds up to n."""
    most = n // least
    if most * greatest < n:
        raise OptionError(
            f"no clusters of {least:,} to {greatest:,} vertices add up to {n:,}: {most:,} of them "
            f"have at most {most * greatest:,} and {most + 1:,} have at least "
            f"{(most + 1) * least:,}; lower min_size or raise max_size"
        )
