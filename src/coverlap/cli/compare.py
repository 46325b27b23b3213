"""``coverlap compare``: the score of two files, and where it comes from."""

import csv
from pathlib import Path
from typing import Any

import click

from coverlap.adapters.files import read_files, read_files_and_ids, token_value
from coverlap.adapters.labels import NEGATIVE
from coverlap.cli.output import emit, show
from coverlap.cli.program import Command
from coverlap.clustering import Clustering
from coverlap.compare import AVERAGES
from coverlap.compare import compare as compare_clusterings
from coverlap.comparison import Comparison
from coverlap.errors import FileError, OptionError
from coverlap.matching import FORMS
from coverlap.universe import DROP_RULES, RULES

BELOW_BAR = 1


def _read_universe(ctx: click.Context, param: click.Parameter, value: str) -> str | int | Path:
    """Tell rule, number and file apart; a file called like one of the others is ``./left``."""
    if value in RULES:
        return value
    try:
        return int(value)
    except ValueError:
        path = Path(value)
    if not path.exists():
        message = f"{value!r} is none of {', '.join(RULES)}, no number and no file."
        raise click.BadParameter(message, ctx, param)
    return path


def _read_share(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and not 0 <= value <= 1:
        raise click.BadParameter(f"{value} is not a number from 0 to 1.", ctx, param)
    return value


@click.command(
    cls=Command,
    epilog="Example: coverlap compare truth.csv found.csv --fail-below 0.9",
)
@click.argument("left", type=click.Path())
@click.argument("right", type=click.Path())
@click.option(
    "--universe", callback=_read_universe, metavar="RULE|N|FILE", default="union",
    show_default=True,
    help="Objects to compare on: union, intersection, left or right; a number N for the ids 0 to "
    "N-1; or a file with one id a line. An object that a side does not know is an outlier there.",
)  # fmt: skip
@click.option(
    "--n-objects", type=click.IntRange(min=0), metavar="N",
    help="Number of objects in all; those in neither file are outliers on both sides.",
)  # fmt: skip
@click.option(
    "--drop-outliers", type=click.Choice([rule for rule in DROP_RULES if rule]),
    help="Leave out the objects that are outliers on that side, on either, or on both.",
)  # fmt: skip
@click.option(
    "--outlier-label", multiple=True, metavar="TEXT",
    help="Label that means 'in no cluster', in place of the negative integers; may be repeated, "
    "as in --outlier-label Unassigned --outlier-label -1.",
)  # fmt: skip
@click.option(
    "--object", metavar="NAME", default="object", show_default=True,
    help="Column of the objects, in .csv and .tsv files.",
)  # fmt: skip
@click.option(
    "--cluster", metavar="NAME", default="cluster", show_default=True,
    help="Column of the clusters, in .csv and .tsv files.",
)  # fmt: skip
@click.option(
    "--balance", type=float, callback=_read_share, metavar="X", default=0.5, show_default=True,
    help="Weight of the direction left to right; with 1 only LEFT's clusters seek a match.",
)  # fmt: skip
@click.option(
    "--similarity", type=click.Choice(list(FORMS)), default="jaccard", show_default=True,
    help="Similarity of two clusters.",
)  # fmt: skip
@click.option(
    "--average", type=click.Choice(AVERAGES), default="size", show_default=True,
    help="Whether clusters count by size or all the same.",
)  # fmt: skip
@click.option("--no-outliers", is_flag=True, help="Score the clusters only (F*_w, not F*_wo).")
@click.option(
    "--threads", type=click.IntRange(min=1), metavar="N",
    help="By default one for small inputs and one per core for others.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Write the whole comparison as JSON.")
@click.option(
    "--matches", type=click.Path(), metavar="FILE",
    help="Write the table of clusters, with best matches and losses, to a CSV file.",
)  # fmt: skip
@click.option(
    "--fail-below", type=float, callback=_read_share, metavar="X",
    help="Leave with exit code 1 if the score is below X.",
)  # fmt: skip
def compare(
    left: str,
    right: str,
    as_json: bool,
    matches: str | None,
    fail_below: float | None,
    **options: Any,
) -> None:
    """Compare two clusterings: the score, and where it is lost.

    LEFT and RIGHT are files of labels, one a line, or of pairs: .csv or .tsv with a header and
    the columns object and cluster. Negative labels and empty clusters mean outliers. Neither
    side is the truth.
    """
    if matches is not None:
        if not Path(matches).parent.is_dir():
            raise FileError(f"{matches}: there is no folder {Path(matches).parent}")
        _refuse_overwriting(Path(matches), [Path(left), Path(right), options["universe"]])
    result = compare_files(left, right, **options)
    if matches is not None:
        write_matches(result, Path(matches))
    if as_json:
        emit(result.to_json(indent=2) + "\n")
    else:
        show(result)
    if fail_below is not None and result.score < fail_below:
        click.echo(f"coverlap: score {result.score} is below {fail_below}", err=True)
        raise click.exceptions.Exit(BELOW_BAR)


def compare_files(
    left: str,
    right: str,
    *,
    universe: str | int | Path = "union",
    outlier_label: tuple[str, ...] = (),
    object: str = "object",
    cluster: str = "cluster",
    no_outliers: bool = False,
    **options: Any,
) -> Comparison:
    """Compare two files; further options are those of `coverlap.compare`."""
    reading: dict[str, Any] = {
        "object": object, "cluster": cluster,
        "outlier_label": set(map(token_value, outlier_label)) if outlier_label else NEGATIVE,
    }  # fmt: skip
    objects: Any = universe
    if isinstance(universe, Path):
        parts, objects = read_files_and_ids([left, right], universe, **reading)
    else:
        parts = read_files([left, right], **reading)
    return compare_clusterings(
        *map(Clustering._make, parts),
        universe=objects,
        outliers=not no_outliers,
        names=name_sides(left, right),
        **options,
    )


def name_sides(left: str, right: str) -> tuple[str, str]:
    """Call each side by its file, with as many folders as it takes to tell the two apart.

    Examples
    --------
    >>> name_sides("runs/1/found.txt", "truth.txt")
    ('found.txt', 'truth.txt')
    >>> name_sides("runs/1/found.txt", "runs/2/found.txt")
    ('1/found.txt', '2/found.txt')
    """
    parts = [Path(path).absolute().parts for path in (left, right)]
    depth = 1
    while parts[0][-depth:] == parts[1][-depth:] and depth < len(parts[0]):
        depth += 1
    one, other = (click.format_filename(Path(*part[-depth:])) for part in parts)
    return (one, other) if one != other else (Path(one).name, Path(other).name)


def write_matches(comparison: Comparison, path: Path) -> None:
    """Write the table of clusters as CSV."""
    columns = comparison.columns()
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None


def _refuse_overwriting(matches: Path, inputs: list[Any]) -> None:
    for path in (item for item in inputs if isinstance(item, Path)):
        if matches.exists() and path.exists() and matches.samefile(path):
            raise OptionError(f"--matches {matches} would overwrite an input file")
