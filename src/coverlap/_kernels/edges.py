"""Clusters that the two ends of an edge have in common.

A graph is given by the larger neighbours of each vertex, so that the edges of a range of vertices
are numbered in a row; the clusters of vertex v are those from ``first[v]`` to ``first[v + 1]``.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap._kernels._jit import kernel

Array = NDArray[Any]

U: Any = np.uint64
I: Any = np.int64


@kernel
def common_codes(
    begin: int, end: int, pointers: Array, neighbours: Array, codes: Array, out: Array
) -> None:
    """Write the cluster of each edge, -1 if its ends are not in the same one."""
    for one in range(U(begin), U(end)):
        own = I(codes[one])
        for edge in range(U(pointers[one]), U(pointers[one + U(1)])):
            other = I(codes[U(neighbours[edge])])
            out[edge] = own if own == other and own >= I(0) else I(-1)


@kernel
def count_common(
    begin: int,
    end: int,
    pointers: Array,
    neighbours: Array,
    first: Array,
    clusters: Array,
    mark: Array,
    counts: Array,
) -> None:
    """Count the edges of a range of vertices that are in each cluster.

    The clusters of a vertex are marked with its number + 1, and those of its neighbours looked up:
    to merge two sorted lists for each edge takes twice as long, since no branch can be predicted.
    """
    for one in range(U(begin), U(end)):
        if pointers[one] == pointers[one + U(1)]:
            continue
        for place in range(U(first[one]), U(first[one + U(1)])):
            mark[U(clusters[place])] = one + U(1)
        for edge in range(U(pointers[one]), U(pointers[one + U(1)])):
            other = U(neighbours[edge])
            for place in range(U(first[other]), U(first[other + U(1)])):
                cluster = U(clusters[place])
                if U(mark[cluster]) == one + U(1):
                    counts[cluster] += I(1)


@kernel
def fill_common(
    begin: int,
    end: int,
    pointers: Array,
    neighbours: Array,
    first: Array,
    clusters: Array,
    mark: Array,
    free: Array,
    out: Array,
) -> None:
    """Write each edge of a range of vertices to the next free place of each of its clusters."""
    for one in range(U(begin), U(end)):
        if pointers[one] == pointers[one + U(1)]:
            continue
        for place in range(U(first[one]), U(first[one + U(1)])):
            mark[U(clusters[place])] = one + U(1)
        for edge in range(U(pointers[one]), U(pointers[one + U(1)])):
            other = U(neighbours[edge])
            for place in range(U(first[other]), U(first[other + U(1)])):
                cluster = U(clusters[place])
                if U(mark[cluster]) == one + U(1):
                    to = U(free[cluster])
                    out[to] = edge
                    free[cluster] = to + U(1)
