"""Graphs with given degrees: stubs are paired at random, and pairs that are no edges are switched.

A stub is an end of an edge that has no partner yet. ``ends`` holds two ends a pair; within a range
of pairs those that are edges come first, and those that still are loops or repeats come last, so
that one number tells them apart. The edges are also keys of an open-addressing table whose free
slots are 0. Random numbers come from SplitMix64, whose state is an array of one number.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap._kernels._jit import kernel

Array = NDArray[Any]

U: Any = np.uint64

STEP = 0x9E3779B97F4A7C15
FIRST = 0xBF58476D1CE4E5B9
SECOND = 0x94D049BB133111EB
LOW = 0xFFFFFFFF
TRIES = 1000


@kernel
def mixed(number: int) -> int:
    """Turn a number into 64 bits that look random."""
    bits = U(number)
    bits = (bits ^ (bits >> U(30))) * U(FIRST)
    bits = (bits ^ (bits >> U(27))) * U(SECOND)
    return bits ^ (bits >> U(31))


@kernel
def below(bound: int, state: Array) -> int:
    """Draw a number below a bound of at most 2**32, each equally likely."""
    state[0] += U(STEP)
    product = (mixed(state[0]) >> U(32)) * bound
    if (product & U(LOW)) < bound:
        unfair = (U(LOW) - bound + U(1)) % bound
        while (product & U(LOW)) < unfair:
            state[0] += U(STEP)
            product = (mixed(state[0]) >> U(32)) * bound
    return product >> U(32)


@kernel
def assign(places: Array, ends: Array, state: Array) -> None:
    """Give each vertex in turn a random one of the places before its end that are still free.

    The ends never descend. The place of each vertex moves to the vertex's own position.
    """
    for vertex in range(U(places.shape[0])):
        chosen = vertex + below(U(ends[vertex]) - vertex, state)
        place = places[chosen]
        places[chosen] = places[vertex]
        places[vertex] = place


@kernel
def shuffle(values: Array, begin: int, end: int, state: Array) -> None:
    """Shuffle a range of values."""
    for at in range(begin, end):
        chosen = at + below(end - at, state)
        value = values[chosen]
        values[chosen] = values[at]
        values[at] = value


@kernel
def key_of(one: int, other: int, n_vertices: int) -> int:
    """Write an edge as one number; it is never 0, for the smaller end comes first."""
    if U(one) < U(other):
        return U(one) * U(n_vertices) + U(other)
    return U(other) * U(n_vertices) + U(one)


@kernel
def slot_of(key: int, table: Array) -> int:
    """Find the slot that holds a key, or the free one where it would go."""
    mask = U(table.shape[0]) - U(1)
    slot = mixed(key) & mask
    while table[slot] != U(0) and table[slot] != key:
        slot = (slot + U(1)) & mask
    return slot


@kernel
def remove(key: int, table: Array) -> None:
    """Take a key out of the table, and close the gap for the keys that were pushed on by it."""
    mask = U(table.shape[0]) - U(1)
    gap = slot_of(key, table)
    slot = (gap + U(1)) & mask
    while table[slot] != U(0):
        pushed = (slot - mixed(table[slot])) & mask
        if pushed >= (slot - gap) & mask:
            table[gap] = table[slot]
            gap = slot
        slot = (slot + U(1)) & mask
    table[gap] = U(0)


@kernel
def enter(ends: Array, pair: int, n_vertices: int, table: Array) -> bool:
    """Make a pair an edge, unless it is a loop or repeats one; tell whether it is."""
    one, other = ends[U(2) * pair], ends[U(2) * pair + U(1)]
    if one == other:
        return False
    key = key_of(one, other, n_vertices)
    slot = slot_of(key, table)
    if table[slot] == key:
        return False
    table[slot] = key
    return True


@kernel
def exchange(ends: Array, one: int, other: int) -> None:
    """Exchange the places of two pairs."""
    for side in range(U(2)):
        kept = ends[U(2) * one + side]
        ends[U(2) * one + side] = ends[U(2) * other + side]
        ends[U(2) * other + side] = kept


@kernel
def settle(ends: Array, first: int, end: int, n_vertices: int, table: Array) -> int:
    """Make edges of all pairs of a range that can be; return where the others begin."""
    good = first
    for pair in range(first, end):
        if enter(ends, pair, n_vertices, table):
            exchange(ends, pair, good)
            good += U(1)
    return good


@kernel
def mend(
    ends: Array, first: int, good: int, end: int, pair: int, n_vertices: int, table: Array,
    state: Array,
) -> int:  # fmt: skip
    """Switch the ends of a pair with those of a random one, if that makes edges of both.

    Tries a fixed number of times; returns how many more edges there are.
    """
    one, other = ends[U(2) * pair], ends[U(2) * pair + U(1)]
    for _ in range(U(TRIES)):
        drawn = below(U(2) * (end - first), state)
        partner, turn = first + (drawn >> U(1)), drawn & U(1)
        third, fourth = ends[U(2) * partner + turn], ends[U(2) * partner + U(1) - turn]
        if partner == pair or one == third or other == fourth:
            continue
        key, second = key_of(one, third, n_vertices), key_of(other, fourth, n_vertices)
        slot = slot_of(key, table)
        if key == second or table[slot] != U(0) or table[slot_of(second, table)] != U(0):
            continue
        table[slot] = key
        table[slot_of(second, table)] = second
        ends[U(2) * pair + U(1)] = third
        ends[U(2) * partner], ends[U(2) * partner + U(1)] = other, fourth
        if partner < good:
            remove(key_of(third, fourth, n_vertices), table)
            exchange(ends, pair, good)
            return U(1)
        exchange(ends, min(pair, partner), good)
        exchange(ends, max(pair, partner), good + U(1))
        return U(2)
    return U(0)


@kernel
def rewire(
    ends: Array, first: int, good: int, end: int, n_vertices: int, table: Array, state: Array
) -> int:
    """Switch pairs that are no edges, again as long as many succeed; return where the rest begins.

    Only switches that make edges of both pairs are done. Where vertices have about as many edges
    as there are others, few can be, and to go on until none is would take hours.
    """
    mended = end - good
    while good < end and U(10) * mended > end - good:
        before = good
        behind = end
        while behind > good:
            more = mend(ends, first, good, end, behind - U(1), n_vertices, table, state)
            good += more
            if more == U(0):
                behind -= U(1)
        mended = good - before
    return good


@kernel
def stir(
    ends: Array, first: int, good: int, end: int, n_vertices: int, table: Array, state: Array
) -> int:
    """Switch pairs that are no edges with random ones, whatever comes of it.

    Goes on as long as fewer of them remain; returns where they begin.
    """
    last = end - U(1)
    before = end - good + U(1)
    while good < end and end - good < before:
        before = end - good
        for _ in range(before):
            drawn = below(U(2) * (end - first), state)
            partner, turn = first + (drawn >> U(1)), drawn & U(1)
            if partner == last or good == end:
                continue
            if partner < good:
                key = key_of(ends[U(2) * partner], ends[U(2) * partner + U(1)], n_vertices)
                remove(key, table)
                good -= U(1)
                exchange(ends, partner, good)
                partner = good
            kept = ends[U(2) * last + U(1)]
            ends[U(2) * last + U(1)] = ends[U(2) * partner + turn]
            ends[U(2) * partner + turn] = kept
            for pair in (partner, last):
                if enter(ends, pair, n_vertices, table):
                    exchange(ends, pair, good)
                    good += U(1)
    return good


@kernel
def wire_clusters(
    ends: Array, pointers: Array, n_vertices: int, table: Array, background: Array, state: Array
) -> int:
    """Pair the stubs of each cluster, and move its edges together; return their number.

    The stubs of cluster c are those of the pairs from ``pointers[c]`` to ``pointers[c + 1]``; those
    that end up in no edge are added to the background degrees of their vertices.
    """
    kept = U(0)
    for cluster in range(U(pointers.shape[0] - 1)):
        first, end = U(pointers[cluster]), U(pointers[cluster + U(1)])
        shuffle(ends, U(2) * first, U(2) * end, state)
        good = settle(ends, first, end, n_vertices, table)
        good = rewire(ends, first, good, end, n_vertices, table, state)
        for at in range(U(2) * good, U(2) * end):
            background[U(ends[at])] += 1
        for at in range(U(2) * first, U(2) * good):
            ends[kept] = ends[at]
            kept += U(1)
    return kept >> U(1)


@kernel
def wire_background(
    ends: Array, first: int, end: int, n_vertices: int, table: Array, state: Array
) -> int:
    """Pair the stubs of a range that follows edges; return the number of edges in all.

    Pairs that do not become edges among themselves are switched with any edge.
    """
    first, end = U(first), U(end)
    shuffle(ends, U(2) * first, U(2) * end, state)
    good = settle(ends, first, end, n_vertices, table)
    good = stir(ends, first, good, end, n_vertices, table, state)
    return rewire(ends, U(0), good, end, n_vertices, table, state)
