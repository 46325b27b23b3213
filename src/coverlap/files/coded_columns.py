"""Columns of ids or labels, numbered while DuckDB reads them."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core import pages
from coverlap.core.errors import InputError
from coverlap.core.incidence import frozen
from coverlap.core.texts import Ids, Texts
from coverlap.core.threads import number_of_threads, workers, workers_for
from coverlap.core.token_table import TokenTable, hash_texts
from coverlap.core.values import (
    INT64_MAX,
    MANY,
    code_values,
    object_array,
    value_array,
)
from coverlap.inputs.arrow import NumberColumn, StreamError, TextColumn, stream_columns

INTEGERS = re.compile(r"U?(TINY|SMALL|BIG)?INT(EGER)?|BOOLEAN")
FLOATS = {"FLOAT": np.float32, "DOUBLE": np.float64}
WIDE_NUMBERS = re.compile(r"U?HUGEINT|BIGNUM|DECIMAL\(.*\)")
"""Types of numbers that NumPy has, and those that it does not have."""

TEMPORAL: dict[str, Callable[[str], Any]] = {
    "DATE": date.fromisoformat,
    **dict.fromkeys(("TIME", "TIME_NS"), time.fromisoformat),
    "TIME WITH TIME ZONE": lambda text: time.fromisoformat(text.removesuffix("+00")),
    **dict.fromkeys(
        ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE",
         "TIMESTAMPTZ_NS"),
        datetime.fromisoformat,
    ),
}  # fmt: skip
NANOSECONDS = re.compile(r"\.\d{7}")
"""Functions that parse dates and times, and what these functions would cut off."""

BLOCK = 1 << 16
"""Number of integers that are listed at a time."""


def distrust_statistics(connection: Any) -> None:
    """Let DuckDB look at the values of Parquet files, whose footers may say what is not true."""
    connection.execute(
        "SET disabled_optimizers = 'statistics_propagation,join_filter_pushdown,row_group_pruner'"
    )


def trust_statistics(connection: Any) -> None:
    """Let DuckDB plan by what the footers of Parquet files say."""
    connection.execute("SET disabled_optimizers = ''")


def most_of_range(n_rows: float) -> float:
    """Return the range below which so many integers are numbered without hashing."""
    return min(4 * n_rows + 2**20, 2**31 - 2)


def is_number(type_name: str) -> bool:
    """Return whether NumPy has the numbers of this type."""
    return type_name in FLOATS or bool(INTEGERS.fullmatch(type_name))


class CodedColumn(ABC):
    """A column of ids or labels.

    Attributes
    ----------
    where : str
        The file and the column, for error messages.
    selected : str
        What DuckDB selects, in SQL.
    dtype : type or None
        The type of what is selected, None for text.
    """

    def __init__(self, where: str, selected: str, dtype: Any, rows: NDArray[Any]) -> None:
        self.where = where
        self.selected = selected
        self.dtype = dtype
        self._rows = rows
        self._n_read = 0

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, chunk: Any) -> None:
        """Add the next rows of the column."""
        numbers = self._numbers(chunk)
        end = self._n_read + len(numbers)
        if end > len(self._rows):
            raise _wrong_statistics(self.where)
        self._rows[self._n_read : end] = numbers
        self._n_read = end

    @abstractmethod
    def _numbers(self, chunk: Any) -> NDArray[Any]:
        """Return what is kept of some rows."""

    @abstractmethod
    def code(self) -> tuple[NDArray[np.int32], Ids]:
        """Return a code for each row, -1 for a null, and the values of the codes."""

    def _take_rows(self) -> NDArray[Any]:
        """Return the rows that were read, and keep them no longer."""
        rows, self._rows = self._rows[: self._n_read], self._rows[:0]
        return rows


_listed: WeakValueDictionary[tuple[int, int], NDArray[np.int64]] = WeakValueDictionary()


def _integers_from(low: int, length: int) -> NDArray[np.int64]:
    """List the integers from the lowest on, or return the list of another column in use.

    Files that are compared often have the same ids, and each list of them takes time and memory.
    """
    integers = _listed.get((low, length))
    if integers is None:
        integers = pages.zeros(length, np.int64)
        for begin in range(0, length, BLOCK):
            part = integers[begin : begin + BLOCK]
            part[:] = np.arange(begin, begin + len(part))
            part += low
        integers.setflags(write=False)
        _listed[low, length] = integers
    return integers


class _DenseIntegers(CodedColumn):
    """Integers of a small range; their distance from the lowest plus 1 is kept, 0 for nulls."""

    def __init__(self, where: str, name: str, low: int, high: int, n_rows: int) -> None:
        selected = f"CAST(CAST({name} AS BIGINT) - ({low - 1}) AS UINTEGER)"
        super().__init__(where, selected, np.uint32, pages.zeros(n_rows, np.int32))
        self._low = low
        self._occurs = np.zeros(high - low + 2, bool)

    def _numbers(self, chunk: NumberColumn) -> NDArray[np.uint32]:
        numbers, is_null = chunk
        n_nulls = 0
        if is_null is not None:
            numbers, n_nulls = numbers * ~is_null, int(np.count_nonzero(is_null))
        is_too_low = len(numbers) - np.count_nonzero(numbers) > n_nulls
        if is_too_low or numbers.max(initial=0) >= len(self._occurs):
            raise _wrong_statistics(self.where)
        return numbers

    def code(self) -> tuple[NDArray[np.int32], Ids]:
        rows, occurs = self._take_rows(), self._occurs
        with workers_for(len(rows)) as team:
            team.run(_kernels.text.mark_integers, team.slices(rows), 0, occurs)
        occurs[0] = False
        n_integers = len(occurs) - 1
        if np.count_nonzero(occurs) == n_integers:  # as is usual
            rows -= 1
            return rows, _integers_from(self._low, n_integers)
        found = np.flatnonzero(occurs[1:])
        found += self._low
        _rename(rows, np.cumsum(occurs, dtype=np.int32) - 1)
        return rows, found


class _Numbers(CodedColumn):
    """Integers of any range, or floats."""

    def __init__(self, where: str, selected: str, rows: NDArray[Any]) -> None:
        super().__init__(where, selected, rows.dtype, rows)
        self._nulls: list[NDArray[np.intp]] = []

    def _numbers(self, chunk: NumberColumn) -> NDArray[Any]:
        if chunk.is_null is not None:
            self._nulls.append(np.flatnonzero(chunk.is_null) + self._n_read)
        return chunk.numbers

    def code(self) -> tuple[NDArray[np.int32], Ids]:
        numbers = self._take_rows()
        missing = np.zeros(len(numbers), bool)
        for places in self._nulls:
            missing[places] = True
        if numbers.dtype.kind == "f":
            missing |= np.isnan(numbers)
            numbers = self._integers(np.where(missing, 0, numbers))
        codes = np.full(len(numbers), -1, np.int32)
        codes[~missing], distinct = code_values(numbers[~missing], self.where)
        return codes, distinct

    def _integers(self, numbers: NDArray[Any]) -> NDArray[np.int64]:
        with np.errstate(invalid="ignore"):
            integers = numbers.astype(np.int64)
        if not np.array_equal(integers, numbers):
            raise _continuous(self.where, numbers[np.argmax(integers != numbers)])
        return integers


class _Texts(CodedColumn):
    """Text, and values of any other type as text; 0 stands for nulls."""

    def __init__(self, where: str, name: str, type_name: str, n_rows: int) -> None:
        super().__init__(where, f"CAST({name} AS VARCHAR)", None, pages.zeros(n_rows, np.int32))
        self._type_name = type_name
        self._table = TokenTable()

    def _numbers(self, chunk: TextColumn) -> NDArray[np.int32]:
        texts, places = chunk
        if places is None:
            return self._table.number_hashed(hash_texts(texts)) + np.int32(1)
        numbers = np.zeros(len(places), np.int32)
        numbers[places >= 0] = self._table.number_hashed(hash_texts(texts[places >= 0])) + 1
        return numbers

    def code(self) -> tuple[NDArray[np.int32], Ids]:
        codes, table = self._take_rows(), self._table
        texts = table.all_texts()
        texts = Texts(table.strings()) if texts is None else texts
        self._table = table = TokenTable()  # the memory of the hash table is needed
        order = texts.order()
        if order is None:
            codes -= 1
            return codes, self._values(texts)
        rank = np.full(len(order) + 1, -1, np.int32)
        rank[order + 1] = np.arange(len(order))
        _rename(codes, rank)
        return codes, self._values(texts[order])

    def _values(self, texts: Texts) -> Ids:
        """Return the values that were converted to text."""
        if WIDE_NUMBERS.fullmatch(self._type_name):
            return value_array([self._integer(text) for text in texts])
        if self._type_name in TEMPORAL or len(texts) < MANY:
            return object_array(temporal_values(texts.strings, self._type_name))
        return texts

    def _integer(self, text: str) -> int:
        number = Decimal(text)
        if number != int(number):
            raise _continuous(self.where, text)
        return int(number)


def read_columns(
    connection: Any, view: str, types: dict[str, tuple[str, str]]
) -> list[CodedColumn]:
    """Read some columns of a view, given for each its type and where it is, for error messages.

    The statistics of a file say how integers are numbered, unless they turn out to be wrong.
    """
    import duckdb

    trust_statistics(connection)
    bounds = _bounds(connection, view, types)
    distrust_statistics(connection)
    try:
        return _read_columns(connection, view, types, bounds)
    except (duckdb.ConversionException, duckdb.OutOfRangeException, StreamError):
        return _read_columns(connection, view, types, _bounds(connection, view, types))


def _read_columns(
    connection: Any, view: str, types: dict[str, tuple[str, str]],
    bounds: dict[str, tuple[int, int | None, int | None]],
) -> list[CodedColumn]:  # fmt: skip
    columns = [
        _column(where, f"{view}.{name}", type_name, *bounds[name])
        for name, (type_name, where) in types.items()
    ]
    selected = ", ".join(column.selected for column in columns)
    relation = connection.sql(f"SELECT {selected} FROM {view}")
    dtypes = [column.dtype for column in columns]
    n_threads = number_of_threads(None, len(columns[0]), 1) if set(dtypes) == {None} else 1
    with workers(min(n_threads, len(columns))) as team:
        for chunk in stream_columns(relation, dtypes):
            if team.threads == len(columns):
                team.run(CodedColumn.add, columns, chunk)
                continue
            for column, part in zip(columns, chunk, strict=True):
                column.add(part)
    return columns


def _bounds(
    connection: Any, view: str, types: dict[str, tuple[str, str]]
) -> dict[str, tuple[int, int | None, int | None]]:
    """Return the number of rows, and the lowest and the highest number of columns of integers."""
    found = ["count(*)"]
    for name, (type_name, _) in types.items():
        is_integer = INTEGERS.fullmatch(type_name)
        found += [f"min({name})", f"max({name})"] if is_integer else ["NULL", "NULL"]
    (row,) = connection.execute(f"SELECT {', '.join(found)} FROM {view}").fetchall()
    return {name: (row[0], row[2 * i + 1], row[2 * i + 2]) for i, name in enumerate(types)}


def _column(
    where: str, name: str, type_name: str, n_rows: int, low: int | None, high: int | None
) -> CodedColumn:
    if type_name in FLOATS:
        return _Numbers(where, name, pages.zeros(n_rows, FLOATS[type_name]))
    if not INTEGERS.fullmatch(type_name):
        return _Texts(where, name, type_name, n_rows)
    if low is None or high is None:
        return _DenseIntegers(where, name, 0, -1, n_rows)
    low, high = int(low), int(high)
    fits = -INT64_MAX <= low <= high <= INT64_MAX
    if fits and high - low < most_of_range(n_rows):
        return _DenseIntegers(where, name, low, high, n_rows)
    number, dtype = ("BIGINT", np.int64) if high <= INT64_MAX else ("UBIGINT", np.uint64)
    return _Numbers(where, f"CAST({name} AS {number})", pages.zeros(n_rows, dtype))


def _rename(codes: NDArray[np.int32], names: NDArray[np.int32]) -> None:
    """Replace each code by its new name, in place."""
    with workers_for(len(codes)) as team:
        team.run(_kernels.coding.rename, team.slices(codes), frozen(names))


def temporal_values(texts: list[str], type_name: str) -> list[Any]:
    """Convert dates and times to Python's types, unless they do not fit; return text as it is."""
    parse = TEMPORAL.get(type_name)
    if parse is None or any(NANOSECONDS.search(text) for text in texts):
        return texts
    try:
        return [parse(text) for text in texts]
    except ValueError:  # a year beyond 9999, or infinity
        return texts


def _continuous(where: str, number: Any) -> InputError:
    return InputError(f"{where} has the continuous number {number}, and that names nothing")


def _wrong_statistics(where: str) -> StreamError:
    return StreamError(f"{where} has other values than the statistics of the file say")
