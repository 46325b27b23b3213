"""``coverlap diff``: what changed from one file to another, in words and as tables."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import wraps
from pathlib import Path
from typing import Any

import click

from coverlap.cli import options, output
from coverlap.cli.commands.compare import check_share, compare_tables, name_sides, parse_bar
from coverlap.cli.inputs import NO_INPUTS, read_inputs
from coverlap.cli.tables import table_format, write_table
from coverlap.core.errors import OptionError
from coverlap.core.wording import did_you_mean, quantity
from coverlap.counting.engines import Engine
from coverlap.explain.changes import WORDS
from coverlap.measures.registry import MEASURES
from coverlap.results.changes import Changes, change_table
from coverlap.results.comparison import Comparison
from coverlap.results.explanations import TABLES, table_parts
from coverlap.results.result import json_name
from coverlap.results.table import rows_of
from coverlap.results.text import Block, format_score, heading, render
from coverlap.verbs.compare import compare

SIDES = ("old", "new")
N_CHANGES = 10


def _parse_words(ctx: click.Context, param: click.Parameter, value: str | None) -> list[str]:
    """Return the changes that make the command fail."""
    words = [] if value is None else [word.strip() for word in value.split(",")]
    for word in words:
        if word not in WORDS[:-1]:
            problem = f"{word!r} is not one of {', '.join(WORDS[:-1])}"
            hint = did_you_mean(word, WORDS[:-1])
            message = f"{problem}; {hint}" if hint else f"{problem}."
            raise click.BadParameter(message, ctx, param)
    return words


def _table_options(command: options.Function) -> options.Function:
    """Add an option for each table; the command gets ``tables``: the files to write, by name."""

    @wraps(command)
    def run(**values: Any) -> Any:
        given = {name: values.pop(name) for name in TABLES}
        tables = {name: target for name, target in given.items() if target is not None}
        return command(tables=tables, **values)

    for name, what in reversed(TABLES.items()):
        click.option(
            _flag(name), type=click.Path(allow_dash=True), metavar="FILE",
            help=f"Also write a table: {what}.",
        )(run)  # fmt: skip
    return run


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


@click.command(
    cls=options.Command,
    epilog="Example: coverlap diff old.csv new.csv --changes changes.csv --fail-on split,merged",
)
@click.argument("old", type=click.Path())
@click.argument("new", type=click.Path())
@click.option(
    "--link-threshold", type=float, callback=check_share, metavar="X", default=0.5,
    show_default=True,
    help="Share of the smaller of two clusters that they must have in common to be linked, from "
    "0 to 1. With 0, any common object links them. It is also the share of its objects from which "
    "on a cluster is kept.",
)  # fmt: skip
@options.universe
@options.threads
@options.engine
@options.reading(*SIDES)
@_table_options
@options.json
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="With --json, also write all changes and all objects that moved.",
)
@click.option(
    "--top", type=click.IntRange(min=0), metavar="N", default=N_CHANGES, show_default=True,
    help="Number of changes in the printed table.",
)  # fmt: skip
@options.quiet
@click.option(
    "--fail-below", callback=parse_bar, metavar="X",
    help="Exit with code 1 if the score is below X.",
)  # fmt: skip
@click.option(
    "--fail-on", callback=_parse_words, metavar="CHANGES",
    help="Exit with code 1 if there are such changes, separated by commas: "
    f"{', '.join(WORDS[:-1])}.",
)  # fmt: skip
def diff(
    old: str,
    new: str,
    reading: dict[str, Any],
    link_threshold: float,
    universe: str | int | Path,
    engine: Engine,
    memory_limit: str | None,
    temp_dir: str | None,
    tables: dict[str, str],
    as_json: bool,
    everything: bool,
    top: int,
    quiet: bool,
    fail_below: float | None,
    fail_on: list[str],
    **rules: Any,
) -> None:
    """Show what changed from one clustering to another.

    OLD and NEW are files as in 'coverlap compare'. Clusters that share enough objects are linked,
    and each group of linked clusters is one change: kept, split, merged, mixed, dissolved or
    scattered (an old cluster that is gone), new or gathered (a new cluster). Clusters that are
    the same are counted, but not listed.

    An object that only one file has is an outlier in the other. In --universe and --drop-outliers,
    left is OLD and right is NEW.

    The options from --changes to --losses write tables to files; the suffix decides the format:
    .csv, .tsv, .json, .parquet or .arrow. - prints the table as CSV instead of the result.

    The options from --format to --duplicates apply to both files. To apply one to a single file,
    add -old or -new to its name, as in --format-old labels.
    """
    universe_file = universe if isinstance(universe, Path) else None
    formats = _check_targets(tables, as_json, everything, old, new, universe_file)
    result = compare_tables(
        (old, new), reading, SIDES, engine, universe=universe, memory_limit=memory_limit,
        temp_dir=temp_dir, names=SIDES, **rules,
    )  # fmt: skip
    inputs = NO_INPUTS
    if result is None:
        inputs = read_inputs((old, new), reading, SIDES, universe=universe)
        result = compare(*inputs.clusterings, universe=inputs.universe, names=SIDES, **rules)
    found = result.changes(link_threshold)
    for name, target in tables.items():
        write_table(target, table_parts(result, name, link_threshold), formats[name])
    if not quiet:
        inputs.report()
    names = name_sides(old, new)
    if as_json:
        facts = _facts(result, found, names, everything=everything)
        output.write_text(json.dumps(facts, indent=2, allow_nan=False) + "\n")
    elif "-" not in tables.values():
        text = render(_blocks(result, found, names, top))
        output.write_result(result, as_json=False, text=text)
    elif not quiet:
        output.write_message(f"score {result.score} ({result.measure})")
    _check_bars(result, found, fail_below, fail_on)


def _check_targets(
    targets: dict[str, str], as_json: bool, everything: bool, *inputs: str | Path | None
) -> dict[str, str]:
    """Reject files that cannot be written, and return the format of each table."""
    if everything and not as_json:
        raise OptionError("--all goes with --json only; see --changes and --moved for tables")
    printed = [_flag(name) for name, target in targets.items() if target == "-"]
    if len(printed) + as_json > 1:
        flags = ["--json"] * as_json + [f"{flag} -" for flag in printed]
        raise OptionError(f"only one of {' and '.join(flags)} can be printed")
    formats, files = {}, dict[Path, str]()
    for name, target in targets.items():
        formats[name] = table_format(_flag(name), target)
        output.check_target(_flag(name), target, *inputs)
        other = files.setdefault(Path(target).resolve(), name)
        if other != name:
            raise OptionError(f"{_flag(other)} and {_flag(name)} must be different files")
    return formats


def _blocks(result: Comparison, changes: Changes, names: tuple[str, str], top: int) -> list[Block]:
    """Return the readable form: a summary, and the changes that cost most."""
    universe, outliers = result.universe, result.outliers
    old, new = result.n_clusters
    title = f"{MEASURES[result.measure].title} = {format_score(result.score)}"
    several = [side.n_in_several for side in result.clusterings]
    objects = f"{quantity(universe.n_objects, 'object')}, {result.n_moved:,} moved"
    if universe.n_only_left or universe.n_only_right:
        objects += f"; {universe.n_only_left:,} only in old, {universe.n_only_right:,} only in new"
    if universe.n_outliers_dropped:
        objects += f"; {quantity(universe.n_outliers_dropped, 'outlier')} dropped"
    lines = [
        objects,
        f"{quantity(old, 'old cluster')}, {quantity(new, 'new cluster')}: {changes.summary} "
        f"(threshold {changes.threshold:g})",
    ]
    if outliers.n_left or outliers.n_right:
        lines.append(
            f"{quantity(outliers.n_left, 'old outlier')}, "
            f"{quantity(outliers.n_right, 'new outlier')}: "
            f"{outliers.n_left - outliers.n_shared:,} joined clusters, "
            f"{outliers.n_right - outliers.n_shared:,} left them"
        )
    if any(several):
        lines.append(
            f"{quantity(several[0], 'object')} in several old clusters, {several[1]:,} in several "
            "new ones"
        )
    text: list[Block] = [[(title, "bold"), f"   from {names[0]} to {names[1]}"]]
    text += [[f"note: {note}"] for note in result.notes]
    text.append(["\n".join(lines)])
    if not len(changes):
        return [*text, heading("Nothing changed")]
    if top:
        most = "largest change" if top == 1 else f"{top:,} largest changes"
        title = "The changes" if len(changes) <= top else f"The {most} of {len(changes):,}"
        text += [heading(title), change_table(changes, top)]
    return text


def _facts(
    result: Comparison, changes: Changes, names: tuple[str, str], *, everything: bool
) -> dict[str, Any]:  # fmt: skip
    """Return the summary for programs, and all rows if asked for."""
    losses = result.losses().columns()
    facts = {
        "measure": result.measure,
        "score": result.score,
        "files": list(names),
        "threshold": changes.threshold,
        "n_moved": result.n_moved,
        "n_clusters": list(result.n_clusters),
        "counts": changes.counts,
        "losses": dict(zip(losses["reason"], losses["loss"], strict=True)),
        "outliers": asdict(result.outliers),
        "universe": asdict(result.universe),
        "notes": list(result.notes),
    }
    if everything:
        facts["changes"] = rows_of(changes.table, json_name)
        facts["moved"] = [
            row for part in table_parts(result, "moved") for row in rows_of(part, json_name)
        ]
    return facts


def _check_bars(
    result: Comparison, changes: Changes, fail_below: float | None, fail_on: Sequence[str]
) -> None:
    """Exit with code 1 after a message for each condition that is not met."""
    problems = [
        f"{changes.counts[word]:,} {word} (--fail-on {word})"
        for word in dict.fromkeys(fail_on)
        if changes.counts[word]
    ]
    if fail_below is not None and result.score < fail_below:
        problems.append(f"score {result.score} is below {fail_below}")
    for problem in problems:
        output.write_message(problem)
    if problems:
        raise click.exceptions.Exit(output.BELOW_THRESHOLD)
