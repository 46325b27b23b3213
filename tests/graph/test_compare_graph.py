"""Two clusterings of a graph, compared on the vertices and on the edges."""

import json

import cdlib
import igraph as ig
import networkit as nk
import networkx as nx
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import coverlap as cv
from coverlap import as_clustering
from coverlap.graph import as_graph, closure, edge_clustering, partition_score, vertex_clustering
from tests import naive, naive_graph
from tests.graph.forms import IDS, graphs, inputs, near, parts, two_inputs
from tests.strategies import clusterings
from tests.test_errors import check

DROPS = (None, "left", "right", "either", "both")
SWAPPED = {"left": "right", "right": "left"}


# Against the oracle


@pytest.mark.parametrize("rule", ["union", "intersection", "left", "right", "given"])
@settings(max_examples=50)
@given(data=st.data(), drop=st.sampled_from(DROPS))
def test_every_rule_leaves_the_edges_between_the_objects_it_leaves(rule, data, drop):
    plain = data.draw(graphs())
    one, other = data.draw(two_inputs(plain))
    left, right = parts(one), parts(other)
    universe = rule
    if rule == "given":
        members = frozenset().union(*left, *right)
        universe = [v for v in plain.vertices if v in members or data.draw(st.booleans())]
    known = [set(as_clustering(side).objects) for side in (one, other)]
    objects = naive_graph.chosen(plain.vertices, known, universe)
    expected = naive_graph.compare(plain.edges, objects, left, right, drop_outliers=drop)
    result = cv.compare(one, other, graph=plain.graph, universe=universe, drop_outliers=drop)
    assert (result.score, result.edges.score) == tuple(map(near, expected))
    kept = naive._kept(left, right, objects, drop)
    assert result.universe.n_objects == len(kept)
    assert result.universe.n_outliers_dropped == len(objects) - len(kept)
    assert result.universe.n_only_left == len(known[0] - known[1])
    assert result.universe.n_only_right == len(known[1] - known[0])
    between = [edge for edge in plain.edges if kept.issuperset(edge)]
    assert result.edges.universe.n_objects == len(between)
    universe, drop = (SWAPPED.get(rule, universe), SWAPPED.get(drop, drop))
    turned = cv.compare(other, one, graph=plain.graph, universe=universe, drop_outliers=drop)
    assert (result.score, result.edges.score) == (turned.score, turned.edges.score)


OPTIONS = {
    "similarity": ["jaccard", "f1", "precision", "recall"], "average": ["size", "equal"],
    "outliers": [True, False], "balance": [0.25, 0.5, 1.0],
}  # fmt: skip


@given(st.data(), st.fixed_dictionaries({key: st.sampled_from(x) for key, x in OPTIONS.items()}))
def test_options_hold_for_both_perspectives(data, options):
    plain = data.draw(graphs())
    sides = data.draw(two_inputs(plain))
    expected = naive_graph.compare(plain.edges, plain.vertices, *map(parts, sides), **options)
    result = cv.compare(*sides, graph=plain.graph, **options)
    assert (result.score, result.edges.score) == tuple(map(near, expected))
    assert result.edges.options == result.options


@given(st.data())
def test_a_comparison_is_that_of_all_vertices_and_that_of_the_induced_clusterings(data):
    plain = data.draw(graphs())
    sides = data.draw(two_inputs(plain))
    graph, names = plain.graph, ("truth", "found")
    result = cv.compare(*sides, graph=graph, names=names)
    vertices = cv.compare(*sides, universe=plain.vertices, names=names)
    induced = [edge_clustering(graph, side) for side in sides]
    edges = cv.compare(*induced, universe=graph.n_edges, names=names)
    for found, alone, (one, other) in (
        (result, vertices, map(parts, sides)),
        (result.edges, edges, map(parts, induced)),
    ):
        assert (found.score, found.outliers, found.names) == (alone.score, alone.outliers, names)
        assert (found.left, found.columns()) == (alone.left, alone.columns())
        assert (found.score == 1.0) == (set(one) == set(other))


@given(st.data())
def test_names_and_order_of_vertices_edges_and_clusters_do_not_change_a_bit(data):
    plain = data.draw(graphs(("positions",)))
    n, names = len(plain.vertices), data.draw(st.permutations(IDS["strings"]))
    sides = [data.draw(clusterings(n)) for _ in "lr"]
    moved = [[{names[i] for i in cluster} for cluster in side[::-1]] for side in sides]
    ends = [(names[j], names[i]) for i, j in plain.ends[::-1]]
    one = cv.compare(*sides, graph=plain.graph)
    other = cv.compare(*moved, graph=as_graph(ends, vertices=names[:n]))
    assert (one.score, one.edges.score) == (other.score, other.edges.score)


@given(st.data())
def test_clusters_of_edges_are_compared_by_their_ends_and_by_their_closure(data):
    plain = data.draw(graphs())
    ends = [edge[:: data.draw(st.sampled_from([1, -1]))] for edge in plain.edges]
    pairs, one = data.draw(inputs(ends)), data.draw(inputs(plain.vertices))
    assume(as_clustering(pairs).objects)
    truth, known = parts(one), as_clustering(one).objects
    found = [{vertex for edge in cluster for vertex in edge} for cluster in parts(pairs)]
    for rule, objects in (("union", plain.vertices), ("left", known)):
        expected = naive_graph.compare(plain.edges, objects, truth, found)
        for universe, sides in ((rule, (one, pairs)), (SWAPPED.get(rule, rule), (pairs, one))):
            result = cv.compare(*sides, graph=plain.graph, universe=universe)
            assert (result.score, result.edges.score) == tuple(map(near, expected))
            assert any("edges" in note for note in result.notes)
    result = cv.compare(pairs, found, graph=plain.graph)
    assert (result.score, result.edges.score) == (1.0, 1.0)


def test_an_edge_clustering_of_cdlib_is_one_of_pairs_of_vertices():
    karate = nx.karate_club_graph()
    truth = {v: karate.nodes[v]["club"] for v in karate}
    edges = [tuple(edge) for edge in karate.edges]
    clusters = [set(edges[:15:3]), set(edges[1::3]), set(edges[2::3])]
    found = cdlib.EdgeClustering(list(map(list, clusters)), karate, overlap=True)
    one, other = (cv.compare(truth, side, graph=karate) for side in (found, clusters))
    assert (one.score, one.edges.score, one.notes) == (other.score, other.edges.score, other.notes)
    for function in (vertex_clustering, closure):
        assert function(karate, found) == function(karate, clusters)


def test_vertices_that_are_pairs_are_not_taken_for_edges():
    grid = nx.grid_2d_graph(3, 3)
    left = [{v for v in grid if v[0] == i} for i in range(3)]
    right = [{v for v in grid if v[1] <= 1}, {(2, 2), (1, 2)}]
    expected = naive_graph.compare(list(grid.edges), list(grid), left, right)
    result = cv.compare(left, right, graph=grid)
    assert (result.score, result.edges.score) == tuple(map(near, expected))
    assert not any("edges" in note for note in result.notes)


# Universes, Series, whose index has the ids of vertices, and other special cases


CHAIN = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
MATRIX = nx.to_scipy_sparse_array(nx.Graph(CHAIN), nodelist=range(6))


def test_a_number_of_objects_is_a_universe():
    result = cv.compare([{0, 1}], [{1, 2}], graph=[(0, 1), (1, 2), (2, 3)], universe=4)
    assert (result.universe.n_objects, result.edges.universe.n_objects) == (4, 3)
    # The outliers {2, 3} and {0, 3} share one of three vertices; those of the edges are
    # {12, 23} and {01, 23}, and share one of three edges.
    assert result.score == near((1 / 3 + 1 / 3) / 2)
    assert result.edges.score == near(2 / 3 * 1 / 3)


def test_sides_of_numbers_and_of_strings_are_refused_in_every_form_of_a_graph():
    ends = [("b", 20), (7, "a")]
    for graph in (ends, nx.Graph(ends), as_graph(ends, vertices=["a", "b", 7, 20])):
        with pytest.raises(cv.UniverseError):
            cv.compare([{"a", "b"}], [{7, 20}], graph=graph)


def test_without_a_graph_there_are_no_edges_and_no_notes():
    result = cv.compare([0, 0, 1], [0, 1, 1])
    assert (result.edges, result.notes) == (None, ())


def test_pairs_that_are_no_edges_are_refused():
    check(lambda: cv.compare([0] * 6, [{(0, 2)}], graph=CHAIN), cv.UniverseError, "(0, 2)")


@pytest.mark.parametrize(
    "graph",
    [CHAIN, MATRIX, nx.Graph(CHAIN), ig.Graph(CHAIN), nk.nxadapter.nx2nk(nx.path_graph(6))],
    ids=["pairs", "matrix", "networkx", "igraph", "networkit"],
)
def test_a_shuffled_series_goes_by_its_index_in_every_graph(graph):
    labels = pd.Series([0, 0, 1, 1, 1, 1])
    shuffled = labels.sample(frac=1, random_state=3)
    for other in (labels, shuffled, dict(labels)):
        result = cv.compare(other, shuffled, graph=graph)
        assert (result.score, result.edges.score) == (1.0, 1.0)
        assert partition_score(graph, other, shuffled) == 1.0
    assert set(parts(edge_clustering(graph, shuffled))) == {frozenset({0}), frozenset({2, 3, 4})}


@pytest.mark.parametrize(
    ("index", "beside"), [(list("abcdef"), pd.Series), ([3, 5, 4, 1, 0, 2], lambda x, **_: x)]
)
def test_series_of_other_names_and_one_beside_an_array_go_by_place(index, beside):
    one, other = [0, 0, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1]
    by_place = cv.compare(one, other, graph=MATRIX)
    sides = pd.Series(one, index=index), beside(other, index=index)
    result = cv.compare(*sides, graph=MATRIX)
    assert (result.score, result.edges.score) == (by_place.score, by_place.edges.score)


def test_a_series_names_vertices_without_edges_as_a_list_does():
    labels = pd.Series([0, 0, 1, 1, 1, 1, 2])
    result = cv.compare(labels, labels, graph=CHAIN)
    assert (result.universe.n_objects, result.edges.universe.n_objects) == (7, 5)


def test_two_clusterings_of_edges_are_compared_as_they_are():
    result = cv.compare([{(0, 1), (2, 1)}], [{(1, 0)}, {(3, 4)}], graph=CHAIN)
    # Edges 0 and 1 are clustered on the left, and 0 and 3 on the right, of five edges.
    assert result.edges.score == near(naive.fstar([{0, 1}], [{0}, {3}], range(5)))
    assert result.score == near(naive.fstar([{0, 1, 2}], [{0, 1}, {3, 4}], range(6)))
    assert "left and right are clusterings of edges" in result.notes[0]


@pytest.mark.parametrize("graph", [CHAIN, nx.Graph(CHAIN)])
def test_objects_beyond_the_vertices_are_outliers_without_edges(graph):
    sides = [{0, 1, 2}, {3, 4}], [{0, 1}, {2, 3, 4}]
    result = cv.compare(*sides, graph=graph, n_objects=10)
    assert result.universe.rule == "given number of objects"
    assert result.score == near(naive.fstar(*sides, range(10)))
    assert result.edges.score == cv.compare(*sides, graph=graph).edges.score
    with pytest.raises(cv.UniverseError, match="n_objects is 5"):
        cv.compare(*sides, graph=graph, n_objects=5)


@pytest.mark.parametrize("universe", ["left", "right", "intersection", [10, 11]])
def test_objects_that_are_no_vertices_at_all_are_refused(universe):
    with pytest.raises(cv.UniverseError, match="vert"):
        cv.compare([{10, 11}], [{10, 11}], graph=CHAIN, universe=universe)


def test_a_member_that_is_no_vertex_is_refused_in_any_universe_of_a_complete_graph():
    with pytest.raises(cv.UniverseError, match="no vertices of the graph: 9"):
        cv.compare([{0, 9}], [{0, 1}], graph=nx.Graph(CHAIN), universe=range(10))


def test_odd_names_of_clusters_are_text_in_the_json_of_edges():
    names = cv.Clustering.from_clusters({("x", 1): [0, 1, 2], ("y", 2): [3, 4, 5]})
    facts = json.loads(cv.compare(names, names, graph=CHAIN).to_json())
    assert {row["cluster"] for row in facts["edges"]["clusters"] if row["kind"] == "cluster"} == {
        "('x', 1)", "('y', 2)",
    }  # fmt: skip


def test_networkit_graphs_with_gaps_keep_their_numbers():
    graph = nk.nxadapter.nx2nk(nx.path_graph(6))
    graph.removeNode(2)
    assert cv.graph.edges(graph).tolist() == [[0, 1], [3, 4], [4, 5]]
    assert edge_clustering(graph, [0, 0, 0, 1, 1, 1]).to_clusters() == [{0}, {1, 2}]


def test_names_of_igraph_that_are_repeated_or_missing_are_refused():
    graph = ig.Graph([(0, 1), (1, 2)])
    for names in (["a", "a", "b"], ["a", None, "b"]):
        graph.vs["name"] = names
        with pytest.raises(cv.CoverlapError, match="names of the graph's vertices"):
            edge_clustering(graph, [{"a", "b"}])
