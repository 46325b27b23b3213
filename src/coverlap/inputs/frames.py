"""Columns and frames of pandas, polars, Arrow and DuckDB, read through narwhals."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError, InputTypeError, OptionError
from coverlap.core.incidence import Codes, frozen
from coverlap.core.memberships import Memberships
from coverlap.core.objects import NO_OBJECTS, Objects, check_distinct
from coverlap.core.values import plain_value, reject_missing, value_array
from coverlap.core.wording import some
from coverlap.inputs.labels import code_labels
from coverlap.inputs.sets import pair_codes

FRAME_LIBRARIES = ("pandas", "polars", "pyarrow", "duckdb")


class DefaultObject:
    """The type of `OBJECT`."""

    def __repr__(self) -> str:
        return "'object'"


OBJECT: Final = DefaultObject()
"""The default: the column "object", or the rows of an AnnData and of frames with named rows."""


def origins(value: object) -> Iterator[tuple[str, str]]:
    """Return the library and the name of the type of a value, and of each of its base types."""
    for base in type(value).__mro__:
        yield base.__module__.partition(".")[0].lstrip("_"), base.__name__


def library_of(value: object) -> str | None:
    """Return the frame library that defines the type of a value, without importing it."""
    return next((library for library, _ in origins(value) if library in FRAME_LIBRARIES), None)


def is_frame(value: object) -> bool:
    """Return whether a value is a data frame, table or relation.

    Only its type is inspected, because reading an attribute of a lazy frame could run a query.
    """
    return library_of(value) is not None and hasattr(type(value), "columns")


def is_column(value: object) -> bool:
    """Return whether a value is a column of a frame library."""
    kind = type(value)
    return library_of(value) is not None and (hasattr(kind, "dtype") or hasattr(kind, "null_count"))


def read_series(series: Any, *, outlier_label: Any, where: str) -> Memberships:
    """Read a column of labels; the index of a pandas Series identifies the objects."""
    import narwhals as nw

    library = library_of(series)
    if library == "pyarrow" and not hasattr(series, "chunks"):
        import pyarrow as pa

        series = pa.chunked_array([series])
    if library == "pandas" and not hasattr(series, "index"):  # an Index or an array of pandas
        import pandas as pd

        parts = read_series(pd.Series(series), outlier_label=outlier_label, where=where)
        return (
            parts if parts.objects is NO_OBJECTS else replace(parts, objects=Objects(len(series)))
        )
    try:
        column = nw.from_native(series, series_only=True)
    except TypeError:
        raise InputTypeError(
            f"{where} must be a clustering, not {type(series).__name__} of {library}"
        ) from None
    codes, names = _code_column(column, outlier_label, where)
    return Memberships(codes, _row_objects(column), names)


def read_frame(
    frame: Any,
    *,
    object: str | DefaultObject | None,
    cluster: str,
    outlier_label: Any,
    universe: Any,
    where: str,
) -> Memberships:
    """Read a frame of (object, cluster) rows; without a column of objects, each row is one."""
    called = "index"
    if ("anndata", "AnnData") in origins(frame):
        called, frame = "obs_names", frame.obs
        ids = None if isinstance(object, DefaultObject) else object
    elif isinstance(object, DefaultObject):
        ids = None if _has_named_rows(frame) else "object"
    else:
        ids = object
    columns = _select(frame, ids, cluster, where)
    codes, names = _code_column(columns[cluster], outlier_label, f"{where}: clusters")
    if ids is not None:
        return pair_codes(_plain(columns[ids]), codes, names, universe=universe, where=where)
    objects = _row_objects(columns[cluster])
    if objects.ids is not None:
        reject_missing(objects.ids, f"the {called} of {where}")
        check_distinct(objects.ids, f"the {called} of {where}")
    if universe is not None:
        return pair_codes(objects.id_array(), codes, names, universe=universe, where=where)
    return Memberships(codes, objects, names)


def frame_columns(frame: Any, where: str) -> dict[Any, Any]:
    """Return the columns of a frame by name."""
    columns = _in_memory(_as_narwhals(frame, where))
    return {plain_value(column.name): column.to_native() for column in columns.iter_columns()}


def column_values(column: Any) -> NDArray[Any] | list[Any]:
    """Return the values of a column of `frame_columns`, as an array or a list."""
    import narwhals as nw

    return _plain(nw.from_native(column, series_only=True))


def _as_narwhals(frame: Any, where: str) -> Any:
    """Return a narwhals frame, which may be lazy, or a narwhals column."""
    import narwhals as nw

    if type(frame).__name__ == "RecordBatch":
        import pyarrow as pa

        frame = pa.Table.from_batches([frame])
    _reject_repeated_columns(frame, where)
    try:
        return nw.from_native(frame)
    except TypeError:
        raise InputTypeError(
            f"{where} must be a pandas, polars, Arrow or DuckDB frame or an AnnData, not "
            f"{type(frame).__name__}"
        ) from None


def _in_memory(table: Any) -> Any:
    return table.collect() if hasattr(table, "collect") else table


def _has_named_rows(frame: Any) -> bool:
    """Return whether a pandas frame has text for an index, and no column ``object``."""
    return (
        library_of(frame) == "pandas"
        and is_frame(frame)
        and "object" not in frame.columns
        and frame.index.inferred_type == "string"
    )


def _select(frame: Any, object: str | None, cluster: str, where: str) -> Any:
    """Return the chosen columns as a narwhals frame in memory."""
    table = _as_narwhals(frame, where)
    if not hasattr(table, "collect_schema"):
        raise InputTypeError(f"{where} must be a frame of two columns, not one column")
    _check_columns(table.collect_schema().names(), object, cluster, where)
    return _in_memory(table.select(cluster) if object is None else table.select(object, cluster))


def _reject_repeated_columns(frame: Any, where: str) -> None:
    names = getattr(frame, "column_names", None) if library_of(frame) == "pyarrow" else None
    if library_of(frame) == "pandas":
        names = getattr(frame, "columns", None)
    repeated = [
        name for name, times in Counter([] if names is None else names).items() if times > 1
    ]
    if repeated:
        raise InputError(f"{where} has several columns of one name: {some(repeated)}")


def _check_columns(names: list[str], object: str | None, cluster: str, where: str) -> None:
    if object == cluster:
        raise OptionError(f"object and cluster must be two columns, not {object!r} twice")
    hints = {
        object: "object=...), or object=None if each row is an object",
        cluster: "cluster=...)",
    }
    for column, hint in hints.items():
        if column is not None and column not in names:
            raise InputError(
                f"{where} has no column {column!r}; its columns are {', '.join(map(str, names))}; "
                f"say Clustering.from_frame(frame, {hint}"
            )


def _plain(column: Any) -> NDArray[Any] | list[Any]:
    """Return the values of a column: numbers as an array, masked if null, others as a list."""
    dtype = column.dtype
    if not dtype.is_numeric() or dtype.is_decimal() or "128" in str(dtype):
        return list(column.to_list())
    missing = column.is_null().to_numpy()
    if not missing.any():
        return np.asarray(column.to_numpy())
    return np.ma.MaskedArray(column.fill_null(0).to_numpy(), missing)


def _code_column(column: Any, outlier_label: Any, where: str) -> tuple[Codes, NDArray[Any] | None]:
    series = column.to_native()
    if library_of(series) == "pandas" and hasattr(series.dtype, "categories"):
        return _code_categories(series, outlier_label, where)
    return code_labels(_plain(column), outlier_label, where)


def _code_categories(
    series: Any, outlier_label: Any, where: str
) -> tuple[Codes, NDArray[Any] | None]:
    """Code the labels of a pandas categorical by its categories, which are few."""
    coded, names = code_labels(series.dtype.categories.tolist(), outlier_label, where)
    rank = np.append(coded.codes, -1).astype(np.int64)
    codes = rank[series.cat.codes.to_numpy()]
    if names is None:
        names = np.arange(coded.n_codes)
    return Codes(frozen(codes), coded.n_codes), names


def _row_objects(column: Any) -> Objects:
    """Return the objects of a column: those of a pandas index, positions otherwise."""
    n, series = len(column), column.to_native()
    if n == 0:
        return NO_OBJECTS
    if library_of(series) != "pandas":
        return Objects(n)
    index = series.index
    values = index.to_numpy()
    if values.dtype.kind == "i":
        if np.array_equal(values, np.arange(n)):
            return Objects(n, None, "index")
        return Objects(n, values.astype(np.int64), "index")
    return Objects(n, value_array(index.tolist()), "index")
