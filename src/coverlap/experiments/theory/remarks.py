"""Two remarks of the paper on other measures: block designs, and the problem of matching."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np

from coverlap.experiments.experiment import Floats
from coverlap.experiments.theory.check import OTHERWISE, SAME, Check, exactly
from coverlap.experiments.theory.exact import Sets, exact, read, sets, span
from coverlap.verbs.ecs import ecs_score
from coverlap.verbs.score import score

FANO = sets({0, 1, 2}, {0, 3, 4}, {0, 5, 6}, {1, 3, 5}, {1, 4, 6}, {2, 3, 6}, {2, 4, 5})
"""The Fano plane: seven lines of three points, and each two points are on one line."""

WHOLE = sets(span(0, 7))
ALPHA = 0.9
ROUNDING = 1e-12


class Planes(NamedTuple):
    """All Fano planes of seven points, in pairs: the least ECS, and all values of F*_wo."""

    n_planes: int
    least_ecs: float
    fstar: tuple[Fraction, ...]


class Moved(NamedTuple):
    """Scores against the given clusters when a quarter of each goes to the next, or to all."""

    measure: str
    together: float
    spread: float


def designs() -> dict[str, Sets]:
    """Return block designs of seven points: each pair is in as many clusters as any other."""
    return {
        "the Fano plane": FANO,
        "all pairs": sets(*combinations(range(7), 2)),
        "all sixes": sets(*combinations(range(7), 6)),
    }


def ecs_without_loops(left: Sets, right: Sets, n: int) -> float:
    """Compute ECS for walks that never stay where they are; every object needs company."""
    difference = _walks(left, n) - _walks(right, n)
    return float(1 - np.abs(difference).sum(axis=1).mean() / (2 * ALPHA))


def _walks(clustering: Sets, n: int) -> Floats:
    """Return the share of time that walks from each object spend at each."""
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
    planes = {_renamed(FANO, names) for names in permutations(range(7))}
    pairs = list(combinations(sorted(planes, key=lambda plane: sorted(map(sorted, plane))), 2))
    least = min(ecs_score(read(left, 7), read(right, 7)) for left, right in pairs)
    values = {exact(left, right, 7).score for left, right in pairs}
    return Planes(len(planes), least, tuple(sorted(values)))


def _renamed(clustering: Sets, names: tuple[int, ...]) -> Sets:
    return sets(*([names[x] for x in cluster] for cluster in clustering))


def quarter_moved(measures: Iterable[str]) -> Iterator[Moved]:
    """Move 3 objects of each of 4 clusters of 12: all to the next cluster, or one to each other."""
    given = np.repeat(np.arange(4), 12)
    steps = np.tile([0] * 9 + [1, 2, 3], 4)
    together, spread = (given + (steps > 0)) % 4, (given + steps) % 4
    for measure in measures:
        yield Moved(measure, score(given, together, measure), score(given, spread, measure))


def check_remarks() -> list[Check]:
    """Check what the paper says of ECS and block designs, and of matching."""
    return [*_check_designs(), _check_matching()]


def _check_designs() -> list[Check]:
    every = designs()
    values = {name: ecs_score(read(design, 7), read(WHOLE, 7)) for name, design in every.items()}
    loopless = min(ecs_without_loops(design, WHOLE, 7) for design in every.values())
    planes = fano_planes()
    listed = ", ".join(f"{value:.5f} ({name})" for name, value in values.items())
    return [
        Check(
            "ECS, one cluster",
            "Against one cluster of all objects, a block design has an ECS just below 1, and of 1 "
            "only if walks may not stay where they are.",
            OTHERWISE, max(values.values()) < 1 - ROUNDING and abs(loopless - 1) < ROUNDING,
            f"seven objects: {listed}, and 1 within {ROUNDING:g} for walks that may not "
            f"stay; F*_wo of the Fano plane is {exactly(exact(FANO, WHOLE, 7).score)}",
        ),
        Check(
            "ECS, two designs",
            "ECS can be 1 for clusterings that differ: any two Fano planes.",
            SAME, planes.least_ecs > 1 - ROUNDING and max(planes.fstar) < 1,
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
        SAME,
        all(abs(m.together - m.spread) < ROUNDING for m in matched)
        and all(abs(m.together - m.spread) > 0.01 for m in others),
        f"a quarter of each of 4 clusters goes to the next one, or is spread over the others: "
        f"{same} both times; {listed}",
    )
