"""Curves: means and standard deviations of the samples of an experiment."""

from typing import NamedTuple

import numpy as np

from paper.experiments.experiment import Experiment, Floats, Values

BIN_EDGES = np.linspace(1.9158089911183251, 5.0, 41)
"""Bins of the entropy of cluster sizes, as in the stored curve of the experiment ``skew``."""


class Curves(NamedTuple):
    """Means and population standard deviations (points x measures) of an experiment.

    ``counts`` is the number of values that each point is the mean of.
    """

    experiment: Experiment
    x: Floats
    means: Floats
    sds: Floats
    counts: Floats


def average(given: Values) -> Curves:
    """Average over the samples or, in the experiment ``skew``, over the points of each bin.

    The samples of ``skew`` have different x, as these are the result of a random walk.
    """
    experiment, x, values = given.experiment, given.x, given.values
    if experiment.name != "skew":
        counts = np.full(x.shape[1], float(len(x)))
        return Curves(experiment, x[0], values.mean(axis=0), values.std(axis=0), counts)
    flat = values.reshape(-1, values.shape[2])
    place = np.digitize(x.ravel(), BIN_EDGES) - 1  # the last edge itself is in no bin
    bins = [flat[place == i] for i in range(len(BIN_EDGES) - 1)]
    used = [i for i, inside in enumerate(bins) if len(inside)]
    return Curves(
        experiment,
        BIN_EDGES[used],
        np.array([bins[i].mean(axis=0) for i in used]),
        np.array([bins[i].std(axis=0) for i in used]),
        np.array([float(len(bins[i])) for i in used]),
    )
