"""The example files of a network: a graph whose true clusters overlap and leave vertices out.

``python -m paper.generate.example FOLDER`` writes ``edges.txt`` and ``truth.csv``, which are part
of coverlap (``src/coverlap/cli/examples/network``).
"""

import sys
from pathlib import Path

import numpy as np

import coverlap as cv
from paper.generate.abcd import Integers, Members, draw_edges
from paper.generate.geometric import geometric_clusters
from paper.generate.parameters import PowerLaw
from paper.generate.vertices import draw_degrees, draw_sizes

N_VERTICES = 600
N_OUTLIERS = 30
XI = 0.3
GROWTH = 1.2
SEED = 1


def write_network(folder: Path) -> None:
    """Write the edges, and the true clusters."""
    rng = np.random.default_rng(SEED)
    truth = draw_clusters(rng)
    np.savetxt(folder / "edges.txt", draw_graph(truth, rng).edges, fmt="%d")
    cv.write_clustering(truth, folder / "truth.csv")


def draw_clusters(rng: np.random.Generator) -> cv.Clustering:
    """Draw clusters of points in a disc, let them grow, and leave some vertices out."""
    covered = rng.permutation(N_VERTICES)[N_OUTLIERS:]
    sizes = draw_sizes(PowerLaw.between(25, 100, 1.5), len(covered), rng)
    grown = geometric_clusters(sizes, seed=rng).grown(GROWTH).to_clusters()
    return cv.Clustering.from_clusters([covered[list(c)] for c in grown], universe=N_VERTICES)


def draw_graph(truth: cv.Clustering, rng: np.random.Generator) -> cv.graph.Graph:
    """Draw edges as ABCD does, where a vertex divides its edges among its clusters.

    All edges of outliers are in the background.
    """
    matrix = truth.to_matrix()
    n_clusters = matrix.sum(axis=0)
    degrees = rng.permutation(draw_degrees(PowerLaw.between(5, 30, 2.5), N_VERTICES, rng))
    exact = (1 - XI) * degrees / np.maximum(n_clusters, 1)
    inner = np.where(n_clusters > 0, np.floor(exact + rng.random(N_VERTICES)), 0).astype(np.int64)
    clusters = Members(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64))
    _make_sums_even(inner, clusters, n_clusters)
    background = degrees - n_clusters * inner
    ends, _, _ = draw_edges(clusters, inner, background, rng)
    return cv.graph.as_graph(ends.reshape(-1, 2), vertices=N_VERTICES)


def _make_sums_even(inner: Integers, clusters: Members, n_clusters: Integers) -> None:
    """Take one from the inner degree of a vertex of each cluster in which their sum is odd."""
    for members in np.split(clusters.members, clusters.pointers[1:-1]):
        if inner[members].sum() % 2:
            inner[members[n_clusters[members] == 1][0]] -= 1


if __name__ == "__main__":
    write_network(Path(sys.argv[1]))
