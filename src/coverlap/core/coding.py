"""Number distinct integers, rows and hashes, by hash tables that nobody can flood."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.hashing import KEY, slot_shift
from coverlap.core.incidence import frozen, narrowest

START = 4096
"""Initial number of slots of a table."""

GROWTH = 8
"""How many times as large a table is that replaces a full one; a power of two."""


def number_keys(keys: NDArray[np.uint64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Number distinct keys by first appearance; return the codes and the first places."""
    keys, factor = frozen(keys), KEY[1]
    codes = np.empty(len(keys), narrowest(len(keys)))
    n_slots, at, found = START, 0, 0
    firsts = np.empty(0, np.int64)
    while True:
        table, shift = np.zeros((n_slots, 2), np.uint64), slot_shift(n_slots)
        firsts = np.concatenate((firsts[:found], np.empty(n_slots // 2 - found, np.int64)))
        _kernels.coding.rehash(keys, factor, shift, table, frozen(firsts), found)
        at, found, _ = map(
            int,
            _kernels.coding.number_keys(keys, factor, shift, table, firsts, codes, at, found),
        )
        if at == len(keys):
            return codes, firsts[:found]
        n_slots = min(GROWTH * n_slots, 1 << (2 * len(keys) - 1).bit_length())


def locate_keys(wanted: NDArray[np.uint64], known: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the first position of each wanted key among the known ones, -1 if there is none."""
    codes, firsts = number_keys(np.concatenate((known, wanted)))
    found = firsts[codes[len(known) :]]
    return np.where(found < len(known), found, -1)


def number_rows(words: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Number the distinct rows of an array as `number_keys` does."""
    words = frozen(words)
    keys = np.empty(len(words), np.uint64)
    _kernels.coding.hash_rows(words, KEY, keys)
    codes, firsts = number_keys(keys)
    if _kernels.coding.rows_agree(words, frozen(firsts), frozen(codes)):
        return codes, firsts
    return number_hashables(list(map(bytes, words)))


def number_hashables(values: list[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Number distinct Python values, as is needed for rows or texts of equal hashes."""
    firsts = dict(zip(reversed(values), range(len(values) - 1, -1, -1), strict=True))
    numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
    codes = np.fromiter(map(numbers.__getitem__, values), narrowest(len(values)), len(values))
    return codes, np.fromiter((firsts[value] for value in numbers), np.int64, len(numbers))


def in_order(codes: NDArray[Any], order: NDArray[np.int64]) -> NDArray[Any]:
    """Replace each code, in place, by its place in an order of all codes."""
    rank = np.empty(len(order), codes.dtype)
    rank[order] = np.arange(len(order), dtype=codes.dtype)
    _kernels.coding.rename(codes, frozen(rank))
    return codes
