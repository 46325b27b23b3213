"""Kinds of objects: those that have the same clusters on both sides.

``lists`` is (ends, items): object i has items[ends[i]:ends[i + 1]], ascending.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap._kernels._jit import kernel

Array = NDArray[Any]
Lists = tuple[NDArray[Any], NDArray[Any]]

U: Any = np.uint64
I: Any = np.int64


@kernel
def copy_lists(order: Array, ends: Array, items: Array, copied_ends: Array, copied: Array) -> None:
    """Copy the lists named, in that order; ``copied_ends`` tells where they go."""
    for i in range(U(order.shape[0])):
        place = U(copied_ends[i])
        for at in range(U(ends[U(order[i])]), U(ends[U(order[i]) + U(1)])):
            copied[place] = items[at]
            place += U(1)


@kernel
def mix(mixed: int, lists: Lists, i: int) -> int:
    """Mix a list into a hash."""
    ends, items = lists
    for at in range(U(ends[i]), U(ends[i + U(1)])):
        mixed = (mixed ^ U(items[at])) * U(0xFF51AFD7ED558CCD)
        mixed ^= mixed >> U(32)
    return mixed


@kernel
def same(lists: Lists, one: int, other: int) -> bool:
    """Tell whether two lists are equal."""
    ends, items = lists
    first, second = U(ends[one]), U(ends[other])
    length = U(ends[one + U(1)]) - first
    if length != U(ends[other + U(1)]) - second:
        return False
    for i in range(length):
        if items[first + i] != items[second + i]:
            return False
    return True


@kernel
def find_kinds(left: Lists, right: Lists, table: Array, firsts: Array, weights: Array) -> int:
    """Find the first object of each kind, and count its objects; return the number of kinds.

    Objects in no cluster are left out. ``table`` has a power of two slots, at least twice as many
    as there are objects. A slot holds the number of a kind plus one, and half of its hash, which
    is only a hint: the lists decide.
    """
    mask = U(table.shape[0] - 1)
    half = U(0xFFFFFFFF)
    n_kinds = U(0)
    for i in range(U(left[0].shape[0] - 1)):
        n_left = U(left[0][i + U(1)]) - U(left[0][i])
        if n_left == U(0) and right[0][i] == right[0][i + U(1)]:
            continue
        mixed = mix(mix(n_left + U(0x9E3779B97F4A7C15), left, i), right, i)
        slot = (mixed >> U(7)) & mask
        while True:
            entry = U(table[slot])
            if entry == U(0):
                firsts[n_kinds] = i
                weights[n_kinds] = I(1)
                n_kinds += U(1)
                table[slot] = (mixed & ~half) | n_kinds
                break
            kind = (entry & half) - U(1)
            if (entry ^ mixed) <= half:
                first = U(firsts[kind])
                if same(left, first, i) and same(right, first, i):
                    weights[kind] += I(1)
                    break
            slot = (slot + U(1)) & mask
    return n_kinds
