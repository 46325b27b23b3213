"""A summary in Markdown: how long it took, and how well it agrees."""

from collections.abc import Sequence

from coverlap.experiments.results import Values, curves
from coverlap.experiments.stored import Agreement, agreements

INTRODUCTION = """\
# The experiments of the paper, run anew

"A Pragmatic Method for Comparing Clusterings with Overlaps and Outliers" (DeWolfe, Prałat,
Théberge, arXiv:2602.14855). `values.parquet` has every value, `means.csv` the means beside those
that the authors stored. What differs from the text of the paper, and why, is on the page *The
paper, checked* of the documentation.
"""

AGREEMENT = """\
## Beside the stored curves

Differences of means are in standard errors of both means together. In the walk of `skew`, whose
points depend on each other, they are in standard deviations, and only bins of 500 points or more
count. The last column has the largest difference where values do not vary. `onmi_lfk` is compared
with the curve by its definition: the published one came from another formula.
"""


def summary(results: Sequence[Values], n_workers: int) -> str:
    """Write the summary of all experiments that were run."""
    return "\n".join(
        [INTRODUCTION, *_times(results, n_workers), "", AGREEMENT, *_table(results), ""]
    )


def _times(results: Sequence[Values], n_workers: int) -> list[str]:
    lines = [
        f"## Time, with {n_workers} processes" if n_workers > 1 else "## Time, in one process",
        "",
        "| experiment | figure | samples | time | the authors' notebook |",
        "|---|--:|--:|--:|--:|",
    ]
    for experiment, x, _, seconds in results:
        theirs = experiment.authors_seconds
        times = f"{clock(seconds)} | {'-' if theirs is None else clock(theirs)}"
        lines.append(f"| {experiment.name} | {experiment.figure} | {len(x)} | {times} |")
    total = sum(values.seconds for values in results)
    return [*lines, f"| together | | | {clock(total)} | |"]


def _table(results: Sequence[Values]) -> list[str]:
    lines = [
        "| experiment | measure | points | rms | largest | difference of fixed values |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for values in results:
        name = values.experiment.name
        lines += [_row(name, agreement) for agreement in agreements(curves(values))]
    return lines


def _row(name: str, agreement: Agreement) -> str:
    measure, n_points, rms, largest, difference = agreement
    return f"| {name} | {measure} | {n_points} | {rms:.2f} | {largest:.2f} | {difference:.1e} |"


def clock(seconds: float) -> str:
    """Write a time as a person would.

    Examples
    --------
    >>> clock(0.31), clock(42), clock(192), clock(17_520)
    ('0.3 s', '42 s', '3 min 12 s', '4 h 52 min')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if minutes else f"{rest} s"
    return f"{minutes // 60} h {minutes % 60} min"
