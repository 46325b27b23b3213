"""Expectation: the score to expect by chance, and how exact it is."""

from dataclasses import dataclass
from typing import ClassVar

from coverlap.results.result import Result


@dataclass(frozen=True, eq=False)
class Expectation(Result):
    """The result of `expected_fstar`: the mean score of all permutations of the objects.

    ``value`` differs from the mean by at most ``error``. If ``exact`` is true, ``value`` was
    computed for every size of clusters, and ``error`` covers the rounding of floats only. Otherwise
    the values of some sizes were interpolated between those of smaller and larger ones, and
    ``error`` bounds the difference. ``float(result)`` is the value.
    """

    KINDS: ClassVar = {"exact": "boolean"}

    value: float
    error: float
    exact: bool

    def __float__(self) -> float:
        return self.value
