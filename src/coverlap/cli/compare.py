"""``coverlap compare``: the score of two files, and where it comes from."""

import csv
from pathlib import Path
from typing import Any

import click

from coverlap.cli.comparing import explain_all, read_inputs, threads_option, universe_options
from coverlap.cli.output import emit, show
from coverlap.cli.program import Command
from coverlap.cli.progress import reading_bar
from coverlap.cli.reading import explain, reading_options, take_file, without_reading
from coverlap.clustering.read import File
from coverlap.core.errors import FileError, OptionError
from coverlap.core.memberships import Memberships
from coverlap.core.wording import quantity
from coverlap.counting.matching import FORMS
from coverlap.graph import Graph
from coverlap.graph.align import share_ids
from coverlap.graph.recognise import read_graph
from coverlap.measures.fstar import AVERAGES
from coverlap.results.comparison import Comparison, Universe
from coverlap.verbs.compare import compare as compare_clusterings

BELOW_BAR = 1


def _read_share(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and not 0 <= value <= 1:
        raise click.BadParameter(f"{value} is not a number from 0 to 1.", ctx, param)
    return value


@click.command(
    cls=Command,
    epilog="Example: coverlap compare truth.cmty.txt.gz found.csv --fail-below 0.9",
)
@click.argument("left", type=click.Path())
@click.argument("right", type=click.Path())
@universe_options
@click.option(
    "--graph", type=click.Path(), metavar="FILE",
    help="The edges of the graph whose vertices are clustered, two vertices a line and perhaps a "
    "weight: the clusterings are compared on its vertices, and on its edges as well.",
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
@threads_option
@reading_options("left", "right")
@click.option("--json", "as_json", is_flag=True, help="Write the whole comparison as JSON.")
@click.option(
    "--matches", type=click.Path(), metavar="FILE",
    help="Write the table of clusters, with best matches and losses, to a CSV file.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Do not say how the files were understood.")
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
    quiet: bool,
    **options: Any,
) -> None:
    """Compare two clusterings: the score, and where it is lost.

    LEFT and RIGHT are files of almost any format (see --format), compressed or not; - is
    standard input. Negative labels and empty clusters mean outliers. Neither side is the truth.

    Every option from --format to --keys holds for both files, or for one of them if -left or
    -right is put after its name, as in --format-left labels.
    """
    if matches is not None:
        if not Path(matches).parent.is_dir():
            raise FileError(f"{matches}: there is no folder {Path(matches).parent}")
        graph_file = [Path(options["graph"])] if options["graph"] else []
        inputs = [Path(left), Path(right), options["universe"], *graph_file]
        _refuse_overwriting(Path(matches), inputs)
    files = [take_file(path, options, side) for path, side in ((left, "left"), (right, "right"))]
    clusterings, graph, result = compare_files(files, **without_reading(options))
    if matches is not None:
        write_matches(result, Path(matches))
    if not quiet:
        explain_all(files, clusterings, options["universe"], result.universe.n_objects)
        if graph is not None:
            explain(options["graph"], _facts_of(graph))
        _warn_of_strangers(clusterings, result.universe)
    if as_json:
        emit(result.to_json(indent=2) + "\n")
    else:
        show(result)
    if fail_below is not None and result.score < fail_below:
        click.echo(f"coverlap: score {result.score} is below {fail_below}", err=True)
        raise click.exceptions.Exit(BELOW_BAR)


def _warn_of_strangers(clusterings: list[Memberships], universe: Universe) -> None:
    left, right = (clustering.n_objects for clustering in clusterings)
    if left and right and (universe.n_only_left, universe.n_only_right) == (left, right):
        click.echo("coverlap: the two files have no object in common", err=True)


def compare_files(
    files: list[File],
    *,
    universe: str | int | Path = "union",
    graph: str | None = None,
    no_outliers: bool = False,
    **options: Any,
) -> tuple[list[Memberships], Graph | None, Comparison]:
    """Read and compare two files; further options are those of `coverlap.compare`."""
    clusterings, objects = read_inputs(files, universe)
    known = None
    if graph is not None:
        known, clusterings = _read_graph(graph, files, clusterings)
    elif len({_is_of_edges(clustering) for clustering in clusterings}) == 2:
        raise OptionError(
            "one side is a clustering of edges; say --graph to compare it with the other"
        )
    result = compare_clusterings(
        *clusterings,
        universe=objects,
        graph=known,
        outliers=not no_outliers,
        names=name_sides(*(str(file.path) for file in files)),
        **options,
    )
    return clusterings, known, result


def _read_graph(
    path: str, files: list[File], clusterings: list[Memberships]
) -> tuple[Graph, list[Memberships]]:
    if path == "-" and any(str(file.path) == "-" for file in files):
        raise OptionError("standard input (-) can be read only once")
    with reading_bar() as progress:
        graph = read_graph(path, progress=progress)
    return share_ids(graph, f"graph: {path}", clusterings)


def _is_of_edges(clustering: Memberships) -> bool:
    return isinstance(next(iter(clustering.objects.id_array().tolist()), None), tuple)


def _facts_of(graph: Graph) -> str:
    facts = (
        f"a graph of {quantity(graph.n_vertices, 'vertex', 'vertices')} and "
        f"{quantity(graph.n_edges, 'edge')}"
    )
    return f"{facts}; {quantity(graph.n_loops, 'loop')} dropped" if graph.n_loops else facts


def name_sides(left: str, right: str) -> tuple[str, str]:
    """Call each side by its file, with as many folders as it takes to tell the two apart.

    Examples
    --------
    >>> name_sides("runs/1/found.txt", "truth.txt")
    ('found.txt', 'truth.txt')
    >>> name_sides("runs/1/found.txt", "runs/2/found.txt")
    ('1/found.txt', '2/found.txt')
    """
    left, right = ("standard input" if path == "-" else path for path in (left, right))
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
