"""Data frames of pandas, polars or Arrow made from columns of values."""

import importlib.util
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError, MissingDependencyError, OptionError
from coverlap.core.incidence import Runs, take
from coverlap.core.values import INT64_MAX
from coverlap.core.wording import text_of


class Column(NamedTuple):
    """A named column to be written to a frame; an array has no missing values."""

    name: str
    items: Any
    kind: str  # "integer", "float", "boolean", "text" or "object"

    def tolist(self) -> list[Any]:
        """Return the value of each row, in a new list."""
        return list(self.items if isinstance(self.items, list) else self.items.tolist())

    def taken(self, rows: NDArray[np.int64]) -> "Column":
        """Return some rows."""
        if isinstance(self.items, list):
            return self._replace(items=[self.items[row] for row in rows.tolist()])
        return self._replace(items=self.items[rows])


def number_column(name: str, items: NDArray[Any]) -> Column:
    """Return a column of integers, or of floats, as the array is."""
    return Column(name, items, "float" if items.dtype.kind == "f" else "integer")


class CodedColumn(NamedTuple):
    """A named column of positions in a list of names, -1 for missing values.

    With ``pointers``, row i is the list of those from ``pointers[i]`` to ``pointers[i + 1]``.
    """

    name: str
    names: list[Any]
    codes: NDArray[Any]
    pointers: NDArray[Any] | None = None
    kind: str = "object"

    def tolist(self) -> list[Any]:
        """Return the value of each row: a name, None, or a list of names."""
        names = [*self.names, None]
        items = [names[code] for code in self.codes.tolist()]
        if self.pointers is None:
            return items
        bounds = self.pointers.tolist()
        return [items[begin:end] for begin, end in pairwise(bounds)]

    def taken(self, rows: NDArray[np.int64]) -> "CodedColumn":
        """Return some rows."""
        if self.pointers is None:
            return self._replace(codes=self.codes[rows])
        pointers, codes = take(Runs(self.pointers, self.codes), rows)
        return self._replace(codes=codes, pointers=pointers)


AnyColumn = Column | CodedColumn


def name_column(name: str, values: list[Any]) -> Column:
    """Make a column of ids or names: of integers or text, or of text if the types are mixed."""
    column = value_column(name, values)
    if column.kind in ("integer", "text"):
        return column
    return Column(name, [None if value is None else text_of(value) for value in values], "text")


def value_column(name: str, values: list[Any]) -> Column:
    """Make a column of the given values, none of them converted; null for None."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int} and all(value is None or abs(value) <= INT64_MAX for value in values):
        return Column(name, values, "integer")
    if kinds <= {str} and is_encodable(values):
        return Column(name, values, "text")
    return Column(name, values, "object")


def is_encodable(values: list[Any]) -> bool:
    """Return whether UTF-8 can encode all text."""
    try:
        "".join(value for value in values if value is not None).encode()
    except UnicodeEncodeError:
        return False
    return True


def write_frame(columns: Sequence[AnyColumn], library: str | None, index: Any = None) -> Any:
    """Make a frame of the given library, or by default of the first one that is installed.

    ``index`` is that of a frame of pandas; others have none.
    """
    chosen = _choose(library)
    frame = _WRITERS[chosen](columns)
    if index is not None and chosen == "pandas":
        import pandas as pd

        frame.index = pd.Index(index, tupleize_cols=False)
    return frame


def _write_pandas(columns: Sequence[AnyColumn]) -> Any:
    import pandas as pd

    types = {
        "integer": "int64", "float": "float64", "boolean": "bool", "text": "str",
        "object": "object",
    }  # fmt: skip
    nullable = {**types, "integer": "Int64"}

    def values(column: AnyColumn) -> Any:
        if isinstance(column, Column):
            missing = isinstance(column.items, list) and None in column.items
            kind = (nullable if missing else types)[column.kind]
            # A frame can be changed in place, and the table that it is made of must not. With a
            # dtype, pandas 2 does not copy even if asked to.
            return pd.Series(column.items.copy(), dtype=kind)
        if column.pointers is not None:
            return pd.Series(column.tolist(), dtype="object")
        absent = column.codes < 0
        missing = bool(absent.any())
        if column.kind == "integer":  # pandas' own take is slow
            items = np.array([*column.names, 0], np.int64)[column.codes]
            return pd.arrays.IntegerArray(items, absent) if missing else items
        names = pd.array(column.names, dtype=types[column.kind])
        return names.take(column.codes, allow_fill=missing)

    return pd.DataFrame({column.name: values(column) for column in columns}, copy=False)


def _write_polars(columns: Sequence[AnyColumn]) -> Any:
    import polars as pl

    types = {
        "integer": pl.Int64,
        "float": pl.Float64,
        "boolean": pl.Boolean,
        "text": pl.String,
        "object": pl.Object,
    }

    def values(column: AnyColumn) -> Any:
        dtype = types[column.kind]
        if isinstance(column, Column):
            return pl.Series(column.name, column.items, dtype=dtype)
        if column.pointers is not None:
            return pl.Series(column.name, column.tolist(), dtype=pl.List(dtype))
        codes = pl.Series(column.codes)
        return pl.Series(column.name, column.names, dtype=dtype).gather(codes.set(codes < 0, None))

    return pl.DataFrame([values(column) for column in columns])


def _write_arrow(columns: Sequence[AnyColumn]) -> Any:
    import pyarrow as pa

    for column in columns:
        if column.kind == "object":
            raise InputError(
                f"column {column.name!r} holds values other than integers or text, or of several "
                "types, which Arrow cannot hold; use library='pandas'"
            )
    types = {
        "integer": pa.int64(),
        "float": pa.float64(),
        "boolean": pa.bool_(),
        "text": pa.string(),
    }

    def values(column: AnyColumn) -> Any:
        kind = types[column.kind]
        if isinstance(column, Column):
            return pa.array(column.items, type=kind)
        missing = column.codes < 0
        items = pa.array(column.names, type=kind).take(
            pa.array(np.where(missing, 0, column.codes), mask=missing)
        )
        if column.pointers is None:
            return items
        return pa.LargeListArray.from_arrays(pa.array(column.pointers, type=pa.int64()), items)

    return pa.table({column.name: values(column) for column in columns})


_WRITERS = {"pandas": _write_pandas, "polars": _write_polars, "pyarrow": _write_arrow}


def _choose(library: str | None) -> str:
    if library is not None and library not in ("pandas", "polars", "arrow"):
        raise OptionError(f"library must be 'pandas', 'polars' or 'arrow', not {library!r}")
    wanted = ["pyarrow" if library == "arrow" else library] if library else list(_WRITERS)
    wanted.sort(key=lambda name: name not in sys.modules)
    for name in wanted:
        if importlib.util.find_spec(name):
            return name
    raise MissingDependencyError(
        f"a frame needs {' or '.join(wanted)}, which is not installed: pip install {wanted[0]}"
    )
