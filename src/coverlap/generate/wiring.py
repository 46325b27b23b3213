"""Simple graphs with given degrees inside of clusters and between any vertices."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import Runs, frozen, narrowest


class Wired(NamedTuple):
    """The ends of edges, two in a row for each, and how many pairs of ends found no place.

    Those released found none in their cluster, and those missing none anywhere.
    """

    ends: NDArray[Any]
    n_released: int
    n_missing: int


def wire(
    clusters: Runs,
    inner: NDArray[np.int64],
    background: NDArray[np.int64],
    generator: np.random.Generator,
) -> Wired:
    """Draw edges inside of each cluster, and then in the background, so that none repeats.

    Both are configuration models: the ends of edges are paired at random, and pairs that are
    loops or repeat an edge exchange ends with other pairs. The sum of the inner degrees of each
    cluster must be even. What finds no place in a cluster goes to the background.
    """
    n = len(inner)
    pointers, members = clusters
    stubs = np.repeat(members, inner[members])
    reached = np.concatenate(([0], np.cumsum(inner[members])))[pointers]
    ends = np.empty(len(stubs) + int(background.sum()), narrowest(n))
    ends[: len(stubs)] = stubs
    n_pairs = len(ends) // 2
    table = np.zeros(1 << (n_pairs + n_pairs // 2 + 2).bit_length(), np.uint64)
    state = generator.integers(2**64, size=1, dtype=np.uint64)
    background = background.copy()
    n_inner = int(
        _kernels.abcd.wire_clusters(ends, frozen(reached // 2), n, table, background, state)
    )
    if background.sum() % 2:
        background[np.flatnonzero(background)[0]] -= 1
    ends = ends[: 2 * n_inner + int(background.sum())]
    ends[2 * n_inner :] = np.repeat(np.arange(n, dtype=ends.dtype), background)
    n_pairs = len(ends) // 2
    n_edges = int(_kernels.abcd.wire_background(ends, n_inner, n_pairs, n, table, state))
    return Wired(ends[: 2 * n_edges], len(stubs) // 2 - n_inner, n_pairs - n_edges)
