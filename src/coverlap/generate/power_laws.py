"""Whole numbers that follow a power law between two bounds."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray


class PowerLaw(NamedTuple):
    """The whole numbers from a least to a greatest one, x with a chance proportional to x**-e.

    ``reached`` holds the chance of x or less for each x, ``mean`` is the mean of the numbers.
    """

    least: int
    greatest: int
    reached: NDArray[np.float64]
    mean: float

    @classmethod
    def between(cls, least: int, greatest: int, exponent: float) -> Self:
        """Make the law with a given exponent."""
        values = np.arange(least, greatest + 1)
        with np.errstate(under="ignore"):
            weights = (values / least) ** -exponent
        total = float(weights.sum())
        return cls(least, greatest, np.cumsum(weights / total), float(values @ weights) / total)

    @property
    def values(self) -> NDArray[np.int64]:
        """The numbers that can be drawn."""
        return np.arange(self.least, self.greatest + 1)

    def chance_of_least(self, n: int) -> float:
        """Return the chance of one of the n least numbers, if there are so many."""
        return float(self.reached[min(n, len(self.reached)) - 1]) if n > 0 else 0.0

    def draw(self, n: int, generator: np.random.Generator) -> NDArray[np.int64]:
        """Draw n numbers, independent of each other."""
        chances = generator.random(n) * self.reached[-1]
        drawn: NDArray[np.int64] = np.searchsorted(self.reached, chances, side="right")
        return drawn + self.least
