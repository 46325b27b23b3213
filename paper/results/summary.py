"""Summary of a run in Markdown: running times, agreement with the stored curves, theory."""

from collections.abc import Sequence

from paper.experiments.experiment import Values
from paper.results.curves import average
from paper.results.stored import agreements
from paper.theory.check import Check

INTRODUCTION = """\
# The experiments of the paper, reproduced

"A Pragmatic Method for Comparing Clusterings with Overlaps and Outliers" (DeWolfe, Prałat,
Théberge, arXiv:2602.14855). `values.parquet` has every value, `means.csv` the means beside those
that the authors stored. The page *The paper, checked* of the documentation explains the
differences from the text of the paper.
"""

AGREEMENT = """\
## Agreement with the stored curves

Differences of means are in standard errors of the difference: their root mean square and the
largest one, over the points at which values vary between samples. By chance alone the root mean
square is about 1. In `skew` only bins of at least 500 points are used, and standard errors come
from the variation between samples, because the points of one sample are not independent. The last
two columns are about points at which all samples have the same value. A dash means that there are
no such points. `onmi_lfk` is compared with the curve by its definition; the published curve comes
from another formula.
"""

THEORY = """\
## Theory

Each statement is checked in exact fractions; the page *Theorems* of the documentation has the
proofs of those that are not in the paper.
"""


def summarize(results: Sequence[Values], n_workers: int) -> str:
    """Return the summary of all experiments that were run."""
    times, table = _times(results, n_workers), _agreement_table(results)
    return "\n".join([INTRODUCTION, *times, "", AGREEMENT, *table, ""])


def _times(results: Sequence[Values], n_workers: int) -> list[str]:
    lines = [
        f"## Time, with {n_workers} processes" if n_workers > 1 else "## Time, in one process",
        "",
        "| experiment | figure | samples | time | the authors' notebook |",
        "|---|--:|--:|--:|--:|",
    ]
    for result in results:
        experiment, theirs = result.experiment, result.experiment.authors_seconds
        times = f"{format_time(result.seconds)} | {'-' if theirs is None else format_time(theirs)}"
        lines.append(f"| {experiment.name} | {experiment.figure} | {len(result.x)} | {times} |")
    total = sum(result.seconds for result in results)
    return [*lines, f"| together | | | {format_time(total)} | |"]


def _agreement_table(results: Sequence[Values]) -> list[str]:
    lines = [
        "| experiment | measure | points | rms | largest | fixed points | largest difference |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for result in results:
        for one in agreements(average(result)):
            cells = [
                result.experiment.name, one.measure,
                str(one.n_varying), _number(one.rms, ".2f"), _number(one.largest, ".2f"),
                str(one.n_fixed), _number(one.difference, ".1e"),
            ]  # fmt: skip
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def summarize_theory(checks: Sequence[Check]) -> str:
    """Return the results of the checks of the theory as a section of the summary."""
    lines = [
        "| statement | claim | compared with the paper | holds | found |",
        "|---|---|---|---|---|",
    ]
    for check in checks:
        holds = "yes" if check.holds else "**no**"
        cells = [check.name, check.claim, check.paper, holds, check.found]
        lines.append(f"| {' | '.join(map(_as_cell, cells))} |")
    return "\n".join([THEORY, *lines, ""])


def _as_cell(text: str) -> str:
    """Return a text for a cell of a table in Markdown, without emphasis by accident."""
    return text.replace("|", "\\|").replace("F*", "F\\*")


def format_time(seconds: float) -> str:
    """Write a time in seconds, minutes or hours.

    Examples
    --------
    >>> format_time(0.31), format_time(42), format_time(192), format_time(17_520)
    ('0.3 s', '42 s', '3 min 12 s', '4 h 52 min')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if minutes else f"{rest} s"
    return f"{minutes // 60} h {minutes % 60} min"
