"""Distinct values in one agreed order, and a code for each place."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.dictionary import number_strings
from coverlap.core.errors import InputError, InputTypeError
from coverlap.core.incidence import frozen, narrowest
from coverlap.core.values import INT64_MAX, object_array, ordered, plain_value, value_array
from coverlap.core.wording import shown

MANY = 4096
"""From this many strings on it pays to leave Python's dict alone."""


def code_values(
    values: Sequence[Any] | NDArray[Any], where: str
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Number the distinct values: numbers first, then strings, then others as they appear.

    Returns the code of each place and the values. Missing values are no values: see `is_missing`.

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
    """Number distinct integers in ascending order."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    if high - low < 8 * len(values):
        return _code_dense(values, low, high)
    codes, firsts = _encode(frozen(frozen(values).view(np.uint64).reshape(-1, 1)))
    distinct = values[firsts]
    return _in_order(codes, np.argsort(distinct)), np.sort(distinct)


def _code_dense(
    values: NDArray[np.int64], low: int, high: int
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Number integers that are close together, without hashing."""
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
    """Number rows by first appearance; return the codes and the row where each value appears."""
    n_rows = len(words)
    codes = np.empty(n_rows, narrowest(n_rows))
    firsts = np.empty(1024, np.int64)
    table = np.zeros(4096, np.int64)
    row, found = 0, 0
    while True:
        row, found = map(int, _kernels.coding.encode(words, table, firsts, codes, row, found))
        if row == n_rows:
            return codes, firsts[:found]
        firsts = np.concatenate((firsts, np.empty(3 * len(firsts), np.int64)))
        table = np.zeros(4 * len(table), np.int64)
        _kernels.coding.rehash(words, table, firsts, found)


def _in_order(codes: NDArray[Any], order: NDArray[np.int64]) -> NDArray[Any]:
    rank: NDArray[Any] = np.empty(len(order), codes.dtype)
    rank[order] = np.arange(len(order))
    return np.asarray(rank[codes])


def _code_hashables(values: Sequence[Any], where: str) -> tuple[NDArray[Any], NDArray[Any]]:
    try:
        number = {value: i for i, value in enumerate(dict.fromkeys(values))}
    except TypeError:
        raise _unhashable(values, where) from None
    codes = np.fromiter(map(number.__getitem__, values), np.int64, count=len(values))
    distinct = [plain_value(value) for value in number]
    order = ordered(distinct)
    return _in_order(codes, np.array(order, np.int64)), value_array([distinct[i] for i in order])


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


def refuse_masked(values: object, where: str) -> None:
    """Refuse object ids that are masked."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.getmaskarray(values).any():
        raise InputError(f"{where} must not be missing (null or masked)")
