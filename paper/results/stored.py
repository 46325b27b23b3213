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
"""Bins of ``skew`` with fewer points come from too few samples to be compared."""


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

    Differences of values that vary are divided by their standard errors. The root mean square of
    these quotients is about 1 if both curves have the same expectation. In ``skew`` only bins of
    at least 500 points are used; the points of one sample are not independent, so standard errors
    come from the variation between samples, which is taken to be the same in the stored curve.

    Attributes
    ----------
    measure : str
    n_varying, n_fixed : int
        Numbers of points at which the values vary between samples, and at which they do not.
    rms, largest : float or None
        Root mean square and maximum of the quotients; None if no values vary.
    difference : float or None
        Largest difference of values that do not vary; None if all vary.
    """

    measure: str
    n_varying: int
    n_fixed: int
    rms: float | None
    largest: float | None
    difference: float | None


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
    our_error, our_sd, their_sd = ours.errors[:, column], ours.sds[:, column], theirs.sds[at]
    fixed = (our_sd < CONSTANT) & (their_sd < CONSTANT)
    varying = ~fixed
    if ours.experiment.name == "skew":
        varying &= ours.counts >= MIN_BIN_COUNT
        their_error = our_error * np.sqrt(ours.n_samples / ours.experiment.n_stored)
    else:
        their_error = their_sd / np.sqrt(np.maximum(theirs.counts[at] - 1, 1))
    z = difference[varying] / np.hypot(our_error, their_error)[varying]
    return Agreement(
        measure,
        int(np.count_nonzero(varying)),
        int(np.count_nonzero(fixed)),
        float(np.sqrt(np.mean(z**2))) if len(z) else None,
        float(z.max()) if len(z) else None,
        float(difference[fixed].max()) if fixed.any() else None,
    )


def nearest(x: Floats, known: Floats) -> list[int]:
    """Return the index of the known x that is nearest to each x."""
    return [int(np.argmin(np.abs(known - one))) for one in x]
