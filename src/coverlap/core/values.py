"""Labels and ids as values: their order, which are missing or mean outliers, and their codes."""

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.errors import InputError, InputTypeError, OptionError
from coverlap.core.hashing import KEY
from coverlap.core.incidence import frozen, narrowest
from coverlap.core.token_table import number_strings
from coverlap.core.wording import shown

INT64_MAX = np.iinfo(np.int64).max

MANY = 4096
"""From this many strings on, a kernel numbers them faster than a Python dict does."""


def code_values(
    values: Sequence[Any] | NDArray[Any], where: str
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Number the distinct values in cluster order; see `ordered`.

    Return the code of each item, and the distinct values.

    Examples
    --------
    >>> codes, values = code_values(["b", 2, "a", 2.0], "labels")
    >>> codes.tolist(), values.tolist()
    ([2, 0, 1, 0], [2, 'a', 'b'])
    """
    if isinstance(values, np.ndarray):
        kind = values.dtype.kind
        if kind in "ib" or (kind == "u" and int(values.max(initial=0)) <= INT64_MAX):
            return code_integers(values.astype(np.int64, copy=False))
        if kind in "US" and values.dtype.itemsize > 0:
            return _code_text(values)
        if kind in "Mm":  # tolist would give bare numbers
            return _code_hashables(list(values), where)
    items: list[Any] = values.tolist() if isinstance(values, np.ndarray) else list(values)
    kinds = set(map(type, items))
    if kinds == {int}:
        try:
            return code_integers(np.array(items, dtype=np.int64))
        except OverflowError:
            pass
    if kinds == {str} and len(items) >= MANY and (coded := number_strings(items)):
        numbers, distinct = coded
        order = ordered(distinct)
        names = object_array([distinct[i] for i in order])
        return _in_order(numbers, np.array(order, np.int64)), names
    return _code_hashables(items, where)


def code_integers(values: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Number the distinct integers in ascending order."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    if high - low < 8 * len(values):
        return _code_dense(values, low, high)
    codes, firsts = _encode(frozen(frozen(values).view(np.uint64).reshape(-1, 1)))
    distinct = values[firsts]
    return _in_order(codes, np.argsort(distinct)), np.sort(distinct)


def _code_dense(
    values: NDArray[np.int64], low: int, high: int
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Number integers of a small range, without hashing."""
    place = values - low
    there = np.zeros(high - low + 1, bool)
    there[place] = True
    rank = np.cumsum(there, dtype=narrowest(len(values))) - 1
    return rank[place], np.flatnonzero(there) + low


def _code_text(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    plain = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("="), copy=False))
    word = np.uint32 if values.dtype.kind == "U" else np.uint8
    words = plain.view(word).reshape(len(values), -1)
    codes, firsts = _encode(frozen(words))
    distinct = plain[firsts].tolist()
    order = ordered(distinct)
    return _in_order(codes, np.array(order, np.int64)), object_array([distinct[i] for i in order])


def _encode(words: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Number distinct rows by first appearance; return the codes and the first rows."""
    n_rows = len(words)
    codes = np.empty(n_rows, narrowest(n_rows))
    firsts = np.empty(1024, np.int64)
    table = np.zeros(4096, np.int64)
    row, found = 0, 0
    while True:
        row, found = map(int, _kernels.coding.encode(words, KEY, table, firsts, codes, row, found))
        if row == n_rows:
            return codes, firsts[:found]
        firsts = np.concatenate((firsts, np.empty(3 * len(firsts), np.int64)))
        table = np.zeros(4 * len(table), np.int64)
        _kernels.coding.rehash(words, KEY, table, firsts, found)


def _in_order(codes: NDArray[Any], order: NDArray[np.int64]) -> NDArray[Any]:
    rank = np.empty(len(order), codes.dtype)
    rank[order] = np.arange(len(order))
    _kernels.coding.rename(codes, frozen(rank))
    return codes


def _code_hashables(values: Sequence[Any], where: str) -> tuple[NDArray[Any], NDArray[Any]]:
    try:
        found = list(dict.fromkeys(values))
    except TypeError:
        raise _unhashable(values, where) from None
    distinct = [plain_value(value) for value in found]
    order = ordered(distinct)
    number = {found[place]: i for i, place in enumerate(order)}
    codes = np.fromiter(map(number.__getitem__, values), np.int64, count=len(values))
    return codes, value_array([distinct[i] for i in order])


def _unhashable(values: Sequence[Any], where: str) -> InputTypeError:
    for i, value in enumerate(values):
        try:
            hash(value)
        except TypeError:
            kind = type(value).__name__
            return InputTypeError(
                f"{where} must be hashable, but item {i} is a {kind}: {shown(value)}"
            )
    raise AssertionError("some value is unhashable")


def reject_masked(values: object, where: str) -> None:
    """Reject object ids that are masked."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.getmaskarray(values).any():
        raise InputError(f"{where} must not be missing (null or masked)")


def ordered(values: Sequence[Any]) -> list[int]:
    """Return positions sorted into cluster order: numbers, then strings, then others unsorted."""
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
    """Return positions sorted by id, in the order of `ordered`."""
    if ids.dtype != object:
        return np.argsort(ids, kind="stable")
    return np.array(ordered(ids.tolist()), np.int64)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not is_missing(value)


def value_array(values: Sequence[Any]) -> NDArray[Any]:
    """Return integers as an integer array, and anything else as an array of Python objects."""
    if all(type(value) is int for value in values):
        try:
            return np.array(values, dtype=np.int64)
        except OverflowError:
            pass
    return object_array(values)


def plain_value(value: Any) -> Any:
    """Convert NumPy scalars to Python ones and integral floats to integers."""
    if isinstance(value, np.generic) and not isinstance(value, (np.datetime64, np.timedelta64)):
        value = value.item()
    if isinstance(value, np.longdouble):
        value = float(value)
    if isinstance(value, Decimal) and value.is_finite():
        return int(value) if value == int(value) else float(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def is_missing(value: object) -> bool:
    """Return whether a value is None, NaN, NaT, pandas' NA or NumPy's masked."""
    if value is None or value is np.ma.masked or type(value).__name__ == "NAType":
        return True
    try:
        return bool(value != value)  # noqa: PLR0124 - only missing values differ from themselves
    except (TypeError, ValueError):
        return False


def reject_missing(values: NDArray[Any], where: str) -> None:
    """Reject object ids that are missing values."""
    if values.dtype == object and any(is_missing(value) for value in values.tolist()):
        raise InputError(f"{where} must not be missing (None or NaN)")


def object_array(values: Sequence[Any]) -> NDArray[Any]:
    """Return an array of Python objects, one for each value even if it is a sequence."""
    return np.fromiter(values, dtype=object, count=len(values))


class _NegativeIntegers:
    def __repr__(self) -> str:
        return "<negative integers>"


NEGATIVE: Final = _NegativeIntegers()
"""The default outlier labels. Missing values are outliers under every rule."""


def outlier_test(outlier_label: Any) -> Any:
    """Return the function that returns whether a label means outlier."""
    if outlier_label is NEGATIVE:
        return lambda label: is_missing(label) or (isinstance(label, int) and label < 0)
    several = isinstance(outlier_label, Collection) and not isinstance(outlier_label, (str, bytes))
    try:
        chosen = {plain_value(label) for label in (outlier_label if several else [outlier_label])}
    except TypeError:
        raise OptionError(
            f"outlier_label must be a label or a collection of labels, not {shown(outlier_label)}"
        ) from None
    return lambda label: is_missing(label) or label in chosen
