"""Bars of where the score was lost, from 1 down to the score."""

from math import fsum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from coverlap.core.checks import check_integer, check_option
from coverlap.core.frames import AnyColumn
from coverlap.core.wording import quantity
from coverlap.plot.style import (
    HATCH,
    INK,
    LEFT,
    OUTLIERS,
    REST,
    RIGHT,
    Sheet,
    check_result,
    headline,
)
from coverlap.plot.texts import name_text, percent
from coverlap.results.comparison import Comparison
from coverlap.results.text import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LABEL_ROOM, INSIDE = 0.15, 0.5
"""Room left of the last bar, and the length from which on labels are inside, of the whole loss."""

MINUS = "\N{MINUS SIGN}"

LONGEST_CHANGE = 40
"""Columns of a terminal that the clusters of a change may take."""

COLOURS = {"left": LEFT, "right": RIGHT, "outliers": OUTLIERS, "more": REST, "change": LEFT}
"""Colours of the bars by what they belong to."""


class Part(NamedTuple):
    """A part of the loss: its label, its size, and what it belongs to (see `COLOURS`)."""

    label: str
    loss: float
    kind: str


def losses(
    comparison: Comparison,
    *,
    by: Literal["reason", "cluster", "change"] = "reason",
    top: int = 20,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw where the score was lost: bars that lead from 1 down to the score.

    Parameters
    ----------
    comparison : Comparison
        The result of `coverlap.compare`.
    by : {"reason", "cluster", "change"}
        What has a bar: each reason of `Comparison.losses`, each cluster and set of outliers, or
        each row of `Comparison.changes`.
    top : int
        Number of bars, the costliest first. All others are one more bar.
    ax : Axes, optional
        Axes of matplotlib to draw on; by default those of a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> import coverlap as cv
    >>> result = cv.compare([0, 0, 0, 0], [0, 0, 0, -1])
    >>> ax = cv.plot.losses(result)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['gone to outliers', 'sets of outliers']
    """
    check_result(comparison, Comparison, "compare")
    check_option("by", by, ("reason", "cluster", "change"))
    check_integer("top", top, 1)
    parts, n_more = _parts(comparison, by, top)
    sheet = Sheet(ax, 7, 1.3 + 0.27 * max(len(parts), 3))
    if not parts:
        return sheet.say(f"{headline(comparison)}: nothing is lost")
    _draw_bars(sheet, parts, comparison.score)
    if by == "cluster":
        _add_legend_of_sides(sheet, comparison)
    total, message = fsum(part.loss for part in parts), f"'{parts[0].label}' is"
    lost = parts[0].loss
    if n_more:
        n_bars = len(parts) - 1
        message, lost = f"{n_bars} of {n_bars + n_more:,} {by}s are", total - parts[-1].loss
    return sheet.finish(f"{headline(comparison)}: {message} {percent(lost / total)} of the loss")


def _parts(comparison: Comparison, by: str, top: int) -> tuple[list[Part], int]:
    """Return the costliest parts of the loss and one for the rest, and the number in the rest."""
    table = comparison.table
    if by != "cluster":
        table = (comparison.losses() if by == "reason" else comparison.changes()).table
    columns = {column.name: column for column in table}
    loss = np.asarray(columns["loss"].tolist())
    order = np.argsort(-loss, kind="stable")
    order = order[loss[order] > 0]
    chosen = order[: top if len(order) != top + 1 else top + 1]
    rows = _rows(columns, chosen)
    part = {"reason": _of_reason, "cluster": _of_cluster, "change": _of_change}[by]
    parts = [part(row, comparison.sides) for row in rows]
    n_more = len(order) - len(chosen)
    if n_more:
        rest = fsum(loss[order[len(chosen) :]].tolist())
        parts.append(Part(quantity(n_more, f"more {by}"), rest, "more"))
    return parts, n_more


def _rows(columns: dict[str, AnyColumn], chosen: Any) -> list[dict[str, Any]]:
    lists = [column.taken(chosen).tolist() for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]


def _of_reason(row: dict[str, Any], _sides: tuple[str, str]) -> Part:
    kinds = {"gone": "left", "come": "right", "sets": "outliers", "side": "more"}
    return Part(row["reason"], row["loss"], kinds[row["reason"].split()[0]])


def _of_cluster(row: dict[str, Any], sides: tuple[str, str]) -> Part:
    kind = "left" if row["side"] == sides[0] else "right"
    if row["kind"] == "none":
        return Part(f"{name_text(row['side'])} has no clusters", row["loss"], kind)
    if row["kind"] == "outliers":
        return Part(
            f"outliers of {name_text(row['side'])} ({row['size']:,})", row["loss"], "outliers"
        )
    return Part(f"{name_text(row['cluster'])} ({row['size']:,})", row["loss"], kind)


def _of_change(row: dict[str, Any], _sides: tuple[str, str]) -> Part:
    word = row["detail"] or row["change"]
    if word == "outliers":
        return Part("sets of outliers", row["loss"], "outliers")
    left, right = [values for values in row.values() if isinstance(values, list)][::2]
    clusters = " → ".join(filter(None, (_listed(left), _listed(right))))
    label = f"{word}: {clusters}" if clusters else word
    return Part(shortened(label, LONGEST_CHANGE), row["loss"], "change")


def _listed(names: list[Any]) -> str:
    """Return up to two names, or one and how many more there are."""
    if len(names) > 2:
        return f"{name_text(names[0], 12)}, {len(names) - 1:,} more"
    return ", ".join(name_text(name, 12) for name in names)


def _draw_bars(sheet: Sheet, parts: list[Part], score: float) -> None:
    ax, total = sheet.ax, fsum(part.loss for part in parts)
    ends = (1 - np.cumsum([part.loss for part in parts])).tolist()
    ax.set_xlim(score - LABEL_ROOM * total, 1 + 0.02 * total)
    ax.set_ylim(len(parts) - 0.4, -0.6)
    ax.axvline(score, color=INK, linewidth=1, linestyle="--")
    for place, (part, end) in enumerate(zip(parts, ends, strict=True)):
        hatched = part.kind == "outliers"
        ax.barh(
            place, part.loss, 0.72, end, color=COLOURS[part.kind], linewidth=0.8,
            hatch=HATCH if hatched else None, edgecolor=INK if hatched else COLOURS[part.kind],
        )  # fmt: skip
        if place + 1 < len(parts):
            ax.plot([end, end], [place + 0.36, place + 0.64], color=INK, linewidth=0.5)
        _write_loss(sheet, place, part.loss, end, score, total)
    sheet.label_rows([part.label for part in parts])
    ax.set_xticks([tick for tick in ax.get_xticks() if score - 1e-9 <= tick <= 1 + 1e-9])
    ax.spines["bottom"].set_bounds(score, 1)
    sheet.label_axes("score that is left")


def _write_loss(
    sheet: Sheet, place: int, loss: float, end: float, score: float, total: float
) -> None:
    """Write a loss inside a long bar, and else where there is more room: left or right of it."""
    on_left = end - score + LABEL_ROOM * total >= 1 - (end + loss)
    inside = loss > INSIDE * total
    sheet.write(
        end + loss / 2 if inside else end if on_left else end + loss, place,
        f"{MINUS}{loss:#.2g} ({percent(loss / total)})", textcoords="offset points",
        xytext=(0 if inside else -4 if on_left else 4, 0), va="center",
        ha="center" if inside else "right" if on_left else "left",
        bbox={"facecolor": sheet.ax.get_facecolor(), "edgecolor": "none", "pad": 1},
    )  # fmt: skip


def _add_legend_of_sides(sheet: Sheet, comparison: Comparison) -> None:
    from matplotlib.patches import Patch

    sides = zip(comparison.sides, ("left", "right"), strict=True)
    sheet.add_legend([
        Patch(color=COLOURS[kind], label=f"clusters of {name_text(name)}") for name, kind in sides
    ])  # fmt: skip
