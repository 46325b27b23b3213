"""Objects that change clusters or join some at random; the random numbers are passed in."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap._kernels._jit import kernel

Array = NDArray[Any]

U: Any = np.uint64
I: Any = np.int64


@kernel
def take_over(draws: Array, codes: Array, sizes: Array) -> None:
    """Give one object after another the code of a second one, unless its own would vanish.

    Each row of ``draws`` names the two; ``sizes`` counts the objects of each code.
    """
    for step in range(U(draws.shape[0])):
        mover = U(draws[step, U(0)])
        own, new = U(codes[mover]), U(codes[U(draws[step, U(1)])])
        if sizes[own] > 1:
            sizes[own] -= I(1)
            sizes[new] += I(1)
            codes[mover] = new


@kernel
def deal(pointers: Array, begin: int, end: int, deck: Array, draws: Array, out: Array) -> None:
    """Deal distinct clusters to the objects of a range, each set of them equally likely.

    Object i gets those from ``pointers[i]`` to ``pointers[i + 1]``, and uses one number from
    [0, 1) for each. The deck holds all clusters in any order, and is left in another one.
    """
    n_clusters = U(deck.shape[0])
    first = U(pointers[U(begin)])
    for i in range(U(begin), U(end)):
        start = U(pointers[i])
        for taken in range(U(pointers[i + U(1)]) - start):
            place = start + taken
            chosen = taken + U(draws[place - first] * (n_clusters - taken))
            cluster = deck[chosen]
            deck[chosen] = deck[taken]
            deck[taken] = cluster
            out[place] = cluster
