"""Louvain's moves: vertices that go, one after the other, where modularity gains most."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap._kernels._jit import kernel

Array = NDArray[Any]

U: Any = np.uint64
I: Any = np.int64


@kernel
def move_all(
    pointers: Array,
    neighbours: Array,
    weights: Array,
    volumes: Array,
    resolution: float,
    tolerance: float,
    labels: Array,
    inside: Array,
    links: Array,
) -> float:
    """Go through all vertices until modularity gains no more than a tolerance; return all gains.

    ``volumes`` are the sums of weights at each vertex, and ``inside`` those at each cluster;
    ``links`` is zero before and after.
    """
    total = I(0)
    for vertex in range(U(0), U(len(labels))):
        total += I(volumes[vertex])
    gains = 0.0
    while True:
        gain = 0.0
        for vertex in range(U(0), U(len(labels))):
            begin, end = U(pointers[vertex]), U(pointers[vertex + U(1)])
            if begin != end:
                volume = I(volumes[vertex])
                inside[U(labels[vertex])] -= volume
                scale = resolution * volume / total
                gain += _move(
                    vertex, begin, end, neighbours, weights, scale, labels, inside, links
                )  # fmt: skip
                inside[U(labels[vertex])] += volume
        change = 2 * gain / total if total else 0.0
        gains += change
        if change <= tolerance:
            return gains


@kernel
def _move(
    vertex: int,
    begin: int,
    end: int,
    neighbours: Array,
    weights: Array,
    scale: float,
    labels: Array,
    inside: Array,
    links: Array,
) -> float:
    """Move a vertex to the best cluster of a neighbour, if better than its own; return the gain."""
    for place in range(U(begin), U(end)):
        neighbour = U(neighbours[place])
        if neighbour != U(vertex):  # a loop comes along wherever the vertex goes
            links[U(labels[neighbour])] += I(weights[place])
    best = U(labels[vertex])
    stay = links[best] - scale * inside[best]
    most = stay
    for place in range(U(begin), U(end)):
        cluster = U(labels[U(neighbours[place])])
        worth = links[cluster] - scale * inside[cluster]
        if worth > most:
            best, most = cluster, worth
    for place in range(U(begin), U(end)):
        links[U(labels[U(neighbours[place])])] = I(0)
    labels[vertex] = best
    return most - stay
