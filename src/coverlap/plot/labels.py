"""Labels beside points, placed so that they overlap neither each other nor, if possible, points."""

from itertools import product
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.plot.style import INK, Sheet

if TYPE_CHECKING:
    from matplotlib.text import Annotation

DISTANCES = (3, 14, 28, 44, 64)
"""Distances of labels from their points that are tried, in points; a line leads to all but the
nearest."""

DIRECTIONS = [(1, 0), (-1, 0), (1, 0.7), (-1, 0.7), (1, -0.7), (-1, -0.7), (0, 1), (0, -1)]

SAME = 4
"""Distance in points below which two points can have one label, if it is the same text."""

COST_OF_DISTANCE = 0.05
"""What a distance of one point costs; a mark that a label touches costs 1."""

Floats = NDArray[np.float64]


class Box(NamedTuple):
    """A rectangle on the canvas, in pixels."""

    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: "Box") -> bool:
        """Return whether two rectangles overlap."""
        return (
            self.left < other.right and other.left < self.right
            and self.bottom < other.top and other.bottom < self.top
        )  # fmt: skip

    def holds(self, other: "Box") -> bool:
        """Return whether the other rectangle is inside."""
        return (
            self.left <= other.left and other.right <= self.right
            and self.bottom <= other.bottom and other.top <= self.top
        )  # fmt: skip

    def count(self, marks: Floats) -> int:
        """Return how many circles, given by rows of x, y and radius, it touches."""
        x, y, radius = marks.T
        across = (x + radius > self.left) & (x - radius < self.right)
        return int(np.count_nonzero(across & (y + radius > self.bottom) & (y - radius < self.top)))


def place_labels(sheet: Sheet, points: Floats, texts: list[str]) -> int:
    """Label the first points, and return how many labels found a place.

    Parameters
    ----------
    sheet : Sheet
        Its scales and limits must be set.
    points : array of shape (n, 3)
        All points, which labels avoid: their places in units of the data, and radii in points.
    texts : list of str
        One for each of the first points.
    """
    sheet.lay_out()
    pixels = sheet.ax.figure.dpi / 72
    marks = np.column_stack(
        (sheet.ax.transData.transform(points[:, :2]), points[:, 2] * pixels)
    )  # fmt: skip
    n_labelled = 0
    room = Box(*sheet.ax.get_window_extent().extents)
    taken: list[Box] = []
    places: dict[str, list[Floats]] = {}
    for (x, y, _), mark, text in zip(points, marks, texts, strict=False):
        if any(np.abs(mark - other).max() < SAME * pixels for other in places.get(text, [])):
            n_labelled += 1  # by the same label as a point at the same place
            continue
        label = sheet.write(x, y, text, textcoords="offset points", xytext=(0, 0), zorder=5)
        found = _best_place(label, mark, room, taken, marks)
        if found is None:
            label.remove()
            continue
        box, distance = found
        taken.append(box)
        places.setdefault(text, []).append(mark)
        n_labelled += 1
        label.set_position(((box.left - mark[0]) / pixels, (box.bottom - mark[1]) / pixels))
        if distance > DISTANCES[0]:
            nearest = np.clip(mark[:2], box[:2], box[2:]) - mark[:2]
            sheet.ax.annotate(
                "", (x, y), nearest / pixels, textcoords="offset points", zorder=4,
                arrowprops={"arrowstyle": "-", "color": INK, "linewidth": 0.5, "shrinkB": 0},
            )  # fmt: skip
    return n_labelled


def _best_place(
    label: "Annotation", mark: Floats, room: Box, taken: list[Box], marks: Floats
) -> tuple[Box, float] | None:
    """Return the box of the best free place and its distance from the mark in points."""
    extent, pixels = label.get_window_extent(), label.figure.dpi / 72
    width, height = extent.width, extent.height
    x, y, radius = mark.tolist()
    best, least = None, inf
    for distance, (right, up) in product(DISTANCES, DIRECTIONS):
        away = radius + distance * pixels
        left = x + right * away - width * (1 - np.sign(right)) / 2
        bottom = y + up * away - height * (1 - np.sign(up)) / 2
        box = Box(left, bottom, left + width, bottom + height)
        if not room.holds(box) or any(box.meets(other) for other in taken):
            continue
        cost = box.count(marks) + COST_OF_DISTANCE * distance
        if cost < least:
            best, least = (box, distance), cost
    return best
