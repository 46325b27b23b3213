"""Inputs that are read as a graph, and inputs that are rejected with one clear error each."""

import cdlib
import igraph as ig
import networkit as nk
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import coverlap as cv
from coverlap import Clustering
from coverlap.core.errors import InputError, InputTypeError, OptionError, UniverseError
from coverlap.graph import (
    Graph,
    as_graph,
    closure,
    edge_clustering,
    edges,
    partition_score,
    vertex_clustering,
)
from tests.test_errors import check

PATH = [(0, 1), (1, 2), (2, 3)]
NAMED = [("a", "b"), ("b", "c")]
NAN = float("nan")
MATRIX = nx.to_scipy_sparse_array(nx.path_graph(3))


def rows(graph):
    return edges(graph).tolist()


# Read


def test_a_graph_is_read_as_itself():
    graph = as_graph(PATH)
    assert isinstance(graph, Graph)
    assert as_graph(graph) is graph


def test_negative_values_and_those_of_one_triangle_of_a_matrix_are_edges():
    matrix = sparse.csr_array(([3.0, -2.0], ([3, 0], [3, 2])), shape=(4, 4))
    graph = as_graph(matrix)
    assert (rows(graph), graph.n_loops) == ([[0, 2]], 1)
    full = nx.to_scipy_sparse_array(nx.cycle_graph(5), dtype=bool)
    for matrix in (full, sparse.triu(full), sparse.tril(full)):
        assert rows(as_graph(matrix)) == [[0, 1], [0, 4], [1, 2], [2, 3], [3, 4]]


def test_what_is_read_does_not_change():
    matrix = sparse.coo_array(([1, 1, 5, 0], ([2, 2, 0, 1], [1, 1, 0, 0])), shape=(3, 3))
    before = matrix.copy()
    ends = np.array([[2, 1], [0, 0], [1, 2]])
    kept = ends.copy()
    graph = as_graph(ends)
    assert rows(as_graph(matrix)) == [[1, 2]]
    for name in ("data", "row", "col"):
        assert np.array_equal(getattr(matrix, name), getattr(before, name))
    assert np.array_equal(ends, kept)
    ends[:] = 7
    assert rows(graph) == [[1, 2]]


def test_views_and_frozen_graphs_of_networkx_are_read():
    graph = nx.path_graph(5)
    assert as_graph(graph.subgraph([1, 2, 3])).n_edges == 2
    assert as_graph(nx.freeze(graph)).n_edges == 4
    assert as_graph(nx.reverse_view(nx.DiGraph([(0, 1), (1, 0), (1, 2)]))).n_edges == 2


def test_results_of_other_libraries_are_clusterings_of_their_graph():
    clusters = [[0, 1, 2], [3, 4, 5]]
    graph = nx.path_graph(6)
    named = ig.Graph.TupleList([*zip("abcde", "bcdef", strict=True)])
    for x, found in (
        (graph, cdlib.NodeClustering(clusters, graph)),
        (nk.nxadapter.nx2nk(graph), nk.Partition(6, [0, 0, 0, 1, 1, 1])),
        (named, ig.VertexClustering(named, [0, 0, 0, 1, 1, 1])),
        (named, ig.VertexCover(named, clusters)),
    ):
        assert edge_clustering(x, found).to_clusters() == [{0, 1}, {3, 4}]


@pytest.mark.parametrize("columns", [("source", "target"), ("from", "to"), ("src", "dst")])
def test_columns_of_ends_are_found_in_frames_among_others(columns):
    one, other = columns
    table = {"weight": [0.5, 1], other: ["a", "b"], "kind": ["x", "y"], one: ["b", "c"]}
    frame = pd.DataFrame(table, index=[7, 7])
    for found in (frame, frame.astype("category"), pl.DataFrame(table), pa.table(table)):
        assert rows(as_graph(found)) == [["a", "b"], ["b", "c"]]


def test_two_columns_of_any_name_hold_edges():
    assert rows(as_graph(pd.DataFrame({"x": ["b", "c"], "y": ["a", "b"]}))) == [*map(list, NAMED)]


def test_large_numbers_of_columns_of_two_types_are_exact():
    large = 2**53 + 1
    frame = pl.DataFrame({"from": pl.Series([large], dtype=pl.UInt64), "to": [5]})
    assert as_graph(frame).vertices == [5, large]


def test_isolated_vertices_are_named_by_a_number_or_by_ids():
    assert as_graph(np.array(PATH), vertices=np.int64(6)).vertices == [0, 1, 2, 3, 4, 5]
    for ids in (("c", "z", "a", "b"), np.array(["c", "z", "a", "b"])):
        graph = as_graph(NAMED, vertices=ids)
        assert graph.vertices == ["a", "b", "c", "z"]
        assert rows(graph) == [["a", "b"], ["b", "c"]]


def test_labels_may_count_more_vertices_than_a_list_of_edges_mentions():
    labels = [0, 0, 1, 1, 1, -1]
    assert edge_clustering(PATH, labels).to_clusters() == [{0}, {2}]
    result = cv.compare(labels, [0, 0, 0, 1, 1, 1], graph=PATH)
    assert (result.universe.n_objects, result.edges.universe.n_objects) == (6, 3)
    assert result.score == cv.fstar_score(labels, [0, 0, 0, 1, 1, 1])
    assert cv.compare(labels, [{0, 1}, {4, 5}], graph=PATH).universe.n_objects == 6
    assert edge_clustering(np.array([(0, 4), (4, 2)]), [0, 1, 2, 2, 2]).to_clusters() == [{1}]


def test_labels_belong_to_the_nodes_of_networkx_by_number_and_to_those_of_igraph_by_place():
    graph = nx.Graph()
    graph.add_nodes_from([2, 0, 1])
    graph.add_edges_from([(2, 0), (0, 1)])
    assert edge_clustering(graph, ["x", "y", "x"]).to_dict() == {"x": {0}}
    assert edge_clustering(graph, ["x", "x", "y"]).to_dict() == {"x": {1}}
    named = ig.Graph.TupleList([("b", "a"), ("a", "c")])
    assert named.vs["name"] == ["b", "a", "c"]
    assert edge_clustering(named, ["x", "x", "y"]).to_dict() == {"x": {0}}
    membership = named.community_multilevel().membership
    assert partition_score(named, membership, named.community_multilevel()) == 1.0


def test_edge_clusterings_in_both_directions_are_one():
    both = [{("a", "b"), ("b", "a")}, {("c", "b")}]
    assert vertex_clustering(NAMED, both).to_clusters() == [{"a", "b"}, {"b", "c"}]
    turned = Clustering.from_clusters({"p": {("a", "b")}, "q": {("b", "a")}})
    assert vertex_clustering(NAMED, turned).to_dict() == {"p": {"a", "b"}}


def test_loops_that_a_graph_had_are_no_members_of_clusters_of_edges():
    assert closure([(0, 1), (1, 1)], [{(0, 1), (1, 1)}, {(1, 1)}]).to_clusters() == [{0}]


# Rejected


BAD_GRAPHS = {
    "a non-square matrix": (sparse.csr_array((3, 4)), InputError, ("square", "3", "4")),
    "an array of shape (2, m)": (np.array([[0, 1, 2], [1, 2, 3]]), InputError, ("2 x 3", ".T")),
    "a dense adjacency matrix": (np.eye(4, dtype=int), InputError, ("4 x 4", "sparse")),
    "an array of three dimensions": (np.zeros((2, 2, 2), int), InputError, ("2 x 2 x 2",)),
    "ids that are fractions": (np.array([[0.5, 1.0]]), InputError, ("0.5",)),
    "an id that is not a number": (np.array([[0.0, NAN]]), InputError, ("missing",)),
    "a missing id in a list": ([("a", "b"), ("a", None)], InputError, ("None",)),
    "an id that is a list": ([(0, [1])], InputTypeError, ("[1]",)),
    "items of one id": ([(0, 1), (2,)], InputTypeError, ("(2,)",)),
    "items of four ids": ([(0, 1, 2, 3)], InputTypeError, ("(0, 1, 2, 3)",)),
    "labels": ([0, 0, 1], InputTypeError, ("item 0",)),
    "strings of two letters": (["ab", "bc"], InputTypeError, ("'ab'",)),
    "clusters": ([{0, 1}, {3, 4}], InputTypeError, ("item 0",)),
    "a dict": ({0: 1}, InputTypeError, ("dict",)),
    "a number": (7, InputTypeError, ("7",)),
    "a clustering": (cv.as_clustering([0, 0, 1]), InputTypeError, ("Clustering",)),
    "a clustering of igraph": (
        ig.VertexClustering(ig.Graph(4), [0, 0, 1, 1]), InputTypeError, ("VertexClustering",),
    ),
    "a class": (nx.Graph, InputTypeError, ("Graph",)),
    "a frame of other columns": (
        pd.DataFrame({"a": [1], "b": [2], "c": [3]}), InputError, ("source", "target"),
    ),
    "a frame of one column": (pl.DataFrame({"source": [1]}), InputError, ("target",)),
    "a frame with a missing id": (
        pd.DataFrame({"source": ["a", None], "target": ["b", "c"]}), InputError, ("missing",),
    ),
    "a frame with a null id": (
        pl.DataFrame({"source": [1, 2], "target": [None, 3]}), InputError, ("missing",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_GRAPHS)
def test_what_is_no_graph_is_refused(case):
    x, kind, needles = BAD_GRAPHS[case]
    check(lambda: as_graph(x), kind, "graph", *needles)


@pytest.mark.parametrize("table", ["a,b,c,d\n1,2,3,4\n", "source,weight,kind\n1,2,3\n"])
def test_a_table_without_the_columns_of_edges_is_refused(tmp_path, table):
    path = tmp_path / "x.csv"
    path.write_text(table)
    check(lambda: as_graph(path), InputError, "x.csv")


@pytest.mark.parametrize("vertices", [-1, 2.5, True, [0, None]], ids=str)
def test_vertices_must_be_a_number_or_ids(vertices):
    check(lambda: as_graph(PATH, vertices=vertices), (OptionError, InputError), "vertices")


def test_vertices_go_with_a_list_of_edges_only():
    for graph in (MATRIX, nx.path_graph(3), as_graph(PATH)):
        check(lambda graph=graph: as_graph(graph, vertices=9), OptionError, "list of edges")


@pytest.mark.parametrize(
    ("ends", "vertices", "outside"),
    [
        (PATH, 3, "3"),
        (np.array(PATH), [0, 1, 2], "3"),
        (PATH, ["0", "1"], "0"),
        ([(0, -1)], 3, "-1"),
    ],
)
def test_edges_outside_the_vertices_are_told(ends, vertices, outside):
    check(lambda: as_graph(ends, vertices=vertices), UniverseError, "vertices", outside)


STRANGERS = {
    "a member that no edge mentions": (PATH, [{0, 1}, {7}], ("7", "--universe")),
    "a member that is no vertex": (as_graph(NAMED, vertices=[*"abc"]), [{"a", "z"}], ("'z'",)),
    "a member beyond a matrix": (MATRIX, [{0, 3}], ("3",)),
    "strings for numbers": (PATH, [{"0", "1"}], ("'0'",)),
    "numbers for strings": (NAMED, [{0, 1}], ("'a'",)),
    "labels that are too few for a matrix": (MATRIX, [0, 1], ("2", "3")),
    "labels that are too many for networkx": (nx.path_graph(3), [0, 1, 1, 1], ("4", "3")),
    "labels that are too few for the edges": (PATH, [0, 0, 1], ("3",)),
    "labels for nodes that are strings": (nx.Graph(NAMED), [0, 0, 0], ("'a'",)),
}


@pytest.mark.parametrize("case", STRANGERS)
def test_a_clustering_of_other_vertices_is_refused(case):
    graph, clustering, needles = STRANGERS[case]
    check(lambda: edge_clustering(graph, clustering), UniverseError, *needles)
    check(lambda: cv.compare(clustering, clustering, graph=graph), UniverseError, *needles)
    check(lambda: partition_score(graph, clustering, clustering), UniverseError, "left", *needles)


GRAPHS_AS_CLUSTERINGS = [as_graph(PATH), nx.path_graph(4), ig.Graph(4, PATH), nk.Graph(4)]


@pytest.mark.parametrize("graph", GRAPHS_AS_CLUSTERINGS, ids=lambda graph: type(graph).__module__)
def test_a_graph_is_no_clustering(graph):
    check(lambda: cv.as_clustering(graph), InputTypeError, "raph")
    check(lambda: cv.compare([0, 0, 1, 1], graph, graph=PATH), InputTypeError, "raph")


NO_EDGES = {
    "a pair that is no edge": ([{(0, 2)}], "(0, 2)"),
    "a pair of strangers": ([{(0, 1), (8, 9)}], "(8, 9)"),
    "a loop": ([{(1, 1)}], "(1, 1)"),
    "a pair that is no edge in a dict": ({(0, 1): 0, (3, 1): 0}, "(3, 1)"),
    "a number that is no edge": ([{0, 3}], "3"),
    "a negative number": ([{0, -1}], "-1"),
    "too few labels": ([0, 1], "2 objects and the graph has 3"),
    "strings": ([{"a", "b"}], "'a'"),
    "triples": ([{(0, 1, 2)}], "(0, 1, 2)"),
    "numbers and pairs": ([{0, (1, 2)}], "(1, 2)"),
}


@pytest.mark.parametrize("case", NO_EDGES)
def test_a_clustering_of_other_edges_is_refused(case):
    clustering, needle = NO_EDGES[case]
    check(lambda: vertex_clustering(PATH, clustering), UniverseError, needle)
    check(lambda: closure(PATH, clustering), UniverseError, needle)


def test_an_unknown_measure_is_refused_with_those_there_are():
    labels = [0, 0, 1, 1]
    check(
        lambda: partition_score(PATH, labels, labels, "ari"),
        OptionError, "measure", "'rand'", "'gmn'", "'ari'",
    )  # fmt: skip
    check(lambda: partition_score(PATH, labels, labels, "jaccard"), OptionError, "jaccard")


def test_universes_that_are_no_vertices_are_refused():
    sides = [0, 0, 1, 1], [0, 1, 1, 1]
    check(lambda: cv.compare(*sides, graph=PATH, universe="both"), OptionError, "universe")
    check(lambda: cv.compare([{0, 1}], [{1, 2}], graph=PATH, universe=[0, 1]), UniverseError, "2")
