"""The order of clusters in a heat map, and the choice of a few of them.

Each cluster is joined with its best match, in both directions. The connected components are the
blocks of the picture: the parts of a split cluster, for example, stand side by side.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import frozen
from coverlap.counting.contingency import Contingency
from coverlap.counting.matching import Matching

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

LEAST_PART = 0.1
"""Clusters that cost less than this part of the costliest of their block are not chosen."""


class Order(NamedTuple):
    """The clusters of both sides in the order of a picture, block by block.

    ``left_blocks`` and ``right_blocks`` are the number of the block of each cluster in this order;
    the costliest block is 0.
    """

    left: Integers
    right: Integers
    left_blocks: Integers
    right_blocks: Integers

    def taken(self, left: Integers, right: Integers) -> "Order":
        """Return the clusters at some positions of each side."""
        return Order(
            self.left[left], self.right[right], self.left_blocks[left], self.right_blocks[right]
        )


def order_clusters(
    matching: Matching, cells: Contingency, left_loss: Floats, right_loss: Floats
) -> Order:
    """Order blocks by their loss, left clusters by size, right ones by where their objects are."""
    left_block, right_block = _blocks(matching)
    n_blocks = 1 + max(left_block.max(initial=-1), right_block.max(initial=-1))
    loss = _sums(left_block, left_loss, n_blocks) + _sums(right_block, right_loss, n_blocks)
    size = _sums(left_block, matching.left.sizes, n_blocks)
    size += _sums(right_block, matching.right.sizes, n_blocks)
    rank = np.empty(n_blocks, np.int64)
    rank[np.lexsort((-size, -loss))] = np.arange(n_blocks)
    left_block, right_block = rank[left_block], rank[right_block]
    left = np.lexsort((-matching.left.sizes, left_block))
    position = np.empty(len(left))
    position[left] = np.arange(len(left))
    rows = cells.rows()
    inside = left_block[rows] == right_block[cells.columns]
    rows, columns, shared = rows[inside], cells.columns[inside], cells.shared[inside]
    mean = _sums(columns, shared * position[rows], len(right_block))
    mean /= np.maximum(_sums(columns, shared, len(right_block)), 1)
    right = np.lexsort((-matching.right.sizes, mean, right_block))
    return Order(left, right, left_block[left], right_block[right])


def _blocks(matching: Matching) -> tuple[Integers, Integers]:
    """Return the number of the block of each left and each right cluster."""
    left, right = matching.left.match, matching.right.match
    n_left = len(left)
    has_match, is_sought = np.flatnonzero(left >= 0), np.flatnonzero(right >= 0)
    parent = np.arange(n_left + len(right))
    block = np.empty_like(parent)
    _kernels.moves.number_groups(
        frozen(np.concatenate((has_match, right[is_sought]))),
        frozen(np.concatenate((left[has_match], is_sought)) + n_left),
        parent,
        block,
    )
    return block[:n_left], block[n_left:]


def _sums(groups: NDArray[np.integer], values: NDArray[np.generic], n_groups: int) -> Floats:
    return np.bincount(groups, values, minlength=n_groups).astype(np.float64)


def choose_clusters(
    order: Order, matching: Matching, left_loss: Floats, right_loss: Floats, most: int
) -> Order:
    """Return the part of an order with the costliest blocks, at most ``most`` clusters a side.

    If not all clusters fit, the cheapest of each block and side are left out, because crumbs of a
    few objects would take the place of other blocks. Of the first block that then does not fit, the
    costliest clusters are chosen if there is room on its sides; among the right ones, those that
    are matched with a chosen left one come first.
    """
    if max(len(order.left), len(order.right)) <= most:
        return order
    order = _without_crumbs(order, left_loss, right_loss)
    left: list[NDArray[np.bool_]] = []
    right: list[NDArray[np.bool_]] = []
    n_left = n_right = 0
    left_bounds, right_bounds = _bounds(order.left_blocks), _bounds(order.right_blocks)
    for block in range(max(len(left_bounds), len(right_bounds)) - 1):
        own = order.left[_block(left_bounds, block)]
        other = order.right[_block(right_bounds, block)]
        if (n_left == most and len(own)) or (n_right == most and len(other)):
            break
        left.append(_costliest(left_loss[own], np.zeros(len(own), bool), most - n_left))
        chosen = own[left[-1]]
        matched = np.isin(matching.right.match[other], chosen)
        matched |= np.isin(other, matching.left.match[chosen])
        right.append(_costliest(right_loss[other], matched, most - n_right))
        n_left, n_right = n_left + len(own), n_right + len(other)
        if n_left > most or n_right > most:
            break
    return order.taken(
        np.flatnonzero(np.concatenate([np.zeros(0, bool), *left])),
        np.flatnonzero(np.concatenate([np.zeros(0, bool), *right])),
    )


def _without_crumbs(order: Order, left_loss: Floats, right_loss: Floats) -> Order:
    kept = []
    for clusters, blocks, loss in (
        (order.left, order.left_blocks, left_loss), (order.right, order.right_blocks, right_loss)
    ):  # fmt: skip
        largest = np.zeros(blocks.max(initial=-1) + 1)
        np.maximum.at(largest, blocks, loss[clusters])
        kept.append(np.flatnonzero(loss[clusters] >= LEAST_PART * largest[blocks]))
    return order.taken(*kept)


def _bounds(blocks: Integers) -> Integers:
    """Return where each block begins, and where the last one ends."""
    return (
        np.concatenate(([0], np.cumsum(np.bincount(blocks)))) if len(blocks) else np.zeros(1, int)
    )


def _block(bounds: Integers, block: int) -> slice:
    last = len(bounds) - 1
    return slice(int(bounds[min(block, last)]), int(bounds[min(block + 1, last)]))


def _costliest(loss: Floats, first: NDArray[np.bool_], most: int) -> NDArray[np.bool_]:
    """Mark the costliest clusters of a block, those in ``first`` before others."""
    mask = np.zeros(len(loss), bool)
    mask[np.lexsort((-loss, ~first))[:most]] = True
    return mask
