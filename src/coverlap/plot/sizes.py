"""Sizes of clusters against the similarities to their best matches."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.checks import check_integer
from coverlap.core.wording import quantity
from coverlap.plot.labels import place_labels
from coverlap.plot.style import (
    HATCH,
    INK,
    LEFT,
    OUTLIERS,
    RIGHT,
    SHADES,
    Sheet,
    check_result,
    headline,
)
from coverlap.plot.texts import name_text
from coverlap.results.cluster_table import KINDS
from coverlap.results.comparison import Comparison
from coverlap.results.weights import reject_weights

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

MOST_POINTS = 5_000
"""More clusters are drawn as hexagons that count them."""

SMALLEST, LARGEST = 12.0, 150.0
"""Areas of points without any loss and with the largest loss, in square points."""


class Points(NamedTuple):
    """The clusters and sets of outliers that have objects, the costliest first."""

    name: list[Any]
    size: NDArray[np.int64]
    similarity: Floats
    loss: Floats
    is_right: NDArray[np.bool_]
    is_outliers: NDArray[np.bool_]


def sizes(comparison: Comparison, *, label: int = 10, ax: "Axes | None" = None) -> "Axes":
    """Draw the size of each cluster and the similarity to its best match.

    Points are larger the more of the score a cluster costs. More than 5,000 clusters are counted
    in hexagons. Sets of outliers are grey squares. Half of the loss of all clusters is that of the
    clusters left of the dotted line.

    Parameters
    ----------
    comparison : Comparison
        The result of `coverlap.compare`.
    label : int
        How many of the costliest clusters are labelled.
    ax : Axes, optional
        Axes of matplotlib to draw on; by default those of a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> import coverlap as cv
    >>> ax = cv.plot.sizes(cv.compare([0, 0, 0, 0, 1], ["a", "a", "a", "b", "b"]))
    >>> ax.get_ylabel()
    'similarity to the best match'
    >>> ax.get_title(loc="left")
    "F*_wo = 0.675: half of the clusters' loss is in those of up to 3 objects"
    """
    check_result(comparison, Comparison, "compare")
    check_integer("label", label, 0)
    reject_weights(comparison, "a picture of sizes")
    sheet, points = Sheet(ax, 6.6, 4.6), _points(comparison)
    if not points.name:
        return sheet.say(f"{headline(comparison)}: there are no clusters and no outliers")
    radii = _draw(sheet, points, comparison.sides)
    _set_scales(sheet, points)
    middle = _middle_of_loss(points)
    if middle is not None:
        sheet.ax.axvline(middle, color=INK, linewidth=1, linestyle=":")
    costly = int(np.count_nonzero(points.loss[:label]))
    line = "the dotted line halves the clusters' loss" if middle is not None else ""
    # The labels are placed when the title has its place, and are then counted.
    most = _labelled(costly - 1, costly)
    sheet.finish(f"{headline(comparison)}: {_message(comparison, middle)}", line, most)
    n_labelled = place_labels(
        sheet, np.column_stack((points.size, points.similarity, radii)),
        [_label(points, row, comparison.sides) for row in range(costly)],
    )  # fmt: skip
    sheet.change_note(line, _labelled(n_labelled, costly))
    return sheet.ax


def _points(comparison: Comparison) -> Points:
    columns: dict[str, Any] = {column.name: column for column in comparison.table}
    size, similarity, loss = (
        np.asarray(columns[name].tolist()) for name in ("size", "similarity", "loss")
    )
    side, kind = (columns[name].codes for name in ("side", "kind"))
    rows = np.argsort(-loss, kind="stable")
    rows = rows[size[rows] > 0]
    return Points(
        columns["cluster"].taken(rows).tolist(), size[rows], similarity[rows], loss[rows],
        side[rows] == 1, kind[rows] == KINDS.index("outliers"),
    )  # fmt: skip


def _middle_of_loss(points: Points) -> int | None:
    """Return the size up to which clusters have half of the loss of all clusters."""
    loss = np.where(points.is_outliers, 0.0, points.loss)
    order = np.argsort(points.size, kind="stable")
    total = np.cumsum(loss[order])
    if total[-1] == 0:
        return None
    return int(points.size[order[np.searchsorted(total, total[-1] / 2)]])


def _message(comparison: Comparison, middle: int | None) -> str:
    if middle is None:
        if comparison.score == 1:
            return "nothing is lost"
        return "clusters lose nothing, only sets of outliers do"
    return f"half of the clusters' loss is in those of up to {quantity(middle, 'object')}"


def _labelled(n_labelled: int, wanted: int) -> str:
    if not wanted:
        return ""
    which = f"{n_labelled} of the" if n_labelled < wanted else "the"
    return f"{which} {wanted} costliest are labelled"


def _set_scales(sheet: Sheet, points: Points) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    ax, low, high = sheet.ax, points.size.min(), max(points.size.max(), 3 * points.size.min())
    ax.set_xscale("log")
    margin = max(high / low, 10) ** 0.06
    ax.set_xlim(low / margin, high * margin)
    ax.set_ylim(-0.05, 1.05)
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 1000 else (1,)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda size, _: f"{size:,.0f}"))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.grid(color="0.9", linewidth=0.5)
    ax.set_axisbelow(True)
    sheet.label_axes("size (number of objects)", "similarity to the best match")


def _draw(sheet: Sheet, points: Points, sides: tuple[str, str]) -> Floats:
    """Draw the clusters and the sets of outliers, and return the radii of their marks."""
    from matplotlib.lines import Line2D

    clusters, texts = ~points.is_outliers, [f"clusters of {name_text(side)}" for side in sides]
    styles: list[tuple[NDArray[np.bool_], str, str, str]] = [
        (clusters & ~points.is_right, "o", LEFT, texts[0]),
        (clusters & points.is_right, "D", RIGHT, texts[1]),
        (points.is_outliers, "s", OUTLIERS, "sets of outliers"),
    ]
    area = SMALLEST + (LARGEST - SMALLEST) * points.loss / (points.loss.max() or 1)
    if np.count_nonzero(clusters) > MOST_POINTS:
        _draw_hexagons(sheet, points.size[clusters], points.similarity[clusters])
        area[clusters] = 0
        styles = styles[2:]
    handles = []
    for chosen, marker, colour, text in styles:
        hatch = HATCH * 2 if marker == "s" else None
        sheet.ax.scatter(
            points.size[chosen], points.similarity[chosen], area[chosen], marker=marker,
            facecolor=colour, edgecolor=INK, linewidth=0.4, alpha=0.8, hatch=hatch,
            zorder=3, clip_on=False,
        )  # fmt: skip
        if chosen.any():
            handles.append(
                Line2D([], [], linestyle="", marker=marker, color=colour, markeredgecolor=INK,
                       markeredgewidth=0.4, markersize=6, label=text)
            )  # fmt: skip
    sheet.add_legend(handles)
    return np.asarray(np.sqrt(area / np.pi))


def _draw_hexagons(sheet: Sheet, size: NDArray[np.int64], similarity: Floats) -> None:
    hexagons = sheet.ax.hexbin(
        size, similarity, xscale="log", gridsize=(44, 20), bins="log", mincnt=1, cmap=SHADES,
        linewidths=0.3, edgecolors="0.85",
    )  # fmt: skip
    sheet.add_colour_bar(hexagons, "number of clusters of both sides", "{x:,.0f}")


def _label(points: Points, row: int, sides: tuple[str, str]) -> str:
    if points.is_outliers[row]:
        return f"outliers of {name_text(sides[int(points.is_right[row])])}"
    return name_text(points.name[row])
