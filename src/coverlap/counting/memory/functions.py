"""Matching by a user-defined similarity, which is called on arrays of pairs of clusters."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.errors import InputError
from coverlap.core.incidence import Runs
from coverlap.core.threads import Workers
from coverlap.counting.matching import Matching, Similarity, apply_similarity
from coverlap.counting.memory.best import Best, no_best, scratch
from coverlap.counting.memory.covers import Turned, cover, matching, turn

PAIRS = 1 << 20
"""Pairs of clusters per chunk; a chunk holds all pairs of a left cluster, even if more."""

Integers = NDArray[np.int64]


def match_by_function(
    left: Runs, right: Runs, n_objects: int, similarity: Similarity, team: Workers
) -> Matching:
    """List the pairs of clusters that share objects, in chunks, and keep the best ones."""
    left_sizes, right_sizes = np.diff(left.pointers), np.diff(right.pointers)
    _check_nothing_shared(similarity, left_sizes, right_sizes)
    left_best, right_best = no_best(len(left_sizes)), no_best(len(right_sizes))
    turned = turn(right, n_objects, team)
    for lefts, rights, shared in _shared_pairs(left, len(right_sizes), turned, n_objects):
        own, other = left_sizes[lefts], right_sizes[rights]
        forth = apply_similarity(similarity, shared, own, other)
        back = apply_similarity(similarity, shared, other, own)
        _keep_best(left_best, lefts, rights, shared, forth)
        _keep_best(right_best, rights, lefts, shared, back)
    covered = cover(left, n_objects, team)
    return matching(left_sizes, right_sizes, left_best, right_best, covered, turned)


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


def _shared_pairs(
    left: Runs, n_right: int, turned: Turned, n_objects: int
) -> Iterator[tuple[Integers, Integers, Integers]]:
    """Yield pairs of clusters and the number of objects they share, in chunks of left clusters."""
    n_left, room = len(left.pointers) - 1, max(PAIRS, n_right)
    (counts,), (touched,) = scratch(1, n_right, n_objects)
    begin = 0
    while begin < n_left:
        lists = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64)
        begin, n_pairs = _kernels.matching.list_shared(
            begin, n_left, *left, turned.ends, turned.clusters, turned.room(), counts, touched,
            *lists,
        )  # fmt: skip
        yield lists[0][:n_pairs], lists[1][:n_pairs], lists[2][:n_pairs]


def _keep_best(
    best: Best,
    own: Integers,
    other: Integers,
    shared: Integers,
    similarity: NDArray[np.float64],
) -> None:
    """Replace the best match of each cluster if one of the pairs is better."""
    order = np.lexsort((other, -similarity, own))
    first = order[np.flatnonzero(np.diff(own[order], prepend=-1))]
    rows = own[first]
    better = (similarity[first] > best[2][rows]) | (best[1][rows] == 0)
    rows, first = rows[better], first[better]
    best[0][rows], best[1][rows], best[2][rows] = other[first], shared[first], similarity[first]
