"""Tables in Spark: frames, and files that a session reads, as relations of objects and clusters."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from coverlap.core.column_names import USUAL_OBJECT, find_column
from coverlap.core.errors import InputError
from coverlap.core.spelling import spelled_values
from coverlap.core.values import NEGATIVE
from coverlap.counting.relational.engine import ClusterNames
from coverlap.counting.relational.spark_columns import Column, distinct_labels
from coverlap.counting.relational.spark_session import SparkRunner, reported
from coverlap.files.content import number_labels
from coverlap.files.detect import detect
from coverlap.files.formats import pairs
from coverlap.files.options import ReadOptions
from coverlap.files.registry import format_named
from coverlap.files.source import Source
from coverlap.files.text.lines import read_lines
from coverlap.tables.table import Table

ELSEWHERE = "use engine='memory', or read the files by Spark and pass the frame"


class SparkTable(NamedTuple):
    """A view of a table in Spark with the columns of objects and of clusters."""

    objects: Column
    clusters: Column
    options: ReadOptions

    def relation(self, runner: SparkRunner, ids: str) -> tuple[str, ClusterNames]:
        """Return the query of objects and numbers of clusters, and the names of the clusters.

        Integers that name clusters are their numbers. Other labels get numbers in cluster order
        here, and are looked up there.
        """
        column, view = self.clusters, self.clusters.view
        found = distinct_labels(runner, column)
        numbered = number_labels(found.labels, self.options, column.where)
        outlier_texts = tuple(sorted(spelled_values(numbered.outlier_labels), key=str))
        are_numbers = column.kind == "integers" and self.options.outlier_cluster is None
        if are_numbers and self.options.outlier_label is NEGATIVE:
            label = column.integer
            cluster = f"CASE WHEN {label} >= 0 THEN {label} END"
            query = f"(SELECT {ids} AS object, {cluster} AS cluster FROM {view})"
            return query, ClusterNames(numbered.names, np.asarray(numbered.names), outlier_texts)
        is_cluster = numbered.numbers >= 0
        columns = {"label": found.values[is_cluster], "number": numbered.numbers[is_cluster]}
        known = runner.view(runner.frame(columns, {"label": found.type, "number": "bigint"}))
        query = (
            f"(SELECT {ids} AS object, known.number AS cluster FROM {view} v "
            f"LEFT JOIN {known} known ON {found.expression} = known.label)"
        )
        return query, ClusterNames(numbered.names, None, outlier_texts)


def open_table(runner: SparkRunner, table: Table, side: str) -> SparkTable:
    """Make a view of the two columns of a table; lists of clusters become one row for each item."""
    source = Source(str(table), side)
    read = _read_files(runner, table, side) if table.is_files else _Read(table.source)
    with reported():
        names, types = read.frame.columns, [kind for _, kind in read.frame.dtypes]
    item, cluster = read.columns or _find_columns(table.options, names, source)
    view = runner.view(_selected(read.frame, {"object": item, "cluster": cluster}))
    kind = types[cluster]
    if kind.startswith("array<"):
        kind = kind.removeprefix("array<").removesuffix(">")
        view = runner.query(f"SELECT object, explode_outer(cluster) AS cluster FROM {view}")
    where = [f"{source}: column {names[place]!r}" for place in (item, cluster)]
    return SparkTable(
        Column(where[0], view, "object", types[item], read.is_text),
        Column(where[1], view, "cluster", kind, read.is_text),
        table.options,
    )


def open_universe(runner: SparkRunner, frame: Any, name: str | int | None = None) -> Column:
    """Make a view of a frame of ids: its only column, or the one with such a name or position."""
    source = Source("Spark frame", "universe")
    with reported():
        names, types = frame.columns, [kind for _, kind in frame.dtypes]
    if len(names) == 1:
        place = 0
    elif isinstance(name, int):
        place = name
    else:
        given = USUAL_OBJECT if name is None else name
        hint = "use Table(frame, object=...)"
        found = find_column(names, "object", given, other="", where=str(source), hint=hint)
        place = names.index(found)
    view = runner.view(_selected(frame, {"object": place}))
    return Column(
        f"{source}: column {names[place]!r}", view, "object", types[place], is_token=False
    )


def _find_columns(options: ReadOptions, names: list[str], source: Source) -> tuple[int, int]:
    """Return the positions of the columns of objects and clusters."""
    item, cluster = options.columns()
    if isinstance(item, str):
        item, cluster = options.find_columns(names, source)
        return names.index(item), names.index(cluster)
    if max(item, int(cluster)) >= len(names):
        options.find_columns(names, source)
    return item, int(cluster)


def _selected(frame: Any, places: dict[str, int]) -> Any:
    """Return columns of a frame under new names.

    They are chosen by position, since their names may have any characters or differ only in case.
    """
    with reported():
        named = frame.toDF(*(f"column_{i}" for i in range(len(frame.columns))))
        return named.selectExpr(*(f"column_{i} AS {name}" for name, i in places.items()))


class _Read(NamedTuple):
    """A frame, whether it is text of files, and the positions of its columns if these are known."""

    frame: Any
    is_text: bool = False
    columns: tuple[int, int] | None = None


def _read_files(runner: SparkRunner, table: Table, side: str) -> _Read:
    """Return a frame of files that are all of the format of the first one."""
    paths = table.paths()
    with Source(paths[0], side) as source:
        options = table.options._replace(guessed=table.format == "auto")
        form = detect(source, options) if options.guessed else format_named(table.format)
        form.check_options(options)
        if form.name == "pairs":
            return _read_text(runner, paths, source, options)
    if form.name != "parquet":
        raise InputError(
            f"{source}: Spark reads Parquet and pairs of text, not {form.name!r}; {ELSEWHERE}"
        )
    with reported():
        return _Read(runner.session.read.parquet(*map(_uri, paths)))


def _read_text(
    runner: SparkRunner, paths: Sequence[Path], source: Source, options: ReadOptions
) -> _Read:
    layout, header = pairs.find_table(source, next(read_lines(source)), options)
    if layout.delimiter == " ":
        raise InputError(
            f"{source}: Spark cannot split fields at any number of spaces; {ELSEWHERE}"
        )
    with reported():
        reader = runner.session.read.options(
            sep=layout.delimiter, header=header is not None, quote='"', escape='"',
            ignoreLeadingWhiteSpace=True, ignoreTrailingWhiteSpace=True,
            enforceSchema=False, mode="FAILFAST", columnPruning=False,
            maxCharsPerColumn=-1,
        )  # fmt: skip
        frame = reader.csv([_uri(path) for path in paths])
    item, cluster = layout.columns
    return _Read(frame, is_text=True, columns=(item, cluster))


def _uri(path: Path) -> str:
    """Return the address of one local file, in which no character stands for others."""
    escaped = re.sub(r"([*?\[\]{}\\])", r"\\\1", path.absolute().as_posix())
    return f"file://{escaped}"
