"""Inputs that are read as a graph, and inputs that are rejected with one clear error each."""

import gzip
import pickle
from functools import partial

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
from coverlap.core.errors import FileError, InputError, InputTypeError, OptionError, UniverseError
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


def rows(graph):
    return edges(graph).tolist()


# Read


def test_a_graph_is_read_as_itself():
    graph = as_graph(PATH)
    assert isinstance(graph, Graph)
    assert as_graph(graph) is graph


def test_stored_zeros_are_no_edges_and_any_other_value_is():
    matrix = sparse.csr_array(
        (np.array([0.0, -2.0, 0.0, 3.0]), np.array([1, 2, 1, 3]), np.array([0, 2, 2, 3, 4])),
        shape=(4, 4),
    )
    graph = as_graph(matrix)
    assert (rows(graph), graph.n_loops) == ([[0, 2]], 1)
    assert matrix.nnz == 4


def test_a_matrix_of_booleans_or_of_one_triangle_is_read():
    full = nx.to_scipy_sparse_array(nx.cycle_graph(5), dtype=bool)
    for matrix in (full, sparse.triu(full), sparse.tril(full), sparse.csc_matrix(full)):
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


def test_unsorted_indices_of_a_matrix_are_fine():
    matrix = sparse.csr_array(
        (np.ones(3), np.array([2, 1, 0]), np.array([0, 2, 3, 3])), shape=(3, 3)
    )
    assert not matrix.has_sorted_indices
    assert rows(as_graph(matrix)) == [[0, 1], [0, 2]]


def test_numbers_come_before_strings_where_ids_are_sorted():
    graph = as_graph([("b", 10), (2, "a"), ("B", 2)])
    assert graph.vertices == [2, 10, "B", "a", "b"]
    assert rows(graph) == [[2, "B"], [2, "a"], [10, "b"]]


def test_any_hashable_node_of_networkx_is_a_vertex():
    grid = nx.grid_2d_graph(2, 2)
    graph = as_graph(grid)
    assert graph.vertices == [(0, 0), (0, 1), (1, 0), (1, 1)]
    found = edge_clustering(grid, [{(0, 0), (0, 1)}, {(1, 1), (1, 0), (0, 0)}])
    assert [len(cluster) for cluster in found.to_clusters()] == [1, 2]


def test_the_order_of_nodes_of_networkx_is_kept():
    graph = nx.Graph()
    graph.add_nodes_from([9, 4, 7])
    graph.add_edge(4, 9)
    assert as_graph(graph).vertices == [9, 4, 7]
    assert rows(graph) == [[9, 4]]


def test_views_and_frozen_graphs_of_networkx_are_read():
    graph = nx.path_graph(5)
    assert as_graph(graph.subgraph([1, 2, 3])).n_edges == 2
    assert as_graph(nx.freeze(graph)).n_edges == 4
    assert as_graph(nx.reverse_view(nx.DiGraph([(0, 1), (1, 0), (1, 2)]))).n_edges == 2


def test_weights_are_ignored_even_where_they_are_zero():
    graph = nx.Graph()
    graph.add_edge(0, 1, weight=0)
    assert as_graph(graph).n_edges == 1
    assert as_graph([(0, 1, 0.0), (1, 2, -1)]).n_edges == 2
    weighted = nk.Graph(2, weighted=True)
    weighted.addEdge(0, 1, 0.0)
    assert as_graph(weighted).n_edges == 1
    with_weights = ig.Graph(2, [(0, 1)])
    with_weights.es["weight"] = [0.0]
    assert as_graph(with_weights).n_edges == 1


def test_an_igraph_graph_made_of_one_of_networkx_has_the_ids_of_its_nodes():
    nodes = nx.Graph([(5, 3), (3, 9), (9, 0)])
    graph = as_graph(ig.Graph.from_networkx(nodes))
    assert set(graph.vertices) == set(nodes)
    assert {frozenset(edge) for edge in graph.edges.tolist()} == set(map(frozenset, nodes.edges()))


def test_names_of_igraph_are_the_ids():
    graph = ig.Graph.TupleList(NAMED)
    assert as_graph(graph).vertices == ["a", "b", "c"]
    assert edge_clustering(graph, graph.community_multilevel()).n_objects == 2
    cover = ig.VertexCover(graph, [[0, 1], [1, 2]])
    assert edge_clustering(graph, cover).to_clusters() == [{0}, {1}]
    assert edge_clustering(graph, [{"a", "c", "b"}]).to_clusters() == [{0, 1}]


def test_results_of_other_libraries_are_clusterings_of_their_graph():
    karate = nx.karate_club_graph()
    parts = nx.community.louvain_communities(karate, seed=1)
    expected = {
        frozenset(i for i, edge in enumerate(rows(karate)) if part.issuperset(edge))
        for part in parts
    }
    partition = nk.Partition(
        34, [next(k for k, p in enumerate(parts) if v in p) for v in range(34)]
    )
    clusters = cdlib.NodeClustering([list(part) for part in parts], karate)
    for graph in (karate, nk.nxadapter.nx2nk(karate), nx.to_scipy_sparse_array(karate)):
        for side in (parts, partition, clusters):
            found = edge_clustering(graph, side).to_clusters()
            assert set(map(frozenset, found)) == expected


@pytest.mark.parametrize(
    "columns",
    [("source", "target"), ("from", "to"), ("src", "dst"), ("x", "y")],
    ids=" ".join,
)
def test_frames_of_two_columns_hold_edges(columns):
    one, other = columns
    table = {one: ["b", "c"], other: ["a", "b"]}
    for frame in (pd.DataFrame(table), pl.DataFrame(table), pa.table(table)):
        assert rows(as_graph(frame)) == [["a", "b"], ["b", "c"]]


def test_known_columns_are_found_among_others():
    frame = pd.DataFrame({"weight": [0.5], "target": [1], "kind": ["x"], "source": [4]})
    graph = as_graph(frame)
    assert rows(graph) == [[1, 4]]
    assert rows(as_graph(pl.from_pandas(frame))) == [[1, 4]]


def test_a_frame_of_categories_or_with_an_index_is_read_by_its_values():
    frame = pd.DataFrame({"source": ["b", "c"], "target": ["a", "b"]}, index=[7, 7])
    assert rows(as_graph(frame.astype("category"))) == [["a", "b"], ["b", "c"]]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("g.txt", "3 1\n1 2\n2 1\n2 2\n", [[1, 2], [1, 3]]),
        ("g.edges", "a b\nb c\n", [["a", "b"], ["b", "c"]]),
        ("g.txt", "a\tb\t0.5\nb\tc\t0\n", [["a", "b"], ["b", "c"]]),
        ("g.txt", "# a comment\n10 9\n", [[9, 10]]),
        ("g.txt", "007 8\n8 9\n", [["007", "8"], ["8", "9"]]),
        ("g.csv", "source,target\n1,2\n", [[1, 2]]),
        ("g.csv", "source,target,weight\nb,a,0.5\n", [["a", "b"]]),
        ("g.txt", "1 2\r\n2 3\r\n", [[1, 2], [2, 3]]),
        ("g.txt", "1 2", [[1, 2]]),
    ],
)
def test_files_of_edges_are_read(tmp_path, name, content, expected):
    path = tmp_path / name
    path.write_bytes(content.encode())
    for x in (path, str(path)):
        assert rows(as_graph(x)) == expected


def test_a_graph_of_snap_is_read_as_it_is(tmp_path):
    path = tmp_path / "com-tiny.ungraph.txt.gz"
    text = "# Undirected graph\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n5\t12\n5\t100\n"
    path.write_bytes(gzip.compress(text.encode()))
    graph = as_graph(path)
    assert (graph.vertices, rows(graph)) == ([5, 12, 100], [[5, 12], [5, 100]])
    # Left to right: one edge is an outlier without a match, and the other has similarity 1/2.
    assert cv.compare([{5, 12}], [{5, 12, 100}], graph=path).edges.score == 3 / 8


def test_isolated_vertices_are_named_by_a_number_or_by_ids():
    assert as_graph(PATH, vertices=6).vertices == [0, 1, 2, 3, 4, 5]
    assert as_graph(np.array(PATH), vertices=np.int64(4)).n_vertices == 4
    for ids in (["c", "z", "a", "b"], ("c", "z", "a", "b"), np.array(["c", "z", "a", "b"])):
        graph = as_graph(NAMED, vertices=ids)
        assert graph.vertices == ["a", "b", "c", "z"]
        assert rows(graph) == [["a", "b"], ["b", "c"]]
        assert graph.degrees.tolist() == [1, 2, 1, 0]
    assert as_graph([], vertices=0).n_vertices == 0


def test_labels_may_count_more_vertices_than_a_list_of_edges_mentions():
    labels = [0, 0, 1, 1, 1, -1]
    assert edge_clustering(PATH, labels).to_clusters() == [{0}, {2}]
    result = cv.compare(labels, [0, 0, 0, 1, 1, 1], graph=PATH)
    assert (result.universe.n_objects, result.edges.universe.n_objects) == (6, 3)
    assert result.score == cv.fstar_score(labels, [0, 0, 0, 1, 1, 1])
    sparse_ids = [(0, 4), (4, 2)]
    assert edge_clustering(sparse_ids, [5, 5, 5, 5, 5]).to_clusters() == [{0, 1}]
    assert edge_clustering(np.array(sparse_ids), [0, 1, 2, 2, 2]).to_clusters() == [{1}]


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


def test_vertices_that_a_clustering_does_not_know_are_in_no_cluster():
    assert edge_clustering(PATH, [{1, 2}]).to_clusters() == [{1}]
    assert edge_clustering(PATH, {2: "x", 3: "x"}).to_dict() == {"x": {2}}
    assert edge_clustering(PATH, []).n_outliers == 3


def test_a_graph_can_be_pickled_and_written_back():
    graph = pickle.loads(pickle.dumps(as_graph(NAMED, vertices=[*"abcx"])))  # noqa: S301
    for back in (graph.to_networkx(), graph.to_igraph()):
        assert as_graph(back).vertices == [*"abcx"]
        assert rows(back) == rows(graph)
    assert rows(as_graph(as_graph(PATH).to_scipy())) == [list(pair) for pair in PATH]
    assert edge_clustering(graph, [{"a", "b"}]).n_clusters == 1


def test_all_functions_take_any_form_of_a_graph():
    for graph in (PATH, np.array(PATH), nx.path_graph(4), ig.Graph(4, PATH)):
        assert len(edges(graph)) == 3
        assert edge_clustering(graph, [0, 0, 0, 1]).n_clusters == 1
        assert vertex_clustering(graph, [0, 0, 1]).n_clusters == 2
        assert closure(graph, [0, 0, 1]).n_clusters == 2
        assert partition_score(graph, [0, 0, 0, 1], [0, 0, 0, 1]) == 1.0


def test_edge_clusterings_in_both_directions_are_one():
    both = [{("a", "b"), ("b", "a")}, {("c", "b")}]
    assert vertex_clustering(NAMED, both).to_clusters() == [{"a", "b"}, {"b", "c"}]
    turned = Clustering.from_clusters({"p": {("a", "b")}, "q": {("b", "a")}})
    found = vertex_clustering(NAMED, turned)
    assert found.to_dict() == {"p": {"a", "b"}}
    assert vertex_clustering(NAMED, {("b", "a"): "k", ("b", "c"): -1}).to_dict() == {
        "k": {"a", "b"}
    }


# Rejected


EITHER = (InputError, InputTypeError)

BAD_GRAPHS = {
    "a non-square matrix": (sparse.csr_array((3, 4)), InputError, ("square", "3", "4")),
    "an array of shape (2, m)": (np.array([[0, 1, 2], [1, 2, 3]]), InputError, ("2 x 3", ".T")),
    "a dense adjacency matrix": (np.eye(4, dtype=int), EITHER, ("4 x 4", "sparse")),
    "an array of one dimension": (np.array([0, 1, 2]), EITHER, ("3",)),
    "an array of three dimensions": (np.zeros((2, 2, 2), int), EITHER, ("2 x 2 x 2",)),
    "ids that are fractions": (np.array([[0.5, 1.0]]), EITHER, ("0.5",)),
    "ids that are fractions in a list": ([(0, 1), (0.5, 1)], EITHER, ("0.5",)),
    "an id that is not a number": (np.array([[0.0, NAN]]), EITHER, ()),
    "a missing id in a list": ([("a", "b"), ("a", None)], EITHER, ("None",)),
    "an id that is a list": ([(0, [1])], EITHER, ("[1]",)),
    "items of one id": ([(0, 1), (2,)], EITHER, ("(2,)",)),
    "items of four ids": ([(0, 1, 2, 3)], EITHER, ("(0, 1, 2, 3)",)),
    "labels": ([0, 0, 1], EITHER, ("0",)),
    "strings of two letters": (["ab", "bc"], EITHER, ("'ab'",)),
    "clusters": ([{0, 1, 2}, {3, 4, 5, 6}], EITHER, ()),
    "a dict": ({0: 1}, EITHER, ("dict",)),
    "a number": (7, InputTypeError, ("7",)),
    "nothing": (None, InputTypeError, ("None",)),
    "a clustering": (cv.as_clustering([0, 0, 1]), InputTypeError, ("lustering",)),
    "a clustering of igraph": (
        ig.VertexClustering(ig.Graph(4), [0, 0, 1, 1]), InputTypeError, ("lustering",),
    ),
    "a cover of igraph": (
        ig.VertexCover(ig.Graph(4), [[0, 1], [2, 3]]), InputTypeError, ("over",),
    ),
    "a clustering of cdlib": (
        cdlib.NodeClustering([[0, 1], [2, 3]], nx.path_graph(4)), InputTypeError, ("lustering",),
    ),
    "a partition of NetworKit": (nk.Partition(3), InputTypeError, ("artition",)),
    "a class": (nx.Graph, InputTypeError, ()),
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
    "a frame of fractions": (
        pd.DataFrame({"source": [0.5], "target": [1.0]}), EITHER, ("0.5",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_GRAPHS)
def test_what_is_no_graph_is_refused(case):
    x, kind, needles = BAD_GRAPHS[case]
    for call in (
        partial(as_graph, x),
        partial(edges, x),
        partial(edge_clustering, x, [{0}]),
        partial(cv.compare, [{0}], [{0}], graph=x) if x is not None else partial(as_graph, x),
    ):
        check(call, kind, *needles)


BAD_FILES = {
    "prose": ("no.txt", "this is not a list of edges\nat all, is it?\n", InputError, ("line 1",)),
    "one id a line": ("one.txt", "1\n2\n3\n", InputError, ("line 1",)),
    "lines of different lengths": ("odd.txt", "1 2\n3\n", InputError, ("line 2",)),
    "an empty file": ("empty.txt", "", InputError, ("empty.txt",)),
    "only comments": ("none.txt", "# nothing\n", InputError, ("none.txt",)),
    "other columns": ("x.csv", "a,b,c,d\n1,2,3,4\n", InputError, ("x.csv",)),
    "a column of edges missing": ("y.csv", "source,weight,kind\n1,2,3\n", InputError, ("y.csv",)),
    "bytes": ("z.txt", b"\x00\xff\xfe\x01\x00\n", InputError, ("z.txt",)),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_what_is_no_file_of_edges_is_refused(tmp_path, case):
    name, content, kind, needles = BAD_FILES[case]
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    check(lambda: as_graph(path), kind, *needles)


def test_a_file_that_is_not_there_is_told(tmp_path):
    check(lambda: as_graph(tmp_path / "gone.txt"), FileError, "gone.txt")
    check(lambda: as_graph(str(tmp_path / "gone.txt")), FileError, "gone.txt")


@pytest.mark.parametrize(
    ("vertices", "kinds"),
    [
        (-1, (OptionError, InputError)),
        (2.5, (OptionError, InputTypeError, InputError)),
        (True, (OptionError, InputTypeError, InputError)),
        (object(), (OptionError, InputTypeError, InputError)),
        ([0, 1, None, 2, 3], (OptionError, InputTypeError, InputError)),
    ],
    ids=["negative", "a fraction", "a truth value", "an object", "a missing id"],
)
def test_vertices_must_be_a_number_or_ids(vertices, kinds):
    check(lambda: as_graph(PATH, vertices=vertices), kinds)


@pytest.mark.parametrize("vertices", [3, [0, 1, 2], ["0", "1", "2", "3"], []])
def test_edges_outside_the_vertices_are_told(vertices):
    needles = ("3",) if vertices in (3, [0, 1, 2]) else ()
    check(lambda: as_graph(PATH, vertices=vertices), UniverseError, "vertices", *needles)
    check(lambda: as_graph(np.array(PATH), vertices=vertices), UniverseError, "vertices", *needles)


def test_negative_ids_are_outside_a_number_of_vertices():
    check(lambda: as_graph([(0, -1)], vertices=3), UniverseError, "-1")


STRANGERS = {
    "a member that no edge mentions": (PATH, [{0, 1}, {7}], ("7",)),
    "a member that is no vertex": (as_graph(NAMED, vertices=[*"abc"]), [{"a", "z"}], ("'z'",)),
    "a member beyond a matrix": (nx.to_scipy_sparse_array(nx.path_graph(3)), [{0, 3}], ("3",)),
    "a member that networkx does not have": (nx.path_graph(3), [{0, 3}], ("3",)),
    "strings for numbers": (PATH, [{"0", "1"}], ("'0'",)),
    "numbers for strings": (NAMED, [{0, 1}], ()),
    "labels that are too few for a matrix": (
        nx.to_scipy_sparse_array(nx.path_graph(3)), [0, 1], ("2", "3"),
    ),
    "labels that are too many for a matrix": (
        nx.to_scipy_sparse_array(nx.path_graph(3)), [0, 1, 1, 1], ("4", "3"),
    ),
    "labels that are too many for networkx": (nx.path_graph(3), [0, 1, 1, 1], ("4", "3")),
    "labels that are too few for networkx": (nx.path_graph(3), [0, 1], ("2",)),
    "labels that are too many for igraph": (ig.Graph(3, [(0, 1)]), [0, 1, 1, 1], ("4", "3")),
    "labels that are too few for NetworKit": (nk.Graph(3), [0, 1], ("2", "3")),
    "labels that are too few for given vertices": (as_graph(PATH, vertices=5), [0] * 4, ("4", "5")),
    "labels that are too few for the edges": (PATH, [0, 0, 1], ("3",)),
    "labels for edges between strings": (NAMED, [0, 0], ()),
    "labels for nodes that are strings": (nx.Graph(NAMED), [0, 0, 0], ("'a'",)),
}  # fmt: skip


@pytest.mark.parametrize("case", STRANGERS)
def test_a_clustering_of_other_vertices_is_refused(case):
    graph, clustering, needles = STRANGERS[case]
    check(lambda: edge_clustering(graph, clustering), UniverseError, *needles)
    check(lambda: cv.compare(clustering, clustering, graph=graph), UniverseError, *needles)
    check(lambda: partition_score(graph, clustering, clustering), UniverseError, *needles)


GRAPHS_AS_CLUSTERINGS = [as_graph(PATH), nx.path_graph(4), ig.Graph(4, PATH), nk.Graph(4)]


@pytest.mark.parametrize("graph", GRAPHS_AS_CLUSTERINGS, ids=lambda graph: type(graph).__module__)
def test_a_graph_is_no_clustering(graph):
    for call in (
        lambda: edge_clustering(PATH, graph),
        lambda: vertex_clustering(PATH, graph),
        lambda: closure(PATH, graph),
        lambda: cv.compare([0, 0, 1, 1], graph, graph=PATH),
        lambda: cv.compare(graph, [0, 0, 1, 1]),
        lambda: partition_score(PATH, graph, [0, 0, 1, 1]),
        lambda: cv.as_clustering(graph),
    ):
        check(call, InputTypeError, "raph")


NO_EDGES = {
    "a pair that is no edge": ([{(0, 2)}], UniverseError, ("(0, 2)",)),
    "a pair of strangers": ([{(0, 1), (8, 9)}], UniverseError, ("(8, 9)",)),
    "a loop": ([{(1, 1)}], UniverseError, ("(1, 1)",)),
    "a pair that is no edge in a dict": ({(0, 1): 0, (3, 1): 0}, UniverseError, ("(3, 1)",)),
    "a number that is no edge": ([{0, 3}], UniverseError, ("3",)),
    "a negative number": ([{0, -1}], UniverseError, ("-1",)),
    "too few labels": ([0, 1], UniverseError, ("2", "3")),
    "too many labels": (np.zeros(4, int), UniverseError, ("4", "3")),
    "a clustering of more objects": (Clustering.from_labels([0] * 5), UniverseError, ("5", "3")),
    "strings": ([{"a", "b"}], UniverseError, ("'a'",)),
    "triples": ([{(0, 1, 2)}], (UniverseError, InputError, InputTypeError), ("(0, 1, 2)",)),
    "numbers and pairs": ([{0, (1, 2)}], (UniverseError, InputError, InputTypeError), ()),
}


@pytest.mark.parametrize("case", NO_EDGES)
def test_a_clustering_of_other_edges_is_refused(case):
    clustering, kind, needles = NO_EDGES[case]
    check(lambda: vertex_clustering(PATH, clustering), kind, *needles)
    check(lambda: closure(PATH, clustering), kind, *needles)


def test_an_unknown_measure_is_refused_with_those_there_are():
    labels = [0, 0, 1, 1]
    for measure in ("ari", "Rand", None, 3, ["rand"]):
        check(
            lambda measure=measure: partition_score(PATH, labels, labels, measure),
            OptionError, "measure", "'rand'", "'gmn'",
        )  # fmt: skip


def test_jaccard_has_no_adjusted_form():
    labels = [0, 0, 1, 1]
    check(lambda: partition_score(PATH, labels, labels, "jaccard"), OptionError, "jaccard")
    assert partition_score(PATH, labels, labels, "jaccard", adjusted=False) == 1.0


def test_universes_that_are_no_vertices_are_refused():
    sides = [0, 0, 1, 1], [0, 1, 1, 1]
    check(lambda: cv.compare(*sides, graph=PATH, universe="both"), OptionError, "universe")
    check(lambda: cv.compare([{0, 1}], [{1, 2}], graph=PATH, universe=[0, 1]), UniverseError, "2")


def test_large_numbers_of_columns_of_two_types_are_exact():
    large = 2**53 + 1
    frame = pl.DataFrame({"from": pl.Series([large], dtype=pl.UInt64), "to": [5]})
    assert as_graph(frame).vertices == [5, large]


def test_products_of_the_adjacency_matrix_do_not_overflow():
    star = as_graph([(0, i) for i in range(1, 301)])
    assert (star.to_scipy() @ star.to_scipy())[0, 0] == 300


def test_a_graph_from_a_pickle_is_read_only():
    back = pickle.loads(pickle.dumps(as_graph([(0, 1)])))  # noqa: S301
    assert not any(array.flags.writeable for array in back.upper)
