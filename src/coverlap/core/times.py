"""Times to the nanosecond, which the standard library cannot hold."""

import importlib.util
from typing import Any

import numpy as np

from coverlap.core.errors import InputError

FINE_UNITS = ("ns", "ps", "fs", "as")
"""The units of time in NumPy that the standard library does not have."""


def exact_time(kind: str, nanoseconds: int) -> Any:
    """Return a time of a column, where ``kind`` is the name of its type in Arrow or narwhals.

    The kind "zoned" is a timestamp with a time zone, which needs pandas. There is no type for a
    time of day with nanoseconds, so this is an error.
    """
    if kind in ("timestamp", "Datetime"):
        return np.datetime64(nanoseconds, "ns")
    if kind in ("duration", "Duration"):
        return np.timedelta64(nanoseconds, "ns")
    if kind == "zoned" and importlib.util.find_spec("pandas"):
        import pandas as pd

        return pd.Timestamp(nanoseconds, unit="ns", tz="UTC")
    what = "times with a time zone" if kind == "zoned" else "times of day"
    raise InputError(
        f"{what} cannot be read to the nanosecond; round them to microseconds, or convert them to "
        "integers or text"
    )


def numpy_time(value: Any) -> Any:
    """Convert a pandas Timestamp or Timedelta that has nanoseconds, unless it has a time zone."""
    if hasattr(value, "to_timedelta64"):
        return value.to_timedelta64()
    if hasattr(value, "to_datetime64") and getattr(value, "tzinfo", None) is None:
        return value.to_datetime64()
    return value


def plain_time(value: np.datetime64 | np.timedelta64) -> Any:
    """Convert a time to the standard library, or to the coarsest unit of NumPy that is exact."""
    plain: Any = value.item()
    if not isinstance(plain, int):  # NumPy returns bare integers for what it cannot convert
        return plain
    if np.datetime_data(value.dtype)[0] in FINE_UNITS:
        for unit in ("us", *FINE_UNITS):
            coarse = value.astype(f"{value.dtype.kind}8[{unit}]")
            if coarse == value:
                return coarse if isinstance(coarse.item(), int) else coarse.item()
    return value
