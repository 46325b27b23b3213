"""Proposition 2: 1 - F*_wo is no metric; and where it is one after all."""

from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np

from coverlap.experiments.theory.check import MORE, SAME, Check, exactly
from coverlap.experiments.theory.exact import Sets, exact, sets
from coverlap.experiments.theory.small import clusterings

PAPER = (sets({0, 1, 2}), sets({0}, {0, 1, 2}), sets({0}, {1, 2}))
"""The paper's three clusterings; its objects 1, 2, 3 are 0, 1, 2 here."""

SMALLEST = (sets({0, 1}), sets({0}, {1}, {0, 1}), sets({0}, {1}))
"""The same with two objects: one cluster, its two halves, and between them all three."""


class Triangle(NamedTuple):
    """The distances of three clusterings: from the first to the second, on, and directly."""

    first: Fraction
    second: Fraction
    direct: Fraction

    @property
    def gap(self) -> Fraction:
        """By how much the way over the second is shorter than the direct one."""
        return self.direct - self.first - self.second


class Broken(NamedTuple):
    """How many ordered triples break the triangle inequality, of how many, and how widely."""

    n_broken: int
    n_triples: int
    widest: Fraction


def triangle(three: tuple[Sets, Sets, Sets], n: int) -> Triangle:
    """Compute the distances 1 - F*_wo of three clusterings."""
    a, b, c = three
    first, second, direct = (1 - exact(*pair, n).score for pair in ((a, b), (b, c), (a, c)))
    return Triangle(first, second, direct)


def broken_triangles(n: int) -> Broken:
    """Try all triples of clusterings of n objects."""
    every = clusterings(n)
    far = [[1 - exact(a, b, n).score for b in every] for a in every]
    # Over one denominator all of them are integers, and NumPy can compare them exactly.
    unit = lcm(*(value.denominator for row in far for value in row))
    table = np.array([[int(value * unit) for value in row] for row in far])
    count, widest = 0, 0
    for middle in table:
        gaps = table - middle[:, None] - middle
        count += int((gaps > 0).sum())
        widest = max(widest, int(gaps.max()))
    return Broken(count, len(every) ** 3, Fraction(widest, unit))


def check_proposition_2() -> list[Check]:
    """Check the paper's counterexample, and how small and how frequent others are."""
    paper, smallest = triangle(PAPER, 3), triangle(SMALLEST, 2)
    two, three = broken_triangles(2), broken_triangles(3)
    return [
        Check(
            "Proposition 2", "1 - F*_wo breaks the triangle inequality.", SAME, paper.gap > 0,
            f"the paper's three clusterings are {paper.first}, {paper.second} and {paper.direct} "
            f"apart, and {paper.first + paper.second} < {paper.direct}",
        ),
        Check(
            "Proposition 2, smallest case", "Two objects are enough for that.", MORE,
            smallest.gap == two.widest > 0 == broken_triangles(1).n_broken,
            f"the clusters ab; a, b and ab; a and b: {smallest.first} + {smallest.second} is less "
            f"than {smallest.direct} by {exactly(smallest.gap)}; {two.n_broken} of {two.n_triples} "
            f"triples of clusterings of 2 objects break the inequality, and {three.n_broken:,} of "
            f"{three.n_triples:,} with 3 objects, by up to {exactly(three.widest)}",
        ),
    ]  # fmt: skip
