"""Scores of many clusterings with each other, as a matrix of shades."""

from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from coverlap.core.checks import check_option
from coverlap.core.wording import quantity
from coverlap.measures.registry import MEASURES
from coverlap.plot.cells import label_cells, write_numbers
from coverlap.plot.style import ACCENT, SHADES, Sheet, check_result
from coverlap.plot.texts import name_text, score_text
from coverlap.results.pairwise import PairwiseScores

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

Floats = NDArray[np.float64]

MOST_OPTIMAL = 1_000
"""Number of clusterings up to which their order is optimal: 1,000 take 1 s, and 4,000 72 s."""

NUMBER_WIDTH = 24
"""Least width of a cell with a number, in points."""


def matrix(
    pairwise: PairwiseScores,
    *,
    order: Literal["leaf", "given"] = "leaf",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the scores of many clusterings with each other; similar ones are neighbours.

    The clustering most similar to the others, the medoid, has a frame. Darker always means more
    similar.

    Parameters
    ----------
    pairwise : PairwiseScores
        The result of `coverlap.pairwise`.
    order : {"leaf", "given"}
        "leaf" is the order of the leaves of a tree of clusterings (average linkage) in which
        neighbours are most similar; "given" is that of the result. With a reference, "leaf"
        means the most similar first.
    ax : Axes, optional
        Axes of matplotlib to draw on; by default those of a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> import coverlap as cv
    >>> runs = {"a": [0, 0, 1, 1], "b": [0, 1, 2, 3], "c": [0, 0, 1, 2]}
    >>> ax = cv.plot.matrix(cv.pairwise(runs))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['b', 'c', 'a']
    """
    check_result(pairwise, PairwiseScores, "pairwise")
    check_option("order", order, ("leaf", "given"))
    n_rows, n_columns = pairwise.matrix.shape
    side = min(max(0.5 * n_columns, 3.4), 6)
    sheet = Sheet(ax, side + 2.4, (side if n_rows > 1 else 0.6) + 1.7)
    columns = _leaf_order(pairwise) if order == "leaf" else np.arange(n_columns)
    rows = columns if n_rows == n_columns else np.arange(n_rows)
    scores = pairwise.matrix[np.ix_(rows, columns)]
    image = _draw_cells(sheet, scores, pairwise.measure)
    medoid = pairwise.medoid() if n_rows == n_columns > 1 else None
    if medoid is not None:
        _draw_frame(sheet, columns.tolist().index(pairwise.names.index(medoid)), n_columns)
    if n_rows > 1:
        sheet.add_colour_bar(image, MEASURES[pairwise.measure].title, "{x:g}")
    x, y = np.arange(float(n_columns)), np.arange(float(n_rows))
    texts = ([name_text(names[i]) for i in places]
             for names, places in ((pairwise.names, columns), (pairwise.rows, rows)))  # fmt: skip
    note = label_cells(sheet, x, y, *texts)
    if sheet.points()[0] / n_columns >= NUMBER_WIDTH:
        shades = np.asarray(image.norm(scores))
        shades = 1 - shades if image.cmap.name.endswith("_r") else shades
        write_numbers(sheet, x, y, np.vectorize(_number)(scores), shades)
    return sheet.finish(_message(pairwise), _note_on_medoid(pairwise, medoid), note)


def _leaf_order(pairwise: PairwiseScores) -> NDArray[np.int64]:
    """Return an order in which neighbours are similar, or that of the scores with a reference."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    scores = pairwise.matrix
    if MEASURES[pairwise.measure].identical != 0:
        scores = scores.max() - scores
    if len(scores) < len(pairwise.names) or len(scores) == 1:
        return np.argsort(scores[0], kind="stable")
    distances = (scores + scores.T) / 2
    np.fill_diagonal(distances, 0)
    tree = linkage(
        squareform(distances, checks=False), "average",
        optimal_ordering=len(distances) <= MOST_OPTIMAL,
    )  # fmt: skip
    return np.asarray(leaves_list(tree), np.int64)


def _draw_cells(sheet: Sheet, scores: Floats, measure: str) -> "AxesImage":
    """Draw the scores from 0 to the best or largest one, dark if clusterings are similar."""
    known = MEASURES[measure]
    low, high = min(0.0, float(scores.min())), max(known.range[1], float(scores.max()))
    if not isfinite(high):
        high = max(float(scores.max()), 1e-9)
    shades = f"{SHADES}_r" if known.identical == 0 else SHADES
    image = sheet.ax.imshow(
        scores, shades, vmin=low, vmax=high, aspect="auto", interpolation="nearest"
    )  # fmt: skip
    sheet.ax.spines[:].set_visible(False)
    return image


def _draw_frame(sheet: Sheet, place: int, n: int) -> None:
    """Draw a frame around the row and the column of the medoid."""
    from matplotlib.patches import Rectangle

    for corner, width, height in (((-0.5, place - 0.5), n, 1), ((place - 0.5, -0.5), 1, n)):
        sheet.ax.add_patch(
            Rectangle(corner, width, height, fill=False, color=ACCENT, linewidth=1.2, clip_on=False)
        )


def _number(score: float) -> str:
    return ">.99" if 0.995 <= score < 1 else f"{score:.2f}".replace("-0.00", "0.00")


def _note_on_medoid(pairwise: PairwiseScores, medoid: Any) -> str:
    if medoid is None:
        return ""
    mean = score_text(pairwise.mean_to_others()[medoid])
    return f"framed: {name_text(medoid)}, which is most similar to the others (mean {mean})"


def _message(pairwise: PairwiseScores) -> str:
    title, n = MEASURES[pairwise.measure].title, len(pairwise.names)
    if pairwise.mean is None:
        return f"{title} of {quantity(n, 'clustering')}"
    spread = "" if pairwise.sd is None else f" ± {score_text(pairwise.sd)}"
    mean = f"{score_text(pairwise.mean)}{spread}"
    if len(pairwise.rows) < n:
        return f"{title} with {name_text(pairwise.rows[0])}: mean {mean}"
    return f"Mean {title} of all pairs of {n:,} clusterings: {mean}"
