"""Comparisons of all kinds and sizes, and what must hold for texts of every picture."""

from itertools import combinations

import numpy as np
from matplotlib.text import Annotation, Text

import coverlap as cv

LONG = "a very long name, with $\\frac_{}$ for 5$ and\na second line: 細胞"


def compare_random(n_clusters):
    """Compare skewed clusters with what is left after splits, merges, moves and losses."""
    rng = np.random.default_rng(0)
    left = (n_clusters * rng.random(30 * n_clusters) ** 2).astype(int)
    draw, kind = rng.random(left.shape), left % 5
    right = left - (kind == 1)  # merged with the one before
    right[(kind == 2) & (draw < 0.4)] += n_clusters
    right[(kind == 3) & (draw < 0.7)] = -1
    right[draw > 0.93] = rng.permutation(right[draw > 0.93])
    left[draw < 0.05] = -1
    return cv.compare(left, right, names=("truth", "found"))


ODD = {
    "equal": lambda: cv.compare([0, 0, 1, 1, 2], [0, 0, 1, 1, 2]),
    "no clusters on the right": lambda: cv.compare([0, 0, 1, 1, 2], [-1] * 5),
    "no clusters, which count": lambda: cv.compare([0, 0, 1, 1], [-1] * 4, outliers=False),
    "only outliers": lambda: cv.compare([-1] * 5, [-1] * 5),
    "no objects": lambda: cv.compare([], []),
    "one cluster and an outlier": lambda: cv.compare([0] * 5, [0] * 4 + [-1]),
    "long names": lambda: cv.compare(
        [LONG.format(i % 6) for i in range(60)],
        [LONG.format(i % 6 // 2 + (i % 7 == 0)) + " found" for i in range(60)],
        names=("left $side$ " * 9, "right 細胞"),
    ),
    "overlaps": lambda: cv.compare([{0, 1, 2}, {2, 3}], [{0, 1}, {1, 2, 3}], universe=range(6)),
}


def drawn_texts(ax):
    """Return the visible texts of axes, with those of their legend and of other axes (scales)."""
    texts = [text for axes in ax.figure.axes for text in axes.findobj(Text)]
    return [text for text in texts if text.get_visible() and text.get_text().strip()]


def said(ax):
    return [text.get_text() for text in drawn_texts(ax)]


def check_texts(ax):
    """Raise an error if texts overlap, or are cut off at the edge of the figure."""
    ax.figure.draw_without_rendering()
    width, height = ax.figure.canvas.get_width_height()
    boxes = []
    for text in drawn_texts(ax):
        box = Text.get_window_extent(text) if isinstance(text, Annotation) else None
        box = box or text.get_window_extent()
        if not is_drawn(ax, text):
            continue
        inside = box.x0 > -1 and box.y0 > -1 and box.x1 < width + 1 and box.y1 < height + 1
        assert inside, f"cut off: {text.get_text()!r}"
        boxes.append((text.get_text(), box))
    for (one, box), (other, other_box) in combinations(boxes, 2):
        across = min(box.x1, other_box.x1) - max(box.x0, other_box.x0)
        up = min(box.y1, other_box.y1) - max(box.y0, other_box.y0)
        assert min(across, up) < 1.5, f"{one!r} and {other!r} overlap"


def is_drawn(ax, text):
    """Return whether a label of a tick is inside the limits of its axis; other texts are drawn."""
    for axes in ax.figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
                if text in {tick.label1, tick.label2}:
                    low, high = sorted(axis.get_view_interval())
                    return low <= tick.get_loc() <= high
    return True
