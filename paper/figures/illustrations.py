"""Illustrations of the five scenarios, by small clusterings generated in the same way."""

from collections.abc import Sequence
from math import ceil, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

import coverlap as cv
from paper.experiments.experiment import Floats
from paper.figures.style import CLUSTER_COLOURS
from paper.generate import GeometricClusters, geometric_clusters, skewed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SEED = 23
"""Gives clusters of 20, 10, 4 and 2 objects in the illustration of uneven sizes."""

GAP = 0.6
"""Distance between the clusters of a partition; that between its dots is 1."""

PARTITION_DISTANCE = 10.4
"""Distance between the centres of neighbouring partitions."""

DISC_DISTANCE = 2.3
"""Distance between the centres of neighbouring discs, whose radius is 1."""

DOT_RADIUS = 0.045
"""Radius of a dot in a disc."""

GROWING = (9, 13, 14)
"""Clusters that are shown in the illustration of overlap."""


class Box(NamedTuple):
    """A grid of dots, one per object of a cluster; its upper left dot is at x and y."""

    x: float
    y: float
    columns: int
    rows: int


def draw_partitions(axes: "Axes", scenario: str) -> None:
    """Draw the given clustering of scenario 1, 2 or 3 and two others, to be compared with it.

    Dots are objects and boxes are clusters; the colour is that of the object's given cluster.
    """
    given = cv.generate.equal_partition(36, len(CLUSTER_COLOURS))
    mixed = cv.generate.shuffled(given, seed=SEED)
    stages = {
        "shuffle": (("half", cv.generate.shuffled(given, 0.5, seed=SEED)), ("all", mixed)),
        "skew": (("even", mixed), ("uneven", skewed(mixed, 150, seed=SEED))),
        "number": (("4 clusters", mixed), ("36 clusters", cv.generate.equal_partition(36, 36))),
    }[scenario]
    for place, (title, clustering) in enumerate((("given", given), *stages)):
        _draw_boxes(axes, PARTITION_DISTANCE * place, clustering, given)
        axes.text(PARTITION_DISTANCE * place, -5.6, title, ha="center", va="top", fontsize=7)
    axes.axvline(PARTITION_DISTANCE / 2, 0.2, 0.95, color="0.6", linewidth=0.6)
    _draw_arrow(axes, 1.5 * PARTITION_DISTANCE - 0.6)
    _set_limits(axes, (-PARTITION_DISTANCE / 2, 2.5 * PARTITION_DISTANCE), (-7.2, 5))


def _draw_boxes(
    axes: "Axes", middle: float, clustering: cv.Clustering, given: cv.Clustering
) -> None:
    labels = given.to_labels()
    clusters = sorted(clustering.to_clusters(), key=len, reverse=True)
    boxes = pack_in_square([len(cluster) for cluster in clusters])
    left = middle - (max(box.x + box.columns for box in boxes) - 1) / 2
    top = (max(box.y + box.rows for box in boxes) - 1) / 2
    for box, cluster in zip(boxes, clusters, strict=True):
        members = sorted(cluster, key=lambda one: (labels[one], one))
        _draw_box(
            axes,
            (left + box.x, top - box.y),
            box,
            [CLUSTER_COLOURS[labels[one]] for one in members],
        )


def _draw_box(axes: "Axes", corner: tuple[float, float], box: Box, colours: Sequence[str]) -> None:
    from matplotlib.patches import FancyBboxPatch

    x, y = corner
    frame = FancyBboxPatch(
        (x - 0.5, y - box.rows + 0.5), box.columns, box.rows,
        boxstyle="round,pad=0.12,rounding_size=0.4",
        facecolor="0.95", edgecolor="0.6", linewidth=0.5,
    )  # fmt: skip
    axes.add_patch(frame)
    places = [(x + i % box.columns, y - i // box.columns) for i in range(len(colours))]
    _draw_dots(axes, np.array(places), colours, 0.4)


def _draw_dots(axes: "Axes", places: Floats, colours: Sequence[str], radius: float) -> None:
    from matplotlib.collections import EllipseCollection

    dots = EllipseCollection(
        [2 * radius], [2 * radius], [0], units="xy",
        offsets=places, offset_transform=axes.transData,
        facecolors=list(colours), edgecolors="0.25", linewidths=0.25,
    )  # fmt: skip
    axes.add_collection(dots)


def pack_in_square(sizes: Sequence[int]) -> list[Box]:
    """Place grids of dots in rows so that all fit into a small square."""
    widest = sum(size + GAP for size in sizes)
    layouts = [pack_in_rows(sizes, width) for width in np.arange(1, widest + 1, 0.5)]
    return min(
        layouts, key=lambda boxes: max(max(box.x + box.columns, box.y + box.rows) for box in boxes)
    )


def pack_in_rows(sizes: Sequence[int], width: float) -> list[Box]:
    """Place grids of dots from left to right in rows of limited width."""
    boxes: list[Box] = []
    x = y = below = 0.0
    for size in sizes:
        columns = next(n for n in range(ceil(sqrt(size)), size + 1) if size % n == 0)
        rows = size // columns
        if x and x + columns > width:
            x, y = 0.0, below
        boxes.append(Box(x, y, columns, rows))
        x += columns + GAP
        below = max(below, y + rows + GAP)
    return boxes


def draw_discs(axes: "Axes", scenario: str) -> None:
    """Draw three stages of scenario 4 or 5, in which clusters grow or lose objects."""
    disc = geometric_clusters([12] * 16, seed=SEED)
    stages = {
        "overlap": (("factor 1", 1), ("factor 3\n(reference)", 3), ("factor 6", 6)),
        "outliers": (("none removed", 0), ("0.5 removed\n(reference)", 0.5), ("0.9 removed", 0.9)),
    }[scenario]
    draw = {"overlap": _draw_grown, "outliers": _draw_shrunk}[scenario]
    for place, (title, degree) in enumerate(stages):
        moved = GeometricClusters(disc.points + np.array([DISC_DISTANCE * place, 0]), disc.primary)
        draw(axes, moved, degree)
        axes.text(DISC_DISTANCE * place, -1.15, title, ha="center", va="top", fontsize=7)
    _set_limits(axes, (-1.1, 5.7), (-1.75, 1.05))


def _draw_grown(axes: "Axes", disc: GeometricClusters, factor: float) -> None:
    """Draw a few clusters as regions; the objects they began with are coloured."""
    _draw_dots(axes, disc.points, ["0.85"], DOT_RADIUS)
    first, grown = disc.primary.to_clusters(), disc.grown(factor).to_clusters()
    for colour, cluster in zip(CLUSTER_COLOURS, GROWING, strict=False):
        _draw_hull(axes, disc.points[sorted(grown[cluster])], colour, colour)
    for colour, cluster in zip(CLUSTER_COLOURS, GROWING, strict=False):
        _draw_dots(axes, disc.points[sorted(first[cluster])], [colour], DOT_RADIUS)


def _draw_shrunk(axes: "Axes", disc: GeometricClusters, share: float) -> None:
    """Draw all clusters as regions; outliers are white."""
    _draw_dots(axes, disc.points, ["white"], DOT_RADIUS)
    for number, cluster in disc.shrunk(share).to_dict().items():
        members, colour = sorted(cluster), CLUSTER_COLOURS[number % len(CLUSTER_COLOURS)]
        _draw_hull(axes, disc.points[members], colour, "0.4")
        _draw_dots(axes, disc.points[members], [colour], DOT_RADIUS)


def _draw_hull(axes: "Axes", points: Floats, colour: str, edge: str) -> None:
    """Draw the convex hull of at least three points."""
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Polygon
    from scipy.spatial import ConvexHull

    if len(points) < 3:
        return
    corners: NDArray[np.int64] = ConvexHull(points).vertices
    region = Polygon(
        points[corners], facecolor=to_rgba(colour, 0.25), edgecolor=edge,
        linewidth=0.7, joinstyle="round",
    )  # fmt: skip
    axes.add_patch(region)


def _draw_arrow(axes: "Axes", middle: float) -> None:
    axes.annotate(
        "", (middle + 0.9, 0), (middle - 0.9, 0),
        arrowprops={"arrowstyle": "->", "color": "0.3", "shrinkA": 0, "shrinkB": 0},
    )  # fmt: skip


def _set_limits(axes: "Axes", x: tuple[float, float], y: tuple[float, float]) -> None:
    axes.set(xlim=x, ylim=y)
    axes.set_aspect("equal")
    axes.set_axis_off()
