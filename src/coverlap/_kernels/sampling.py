"""Shuffling, with a generator of its own: calls into NumPy's would cost more than the work.

The generator is SplitMix64. Bounded numbers are made from its upper half by multiplication, and
drawn again in the rare case that would favour some of them, so every order is equally likely.
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


@kernel
def mixed(state: int) -> int:
    """Turn a state of the generator into 64 random bits."""
    bits = U(state)
    bits = (bits ^ (bits >> U(30))) * U(FIRST)
    bits = (bits ^ (bits >> U(27))) * U(SECOND)
    return bits ^ (bits >> U(31))


@kernel
def shuffle(values: Array, seed: Any) -> None:
    """Shuffle fewer than 2**32 values in place; the seed is any unsigned 64-bit number."""
    state = U(seed)
    for i in range(U(values.shape[0]), U(1), -1):
        bound = U(i)
        state += U(STEP)
        product = (mixed(state) >> U(32)) * bound
        if (product & U(LOW)) < bound:
            unfair = (U(LOW) - bound + U(1)) % bound
            while (product & U(LOW)) < unfair:
                state += U(STEP)
                product = (mixed(state) >> U(32)) * bound
        j = product >> U(32)
        last = bound - U(1)
        kept = values[last]
        values[last] = values[j]
        values[j] = kept
