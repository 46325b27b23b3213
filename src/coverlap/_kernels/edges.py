"""Clusters that contain both ends of an edge.

A graph is given by the larger neighbours of each vertex, so the edges of a range of vertices have
consecutive numbers; the clusters of vertex v are those from ``first[v]`` to ``first[v + 1]``.
"""

from coverlap._kernels._jit import Array, I, U
from coverlap._kernels._jit import heavy_kernel as kernel


@kernel
def common_codes(
    begin: int, end: int, pointers: Array, neighbours: Array, codes: Array, out: Array
) -> None:
    """Write the cluster of each edge, -1 if its ends are in different clusters or in none."""
    for one in range(U(begin), U(end)):
        own = I(codes[one])
        for edge in range(U(pointers[one]), U(pointers[one + U(1)])):
            other = I(codes[U(neighbours[edge])])
            out[edge] = own if own == other and own >= I(0) else I(-1)


@kernel
def list_common(
    begin: int, end: int, pointers: Array, neighbours: Array, first: Array, clusters: Array,
    mark: Array, free: Array, out: Array,
) -> None:  # fmt: skip
    """Write each edge of a range of vertices to the next free place of each of its clusters.

    If ``out`` is empty, the edges of each cluster are only counted in ``free``. The clusters of a
    vertex are marked with its number + 1, and those of its neighbours looked up: merging two sorted
    lists for each edge takes twice as long, because its branches are unpredictable.
    """
    writes = out.shape[0] > 0
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
                    if writes:
                        out[U(free[cluster])] = edge
                    free[cluster] += I(1)
