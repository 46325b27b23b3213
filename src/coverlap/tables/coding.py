"""Coding the objects and clusters of tables as integers, while DuckDB scans them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.core.texts import Ids
from coverlap.core.threads import Workers
from coverlap.files.formats.parquet import Pairs
from coverlap.files.options import ReadOptions
from coverlap.tables.database import Database
from coverlap.tables.id_codes import IdCodes
from coverlap.tables.ids import IdColumn, common_type, id_column
from coverlap.tables.labels import LabelCodes, code_labels

SPARSE = 4
"""Integers are codes themselves if at most so many of their range occur for each that does."""

MOST_CODES = 2**32 - 2

Chunk = tuple[NDArray[np.uint32], NDArray[np.uint32]]
"""The codes of the objects and of the labels of some rows."""


class Side(NamedTuple):
    """One table: the query of its memberships, its ids, and its labels with their clusters."""

    pairs: Pairs
    ids: IdColumn
    labels: LabelCodes

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.ids.n_rows

    @property
    def names(self) -> Ids:
        """The names of the clusters, in cluster order."""
        return self.labels.names

    def select(self, o: str, c: str) -> str:
        """Return the query of an expression of the object, and one of the code of the label."""
        return f"SELECT {o} AS o, {c} AS c FROM ({self.pairs.sql}) {self.labels.join}"


class Described(NamedTuple):
    """Two tables before their objects are coded, and the ids of a given universe, if any."""

    left: Side
    right: Side
    universe: IdColumn | None

    @property
    def columns(self) -> list[IdColumn]:
        """All columns of ids."""
        given = [] if self.universe is None else [self.universe]
        return [self.left.ids, self.right.ids, *given]


def describe_tables(
    database: Database, sides: Sequence[tuple[Pairs, ReadOptions, str]], universe: Pairs | None
) -> Described:
    """Find out what the ids of all tables are, and number the clusters of each side."""
    pairs = [pair for pair, _, _ in sides]
    wheres = [f"{where}: column {pair.item!r}" for pair, _, where in sides]
    if universe is not None:
        pairs, wheres = [*pairs, universe], [*wheres, f"universe: column {universe.item!r}"]
    columns = [id_column(database, pair, where) for pair, where in zip(pairs, wheres, strict=True)]
    left, right, *given = common_type(database, columns)
    one, other = (
        Side(pair, ids, code_labels(database, pair, options, where, f"labels_{number}"))
        for number, (ids, (pair, options, where)) in enumerate(
            zip((left, right), sides, strict=True)
        )
    )
    return Described(one, other, given[0] if given else None)


class CodedRows(NamedTuple):
    """The codes of all rows of a table, from a query or from a file of chunks.

    Codes of objects are below ``n_objects``, those of labels below ``n_labels``.
    """

    where: str
    sql: str
    n_rows: int
    n_objects: int
    n_labels: int
    path: Path | None = None
    lengths: tuple[int, ...] = ()

    def chunks(self, database: Database) -> Iterator[Chunk]:
        """Yield the codes of objects and labels in chunks.

        Statistics of a file can be wrong, and a file can change while it is scanned; codes out of
        bounds would make the kernels write anywhere.
        """
        if self.path is None:
            n_rows = 0
            for objects, labels in database.stream(self.sql):
                n_rows += len(objects)
                is_inside = objects.max() < self.n_objects and labels.max() < self.n_labels
                if not is_inside or n_rows > self.n_rows:
                    raise _changed(self.where)
                yield objects, labels
            if n_rows < self.n_rows:
                raise _changed(self.where)
            return
        with self.path.open("rb") as file:
            for length in self.lengths:
                codes = np.fromfile(file, np.uint32, 2 * length)
                yield codes[:length], codes[length:]
                database.advance(length)


class CodedSide(NamedTuple):
    """One side: its rows, and the cluster of each code of a label.

    ``numbers`` has the position of the cluster among the names, and `NO_CLUSTER` for outliers.
    """

    rows: CodedRows
    n_rows: int
    numbers: NDArray[np.uint32]
    names: Ids
    outlier_texts: tuple[Any, ...]


class CodedTables(NamedTuple):
    """Two tables with codes of the same objects, below ``n_codes``.

    Codes are integers from ``first`` on, or those of ``texts``. ``given`` are the codes of a given
    universe, in chunks.
    """

    left: CodedSide
    right: CodedSide
    n_codes: int
    first: int
    texts: IdCodes | None
    are_integers: bool
    given: tuple[NDArray[np.uint32], ...] | None

    def ids(self, codes: Sequence[int]) -> list[Any]:
        """Return the ids of some codes."""
        if self.texts is None:
            return [self.first + code for code in codes]
        texts = self.texts.texts(codes)
        return [int(text) for text in texts] if self.are_integers else texts


def _changed(where: str) -> InputError:
    return InputError(
        f"{where} has other values than at first; the file changed while it was read, or its "
        "statistics are wrong"
    )


def code_tables(database: Database, tables: Described, team: Workers, memory: int) -> CodedTables:
    """Code the objects of both tables, and of a universe, alike.

    Integers of a dense range are codes themselves. Other ids are numbered in ``memory``, and the
    coded rows are written to a temporary file; `TooManyIdsError` is raised if it does not suffice.
    """
    columns = tables.columns
    filled = [column for column in columns if column.n_rows]
    are_integers = all(column.kind in ("integer", "digits") for column in filled)
    first = min((column.low for column in filled), default=0)
    n_codes = max((column.high for column in filled), default=-1) - first + 1
    n_rows = sum(column.n_rows for column in filled)
    is_dense = all(column.kind == "integer" for column in filled) and n_codes <= min(
        SPARSE * n_rows + 2**16, MOST_CODES
    )
    coder = None if is_dense else IdCodes(team, memory)
    left, right = (
        _code_side(database, side, (first, n_codes), coder, number)
        for number, side in enumerate((tables.left, tables.right))
    )
    given = None
    if tables.universe is not None:
        given = _code_universe(database, tables.universe, first, coder)
    if coder is not None:
        n_codes, first = coder.n_codes, 0
        if n_codes > MOST_CODES:
            raise InputError(f"more than {MOST_CODES:,} objects cannot be counted")
    return CodedTables(left, right, n_codes, first, coder, are_integers, given)


def _dense(column: IdColumn, first: int) -> str:
    """Return the SQL expression of the code of an integer."""
    return f"CAST({column.o} - ({first}) AS UINTEGER)"


def _code_side(
    database: Database, side: Side, bounds: tuple[int, int], coder: IdCodes | None, number: int
) -> CodedSide:
    labels, (first, n_codes) = side.labels, bounds
    o = _dense(side.ids, first) if coder is None else side.ids.as_text().o
    n_labels = len(labels.numbers)
    sql = side.select(o, f"coalesce({labels.code}, CAST({n_labels - 1} AS UINTEGER))")
    rows = CodedRows(side.ids.where, sql, side.n_rows, n_codes, n_labels)
    if coder is not None or labels.join:
        rows = _write_rows(database, rows, coder, database.folder / f"side_{number}")
    return CodedSide(rows, side.n_rows, labels.numbers, labels.names, labels.outlier_texts)


def _write_rows(
    database: Database, rows: CodedRows, coder: IdCodes | None, path: Path
) -> CodedRows:
    """Code each row once, and write the codes to a file."""
    lengths = []
    with database.reported(), path.open("wb") as file:
        chunks: Iterator[Any] = rows.chunks(database)
        if coder is not None:
            chunks = ((coder.code(*ids), labels) for ids, labels in database.stream(rows.sql))
        for objects, labels in chunks:
            file.write(objects)  # unlike tofile, says why it fails
            file.write(labels)
            lengths.append(len(objects))
    return rows._replace(path=path, lengths=tuple(lengths))


def _code_universe(
    database: Database, column: IdColumn, first: int, coder: IdCodes | None
) -> tuple[NDArray[np.uint32], ...]:
    o = _dense(column, first) if coder is None else column.as_text().o
    stream = database.stream(f"SELECT {o} AS o FROM ({column.sql})")
    if coder is None:
        return tuple(codes.copy() for (codes,) in stream)
    return tuple(coder.code(*ids) for (ids,) in stream)
