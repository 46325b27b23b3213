"""Objects that have the same clusters on both sides, taken together as one kind."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import Runs, frozen
from coverlap.core.threads import Workers
from coverlap.counting.memory.covers import turn

WORTH = 0.9
"""Kinds are only told apart from objects if they are at most this share as many."""

Lists = tuple[NDArray[np.int64], NDArray[np.uint32]]
"""Where each list ends, with a 0 in front, and what they list one after another, ascending."""


class KindSide(NamedTuple):
    """One side: the clusters of each kind, the kinds in each cluster, its size in objects.

    Clusters are numbered by size, the smallest first, and none is empty. No object is in more than
    `most` clusters.
    """

    lists: Lists
    clusters: Lists
    sizes: NDArray[np.int64]
    most: int

    def degrees(self) -> NDArray[np.int64]:
        """Return the number of clusters of each kind."""
        return np.diff(self.lists[0])

    def n_pairs(self) -> int:
        """Count the pairs of objects within each cluster, and add them up."""
        sizes, times = np.unique(self.sizes, return_counts=True)
        pairs = zip(sizes.tolist(), times.tolist(), strict=True)
        return sum(time * size * (size - 1) // 2 for size, time in pairs)


class Kinds(NamedTuple):
    """The kinds of objects, outliers on both sides left out, and how many objects each has."""

    left: KindSide
    right: KindSide
    weights: NDArray[np.uint32]


def find_kinds(left: Runs, right: Runs, n_objects: int, team: Workers) -> Kinds:
    """Group the objects by kind, unless there would be hardly fewer kinds than objects."""
    sides = _by_size(left, n_objects, team), _by_size(right, n_objects, team)
    table = np.zeros(2 << n_objects.bit_length(), np.uint64)
    firsts, weights = np.empty(n_objects, np.uint32), np.empty(n_objects, np.uint32)
    n_kinds = int(
        _kernels.kinds.find_kinds(sides[0].lists, sides[1].lists, table, firsts, weights)
    )  # fmt: skip
    if n_kinds > WORTH * n_objects:
        return Kinds(*sides, frozen(np.ones(n_objects, np.uint32)))
    firsts = frozen(firsts[:n_kinds])
    one, other = (_only(side, firsts, team) for side in sides)
    return Kinds(one, other, frozen(weights[:n_kinds]))


def _by_size(runs: Runs, n_objects: int, team: Workers) -> KindSide:
    """Number the clusters by size, and take every object for a kind of its own."""
    sizes = np.diff(runs.pointers)
    order = np.argsort(sizes, kind="stable")
    order = order[np.searchsorted(sizes, 1, sorter=order) :]
    clusters = _copied(frozen(order), (runs.pointers, runs.members))
    lists, most = _turned(clusters, n_objects, team)
    return KindSide(lists, clusters, frozen(sizes[order]), most)


def _only(side: KindSide, firsts: NDArray[Any], team: Workers) -> KindSide:
    """Keep the first object of each kind."""
    lists = _copied(firsts, side.lists)
    clusters, _ = _turned(lists, len(side.sizes), team)
    return KindSide(lists, clusters, side.sizes, side.most)


def _copied(order: NDArray[Any], lists: tuple[NDArray[Any], NDArray[Any]]) -> Lists:
    """Copy the lists named, in that order."""
    ends = np.zeros(len(order) + 1, np.int64)
    np.cumsum(np.diff(lists[0])[order], out=ends[1:])
    items = np.empty(int(ends[-1]), np.uint32)
    _kernels.kinds.copy_lists(order, frozen(lists[0]), frozen(lists[1]), ends, items)
    return frozen(ends), frozen(items)


def _turned(lists: Lists, n_items: int, team: Workers) -> tuple[Lists, int]:
    """List for each item the lists that it is in; return also the length of the longest."""
    ends, items, most = turn(Runs(*lists), n_items, team)
    return (frozen(ends.astype(np.int64)), frozen(items.astype(np.uint32))), most
