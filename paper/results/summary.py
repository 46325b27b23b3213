"""Summary of a run in Markdown: running times, and agreement with the stored curves."""

from collections.abc import Sequence

from paper.experiments.experiment import Values
from paper.results.curves import average
from paper.results.stored import agreements

INTRODUCTION = """\
# The experiments of the paper, reproduced

"A Pragmatic Method for Comparing Clusterings with Overlaps and Outliers" (DeWolfe, Prałat,
Théberge, arXiv:2602.14855). `values.parquet` has every value, `means.csv` the means beside those
that the authors stored. The page *The paper, checked* of the documentation explains the
differences from the text of the paper.
"""

AGREEMENT = """\
## Agreement with the stored curves

Differences of means are in standard errors of the difference. In `skew`, whose points are not
independent, they are in standard deviations, and only bins of at least 500 points are used. The
last column is the largest difference of values that do not vary. `onmi_lfk` is compared with the
curve by its definition; the published curve comes from another formula.
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
        "| experiment | measure | points | rms | largest | difference of fixed values |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for result in results:
        for one in agreements(average(result)):
            names = f"| {result.experiment.name} | {one.measure} | {one.n_points} |"
            lines.append(f"{names} {one.rms:.2f} | {one.largest:.2f} | {one.difference:.1e} |")
    return lines


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
