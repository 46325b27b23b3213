"""Distributions of the draws of baselines and of bootstrap intervals, with the score marked."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from coverlap.core.errors import InputError
from coverlap.core.wording import quantity
from coverlap.measures.registry import MEASURES
from coverlap.plot.style import ACCENT, INK, LEFT, OUTLIERS, Sheet, check_result
from coverlap.plot.texts import name_text, percent, score_text
from coverlap.results.inference import Baseline, Interval

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

Drawn = Baseline | Interval

HEIGHT = 0.62
"""Height of the highest bar of a histogram; the rows are at distance 1."""

MOST_BINS = 40


def distribution(results: Drawn | Mapping[Any, Drawn], *, ax: "Axes | None" = None) -> "Axes":
    """Draw the distribution of random scores, and the score of the data beside it.

    Each result has a row: the histogram of its draws, scaled to the same height, and the score as
    a diamond. Of a `Baseline`, a line marks the mean by chance; of an `Interval`, a bar marks its
    limits.

    Parameters
    ----------
    results : Baseline, Interval, or dict of these by name
        Results of `coverlap.baseline`, `coverlap.bootstrap` or `coverlap.bootstrap_difference`.
    ax : Axes, optional
        Axes of matplotlib to draw on; by default those of a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> import coverlap as cv
    >>> truth, found = [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 1, 1, 2, -1]
    >>> chance = cv.baseline(truth, found, n_draws=50, seed=0)
    >>> sure = cv.bootstrap(truth, found, n_draws=50, seed=0)
    >>> ax = cv.plot.distribution({"by chance": chance, "resampled": sure})
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['by chance', 'resampled']
    """
    rows = results if isinstance(results, Mapping) else {"": results}
    if not rows:
        raise InputError("results has no result to draw")
    for result in rows.values():
        check_result(result, (Baseline, Interval), "baseline or coverlap.bootstrap")
    sheet = Sheet(ax, 7, 1.5 + max(0.75 * len(rows), 1.5))
    for place, result in enumerate(rows.values()):
        _draw_row(sheet, place, result)
    sheet.label_rows([name_text(name) for name in rows])
    sheet.ax.set_ylim(len(rows) - 0.7, -0.85)
    sheet.ax.margins(x=0.08)
    measures = {result.measure for result in rows.values()}
    sheet.label_axes(_title(measures.pop()) if len(measures) == 1 else "score")
    _add_legend(sheet, list(rows.values()))
    return sheet.finish(_message(rows))


def _score(result: Drawn) -> float:
    return result.score if isinstance(result, Baseline) else result.value


def _title(measure: str) -> str:
    """Return the title of a measure, or of the difference of its scores."""
    before, _, name = measure.rpartition(" ")
    return f"{before} {MEASURES[name].title}".strip()


def _draw_row(sheet: Sheet, place: int, result: Drawn) -> None:
    ax, draws = sheet.ax, result.draws
    n_bins = 1 if np.ptp(draws) == 0 else int(np.clip(np.sqrt(len(draws)), 8, MOST_BINS))
    counts, edges = np.histogram(draws, n_bins)
    if n_bins == 1:
        ax.plot([draws[0]] * 2, [place, place - HEIGHT], color=INK, linewidth=1.5)
    else:
        ax.stairs(
            place - HEIGHT * counts / counts.max(), edges, baseline=place, fill=True,
            facecolor=OUTLIERS if isinstance(result, Baseline) else LEFT, edgecolor=INK,
            linewidth=0.5,
        )  # fmt: skip
    ax.axhline(place, color="0.8", linewidth=0.5, zorder=0)
    if isinstance(result, Baseline):
        ax.plot([result.mean] * 2, [place, place - HEIGHT - 0.08], color=INK, linestyle="--",
                linewidth=1)  # fmt: skip
    else:
        ax.plot([result.low, result.high], [place, place], color=INK, linewidth=3.5,
                solid_capstyle="butt")  # fmt: skip
    if result.measure.startswith("difference"):
        ax.axvline(0, color=INK, linewidth=0.8, linestyle=":")
    score = _score(result)
    ax.plot(score, place, "D", color=ACCENT, markersize=7, markeredgecolor="white", zorder=4)
    sheet.write(
        score, place, score_text(score), xytext=(0, -7), textcoords="offset points", ha="center",
        va="top", color=ACCENT,
    )  # fmt: skip


def _add_legend(sheet: Sheet, results: list[Drawn]) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Artist] = [Line2D([], [], linestyle="", marker="D", color=ACCENT, label="score")]
    baseline = next((result for result in results if isinstance(result, Baseline)), None)
    interval = next((result for result in results if isinstance(result, Interval)), None)
    if baseline:
        handles += [
            Patch(facecolor=OUTLIERS, edgecolor=INK, label=_draws(baseline, "permutation")),
            Line2D([], [], color=INK, linestyle="--", linewidth=1, label="mean by chance"),
        ]
    if interval:
        handles += [
            Patch(facecolor=LEFT, edgecolor=INK, label=_draws(interval, "resample")),
            Line2D([], [], color=INK, linewidth=3.5, label=f"{percent(interval.level)} interval"),
        ]
    sheet.add_legend(handles)


def _draws(result: Drawn, noun: str) -> str:
    return quantity(len(result.draws), noun)


def _message(rows: Mapping[Any, Drawn]) -> str:
    scores = {name: _score(result) for name, result in rows.items()}
    if len({*scores.values()}) > 1:
        highest, lowest = max(scores, key=scores.__getitem__), min(scores, key=scores.__getitem__)
        ends = (f"{name_text(name)} ({score_text(scores[name])})" for name in (highest, lowest))
        return "Highest: {}, lowest: {}".format(*ends)
    first = next(iter(rows.values()))
    facts = "; ".join(dict.fromkeys(map(_fact, rows.values())))
    return f"{_title(first.measure)} = {score_text(_score(first))}: {facts}"


def _fact(result: Drawn) -> str:
    if isinstance(result, Baseline):
        return f"{score_text(result.mean)} by chance (p = {result.p:.2g})"
    limits = f"{score_text(result.low)} to {score_text(result.high)}"
    return f"{percent(result.level)} interval {limits}"
