"""The threads and the arrays that the kernels work with."""

from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numpy.typing import NDArray

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


def no_best(n_clusters: int) -> Best:
    """Return arrays for the best matches of some clusters, without any match yet."""
    return np.zeros(n_clusters, np.int64), np.zeros(n_clusters, np.int64), np.zeros(n_clusters)


def merged(bests: list[Best]) -> Best:
    """Merge the best matches that several threads found for one side; ties go to the first."""
    match, shared, similarity = bests[0]
    for new_match, new_shared, new_similarity in bests[1:]:
        tie = (new_similarity == similarity) & (new_shared > 0) & (new_match < match)
        better = (new_similarity > similarity) | tie
        match = np.where(better, new_match, match)
        shared = np.where(better, new_shared, shared)
        similarity = np.where(better, new_similarity, similarity)
    return match, shared, similarity


def scratch(
    threads: int, n_clusters: int, largest: int
) -> tuple[list[NDArray[Any]], list[NDArray[Any]]]:
    """Return counters, all 0, and a list of clusters to be filled, for each thread.

    Access to them is random, so they have the smallest type that holds the largest count.
    """
    counts = np.zeros((threads, n_clusters), code_type(largest + 1))
    touched = np.empty((threads, n_clusters + 1), code_type(n_clusters))
    return list(counts), list(touched)


def count_type(largest: int) -> type[np.unsignedinteger[Any]]:
    """Return the smaller of uint32 and uint64 that holds the largest count."""
    return np.uint32 if largest < 2**32 else np.uint64
