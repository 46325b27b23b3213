"""Frames of Spark as relations of objects and clusters."""

from typing import Any, NamedTuple

import numpy as np

from coverlap.core.column_names import USUAL_OBJECT, find_column
from coverlap.core.spelling import spelled_values
from coverlap.core.values import NEGATIVE
from coverlap.counting.relational.spark_columns import Column, distinct_labels
from coverlap.counting.relational.spark_session import SparkRunner, reported
from coverlap.files.content import number_labels
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.tables.labels import ClusterNames
from coverlap.tables.table import Table


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
        outlier_texts = spelled_values(numbered.outlier_labels)
        are_numbers = column.kind == "integers" and self.options.outlier_cluster is None
        if are_numbers and self.options.outlier_label is NEGATIVE:
            query = f"(SELECT {ids} AS object, {column.integer} AS cluster FROM {view})"
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
    """Make a view of the two columns of a frame; lists of clusters become one row for each item."""
    source, frame = Source(str(table), side), table.source
    names, types = _columns_of(frame)
    item, cluster = _find_columns(table.options, names, source)
    view = runner.view(_selected(frame, {"object": item, "cluster": cluster}))
    kind = types[cluster]
    if kind.startswith("array<"):
        kind = kind.removeprefix("array<").removesuffix(">")
        view = runner.query(f"SELECT object, explode_outer(cluster) AS cluster FROM {view}")
    where = [f"{source}: column {names[place]!r}" for place in (item, cluster)]
    return SparkTable(
        Column(where[0], view, "object", types[item]),
        Column(where[1], view, "cluster", kind),
        table.options,
    )


def open_universe(runner: SparkRunner, frame: Any, name: str | int | None = None) -> Column:
    """Make a view of a frame of ids: its only column, or the one with such a name or position."""
    source = Source("Spark frame", "universe")
    names, types = _columns_of(frame)
    if isinstance(name, int) and name < len(names):
        place = name
    elif len(names) == 1 and name is None:
        place = 0
    else:
        given = USUAL_OBJECT if name is None else name
        hint = "use Table(frame, object=...)"
        found = find_column(names, "object", given, other="", where=str(source), hint=hint)
        place = names.index(found)
    view = runner.view(_selected(frame, {"object": place}))
    return Column(f"{source}: column {names[place]!r}", view, "object", types[place])


def _columns_of(frame: Any) -> tuple[list[str], list[str]]:
    """Return the names and the types of the columns of a frame."""
    with reported():
        return frame.columns, [kind for _, kind in frame.dtypes]


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
