"""Data frames of pandas, polars or Arrow made from columns of values."""

import importlib.util
import sys
from typing import Any, NamedTuple

from coverlap.core.errors import InputError, MissingDependencyError, OptionError
from coverlap.core.values import INT64_MAX
from coverlap.core.wording import text_of


class Column(NamedTuple):
    """A named column to be written to a frame."""

    name: str
    items: list[Any]
    kind: str  # "integer", "float", "boolean", "text" or "object"


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


def write_frame(columns: list[Column], library: str | None) -> Any:
    """Make a frame of the given library, or by default of the first one that is installed."""
    return _WRITERS[_choose(library)](columns)


def _write_pandas(columns: list[Column]) -> Any:
    import pandas as pd

    types = {
        "integer": "int64", "float": "float64", "boolean": "bool", "text": "str",
        "object": "object",
    }  # fmt: skip
    nullable = {**types, "integer": "Int64"}
    return pd.DataFrame({
        column.name: pd.Series(
            column.items, dtype=(nullable if None in column.items else types)[column.kind]
        )
        for column in columns
    })  # fmt: skip


def _write_polars(columns: list[Column]) -> Any:
    import polars as pl

    types = {
        "integer": pl.Int64,
        "float": pl.Float64,
        "boolean": pl.Boolean,
        "text": pl.String,
        "object": pl.Object,
    }
    return pl.DataFrame(
        [pl.Series(column.name, column.items, dtype=types[column.kind]) for column in columns]
    )


def _write_arrow(columns: list[Column]) -> Any:
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
    return pa.table(
        {column.name: pa.array(column.items, type=types[column.kind]) for column in columns}
    )


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
