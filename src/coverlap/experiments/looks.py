"""How figures look: fonts, and lines that can be told apart in colour and in grey."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from coverlap.core.errors import MissingDependencyError

WIDTH = 7.0
"""Width of a figure in inches: two columns of a journal. No text is set below 7 points."""

FSTAR = r"$F^*_{wo}$"

SHADES = ("#440154", "#31688E", "#35B779", "#FDE725")
"""Colours of clusters in sketches, from dark to light; none of them stands for a measure."""

STYLE = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so figures are the same everywhere
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
    "pdf.fonttype": 42,  # many publishers refuse type 3
    "savefig.dpi": 300,
}


class Look(NamedTuple):
    """A line: its name in the legend, and its colour, dashes, markers and where these begin.

    Curves that coincide begin their markers at different places, so that all can be seen. A line
    whose markers begin nowhere has one at every point.
    """

    label: str
    colour: str
    dashes: Any = "-"
    marker: str = ""
    begin: float | None = None
    width: float = 1.2

    def line(self) -> dict[str, Any]:
        """Return what matplotlib calls these properties."""
        return {
            "color": self.colour,
            "linestyle": self.dashes,
            "linewidth": self.width,
            "marker": self.marker,
            "markerfacecolor": "white",
            "markeredgewidth": 0.8,
            "markevery": None if self.begin is None else (self.begin, 0.2),
        }


MEASURES = {
    "fstar_wo": Look(FSTAR, "#D55E00", width=2.2),
    "ecs": Look("ECS", "#0072B2", (0, (5, 1.5)), "s", 0.03),
    "onmi_mgh": Look("oNMI MGH", "#E69F00", (0, (3, 1, 1, 1)), "v", 0.07),
    "onmi_lfk": Look("oNMI LFK", "#009E73", (0, (1, 1)), "^", 0.12),
    "omega": Look("Omega", "#56408F", (0, (7, 2, 1, 2)), "D", 0.17),
}
"""The paper's measures, the most important first; colours are by Okabe and Ito, or near them."""

PUBLISHED = Look("oNMI LFK as published (clusim's formula)", "0.45", (0, (4, 3)), width=0.8)

RESOLUTIONS = (
    Look("resolution", "#D55E00"),
    Look("resolution", "#009E73", (0, (5, 1.5))),
    Look("resolution", "#0072B2", (0, (3, 1, 1, 1))),
)
"""Of the lowest resolution, which gives the fewest clusters, to the highest."""

TRUTH = Look("truth", "0.25", (0, (1, 1)))
STORED = Look("authors' stored means", "0.25", "", "o")


@contextmanager
def styled() -> Iterator[None]:
    """Draw as `STYLE` says, whatever the user has set, and leave the user's settings alone."""
    try:
        from matplotlib import style
    except ImportError:
        raise MissingDependencyError(
            "figures need matplotlib: pip install 'coverlap[experiments]'"
        ) from None
    with style.context(["default", STYLE]):
        yield
