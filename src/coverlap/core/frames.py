"""Data frames of pandas, polars or Arrow made from columns of values."""

import importlib.util
import sys
from typing import Any, NamedTuple

from coverlap.core.errors import MissingDependencyError, OptionError
from coverlap.core.values import INT64_MAX


class Column(NamedTuple):
    """A named column to be written to a frame."""

    name: str
    items: list[Any]
    kind: str  # "integer", "float", "boolean" or "text"


def name_column(name: str, values: list[Any]) -> Column:
    """Make a column of ids or names: of integers or text, or of text if the types are mixed."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int} and all(value is None or abs(value) <= INT64_MAX for value in values):
        return Column(name, values, "integer")
    if kinds <= {str}:
        return Column(name, values, "text")
    return Column(name, [None if value is None else str(value) for value in values], "text")


def write_frame(columns: list[Column], library: str | None) -> Any:
    """Make a frame of the given library, or by default of the first one that is installed."""
    return _WRITERS[_choose(library)](columns)


def _write_pandas(columns: list[Column]) -> Any:
    import pandas as pd

    types = {"integer": "int64", "float": "float64", "boolean": "bool", "text": "str"}
    nullable = {**types, "integer": "Int64"}
    return pd.DataFrame({
        column.name: pd.Series(
            column.items, dtype=(nullable if None in column.items else types)[column.kind]
        )
        for column in columns
    })  # fmt: skip


def _write_polars(columns: list[Column]) -> Any:
    import polars as pl

    types = {"integer": pl.Int64, "float": pl.Float64, "boolean": pl.Boolean, "text": pl.String}
    return pl.DataFrame(
        [pl.Series(column.name, column.items, dtype=types[column.kind]) for column in columns]
    )


def _write_arrow(columns: list[Column]) -> Any:
    import pyarrow as pa

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
