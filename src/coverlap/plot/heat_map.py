"""The clusters of two sides that share objects, as an ordered matrix of shades."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.checks import check_integer, check_option
from coverlap.core.errors import UndefinedError
from coverlap.core.threads import all_threads
from coverlap.pictures.heat_map import HeatMap
from coverlap.plot.cells import label_cells, write_numbers
from coverlap.plot.style import INK, SHADES, Sheet, check_result, headline
from coverlap.plot.texts import name_text
from coverlap.results.comparison import Comparison
from coverlap.results.pictures import heat_map_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

GAP = 0.35
"""Distance from the clusters to the rows and columns of others and of outliers; cells have 1."""

PALE = 2.0
"""Value that would be black in the cells of other sets, so that the clusters stand out."""

MOST_WORDS = 5
"""Number of kinds of changes that the title names."""

NUMBER_WIDTH = 19
"""Least width of a cell with a number, in points."""


class Axis(NamedTuple):
    """The sets along one axis, with their labels.

    ``blocks`` is the block of each cluster, and -1 for other clusters and for outliers, which are
    set apart.
    """

    sets: Integers
    labels: list[str]
    centres: Floats
    blocks: Integers

    @property
    def edges(self) -> Floats:
        """Where cells begin and end; between clusters and what is set apart, the gap is a cell."""
        return np.unique(np.round(np.concatenate((self.centres - 0.5, self.centres + 0.5)), 9))


def heat_map(
    comparison: Comparison,
    *,
    values: Literal["share", "similarity"] = "share",
    top: int = 25,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw how many objects the clusters of two sides share.

    Clusters are in blocks: each one is in the block of its best match, so what was split is wide
    and what was merged is high. The costliest blocks come first. The other clusters and the
    outliers are set apart, in grey.

    Parameters
    ----------
    comparison : Comparison
        The result of `coverlap.compare`.
    values : {"share", "similarity"}
        What the shades show: the share of the objects of a left cluster that are in a right one,
        or the similarity of the two.
    top : int
        Largest number of clusters of each side, those of the costliest blocks. All others are one
        more row and column.
    ax : Axes, optional
        Axes of matplotlib to draw on; by default those of a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> import coverlap as cv
    >>> result = cv.compare(list("AAAABBC"), [1, 1, 2, 2, 3, 3, -1], names=("old", "new"))
    >>> ax = cv.plot.heat_map(result)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['A (4)', 'C (1)', 'B (2)']
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['1 (2)', '2 (2)', '3 (2)', 'outliers (1)']
    """
    check_result(comparison, Comparison, "compare")
    check_option("values", values, ("share", "similarity"))
    check_integer("top", top, 1)
    with all_threads(comparison.difference.threads):
        layout = heat_map_of(comparison, top)
        counts = comparison.changes().counts
    rows, columns = _axes(comparison, layout)
    sheet = Sheet(ax, 2.6 + _inches(columns), 2.2 + _inches(rows))
    if not len(rows.sets) or not len(columns.sets):
        return sheet.say(f"{headline(comparison)}: there are no objects")
    shown = _values(comparison, layout, values)[np.ix_(rows.sets, columns.sets)]
    cells = _draw_cells(sheet, rows, columns, shown)
    left, right = (name_text(side) for side in comparison.sides)
    what = f"share of the cluster of {left}"
    if values == "similarity":
        what = f"similarity ({comparison.options.similarity})"
    sheet.add_colour_bar(cells, what, "{x:.0%}")
    _draw_blocks(sheet, rows, columns)
    sheet.ax.tick_params(length=0)
    sheet.label_axes(right, left)
    places = columns.centres, rows.centres
    note = label_cells(sheet, *places, columns.labels, rows.labels)
    if sheet.points()[0] / (columns.centres[-1] + 1) >= NUMBER_WIDTH:
        shades = np.where(_apart(rows, columns), shown / PALE, shown)
        write_numbers(sheet, *places, np.vectorize(_number)(shown), shades)
    message = f"{headline(comparison)}: {_message(counts)}"
    return sheet.finish(message, _note(comparison, layout), note)


def _apart(rows: Axis, columns: Axis) -> NDArray[np.bool_]:
    """Return which cells are of other clusters or of outliers."""
    return np.asarray((rows.blocks[:, None] < 0) | (columns.blocks < 0))


def _axes(comparison: Comparison, layout: HeatMap) -> tuple[Axis, Axis]:
    """Return what is along the two axes, from top to bottom and from left to right."""
    order, (left_names, right_names) = layout.order, comparison.cluster_names
    return (
        _axis(left_names, order.left, order.left_blocks, layout.left_sizes, layout.n_other_left),
        _axis(
            right_names, order.right, order.right_blocks, layout.right_sizes, layout.n_other_right
        ),
    )


def _axis(
    names: list[Any], clusters: Integers, blocks: Integers, sizes: Integers, n_others: int
) -> Axis:
    n = len(clusters)
    texts = [name_text(names[cluster]) for cluster in clusters.tolist()]
    texts += [f"{n_others:,} more", "outliers"]
    apart = [place for place in (n, n + 1) if sizes[place]]
    sets = np.array([*range(n), *apart], np.int64)
    return Axis(
        sets, [f"{texts[place]} ({sizes[place]:,})" for place in sets],
        np.concatenate((np.arange(n), n + GAP + np.arange(len(apart)))),
        np.append(blocks, [-1] * len(apart)),
    )  # fmt: skip


def _inches(axis: Axis) -> float:
    return float(np.clip(0.3 * len(axis.sets), 3, 8))


def _values(comparison: Comparison, layout: HeatMap, values: str) -> Floats:
    if values == "share":
        return layout.shares()
    form = comparison.difference.form
    if form is None:
        raise UndefinedError(
            'a user-defined similarity is known for best matches only; say values="share"'
        )
    return layout.similarities(form)


def _draw_cells(sheet: Sheet, rows: Axis, columns: Axis, shown: Floats) -> Any:
    """Draw the cells of other sets in grey and those of clusters in blue, and return these."""
    apart, x, y = _apart(rows, columns), columns.edges, rows.edges
    places = np.searchsorted(y, rows.centres) - 1, np.searchsorted(x, columns.centres) - 1
    for hidden, shades, darkest in ((~apart, "Greys", PALE), (apart, SHADES, 1.0)):
        cells = np.full((len(y) - 1, len(x) - 1), np.nan)
        cells[np.ix_(*places)] = np.where(hidden, np.nan, shown)
        mesh = sheet.ax.pcolormesh(
            x, y, np.ma.masked_invalid(cells), cmap=shades, vmin=0, vmax=darkest,
            edgecolors="white", linewidth=0.3,
        )  # fmt: skip
    sheet.ax.set_xlim(x[0], x[-1])
    sheet.ax.set_ylim(y[-1], y[0])
    sheet.ax.spines[:].set_visible(False)
    return mesh


def _draw_blocks(sheet: Sheet, rows: Axis, columns: Axis) -> None:
    """Draw a frame around each block."""
    from matplotlib.patches import Rectangle

    for block in np.intersect1d(rows.blocks, columns.blocks):
        if block < 0:
            continue
        y, x = (axis.centres[axis.blocks == block] for axis in (rows, columns))
        corner = x[0] - 0.5, y[0] - 0.5
        sheet.ax.add_patch(
            Rectangle(
                corner, len(x), len(y), fill=False, edgecolor=INK, linewidth=0.6, clip_on=False
            )
        )


def _number(value: float) -> str:
    """Return a percentage, or nothing if it rounds to 0."""
    return f"{100 * value:.0f}" if value >= 0.005 else ""


def _message(counts: Mapping[str, int]) -> str:
    """Return the most frequent changes of clusters."""
    found = sorted((word for word in counts if counts[word]), key=lambda word: -counts[word])
    words = [f"{counts[word]:,} {word}" for word in found[:MOST_WORDS]]
    return ", ".join([*words, "…"] if len(found) > MOST_WORDS else words) or "no clusters"


def _note(comparison: Comparison, layout: HeatMap) -> str:
    """Return how many clusters are shown if these are not all."""
    if not layout.n_other_left + layout.n_other_right:
        return ""
    shown = " and ".join(
        f"{n - n_others:,} of {n:,} clusters of {name_text(side)}"
        for side, n, n_others in zip(
            comparison.sides, comparison.n_clusters, (layout.n_other_left, layout.n_other_right),
            strict=True,
        )
    )  # fmt: skip
    return f"the costliest blocks, {shown}"
