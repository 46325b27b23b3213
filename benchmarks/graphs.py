"""Time clusterings of graphs beside plain Python and other libraries, and print the ratios.

Run it with ``make bench``, or name sections: ``python benchmarks/graphs.py edges abcd``. Every
ratio comes from one process; our time is the best of several runs after a first one.
"""

import sys

import igraph as ig
import numpy as np
import partition_igraph  # noqa: F401 - gives igraph's graphs the method gam
import scipy.sparse as sp
from abcd_graph import ABCDGraph, ABCDParams
from data import Labels
from measures import best, once, report

import coverlap as cv
from coverlap.graph import Graph


def planted_edges(
    found: cv.Clustering, n_edges: int, *, inside: float = 0.7, seed: int = 0
) -> Labels:
    """Draw edges: a share of them between two members of a random cluster, the others anywhere."""
    rng = np.random.default_rng(seed)
    members = [np.fromiter(cluster, np.int64) for cluster in found.to_clusters()]
    flat, sizes = np.concatenate(members), found.sizes
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    place = rng.integers(len(flat), size=n_edges)
    cluster = np.repeat(np.arange(len(sizes)), sizes)[place]
    mate = flat[starts[cluster] + (rng.random(n_edges) * sizes[cluster]).astype(np.int64)]
    other = np.where(
        rng.random(n_edges) < inside, mate, rng.integers(found.n_objects, size=n_edges)
    )
    return np.column_stack((flat[place], other))


def edge_sets(graph: Graph, found: cv.Clustering) -> dict[int, set[int]]:
    """Put the edges into clusters as one would in Python: a loop over edges, and sets."""
    clusters_of: list[set[int]] = [set() for _ in range(graph.n_vertices)]
    for number, cluster in enumerate(found.to_clusters()):
        for vertex in cluster:
            clusters_of[vertex].add(number)
    edges: dict[int, set[int]] = {}
    for number, (one, other) in enumerate(graph.edges.tolist()):
        for cluster in clusters_of[one] & clusters_of[other]:
            edges.setdefault(cluster, set()).add(number)
    return edges


def edges() -> None:
    small = cv.generate.random_clustering(50_000, 2_500, memberships=3, seed=1)
    graph = cv.graph.as_graph(planted_edges(small, 500_000), vertices=50_000)
    report(
        "Edge clustering: 500,000 edges, 50,000 vertices in 3 of 2,500 clusters each",
        "edge_clustering",
        best(lambda: cv.graph.edge_clustering(graph, small)),
        {"a loop over edges and sets": once(lambda: edge_sets(graph, small))},
    )
    large = cv.generate.random_clustering(1_000_000, 50_000, memberships=3, seed=2)
    pairs = planted_edges(large, 10_000_000)
    graph = cv.graph.as_graph(pairs, vertices=1_000_000)
    shape = (1_000_000, 1_000_000)
    ones = np.ones(len(pairs), np.int8)
    matrix = sp.coo_array((ones, (pairs[:, 0], pairs[:, 1])), shape=shape).tocsr()
    matrix = (matrix + matrix.T).tocsr()
    report(
        "Edge clustering: 10 million edges, 1 million vertices in 3 of 50,000 clusters each",
        "edge_clustering of a Graph",
        best(lambda: cv.graph.edge_clustering(graph, large), 3),
        {
            "of a SciPy matrix, reading included": best(
                lambda: cv.graph.edge_clustering(matrix, large), 3
            ),
            "of an array of edges, reading included": best(
                lambda: cv.graph.edge_clustering(pairs, large), 3
            ),
        },
    )
    labels = np.random.default_rng(3).integers(50_000, size=1_000_000)
    report(
        "The same graph, one label per vertex",
        "edge_clustering",
        best(lambda: cv.graph.edge_clustering(graph, labels), 3),
    )


def aware() -> None:
    made = cv.generate.abcd_graph(20_000, xi=0.4, seed=1)
    truth = made.clustering.to_labels()
    found = cv.generate.shuffled(truth, 0.3, seed=1).to_labels()
    graph = ig.Graph(n=20_000, edges=made.graph.edges)
    sides = [ig.VertexClustering(graph, labels.tolist()) for labels in (truth, found)]
    report(
        f"Adjusted graph-aware Rand index: 20,000 vertices, {made.graph.n_edges:,} edges",
        "partition_score",
        best(lambda: cv.graph.partition_score(made.graph, truth, found)),
        {"partition-igraph": once(lambda: graph.gam(*sides))},
    )


def abcd() -> None:
    theirs = ABCDParams(
        vcount=2_000, gamma=2.5, beta=1.5, xi=0.2, min_degree=5, max_degree=44,
        min_community_size=25, max_community_size=340, num_outliers=0,
    )  # fmt: skip
    report(
        "ABCD graph: 2,000 vertices",
        "abcd_graph",
        best(lambda: cv.generate.abcd_graph(2_000, xi=0.2, seed=1)),
        {"abcd-graph": best(lambda: ABCDGraph(theirs).build())},
    )
    report(
        "ABCD graph: 1 million vertices",
        "abcd_graph",
        best(lambda: cv.generate.abcd_graph(1_000_000, xi=0.2, seed=1), 3),
    )


SECTIONS = {"edges": edges, "aware": aware, "abcd": abcd}

if __name__ == "__main__":
    for section in sys.argv[1:] or SECTIONS:
        SECTIONS[section]()
