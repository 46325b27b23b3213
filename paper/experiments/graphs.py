"""The two experiments of figure 3: clusterings of graphs compared on vertices and on edges.

The text of the paper and its stored curves describe different experiments, so there is one for
each. Both draw ABCD graphs, cluster them at three resolutions, and compare the clusters found with
those that the graph was generated from.
"""

from collections.abc import Sequence

import numpy as np

import coverlap as cv
from paper.experiments.experiment import Experiment, Floats, Sample, Scale
from paper.experiments.louvain import louvain
from paper.generate import ABCDGraph, abcd_graph

RESOLUTIONS = (0.5, 1.0, 3.75)
"""Resolutions of Leiden in the text."""

RESOLUTIONS_STORED = (0.67, 1.25, 4.5)
"""Resolutions of Louvain in the stored curves."""

N_XI = 15

X_NAME = "share of background edges, ξ"


def _measures(resolutions: Sequence[float]) -> tuple[str, ...]:
    """Return the names of the values: two scores and a number of clusters per resolution."""
    named = (f"{what} {r}" for what in ("vertices", "edges", "clusters") for r in resolutions)
    return (*named, "clusters truth")


def sample_graphs(rng: np.random.Generator, scale: Scale) -> Sample:
    """Cluster graphs of 2,000 vertices by Leiden, as in the text."""
    x = background_shares(scale)
    return Sample(x, np.array([text_point(xi, rng) for xi in x]))


def text_point(xi: float, rng: np.random.Generator) -> list[float]:
    """Return the values of the experiment in the text at one share of background edges."""
    drawn = _draw_graph(2000, xi, 25, rng)
    found = [cv.graph.leiden(drawn.graph, r, seed=int(rng.integers(2**31))) for r in RESOLUTIONS]
    return compare_with_truth(drawn.graph, drawn.clustering, found)


def sample_graphs_stored(rng: np.random.Generator, scale: Scale) -> Sample:
    """Cluster graphs of 5,000 vertices by Louvain, as in the stored curves."""
    x = background_shares(scale)
    return Sample(x, np.array([stored_point(xi, rng) for xi in x]))


def stored_point(xi: float, rng: np.random.Generator) -> list[float]:
    """Return the values of the stored curves' experiment at one share of background edges."""
    drawn = _draw_graph(5000, xi, 50, rng)
    found = [louvain(drawn.graph, r) for r in RESOLUTIONS_STORED]
    return compare_with_truth(drawn.graph, without_largest(drawn.clustering), found)


def background_shares(scale: Scale) -> Floats:
    """Return the shares of background edges (xi), always with both ends and the middle."""
    every = np.linspace(0.2, 0.8, N_XI)
    chosen = np.linspace(0, N_XI - 1, max(N_XI // scale.x_stride, 3), dtype=np.int64)
    return every[chosen]


def _draw_graph(n: int, xi: float, min_size: int, rng: np.random.Generator) -> ABCDGraph:
    return abcd_graph(
        n, xi=xi, gamma=2.5, min_degree=5, max_degree=int(n**0.5),
        beta=1.5, min_size=min_size, max_size=int(n**0.767), seed=rng,
    )  # fmt: skip


def compare_with_truth(
    graph: cv.graph.Graph, truth: cv.Clustering, found: Sequence[cv.Clustering]
) -> list[float]:
    """Return the values in the order of the measures."""
    compared = [cv.compare(truth, clustering, graph=graph, threads=1) for clustering in found]
    of_edges = [result.edges.score for result in compared if result.edges is not None]
    numbers = [float(clustering.n_clusters) for clustering in (*found, truth)]
    return [*(result.score for result in compared), *of_edges, *numbers]


def without_largest(partition: cv.Clustering) -> cv.Clustering:
    """Turn the members of the largest cluster of a partition into outliers.

    The ground truth of the stored curves lacks this cluster: the authors' generator numbers
    clusters from 1 by descending size if there are no outliers, and their reader always took
    number 1 for the outliers.
    """
    labels = np.array(partition.to_labels())
    labels[labels == np.argmax(np.bincount(labels))] = -1
    return cv.Clustering.from_labels(labels)


GRAPHS: Sequence[Experiment] = (
    Experiment(
        name="graphs", title="As in the text: Leiden, 2,000 vertices", figure=3, x_name=X_NAME,
        measures=_measures(RESOLUTIONS), n_stated=10, n_stored=10, authors_seconds=None,
        sample=sample_graphs,
    ),
    Experiment(
        name="graphs_stored",
        title="As in the stored curves: Louvain, 5,000 vertices, largest true cluster deleted",
        figure=3, x_name=X_NAME, measures=_measures(RESOLUTIONS_STORED), n_stated=10, n_stored=10,
        authors_seconds=900, sample=sample_graphs_stored,
    ),
)  # fmt: skip
