"""Numbering the clusters that the labels of a table name, as for files in memory."""

from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap._kernels.streaming import NO_CLUSTER
from coverlap.core.errors import InputError
from coverlap.core.incidence import frozen
from coverlap.core.spelling import spelled_values
from coverlap.core.texts import Ids
from coverlap.core.values import INT64_MAX, value_array
from coverlap.files.coded_columns import FLOATS, WIDE_NUMBERS, is_number, temporal_values
from coverlap.files.content import number_labels
from coverlap.files.formats.parquet import Pairs
from coverlap.files.options import ReadOptions
from coverlap.files.text.tokens import NUMERIC, continuous_problem, label_values
from coverlap.tables.database import Database
from coverlap.tables.ids import FILE_TEXT, reject_continuous

SPARSE = 4
"""Integers are codes themselves if at most so many of their range occur for each that does."""

ROWS_PER_INTEGER = 64
"""With at least so many rows for each integer of a range, all of these are numbered, also those
that do not occur: this takes little memory, and finding them would take a scan."""

MOST_BITS = 10**9
"""The largest range of integers of which DuckDB can tell by bits which occur."""


class LabelCodes(NamedTuple):
    """Codes of labels: the SQL expression of a code, a table to join for it, and the clusters.

    Codes are of type UINTEGER, and null for no label. ``numbers`` has the position of the cluster
    of each code among the names, and `NO_CLUSTER` for outliers; its last item is for no label.
    Some names may be of integers that do not occur.
    """

    code: str
    join: str
    numbers: NDArray[np.uint32]
    names: Ids
    outlier_texts: tuple[Any, ...]


def code_labels(
    database: Database, pair: Pairs, options: ReadOptions, where: str, table: str
) -> LabelCodes:
    """Number the distinct labels of a table; those of text get a table of this name."""
    where = f"{where}: column {pair.cluster!r}"
    if is_number(pair.cluster_type):
        c = _integer(database, pair, where)
        codes, low, span = _find_codes(database, pair, c)
        if codes is not None:
            fits = -INT64_MAX <= low <= low + span <= INT64_MAX
            wide = "BIGINT" if fits else "HUGEINT"
            code = f"CAST(CAST({c} AS {wide}) - ({low}) AS UINTEGER)"
            values = codes + low if fits else value_array([low + i for i in codes.tolist()])
            return _numbered(code, "", values, codes, span, options, where)
    else:
        c = "CAST(c AS VARCHAR)"
    order = "" if pair.cluster_type in ("VARCHAR", FILE_TEXT) else "ORDER BY v"  # as files are read
    database.execute(
        f"CREATE TEMP TABLE {table} AS SELECT v, row_number() OVER ({order}) - 1 AS n FROM "
        f"(SELECT DISTINCT {c} AS v FROM ({pair.sql})) WHERE v IS NOT NULL"
    )
    labels = _labels(database, f"SELECT v FROM {table} ORDER BY n", pair.cluster_type, where)
    code = f"CAST({table}.n AS UINTEGER)"
    join = f"LEFT JOIN {table} ON {c} = {table}.v"
    return _numbered(code, join, labels, np.arange(len(labels)), len(labels), options, where)


def _find_codes(
    database: Database, pair: Pairs, c: str
) -> tuple[NDArray[np.int64] | None, int, int]:
    """Return which integers of a dense range may occur, as distances from the first of them.

    Also return the first one, and the length of the range. Of other integers, return None.
    """
    n_rows, low, high = database.row(
        f"SELECT count(*), CAST(min({c}) AS HUGEINT), CAST(max({c}) AS HUGEINT) FROM ({pair.sql})"
    )
    if low is None:
        return np.empty(0, np.int64), 0, 0
    low, span = int(low), int(high) - int(low) + 1
    if span > min(n_rows + 2**16, MOST_BITS):
        return None, low, span
    if ROWS_PER_INTEGER * span <= n_rows:
        return np.arange(span), low, span
    (bits,) = database.row(
        f"SELECT CAST(bitstring_agg({c}, {low}, {high}) AS BLOB) FROM ({pair.sql})"
    )
    found = np.flatnonzero(np.unpackbits(np.frombuffer(bits, np.uint8))[-span:])
    return found if span <= SPARSE * len(found) + 2**16 else None, low, span


def _numbered(
    code: str, join: str, labels: Any, codes: NDArray[np.int64], n_codes: int,
    options: ReadOptions, where: str,
) -> LabelCodes:  # fmt: skip
    numbered = number_labels(labels, options, where)
    numbers = np.full(n_codes + 1, NO_CLUSTER, np.uint32)
    numbers[codes] = numbered.numbers.astype(np.uint32)  # -1 becomes NO_CLUSTER
    texts = tuple(sorted(spelled_values(numbered.outlier_labels), key=str))
    return LabelCodes(code, join, frozen(numbers), numbered.names, texts)


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
