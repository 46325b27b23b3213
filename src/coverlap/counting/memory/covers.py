"""Counting the objects that clusters share, and matching clusters, with overlaps on both sides.

Clusters are matched by a formula in kernels, or by a user-defined function on arrays of pairs.
"""

from collections.abc import Iterator
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core import pages
from coverlap.core.errors import InputError
from coverlap.core.incidence import Runs, code_type, outliers_of_runs
from coverlap.core.threads import Workers
from coverlap.counting.matching import (
    Matching,
    Side,
    Similarity,
    SimilarityFormula,
    apply_similarity,
)
from coverlap.counting.memory.workspace import (
    Best,
    block_scratch,
    by_row,
    count_type,
    merged,
    no_best,
    scratch,
)

Integers = NDArray[np.int64]

CELLS = 1 << 20
"""Cells per chunk; a chunk holds all cells of a left cluster, even if more."""


class Transposed(NamedTuple):
    """One side by objects: object i is in ``clusters[ends[i]:ends[i + 1]]``.

    No object is in more than ``max_memberships`` clusters.
    """

    ends: NDArray[Any]
    clusters: NDArray[Any]
    n_clusters: int
    max_memberships: int


class Cells(NamedTuple):
    """Pairs of clusters that share objects, and how many they share."""

    left: NDArray[np.int64]
    right: NDArray[Any]
    shared: NDArray[Any]


def transpose(runs: Runs, n_objects: int, team: Workers, *, wide: bool = False) -> Transposed:
    """List the clusters of each object, in ascending order, as 32-bit numbers if ``wide``."""
    pointers, members = runs
    kernels, begins_and_ends = _kernels.matching, team.ranges(n_objects)
    bounds = pages.zeros(n_objects + 1, np.int64 if wide else count_type(len(members)))
    clusters = pages.zeros(len(members), np.uint32 if wide else code_type(len(pointers)))
    of_object = bounds[1:]
    team.run(kernels.transpose_range, pointers, members, *begins_and_ends, of_object, clusters[:0])
    summing = team.for_items(n_objects)
    parts = summing.slices(of_object)
    totals, most = zip(*summing.map(kernels.total_and_largest, parts), strict=True)
    summing.run(kernels.accumulate, parts, [*accumulate(totals[:-1], initial=0)])
    # The begin of the clusters of each object becomes their end as they are written.
    team.run(kernels.transpose_range, pointers, members, *begins_and_ends, of_object, clusters)
    return Transposed(bounds, clusters, len(pointers) - 1, int(max(most)))


def list_cells(left: Runs, right: Transposed, begin: int, end: int) -> Iterator[Cells]:
    """Yield the cells of a range of left clusters, in chunks."""
    n_right, largest = right.n_clusters, int(np.diff(left.pointers).max(initial=0))
    (counts,), (touched,) = scratch(1, n_right, largest)
    (gathered,) = block_scratch(1, n_right)
    length = max(n_right, min(CELLS, (end - begin) * n_right))
    cells = Cells(
        np.empty(length, np.int64),
        np.empty(length, touched.dtype),
        np.empty(length, count_type(largest)),
    )
    while begin < end:
        begin, n_cells = _kernels.matching.list_shared(
            begin, end, *left, right.ends, right.clusters, gathered, counts, touched, *cells
        )
        yield Cells(*(column[:n_cells].copy() for column in cells))


def match_covers(
    left: Runs, right: Runs, n_objects: int, form: SimilarityFormula, team: Workers
) -> Matching:
    """Transpose the right side, then count the right clusters of the members of left clusters."""
    threads = team.threads
    left_sizes, right_sizes = np.diff(left.pointers), np.diff(right.pointers)
    n_right = len(right_sizes)
    transposed = transpose(right, n_objects, team)
    order = np.argsort(left_sizes, kind="stable")
    left_best, right_bests = no_best(len(left_sizes)), no_best(threads, n_right)
    team.run(
        _kernels.matching.match_clusters, team.dealt(order),
        *left, transposed.ends, transposed.clusters, right_sizes.astype(np.float64),
        tuple(form), block_scratch(threads, n_right),
        *scratch(threads, n_right, int(left_sizes.max(initial=0))), left_best,
        by_row(right_bests),
    )  # fmt: skip
    return matching(left, right, left_best, merged(right_bests, team), transposed, team)


def match_by_function(
    left: Runs, right: Runs, n_objects: int, similarity: Similarity, team: Workers
) -> Matching:
    """List the pairs of clusters that share objects, in chunks, and keep the best ones."""
    left_sizes, right_sizes = np.diff(left.pointers), np.diff(right.pointers)
    _check_nothing_shared(similarity, left_sizes, right_sizes)
    left_best, right_best = no_best(len(left_sizes)), no_best(len(right_sizes))
    transposed = transpose(right, n_objects, team)
    for cells in list_cells(left, transposed, 0, len(left_sizes)):
        lefts, rights, shared = (column.astype(np.int64) for column in cells)
        own, other = left_sizes[lefts], right_sizes[rights]
        forth = apply_similarity(similarity, shared, own, other)
        back = apply_similarity(similarity, shared, other, own)
        keep_best(left_best, lefts, rights, shared, forth)
        keep_best(right_best, rights, lefts, shared, back)
    return matching(left, right, left_best, right_best, transposed, team)


def _check_nothing_shared(
    similarity: Similarity, left_sizes: Integers, right_sizes: Integers
) -> None:
    """Reject a similarity that is not 0 without shared objects: such pairs are never listed."""
    if not len(left_sizes) or not len(right_sizes):
        return
    other = np.resize(right_sizes, len(left_sizes))
    values = apply_similarity(similarity, np.zeros_like(left_sizes), left_sizes, other)
    if values.any():
        at = int(np.flatnonzero(values)[0])
        raise InputError(
            f"similarity must be 0 for clusters that share no object, but is {values[at]} for "
            f"shared=0, own={left_sizes[at]}, other={other[at]}"
        )


def keep_best(
    best: Best, own: Integers, other: Integers, shared: NDArray[Any],
    similarity: NDArray[np.float64],
) -> None:  # fmt: skip
    """Replace the best match of each cluster if one of the pairs is better."""
    best_match, best_shared, best_similarity = best
    order = np.lexsort((other, -similarity, own))
    first = order[np.flatnonzero(np.diff(own[order], prepend=-1))]
    rows = own[first]
    better = (similarity[first] > best_similarity[rows]) | (best_shared[rows] == 0)
    rows, first = rows[better], first[better]
    best_match[rows], best_shared[rows] = other[first], shared[first]
    best_similarity[rows] = similarity[first]


def matching(
    left: Runs, right: Runs, left_best: Best, right_best: Best, transposed: Transposed,
    team: Workers,
) -> Matching:  # fmt: skip
    """Combine the best matches of both sides, and count the outliers."""
    is_outlier = outliers_of_runs(left, len(transposed.ends) - 1)
    team = team.for_items(len(is_outlier))
    n_outliers = team.map(
        _kernels.matching.count_all_outliers, *team.ranges(len(is_outlier)), is_outlier,
        transposed.ends,
    )  # fmt: skip
    sides = _side(np.diff(left.pointers), left_best), _side(np.diff(right.pointers), right_best)
    return Matching(*sides, len(is_outlier), *map(sum, zip(*n_outliers, strict=True)))


def _side(sizes: NDArray[np.int64], best: Best) -> Side:
    match, shared, similarity = best
    return Side(sizes, np.where(shared > 0, match, -1), shared, similarity)
