"""``coverlap scores``: two files by many measures."""

from typing import Any

import click

from coverlap.cli.comparing import (
    explain_all,
    outliers_as_option,
    read_inputs,
    read_measure,
    threads_option,
    universe_options,
)
from coverlap.cli.output import emit, show
from coverlap.cli.program import Command
from coverlap.cli.reading import reading_options, take_file, without_reading
from coverlap.measures.registry import MEASURES
from coverlap.verbs.scores import scores as score_clusterings


@click.command(
    cls=Command,
    epilog="Example: coverlap scores truth.csv found.csv --measure fstar_wo --measure ami",
)
@click.argument("left", type=click.Path())
@click.argument("right", type=click.Path())
@click.option(
    "-m", "--measure", "measures", multiple=True, callback=read_measure,
    metavar="NAME", help=f"One measure; may be repeated. By default all: {', '.join(MEASURES)}. "
    f"Variants by name: {', '.join(MEASURES.aliases)}.",
)  # fmt: skip
@universe_options
@outliers_as_option
@threads_option
@reading_options("left", "right")
@click.option("--json", "as_json", is_flag=True, help="Write the scores as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Do not say how the files were understood.")
def scores(
    left: str,
    right: str,
    measures: tuple[str, ...],
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Score two clusterings by many measures.

    LEFT and RIGHT are files as for coverlap compare. Measures that are not symmetric take LEFT
    for the truth. Where one is not defined, the reason is said.
    """
    files = [take_file(path, options, side) for path, side in ((left, "left"), (right, "right"))]
    rules = without_reading(options)
    clusterings, rules["universe"] = read_inputs(files, rules["universe"])
    one, other = clusterings
    result = score_clusterings(one, other, list(measures) or None, **rules)
    if not quiet:
        explain_all(files, clusterings, options["universe"], result.universe.n_objects)
    if as_json:
        emit(result.to_json(indent=2) + "\n")
    else:
        show(result)
