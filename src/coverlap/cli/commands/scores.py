"""``coverlap scores``: two files by many measures."""

from pathlib import Path
from typing import Any

import click

from coverlap.cli import completion, gates, options, output
from coverlap.cli.inputs import NO_INPUTS, read_inputs, read_later
from coverlap.counting.engines import Engine, choose_engine
from coverlap.measures.registry import MEASURES
from coverlap.verbs.scores import scores as score_clusterings


@click.command(
    cls=options.Command,
    epilog="Example: coverlap scores truth.csv found.csv --measure fstar_wo --measure ami "
    "--fail-below ami=0.9",
)
@click.argument("left", type=click.Path())
@click.argument("right", type=click.Path())
@click.option(
    "-m", "--measure", "measures", multiple=True, callback=options.check_measures,
    shell_complete=completion.measures, metavar="NAME",
    help="A measure; can be repeated. By default those of --fail-below and --fail-above or, "
    f"without these, all: {', '.join(MEASURES)}. "
    f"Variants with names of their own: {', '.join(MEASURES.aliases)}.",
)  # fmt: skip
@options.universe
@options.outliers_as
@options.threads
@options.engine
@options.reading(*options.SIDES)
@options.json
@options.quiet
@gates.require_partition
@gates.fail_below
@gates.fail_above
def scores(
    left: str,
    right: str,
    measures: tuple[str, ...],
    reading: dict[str, Any],
    universe: str | int | Path,
    engine: Engine,
    memory_limit: str | None,
    temp_dir: str | None,
    as_json: bool,
    quiet: bool,
    require_partition: bool,
    fail_below: list[gates.Bar],
    fail_above: list[gates.Bar],
    **rules: Any,
) -> None:
    """Score two clusterings by many measures.

    LEFT and RIGHT are files, read with the same options as in 'coverlap compare'. Measures that
    are not symmetric take LEFT as the truth. A measure that is not defined for the two
    clusterings is listed with the reason; if it has a bar (--fail-below, --fail-above), that is
    an error.
    """
    bars = [*fail_below, *fail_above]
    chosen = [*measures, *(bar.measure for bar in bars)]
    tables = read_later((left, right), reading, options.SIDES, engine)
    limits = {"memory_limit": memory_limit, "temp_dir": temp_dir}
    if tables and choose_engine(*tables, engine, rules["threads"], **limits) is not None:
        inputs = NO_INPUTS
        rules |= {"universe": universe, "engine": engine, **limits}
        result = score_clusterings(*tables, chosen or None, **rules)
    else:
        inputs = read_inputs((left, right), reading, options.SIDES, universe=universe)
        one, other = inputs.clusterings
        result = score_clusterings(one, other, chosen or None, universe=inputs.universe, **rules)
    if require_partition:
        names = map(output.file_name, (left, right))
        gates.check_partitions(names, result.n_outliers, result.n_in_several)
    gates.check_defined(bars, result.reasons)
    if not quiet:
        inputs.report()
    output.write_result(result, as_json=as_json)
    gates.check_bars(bars, result)
