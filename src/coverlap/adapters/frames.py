"""Columns and frames of pandas, polars, Arrow and DuckDB, read through narwhals."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.adapters.coding import value_array
from coverlap.adapters.labels import code_labels, read_labels
from coverlap.adapters.parts import Parts
from coverlap.adapters.sets import pair_columns
from coverlap.errors import InputError, InputTypeError, MissingDependencyError, OptionError
from coverlap.incidence import Codes, frozen
from coverlap.objects import Objects

FRAME_LIBRARIES = ("pandas", "polars", "pyarrow", "duckdb")


def library_of(value: object) -> str | None:
    """Name the frame library that a value's type comes from, without importing it."""
    for base in type(value).__mro__:
        root = base.__module__.partition(".")[0].lstrip("_")
        if root in FRAME_LIBRARIES:
            return root
    return None


def is_frame(value: object) -> bool:
    """Tell a data frame, table or relation from a column."""
    return hasattr(value, "columns") and not hasattr(value, "dtype")


def read_series(series: Any, *, outlier_label: Any, where: str) -> Parts:
    """Read a column of labels; a pandas one brings its index."""
    import narwhals as nw

    library = library_of(series)
    if library == "pyarrow" and not hasattr(series, "chunks"):
        import pyarrow as pa

        series = pa.chunked_array([series])
    if library == "pandas" and not hasattr(series, "index"):  # an Index or an array of pandas
        import pandas as pd

        return read_series(pd.Series(series), outlier_label=outlier_label, where=where)._replace(
            objects=Objects(len(series))
        )
    try:
        column = nw.from_native(series, series_only=True)
    except TypeError:
        raise InputTypeError(
            f"{where} must be a clustering, not {type(series).__name__} of {library}"
        ) from None
    objects = _index_objects(series.index) if library == "pandas" else Objects(len(column))
    if library == "pandas" and hasattr(series.dtype, "categories"):
        codes, names = _code_categories(series, outlier_label, where)
        return Parts(codes, objects, names)
    return read_labels(_plain(column), objects=objects, outlier_label=outlier_label, where=where)


def read_frame(
    frame: Any, *, object: str, cluster: str, outlier_label: Any, universe: Any, where: str
) -> Parts:
    """Read a long frame of (object, cluster) rows."""
    import narwhals as nw

    try:
        table = nw.from_native(frame)
    except TypeError:
        raise InputTypeError(
            f"{where} must be a pandas, polars, Arrow or DuckDB frame, not {type(frame).__name__}"
        ) from None
    if isinstance(table, nw.Series):
        raise InputTypeError(f"{where} must be a frame of two columns, not one column")
    available = table.collect_schema().names() if isinstance(table, nw.LazyFrame) else table.columns
    for role, column in (("object", object), ("cluster", cluster)):
        if column not in available:
            raise InputError(
                f"{where} has no column {column!r}; its columns are {', '.join(available)}; "
                f"say Clustering.from_frame(frame, {role}=...)"
            )
    columns = table.select(object, cluster)
    if isinstance(columns, nw.LazyFrame):
        columns = columns.collect()
    return pair_columns(
        _plain(columns[object]), _plain(columns[cluster]),
        outlier_label=outlier_label, universe=universe, where=where,
    )  # fmt: skip


def _plain(column: Any) -> NDArray[Any] | list[Any]:
    """Take a column out of its library: numbers as an array, masked where null, else a list."""
    dtype = column.dtype
    if dtype.is_integer() and not column.is_null().any():
        return np.asarray(column.to_numpy())
    if dtype.is_integer():
        missing = column.is_null().to_numpy()
        return np.ma.MaskedArray(column.fill_null(0).to_numpy(), missing)
    if dtype.is_float() and not column.is_null().any():
        return np.asarray(column.to_numpy())
    return list(column.to_list())


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
    import narwhals as nw

    backend = _choose(library)
    types: dict[str, Any] = {
        "integer": nw.Int64, "float": nw.Float64, "boolean": nw.Boolean, "text": nw.String,
    }  # fmt: skip
    data = {column.name: column.items for column in columns}
    schema = {column.name: types[column.kind] for column in columns}
    return nw.from_dict(data, schema=schema, backend=backend).to_native()


def _choose(library: str | None) -> Any:
    import importlib.util
    import sys

    known = {"pandas": "pandas", "polars": "polars", "arrow": "pyarrow", "pyarrow": "pyarrow"}
    if library is not None and library not in known:
        raise OptionError(f"library must be one of 'pandas', 'polars', 'arrow', not {library!r}")
    wanted = [known[library]] if library else ["pandas", "polars", "pyarrow"]
    if library is None:
        wanted.sort(key=lambda name: name not in sys.modules)
    for name in wanted:
        if importlib.util.find_spec(name):
            return name
    raise MissingDependencyError(
        f"a frame needs {' or '.join(wanted)}, which is not installed: pip install {wanted[0]}"
    )
