"""What the samples of an experiment give: values, and curves of their means."""

from typing import NamedTuple

import numpy as np

from coverlap.experiments.experiment import Experiment, Floats

BIN_EDGES = np.linspace(1.9158089911183251, 5.0, 41)
"""Bins of the entropy of sizes, as the paper's stored curve has them."""


class Values(NamedTuple):
    """All values of an experiment: ``x`` is samples x points, ``values`` has measures as well."""

    experiment: Experiment
    x: Floats
    values: Floats
    seconds: float = 0.0


class Curves(NamedTuple):
    """Means and standard deviations (population) by point and measure, and of how many values."""

    experiment: Experiment
    x: Floats
    means: Floats
    sds: Floats
    counts: Floats


def curves(values: Values) -> Curves:
    """Average over samples; a walk, which has an x of its own in every sample, by bins of x."""
    experiment, x, given, _ = values
    if experiment.name != "skew":
        counts = np.full(x.shape[1], float(len(x)))
        return Curves(experiment, x[0], given.mean(axis=0), given.std(axis=0), counts)
    flat = given.reshape(-1, given.shape[2])
    place = np.digitize(x.ravel(), BIN_EDGES) - 1
    bins = [flat[place == i] for i in range(len(BIN_EDGES) - 1)]  # at the upper end: in none
    used = [i for i, inside in enumerate(bins) if len(inside)]
    return Curves(
        experiment,
        BIN_EDGES[used],
        np.array([bins[i].mean(axis=0) for i in used]),
        np.array([bins[i].std(axis=0) for i in used]),
        np.array([float(len(bins[i])) for i in used]),
    )
