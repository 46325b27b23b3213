"""Match clusters one-to-one so that matched clusters share as many objects as possible.

Left clusters are added one by one, each along a shortest augmenting path (Jonker and Volgenant
1987, on sparse tables). Every cluster has a price, a pair of clusters costs the sum of their prices
minus the objects that they share, and three things always hold: no cost is negative, matched pairs
cost nothing, and unmatched clusters have the price 0. So no other matching of the clusters added
shares more. A search visits only clusters closer than its end, mostly a few of them.
"""

from functools import partial

from coverlap._kernels._jit import Array, I, U, kernel

NOT_FOUND = 2**62
"""The distance of a cluster that the search has not found."""


@kernel
def push(distances: Array, columns: Array, size: int, distance: int, column: int) -> None:
    """Add an entry to a heap of a given size, the smallest distance first."""
    at = U(size)
    while at > U(0):
        above = (at - U(1)) >> U(1)
        if distances[above] <= distance:
            break
        distances[at], columns[at] = distances[above], columns[above]
        at = above
    distances[at], columns[at] = distance, column


@kernel
def pop(distances: Array, columns: Array, size: int) -> None:
    """Remove the first entry of a heap of a given size."""
    last = U(size) - U(1)
    distance, column = distances[last], columns[last]
    at, below = U(0), U(1)
    while below < last:
        if below + U(1) < last and distances[below + U(1)] < distances[below]:
            below += U(1)
        if distance <= distances[below]:
            break
        distances[at], columns[at] = distances[below], columns[below]
        at, below = below, U(2) * below + U(1)
    distances[at], columns[at] = distance, column


@kernel
def switch(left: Array, right: Array, origin: Array, column: int) -> None:
    """Match the clusters of a path that ends at a column, and part those that it matched before."""
    column = I(column)
    while column >= 0:
        row = I(origin[U(column)])
        before = I(left[U(row)])
        left[U(row)] = column
        right[U(column)] = row
        column = before


def _visits(pointers: Array, columns: Array, *_: Array) -> int:
    return int(pointers.size * columns.size)  # a search may visit every cell


@partial(kernel, work=_visits)
def match_one_to_one(
    pointers: Array, columns: Array, shared: Array, left: Array, right: Array, left_prices: Array,
    right_prices: Array, distance: Array, origin: Array, reached: Array, heap: Array, queue: Array,
) -> None:  # fmt: skip
    """Match left and right clusters: ``left[i]`` is the match of left cluster i, -1 for none.

    ``left`` and ``right`` begin as -1, the prices as 0 and ``distance`` as `NOT_FOUND`; ``heap``
    and ``queue`` have a place for each cell, the other arrays one for each right cluster.
    """
    for new in range(left.shape[0]):
        price = I(0)
        for cell in range(U(pointers[U(new)]), U(pointers[U(new) + U(1)])):
            price = max(price, I(shared[cell]) - I(right_prices[U(columns[cell])]))
        left_prices[U(new)] = price
        # The path ends where it is cheapest: at a free right cluster, or at a left one of the
        # tree that becomes free.
        best, last_row, last_column = price, I(new), I(-1)
        row, so_far = I(new), I(0)
        n_reached, n_queued = 0, 0
        while True:
            base = so_far + I(left_prices[U(row)])
            for cell in range(U(pointers[U(row)]), U(pointers[U(row) + U(1)])):
                column = I(columns[cell])
                length = base + I(right_prices[U(column)]) - I(shared[cell])
                if length >= best or length >= I(distance[U(column)]):
                    continue
                if I(distance[U(column)]) == NOT_FOUND:
                    reached[U(n_reached)] = column
                    n_reached += 1
                distance[U(column)] = length
                origin[U(column)] = row
                if right[U(column)] < 0:
                    best, last_row, last_column = length, I(-1), column
                else:
                    push(heap, queue, n_queued, length, column)
                    n_queued += 1
            row = I(-1)
            while n_queued > 0 and row < 0:
                so_far, column = I(heap[U(0)]), I(queue[U(0)])
                if so_far >= best:
                    break
                pop(heap, queue, n_queued)
                n_queued -= 1
                if so_far == I(distance[U(column)]):
                    row = I(right[U(column)])
            if row < 0:
                break
            if so_far + I(left_prices[U(row)]) < best:
                best, last_row, last_column = so_far + I(left_prices[U(row)]), row, I(-1)
        left_prices[U(new)] -= best
        for i in range(n_reached):
            column = I(reached[U(i)])
            gain = best - I(distance[U(column)])
            distance[U(column)] = NOT_FOUND
            if gain > 0:
                right_prices[U(column)] += gain
                left_prices[U(right[U(column)])] -= gain
        if last_column < 0:
            last_column = I(left[U(last_row)])
            left[U(last_row)] = -1
        switch(left, right, origin, last_column)
