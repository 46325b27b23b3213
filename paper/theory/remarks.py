"""Two remarks of the paper on other measures: ECS of block designs, and matching."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np

import coverlap as cv
from paper.experiments.experiment import Floats
from paper.theory.check import AS_STATED, NOT_AS_STATED, Check, format_fraction
from paper.theory.exact_scores import Sets, exact_score, rename, sets, span, to_clustering

FANO = sets({0, 1, 2}, {0, 3, 4}, {0, 5, 6}, {1, 3, 5}, {1, 4, 6}, {2, 3, 6}, {2, 4, 5})
"""The Fano plane: seven lines of three points, with any two points on exactly one line."""

WHOLE = sets(span(0, 7))
ALPHA = 0.9
ROUNDING = 1e-12


class Planes(NamedTuple):
    """All pairs of Fano planes of seven points: the least ECS, and the values of F*_wo."""

    n_planes: int
    least_ecs: float
    fstar: tuple[Fraction, ...]


class QuarterMoved(NamedTuple):
    """Scores after a quarter of each cluster moves to one other cluster, or to all others."""

    measure: str
    together: float
    spread: float


def designs() -> dict[str, Sets]:
    """Return block designs of seven points: every pair is in the same number of clusters."""
    return {
        "the Fano plane": FANO,
        "all pairs": sets(*combinations(range(7), 2)),
        "all sixes": sets(*combinations(range(7), 6)),
    }


def ecs_without_loops(left: Sets, right: Sets, n: int) -> float:
    """Return ECS for walks that never stay at an object; it needs clusters of two or more."""
    difference = _visits(left, n) - _visits(right, n)
    return float(1 - np.abs(difference).sum(axis=1).mean() / (2 * ALPHA))


def _visits(clustering: Sets, n: int) -> Floats:
    """Return the share of time that walks from each object (row) spend at each (column)."""
    steps = np.zeros((n, n))
    for cluster in clustering:
        inside = sorted(cluster)
        steps[np.ix_(inside, inside)] += 1 / (len(inside) - 1)
    np.fill_diagonal(steps, 0)
    steps /= steps.sum(axis=1, keepdims=True)
    shares = (1 - ALPHA) * np.linalg.inv(np.eye(n) - ALPHA * steps)
    return shares.astype(np.float64)


def fano_planes() -> Planes:
    """Compare all Fano planes of seven points with each other."""
    planes = {rename(FANO, names) for names in permutations(range(7))}
    pairs = list(combinations(sorted(planes, key=lambda plane: sorted(map(sorted, plane))), 2))
    least = min(
        cv.ecs_score(to_clustering(left, 7), to_clustering(right, 7)) for left, right in pairs
    )
    values = {exact_score(left, right, 7).score for left, right in pairs}
    return Planes(len(planes), least, tuple(sorted(values)))


def quarter_moved(measures: Iterable[str]) -> Iterator[QuarterMoved]:
    """Move 3 objects of each of 4 clusters of 12: all to the next one, or one to each other."""
    given = np.repeat(np.arange(4), 12)
    steps = np.tile([0] * 9 + [1, 2, 3], 4)
    together, spread = (given + (steps > 0)) % 4, (given + steps) % 4
    for measure in measures:
        yield QuarterMoved(
            measure, cv.score(given, together, measure), cv.score(given, spread, measure)
        )


def check_remarks() -> list[Check]:
    """Check the remarks on ECS and block designs, and on matching."""
    return [*_check_designs(), _check_matching()]


def _check_designs() -> list[Check]:
    every = designs()
    values = {
        name: cv.ecs_score(to_clustering(design, 7), to_clustering(WHOLE, 7))
        for name, design in every.items()
    }
    loopless = min(ecs_without_loops(design, WHOLE, 7) for design in every.values())
    planes = fano_planes()
    listed = ", ".join(f"{value:.5f} ({name})" for name, value in values.items())
    return [
        Check(
            "ECS, one cluster",
            "Against one cluster of all objects, a block design has an ECS just below 1, and of 1 "
            "only if walks may not stay where they are.",
            NOT_AS_STATED, max(values.values()) < 1 - ROUNDING and abs(loopless - 1) < ROUNDING,
            f"seven objects: {listed}, and 1 within {ROUNDING:g} for walks that may not stay; "
            f"F*_wo of the Fano plane is {format_fraction(exact_score(FANO, WHOLE, 7).score)}",
        ),
        Check(
            "ECS, two designs",
            "ECS can be 1 for clusterings that differ: any two Fano planes.",
            AS_STATED, planes.least_ecs > 1 - ROUNDING and max(planes.fstar) < 1,
            f"{planes.n_planes} Fano planes of seven points: ECS of any two is 1 within "
            f"{ROUNDING:g}, and F*_wo {' or '.join(map(str, planes.fstar))}",
        ),
    ]  # fmt: skip


def _check_matching() -> Check:
    matched = list(quarter_moved(("fstar_wo", "onmi_mgh", "onmi_lfk")))
    others = list(quarter_moved(("ari", "ecs", "vi")))
    listed = ", ".join(f"{m.measure} {m.together:.4f} and {m.spread:.4f}" for m in others)
    same = ", ".join(f"{m.measure} {m.together:.4f}" for m in matched)
    return Check(
        "Problem of matching",
        "Measures that match clusters do not see where the unmatched part of a cluster goes.",
        AS_STATED,
        all(abs(m.together - m.spread) < ROUNDING for m in matched)
        and all(abs(m.together - m.spread) > 0.01 for m in others),
        f"a quarter of each of 4 clusters goes to the next one, or is spread over the others: "
        f"{same} both times; {listed}",
    )
