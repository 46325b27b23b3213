"""The threads and the arrays that the kernels work with."""

from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.align import Pair
from coverlap.core.incidence import Codes, Incidence, code_type
from coverlap.core.threads import Workers, number_of_threads, workers

Best = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
"""For each cluster of one side: the best match, the number of shared objects, the similarity."""


def team_for(pair: Pair, threads: int | None) -> AbstractContextManager[Workers]:
    """Start the given number of threads, or as many as fit the sizes of the clusterings."""
    left, right = _size(pair.left.incidence), _size(pair.right.incidence)
    return workers(number_of_threads(threads, *map(max, left, right)))


def _size(incidence: Incidence) -> tuple[int, int]:
    """Return about how many memberships and clusters there are, without counting them."""
    if isinstance(incidence, Codes):
        return len(incidence.codes), incidence.n_codes
    return len(incidence.members), len(incidence.pointers) - 1


def no_best(*shape: int) -> Best:
    """Return arrays for the best matches of some clusters, without any match yet."""
    return np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape)


def by_row(bests: Best) -> list[Best]:
    """Return the best matches in each row, one for each thread."""
    return list(zip(*bests, strict=True))


def merged(bests: Best, team: Workers) -> Best:
    """Merge the best matches that the threads found for one side; ties go to the first cluster."""
    if team.threads > 1:
        team = team.for_items(bests[0].size)
        team.run(_kernels.matching.merge_best, *team.ranges(bests[0].shape[1]), bests)
    match, shared, similarity = bests
    return match[0], shared[0], similarity[0]


def scratch(
    threads: int, n_clusters: int, largest: int
) -> tuple[list[NDArray[Any]], list[NDArray[Any]]]:
    """Return counters, all 0, and a list of clusters to be filled, for each thread.

    Access to them is random, so they have the smallest type that holds the largest count.
    """
    counts = np.zeros((threads, n_clusters), code_type(largest + 1))
    touched = np.empty((threads, n_clusters + 1), code_type(n_clusters))
    return list(counts), list(touched)


def block_scratch(threads: int, n_clusters: int) -> list[NDArray[Any]]:
    """Return for each thread what `count_shared` gathers in."""
    return list(np.empty((threads, _kernels.matching.BLOCK), code_type(n_clusters)))


def count_type(largest: int) -> type[np.unsignedinteger[Any]]:
    """Return the smaller of uint32 and uint64 that holds the largest count."""
    return np.uint32 if largest < 2**32 else np.uint64
