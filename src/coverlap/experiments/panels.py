"""Panels of figures: what a score should do, what measures do, and how graphs are clustered."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from coverlap.experiments.experiment import Floats
from coverlap.experiments.looks import (
    FSTAR,
    MEASURES,
    PUBLISHED,
    RESOLUTIONS,
    STORED,
    TRUTH,
    Look,
)
from coverlap.experiments.results import BIN_EDGES, Curves
from coverlap.experiments.stored import stored_curves

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Intuition(NamedTuple):
    """What a score should do: a curve of x that shows no more than a shape, and in words."""

    height: Callable[[Floats], Floats]
    remark: str
    place: tuple[float, float]
    reference: float | None = None


INTUITIONS = {
    "shuffle": Intuition(lambda x: 0.15 + 0.85 * (1 - x) ** 2.5, "stays above 0", (0.97, 0.42)),
    "skew": Intuition(lambda x: 0.3 + 0.06 * (x - BIN_EDGES[0]) ** 2, "stays above 0", (0.97, 0.6)),
    "number": Intuition(
        lambda x: 0.02 + 0.83 * (1 - np.log2(x / 8) / 7) ** 2.5, "almost 0", (0.97, 0.3)
    ),
    "overlap": Intuition(
        lambda x: np.exp(-np.abs(x - 3) / 3.5), "1 at the\nreference", (0.97, 0.85), 3
    ),
    "outliers": Intuition(
        lambda x: np.exp(-np.abs(x - 0.5) / 0.5), "1 at the reference", (0.91, 0.15), 0.5
    ),
}

SMALL = {"skew", "number"}
"""Where clusterings have nothing to do with each other, so that scores are far below 1."""

TICKS = {
    "number": (8, 32, 128, 512),
    "overlap": (1, 3, 5, 7, 9),
    "outliers": (0, 0.25, 0.5, 0.75),
}
"""Along the x-axis, where they should be at other places than usual."""


def draw_curve(axes: "Axes", curves: Curves, measure: str, look: Look) -> None:
    """Draw the means of a measure, and a band of one standard deviation to either side."""
    column = curves.experiment.measures.index(measure)
    means, sds = curves.means[:, column], curves.sds[:, column]
    axes.fill_between(
        curves.x, means - sds, means + sds,
        color=look.colour, alpha=0.22, linewidth=0, gid=f"{measure} band",
    )  # fmt: skip
    axes.plot(curves.x, means, gid=measure, **look.line())


def draw_experiment(axes: "Axes", curves: Curves, measures: Iterable[str]) -> None:
    """Draw some measures, the first of them on top."""
    for measure in reversed(list(measures)):
        draw_curve(axes, curves, measure, MEASURES[measure])
    _set_x(axes, curves)
    if curves.experiment.name not in SMALL:
        axes.set_ylim(-0.05, 1.08)
    _mark_reference(axes, curves)


def draw_published(axes: "Axes") -> None:
    """Draw what the paper shows as the overlapping NMI by LFK in its fourth scenario."""
    theirs = stored_curves()["overlap", "onmi_lfk_clusim"]
    axes.plot(theirs.x, theirs.means, gid="onmi_lfk_clusim", **PUBLISHED.line())


def draw_intuition(axes: "Axes", curves: Curves) -> None:
    """Draw the shape that a curve should have; its height means nothing."""
    wanted = INTUITIONS[curves.experiment.name]
    x = np.linspace(*_ends(curves), 1001)
    axes.plot(x, wanted.height(x), color="0.2", linewidth=1.6, gid="intuition")
    axes.text(
        *wanted.place, wanted.remark, ha="right", va="center", transform=axes.transAxes,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
    )  # fmt: skip
    axes.set_ylim(-0.05, 1.08)
    axes.set_yticks([0] if curves.experiment.name in SMALL else [0, 1])
    _set_x(axes, curves)
    _mark_reference(axes, curves)


def _ends(curves: Curves) -> tuple[float, float]:
    """Return where the x-axis begins and ends; entropy falls from left to right."""
    if curves.experiment.name == "skew":
        return float(BIN_EDGES[-1]), float(BIN_EDGES[0])
    return float(curves.x[0]), float(curves.x[-1])


def _set_x(axes: "Axes", curves: Curves) -> None:
    axes.set_xlabel(curves.experiment.x_name)
    begin, end = _ends(curves)
    if curves.experiment.name == "number":
        axes.set_xscale("log", base=2)
        axes.set_xlim(begin / 1.1, end * 1.1)
    else:
        margin = 0.02 * (end - begin)
        axes.set_xlim(begin - margin, end + margin)
    ticks = TICKS.get(curves.experiment.name)
    if ticks is not None:
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])


def _mark_reference(axes: "Axes", curves: Curves) -> None:
    reference = INTUITIONS[curves.experiment.name].reference
    if reference is not None:
        axes.axvline(reference, color="0.5", linewidth=0.7, linestyle=":", gid="reference")


def resolutions(curves: Curves) -> dict[str, Look]:
    """Find the resolutions that an experiment on graphs has, from coarse to fine."""
    found = [name.split()[1] for name in curves.experiment.measures if name.startswith("edges ")]
    return {
        resolution: look._replace(label=f"{look.label} {resolution}")
        for resolution, look in zip(sorted(found, key=float), RESOLUTIONS, strict=True)
    }


def draw_graphs(axes: "Axes", curves: Curves, kind: str) -> None:
    """Draw what an experiment on graphs has of vertices, edges or clusters.

    Numbers of clusters have a logarithmic axis; a band that reaches 0 goes down to its end.
    """
    looks = {f"{kind} {resolution}": look for resolution, look in resolutions(curves).items()}
    if kind == "clusters":
        looks["clusters truth"] = TRUTH
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
    for measure, look in looks.items():
        draw_curve(axes, curves, measure, look)
        theirs = stored_curves().get((curves.experiment.name, measure))
        if theirs is not None:
            dots = STORED._replace(colour=look.colour)
            axes.plot(theirs.x, theirs.means, gid=f"{measure} stored", **dots.line())
    if kind == "clusters":
        axes.set(ylabel="number of clusters", ylim=(0.8, None))
    else:
        axes.set(ylabel=f"{FSTAR} of {kind}", ylim=(-0.03, 1.05))
    axes.set_xlabel(curves.experiment.x_name)
