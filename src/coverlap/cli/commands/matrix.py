"""``coverlap matrix``: the scores of all pairs of several files."""

from pathlib import Path
from typing import Any

import click

from coverlap.cli import options, output
from coverlap.cli.inputs import read_inputs
from coverlap.cli.progress import progress_bar
from coverlap.results.pairwise import PairwiseScores
from coverlap.verbs.pairwise import pairwise


@click.command(
    cls=options.Command, epilog="Example: coverlap matrix runs/*.txt --measure ari --csv"
)
@click.argument("paths", type=click.Path(), metavar="FILES...", nargs=-1, required=True)
@click.option(
    "-m", "--measure", callback=options.check_measures, metavar="NAME", default="fstar_wo",
    show_default=True, help="A measure; 'coverlap scores --help' lists all.",
)  # fmt: skip
@click.option(
    "--reference", type=click.Path(), metavar="FILE",
    help="Compare each file with this one only. It is the left side, which measures that are not "
    "symmetric take as the truth.",
)  # fmt: skip
@options.universe
@options.outliers_as
@options.threads
@options.reading()
@options.json
@click.option("--csv", "as_csv", is_flag=True, help="Write the scores as CSV instead of text.")
@options.quiet
def matrix(
    paths: tuple[str, ...],
    measure: str,
    reference: str | None,
    reading: dict[str, Any],
    universe: str | int | Path,
    as_json: bool,
    as_csv: bool,
    quiet: bool,
    **rules: Any,
) -> None:
    """Score all pairs of several clusterings.

    FILES can have any of the formats that --format lists; - means standard input. The options
    from --format to --keys apply to all files.
    """
    if as_json and as_csv:
        raise click.UsageError("--json and --csv cannot be used together.")
    paths_by_name = _name_files(paths if reference in {None, *paths} else (str(reference), *paths))
    inputs = read_inputs(tuple(paths_by_name.values()), reading, universe=universe)
    with progress_bar("comparing") as progress:
        result = pairwise(
            dict(zip(paths_by_name, inputs.clusterings, strict=True)),
            measure,
            reference=None if reference is None else output.file_name(reference),
            universe=inputs.universe,
            progress=progress,
            **rules,
        )
    if not quiet:
        inputs.report()
    if as_csv:
        output.write_text(_csv(result))
    else:
        output.write_result(result, as_json=as_json)


def _name_files(paths: tuple[str, ...]) -> dict[str, str]:
    """Return the path of each file by its name in the result."""
    names = {output.file_name(path): path for path in paths}
    if len(names) < len(paths):
        shown = list(map(output.file_name, paths))
        repeated = next(name for name in shown if shown.count(name) > 1)
        raise click.UsageError(f"{repeated} is given twice.")
    if len(names) == 1:
        raise click.UsageError("At least two files are needed, but only one is given.")
    return names


def _csv(result: PairwiseScores) -> str:
    rows = zip(result.rows, result.matrix.tolist(), strict=True)
    return output.csv_text(["clustering", *result.names], ([row, *values] for row, values in rows))
