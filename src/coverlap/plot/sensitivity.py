"""How much each measure depends on the treatment of outliers."""

from typing import TYPE_CHECKING, Any, NamedTuple

from coverlap.core.wording import quantity
from coverlap.measures.registry import MEASURES
from coverlap.plot.style import INK, PALETTE, REST, Sheet, check_result
from coverlap.plot.texts import percent, score_text
from coverlap.results.scores import OutlierSensitivity
from coverlap.results.text import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Style(NamedTuple):
    """How the scores of a treatment are drawn, and how far above or below the line."""

    text: str
    marker: str
    colour: str
    shift: float


STYLES: dict[str | None, Style] = {
    None: Style("outliers as they are", "o", PALETTE[0], -0.21),
    "singletons": Style("as singletons", "^", PALETTE[1], -0.07),
    "cluster": Style("as one cluster", "s", PALETTE[3], 0.07),
    "drop": Style("dropped", "X", PALETTE[2], 0.21),
}

LONGEST_REASON = 80
"""Columns of a terminal that the reason why a measure is undefined may take."""


def sensitivity(result: OutlierSensitivity, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the range of each measure over the treatments of outliers.

    Parameters
    ----------
    result : OutlierSensitivity
        The result of `coverlap.outlier_sensitivity`.
    ax : Axes, optional
        Axes of matplotlib to draw on; by default those of a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> import coverlap as cv
    >>> ax = cv.plot.sensitivity(cv.outlier_sensitivity([0, 0, 1, 1, -1], [0, 0, 1, -1, -1]))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['F*_wo', 'Adjusted Rand index', 'Adjusted mutual information', 'Normalised mutual information']
    """
    check_result(result, OutlierSensitivity, "outlier_sensitivity")
    sheet = Sheet(ax, 7, 1.3 + 0.42 * max(len(result.scores), 2))
    for place, measure in enumerate(result.scores):
        _draw_range(sheet, place, result, measure)
    names = [MEASURES[measure].title for measure in result.scores]
    sheet.label_rows(names)
    sheet.ax.set_ylim(len(names) - 0.4, -0.6)
    sheet.ax.margins(x=0.15)
    sheet.ax.grid(axis="x", color="0.9", linewidth=0.5)
    sheet.ax.set_axisbelow(True)
    sheet.label_axes("score")
    _add_legend(sheet, result)
    left, right = (percent(n / max(result.n_objects, 1)) for n in result.n_outliers)
    note = f"outliers: {left} of {quantity(result.n_objects, 'object')} on the left, {right} on the"
    return sheet.finish(_message(result), f"{note} right")


def _draw_range(sheet: Sheet, place: int, result: OutlierSensitivity, measure: str) -> None:
    scores = {key: value for key, value in result.scores[measure].items() if value is not None}
    if not scores:
        reason = shortened(result.reasons[measure], LONGEST_REASON)
        sheet.write(0.02, place, reason, va="center", xycoords=("axes fraction", "data"))
        return
    low, high = min(scores.values()), max(scores.values())
    sheet.ax.plot([low, high], [place, place], color=REST, linewidth=5, solid_capstyle="round")
    for key, score in scores.items():
        style = STYLES[key]
        sheet.ax.plot(score, place + style.shift, **_marker(style))
    for score, direction in ((low, -1), (high, 1))[low == high :]:
        sheet.write(
            score, place, score_text(score), xytext=(9 * direction, 0), va="center",
            ha="left" if direction > 0 else "right", textcoords="offset points",
        )  # fmt: skip


def _marker(style: Style) -> dict[str, Any]:
    return {
        "marker": style.marker, "color": style.colour, "linestyle": "", "markersize": 6.5,
        "markeredgecolor": INK, "markeredgewidth": 0.5,
    }  # fmt: skip


def _add_legend(sheet: Sheet, result: OutlierSensitivity) -> None:
    from matplotlib.lines import Line2D

    used = {
        key for row in result.scores.values() for key, value in row.items() if value is not None
    }
    sheet.add_legend([
        Line2D([], [], label=style.text, **_marker(style))
        for key, style in STYLES.items()
        if key in used
    ])  # fmt: skip


def _message(result: OutlierSensitivity) -> str:
    spreads = {measure: result.spread(measure) or 0.0 for measure in result.scores}
    most = max(spreads, key=lambda measure: spreads[measure], default=None)
    if most is None or spreads[most] == 0:
        return "The treatment of outliers changes no score"
    scores = [score for score in result.scores[most].values() if score is not None]
    return (
        f"{MEASURES[most].title}: {score_text(min(scores))} to {score_text(max(scores))}, "
        "depending on the treatment of outliers"
    )
