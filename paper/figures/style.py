"""Style of the figures: fonts, and lines that differ in colour and in black and white."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import coverlap as cv

WIDTH = 7.0
"""Width of a figure in inches: two columns of a journal. No text is smaller than 7 points."""

FSTAR = r"$F^*_{wo}$"

CLUSTER_COLOURS = ("#440154", "#31688E", "#35B779", "#FDE725")
"""Colours of clusters in illustrations, from dark to light; no measure has one of them."""

STYLE = {
    "font.family": "DejaVu Sans",  # part of matplotlib, so figures are the same everywhere
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7.5,
    "legend.title_fontsize": 7,
    "legend.frameon": False,
    "legend.handlelength": 3.2,
    "legend.columnspacing": 1.6,
    "lines.linewidth": 1.2,
    "lines.markersize": 3.6,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "0.9",
    "grid.linewidth": 0.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "pdf.fonttype": 42,  # many publishers reject type 3 fonts
    "savefig.dpi": 300,
}


class LineStyle(NamedTuple):
    """The style of a line and its name in the legend.

    Attributes
    ----------
    label : str
    colour : str
    dashes : str or tuple
        Line style of matplotlib.
    marker : str
    marker_start : float or None
        Position of the first marker, as a share of the axes; None for a marker at every point.
        Lines that coincide have different ones, so that all remain visible.
    width : float
    """

    label: str
    colour: str
    dashes: Any = "-"
    marker: str = ""
    marker_start: float | None = None
    width: float = 1.2

    def properties(self) -> dict[str, Any]:
        """Return the style as properties of a matplotlib line."""
        return {
            "color": self.colour,
            "linestyle": self.dashes,
            "linewidth": self.width,
            "marker": self.marker,
            "markerfacecolor": "white",
            "markeredgewidth": 0.8,
            "markevery": None if self.marker_start is None else (self.marker_start, 0.2),
        }


MEASURES = {
    "fstar_wo": LineStyle(FSTAR, "#D55E00", width=2.2),
    "ecs": LineStyle("ECS", "#0072B2", (0, (5, 1.5)), "s", 0.03),
    "onmi_mgh": LineStyle("oNMI MGH", "#E69F00", (0, (3, 1, 1, 1)), "v", 0.07),
    "onmi_lfk": LineStyle("oNMI LFK", "#009E73", (0, (1, 1)), "^", 0.12),
    "omega": LineStyle("Omega", "#56408F", (0, (7, 2, 1, 2)), "D", 0.17),
}
"""The measures of the paper, the most important first, in the colours of Okabe and Ito."""

PUBLISHED = LineStyle("oNMI LFK as published (clusim's formula)", "0.45", (0, (4, 3)), width=0.8)

RESOLUTIONS = (
    LineStyle("resolution", "#D55E00"),
    LineStyle("resolution", "#009E73", (0, (5, 1.5))),
    LineStyle("resolution", "#0072B2", (0, (3, 1, 1, 1))),
)
"""Styles of the resolutions, from the lowest, with the fewest clusters, to the highest."""

TRUTH = LineStyle("truth", "0.25", (0, (1, 1)))
STORED = LineStyle("authors' stored means", "0.25", "", "o")


@contextmanager
def figure_style() -> Iterator[None]:
    """Use `STYLE` instead of the user's settings, and restore these afterwards."""
    try:
        from matplotlib import style
    except ImportError:
        raise cv.MissingDependencyError(
            "figures need matplotlib: pip install --group paper"
        ) from None
    with style.context(["default", STYLE]):
        yield
