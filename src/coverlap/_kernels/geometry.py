"""Clusters of points in the plane: the points nearest to others."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap._kernels._jit import kernel

Array = NDArray[Any]

U: Any = np.uint64
I: Any = np.int64


@kernel
def sift(distances: Array, places: Array, root: int, length: int) -> None:
    """Let the entry at the root of a heap sink until no entry below it is further away.

    Among equal distances, the higher place counts as further.
    """
    parent = U(root)
    far, place = distances[parent], places[parent]
    while True:
        child = U(2) * parent + U(1)
        if child >= length:
            break
        other = child + U(1)
        if other < length and (
            distances[other] > distances[child]
            or (distances[other] == distances[child] and places[other] > places[child])
        ):
            child = other
        if distances[child] < far or (distances[child] == far and places[child] < place):
            break
        distances[parent] = distances[child]
        places[parent] = places[child]
        parent = child
    distances[parent] = far
    places[parent] = place


@kernel
def nearest(
    x: float,
    y: float,
    points: Array,
    candidates: Array,
    n_candidates: int,
    wanted: int,
    distances: Array,
    places: Array,
) -> None:
    """Find the candidates nearest to (x, y), in no order; of equally near ones the first.

    Candidates ascend. They are offered one by one to a heap with the furthest on top.
    """
    for i in range(U(n_candidates)):
        candidate = U(candidates[i])
        dx, dy = points[candidate, U(0)] - x, points[candidate, U(1)] - y
        distance = dx * dx + dy * dy
        if i < U(wanted):
            distances[i] = distance
            places[i] = candidate
            if i + U(1) == U(wanted):
                for root in range(I(wanted) // I(2) - I(1), I(-1), I(-1)):
                    sift(distances, places, U(root), U(wanted))
        elif distances[U(0)] > distance:
            distances[U(0)] = distance
            places[U(0)] = candidate
            sift(distances, places, U(0), U(wanted))


@kernel
def carve(
    points: Array,
    outermost: Array,
    sizes: Array,
    parts: Array,
    candidates: Array,
    distances: Array,
    places: Array,
) -> None:
    """Cut points into parts: each time the outermost point left, and the points nearest to it.

    ``parts`` comes in as -1 for every point, and ``candidates`` as all points in order.
    """
    n_left = U(points.shape[0])
    turn = U(0)
    for part in range(U(sizes.shape[0])):
        while parts[U(outermost[turn])] >= 0:
            turn += U(1)
        middle = U(outermost[turn])
        size = U(sizes[part])
        x, y = points[middle, U(0)], points[middle, U(1)]
        nearest(x, y, points, candidates, n_left, size, distances, places)
        for i in range(size):
            parts[U(places[i])] = part
        kept = U(0)
        for i in range(n_left):
            if parts[U(candidates[i])] < 0:
                candidates[kept] = candidates[i]
                kept += U(1)
        n_left = kept


@kernel
def grow(
    points: Array,
    parts: Array,
    centres: Array,
    pointers: Array,
    members: Array,
    candidates: Array,
    distances: Array,
    places: Array,
) -> None:
    """Write the members of each part, and then the other points nearest to its centre.

    Part p gets the places from ``pointers[p]`` to ``pointers[p + 1]``.
    """
    for part in range(U(centres.shape[0])):
        free, end = U(pointers[part]), U(pointers[part + U(1)])
        n_others = U(0)
        for i in range(U(parts.shape[0])):
            if U(parts[i]) == part:
                members[free] = i
                free += U(1)
            else:
                candidates[n_others] = i
                n_others += U(1)
        wanted = end - free
        if wanted > U(0):
            x, y = centres[part, U(0)], centres[part, U(1)]
            nearest(x, y, points, candidates, n_others, wanted, distances, places)
            for i in range(wanted):
                members[free + i] = places[i]


@kernel
def shrink(
    points: Array,
    pointers: Array,
    members: Array,
    centres: Array,
    wanted: Array,
    parts: Array,
    distances: Array,
    places: Array,
) -> None:
    """Give the wanted number of members nearest to the centre of each part its number.

    ``parts`` comes in as -1 for every point.
    """
    for part in range(U(centres.shape[0])):
        begin, end = U(pointers[part]), U(pointers[part + U(1)])
        n_kept = U(wanted[part])
        if n_kept == U(1) and end - begin == U(2):
            # Both are equally far from their mean, and rounding must not choose between them.
            parts[U(members[begin])] = part
        elif n_kept > U(0):
            x, y = centres[part, U(0)], centres[part, U(1)]
            own = members[begin:end]
            nearest(x, y, points, own, end - begin, n_kept, distances, places)
            for i in range(n_kept):
                parts[U(places[i])] = part
