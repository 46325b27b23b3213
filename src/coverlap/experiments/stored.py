"""The curves that the authors stored, and how well others agree with them."""

import csv
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from coverlap.experiments.experiment import Floats
from coverlap.experiments.results import Curves

FIXED = 1e-9
"""Standard deviations below this mean that a value is always the same."""

FEWEST = 500
"""Bins of a walk with fewer points depend on the run."""


class Stored(NamedTuple):
    """A curve by the authors (``onmi_lfk``: by the definition, where they had another formula)."""

    x: Floats
    means: Floats
    sds: Floats
    samples: Floats


class Agreement(NamedTuple):
    """How far a curve is from the stored one, at its points.

    Where values vary, differences are in standard errors of both means together; in a walk, whose
    points depend on each other, in standard deviations (the larger of both), and only in bins of
    500 points at least. ``difference`` is the largest one where values do not vary.
    """

    measure: str
    n_points: int
    rms: float
    largest: float
    difference: float


@cache
def stored_curves() -> dict[tuple[str, str], Stored]:
    """Read the stored curves, by experiment and measure."""
    text = (files("coverlap.experiments") / "data" / "stored.csv").read_text("utf-8")
    rows: dict[tuple[str, str], list[list[float]]] = {}
    for row in csv.DictReader(text.splitlines()):
        numbers = [float(row[name]) for name in ("x", "mean", "sd", "samples")]
        rows.setdefault((row["experiment"], row["measure"]), []).append(numbers)
    return {key: Stored(*np.array(points).T) for key, points in rows.items()}


def agreements(ours: Curves) -> list[Agreement]:
    """Set each curve beside the stored one, if there is one."""
    name = ours.experiment.name
    return [
        _agreement(measure, ours, column, stored_curves()[name, measure])
        for column, measure in enumerate(ours.experiment.measures)
        if (name, measure) in stored_curves()
    ]


def _agreement(measure: str, ours: Curves, column: int, theirs: Stored) -> Agreement:
    at = nearest(ours.x, theirs.x)
    difference = np.abs(ours.means[:, column] - theirs.means[at])
    own, other = ours.sds[:, column], theirs.sds[at]
    fixed = (own < FIXED) & (other < FIXED)
    if ours.experiment.name == "skew":
        judged, unit = ~fixed & (ours.counts >= FEWEST), np.maximum(own, other)
    else:
        judged = ~fixed
        unit = np.sqrt(_variance(own, ours.counts) + _variance(other, theirs.samples[at]))
    z = difference[judged] / unit[judged]
    return Agreement(
        measure,
        int(np.count_nonzero(judged | fixed)),
        float(np.sqrt(np.mean(z**2))) if len(z) else 0.0,
        float(z.max(initial=0.0)),
        float(difference[fixed].max(initial=0.0)),
    )


def _variance(sds: Floats, counts: Floats) -> Floats:
    """Return the variance of a mean, from the standard deviation of the population."""
    return sds**2 / np.maximum(counts - 1, 1)


def nearest(x: Floats, known: Floats) -> list[int]:
    """Return the place of the known x that is nearest to each x."""
    return [int(np.argmin(np.abs(known - one))) for one in x]
