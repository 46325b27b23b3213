"""Matching two clusterings in which every object has at most one cluster."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import Codes, code_type
from coverlap.core.threads import SMALL, Workers
from coverlap.counting.matching import Matching, Side, SimilarityFormula
from coverlap.counting.memory.workspace import Best, by_row, count_type, merged, no_best, scratch

Sizes = NDArray[np.int64]


def match_small_partitions(left: Codes, right: Codes, form: SimilarityFormula) -> Matching:
    """Match in one thread, with a single call of a kernel."""
    return _matching(
        *_kernels.matching.match_partitions(
            left.codes, right.codes, tuple(form), left.n_codes, right.n_codes
        )
    )


class SortedCodes(NamedTuple):
    """The right codes of all objects, sorted by left code; 0 means outlier on either side.

    The right codes of the objects with left code c are ``codes[starts[c]:starts[c + 1]]``.
    """

    starts: Sizes
    codes: NDArray[Any]
    left_sizes: Sizes
    right_sizes: Sizes


def sort_by_left(left: Codes, right: Codes, team: Workers) -> SortedCodes:
    """Sort the right codes by left code, and count both."""
    kernels, threads, n_objects = _kernels.matching, team.threads, len(left.codes)
    if threads == 1 and n_objects < SMALL:
        return SortedCodes(
            *kernels.sort_codes(left.codes, right.codes, left.n_codes, right.n_codes)
        )
    counts = count_type(n_objects)
    begins, ends = team.ranges(n_objects)
    by_thread = np.zeros((threads, left.n_codes + 1), counts)
    team.run(kernels.histogram, left.codes, begins, ends, list(by_thread))
    left_sizes = by_thread.sum(axis=0, dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum(left_sizes)))
    free = (starts[:-1] + np.cumsum(by_thread, axis=0, dtype=counts) - by_thread).astype(counts)
    laid = np.empty(n_objects, code_type(right.n_codes + 1))
    by_thread = np.zeros((threads, right.n_codes + 1), counts)
    team.run(
        kernels.sort_by_left, left.codes, right.codes, begins, ends, list(free), laid,
        list(by_thread),
    )  # fmt: skip
    return SortedCodes(starts, laid, left_sizes, by_thread.sum(axis=0, dtype=np.int64))


def match_partitions(left: Codes, right: Codes, form: SimilarityFormula, team: Workers) -> Matching:
    """Match in the steps of the kernel `match_partitions`, each step in all threads."""
    starts, laid, left_sizes, right_sizes = sort_by_left(left, right, team)
    left_best, right_bests = no_best(len(left_sizes)), no_best(team.threads, len(right_sizes))
    from_first = [[cut + 1 for cut in cuts] for cuts in team.balanced(starts[1:])]
    team.run(
        _kernels.matching.match_sorted, *from_first, laid, starts, right_sizes.astype(np.float64),
        tuple(form), *scratch(team.threads, len(right_sizes), int(left_sizes.max())), left_best,
        by_row(right_bests),
    )  # fmt: skip
    right_best = merged(right_bests, team)
    team = team.for_items(int(left_sizes[0]))
    outliers = team.slices(laid[: left_sizes[0]])
    n_shared = sum(team.map(_kernels.matching.count_outliers, outliers))
    return _matching(left_sizes, right_sizes, left_best, right_best, n_shared)


def _matching(
    left_sizes: Sizes, right_sizes: Sizes, left_best: Best, right_best: Best, n_shared: int
) -> Matching:
    return Matching(
        _side(left_sizes, left_best, right_sizes),
        _side(right_sizes, right_best, left_sizes),
        int(left_sizes.sum()), int(left_sizes[0]), int(right_sizes[0]), int(n_shared),
    )  # fmt: skip


def _side(sizes: Sizes, best: Best, other_sizes: Sizes) -> Side:
    """Remove the outliers and unused codes, and number the matches from 0."""
    match, shared, similarity = best
    number = np.append(-1, np.cumsum(other_sizes[1:] > 0) - 1)
    used = np.flatnonzero(sizes[1:]) + 1
    return Side(sizes[used], number[match[used]], shared[used], similarity[used])
