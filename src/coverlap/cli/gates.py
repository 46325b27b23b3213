"""Conditions that make a command fail: bars for scores, and partitions."""

from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from operator import gt, lt
from typing import Any, NamedTuple

import click

from coverlap.cli import completion, options, output
from coverlap.core.errors import InputError, OptionError, UndefinedError
from coverlap.core.wording import quantity
from coverlap.measures.registry import find_measure

CONDITIONS: dict[str, Callable[[float, float], bool]] = {"below": lt, "above": gt}


class Bar(NamedTuple):
    """A score that a measure must not be below, or above."""

    measure: str
    side: str
    value: float


def _parse_bars(ctx: click.Context, param: click.Parameter, values: Iterable[str]) -> list[Bar]:
    """Return the bars that options such as ``--fail-below ari=0.9`` stand for."""
    side = str(param.name).removeprefix("fail_")
    bars = []
    for text in values:
        name, is_pair, number = text.partition("=")
        if not is_pair:
            problem = f"must be MEASURE=VALUE, such as fstar_wo=0.95, not {text!r}."
            raise click.BadParameter(problem, ctx, param)
        try:
            measure = find_measure(name.strip())
            value = float(number)
        except OptionError as error:
            raise click.BadParameter(options.sentence(error), ctx, param) from None
        except ValueError:
            raise click.BadParameter(f"{number!r} is not a number.", ctx, param) from None
        right_side = "above" if measure.identical == 0 else "below"
        if side != right_side:
            kind = "distance" if right_side == "above" else "similarity"
            problem = f"{name} is a {kind}; use --fail-{right_side}."
            raise click.BadParameter(problem, ctx, param)
        least, most = measure.range
        if not isfinite(value) or not least <= value <= most:
            problem = f"{number} is not a score of {name}, which is from {least:g} to {most:g}."
            raise click.BadParameter(problem, ctx, param)
        bars.append(Bar(measure.name, side, value))
    return bars


def _bar_option(flag: str, explained: str) -> Callable[[Any], Any]:
    return click.option(
        flag, multiple=True, callback=_parse_bars, metavar="MEASURE=VALUE",
        shell_complete=completion.bars, help=explained,
    )  # fmt: skip


fail_below = _bar_option(
    "--fail-below",
    "Exit with code 1 if the score is below VALUE; can be repeated, as in --fail-below "
    "pair_precision=0.98 --fail-below pair_recall=0.95.",
)
fail_above = _bar_option(
    "--fail-above",
    "Exit with code 1 if the score is above VALUE, for distances such as vi and split_join; can be "
    "repeated.",
)
require_partition = click.option(
    "--require-partition", is_flag=True,
    help="Exit with code 2 unless each object is in exactly one cluster on both sides. Objects "
    "that --universe or --drop-outliers leaves out do not count.",
)  # fmt: skip


def check_defined(bars: list[Bar], reasons: Mapping[str, str]) -> None:
    """Raise an error if the measure of a bar is not defined for the two clusterings."""
    for bar in bars:
        if bar.measure in reasons:
            raise UndefinedError(f"--fail-{bar.side} {bar.measure}: {reasons[bar.measure]}")


def check_bars(bars: list[Bar], scores: Mapping[str, Any]) -> None:
    """Exit with code 1 after a message for each score that is below, or above, its bar."""
    missed = [bar for bar in bars if CONDITIONS[bar.side](scores[bar.measure], bar.value)]
    for bar in missed:
        output.write_message(f"{bar.measure} {scores[bar.measure]} is {bar.side} {bar.value}")
    if missed:
        raise click.exceptions.Exit(output.BELOW_THRESHOLD)


def check_partitions(
    names: Iterable[str], n_outliers: Iterable[int], n_in_several: Iterable[int]
) -> None:
    """Raise an error if a side of a comparison has outliers or objects in several clusters."""
    problems = []
    for name, outliers, several in zip(names, n_outliers, n_in_several, strict=True):
        facts = [quantity(outliers, "outlier")] if outliers else []
        facts += [f"{quantity(several, 'object')} in several clusters"] if several else []
        if facts:
            problems.append(f"{name} has {' and '.join(facts)}")
    if problems:
        raise InputError(f"--require-partition: {'; '.join(problems)}")
