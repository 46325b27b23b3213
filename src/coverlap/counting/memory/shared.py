"""Counting the objects and the pairs of objects that clusters of two sides share."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.align import Pair
from coverlap.core.incidence import Codes, Runs, code_type, frozen
from coverlap.core.threads import Workers, workers_for
from coverlap.counting.contingency import Contingency, PairCounts, n_pairs_within
from coverlap.counting.memory.covers import Cells, list_cells, transpose
from coverlap.counting.memory.partitions import sort_by_left
from coverlap.counting.memory.workspace import count_type, scratch, team_for

Columns = tuple[NDArray[np.int64], NDArray[Any], NDArray[Any]]
"""Where the cells of each left cluster begin, their right clusters, and their counts."""


def contingency(pair: Pair, threads: int | None = None) -> Contingency:
    """Count the objects that each left cluster shares with each right one."""
    left, right = pair.left, pair.right
    with team_for(pair, threads) as team:
        if right.has_overlaps:
            cells = _cells_of_covers(left.runs, right.runs, pair.objects.n, team)
        else:
            cells = _cells_of_numbers(pair, team)
        sizes = frozen(left.sizes), frozen(right.sizes)
    pointers, columns, shared = map(frozen, cells)
    return Contingency(pointers, columns, shared, *sizes, pair.n_objects)


def count_shared(left: Runs, right: Runs, n_objects: int) -> Columns:
    """Count the objects that each left run shares with each right one; runs may be empty."""
    with workers_for(len(left.members) + len(right.members), len(right.pointers)) as team:
        return _cells_of_covers(left, right, n_objects, team)


def joined_pairs(pair: Pair, threads: int | None = None) -> PairCounts:
    """Count the pairs of objects in one cluster on each side and on both; requires no overlaps."""
    with team_for(pair, threads) as team:
        pointers, laid, right_sizes = _right_numbers(pair, team)
        counts = np.zeros((team.threads, len(right_sizes)), count_type(len(laid) + 1))
        found = team.map(
            _kernels.contingency.joined, *team.balanced(pointers), pointers, laid, list(counts)
        )
        left, right = n_pairs_within(pair.left.sizes), n_pairs_within(right_sizes[1:])
    both = sum(map(int, found))
    return PairCounts(pair.n_objects, (0, left), (0, right), both, both)


def _right_numbers(
    pair: Pair, team: Workers
) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[np.int64]]:
    """Return the right number of each member of each left cluster, 0 for outliers.

    These are where the left clusters begin, the numbers, and the size of each number (some may be
    unused, and the first one is for outliers).
    """
    left, right = pair.left, pair.right
    if isinstance(left.incidence, Codes) and isinstance(right.incidence, Codes):
        starts, laid, left_sizes, right_sizes = sort_by_left(left.incidence, right.incidence, team)
        used = starts[1:-1][left_sizes[1:] > 0]
        return frozen(np.concatenate((used, [len(laid)]))), frozen(laid), right_sizes
    pointers, members = left.runs
    laid = np.empty(len(members), right.numbers.dtype)
    parts = team.slices(members), right.numbers, team.slices(laid)
    team.run(_kernels.contingency.gather, *parts)
    return pointers, frozen(laid), np.concatenate(([0], right.sizes))


def _cells_of_numbers(pair: Pair, team: Workers) -> Columns:
    pointers, laid, right_sizes = _right_numbers(pair, team)
    n_left, largest = len(pointers) - 1, int(np.diff(pointers).max(initial=0))
    column = np.zeros(len(right_sizes), code_type(len(right_sizes)))
    np.cumsum(right_sizes[1:-1] > 0, dtype=column.dtype, out=column[2:])
    columns = np.empty(len(laid), column.dtype)
    shared = np.empty(len(laid), count_type(largest))
    lengths = np.empty(n_left, np.int64)
    team.run(
        _kernels.contingency.cells, *team.balanced(pointers), pointers, laid, frozen(column),
        *scratch(team.threads, len(right_sizes), largest), columns, shared, lengths,
    )  # fmt: skip
    ends = np.concatenate(([0], np.cumsum(lengths)))
    squeezed = np.empty(int(ends[-1]), columns.dtype), np.empty(int(ends[-1]), shared.dtype)
    begins = team.balanced_slices(ends, pointers)
    team.run(_kernels.contingency.squeeze, begins[1], begins[0], columns, shared, *squeezed)
    return ends, *squeezed


def _cells_of_covers(left: Runs, right: Runs, n_objects: int, team: Workers) -> Columns:
    transposed = transpose(right, n_objects, team)

    def cells_of_range(begin: int, end: int) -> list[Cells]:
        return list(list_cells(left, transposed, begin, end))

    chunks = [Cells(np.empty(0, np.int64), np.empty(0, np.uint16), np.empty(0, np.uint32))]
    for found in team.map(cells_of_range, *team.balanced(left.pointers)):
        chunks += found
    rows, columns, shared = (np.concatenate(part) for part in zip(*chunks, strict=True))
    n_cells = np.bincount(rows, minlength=len(left.pointers) - 1)
    return np.concatenate(([0], np.cumsum(n_cells))), columns, shared
