"""Columns of pandas, polars and Arrow as arrays or lists of values, read through narwhals."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError, InputTypeError
from coverlap.core.times import exact_time
from coverlap.core.values import INT64_MAX
from coverlap.core.wording import shown

FRAME_LIBRARIES = ("pandas", "polars", "pyarrow", "duckdb")

LIST_TYPES = ("list", "large_list", "fixed_size_list", "array")
"""How the names of types of lists begin in polars and Arrow."""

MOST_IDS = 2**27
"""Ranges of more items than this are not written out."""


def origins(value: object) -> Iterator[tuple[str, str]]:
    """Return the library and the name of the type of a value, and of each of its base types."""
    for base in type(value).__mro__:
        yield base.__module__.partition(".")[0].lstrip("_"), base.__name__


def library_of(value: object) -> str | None:
    """Return the frame library that defines the type of a value, without importing it."""
    return next((library for library, _ in origins(value) if library in FRAME_LIBRARIES), None)


def is_column(value: object) -> bool:
    """Return whether a value is a column of a frame library."""
    kind = type(value)
    return library_of(value) is not None and (hasattr(kind, "dtype") or hasattr(kind, "null_count"))


def is_column_of_lists(column: Any) -> bool:
    """Return whether the items of a column of polars or Arrow are lists."""
    kind = str(getattr(column, "type", None) or getattr(column, "dtype", "")).lower()
    return library_of(column) != "pandas" and kind.startswith(LIST_TYPES)


def as_values(values: Any, where: str) -> Any:
    """Return the values of a column, a range or a view, and other values as they are.

    Reject open files, whose lines would be taken for values.
    """
    if isinstance(values, (list, tuple, set, frozenset, dict, np.ndarray)):
        return values
    if isinstance(values, range):
        return range_values(values, where)
    if is_column(values):
        return column_values(values)
    if isinstance(values, memoryview):
        return np.asarray(values)
    if hasattr(values, "readline"):
        raise InputTypeError(
            f"{where} is an open file; pass its path, or say coverlap.read_clustering(path)"
        )
    return values


def range_values(values: range, where: str) -> NDArray[np.int64]:
    """Return a range as an array; reject a range that is too long."""
    bounds = (values.start, values.stop, values.step)
    if not all(abs(bound) <= INT64_MAX for bound in bounds) or len(values) > MOST_IDS:
        raise InputError(f"{where} must have at most {MOST_IDS:,} items, not {shown(values)}")
    return np.arange(*bounds)


def as_narwhals_column(column: Any, where: str) -> Any:
    """Return a column of any library as a narwhals column."""
    import narwhals as nw

    library = library_of(column)
    if library == "pyarrow" and not hasattr(column, "chunks"):
        import pyarrow as pa

        column = pa.chunked_array([column])
    if library == "pandas" and not hasattr(column, "index"):  # an Index or an array of pandas
        import pandas as pd

        flat = column.to_flat_index() if hasattr(column, "to_flat_index") else column
        column = pd.Series(flat)
    try:
        return nw.from_native(column, series_only=True)
    except TypeError:
        raise InputTypeError(
            f"{where} must be a clustering, not {type(column).__name__} of {library}"
        ) from None


def column_values(column: Any) -> NDArray[Any] | list[Any]:
    """Return the values of a column: numbers as an array, masked if null, others as a list."""
    return plain_values(as_narwhals_column(column, "a column"))


def plain_values(column: Any) -> NDArray[Any] | list[Any]:
    """Return the values of a narwhals column as `column_values` does."""
    dtype = column.dtype
    if not dtype.is_numeric() or dtype.is_decimal() or "128" in str(dtype):
        return _listed(column)
    if column.null_count() == 0:
        return np.asarray(column.to_numpy())
    return np.ma.MaskedArray(column.fill_null(0).to_numpy(), column.is_null().to_numpy())


def _listed(column: Any) -> list[Any]:
    """Return the values of a column as Python values, without cutting nanoseconds off."""
    import narwhals as nw

    dtype = column.dtype
    may_be_cut = "Time" in str(dtype) or "'ns'" in str(dtype)
    if may_be_cut and isinstance(dtype, (nw.List, nw.Array)):
        return [None if part is None else column_values(part) for part in _parts(column)]
    try:
        values = list(column.to_list())
    except (ValueError, ArithmeticError) as error:  # such as dates after the year 9999
        raise failure(f"column {column.name!r}", error) from error
    if may_be_cut and isinstance(dtype, (nw.Time, nw.Datetime, nw.Duration)):
        return _exact_times(values, column)
    return values


def _parts(column: Any) -> Iterator[Any]:
    """Return each list of a column of lists as a column, None for a null."""
    for part in column.to_native():
        yield part.values if hasattr(part, "as_py") else part  # noqa: PD011 - of Arrow


def _exact_times(values: list[Any], column: Any) -> list[Any]:
    """Return times with the nanoseconds that they have in the column."""
    import narwhals as nw

    kind = "zoned" if getattr(column.dtype, "time_zone", None) else type(column.dtype).__name__
    numbers = column.cast(nw.Int64).to_list()
    return [
        value if value is None or number % 1000 == 0 else exact_time(kind, number)
        for value, number in zip(values, numbers, strict=True)
    ]


def failure(what: str, error: Exception) -> InputError:
    """Return the error to raise if a library fails to compute a frame or a column."""
    reason = str(error).strip().partition("\n")[0]
    return InputError(f"{what} cannot be read: {type(error).__name__}: {reason}")
