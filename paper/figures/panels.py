"""Panels of the figures: intuition, experiment, and clusterings of graphs."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from paper.experiments.experiment import Floats
from paper.figures.style import (
    FSTAR,
    MEASURES,
    PUBLISHED,
    RESOLUTIONS,
    STORED,
    TRUTH,
    LineStyle,
)
from paper.results.curves import BIN_EDGES, Curves
from paper.results.stored import stored_curves

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Intuition(NamedTuple):
    """The expected shape of a curve.

    Attributes
    ----------
    height : function
        The curve, as a function of x. Only its shape has a meaning.
    remark : str
        The expectation in words.
    place : tuple of float
        Position of the remark in the axes.
    reference : float or None
        The x at which both clusterings are equal.
    """

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

INDEPENDENT = {"skew", "number"}
"""Experiments with independent clusterings, whose scores are far below 1."""

RARE = 0.001
"""Bins of the experiment ``skew`` with a smaller share of the fullest bin are not drawn."""

FEWEST_CLUSTERS = 0.8
"""Lower end of the logarithmic axis of numbers of clusters."""

TICKS = {
    "number": (8, 32, 128, 512),
    "overlap": (1, 3, 5, 7, 9),
    "outliers": (0, 0.25, 0.5, 0.75),
}
"""Ticks of the x-axis, where matplotlib's own are not suitable."""


def draw_curve(
    axes: "Axes", curves: Curves, measure: str, style: LineStyle, lowest: float = -np.inf
) -> None:
    """Draw the means of a measure, with a band of one standard deviation on either side.

    The band is cut off at `lowest`, for axes that end there.
    """
    column = curves.experiment.measures.index(measure)
    means, sds = curves.means[:, column], curves.sds[:, column]
    axes.fill_between(
        curves.x, np.maximum(means - sds, lowest), means + sds,
        color=style.colour, alpha=0.22, linewidth=0, gid=f"{measure} band",
    )  # fmt: skip
    axes.plot(curves.x, means, gid=measure, **style.properties())


def draw_experiment(axes: "Axes", curves: Curves, measures: Iterable[str]) -> None:
    """Draw the curves of some measures, the first one on top."""
    shown = without_rare_points(curves)
    for measure in reversed(list(measures)):
        draw_curve(axes, shown, measure, MEASURES[measure])
    _set_x_axis(axes, curves)
    if curves.experiment.name not in INDEPENDENT:
        axes.set_ylim(-0.05, 1.08)
    _mark_reference(axes, curves)


def without_rare_points(curves: Curves) -> Curves:
    """Leave out points with fewer values than `RARE` times the largest number of a point."""
    kept = curves.counts >= RARE * curves.counts.max()
    return curves._replace(
        x=curves.x[kept], means=curves.means[kept], sds=curves.sds[kept],
        errors=curves.errors[kept], counts=curves.counts[kept],
    )  # fmt: skip


def draw_published(axes: "Axes") -> None:
    """Draw the curve that the paper shows as oNMI LFK in scenario 4."""
    theirs = stored_curves()["overlap", "onmi_lfk_clusim"]
    axes.plot(theirs.x, theirs.means, gid="onmi_lfk_clusim", **PUBLISHED.properties())


def draw_intuition(axes: "Axes", curves: Curves) -> None:
    """Draw the expected shape of the curves; only its shape has a meaning."""
    intuition = INTUITIONS[curves.experiment.name]
    x = np.linspace(*_x_limits(curves), 1001)
    axes.plot(x, intuition.height(x), color="0.2", linewidth=1.6, gid="intuition")
    axes.text(
        *intuition.place, intuition.remark, ha="right", va="center", transform=axes.transAxes,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
    )  # fmt: skip
    axes.set_ylim(-0.05, 1.08)
    axes.set_yticks([0] if curves.experiment.name in INDEPENDENT else [0, 1])
    _set_x_axis(axes, curves)
    _mark_reference(axes, curves)


def _x_limits(curves: Curves) -> tuple[float, float]:
    """Return the ends of the x-axis; entropy decreases from left to right."""
    if curves.experiment.name == "skew":
        return float(BIN_EDGES[-1]), float(BIN_EDGES[0])
    return float(curves.x[0]), float(curves.x[-1])


def _set_x_axis(axes: "Axes", curves: Curves) -> None:
    axes.set_xlabel(curves.experiment.x_name)
    begin, end = _x_limits(curves)
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


def resolutions(curves: Curves) -> dict[str, LineStyle]:
    """Return the resolutions of an experiment on graphs with their styles, lowest first."""
    found = [name.split()[1] for name in curves.experiment.measures if name.startswith("edges ")]
    return {
        resolution: style._replace(label=f"{style.label} {resolution}")
        for resolution, style in zip(sorted(found, key=float), RESOLUTIONS, strict=True)
    }


def draw_graphs(axes: "Axes", curves: Curves, kind: str) -> None:
    """Draw the scores of vertices or edges, or the numbers of clusters (on a logarithmic axis)."""
    styles = {f"{kind} {resolution}": style for resolution, style in resolutions(curves).items()}
    if kind == "clusters":
        styles["clusters truth"] = TRUTH
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
    lowest = FEWEST_CLUSTERS if kind == "clusters" else -np.inf
    for measure, style in styles.items():
        draw_curve(axes, curves, measure, style, lowest)
        theirs = stored_curves().get((curves.experiment.name, measure))
        if theirs is not None:
            dots = STORED._replace(colour=style.colour)
            axes.plot(theirs.x, theirs.means, gid=f"{measure} stored", **dots.properties())
    if kind == "clusters":
        axes.set(ylabel="number of clusters", ylim=(FEWEST_CLUSTERS, None))
    else:
        axes.set(ylabel=f"{FSTAR} of {kind}", ylim=(-0.03, 1.05))
    axes.set_xlabel(curves.experiment.x_name)
