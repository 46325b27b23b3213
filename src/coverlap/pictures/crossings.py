"""The order of the nodes of layers in which bands cross little."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Orders = list[Integers]

N_SWEEPS = 8
"""Number of passes over all layers; more did not reduce the crossings of measured cases."""

N_LAST = 2
"""The last sets of each layer (other clusters, outliers) stay at the bottom."""


def order_layers(shared: Sequence[Integers], sizes: Sequence[Integers]) -> Orders:
    """Return the sets of each layer from top to bottom.

    ``shared[i]`` has the number of objects that the sets of layers i and i + 1 share. From the
    order by size, each set moves to the mean position of its objects in the neighbouring layers,
    forth and back; the best order seen is kept, and neighbours are swapped if that is better.
    """
    orders = [_with_last(np.argsort(-own[:-N_LAST], kind="stable")) for own in sizes]
    best, fewest = orders, n_crossings(shared, orders)
    for sweep in range(N_SWEEPS):
        orders = list(orders)
        layers = range(len(orders)) if sweep % 2 == 0 else range(len(orders) - 1, -1, -1)
        for at in layers:
            orders[at] = _by_mean_position(shared, orders, at)
        crossings = n_crossings(shared, orders)
        if crossings < fewest:
            best, fewest = orders, crossings
    return _swap_neighbours(shared, best, fewest)


def n_crossings(shared: Sequence[Integers], orders: Orders) -> float:
    """Return the number of crossings of bands, each weighted with the product of their widths."""
    total = 0.0
    for counts, one, other in zip(shared, orders, orders[1:], strict=False):
        table = counts[np.ix_(one, other)].astype(np.float64)
        # Bands from (i, j) cross those from lower sets on the left to higher ones on the right.
        below = table[::-1].cumsum(axis=0)[::-1][1:]
        higher = below.cumsum(axis=1)[:, :-1]
        total += float((table[:-1, 1:] * higher).sum())
    return total


def _with_last(order: Integers) -> Integers:
    return np.append(order, len(order) + np.arange(N_LAST))


def _by_mean_position(shared: Sequence[Integers], orders: Orders, at: int) -> Integers:
    """Order a layer by the mean position of its objects in the neighbouring layers."""
    n = len(orders[at])
    weight, total = np.zeros(n), np.zeros(n)
    for counts, other in _neighbours(shared, orders, at):
        position = np.empty(len(other))
        position[other] = np.arange(len(other)) / len(other)
        weight += counts.sum(axis=1)
        total += counts @ position
    mean = total / np.maximum(weight, 1)
    clusters = orders[at][:-N_LAST]
    return _with_last(clusters[np.argsort(mean[clusters], kind="stable")])


def _neighbours(
    shared: Sequence[Integers], orders: Orders, at: int
) -> list[tuple[Integers, Integers]]:
    """Return the shared objects with the layers before and after, and the order of these."""
    found = []
    if at > 0:
        found.append((shared[at - 1].T, orders[at - 1]))
    if at < len(orders) - 1:
        found.append((shared[at], orders[at + 1]))
    return found


def _swap_neighbours(shared: Sequence[Integers], orders: Orders, fewest: float) -> Orders:
    """Swap two sets that follow each other wherever this reduces the crossings, until none does."""
    orders = [order.copy() for order in orders]
    improved = True
    while improved:
        improved = False
        for order in orders:
            for i in range(len(order) - N_LAST - 1):
                order[[i, i + 1]] = order[[i + 1, i]]
                crossings = n_crossings(shared, orders)
                if crossings < fewest:
                    fewest, improved = crossings, True
                else:
                    order[[i, i + 1]] = order[[i + 1, i]]
    return orders
