"""Matching by a user-defined similarity, which is called on arrays of pairs of clusters."""

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.core.incidence import Runs
from coverlap.core.threads import Workers
from coverlap.counting.matching import Matching, Similarity, apply_similarity
from coverlap.counting.memory.covers import list_cells, matching, transpose
from coverlap.counting.memory.workspace import Best, no_best

Integers = NDArray[np.int64]


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
        _keep_best(left_best, lefts, rights, shared, forth)
        _keep_best(right_best, rights, lefts, shared, back)
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


def _keep_best(
    best: Best, own: Integers, other: Integers, shared: Integers, similarity: NDArray[np.float64]
) -> None:
    """Replace the best match of each cluster if one of the pairs is better."""
    best_match, best_shared, best_similarity = best
    order = np.lexsort((other, -similarity, own))
    first = order[np.flatnonzero(np.diff(own[order], prepend=-1))]
    rows = own[first]
    better = (similarity[first] > best_similarity[rows]) | (best_shared[rows] == 0)
    rows, first = rows[better], first[better]
    best_match[rows], best_shared[rows] = other[first], shared[first]
    best_similarity[rows] = similarity[first]
