"""Experiment: what is drawn, at which points, and what was done with it before."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Sample = Callable[[np.random.Generator, "Scale"], tuple[Floats, Floats]]


class Scale(NamedTuple):
    """How much of an experiment is run: samples, points of a walk, and steps along the x-axis.

    ``n_samples`` overrides the number that an experiment has of its own.
    """

    name: str
    n_samples: int | None = None
    n_walk: int = 10_000
    thinned: int = 1


SCALES = {
    "paper": Scale("paper"),
    "quick": Scale("quick", n_samples=4, n_walk=500, thinned=3),
}


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One panel of a figure.

    Attributes
    ----------
    name, title : str
        What it is called in tables, and in print.
    figure : int
        The figure of the paper that shows it.
    x_name : str
        What the x-axis has.
    measures : tuple of str
        What is computed at each point, in order.
    stated, stored : int
        Number of samples that the paper states, and that its stored curves have.
    authors_seconds : float or None
        How long the authors' notebook took, where it says so.
    sample : function
        From a generator of random numbers and a scale to the x of each point, and the values of
        all measures there.
    """

    name: str
    title: str
    figure: int
    x_name: str
    measures: tuple[str, ...]
    stated: int
    stored: int
    authors_seconds: float | None
    sample: Sample

    def n_samples(self, scale: Scale, *, stated: bool) -> int:
        """Return the number of samples: the scale's, or what the paper states or has stored."""
        if scale.n_samples is not None:
            return scale.n_samples
        return self.stated if stated else self.stored
