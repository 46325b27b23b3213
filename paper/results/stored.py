"""The curves that the authors stored (``stored.csv``), and how closely others agree with them."""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from paper.experiments.experiment import Floats
from paper.results.curves import Curves

CONSTANT = 1e-9
"""Values with a smaller standard deviation are taken as constant."""

MIN_BIN_COUNT = 500
"""Bins of ``skew`` with fewer points vary too much between runs to be compared."""


class StoredCurve(NamedTuple):
    """A curve of the authors.

    ``onmi_lfk`` is computed by its definition; the published curve, which comes from another
    formula, is ``onmi_lfk_clusim``.
    """

    x: Floats
    means: Floats
    sds: Floats
    counts: Floats


class Agreement(NamedTuple):
    """Differences between a curve and the stored one.

    Differences of values that vary are divided by the standard error of the difference of the
    means. In ``skew``, whose points are not independent, they are divided by the larger standard
    deviation, and only bins of at least 500 points are used.

    Attributes
    ----------
    measure : str
    n_points : int
        Number of points compared.
    rms, largest : float
        Root mean square and maximum of these quotients.
    difference : float
        Largest difference of values that do not vary.
    """

    measure: str
    n_points: int
    rms: float
    largest: float
    difference: float


@cache
def stored_curves() -> dict[tuple[str, str], StoredCurve]:
    """Read the stored curves, by experiment and measure."""
    rows: dict[tuple[str, str], list[list[float]]] = {}
    with Path(__file__).with_name("stored.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            numbers = [float(row[name]) for name in ("x", "mean", "sd", "samples")]
            rows.setdefault((row["experiment"], row["measure"]), []).append(numbers)
    return {key: StoredCurve(*np.array(points).T) for key, points in rows.items()}


def agreements(ours: Curves) -> list[Agreement]:
    """Compare each curve with the stored one, if there is one."""
    name = ours.experiment.name
    return [
        _agreement(measure, ours, column, stored_curves()[name, measure])
        for column, measure in enumerate(ours.experiment.measures)
        if (name, measure) in stored_curves()
    ]


def _agreement(measure: str, ours: Curves, column: int, theirs: StoredCurve) -> Agreement:
    at = nearest(ours.x, theirs.x)
    difference = np.abs(ours.means[:, column] - theirs.means[at])
    our_sd, their_sd = ours.sds[:, column], theirs.sds[at]
    constant = (our_sd < CONSTANT) & (their_sd < CONSTANT)
    if ours.experiment.name == "skew":
        varying = ~constant & (ours.counts >= MIN_BIN_COUNT)
        unit = np.maximum(our_sd, their_sd)
    else:
        varying = ~constant
        unit = np.sqrt(
            _variance_of_mean(our_sd, ours.counts) + _variance_of_mean(their_sd, theirs.counts[at])
        )
    z = difference[varying] / unit[varying]
    return Agreement(
        measure,
        int(np.count_nonzero(varying | constant)),
        float(np.sqrt(np.mean(z**2))) if len(z) else 0.0,
        float(z.max(initial=0.0)),
        float(difference[constant].max(initial=0.0)),
    )


def _variance_of_mean(sds: Floats, counts: Floats) -> Floats:
    """Return the variance of a mean, given population standard deviations."""
    return sds**2 / np.maximum(counts - 1, 1)


def nearest(x: Floats, known: Floats) -> list[int]:
    """Return the index of the known x that is nearest to each x."""
    return [int(np.argmin(np.abs(known - one))) for one in x]
