"""Proposition 2: 1 - F*_wo is not a metric."""

from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np

from paper.theory.check import AS_STATED, NOT_STATED, Check, format_fraction
from paper.theory.exact_scores import Sets, exact_score, sets
from paper.theory.small_clusterings import clusterings

PAPER = (sets({0, 1, 2}), sets({0}, {0, 1, 2}), sets({0}, {1, 2}))
"""The paper's three clusterings; its objects 1, 2, 3 are 0, 1, 2 here."""

SMALLEST = (sets({0, 1}), sets({0}, {1}, {0, 1}), sets({0}, {1}))
"""A counterexample with two objects: one cluster, all three clusters, and the two halves."""


class Triangle(NamedTuple):
    """The distances of three clusterings: first to second, second to third, first to third."""

    first: Fraction
    second: Fraction
    direct: Fraction

    @property
    def gap(self) -> Fraction:
        """By how much the sum of the first two is less than the direct distance."""
        return self.direct - self.first - self.second


class Violations(NamedTuple):
    """Ordered triples that violate the triangle inequality: number, of how many, largest gap."""

    n_violations: int
    n_triples: int
    largest_gap: Fraction


def triangle(three: tuple[Sets, Sets, Sets], n: int) -> Triangle:
    """Compute the distances 1 - F*_wo of three clusterings."""
    a, b, c = three
    first, second, direct = (1 - exact_score(*pair, n).score for pair in ((a, b), (b, c), (a, c)))
    return Triangle(first, second, direct)


def count_violations(n: int) -> Violations:
    """Check the triangle inequality for all triples of clusterings of n objects."""
    every = clusterings(n)
    distances = [[1 - exact_score(a, b, n).score for b in every] for a in every]
    # With a common denominator all are integers, which NumPy compares exactly.
    unit = lcm(*(value.denominator for row in distances for value in row))
    table = np.array([[int(value * unit) for value in row] for row in distances])
    count, largest = 0, 0
    for middle in table:
        gaps = table - middle[:, None] - middle
        count += int((gaps > 0).sum())
        largest = max(largest, int(gaps.max()))
    return Violations(count, len(every) ** 3, Fraction(largest, unit))


def check_proposition_2() -> list[Check]:
    """Check the paper's counterexample, find the smallest one, and count them."""
    paper, smallest = triangle(PAPER, 3), triangle(SMALLEST, 2)
    two, three = count_violations(2), count_violations(3)
    return [
        Check(
            "Proposition 2", "1 - F*_wo breaks the triangle inequality.", AS_STATED, paper.gap > 0,
            f"the paper's three clusterings are {paper.first}, {paper.second} and {paper.direct} "
            f"apart, and {paper.first + paper.second} < {paper.direct}",
        ),
        Check(
            "Proposition 2, smallest case", "Two objects are enough for that.", NOT_STATED,
            smallest.gap == two.largest_gap > 0 == count_violations(1).n_violations,
            f"the clusters ab; a, b and ab; a and b: {smallest.first} + {smallest.second} is less "
            f"than {smallest.direct} by {format_fraction(smallest.gap)}; {two.n_violations} of "
            f"{two.n_triples} triples of clusterings of 2 objects break the inequality, and "
            f"{three.n_violations:,} of {three.n_triples:,} with 3 objects, by up to "
            f"{format_fraction(three.largest_gap)}",
        ),
    ]  # fmt: skip
