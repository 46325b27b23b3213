"""The edges of an ABCD graph: inside clusters and in the background."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import Runs, frozen, narrowest


class Edges(NamedTuple):
    """The ends of edges, two in a row for each, and the numbers of edges that could not be drawn.

    Released edges did not fit into their cluster, missing edges did not fit anywhere.
    """

    ends: NDArray[Any]
    n_released: int
    n_missing: int


def draw_edges(
    clusters: Runs,
    inner: NDArray[np.int64],
    background: NDArray[np.int64],
    generator: np.random.Generator,
) -> Edges:
    """Draw distinct edges, first inside each cluster and then in the background.

    Both are configuration models: the ends of edges are paired at random, and pairs that are
    loops or repeated edges exchange ends with other pairs. The sum of the inner degrees of each
    cluster must be even. Edges that do not fit into a cluster are added to the background.
    """
    n = len(inner)
    stubs = np.repeat(clusters.members, inner[clusters.members])
    reached = np.concatenate(([0], np.cumsum(inner[clusters.members])))[clusters.pointers]
    ends = np.empty(len(stubs) + int(background.sum()), narrowest(n))
    ends[: len(stubs)] = stubs
    n_pairs = len(ends) // 2
    table = np.zeros(1 << (n_pairs + n_pairs // 2 + 2).bit_length(), np.uint64)
    state = generator.integers(2**64, size=1, dtype=np.uint64)
    background = background.copy()
    kernels = _kernels.sampling
    pairs = kernels.Pairs(ends, table, n)
    n_inner = int(kernels.wire_clusters(pairs, frozen(reached // 2), background, state))
    if background.sum() % 2:
        background[np.flatnonzero(background)[0]] -= 1
    ends = ends[: 2 * n_inner + int(background.sum())]
    ends[2 * n_inner :] = np.repeat(np.arange(n, dtype=ends.dtype), background)
    n_pairs = len(ends) // 2
    n_edges = int(
        kernels.wire_background(kernels.Pairs(ends, table, n), n_inner, n_pairs, state)
    )  # fmt: skip
    return Edges(ends[: 2 * n_edges], len(stubs) // 2 - n_inner, n_pairs - n_edges)
