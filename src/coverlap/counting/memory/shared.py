"""Counting the objects and the pairs of objects that clusters of two sides share."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.align import Pair
from coverlap.core.incidence import Runs, code_type, frozen
from coverlap.core.memberships import Memberships
from coverlap.core.threads import Workers, number_of_threads, workers
from coverlap.counting.contingency import Contingency, PairCounts
from coverlap.counting.memory.best import count_type, scratch
from coverlap.counting.memory.covers import Turned, turn

CELLS = 1 << 20
"""Cells per chunk, if the right side overlaps."""

Cells = tuple[NDArray[np.int64], NDArray[Any], NDArray[Any]]
"""Where the cells of each left cluster begin, their right clusters, and their counts."""

Piece = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
"""A chunk of cells: left clusters, right clusters and counts."""


def contingency(pair: Pair, threads: int | None = None) -> Contingency:
    """Count the objects that each left cluster shares with each right one."""
    left, right, n_objects = pair.left, pair.right, pair.objects.n
    runs = left.runs
    n_clusters = max(len(runs.pointers) - 1, right.n_clusters)
    n_memberships = max(len(runs.members), right.n_memberships)
    with workers(number_of_threads(threads, n_memberships, n_clusters)) as team:
        if right.has_overlaps:
            cells = _cells_of_covers(runs, right.runs, n_objects, team)
        else:
            cells = _cells_of_numbers(runs, right.numbers, right.n_clusters, team)
    pointers, columns, shared = map(frozen, cells)
    sizes = frozen(left.sizes), frozen(right.sizes)
    return Contingency(pointers, columns, shared, *sizes, pair.n_objects)


def joined_pairs(pair: Pair, threads: int | None = None) -> PairCounts:
    """Count the pairs of objects in one cluster on each side and on both; requires no overlaps."""
    runs, numbers = pair.left.runs, pair.right.numbers
    left, right = pairs_within(pair.left), pairs_within(pair.right)
    n_right = pair.right.n_clusters
    n_threads = number_of_threads(threads, len(numbers), max(len(runs.pointers) - 1, n_right))
    with workers(n_threads) as team:
        both = count_joined(runs, numbers, n_right, team)
    return PairCounts(pair.n_objects, (0, left), (0, right), both, both)


def pairs_within(clustering: Memberships) -> int:
    """Return the exact number of pairs of objects within the clusters of one side."""
    sizes = clustering.sizes
    if len(sizes) == 0 or int(sizes.max()) < 2**31:  # then no sum of squares overflows
        return int((sizes * (sizes - 1) // 2).sum())
    return sum(size * (size - 1) // 2 for size in sizes.tolist())


def count_joined(runs: Runs, numbers: NDArray[Any], n_right: int, team: Workers) -> int:
    """Count the pairs of objects that share a cluster on both sides."""
    counts = np.zeros((team.threads, n_right + 1), count_type(len(runs.members) + 1))
    found = team.map(
        _kernels.contingency.joined, *team.balanced(runs.pointers),
        *runs, numbers, list(counts),
    )  # fmt: skip
    return sum(int(number) for number in found)


def _cells_of_numbers(runs: Runs, numbers: NDArray[Any], n_right: int, team: Workers) -> Cells:
    n_left, n_members = len(runs.pointers) - 1, len(runs.members)
    columns = np.empty(n_members, code_type(n_right))
    largest = int(np.diff(runs.pointers).max(initial=0))
    shared = np.empty(n_members, count_type(largest))
    lengths = np.empty(n_left, np.int64)
    team.run(
        _kernels.contingency.cells, *team.balanced(runs.pointers), *runs, numbers,
        *scratch(team.threads, n_right + 1, largest), columns, shared, lengths,
    )  # fmt: skip
    pointers = np.zeros(n_left + 1, np.int64)
    _kernels.contingency.squeeze(runs.pointers, frozen(lengths), columns, shared, pointers[1:])
    return pointers, columns[: pointers[-1]], shared[: pointers[-1]]


def _cells_of_covers(left: Runs, right: Runs, n_objects: int, team: Workers) -> Cells:
    turned = turn(right, n_objects, team)
    n_right = len(right.pointers) - 1
    begins, ends = team.balanced(left.pointers)
    listed = team.map(partial(_list_cells, left, turned, n_right), begins, ends)
    pieces = [piece for pieces in listed for piece in pieces]
    rows, columns, shared = (np.concatenate(part) for part in zip(*pieces, strict=True))
    n_cells = np.bincount(rows, minlength=len(left.pointers) - 1)
    return np.concatenate(([0], np.cumsum(n_cells))), columns, shared


def _list_cells(left: Runs, turned: Turned, n_right: int, begin: int, end: int) -> list[Piece]:
    """List the cells of a range of left clusters, in chunks."""
    largest = int(np.diff(left.pointers).max(initial=0))
    (counts,), (touched,) = scratch(1, n_right, largest)
    room = turned.room()
    n_listed = max(n_right, min(CELLS, (end - begin) * n_right))
    pieces: list[Piece] = [
        (np.empty(0, np.int64), np.empty(0, touched.dtype), np.empty(0, np.uint32))
    ]
    while begin < end:
        lists = (
            np.empty(n_listed, np.int64),
            np.empty(n_listed, touched.dtype),
            np.empty(n_listed, count_type(largest)),
        )
        begin, n_cells = _kernels.matching.list_shared(
            begin, end, *left, turned.ends, turned.clusters, room, counts, touched, *lists
        )
        rows, columns, shared = (item[:n_cells].copy() for item in lists)
        pieces.append((rows, columns, shared))
    return pieces
