"""``coverlap matrix``: the scores of all pairs of several files, or of columns of files."""

from pathlib import Path
from typing import Any, NamedTuple

import click

from coverlap.cli import completion, options, output
from coverlap.cli.inputs import Reading, read_inputs
from coverlap.cli.progress import progress_bar
from coverlap.results.pairwise import PairwiseScores
from coverlap.verbs.pairwise import pairwise

REPEATABLE = {
    "format": "Can be repeated, once for each of FILES in their order.",
    "cluster": "Can be repeated, to compare several columns of each file.",
}
"""Options that can have several values, and how their help explains it."""


class Input(NamedTuple):
    """A clustering to read: its name in the result, its file, and options for it alone."""

    name: str
    path: str
    options: dict[str, Any]


@click.command(
    cls=options.Command,
    epilog="Examples: coverlap matrix runs/*.txt --measure ari --csv; coverlap matrix cells.h5ad "
    "--cluster leiden_0.5 --cluster leiden_1.0",
)
@click.argument("paths", type=click.Path(), metavar="FILES...", nargs=-1, required=True)
@click.option(
    "-m", "--measure", callback=options.check_measures, shell_complete=completion.measures,
    metavar="NAME", default="fstar_wo", show_default=True,
    help="A measure; 'coverlap scores --help' lists all.",
)  # fmt: skip
@click.option(
    "--reference", type=click.Path(), metavar="FILE|COLUMN",
    help="Compare all with this file, or with this one of several columns, only. It is the left "
    "side, which measures that are not symmetric take as the truth. Options for this file alone "
    "end in -reference, such as --format-reference.",
)  # fmt: skip
@options.universe
@options.outliers_as
@options.threads
@options.reading("reference", repeatable=REPEATABLE)
@options.json
@click.option("--csv", "as_csv", is_flag=True, help="Write the scores as CSV instead of text.")
@options.quiet
def matrix(
    paths: tuple[str, ...],
    measure: str,
    reference: str | None,
    reading: Reading,
    universe: str | int | Path,
    as_json: bool,
    as_csv: bool,
    quiet: bool,
    **rules: Any,
) -> None:
    """Score all pairs of several clusterings.

    FILES can have any of the formats that --format lists; - means standard input. The options
    from --format to --duplicates apply to all files. If --cluster names several columns, each is a
    clustering, which is called by its column, or FILE:COLUMN if there are several files.
    """
    if as_json and as_csv:
        raise click.UsageError("--json and --csv cannot be used together.")
    chosen = _with_reference(_choose(paths, reading), reference, reading)
    own = {str(i): item.options for i, item in enumerate(chosen)}
    inputs = read_inputs(
        [item.path for item in chosen], {"all": reading["all"], **own}, list(own), universe=universe
    )
    with progress_bar("comparing") as progress:
        result = pairwise(
            dict(zip((item.name for item in chosen), inputs.clusterings, strict=True)),
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


def _choose(paths: tuple[str, ...], reading: Reading) -> list[Input]:
    """Return the clusterings to read.

    An option that has one value remains in ``reading["all"]``, and several values are divided.
    """
    formats, columns = (reading["all"].pop(name, ()) for name in REPEATABLE)
    if len(formats) not in {0, 1, len(paths)}:
        raise click.UsageError(
            f"--format is given {len(formats)} times for {len(paths)} files; give it once for all, "
            "or once for each file in their order."
        )
    reading["all"] |= {
        name: values[0]
        for name, values in (("format", formats), ("cluster", columns))
        if len(values) == 1
    }
    own_formats = [{"format": name} for name in formats] if len(formats) > 1 else [{}] * len(paths)
    if len(columns) < 2:
        return [Input(output.file_name(path), path, own)
                for path, own in zip(paths, own_formats, strict=True)]  # fmt: skip
    return [
        Input(
            str(column) if len(paths) == 1 else f"{output.file_name(path)}:{column}",
            path,
            {**own, "cluster": column},
        )
        for path, own in zip(paths, own_formats, strict=True)
        for column in columns
    ]


def _with_reference(chosen: list[Input], reference: str | None, reading: Reading) -> list[Input]:
    """Add the reference if it is not one of the clusterings, and check that all names differ."""
    own, names = reading["reference"], [item.name for item in chosen]
    if reference is None and own:
        option = next(iter(own)).replace("_", "-")
        raise click.UsageError(f"--{option}-reference is given without --reference.")
    if reference is not None:
        name = output.file_name(reference)
        if name in names:
            chosen = [item._replace(options=item.options | own) if item.name == name else item
                      for item in chosen]  # fmt: skip
        else:
            chosen, names = [Input(name, reference, own), *chosen], [name, *names]
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise click.UsageError(f"{repeated[0]} is given twice.")
    if len(names) == 1:
        raise click.UsageError(
            "At least two files are needed, but only one is given. (To compare columns of one "
            "file, repeat --cluster.)"
        )
    return chosen


def _csv(result: PairwiseScores) -> str:
    rows = zip(result.rows, result.matrix.tolist(), strict=True)
    return output.csv_text(["clustering", *result.names], ([row, *values] for row, values in rows))
