"""The two experiments of figure 3: clusters of graphs, seen from the vertices and from the edges.

The text of the paper and its stored curves differ in what was done, and so there is one experiment
for each. Both draw ABCD graphs, cluster them at three resolutions, and compare the clusters found
with those that the graph was made from.
"""

from collections.abc import Sequence

import numpy as np

from coverlap.clustering.clustering import Clustering
from coverlap.experiments.experiment import Experiment, Floats, Scale
from coverlap.experiments.louvain import louvain
from coverlap.generate import ABCDGraph, abcd_graph
from coverlap.graph import Graph, leiden
from coverlap.verbs.compare import compare

RESOLUTIONS = (0.5, 1.0, 3.75)
"""Of Leiden, as the text says."""

RESOLUTIONS_STORED = (0.67, 1.25, 4.5)
"""Of Louvain, as the stored curves have it."""

N_XI = 15


def _measures(resolutions: Sequence[float]) -> tuple[str, ...]:
    """Name what is computed: two similarities and a number of clusters for each resolution."""
    named = (f"{what} {r}" for what in ("vertices", "edges", "clusters") for r in resolutions)
    return (*named, "clusters truth")


def _graphs(rng: np.random.Generator, scale: Scale) -> tuple[Floats, Floats]:
    """Cluster graphs by Leiden, as the text says."""
    x = _xis(scale)
    return x, np.array([_text_point(xi, rng) for xi in x])


def _text_point(xi: float, rng: np.random.Generator) -> list[float]:
    drawn = _drawn(2000, xi, 25, rng)
    found = [leiden(drawn.graph, r, seed=int(rng.integers(2**31))) for r in RESOLUTIONS]
    return _values(drawn.graph, drawn.clustering, found)


def _graphs_stored(rng: np.random.Generator, scale: Scale) -> tuple[Floats, Floats]:
    """Cluster larger graphs by Louvain; their largest cluster is not counted as one."""
    x = _xis(scale)
    return x, np.array([_stored_point(xi, rng) for xi in x])


def _stored_point(xi: float, rng: np.random.Generator) -> list[float]:
    drawn = _drawn(5000, xi, 50, rng)
    found = [louvain(drawn.graph, r) for r in RESOLUTIONS_STORED]
    return _values(drawn.graph, without_largest(drawn.clustering), found)


def _xis(scale: Scale) -> Floats:
    """Return shares of the background: where thinned fewer, but both ends and the middle."""
    every = np.linspace(0.2, 0.8, N_XI)
    chosen = np.linspace(0, N_XI - 1, max(N_XI // scale.thinned, 3), dtype=np.int64)
    return every[chosen]


def _drawn(n: int, xi: float, min_size: int, rng: np.random.Generator) -> ABCDGraph:
    return abcd_graph(
        n, xi=xi, gamma=2.5, min_degree=5, max_degree=int(n**0.5),
        beta=1.5, min_size=min_size, max_size=int(n**0.767), seed=rng,
    )  # fmt: skip


def _values(graph: Graph, truth: Clustering, found: Sequence[Clustering]) -> list[float]:
    """Compare, in the order of the measures."""
    seen = [compare(truth, clustering, graph=graph, threads=1) for clustering in found]
    of_edges = [comparison.edges.score for comparison in seen if comparison.edges is not None]
    numbers = [float(clustering.n_clusters) for clustering in (*found, truth)]
    return [*(comparison.score for comparison in seen), *of_edges, *numbers]


def without_largest(clustering: Clustering) -> Clustering:
    """Make outliers of the members of the largest cluster of a partition.

    That is what the stored curves have for the truth: the program that drew their graphs numbers
    clusters from 1 by descending size where no outliers were asked for, and 1 was read as the
    number of the outliers, which it is where there are some.
    """
    labels = np.array(clustering.to_labels())
    labels[labels == np.argmax(np.bincount(labels))] = -1
    return Clustering.from_labels(labels)


GRAPHS: Sequence[Experiment] = (
    Experiment(
        name="graphs", title="Leiden, as in the text", figure=3, x_name="share of background, xi",
        measures=_measures(RESOLUTIONS), stated=10, stored=10, authors_seconds=None,
        sample=_graphs,
    ),
    Experiment(
        name="graphs_stored", title="Louvain, as in the stored curves", figure=3,
        x_name="share of background, xi", measures=_measures(RESOLUTIONS_STORED), stated=10,
        stored=10, authors_seconds=900, sample=_graphs_stored,
    ),
)  # fmt: skip
