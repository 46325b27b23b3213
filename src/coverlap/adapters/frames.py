"""Columns and frames of pandas, polars, Arrow and DuckDB, read through narwhals."""

import importlib.util
import sys
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.adapters.coding import value_array
from coverlap.adapters.labels import code_labels, read_labels
from coverlap.adapters.parts import Parts
from coverlap.adapters.sets import pair_columns
from coverlap.errors import (
    InputError,
    InputTypeError,
    MissingDependencyError,
    OptionError,
    some,
)
from coverlap.incidence import Codes, frozen
from coverlap.objects import NOBODY, Objects

FRAME_LIBRARIES = ("pandas", "polars", "pyarrow", "duckdb")


def library_of(value: object) -> str | None:
    """Name the frame library that a value's type comes from, without importing it."""
    for base in type(value).__mro__:
        root = base.__module__.partition(".")[0].lstrip("_")
        if root in FRAME_LIBRARIES:
            return root
    return None


def is_frame(value: object) -> bool:
    """Tell a data frame, table or relation by its type: to ask a lazy one would run it."""
    return library_of(value) is not None and hasattr(type(value), "columns")


def is_column(value: object) -> bool:
    """Tell a column of values from a scalar or any other thing of a frame library."""
    kind = type(value)
    return library_of(value) is not None and (hasattr(kind, "dtype") or hasattr(kind, "null_count"))


def read_series(series: Any, *, outlier_label: Any, where: str) -> Parts:
    """Read a column of labels; a pandas one brings its index."""
    import narwhals as nw

    library = library_of(series)
    if library == "pyarrow" and not hasattr(series, "chunks"):
        import pyarrow as pa

        series = pa.chunked_array([series])
    if library == "pandas" and not hasattr(series, "index"):  # an Index or an array of pandas
        import pandas as pd

        parts = read_series(pd.Series(series), outlier_label=outlier_label, where=where)
        return parts if parts.objects is NOBODY else parts._replace(objects=Objects(len(series)))
    try:
        column = nw.from_native(series, series_only=True)
    except TypeError:
        raise InputTypeError(
            f"{where} must be a clustering, not {type(series).__name__} of {library}"
        ) from None
    objects = _index_objects(series.index) if library == "pandas" else Objects(len(column))
    if library == "pandas" and hasattr(series.dtype, "categories"):
        codes, names = _code_categories(series, outlier_label, where)
        return Parts(codes, objects if len(series) else NOBODY, names)
    return read_labels(_plain(column), objects=objects, outlier_label=outlier_label, where=where)


def read_frame(
    frame: Any, *, object: str, cluster: str, outlier_label: Any, universe: Any, where: str
) -> Parts:
    """Read a long frame of (object, cluster) rows."""
    import narwhals as nw

    if type(frame).__name__ == "RecordBatch":
        import pyarrow as pa

        frame = pa.Table.from_batches([frame])
    _refuse_repeated_columns(frame, where)
    try:
        table = nw.from_native(frame)
    except TypeError:
        raise InputTypeError(
            f"{where} must be a pandas, polars, Arrow or DuckDB frame, not {type(frame).__name__}"
        ) from None
    if isinstance(table, nw.Series):
        raise InputTypeError(f"{where} must be a frame of two columns, not one column")
    _check_columns(table.collect_schema().names(), object, cluster, where)
    columns = table.select(object, cluster)
    if isinstance(columns, nw.LazyFrame):
        columns = columns.collect()
    return pair_columns(
        _plain(columns[object]), _plain(columns[cluster]),
        outlier_label=outlier_label, universe=universe, where=where,
    )  # fmt: skip


def _refuse_repeated_columns(frame: Any, where: str) -> None:
    names = getattr(frame, "column_names", None) if library_of(frame) == "pyarrow" else None
    if library_of(frame) == "pandas":
        names = getattr(frame, "columns", None)
    repeated = [
        name for name, times in Counter([] if names is None else names).items() if times > 1
    ]
    if repeated:
        raise InputError(f"{where} has several columns of one name: {some(repeated)}")


def _check_columns(names: list[str], object: str, cluster: str, where: str) -> None:
    if object == cluster:
        raise OptionError(f"object and cluster must be two columns, not {object!r} twice")
    for role, column in (("object", object), ("cluster", cluster)):
        if column not in names:
            raise InputError(
                f"{where} has no column {column!r}; its columns are {', '.join(map(str, names))}; "
                f"say Clustering.from_frame(frame, {role}=...)"
            )


def _plain(column: Any) -> NDArray[Any] | list[Any]:
    """Take a column out of its library: numbers as an array, masked where null, else a list."""
    dtype = column.dtype
    if not dtype.is_numeric() or dtype.is_decimal() or "128" in str(dtype):
        return list(column.to_list())
    missing = column.is_null().to_numpy()
    if not missing.any():
        return np.asarray(column.to_numpy())
    return np.ma.MaskedArray(column.fill_null(0).to_numpy(), missing)


def _code_categories(
    series: Any, outlier_label: Any, where: str
) -> tuple[Codes, NDArray[Any] | None]:
    """Code a pandas categorical by its categories: many rows, few values."""
    coded, names = code_labels(series.dtype.categories.tolist(), outlier_label, where)
    rank = np.append(coded.codes, -1).astype(np.int64)
    codes = rank[series.cat.codes.to_numpy()]
    if names is None:
        names = np.arange(coded.n_codes)
    return Codes(frozen(codes), coded.n_codes), names


def _index_objects(index: Any) -> Objects:
    values = index.to_numpy()
    if values.dtype.kind == "i":
        if np.array_equal(values, np.arange(len(values))):
            return Objects(len(values), None, "index")
        return Objects(len(values), values.astype(np.int64), "index")
    return Objects(len(values), value_array(index.tolist()), "index")


class Column(NamedTuple):
    """A named column to be written to a frame."""

    name: str
    items: list[Any]
    kind: str  # "integer", "float", "boolean" or "text"


def write_frame(columns: list[Column], library: str | None) -> Any:
    """Make a frame of the library asked for, or of the first one that is installed."""
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
