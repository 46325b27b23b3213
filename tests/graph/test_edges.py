"""Edges, induced clusterings and the closure equal the oracle for random small graphs."""

from random import Random

import networkx as nx
import numpy as np
import pytest

import coverlap as cv
from coverlap import Clustering, as_clustering
from coverlap.graph import as_graph, closure, edge_clustering, edges, vertex_clustering
from tests import naive_graph
from tests.graph import forms

BATCHES, CASES = 25, 200
EXACT = 1e-12


def near(value):
    return pytest.approx(float(value), rel=0, abs=EXACT)


def random_clusters(rng, objects, edges=(), most=4):
    """Draw distinct clusters with names: small and large ones, and some that contain an edge."""
    names = rng.sample([*range(6), "x", "Y", "ß", "k1"], rng.randint(0, most))
    pool = [item for item in objects if rng.random() < rng.choice([0.5, 0.8, 1.0])]
    clusters = {}
    for name in names:
        size = min(len(pool), rng.choice([1, 2, 2, 3, 4, 5, len(pool)]))
        cluster = frozenset(rng.sample(pool, size))
        if edges and rng.random() < 0.5:
            cluster = frozenset(rng.choice(edges[:3])) | frozenset(sorted(cluster, key=str)[:1])
        if cluster and cluster not in clusters.values():
            clusters[name] = cluster
    return clusters


def random_labels(rng, objects):
    return {item: rng.choice([-2, -1, 0, 1, 3]) for item in objects}


def random_clustering(rng, plain):
    """Draw a clustering of some of the vertices, in one of the accepted types."""
    form = rng.choice(["named", "sets", "dict", "labels"])
    known = [vertex for vertex in plain.vertices if rng.random() < 0.8]
    if form == "labels" and plain.vertices == list(range(len(plain.vertices))):
        return np.array(list(random_labels(rng, plain.vertices).values()), int)
    if form == "dict":
        return random_labels(rng, known)
    clusters = random_clusters(rng, known, [edge for edge in plain.edges if {*edge} <= {*known}])
    if form == "sets":
        return [set(cluster) for cluster in clusters.values()]
    return Clustering.from_clusters(clusters, universe=known)


def random_pair(rng, plain):
    """Draw two clusterings, but not one with only numbers and one with only strings as ids."""
    while True:
        sides = [random_clustering(rng, plain) for _ in range(2)]
        kinds = [{type(item) for item in as_clustering(side).objects} for side in sides]
        if {int} not in kinds or {str} not in kinds:
            return sides


def random_edge_clustering(rng, plain):
    """Draw a clustering of edges, given by number or by their ends in either order."""
    m = len(plain.edges)
    form = rng.choice(["labels", "named", "numbers", "pairs", "dict"])
    ends = [edge if rng.random() < 0.5 else edge[::-1] for edge in plain.edges]
    if form == "labels":
        return np.array(list(random_labels(rng, range(m)).values()), int)
    if form == "dict":
        return {ends[i]: label for i, label in random_labels(rng, range(m)).items()}
    clusters = random_clusters(rng, range(m))
    if form == "named":
        return Clustering.from_clusters(clusters, universe=m)
    if form == "numbers":
        return [set(cluster) for cluster in clusters.values()]
    return [{ends[i] for i in cluster} for cluster in clusters.values()]


def named(clustering):
    """Return a dict of names to clusters for any input, in cluster order."""
    read = as_clustering(clustering)
    return dict(zip(read.names, map(frozenset, read.to_clusters()), strict=True))


def by_number(clustering, plain):
    """Return a dict of names to clusters of edge numbers for a clustering of edges."""
    number = {edge: i for i, edge in enumerate(plain.edges)}
    number |= {edge[::-1]: i for edge, i in number.items()}
    number |= {i: i for i in range(len(plain.edges))}
    return {
        name: frozenset(number[edge] for edge in cluster)
        for name, cluster in named(clustering).items()
    }


def check(found, expected, objects):
    """Check objects, clusters, their names and order, and what was dropped and merged."""
    assert isinstance(found, Clustering)
    assert found.objects == objects
    assert list(named(found).items()) == list(expected.clusters.items())
    assert (found.n_dropped, found.n_merged) == (expected.n_dropped, expected.n_merged)


def check_graph(graph, plain):
    assert graph.vertices == plain.vertices
    assert graph.n_loops == naive_graph.loops(plain.ends)
    assert (graph.n_vertices, graph.n_edges) == (len(plain.vertices), len(plain.edges))
    assert edges(graph).shape == (len(plain.edges), 2)
    assert list(map(tuple, edges(graph).tolist())) == plain.edges
    assert graph.edges.tolist() == edges(graph).tolist()


def drawn(rng, folder):
    """Draw a graph of some type; return it, and the same graph in plain Python."""
    plain = forms.random_plain(rng)
    form = rng.choice(forms.forms_of(plain))
    written = forms.write(plain, form, rng, folder)
    if form in forms.COMPLETE:
        return written, plain
    if rng.random() < 0.5:
        graph = as_graph(written, vertices=forms.vertices_option(plain, rng))
        return graph, plain.over(naive_graph.in_order(plain.vertices))
    return written, plain.over(plain.mentioned)


@pytest.mark.parametrize(
    "batch", [pytest.param(b, marks=pytest.mark.slow if b > 1 else ()) for b in range(BATCHES)]
)
def test_random_graphs_and_clusterings_equal_the_oracle(batch, tmp_path):
    rng = Random(batch)
    for _ in range(CASES):
        written, plain = drawn(rng, tmp_path)
        graph = as_graph(written)
        check_graph(graph, plain)

        left, right = random_pair(rng, plain)
        induced = naive_graph.edge_clusters(plain.edges, named(left))
        numbers = list(range(len(plain.edges)))
        check(edge_clustering(written, left), induced, numbers)

        of_edges = random_edge_clustering(rng, plain)
        clusters = by_number(of_edges, plain)
        ends = naive_graph.vertex_clusters(plain.edges, clusters)
        check(vertex_clustering(written, of_edges), ends, plain.vertices)
        closed = closure(written, of_edges)
        assert closed.objects == numbers
        expected = naive_graph.closure(plain.edges, clusters)
        assert list(named(closed).items()) == list(expected.items())

        result = cv.compare(left, right, graph=written)
        sides = [list(named(side).values()) for side in (left, right)]
        of_vertices, of_induced = naive_graph.compare(plain.edges, plain.vertices, *sides)
        assert result.score == near(of_vertices)
        assert result.edges.score == near(of_induced)
        assert result.universe.n_objects == len(plain.vertices)
        assert result.edges.universe.n_objects == len(plain.edges)


# By hand

HOUSE = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("c", "e"), ("d", "e")]
"""A square a, b, c, d with a roof e; its edges in order are ab, ad, bc, cd, ce, de."""


def test_the_edges_of_a_house_are_numbered_by_their_vertices():
    assert edges(HOUSE).tolist() == [
        ["a", "b"], ["a", "d"], ["b", "c"], ["c", "d"], ["c", "e"], ["d", "e"],
    ]  # fmt: skip


def test_edges_follow_the_order_of_vertices_that_a_graph_has():
    graph = nx.Graph()
    graph.add_nodes_from(["e", "d", "c", "b", "a", "f"])
    graph.add_edges_from(HOUSE)
    assert as_graph(graph).vertices == ["e", "d", "c", "b", "a", "f"]
    assert edges(graph).tolist() == [
        ["e", "d"], ["e", "c"], ["d", "c"], ["d", "a"], ["c", "b"], ["b", "a"],
    ]  # fmt: skip


def test_vertices_of_a_list_of_edges_are_sorted_however_they_are_given():
    graph = as_graph(HOUSE, vertices=["e", "d", "c", "B", "b", "a"])
    assert graph.vertices == ["B", "a", "b", "c", "d", "e"]
    assert edges(graph).tolist() == edges(HOUSE).tolist()


def test_clusters_without_an_edge_inside_are_dropped_and_equal_ones_merged():
    clusters = {
        "roof": {"c", "d", "e"}, "diagonal": {"a", "c"}, "dot": {"b"}, "corner": {"a", "b"},
        "and more": {"a", "b", "e"}, "right": {"b", "c", "e"},
    }  # fmt: skip
    found = edge_clustering(HOUSE, Clustering.from_clusters(clusters))
    # 'and more' and 'corner' both have only the edge ab, and 'and more' is first by name.
    assert found.to_dict() == {"and more": {0}, "right": {2, 4}, "roof": {3, 4, 5}}
    assert found.names == ["and more", "right", "roof"]
    assert (found.n_dropped, found.n_merged, found.n_outliers) == (2, 1, 1)
    assert found.n_objects == 6


def test_the_closure_of_a_path_through_the_roof_is_all_of_the_roof():
    path = [{("e", "c"), ("d", "e")}, {("a", "b")}]
    assert vertex_clustering(HOUSE, path).to_clusters() == [{"c", "d", "e"}, {"a", "b"}]
    assert closure(HOUSE, path).to_clusters() == [{3, 4, 5}, {0}]
    spanning = [{0, 3}, {1, 2}, {5}]
    assert vertex_clustering(HOUSE, spanning).to_clusters() == [{"a", "b", "c", "d"}, {"d", "e"}]
    assert vertex_clustering(HOUSE, spanning).n_merged == 1
    assert closure(HOUSE, spanning).to_clusters() == [{0, 1, 2, 3}, {5}]


def test_vertices_without_clustered_edges_are_outliers():
    graph = as_graph(HOUSE, vertices=[*"abcdef"])
    found = vertex_clustering(graph, [{0}])
    assert (found.objects, found.to_clusters()) == ([*"abcdef"], [{"a", "b"}])
    assert found.n_outliers == 4
    assert vertex_clustering(graph, []).n_outliers == 6
    assert vertex_clustering(graph, np.full(6, -1)).n_outliers == 6


def test_a_graph_without_edges_has_no_objects_to_cluster():
    for graph in (as_graph([], vertices=3), as_graph([(1, 1)], vertices=3), as_graph([])):
        assert edges(graph).shape == (0, 2)
        induced = edge_clustering(graph, np.zeros(graph.n_vertices, int))
        assert (induced.n_objects, induced.n_clusters) == (0, 0)
        assert vertex_clustering(graph, []).n_objects == graph.n_vertices
        assert closure(graph, []).n_objects == 0
        assert cv.compare([], [], graph=graph).edges.score == 1.0


def test_an_edge_is_in_every_cluster_that_holds_both_its_ends():
    found = edge_clustering(HOUSE, [{"a", "b", "c"}, {"b", "c", "d"}])
    assert found.to_clusters() == [{0, 2}, {2, 3}]
    assert found.has_overlaps


def test_every_loop_is_counted_and_makes_no_edge():
    graph = as_graph(np.array([[3, 3], [3, 3], [1, 3], [4, 4]]))
    assert (graph.vertices, graph.n_loops, graph.n_edges) == ([1, 3, 4], 3, 1)


def test_a_known_outlier_need_not_be_a_vertex():
    clusters = Clustering.from_clusters([{"a", "b"}], universe=["a", "b", "z"])
    assert edge_clustering(HOUSE, clusters).to_clusters() == [{0}]


@pytest.mark.slow
def test_a_million_edges_are_those_that_numpy_finds():
    rng = np.random.default_rng(5)
    n, m, k = 50_000, 1_000_000, 300
    ends = rng.integers(0, n, (m, 2))
    labels = rng.integers(-1, k, n)
    low, high = ends.min(axis=1), ends.max(axis=1)
    keys = np.unique((low * n + high)[low != high])
    expected = np.column_stack(np.divmod(keys, n))
    graph = as_graph(ends, vertices=n)
    assert np.array_equal(edges(graph), expected)
    assert graph.n_loops == np.count_nonzero(low == high)

    inside = (labels[expected[:, 0]] == labels[expected[:, 1]]) & (labels[expected[:, 0]] >= 0)
    found = edge_clustering(graph, labels)
    of_edge = np.where(inside, labels[expected[:, 0]], -1)
    used = np.unique(of_edge[inside])
    assert found.names == used.tolist()
    assert np.array_equal(found.to_labels(), of_edge)

    vertices = vertex_clustering(graph, of_edge)
    kept = zip(used.tolist(), vertices.to_clusters(), strict=True)
    assert all(
        members == set(np.unique(expected[of_edge == name]).tolist()) for name, members in kept
    )
    assert vertices.n_objects == n
    assert closure(graph, of_edge) == found
