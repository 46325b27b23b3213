import tracemalloc
from pathlib import Path

import pytest

from coverlap import read_clustering
from tests.files.damage import BOM, read, refusal

NAME = "g.graphml"

EXAMPLE = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <desc>two triangles</desc>
  <key id="d0" for="node" attr.name="cluster" attr.type="string"><default>7</default></key>
  <key id="d1" for="node" attr.name="name" attr.type="string"/>
  <key id="d0" for="edge" attr.name="cluster" attr.type="string"/>
  <key id="d2" for="all" attr.name="kind" attr.type="string"/>
  <key id="d3" for="node" yfiles.type="nodegraphics"/>
  <graph edgedefault="undirected">
    <data key="d0">99</data>
    <node id="1"><data key="d0">[2, 7]</data><data key="d1">ann</data></node>
    <node id="2"><data key="d0"> 2 </data><data key="d1">b &amp; b</data></node>
    <node id="3"><data key="d1">carl</data><data key="d3"><y:ShapeNode>3</y:ShapeNode></data></node>
    <node id="4"><data key="d0"></data><data key="d1">dora</data></node>
    <node id="5"><data key="d0">-1</data><data key="d1">emil</data><port name="p"/></node>
    <edge source="1" target="2"><data key="d0">99</data></edge>
  </graph>
</graphml>
"""

KEY = '<key id="c" for="node" attr.name="cluster"/>'


def graphml(nodes: str, keys: str = KEY) -> str:
    return f"<graphml>\n{keys}\n<graph>\n{nodes}\n</graph>\n</graphml>\n"


def node(name: str, cluster: str) -> str:
    return f'<node id="{name}"><data key="c">{cluster}</data></node>'


A = node("a", "1")


def test_a_vertex_attribute_names_the_clusters():
    c = read(EXAMPLE, NAME)
    assert c.to_dict() == {2: {1, 2}, 7: {1, 3}}
    assert c.n_objects == 5
    assert "object in the node's id and cluster in attribute 'cluster'" in c.describe()


def test_another_attribute_can_name_the_objects():
    c = read(EXAMPLE, NAME, object="name")
    assert c.to_dict() == {2: {"ann", "b & b"}, 7: {"ann", "carl"}}


def test_lists_may_quote_their_labels():
    labels = {"a": "['T cell', &quot;B&quot;, 3,]", "b": "[]", "c": "[ 'T cell' ]", "d": "[3,B]"}
    c = read(graphml("".join(map(node, labels, labels.values())) + node("e", "B")), NAME)
    assert c.to_dict() == {3: {"a", "d"}, "B": {"a", "d", "e"}, "T cell": {"a", "c"}}
    assert c.n_objects == 5


def test_nodes_are_objects_in_nested_graphs_but_not_outside_of_graphs():
    stray = '<x><node id="s"><data key="c">3</data></node></x>'
    inner = f'<node id="b">{stray}<data key="c">2</data></node>'
    outer = f'<node id="a"><graph>{inner}</graph><data key="c">1</data></node>'
    assert read(graphml(outer + stray), NAME).to_dict() == {1: {"a"}, 2: {"b"}}


@pytest.mark.parametrize(
    "content",
    [
        EXAMPLE.replace("\n", "\r\n").encode(), BOM + EXAMPLE.encode(),
        EXAMPLE.replace("UTF-8", "UTF-16").encode("utf-16"), EXAMPLE.replace("\n", " ").encode(),
    ],
)  # fmt: skip
def test_line_ends_byte_order_marks_and_encodings_mean_nothing(content: bytes):
    assert read(content, NAME).to_dict() == {2: {1, 2}, 7: {1, 3}}


def declared(encoding: str) -> str:
    return f'<?xml version="1.0" encoding="{encoding}"?>' + graphml(node("é", "1"))


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "latin"])
def test_an_encoding_that_is_declared_is_read(encoding: str):
    assert read(declared(encoding).encode("latin-1"), NAME).to_dict() == {1: {"é"}}


@pytest.mark.parametrize("encoding", ["no-such", "shift_jis", "punycode", "zlib", "utf-7"])
def test_an_encoding_that_cannot_be_read_is_refused(encoding: str):
    assert "encoding" in refusal(declared(encoding), NAME)


@pytest.mark.parametrize(
    ("content", "place", "what"),
    [
        ("", "", "empty"),
        ("<graph/>", "", "'graph', not 'graphml'"),
        (EXAMPLE[: EXAMPLE.index("dora")], ", line 14", "not well-formed"),
        (EXAMPLE.encode().replace(b"carl", b"c\xe9rl"), ", line 13", "not well-formed"),
        (graphml('<node id="1">\0</node>'), ", line 4", "not well-formed"),
        (graphml(A + "<node/>"), "", "node 2 has no id"),
        (graphml('<node id=" "/>'), ", node ' '", "without a name"),
        (
            graphml(A + node(" a", "1")),
            ", node ' a'", "second node called 'a', after the one of node 'a'",
        ),
        (graphml(node("a", "1.5")), ", node 'a'", "1.5, a continuous number"),
        (graphml(node("a", "[1 2]")), ", node 'a'", "no list of labels"),
        (graphml(node("a", "<b>1</b>")), "", "an element inside 'data' of node 'a'"),
        (
            graphml(A.replace("</node>", '<data key="c">2</data></node>')),
            "", "a second value of 'cluster' for node 'a'",
        ),
        (graphml("</graph>\n<graph>"), "", "a second graph"),
        (graphml(A, KEY.replace("cluster", "x")), "", "'x'; say which"),
        (graphml(A, KEY.replace("node", "edge")), "", "none at all"),
        (graphml("", '<key id="c" attr.name="a"/><key id="c" attr.name="b"/>'), "", "second key"),
        (
            graphml("", '<key id="c" attr.name="cluster"><default><b/></default></key>'),
            "", "an element inside 'default'",
        ),
        (graphml(A, KEY + '<key attr.name="cluster"/>'), "", "two attributes"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(content: str | bytes, place: str, what: str):
    message = refusal(content, NAME)
    assert f"{NAME}{place}: " in message
    assert what in message


def test_a_node_without_the_attribute_of_objects_is_refused():
    content = graphml(A, KEY + '<key id="n" attr.name="name"/>')
    assert "node 'a' has no 'name'" in refusal(content, NAME, object="name")


@pytest.mark.parametrize(
    "declaration",
    [
        '[<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]',
        '[<!ENTITY a SYSTEM "file:///etc/passwd">]',
        'SYSTEM "http://example.com/graphml.dtd"',
    ],
)
def test_entities_are_never_declared(declaration: str):
    text = f"<?xml version='1.0'?>\n<!DOCTYPE graphml {declaration}>\n{graphml(node('&a;', '1'))}"
    assert "document type declaration" in refusal(text, NAME)


@pytest.mark.parametrize(
    "edges",
    [
        f'<edge source="{"a" * 60}" target="b"><data key="d">1</data></edge>' * 250_000,
        f"<desc>{'words ' * 6_000_000}</desc>",
        "<!-- words -->" * 2_000_000,
    ],
    ids=["elements", "text", "comments"],
)
def test_what_was_read_is_dropped(tmp_path: Path, edges: str):
    path = tmp_path / NAME
    path.write_text(graphml(A + edges))
    tracemalloc.start()
    assert read_clustering(path).n_objects == 1
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < len(edges) / 2
