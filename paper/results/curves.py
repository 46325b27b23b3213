"""Curves: means and standard deviations of the samples of an experiment."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paper.experiments.experiment import Experiment, Floats, Values

BIN_EDGES = np.linspace(1.9158089911183251, 5.0, 41)
"""Bins of the entropy of cluster sizes, as in the stored curve of the experiment ``skew``."""


class Curves(NamedTuple):
    """Means, population standard deviations and standard errors (points x measures).

    ``counts`` is the number of values that each point is the mean of, ``n_samples`` the number of
    samples that these come from.
    """

    experiment: Experiment
    x: Floats
    means: Floats
    sds: Floats
    errors: Floats
    counts: Floats
    n_samples: int


def average(given: Values) -> Curves:
    """Average over the samples or, in the experiment ``skew``, over the points of each bin.

    The samples of ``skew`` have different x, as these are the result of a random walk.
    """
    experiment, x, values = given.experiment, given.x, given.values
    n_samples = len(x)
    if experiment.name != "skew":
        means, sds = values.mean(axis=0), values.std(axis=0)
        errors = sds / np.sqrt(max(n_samples - 1, 1))
        counts = np.full(x.shape[1], float(n_samples))
        return Curves(experiment, x[0], means, sds, errors, counts, n_samples)
    place = np.digitize(x, BIN_EDGES) - 1  # the last edge itself is in no bin
    used = [i for i in range(len(BIN_EDGES) - 1) if (place == i).any()]
    bins = [values[place == i] for i in used]
    return Curves(
        experiment,
        BIN_EDGES[used],
        np.array([inside.mean(axis=0) for inside in bins]),
        np.array([inside.std(axis=0) for inside in bins]),
        np.array([_error_by_sample(values, place == i) for i in used]),
        np.array([float(len(inside)) for inside in bins]),
        n_samples,
    )


def _error_by_sample(values: Floats, chosen: NDArray[np.bool_]) -> Floats:
    """Return the standard errors of means over chosen points (samples x points).

    The points of one sample are not independent of each other, but the samples are. The mean is a
    ratio of two sums over samples, so its variance is that of the sums of deviations.
    """
    deviations = (values - values[chosen].mean(axis=0)) * chosen[:, :, None]
    n_samples, n_points = len(values), np.count_nonzero(chosen)
    of_samples = deviations.sum(axis=1)
    errors: Floats = (
        np.sqrt((of_samples**2).sum(axis=0) * n_samples / max(n_samples - 1, 1)) / n_points
    )
    return errors
