"""Every clustering of a few objects."""

from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations, permutations

import numpy as np

from paper.experiments.experiment import Floats
from paper.theory.exact_scores import Cluster, Sets, exact_score, rename

MAX_OBJECTS = 3
"""There are 128 clusterings of three objects, and 32,768 of four."""


def subsets(n: int) -> list[Cluster]:
    """Return the non-empty subsets of ``range(n)``."""
    every = (combinations(range(n), size) for size in range(1, n + 1))
    return list(map(frozenset, chain.from_iterable(every)))


@cache
def clusterings(n: int) -> list[Sets]:
    """Return all 2^(2^n - 1) clusterings of ``range(n)``, the one without clusters first."""
    clusters = subsets(n)
    every = (combinations(clusters, size) for size in range(len(clusters) + 1))
    return list(map(frozenset, chain.from_iterable(every)))


def score_table(n: int) -> Floats:
    """Return coverlap's scores of all ordered pairs of clusterings."""
    every = clusterings(n)
    return np.array([[exact_score(left, right, n).rounded for right in every] for left in every])


def renamings(n: int) -> Iterator[list[int]]:
    """Yield, for every renaming of the objects, the index of each renamed clustering."""
    every = clusterings(n)
    place = {clustering: i for i, clustering in enumerate(every)}
    for names in permutations(range(n)):
        yield [place[rename(clustering, names)] for clustering in every]
