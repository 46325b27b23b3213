"""Where the objects of clusters go, through two or more clusterings."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from coverlap.core.align import Rules
from coverlap.core.checks import check_integer
from coverlap.core.errors import InputError
from coverlap.core.threads import all_threads
from coverlap.core.wording import quantity
from coverlap.counting.many import collect
from coverlap.pictures.alluvial import Alluvial, Band, Node, largest_clusters, lay_out_alluvial
from coverlap.plot.style import HATCH, INK, OUTLIERS, PALETTE, SMALL, Sheet, headline
from coverlap.plot.texts import name_text, percent
from coverlap.results.comparison import Comparison
from coverlap.results.pairwise import PairwiseScores
from coverlap.results.pictures import alluvial_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation

WIDTH = 0.04
"""Width of a node; neighbouring layers are at distance 1."""

OTHERS = "0.88"
"""Grey of the other clusters together."""

DISTANCE = 4
"""Distance from a node to its label in points."""

LEAST_LINE = 0.8
"""Least distance of two labels, as a share of their height."""

LEAST_SHARE = 0.3
"""Share of the width that bands have, however long the labels are."""


class Layers(NamedTuple):
    """What is drawn: the layout, the names of the clusterings and clusters, and the message."""

    layout: Alluvial
    names: list[str]
    cluster_names: list[list[Any]]
    message: str
    chosen: str


def alluvial(clusterings: Any, *, top: int = 12, ax: "Axes | None" = None) -> "Axes":
    """Draw where the objects of each cluster go.

    Every clustering is a column of bars, whose heights are the sizes of its clusters, and bands
    are the objects that two clusters share. Clusters that are each other's best match have the
    same colour. All other clusters together are light grey, and outliers are hatched.

    Parameters
    ----------
    clusterings : Comparison, PairwiseScores, or several clusterings
        The result of `coverlap.compare`, or two and more clusterings from left to right: that of
        `coverlap.pairwise`, or whatever it takes, such as a dict of labels by name.
    top : int
        Largest number of clusters of each clustering: the costliest of a comparison, else the
        largest.
    ax : Axes, optional
        Axes of matplotlib to draw on; by default those of a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> import coverlap as cv
    >>> coarse, fine = list("AAAAABB"), list("aaabbcc")
    >>> ax = cv.plot.alluvial({"coarse": coarse, "fine": fine})
    >>> [text.get_text() for text in ax.texts]
    ['A (5)', 'a (3)', 'B (2)', 'b (2)', 'c (2)']
    >>> ax.get_title(loc="left")
    '2 clusterings of 7 objects'
    """
    check_integer("top", top, 1)
    layers = _layers(clusterings, top)
    n_layers = len(layers.names)
    sheet = Sheet(ax, 2.4 + 2.4 * n_layers, 5)
    if not layers.layout.nodes:
        return sheet.say(f"{layers.message}: there are no objects")
    sheet.ax.set_xlim(-1, n_layers)
    sheet.ax.set_ylim(1, 0)
    bands = layers.layout.bands
    for band in sorted(bands, key=lambda band: layers.layout.nodes[band.left].colour >= 0):
        _draw_band(sheet, layers.layout.nodes, band)
    for node in layers.layout.nodes:
        _draw_node(sheet, node)
    sheet.ax.set_xticks(range(n_layers), layers.names, fontsize=SMALL)
    sheet.ax.set_yticks([])
    sheet.ax.tick_params(length=0)
    sheet.ax.spines[:].set_visible(False)
    return sheet.finish(layers.message, *_notes(layers), _label(sheet, layers))


def _layers(clusterings: Any, top: int) -> Layers:
    if isinstance(clusterings, Comparison):
        return _of_comparison(clusterings, top)
    given = (
        clusterings.clusterings
        if isinstance(clusterings, PairwiseScores)
        else collect(clusterings, None, Rules())
    )
    if len(given.names) < 2:
        raise InputError("an alluvial picture needs at least two clusterings")
    sides = given.on_all_objects()
    layout = lay_out_alluvial(sides, [largest_clusters(side, top) for side in sides])
    n_objects, numbers = quantity(sides[0].n_objects, "object"), [s.n_clusters for s in sides]
    return Layers(
        layout, _titles(given.names, numbers), [side.names for side in sides],
        f"{len(sides):,} clusterings of {n_objects}", "largest",
    )  # fmt: skip


def _titles(names: Sequence[Any], numbers: Sequence[int]) -> list[str]:
    """Return the titles of the layers: the names and numbers of clusters of the clusterings."""
    return [
        f"{name_text(name)}\n{quantity(n, 'cluster')}"
        for name, n in zip(names, numbers, strict=True)
    ]


def _of_comparison(comparison: Comparison, top: int) -> Layers:
    with all_threads(comparison.difference.threads):
        layout, message = alluvial_of(comparison, top), headline(comparison)
    if comparison.difference.form is not None and comparison.universe.n_objects:
        n_moved = comparison.objects(moved_only=True).n_moved
        share = percent(n_moved / comparison.universe.n_objects)
        message += f": {share} of the objects moved" if n_moved else ": no object moved"
    names = _titles(comparison.sides, comparison.n_clusters)
    return Layers(layout, names, [*comparison.cluster_names], message, "costliest")


def _draw_node(sheet: Sheet, node: Node) -> None:
    from matplotlib.patches import Rectangle

    sheet.ax.add_patch(
        Rectangle(
            (node.layer - WIDTH / 2, node.begin), WIDTH, node.end - node.begin,
            facecolor=_colour(node), edgecolor=INK, linewidth=0.4, zorder=3,
            hatch=HATCH if node.kind == "outliers" else None,
        )
    )  # fmt: skip


def _colour(node: Node) -> str:
    if node.colour >= 0:
        return PALETTE[node.colour]
    return OUTLIERS if node.kind == "outliers" else OTHERS


def _draw_band(sheet: Sheet, nodes: list[Node], band: Band) -> None:
    """Draw a band in the colour of its left node."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    left = nodes[band.left].layer + WIDTH / 2
    right = nodes[band.right].layer - WIDTH / 2
    middle = (left + right) / 2
    corners = [
        (left, band.left_begin), (middle, band.left_begin), (middle, band.right_begin),
        (right, band.right_begin), (right, band.right_end), (middle, band.right_end),
        (middle, band.left_end), (left, band.left_end), (left, band.left_begin),
    ]  # fmt: skip
    codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
    sheet.ax.add_patch(
        PathPatch(
            Path(corners, codes), facecolor=_colour(nodes[band.left]), alpha=0.45, linewidth=0
        )
    )


def _label(sheet: Sheet, layers: Layers) -> str:
    """Label the nodes, make the axes as wide as that needs, and return a note on those left out.

    Labels are left of the first layer and right of the others; large nodes come first.
    """
    sheet.lay_out()
    width, height = sheet.points()
    last, n_left_out = len(layers.names) - 1, 0
    texts: list[list[Annotation]] = [[] for _ in layers.names]
    for node in sorted(layers.layout.nodes, key=lambda node: -node.n_objects):
        text = _write_label(sheet, node, layers)
        room = sheet.size_of(text)[1] / height
        if any(abs(text.xy[1] - other.xy[1]) < LEAST_LINE * room for other in texts[node.layer]):
            text.remove()
            n_left_out += 1
        else:
            texts[node.layer].append(text)
    first, final = (
        max(sheet.size_of(text)[0] for text in side) + 2 * DISTANCE if side else 0
        for side in (texts[0], texts[-1])
    )
    unit = last / max(width - first - final, LEAST_SHARE * width)
    sheet.ax.set_xlim(-WIDTH - unit * first, last + WIDTH + unit * final)
    return f"{quantity(n_left_out, 'label')} left out" if n_left_out else ""


def _write_label(sheet: Sheet, node: Node, layers: Layers) -> "Annotation":
    side = -1 if node.layer == 0 else 1
    inside = 0 < node.layer < len(layers.names) - 1
    text = sheet.write(
        node.layer + side * WIDTH / 2, (node.begin + node.end) / 2,
        f"{_name(node, layers)} ({node.n_objects:,})", xytext=(DISTANCE * side, 0),
        textcoords="offset points", va="center", ha="right" if side < 0 else "left", zorder=4,
        bbox={"facecolor": "white", "alpha": 0.6, "edgecolor": "none", "pad": 0.5}
        if inside else None,
    )  # fmt: skip
    text.set_in_layout(False)
    return text


def _name(node: Node, layers: Layers) -> str:
    if node.kind == "cluster":
        return name_text(layers.cluster_names[node.layer][node.cluster])
    return "outliers" if node.kind == "outliers" else quantity(node.n_clusters, "more cluster")


def _notes(layers: Layers) -> list[str]:
    """Return what is pooled, left out, or not to scale."""
    layout, notes = layers.layout, []
    if any(node.kind == "others" for node in layout.nodes):
        n_shown = max(
            sum(node.layer == layer and node.kind == "cluster" for node in layout.nodes)
            for layer in range(len(layers.names))
        )
        notes.append(f"at most {n_shown} clusters of each, the {layers.chosen}")
    if any(node.scale < 1 for node in layout.nodes):
        notes.append("grey bars are not to scale")
    if layout.n_hidden:
        bands, objects = quantity(layout.n_hidden, "thin band"), layout.n_hidden_objects
        notes.append(f"{bands} ({quantity(objects, 'object')}) left out")
    return notes
