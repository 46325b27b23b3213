"""Clusters of Leiden, and conversions of graphs to other libraries."""

import pickle
import sys
from importlib.resources import files

import networkx as nx
import pytest

import coverlap as cv
from coverlap.graph import Graph, as_graph, leiden

CLIQUES = nx.connected_caveman_graph(6, 8)
NETWORK = files("coverlap") / "cli/examples/network/edges.txt"


def test_cliques_are_found():
    found = leiden(CLIQUES)
    assert sorted(map(sorted, found.to_clusters())) == [
        list(range(8 * i, 8 * i + 8)) for i in range(6)
    ]


def test_a_higher_resolution_gives_more_clusters():
    graph = as_graph(NETWORK)
    coarse, medium, fine = (leiden(graph, r).n_clusters for r in (0, 1, 4))
    assert coarse == 1 < medium < fine


def test_a_seed_fixes_the_clusters_and_another_may_not():
    graph = as_graph(NETWORK)
    runs = [leiden(graph, seed=seed) for seed in (1, 1, 2, 3, 4)]
    assert cv.fstar_score(runs[0], runs[1]) == 1.0
    assert any(cv.fstar_score(runs[0], run) < 1.0 for run in runs[2:])


def test_vertices_keep_their_ids_and_those_without_edges_are_alone():
    graph = as_graph([("b", "a"), ("c", "b"), ("a", "c")], vertices=["a", "b", "c", "d"])
    assert leiden(graph).to_clusters() == [{"a", "b", "c"}, {"d"}]
    assert leiden([]).n_clusters == 0


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("resolution", -1, "must be a number of at least 0, not -1"),
        ("resolution", float("nan"), "must be a number of at least 0, not nan"),
        ("seed", -1, "must be an integer from 0 to 2,147,483,647, not -1"),
        ("seed", 2**31, "must be an integer from 0 to 2,147,483,647, not 2147483648"),
    ],
)
def test_bad_options_are_refused(option, value, message):
    with pytest.raises(cv.OptionError) as caught:
        leiden(CLIQUES, **{option: value})
    assert str(caught.value) == f"{option} {message}"


@pytest.mark.parametrize(
    ("library", "call"),
    [
        ("leidenalg", leiden),
        ("igraph", Graph.to_igraph),
        ("networkx", Graph.to_networkx),
    ],
)
def test_a_library_that_is_missing_is_named_with_the_extra_that_brings_it(
    library, call, monkeypatch
):
    graph = as_graph([(0, 1)])
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(cv.MissingDependencyError, match=rf"{library}.*coverlap\[graph\]"):
        call(graph)


# Conversions of graphs


@pytest.mark.parametrize("form", ["to_scipy", "to_networkx", "to_igraph"])
@pytest.mark.parametrize("ids", [range(6), "abcdef"])
def test_a_graph_comes_back_from_other_libraries(form, ids):
    pairs = [(4, 1), (1, 2), (2, 4), (0, 2)]
    graph = as_graph([(ids[one], ids[other]) for one, other in pairs], vertices=list(ids))
    ids = range(6) if form == "to_scipy" else ids
    back = as_graph(getattr(graph, form)())
    assert back.vertices == list(ids)
    expected = [(0, 2), (1, 2), (1, 4), (2, 4)]
    assert back.edges.tolist() == [[ids[one], ids[other]] for one, other in expected]


def test_the_adjacency_matrix_is_symmetric_and_of_ones_whose_products_do_not_overflow():
    matrix = as_graph([(0, 1), (1, 0), (1, 2), (2, 2)]).to_scipy()
    assert matrix.toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    star = as_graph([(0, i) for i in range(1, 301)]).to_scipy()
    assert (star @ star)[0, 0] == 300


def test_degrees_count_the_edges_of_each_vertex():
    graph = as_graph([(0, 1), (1, 2), (1, 3), (3, 3)], vertices=5)
    assert graph.degrees.tolist() == [1, 3, 1, 1, 0]


def test_a_graph_cannot_be_changed_and_can_be_pickled():
    graph = as_graph([("a", "b"), ("b", "b")])
    with pytest.raises(AttributeError, match="cannot assign"):
        graph.n_loops = 0
    with pytest.raises(cv.InputTypeError, match="as_graph"):
        Graph()
    back = pickle.loads(pickle.dumps(graph))  # noqa: S301
    assert repr(back) == repr(graph) == "Graph(2 vertices, 1 edge, 1 loop dropped)"
    assert back.edges.tolist() == [["a", "b"]]
    assert not any(array.flags.writeable for array in back.upper)
