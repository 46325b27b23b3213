"""``coverlap compare``: the score of two files, and where they differ."""

from pathlib import Path
from typing import Any

import click

from coverlap.cli import gates, options, output
from coverlap.cli.inputs import NO_INPUTS, Inputs, Reading, read_inputs, read_later
from coverlap.cli.progress import progress_bar
from coverlap.cli.tables import table_format, write_table
from coverlap.core.errors import OptionError
from coverlap.core.memberships import Memberships
from coverlap.counting.engines import Engine, choose_engine
from coverlap.counting.matching import SIMILARITIES
from coverlap.measures.fstar import AVERAGES
from coverlap.results.comparison import Comparison
from coverlap.results.comparison_text import blocks
from coverlap.results.text import render
from coverlap.verbs.compare import compare as compare_clusterings


def parse_bar(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """Return the score that must be reached; the bars of other measures belong to `scores`."""
    if value is None:
        return None
    if "=" in value:
        problem = (
            f"must be a number from 0 to 1, not {value!r}; for other measures use "
            f"'coverlap scores ... --fail-below {value}'."
        )
        raise click.BadParameter(problem, ctx, param)
    return check_share(ctx, param, click.FLOAT(value, param, ctx))


def check_share(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """Reject numbers that are not from 0 to 1."""
    if value is not None and not 0 <= value <= 1:
        raise click.BadParameter(f"{value} is not a number from 0 to 1.", ctx, param)
    return value


def comparison_options(command: options.Function) -> options.Function:
    """Add the options that choose what is compared, and how; see `compare_files`."""
    for option in (
        options.reading(*options.SIDES),
        options.engine,
        options.threads,
        click.option(
            "--no-outliers", is_flag=True, help="Score the clusters only: F*_w instead of F*_wo."
        ),
        click.option(
            "--average", type=click.Choice(AVERAGES), default="size", show_default=True,
            help="Weight each cluster by its size, or give all the same weight.",
        ),
        click.option(
            "--similarity", type=click.Choice(list(SIMILARITIES)), default="jaccard",
            show_default=True, help="Similarity of two clusters.",
        ),
        click.option(
            "--balance", type=float, callback=check_share, metavar="X", default=0.5,
            show_default=True,
            help="Weight of the matches of LEFT's clusters, from 0 to 1; the matches of RIGHT's "
            "clusters have the weight 1 - X.",
        ),
        click.option(
            "--graph", type=click.Path(), metavar="FILE",
            help="File with the edges of the graph whose vertices are clustered: two vertices per "
            "line, and optionally a weight. The clusterings are compared on its vertices and on "
            "its edges.",
        ),
        options.universe,
    ):  # fmt: skip
        command = option(command)
    return command


def compare_files(
    left: str,
    right: str,
    *,
    reading: dict[str, Any],
    universe: str | int | Path,
    graph: str | None,
    no_outliers: bool,
    engine: Engine,
    **rules: Any,
) -> tuple[Inputs, Comparison]:
    """Read and compare two files by the options of `comparison_options`.

    Files that are compared outside memory are not read as inputs.
    """
    rules |= {"outliers": not no_outliers, "names": name_sides(left, right)}
    limits = {name: rules.pop(name) for name in ("memory_limit", "temp_dir")}
    if graph is None:
        chosen = {"universe": universe, "engine": engine, **limits, **rules}
        result = compare_tables((left, right), reading, options.SIDES, **chosen)
        if result is not None:
            return NO_INPUTS, result
    inputs = read_inputs((left, right), reading, options.SIDES, universe=universe, graph_file=graph)
    if graph is None:
        _reject_edges_beside_vertices(inputs.clusterings)
    result = compare_clusterings(
        *inputs.clusterings,
        universe=inputs.universe,
        graph=inputs.graph,
        **rules,
    )
    return inputs, result


def compare_tables(
    paths: tuple[str, str], reading: Reading, sides: tuple[str, str], engine: Engine, **chosen: Any
) -> Comparison | None:
    """Compare two files outside memory; return None if they are to be read instead."""
    tables = read_later(paths, reading, sides, engine)
    limits = {name: chosen[name] for name in ("threads", "memory_limit", "temp_dir")}
    if tables is None or choose_engine(*tables, engine, **limits) is None:
        return None
    with progress_bar("comparing") as progress:
        return compare_clusterings(*tables, engine=engine, progress=progress, **chosen)


def check_target(
    option: str, target: str, left: str, right: str, universe: str | int | Path, graph: str | None
) -> None:
    """Raise an error if the file to write is one of those to read, or its folder is missing."""
    universe_file = universe if isinstance(universe, Path) else None
    output.check_target(option, target, left, right, universe_file, graph)


@click.command(
    cls=options.Command,
    epilog="Example: coverlap compare truth.cmty.txt.gz found.csv --fail-below 0.9",
)
@click.argument("left", type=click.Path())
@click.argument("right", type=click.Path())
@comparison_options
@options.json
@click.option(
    "--matches", type=click.Path(allow_dash=True), metavar="FILE",
    help="Also write a table with the best match and the loss of each cluster; the suffix "
    "decides the format: .csv, .tsv, .json, .parquet or .arrow. - prints the table as CSV instead "
    "of the result.",
)  # fmt: skip
@click.option(
    "--top", type=click.IntRange(min=0), metavar="N", default=0,
    help="Also print a table of the N clusters that cost most, with their best matches.",
)  # fmt: skip
@options.quiet
@gates.require_partition
@click.option(
    "--fail-below", callback=parse_bar, metavar="X",
    help="Exit with code 1 if the score is below X.",
)  # fmt: skip
def compare(
    left: str,
    right: str,
    as_json: bool,
    matches: str | None,
    top: int,
    quiet: bool,
    require_partition: bool,
    fail_below: float | None,
    **chosen: Any,
) -> None:
    """Compare two clusterings, and show where they differ.

    LEFT and RIGHT are files in any of the formats that --format lists, compressed or not; -
    means standard input. Neither has to be the truth. Objects with a negative label or without
    a cluster are outliers.

    The options from --format to --duplicates apply to both files. To apply one to a single file,
    add -left or -right to its name, as in --format-left labels.
    """
    if matches == "-" and as_json:
        raise OptionError("--json and --matches - cannot both be written to standard output")
    if matches is not None:
        matches_format = table_format("--matches", matches)
        check_target("--matches", matches, left, right, chosen["universe"], chosen["graph"])
    inputs, result = compare_files(left, right, **chosen)
    if require_partition:
        several = [side.n_in_several for side in result.clusterings]
        n_outliers = result.outliers.n_left, result.outliers.n_right
        gates.check_partitions(map(output.file_name, (left, right)), n_outliers, several)
    if matches is not None:
        write_table(matches, [result.table], matches_format)
    if not quiet:
        inputs.report()
    if matches != "-":
        text = None if as_json else render(blocks(result, top))
        output.write_result(result, as_json=as_json, text=text)
    elif not quiet:
        output.write_message(f"score {result.score} ({result.measure})")
    if fail_below is not None and result.score < fail_below:
        output.write_message(f"score {result.score} is below {fail_below}")
        raise click.exceptions.Exit(output.BELOW_THRESHOLD)


def _reject_edges_beside_vertices(clusterings: list[Memberships]) -> None:
    ids = [clustering.objects.id_array()[:1].tolist() for clustering in clusterings]
    if len({any(isinstance(item, tuple) for item in first) for first in ids}) == 2:
        raise OptionError(
            "one side is a clustering of edges and the other is not; use --graph to compare them"
        )


def name_sides(left: str, right: str) -> tuple[str, str]:
    """Return the name of each file, with as many folders as are needed to distinguish the two.

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
    one, other = (output.file_name(Path(*part[-depth:])) for part in parts)
    return (one, other) if one != other else (Path(one).name, Path(other).name)
