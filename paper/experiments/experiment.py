"""Experiment, the samples that it consists of, and the values that all samples have."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Scale(NamedTuple):
    """How much of an experiment is run.

    Attributes
    ----------
    name : str
    n_samples : int or None
        Number of samples of each experiment; None for the experiment's own number.
    n_walk_points : int
        Number of points that a sample of the experiment ``skew`` records.
    x_stride : int
        1 to use every point of the x-axis, n to use about every n-th.
    """

    name: str
    n_samples: int | None = None
    n_walk_points: int = 10_000
    x_stride: int = 1


SCALES = {
    "paper": Scale("paper"),
    "quick": Scale("quick", n_samples=4, n_walk_points=500, x_stride=3),
}


class Sample(NamedTuple):
    """One sample: the x of each point, and the values (points x measures) there."""

    x: Floats
    values: Floats


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One panel of a figure.

    Attributes
    ----------
    name, title : str
        Name in tables, and title in figures.
    figure : int
        Number of the figure that shows it.
    x_name : str
        Label of the x-axis.
    measures : tuple of str
        Names of the values at each point, in order.
    n_stated, n_stored : int
        Number of samples that the paper states, and number that its stored curves have.
    authors_seconds : float or None
        Running time of the authors' notebook, if it shows one.
    sample : function
        Returns one sample, given a random generator and a scale.
    """

    name: str
    title: str
    figure: int
    x_name: str
    measures: tuple[str, ...]
    n_stated: int
    n_stored: int
    authors_seconds: float | None
    sample: Callable[[np.random.Generator, Scale], Sample]

    def n_samples(self, scale: Scale, *, stated: bool) -> int:
        """Return the scale's number of samples or, if it has none, the stated or stored one."""
        if scale.n_samples is not None:
            return scale.n_samples
        return self.n_stated if stated else self.n_stored


class Values(NamedTuple):
    """All values of an experiment.

    ``x`` has the shape samples x points, ``values`` samples x points x measures.
    """

    experiment: Experiment
    x: Floats
    values: Floats
    seconds: float = 0.0
