"""Draw the clusterings that the benchmarks compare, from fixed seeds."""

import sys

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

Labels = NDArray[np.int64]

TINY = "--tiny" in sys.argv
"""Whether to use small data, which only shows that the benchmarks run."""


def size(full: int, tiny: int) -> int:
    """Return the full size, or the tiny one if ``--tiny`` was given."""
    return tiny if TINY else full


def partitions(
    n_objects: int, n_clusters: int, *, moved: float = 0.3, outliers: float = 0.02, seed: int = 0
) -> tuple[Labels, Labels]:
    """Draw labels at random, move a share of the objects, and mark a share of each side as -1."""
    rng = np.random.default_rng(seed)
    left = rng.integers(0, n_clusters, n_objects)
    right = np.where(rng.random(n_objects) < moved, rng.integers(0, n_clusters, n_objects), left)
    for labels in (left, right):
        labels[rng.random(n_objects) < outliers] = -1
    return left, right


def covers(
    n_objects: int,
    n_clusters: int,
    *,
    memberships: int = 3,
    exponent: float = 0.8,
    moved: float = 0.3,
    seed: int = 0,
) -> tuple[sp.csr_array, sp.csr_array]:
    """Draw memberships in clusters of popularity rank**-exponent, and move a share of them."""
    rng = np.random.default_rng(seed)
    popularity = np.arange(1.0, n_clusters + 1) ** -exponent
    popularity /= popularity.sum()
    n = n_objects * memberships
    left = rng.choice(n_clusters, n, p=popularity)
    right = np.where(rng.random(n) < moved, rng.choice(n_clusters, n, p=popularity), left)
    objects = np.repeat(np.arange(n_objects, dtype=np.int32), memberships)
    shape = (n_clusters, n_objects)

    def matrix(clusters: Labels) -> sp.csr_array:
        pairs = (clusters.astype(np.int32), objects)
        made = sp.coo_array((np.ones(n), pairs), shape=shape).tocsr()
        made.sum_duplicates()
        made.data[:] = 1.0
        return made

    return matrix(left), matrix(right)


def planted(
    n_objects: int, n_clusters: int, memberships: float, *, moved: float = 0.3, seed: int = 0
) -> tuple[list[set[int]], list[set[int]]]:
    """Put every object into one cluster or more, and move a share of the memberships."""
    rng = np.random.default_rng(seed)
    first = rng.permutation(np.arange(n_objects) % n_clusters)
    n_more = int(n_objects * (memberships - 1))
    objects = np.concatenate((np.arange(n_objects), rng.integers(0, n_objects, n_more)))
    left = np.concatenate((first, rng.integers(0, n_clusters, n_more)))
    keep = rng.random(len(left)) >= moved
    right = np.where(keep, left, rng.integers(0, n_clusters, len(left)))
    sides = []
    for clusters in (left, right):
        made: list[set[int]] = [set() for _ in range(n_clusters)]
        for member, cluster in zip(objects.tolist(), clusters.tolist(), strict=True):
            made[cluster].add(member)
        sides.append(made)
    return sides[0], sides[1]
