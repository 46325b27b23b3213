"""Random permutations and memberships.

Random numbers come from SplitMix64, because calls to NumPy's generator would take longer than the
loops themselves. Its state is an array of one number.
"""

from typing import Any

import numpy as np

from coverlap._kernels._jit import Array, U
from coverlap._kernels._jit import heavy_kernel as kernel

LOW_HALF = 0xFFFFFFFF


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
def shuffle(values: Array, seed: Any) -> None:
    """Shuffle fewer than 2**32 values in place; the seed is any unsigned 64-bit number."""
    state = np.empty(1, np.uint64)
    state[0] = U(seed)
    for i in range(U(values.shape[0]), U(1), -1):
        bound = U(i)
        swap(values, bound - U(1), below(bound, state))


@kernel
def draw_clusters(
    pointers: Array, begin: int, end: int, deck: Array, draws: Array, out: Array
) -> None:
    """Draw distinct clusters for the objects of a range, each set of clusters equally likely.

    Object i gets those from ``pointers[i]`` to ``pointers[i + 1]``, and uses one number from
    [0, 1) for each. ``deck`` holds all clusters in any order and is reordered.
    """
    n_clusters = U(deck.shape[0])
    first = U(pointers[U(begin)])
    for i in range(U(begin), U(end)):
        start = U(pointers[i])
        for taken in range(U(pointers[i + U(1)]) - start):
            place = start + taken
            swap(deck, taken, taken + U(draws[place - first] * (n_clusters - taken)))
            out[place] = deck[taken]
