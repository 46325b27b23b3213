"""``coverlap matrix``: many files against each other."""

import csv
import io
from pathlib import Path
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
from coverlap.cli.progress import comparing_bar
from coverlap.cli.reading import reading_options, take_file, without_reading
from coverlap.results.pairwise import PairwiseScores
from coverlap.verbs.pairwise import pairwise


@click.command(cls=Command, epilog="Example: coverlap matrix runs/*.txt --measure ari --csv")
@click.argument("paths", type=click.Path(), metavar="FILES...", nargs=-1, required=True)
@click.option(
    "-m", "--measure", callback=read_measure, metavar="NAME", default="fstar_wo",
    show_default=True, help="One of the names that coverlap scores lists.",
)  # fmt: skip
@click.option(
    "--reference", type=click.Path(), metavar="FILE",
    help="Compare all with this file only; it is left, as the truth is.",
)  # fmt: skip
@universe_options
@outliers_as_option
@threads_option
@reading_options()
@click.option("--json", "as_json", is_flag=True, help="Write the scores as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Write the scores as CSV.")
@click.option("-q", "--quiet", is_flag=True, help="Do not say how the files were understood.")
def matrix(
    paths: tuple[str, ...],
    measure: str,
    reference: str | None,
    as_json: bool,
    as_csv: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Score many clusterings against each other.

    FILES are as for coverlap compare; every reading option holds for all of them. With
    --reference, each is scored against that file only.
    """
    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other.")
    names = _names(paths if reference in {None, *paths} else (str(reference), *paths))
    if len(names) == 1:
        raise click.UsageError("One file alone has nothing to be compared with.")
    files = [take_file(path, options, several=True) for path in names.values()]
    rules = without_reading(options)
    clusterings, rules["universe"] = read_inputs(files, rules["universe"])
    named = dict(zip(names, clusterings, strict=True))
    with comparing_bar() as progress:
        result = pairwise(
            named, measure, progress=progress, **rules,
            reference=None if reference is None else click.format_filename(reference),
        )  # fmt: skip
    if not quiet:
        n_objects = len(rules["universe"]) if isinstance(options["universe"], Path) else 0
        explain_all(files, clusterings, options["universe"], n_objects)
    if as_json:
        emit(result.to_json(indent=2) + "\n")
    elif as_csv:
        emit(_csv(result))
    else:
        show(result)


def _names(paths: tuple[str, ...]) -> dict[str, str]:
    """Call each file by its path, written once."""
    names = {click.format_filename(path): path for path in paths}
    if len(names) < len(paths):
        twice = next(path for path in paths if paths.count(path) > 1)
        raise click.UsageError(f"{click.format_filename(twice)} is given twice.")
    return names


def _csv(result: PairwiseScores) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["clustering", *result.names])
    writer.writerows(
        [row, *values] for row, values in zip(result.rows, result.matrix.tolist(), strict=True)
    )
    return text.getvalue()
