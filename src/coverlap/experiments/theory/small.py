"""Every clustering of a few objects."""

from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations, permutations

import numpy as np

from coverlap.experiments.experiment import Floats
from coverlap.experiments.theory.exact import Cluster, Sets, exact

MOST = 3
"""There are 128 clusterings of three objects, and 32,768 of four."""


def subsets(n: int) -> list[Cluster]:
    """Return the non-empty subsets of ``range(n)``."""
    every = (combinations(range(n), size) for size in range(1, n + 1))
    return list(map(frozenset, chain.from_iterable(every)))


@cache
def clusterings(n: int) -> list[Sets]:
    """Return all clusterings of ``range(n)``, the one without clusters first."""
    clusters = subsets(n)
    every = (combinations(clusters, size) for size in range(len(clusters) + 1))
    return list(map(frozenset, chain.from_iterable(every)))


def score_table(n: int) -> Floats:
    """Score every clustering against every one, in both orders."""
    every = clusterings(n)
    return np.array([[exact(left, right, n).rounded for right in every] for left in every])


def relabelled(n: int) -> Iterator[list[int]]:
    """Yield, for every renaming of the objects, what each clustering becomes."""
    every = clusterings(n)
    place = {clustering: i for i, clustering in enumerate(every)}
    for names in permutations(range(n)):
        yield [place[_renamed(clustering, names)] for clustering in every]


def _renamed(clustering: Sets, names: tuple[int, ...]) -> Sets:
    return frozenset(frozenset(names[x] for x in cluster) for cluster in clustering)
