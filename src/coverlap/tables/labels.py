"""Numbering the clusters that the labels of a table name, as for files in memory."""

from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.core.spelling import spelled_values
from coverlap.core.texts import Ids
from coverlap.core.values import NEGATIVE, value_array
from coverlap.files.coded_columns import FLOATS, WIDE_NUMBERS, is_number, temporal_values
from coverlap.files.content import number_labels
from coverlap.files.formats.parquet import Pairs
from coverlap.files.options import ReadOptions
from coverlap.files.text.tokens import NUMERIC, continuous_problem, label_values
from coverlap.tables.database import Database
from coverlap.tables.ids import FILE_TEXT, reject_continuous, smallest_type


class ClusterNames(NamedTuple):
    """The names of the clusters of a side, in cluster order.

    ``numbers`` are the numbers that the clusters have in the relation, in ascending order; None if
    these are the positions of their names.
    """

    names: Ids
    numbers: NDArray[np.int64] | None = None
    outlier_texts: tuple[Any, ...] = ()

    def of(self, clusters: NDArray[np.int64]) -> Ids:
        """Return the names of clusters."""
        if self.numbers is None:
            return self.names[clusters]
        return self.names[np.searchsorted(self.numbers, clusters)]


class LabelNumbers(NamedTuple):
    """The clusters that labels name: the SQL expression of the number, and what it has to join.

    The number is null or negative for no cluster.
    """

    number: str
    join: str
    names: ClusterNames


def number_labels_of(
    database: Database, pair: Pairs, options: ReadOptions, where: str, table: str
) -> LabelNumbers:
    """Number the distinct labels of a table.

    Integers that name clusters are their numbers. Other labels get numbers in cluster order, in a
    table of the given name.
    """
    where = f"{where}: column {pair.cluster!r}"
    are_integers = is_number(pair.cluster_type)
    c = _integer(database, pair, where) if are_integers else "CAST(c AS VARCHAR)"
    order = "" if pair.cluster_type in ("VARCHAR", FILE_TEXT) else "ORDER BY v"  # as files are read
    database.execute(
        f"CREATE TEMP TABLE {table}_found AS SELECT v, row_number() OVER ({order}) - 1 AS n FROM "
        f"(SELECT DISTINCT {c} AS v FROM ({pair.sql})) WHERE v IS NOT NULL"
    )
    labels = _labels(database, f"SELECT v FROM {table}_found ORDER BY n", pair.cluster_type, where)
    numbered = number_labels(labels, options, where)
    texts = spelled_values(numbered.outlier_labels)
    is_plain = options.outlier_label is NEGATIVE and options.outlier_cluster is None
    if are_integers and is_plain and pair.cluster_type != "UBIGINT":  # which no signed type holds
        numbers = np.asarray(numbered.names, np.int64)
        # DuckDB knows the range of a column, but not of a CASE; with it, groups are faster.
        number = f"CAST({c} AS {_type_of(labels)})"
        return LabelNumbers(number, "", ClusterNames(numbered.names, numbers, texts))
    is_cluster = numbered.numbers >= 0
    clusters = numbered.numbers[is_cluster]
    database.register("arrays", {"n": np.flatnonzero(is_cluster), "number": clusters})
    # The range of a table is known, too, and not that of arrays.
    database.execute(
        f"CREATE TEMP TABLE {table} AS SELECT v, CAST(number AS {_type_of(clusters)}) AS number "
        f"FROM {table}_found JOIN arrays USING (n)"
    )
    return LabelNumbers(
        f"{table}.number",
        f"LEFT JOIN {table} ON {c} = {table}.v",
        ClusterNames(numbered.names, None, texts),
    )


def _type_of(numbers: NDArray[Any]) -> str:
    """Return the smallest type of numbers of clusters."""
    return smallest_type(int(numbers.min(initial=0)), int(numbers.max(initial=0)))


def _integer(database: Database, pair: Pairs, where: str) -> str:
    """Return the SQL expression of a label that is a number."""
    if pair.cluster_type in FLOATS:
        reject_continuous(database, f"SELECT c FROM ({pair.sql})", pair.cluster_type, where)
        return "CASE WHEN isnan(c) THEN NULL ELSE CAST(c AS BIGINT) END"
    return "CAST(c AS TINYINT)" if pair.cluster_type == "BOOLEAN" else "c"


def _labels(database: Database, sql: str, kind: str, where: str) -> Any:
    """Return distinct labels in their own type; DuckDB writes many types as text."""
    if is_number(kind):
        return np.asarray(database.arrays(sql)["v"])
    texts = database.texts(sql)
    if kind == FILE_TEXT:
        for text in texts[texts.begin_with(NUMERIC)]:
            if problem := continuous_problem(text):
                raise InputError(f"{where}: {problem}")
        return label_values(texts)
    if WIDE_NUMBERS.fullmatch(kind):
        return value_array([_whole(text, where) for text in texts])
    return texts if kind == "VARCHAR" else temporal_values(list(texts), kind)


def _whole(text: str, where: str) -> int:
    number = Decimal(text)
    if number != int(number):
        raise InputError(f"{where} has the continuous number {number}, and that names nothing")
    return int(number)
