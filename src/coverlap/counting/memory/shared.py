"""Counting the objects and the pairs of objects that clusters of two sides share."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.align import Pair
from coverlap.core.incidence import Runs, code_type, frozen
from coverlap.core.threads import Workers
from coverlap.counting.contingency import Contingency, PairCounts, n_pairs_within
from coverlap.counting.memory.covers import Cells, list_cells, transpose
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
            cells = _cells_of_numbers(left.runs, right.numbers, right.n_clusters, team)
    pointers, columns, shared = map(frozen, cells)
    sizes = frozen(left.sizes), frozen(right.sizes)
    return Contingency(pointers, columns, shared, *sizes, pair.n_objects)


def joined_pairs(pair: Pair, threads: int | None = None) -> PairCounts:
    """Count the pairs of objects in one cluster on each side and on both; requires no overlaps."""
    runs, numbers = pair.left.runs, pair.right.numbers
    with team_for(pair, threads) as team:
        counts = np.zeros((team.threads, pair.right.n_clusters + 1), count_type(len(numbers) + 1))
        found = team.map(
            _kernels.contingency.joined, *team.balanced(runs.pointers), *runs, numbers,
            list(counts),
        )  # fmt: skip
    both = sum(map(int, found))
    left, right = n_pairs_within(pair.left.sizes), n_pairs_within(pair.right.sizes)
    return PairCounts(pair.n_objects, (0, left), (0, right), both, both)


def _cells_of_numbers(runs: Runs, numbers: NDArray[Any], n_right: int, team: Workers) -> Columns:
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
