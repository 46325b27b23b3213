"""Time clusterings of graphs beside plain Python and other libraries, and print the ratios.

Run it with ``make bench``, or name sections: ``python benchmarks/graphs.py edges aware``; add
``--tiny`` for small data. The others are a loop in plain Python (edge clusterings) and
partition-igraph (graph-aware measures), which is left out if it is not installed.
Every ratio comes from one process; our time is the best of several runs after a first one.
"""

import numpy as np
import scipy.sparse as sp
from data import Labels, size
from timing import best, once, optional, report, run

import coverlap as cv
from coverlap.graph import Graph


def planted_edges(
    found: cv.Clustering, n_edges: int, *, inside: float = 0.7, seed: int = 0
) -> Labels:
    """Draw edges, a share of them between two members of a random cluster."""
    rng = np.random.default_rng(seed)
    members = [np.fromiter(cluster, np.int64) for cluster in found.to_clusters()]
    flat, sizes = np.concatenate(members), found.sizes
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    place = rng.integers(len(flat), size=n_edges)
    cluster = np.repeat(np.arange(len(sizes)), sizes)[place]
    partner = flat[starts[cluster] + (rng.random(n_edges) * sizes[cluster]).astype(np.int64)]
    other = np.where(
        rng.random(n_edges) < inside, partner, rng.integers(found.n_objects, size=n_edges)
    )
    return np.column_stack((flat[place], other))


def edge_sets(graph: Graph, found: cv.Clustering) -> dict[int, set[int]]:
    """Compute the edge clustering in plain Python, with a loop over edges and with sets."""
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
    n_vertices, n_clusters, n_edges = size(50_000, 500), size(2_500, 25), size(500_000, 2_000)
    small = cv.generate.random_clustering(n_vertices, n_clusters, memberships=3, seed=1)
    graph = cv.graph.as_graph(planted_edges(small, n_edges), vertices=n_vertices)
    report(
        f"Edge clustering: {n_edges:,} edges, {n_vertices:,} vertices in 3 of {n_clusters:,} "
        "clusters each",
        "edge_clustering",
        best(lambda: cv.graph.edge_clustering(graph, small)),
        {"a loop over edges and sets": once(lambda: edge_sets(graph, small))},
    )


def large_edges() -> None:
    n_vertices, n_clusters = size(1_000_000, 1_000), size(50_000, 50)
    n_edges = size(10_000_000, 5_000)
    large = cv.generate.random_clustering(n_vertices, n_clusters, memberships=3, seed=2)
    pairs = planted_edges(large, n_edges)
    graph = cv.graph.as_graph(pairs, vertices=n_vertices)
    ones = np.ones(len(pairs), np.int8)
    shape = (n_vertices, n_vertices)
    matrix = sp.coo_array((ones, (pairs[:, 0], pairs[:, 1])), shape=shape).tocsr()
    matrix = (matrix + matrix.T).tocsr()
    labels = np.random.default_rng(3).integers(n_clusters, size=n_vertices)
    report(
        f"Edge clustering: {n_edges:,} edges, {n_vertices:,} vertices in 3 of {n_clusters:,} "
        "clusters each",
        "edge_clustering of a Graph",
        best(lambda: cv.graph.edge_clustering(graph, large), 3),
        {
            "of a SciPy matrix, reading included": best(
                lambda: cv.graph.edge_clustering(matrix, large), 3
            ),
            "of an array of edges, reading included": best(
                lambda: cv.graph.edge_clustering(pairs, large), 3
            ),
            "of a Graph with one label per vertex": best(
                lambda: cv.graph.edge_clustering(graph, labels), 3
            ),
        },
    )


def aware() -> None:
    n_vertices, n_clusters, n_edges = size(20_000, 1_000), size(200, 20), size(111_000, 5_000)
    clusters = cv.generate.equal_partition(n_vertices, n_clusters)
    graph = cv.graph.as_graph(planted_edges(clusters, n_edges), vertices=n_vertices)
    truth = clusters.to_labels()
    found = cv.generate.shuffled(truth, 0.3, seed=1).to_labels()
    report(
        f"Adjusted graph-aware Rand index: {n_vertices:,} vertices, {graph.n_edges:,} edges",
        "partition_score",
        best(lambda: cv.graph.partition_score(graph, truth, found)),
        _partition_igraph(graph, truth, found),
    )


def _partition_igraph(graph: Graph, truth: Labels, found: Labels) -> dict[str, float]:
    # Importing partition_igraph gives igraph's graphs the method gam.
    igraph, partition_igraph = optional("igraph"), optional("partition_igraph")
    if igraph is None or partition_igraph is None:
        return {}
    made = igraph.Graph(n=graph.n_vertices, edges=graph.edges)
    sides = [igraph.VertexClustering(made, labels.tolist()) for labels in (truth, found)]
    return {"partition-igraph": once(lambda: made.gam(*sides))}


if __name__ == "__main__":
    run(edges, large_edges, aware)
