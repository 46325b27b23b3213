from pathlib import Path

import networkx as nx
import pytest

from coverlap import read_clustering
from tests.files.damage import BOM, read, refusal, refused_line

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
  edge [ source 1 target 2 value 99 label "]" ]
  edge [ source 1 target 3 graphics [ value 1 ] ]
]
"""

OTHER = 'graph [ node [ id 1 cluster 2 ] node [ id 2 name "b" cluster 2 ] node [ id 3 ] ]'


def test_a_vertex_attribute_names_the_clusters():
    c = read(EXAMPLE, NAME, cluster="value")
    assert c.to_dict() == {2: {"ann", 'b & "b"'}, 7: {"ann", "carl"}, "T cell": {"carl"}}
    assert c.n_objects == 5
    assert "object in attribute 'label' and cluster in attribute 'value'" in c.describe()


def test_objects_are_ids_if_a_node_has_no_label():
    c = read(OTHER, NAME)
    assert (c.to_dict(), c.n_objects) == ({2: {1, 2}}, 3)
    assert "object in attribute 'id'" in c.describe()


def test_lists_of_networkx_name_several_clusters(tmp_path: Path):
    graph = nx.Graph()
    clusters = {"a": [1, 2], "b": [2], "c": [], "d": float("nan"), "e": True}
    graph.add_nodes_from((name, {"cluster": value}) for name, value in clusters.items())
    nx.write_gml(graph, tmp_path / NAME)
    c = read_clustering(tmp_path / NAME)
    assert (c.to_dict(), c.n_objects) == ({1: {"a", "e"}, 2: {"a", "b"}}, 5)


@pytest.mark.parametrize(
    "content",
    [
        *(OTHER.replace(" ", end).encode() for end in ("\r\n", "\r", "#]\n")),
        OTHER.replace(" [ ", "[").replace(" ] ", "]").encode(), BOM + OTHER.encode(),
    ],
)  # fmt: skip
def test_line_ends_spaces_and_byte_order_marks_mean_nothing(content: bytes):
    assert read(content, NAME).to_dict() == {2: {1, 2}}


def graph(inside: str) -> str:
    return f"graph [\n{inside}\n]\n"


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        ("", 1, "empty"),
        ("Creator 1", 1, "no graph"),
        (EXAMPLE.encode().replace(b"carl", b"c\xe9rl"), 10, "not UTF-8 text"),
        (EXAMPLE[: EXAMPLE.index("carl")], 10, "a quote is opened and never closed"),
        (EXAMPLE[: EXAMPLE.index("  node [\n")], 7, "the file ends inside 'graph ['"),
        (EXAMPLE[: EXAMPLE.index("emil") + 5], 14, "the file ends inside 'node ['"),
        (EXAMPLE + "]", 18, "a closing bracket where none is open"),
        (EXAMPLE + "graph [ ]", 18, "a second graph"),
        (graph("node [ cluster 1 ]"), 2, "a node without an id"),
        (graph("node [ id 1 id 2 cluster 1 ]"), 2, "a node must have one 'id'"),
        (graph("node [ id 1 cluster ]"), 2, "'cluster ]' is no key"),
        (graph("node [ id 1 cluster [ 1 2 ] ]"), 2, "not a list in brackets"),
        (graph("node [ id 1 cluster a ]"), 2, "'a' is no number"),
        (graph("node [ id 1 cluster 0.5 ]"), 2, "0.5, a continuous number"),
        (graph("node [ id 1 cluster 1 ]\nnode [ id 1 ]"), 3, "a second node called '1'"),
        (graph('node [ id 1 label "a" cluster 1 ]\nnode [ id 2 label "a" ]'), 3, "say object='id'"),
        (graph("node [ id 1 value 1 ]"), 2, "but 'id', 'value'; say which"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(content: str | bytes, line: int, what: str):
    message = refusal(content, NAME)
    assert f"{NAME}, line {line}: " in message
    assert what in message


@pytest.mark.parametrize("text", ["graph [" + " " * 100_000, "#" * 100_000, "a " * 50_000 + "]"])
def test_long_and_wrong_texts_take_no_long_time(text: str):
    assert refused_line(text, NAME) == 1
