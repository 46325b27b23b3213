"""Conditions that make a command fail: bars for scores, and partitions."""

from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from operator import gt, lt
from typing import Any, NamedTuple

import click

from coverlap.cli import completion, options, output
from coverlap.cli.inputs import Inputs
from coverlap.core.align import Rules
from coverlap.core.errors import InputError, OptionError, UndefinedError
from coverlap.core.wording import quantity
from coverlap.counting.counts import counts_of
from coverlap.graph.align import align_on_graph
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


fail_below = click.option(
    "--fail-below", multiple=True, callback=_parse_bars, metavar="MEASURE=VALUE",
    shell_complete=completion.bars,
    help="Exit with code 1 if the score is below VALUE; can be repeated, as in --fail-below "
    "pair_precision=0.98 --fail-below pair_recall=0.95.",
)  # fmt: skip

fail_above = click.option(
    "--fail-above", multiple=True, callback=_parse_bars, metavar="MEASURE=VALUE",
    shell_complete=completion.bars,
    help="Exit with code 1 if the score is above VALUE, for distances such as vi and split_join; "
    "can be repeated.",
)  # fmt: skip

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


def check_partitions(inputs: Inputs, **rules: Any) -> None:
    """Raise an error unless both sides are partitions of the objects that are compared."""
    asked = Rules(inputs.universe, **{name: rules.get(name) for name in Rules._fields[1:]})
    left, right = inputs.clusterings
    if inputs.graph is None:
        pair = counts_of(left, right, asked).pair
    else:
        pair = align_on_graph(left, right, inputs.graph, asked).vertices
    problems = []
    for path, side in zip(inputs.paths, (pair.left, pair.right), strict=True):
        n_outliers = side.n_outliers + pair.n_unmentioned
        n_several = int((side.clusters_per_object() > 1).sum())
        facts = [quantity(n_outliers, "outlier")] if n_outliers else []
        facts += [f"{quantity(n_several, 'object')} in several clusters"] if n_several else []
        if facts:
            problems.append(f"{output.file_name(path)} has {' and '.join(facts)}")
    if problems:
        raise InputError(f"--require-partition: {'; '.join(problems)}")
