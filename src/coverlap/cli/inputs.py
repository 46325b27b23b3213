"""Input files: reading them with a progress bar, and reporting how each was read."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from coverlap.cli.output import file_name, write_message
from coverlap.cli.progress import progress_bar
from coverlap.clustering.read import File, read_files, read_files_and_universe
from coverlap.core.errors import OptionError
from coverlap.core.memberships import Memberships
from coverlap.core.wording import quantity
from coverlap.files.detect import AUTO
from coverlap.files.options import ReadOptions as FileOptions
from coverlap.files.parts import files_of
from coverlap.files.registry import format_of_name
from coverlap.files.source import Source
from coverlap.graph import Graph
from coverlap.graph.align import share_ids
from coverlap.graph.recognise import read_graph
from coverlap.tables.table import Table

Reading = dict[str, dict[str, Any]]
"""Options of `coverlap.read_clustering` for "all" files and for each side."""


@dataclass(frozen=True)
class Inputs:
    """The content of the files of one command.

    ``universe`` is a rule, a number, or the ids in ``universe_file``; ``graph`` is the content of
    ``graph_file``.
    """

    paths: Sequence[str]
    clusterings: list[Memberships]
    universe: Any
    graph: Graph | None
    universe_file: Path | None
    graph_file: str | None

    def report(self) -> None:
        """Write to standard error how each file was read."""
        for path, clustering in zip(self.paths, self.clusterings, strict=True):
            _report(path, _describe_clustering(clustering))
        if self.universe_file is not None:
            _report(self.universe_file, f"a universe of {quantity(len(self.universe), 'object')}")
        if self.graph_file is not None and self.graph is not None:
            _report(self.graph_file, _describe_graph(self.graph))


NO_INPUTS = Inputs((), [], "union", None, None, None)
"""The inputs of a command that read no files into memory."""


def read_later(
    paths: tuple[str, str], reading: Reading, sides: tuple[str, str], engine: str
) -> tuple[Table, Table] | None:
    """Return tables of files that need not be read into memory; None if they must be.

    Standard input must be, and files whose options only the readers in memory have.
    """
    tables = []
    for path, side in zip(paths, sides, strict=True):
        given = reading["all"] | reading.get(side, {})
        others = sorted(given.keys() - {field.name for field in fields(Table)})
        if engine != "duckdb" and (engine == "memory" or others or path == "-"):
            return None
        if others or path == "-":
            what = "standard input" if path == "-" else f"--{others[0]}"
            raise OptionError(f"{what} needs --engine memory")
        if "outlier_label" in given:
            given["outlier_label"] = frozenset(given["outlier_label"])
        tables.append(Table(path, **given))
    return tables[0], tables[1]


def read_inputs(
    paths: Sequence[str],
    reading: Reading,
    sides: Sequence[str] = (),
    *,
    universe: str | int | Path = "union",
    graph_file: str | None = None,
) -> Inputs:
    """Read clusterings, the universe if it is a file, and a graph; their ids share one type.

    ``reading`` comes from `coverlap.cli.options.reading`; ``sides`` names the side of each file if
    it has options for sides, or numbers the files that have options of their own.
    """
    if graph_file == "-" and "-" in (*paths, str(universe)):
        raise OptionError("standard input (-) can be read only once")
    if "format" in reading["all"]:
        shared = [
            path
            for path, side in zip(paths, sides or [""] * len(paths), strict=True)
            if "format" not in reading.get(side, {})
        ]
        _reject_contradiction(shared, reading["all"]["format"], sides)
    files = [
        _input_file(path, reading, side, several=len(paths) > 1)
        for path, side in zip(paths, sides or [""] * len(paths), strict=True)
    ]
    universe_file, graph = (universe if isinstance(universe, Path) else None), None
    known: Any = universe
    with progress_bar("reading", in_bytes=True) as progress:
        if universe_file is None:
            clusterings = read_files(files, strict=True, progress=progress)
        else:
            clusterings, known = read_files_and_universe(
                files, universe_file, strict=True, progress=progress
            )
        if graph_file is not None:
            graph = read_graph(graph_file, progress=progress)
            graph, clusterings = share_ids(graph, f"graph: {graph_file}", clusterings)
    return Inputs(paths, clusterings, known, graph, universe_file, graph_file)


def _input_file(path: str, reading: Reading, side: str, *, several: bool) -> File:
    """Return a file with its options; those for its side replace those for all files.

    An option for several files may be one that not every format has.
    """
    own = reading.get(side, {})
    options = reading["all"] | own
    if "outlier_label" in options:
        options["outlier_label"] = frozenset(options["outlier_label"])
    file_format = options.pop("format", AUTO)
    keep = options.pop("duplicates", "merge") == "keep"
    shared = frozenset(options.keys() - own.keys() if several else ())
    is_side = side.isalpha() and several  # which may be a table of several files
    flags = f"--{{}}-{side}" if is_side else "--{}"
    first, *others = files_of(path) if is_side else [path]
    return File(
        first, file_format, FileOptions(**options),
        shared=shared, keeps_duplicates=keep, flags=flags, others=others,
    )  # fmt: skip


def _reject_contradiction(paths: Sequence[str], file_format: str, sides: Sequence[str]) -> None:
    """Reject a format for several files if the name of some, but not of all, tells another one."""
    by_name = {path: format_of_name(Source(path).name) for path in paths}
    others = {
        path: form.name for path, form in by_name.items() if form and form.name != file_format
    }
    if file_format == AUTO or len(others) in (0, len(by_name)):
        return
    path, name = others.popitem()
    flags = " and ".join(f"--format-{side}" for side in sides if side.isalpha())
    hint = f"give each file its format by {flags or '--format once for each'}"
    raise OptionError(
        f"--format {file_format} applies to all files, but the name of {file_name(path)} "
        f"is that of format {name!r}; {hint}"
    )


def _report(path: str | Path, description: str) -> None:
    name = "standard input" if str(path) == "-" else file_name(path)
    write_message(f"{name} read as: {description}")


def _describe_clustering(clustering: Memberships) -> str:
    facts = [quantity(clustering.n_clusters, "cluster"), quantity(clustering.n_objects, "object")]
    if clustering.n_outliers:
        facts.append(quantity(clustering.n_outliers, "outlier"))
    if clustering.n_in_several:
        facts.append(quantity(clustering.n_in_several, "object") + " in several clusters")
    if clustering.n_merged:
        facts.append(quantity(clustering.n_merged, "duplicate cluster") + " merged")
    if clustering.n_dropped:
        facts.append(quantity(clustering.n_dropped, "empty cluster") + " dropped")
    return f"{clustering.origin}; {', '.join(facts)}"


def _describe_graph(graph: Graph) -> str:
    facts = (
        f"a graph of {quantity(graph.n_vertices, 'vertex', 'vertices')} and "
        f"{quantity(graph.n_edges, 'edge')}"
    )
    return f"{facts}; {quantity(graph.n_loops, 'loop')} dropped" if graph.n_loops else facts
