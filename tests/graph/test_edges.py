"""Edges, induced clusterings and the closure equal the oracle for random small graphs."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import coverlap as cv
from coverlap import Clustering
from coverlap.graph import as_graph, closure, edge_clustering, edges, vertex_clustering
from tests import naive_graph
from tests.graph.forms import COMPLETE, LISTS, graphs, inputs, named, near, parts, two_inputs


def check(found, expected, objects):
    """Check objects, clusters, their names and order, and what was dropped and merged."""
    assert isinstance(found, Clustering)
    assert found.objects == objects
    assert list(named(found).items()) == list(expected.clusters.items())
    assert (found.n_dropped, found.n_merged) == (expected.n_dropped, expected.n_merged)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("graphs")


@pytest.mark.parametrize("form", [*COMPLETE, *LISTS])
@settings(max_examples=50)
@given(data=st.data())
def test_graphs_in_every_form_and_their_clusterings_equal_the_oracle(form, data, folder):
    write, kinds = (COMPLETE | LISTS)[form]
    plain = data.draw(graphs(kinds))
    assume(form != "file" or plain.ends)
    written = write(plain, data.draw(st.randoms(use_true_random=False)), folder)
    if form in LISTS:
        vertices = naive_graph.in_order(plain.vertices)
        if data.draw(st.booleans()):
            n = len(vertices) if plain.kind == "positions" else plain.vertices
            written = as_graph(written, vertices=n)
        else:
            vertices = naive_graph.in_order(vertex for pair in plain.ends for vertex in pair)
        plain = plain._replace(vertices=vertices)

    graph, numbers = as_graph(written), list(range(len(plain.edges)))
    assert graph.vertices == plain.vertices
    assert graph.n_loops == naive_graph.loops(plain.ends)
    assert (graph.n_vertices, graph.n_edges) == (len(plain.vertices), len(plain.edges))
    assert edges(written).shape == (graph.n_edges, 2)
    assert list(map(tuple, edges(written).tolist())) == plain.edges

    numbered = plain.vertices == list(range(graph.n_vertices))
    left, right = data.draw(two_inputs(plain, may_be_labels=numbered))
    threads = data.draw(st.sampled_from([None, 1, 2, 3]))
    induced = naive_graph.edge_clusters(plain.edges, named(left))
    check(edge_clustering(written, left, threads=threads), induced, numbers)

    given_ = data.draw(inputs(numbers, may_be_labels=True))
    clusters = named(given_)
    ends = naive_graph.vertex_clusters(plain.edges, clusters)
    check(vertex_clustering(written, given_), ends, plain.vertices)
    closed = closure(written, given_, threads=threads)
    assert closed.objects == numbers
    assert [*named(closed).items()] == [*naive_graph.closure(plain.edges, clusters).items()]

    result = cv.compare(left, right, graph=written, threads=threads)
    expected = naive_graph.compare(plain.edges, plain.vertices, parts(left), parts(right))
    assert (result.score, result.edges.score) == tuple(map(near, expected))
    assert result.universe.n_objects == len(plain.vertices)
    assert result.edges.universe.n_objects == len(plain.edges)


@given(st.data())
def test_edges_may_be_named_by_their_ends_in_either_order(data):
    plain = data.draw(graphs())
    ends = [edge[:: data.draw(st.sampled_from([1, -1]))] for edge in plain.edges]
    pairs = data.draw(inputs(ends))
    number = {edge: i for i, edge in enumerate(ends)}
    clusters = {k: {number[edge] for edge in cluster} for k, cluster in named(pairs).items()}
    expected = naive_graph.vertex_clusters(plain.edges, clusters)
    check(vertex_clustering(plain.graph, pairs), expected, plain.graph.vertices)


# By hand

HOUSE = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("c", "e"), ("d", "e")]
"""A square a, b, c, d with a roof e; its edges in order are ab, ad, bc, cd, ce, de."""


def test_clusters_without_an_edge_inside_are_dropped_and_equal_ones_merged():
    clusters = {
        "roof": {"c", "d", "e"}, "diagonal": {"a", "c"}, "dot": {"b"}, "corner": {"a", "b"},
        "and more": {"a", "b", "e"}, "right": {"b", "c", "e"},
    }  # fmt: skip
    found = edge_clustering(HOUSE, Clustering.from_clusters(clusters))
    # 'and more' and 'corner' both have only the edge ab, and 'and more' is first by name.
    assert found.to_dict() == {"and more": {0}, "right": {2, 4}, "roof": {3, 4, 5}}
    assert (found.n_dropped, found.n_merged, found.n_outliers) == (2, 1, 1)


def test_the_closure_of_a_path_through_the_roof_is_all_of_the_roof():
    path = [{("e", "c"), ("d", "e")}, {("a", "b")}]
    assert closure(HOUSE, path).to_clusters() == [{3, 4, 5}, {0}]
    found = closure(HOUSE, [{0, 3}, {1, 2}, {5}])
    assert (found.to_clusters(), found.n_merged) == ([{0, 1, 2, 3}, {5}], 1)


def test_a_graph_without_edges_has_no_objects_to_cluster():
    for graph in (as_graph([], vertices=3), as_graph([(1, 1)], vertices=3), as_graph([])):
        assert edges(graph).shape == (0, 2)
        induced = edge_clustering(graph, np.zeros(graph.n_vertices, int))
        assert (induced.n_objects, induced.n_clusters) == (0, 0)
        assert vertex_clustering(graph, []).n_objects == graph.n_vertices
        assert closure(graph, []).n_objects == 0
        assert cv.compare([], [], graph=graph).edges.score == 1.0


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


@pytest.mark.slow
def test_clusters_that_overlap_in_a_large_graph_have_the_edges_of_a_sparse_product():
    rng = np.random.default_rng(11)
    n = 20_000
    graph = as_graph(rng.integers(0, n, (300_000, 2)), vertices=n)
    clusters = [rng.choice(n, size, replace=False) for size in rng.integers(300, 3000, 150)]
    side = Clustering.from_clusters(clusters, universe=n)
    one, other = edges(graph).T
    matrix = side.to_matrix().tocsc().astype(int)
    expected = matrix[:, one].multiply(matrix[:, other])
    for threads in (1, 2, 3, 7):
        found = edge_clustering(graph, side, threads=threads)
        assert (found.to_matrix() != expected).nnz == 0
        assert closure(graph, found, threads=threads) == found
