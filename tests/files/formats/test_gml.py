from pathlib import Path

import igraph as ig
import networkx as nx
import pytest
from hypothesis import given, settings

from coverlap import read_clustering
from coverlap.core.errors import CoverlapError, OptionError
from tests.files.damage import BOM, broken_off, mutated, read, refusal, refused_line, survive, unmet

NAME = "g.gml"

EXAMPLE = """\
Creator "someone"  # and a comment
# another [ comment " with signs
graph
[
  comment "a ] in quotes"
  node [ id 1 label "ann" value 2 value 7 graphics [ x 1.5 value 99 ] ]
  node [ id 2 label "b &#38; &quot;b&quot;" value 2 ]
  node [
    id 3
    label "carl"
    value "[7, 'T cell']"
  ]
  node [ id 4 label "dora" value "" ]
  node [ id 5 label "emil" value -1 ]
  node [ id 6 label "fay" ]
  edge [ source 1 target 2 value 99 label "]" ]
  edge [ source 1 target 3 graphics [ value 1 ] ]
]
"""

OTHER = 'graph [ node [ id 1 cluster 2 ] node [ id 2 name "b" cluster 2 ] node [ id 3 ] ]'


def test_a_vertex_attribute_names_the_clusters():
    c = read(EXAMPLE, NAME, cluster="value")
    assert c.to_dict() == {2: {"ann", 'b & "b"'}, 7: {"ann", "carl"}, "T cell": {"carl"}}
    assert c.n_objects == 6
    assert "object in attribute 'label' and cluster in attribute 'value'" in c.describe()


def test_objects_are_ids_if_a_node_has_no_label():
    c = read(OTHER, NAME)
    assert (c.to_dict(), c.n_objects) == ({2: {1, 2}}, 3)
    assert "object in attribute 'id'" in c.describe()


def test_another_attribute_can_name_the_objects():
    c = read(EXAMPLE, NAME, object="id", cluster="value")
    assert c.to_dict() == {2: {1, 2}, 7: {1, 3}, "T cell": {3}}


def test_outlier_labels_and_outlier_clusters():
    c = read(EXAMPLE, NAME, object="id", cluster="value", outlier_cluster=7)
    assert (c.to_dict(), c.n_objects) == ({2: {1, 2}, "T cell": {3}}, 6)
    c = read(EXAMPLE, NAME, object="id", cluster="value", outlier_label={2, "T cell"})
    assert c.to_dict() == {-1: {5}, 7: {1, 3}}
    assert unmet(EXAMPLE, NAME, cluster="value")


def test_a_graph_without_nodes_has_no_objects():
    assert read("graph [ ]", NAME).n_objects == 0


def test_files_of_networkx(tmp_path: Path):
    graph = nx.Graph([("a b", "c"), ("c", "d"), ("d", "e")])
    graph.add_node('"é"', cluster=True)
    clusters = {"a b": [1, 2], "c": [2], "d": [], "e": float("nan")}
    nx.set_node_attributes(graph, clusters, "cluster")
    nx.write_gml(graph, tmp_path / NAME)
    c = read_clustering(tmp_path / NAME)
    assert c.to_dict() == {1: {"a b", '"é"'}, 2: {"a b", "c"}}
    assert c.n_objects == 5


def test_files_of_networkx_with_integer_nodes_and_floats(tmp_path: Path):
    graph = nx.path_graph(range(10, 22))
    nx.set_node_attributes(graph, {v: float(v % 3) for v in graph}, "rest")
    nx.write_gml(graph, tmp_path / NAME)
    c = read_clustering(tmp_path / NAME, cluster="rest")
    assert c.to_dict() == {rest: {v for v in graph if v % 3 == rest} for rest in range(3)}


def test_files_of_igraph(tmp_path: Path):
    graph = ig.Graph([(0, 1), (1, 2)])
    graph.vs["name"] = ["a", "b\nc", 'q"&é']
    graph.vs["cluster"] = [0, 1, None]
    graph.vs["kind"] = ["x", None, "x"]
    graph.write_gml(str(tmp_path / NAME))
    c = read_clustering(tmp_path / NAME)
    assert (c.to_dict(), c.n_objects) == ({0: {0}, 1: {1}}, 3)
    c = read_clustering(tmp_path / NAME, object="name", cluster="kind")
    assert (c.to_dict(), c.n_objects) == ({"x": {"a", 'q"&é'}}, 3)


@pytest.mark.parametrize(
    "content",
    [
        OTHER.replace(" ", "\r\n").encode(), OTHER.replace(" ", "\r").encode(),
        OTHER.replace(" ", "#]\n").encode(), OTHER.replace(" [ ", "[").replace(" ] ", "]").encode(),
        BOM + OTHER.encode(),
    ],
)  # fmt: skip
def test_line_ends_spaces_and_byte_order_marks_mean_nothing(content: bytes):
    assert read(content, NAME).to_dict() == {2: {1, 2}}


@pytest.mark.slow
def test_a_line_of_ten_megabytes():
    nodes = "".join(f"node[id {i:032} cluster {i % 3}]" for i in range(200_000))
    c = read(f"graph [ {nodes} ]", NAME)
    assert len(nodes) > 10_000_000
    assert c.n_objects == 200_000
    assert c.n_clusters == 3


def graph(inside: str) -> str:
    return f"graph [\n{inside}\n]\n"


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        ("", 1, "empty"),
        ("\n\n", 1, "empty"),
        ("1 2\n", 1, "'1 2' is no key"),
        ("Creator 1", 1, "no graph"),
        ("graph 1", 1, "no graph"),
        (EXAMPLE.encode().replace(b"carl", b"c\xe9rl"), 10, "not UTF-8 text"),
        (EXAMPLE.replace("carl", "c\0rl"), 10, "null character"),
        (EXAMPLE[: EXAMPLE.index("carl")], 10, "a quote is opened and never closed"),
        (EXAMPLE[: EXAMPLE.index("  node [\n")], 7, "the file ends inside 'graph ['"),
        (EXAMPLE[: EXAMPLE.index("fay") + 4], 15, "the file ends inside 'node ['"),
        (EXAMPLE + "]", 19, "a closing bracket where none is open"),
        (EXAMPLE + "graph [ ]", 19, "a second graph"),
        (graph("node [ cluster 1 ]"), 2, "a node without an id"),
        (graph("node [ id 1 id 2 cluster 1 ]"), 2, "a node must have one 'id'"),
        (graph("node [ id 1 cluster ]"), 2, "'cluster ]' is no key"),
        (graph("node [ id 1 cluster [ 1 2 ] ]"), 2, "not a list in brackets"),
        (graph("node [ id 1 cluster a ]"), 2, "'a' is no number"),
        (graph("node [ id 1 cluster 0.5 ]"), 2, "0.5, a continuous number"),
        (graph('node [ id 1 cluster "[1 2]" ]'), 2, "no list of labels"),
        (graph("node [ id 1 cluster 1 ]\nnode [ id 1 ]"), 3, "a second node called '1'"),
        (graph('node [ id 1 label "a" cluster 1 ]\nnode [ id 2 label "a" ]'), 3, "say object='id'"),
        (graph("node [ id 1 value 1 ]"), 2, "but 'id', 'value'; say which"),
        (graph("node [ id 1 cluster 1 ]\n12 ]"), 3, "'12 ]' is no key"),
        (graph("node id 1 cluster 1 ]"), 2, "'id' is no number"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(content: str | bytes, line: int, what: str):
    assert refused_line(content, NAME) == line
    assert what in refusal(content, NAME)


def test_positions_are_refused():
    for options in ({"object": 0}, {"cluster": 1}, {"object": "cluster"}):
        with pytest.raises(OptionError):
            read(EXAMPLE, NAME, **options)


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_compressed_data_that_breaks_off_is_refused(share: float):
    assert refused_line(broken_off(EXAMPLE, share), NAME + ".gz") >= 1


FRAGMENTS = (
    "graph [", "node [", "]", "[", "id ", "id 1", "label ", "cluster ", "cluster 3", '"', "#", "\n",
    '"[1, 2]"', "&quot;", "&#99999999999;", "&#0;", "&#xd800;", "nan", "-", "1.5", "1e999",
    "edge [", "\0", "\r",
)  # fmt: skip


@pytest.mark.slow
@given(mutated(EXAMPLE.replace("value", "cluster"), FRAGMENTS))
@settings(max_examples=300, deadline=None)
def test_whatever_the_text_only_our_errors_escape(data: bytes):
    survive(data, NAME)


@pytest.mark.parametrize("size", range(0, len(EXAMPLE) - 2, 7))
def test_a_file_that_was_cut_off_is_never_a_clustering(size: int):
    with pytest.raises(CoverlapError):
        read(EXAMPLE[:size], NAME, cluster="value")


@pytest.mark.parametrize("text", ["graph [" + " " * 100_000, "#" * 100_000, "a " * 50_000 + "]"])
def test_long_and_wrong_texts_take_no_long_time(text: str):
    assert refused_line(text, NAME) == 1
