"""Ids and names as Python values: which are missing, which are equal, and in which order."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError

INT64_MAX = np.iinfo(np.int64).max


def ordered(values: Sequence[Any]) -> list[int]:
    """Sort positions into cluster order: numbers, then strings, then others as they come."""
    numbers: list[int] = []
    strings: list[int] = []
    others: list[int] = []
    for i, value in enumerate(values):
        kind = numbers if _is_number(value) else strings if isinstance(value, str) else others
        kind.append(i)
    numbers.sort(key=values.__getitem__)
    strings.sort(key=values.__getitem__)
    return numbers + strings + others


def order_of_ids(ids: NDArray[Any]) -> NDArray[np.int64]:
    """Sort positions by id, as `ordered` does."""
    if ids.dtype != object:
        return np.argsort(ids, kind="stable")
    return np.array(ordered(ids.tolist()), np.int64)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not is_missing(value)


def value_array(values: Sequence[Any]) -> NDArray[Any]:
    """Hold integers as an integer array, anything else as Python objects."""
    if all(type(value) is int for value in values):
        try:
            return np.array(values, dtype=np.int64)
        except OverflowError:
            pass
    return object_array(values)


def plain_value(value: Any) -> Any:
    """Turn a NumPy scalar into a Python one and an integral float into an integer."""
    if isinstance(value, np.generic) and not isinstance(value, (np.datetime64, np.timedelta64)):
        value = value.item()
    if isinstance(value, np.longdouble):
        value = float(value)
    if isinstance(value, Decimal) and value.is_finite():
        return int(value) if value == int(value) else float(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def is_missing(value: object) -> bool:
    """Tell whether a value is None, NaN, NaT, pandas' NA or NumPy's masked."""
    if value is None or value is np.ma.masked or type(value).__name__ == "NAType":
        return True
    try:
        return bool(value != value)  # noqa: PLR0124 - only missing values differ from themselves
    except (TypeError, ValueError):
        return False


def refuse_missing(values: NDArray[Any], where: str) -> None:
    """Refuse object ids that are missing values."""
    if values.dtype == object and any(is_missing(value) for value in values.tolist()):
        raise InputError(f"{where} must not be missing (None or NaN)")


def object_array(values: Sequence[Any]) -> NDArray[Any]:
    """Put any values into an array of Python objects, never splitting one up."""
    return np.fromiter(values, dtype=object, count=len(values))
