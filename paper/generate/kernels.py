"""Compiled loops that place vertices, draw edges, and move objects between clusters.

Random numbers come from SplitMix64, because calls to NumPy's generator would take longer than the
loops themselves. Its state is an array of one number. All these functions share one file, because
Numba's cache does not notice changes in other files.

A graph is built from pairs of vertices. Within a range of pairs, those that are edges come first;
those that are still loops or repeated edges come last, so one number separates them.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[Any]

# Numba indexes arrays faster by unsigned integers.
U: Any = np.uint64
I: Any = np.int64

kernel = njit(error_model="numpy", cache=True)

LOW_HALF = 0xFFFFFFFF

SWITCH_ATTEMPTS = 1000
"""Number of random partners that are tried for one pair."""


class Pairs(NamedTuple):
    """Pairs of vertices, and the set of those that are edges.

    Pair i is ``ends[2 * i], ends[2 * i + 1]``. ``table`` is an open-addressing hash table of the
    keys of edges; 0 marks a free slot.
    """

    ends: Array
    table: Array
    n_vertices: int


@kernel
def mix(number: int) -> int:
    """Return 64 bits that look random: the output function of SplitMix64."""
    bits = U(number)
    bits = (bits ^ (bits >> U(30))) * U(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> U(27))) * U(0x94D049BB133111EB)
    return bits ^ (bits >> U(31))


@kernel
def below(bound: int, state: Array) -> int:
    """Draw a number below a bound of at most 2**32, each equally likely.

    Numbers that would make some results more likely than others are drawn again.
    """
    state[0] += U(0x9E3779B97F4A7C15)
    product = (mix(state[0]) >> U(32)) * bound
    if (product & U(LOW_HALF)) < bound:
        n_rejected = (U(LOW_HALF) - bound + U(1)) % bound
        while (product & U(LOW_HALF)) < n_rejected:
            state[0] += U(0x9E3779B97F4A7C15)
            product = (mix(state[0]) >> U(32)) * bound
    return product >> U(32)


@kernel
def swap(values: Array, one: int, other: int) -> None:
    """Swap two values."""
    value = values[one]
    values[one] = values[other]
    values[other] = value


@kernel
def shuffle_range(values: Array, begin: int, end: int, state: Array) -> None:
    """Shuffle a range of values in place."""
    for at in range(begin, end):
        swap(values, at, at + below(end - at, state))


@kernel
def assign(places: Array, ends: Array, state: Array) -> None:
    """Give each vertex in turn a random free place among the first ``ends[vertex]`` places.

    The ends never descend. The place of each vertex is moved to the position of the vertex.
    """
    for vertex in range(U(places.shape[0])):
        swap(places, vertex, vertex + below(U(ends[vertex]) - vertex, state))


@kernel
def copy_codes(draws: Array, codes: Array, sizes: Array) -> None:
    """Give an object the code of another one, step by step, unless its own code would vanish.

    Each row of ``draws`` holds the two objects; ``sizes`` counts the objects of each code.
    """
    for step in range(U(draws.shape[0])):
        mover = U(draws[step, U(0)])
        own, new = U(codes[mover]), U(codes[U(draws[step, U(1)])])
        if sizes[own] > 1:
            sizes[own] -= I(1)
            sizes[new] += I(1)
            codes[mover] = new


@kernel
def key_of(one: int, other: int, n_vertices: int) -> int:
    """Return an edge as one number, which is never 0 because the smaller end comes first."""
    if U(one) < U(other):
        return U(one) * U(n_vertices) + U(other)
    return U(other) * U(n_vertices) + U(one)


@kernel
def slot_of(key: int, table: Array) -> int:
    """Return the slot of a key, or the free slot where it would be inserted."""
    mask = U(table.shape[0]) - U(1)
    slot = mix(key) & mask
    while table[slot] != U(0) and table[slot] != key:
        slot = (slot + U(1)) & mask
    return slot


@kernel
def remove_key(key: int, table: Array) -> None:
    """Remove a key, and move later keys into the gap so that lookups still find them."""
    mask = U(table.shape[0]) - U(1)
    gap = slot_of(key, table)
    slot = (gap + U(1)) & mask
    while table[slot] != U(0):
        displacement = (slot - mix(table[slot])) & mask
        if displacement >= (slot - gap) & mask:
            table[gap] = table[slot]
            gap = slot
        slot = (slot + U(1)) & mask
    table[gap] = U(0)


@kernel
def add_edge(pairs: Pairs, pair: int) -> bool:
    """Insert a pair as an edge; return False if it is a loop or a repeated edge."""
    one, other = pairs.ends[U(2) * pair], pairs.ends[U(2) * pair + U(1)]
    if one == other:
        return False
    key = key_of(one, other, pairs.n_vertices)
    slot = slot_of(key, pairs.table)
    if pairs.table[slot] == key:
        return False
    pairs.table[slot] = key
    return True


@kernel
def swap_pairs(ends: Array, one: int, other: int) -> None:
    """Swap the places of two pairs."""
    swap(ends, U(2) * one, U(2) * other)
    swap(ends, U(2) * one + U(1), U(2) * other + U(1))


@kernel
def add_edges(pairs: Pairs, first: int, end: int) -> int:
    """Insert all pairs of a range that can be edges; return where the other pairs begin."""
    good = first
    for pair in range(first, end):
        if add_edge(pairs, pair):
            swap_pairs(pairs.ends, pair, good)
            good += U(1)
    return good


@kernel
def switch_pair(pairs: Pairs, first: int, good: int, end: int, pair: int, state: Array) -> int:
    """Switch ends between a pair and a random other one, if both become edges by it.

    Tries a fixed number of partners; returns how many edges were gained.
    """
    ends, table, n_vertices = pairs.ends, pairs.table, pairs.n_vertices
    one, other = ends[U(2) * pair], ends[U(2) * pair + U(1)]
    for _ in range(U(SWITCH_ATTEMPTS)):
        drawn = below(U(2) * (end - first), state)
        partner, side = first + (drawn >> U(1)), drawn & U(1)
        third, fourth = ends[U(2) * partner + side], ends[U(2) * partner + U(1) - side]
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
            remove_key(key_of(third, fourth, n_vertices), table)
            swap_pairs(ends, pair, good)
            return U(1)
        swap_pairs(ends, min(pair, partner), good)
        swap_pairs(ends, max(pair, partner), good + U(1))
        return U(2)
    return U(0)


@kernel
def switch_pairs(pairs: Pairs, first: int, good: int, end: int, state: Array) -> int:
    """Switch pairs that are not edges, as long as many succeed; return where the rest begins.

    Only switches that make edges of both pairs are done. Where the degrees almost reach the number
    of vertices few are possible, and to try until none remains would take hours.
    """
    gained = end - good
    while good < end and U(10) * gained > end - good:
        before = good
        pair = end
        while pair > good:
            more = switch_pair(pairs, first, good, end, pair - U(1), state)
            good += more
            if more == U(0):
                pair -= U(1)
        gained = good - before
    return good


@kernel
def switch_blindly(pairs: Pairs, first: int, good: int, end: int, state: Array) -> int:
    """Switch pairs that are not edges with random ones, whether or not this makes edges.

    Repeats while fewer such pairs remain than before; returns where they begin.
    """
    ends = pairs.ends
    last = end - U(1)
    before = end - good + U(1)
    while good < end and end - good < before:
        before = end - good
        for _ in range(before):
            drawn = below(U(2) * (end - first), state)
            partner, side = first + (drawn >> U(1)), drawn & U(1)
            if partner == last or good == end:
                continue
            if partner < good:
                one, other = ends[U(2) * partner], ends[U(2) * partner + U(1)]
                remove_key(key_of(one, other, pairs.n_vertices), pairs.table)
                good -= U(1)
                swap_pairs(ends, partner, good)
                partner = good
            swap(ends, U(2) * last + U(1), U(2) * partner + side)
            for pair in (partner, last):
                if add_edge(pairs, pair):
                    swap_pairs(ends, pair, good)
                    good += U(1)
    return good


@kernel
def wire_clusters(pairs: Pairs, pointers: Array, background: Array, state: Array) -> int:
    """Draw the edges of each cluster and move them together; return their number.

    The pairs of cluster c are those from ``pointers[c]`` to ``pointers[c + 1]``. Ends of pairs
    that do not become edges are added to the background degrees of their vertices.
    """
    ends = pairs.ends
    kept = U(0)
    for cluster in range(U(pointers.shape[0] - 1)):
        first, end = U(pointers[cluster]), U(pointers[cluster + U(1)])
        shuffle_range(ends, U(2) * first, U(2) * end, state)
        good = add_edges(pairs, first, end)
        good = switch_pairs(pairs, first, good, end, state)
        for at in range(U(2) * good, U(2) * end):
            background[U(ends[at])] += 1
        for at in range(U(2) * first, U(2) * good):
            ends[kept] = ends[at]
            kept += U(1)
    return kept >> U(1)


@kernel
def wire_background(pairs: Pairs, first: int, end: int, state: Array) -> int:
    """Draw edges from a range of pairs that follows edges; return the number of all edges.

    Pairs that do not become edges among themselves are switched with any edge.
    """
    first, end = U(first), U(end)
    shuffle_range(pairs.ends, U(2) * first, U(2) * end, state)
    good = add_edges(pairs, first, end)
    good = switch_blindly(pairs, first, good, end, state)
    return switch_pairs(pairs, U(0), good, end, state)
