"""Count pairs of few objects in a table of all pairs.

The strategies of `coverlap._kernels.pairs` take longer than this to prepare.
"""

from typing import Any

import numpy as np

from coverlap._kernels._jit import Array, I, U
from coverlap._kernels._jit import heavy_kernel as kernel
from coverlap._kernels.pair_records import HALF, LOW


@kernel
def add_members(pointers: Array, members: Array, one: int, table: Array) -> None:
    """Add a number to the cells of all pairs of members of each cluster."""
    for cluster in range(U(pointers.shape[0] - 1)):
        first, last = U(pointers[cluster]), U(pointers[cluster + U(1)])
        for x in range(first, last):
            for y in range(x + U(1), last):
                table[U(members[x]), U(members[y])] += one


@kernel
def count_in_table(
    left_pointers: Array, left_members: Array, right_pointers: Array, right_members: Array,
    n_objects: int,
) -> Any:  # fmt: skip
    """Count the pairs of objects by how many clusters they share on either side.

    Returns the number of pairs by shared left clusters and by shared right clusters, the number of
    pairs that share equally many on both sides, and of those that share some on both.
    """
    table = np.zeros((n_objects, n_objects), np.uint64)
    add_members(left_pointers, left_members, U(1), table)
    add_members(right_pointers, right_members, U(1) << HALF, table)
    by_left = np.zeros(left_pointers.shape[0], np.int64)
    by_right = np.zeros(right_pointers.shape[0], np.int64)
    n_equal, n_both = I(0), I(0)
    for one in range(U(n_objects)):
        for other in range(one + U(1), U(n_objects)):
            n_left, n_right = table[one, other] & LOW, table[one, other] >> HALF
            by_left[n_left] += I(1)
            by_right[n_right] += I(1)
            both = I(n_left > U(0)) * I(n_right > U(0))
            n_equal += both * I(n_left == n_right)
            n_both += both
    return by_left, by_right, n_equal, n_both
