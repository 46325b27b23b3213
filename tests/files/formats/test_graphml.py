from pathlib import Path

import igraph as ig
import networkx as nx
import pytest
from hypothesis import given, settings

from coverlap import read_clustering
from coverlap.core.errors import CoverlapError, OptionError
from tests.files.damage import BOM, broken_off, mutated, read, refusal, refused_line, survive, unmet

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


def graphml(nodes: str, keys: str = '<key id="c" for="node" attr.name="cluster"/>') -> str:
    return f"<graphml>\n{keys}\n<graph>\n{nodes}\n</graph>\n</graphml>\n"


def node(name: str, cluster: str) -> str:
    return f'<node id="{name}"><data key="c">{cluster}</data></node>'


def test_a_vertex_attribute_names_the_clusters():
    c = read(EXAMPLE, NAME)
    assert c.to_dict() == {2: {1, 2}, 7: {1, 3}}
    assert c.n_objects == 5
    assert "object in the node's id and cluster in attribute 'cluster'" in c.describe()


def test_another_attribute_can_name_the_objects():
    c = read(EXAMPLE, NAME, object="name")
    assert c.to_dict() == {2: {"ann", "b & b"}, 7: {"ann", "carl"}}


def test_outlier_labels_and_outlier_clusters():
    c = read(EXAMPLE, NAME, outlier_cluster=7)
    assert (c.to_dict(), c.n_objects) == ({2: {1, 2}}, 5)
    assert read(EXAMPLE, NAME, outlier_label=2).to_dict() == {-1: {5}, 7: {1, 3}}
    assert unmet(EXAMPLE, NAME)


def test_lists_may_quote_their_labels():
    nodes = [node("a", "['T cell', &quot;B&quot;, 3,]"), node("b", "[]"), node("c", "[ 'T cell' ]")]
    c = read(graphml("".join([*nodes, node("d", "[3,B]"), node("e", "B")])), NAME)
    assert c.to_dict() == {3: {"a", "d"}, "B": {"a", "d", "e"}, "T cell": {"a", "c"}}
    assert c.n_objects == 5


def test_nodes_of_nested_graphs_are_objects_too():
    inner = f"<graph>{node('b', '2')}</graph>"
    outer = f'<node id="a">{inner}<data key="c">1</data></node>'
    assert read(graphml(outer), NAME).to_dict() == {1: {"a"}, 2: {"b"}}


def test_a_graph_without_nodes_has_no_objects():
    assert read(graphml(""), NAME).n_objects == 0


def test_files_of_networkx(tmp_path: Path):
    graph = nx.Graph([("a b", "c"), ("c", "d")])
    nx.set_node_attributes(graph, {"a b": 1, "c": 2, "é<&>": 2}, "cluster")
    graph.add_node("é<&>", cluster=2)
    nx.write_graphml(graph, tmp_path / NAME)
    c = read_clustering(tmp_path / NAME)
    assert c.to_dict() == {1: {"a b"}, 2: {"c", "é<&>"}}
    assert c.n_objects == 4


def test_files_of_networkx_with_integer_nodes_and_text(tmp_path: Path):
    graph = nx.path_graph(12)
    nx.set_node_attributes(graph, {v: "even" if v % 2 == 0 else "odd" for v in graph}, "parity")
    nx.write_graphml(graph, tmp_path / NAME)
    c = read_clustering(tmp_path / NAME, cluster="parity")
    assert c.to_dict() == {"even": set(range(0, 12, 2)), "odd": set(range(1, 12, 2))}


def test_files_of_igraph(tmp_path: Path):
    graph = ig.Graph([(0, 1), (1, 2)])
    graph.vs["name"] = ["a", "b c", 'q"&é']
    graph.vs["cluster"] = [0, 1, None]
    graph.vs["kind"] = ["x", None, "x"]
    graph.write_graphml(str(tmp_path / NAME))
    c = read_clustering(tmp_path / NAME)
    assert (c.to_dict(), c.n_objects) == ({0: {"n0"}, 1: {"n1"}}, 3)
    c = read_clustering(tmp_path / NAME, object="name", cluster="kind")
    assert (c.to_dict(), c.n_objects) == ({"x": {"a", 'q"&é'}}, 3)


@pytest.mark.parametrize(
    "content",
    [
        EXAMPLE.replace("\n", "\r\n").encode(), BOM + EXAMPLE.encode(),
        EXAMPLE.replace("UTF-8", "UTF-16").encode("utf-16"), " ".join(EXAMPLE.split("\n")).encode(),
    ],
)  # fmt: skip
def test_line_ends_byte_order_marks_and_encodings_mean_nothing(content: bytes):
    assert read(content, NAME).to_dict() == {2: {1, 2}, 7: {1, 3}}


def test_an_encoding_that_is_declared_is_read():
    text = '<?xml version="1.0" encoding="ISO-8859-1"?>' + graphml(node("é", "1"))
    assert read(text.encode("latin-1"), NAME).to_dict() == {1: {"é"}}


@pytest.mark.parametrize("encoding", ["latin", "no-such", "shift_jis", "punycode", "zlib", "utf-7"])
def test_an_encoding_that_cannot_be_read_is_refused(encoding: str):
    text = f'<?xml version="1.0" encoding="{encoding}"?>' + graphml(node("é", "1"))
    if encoding == "latin":
        assert read(text.encode("latin-1"), NAME).n_objects == 1
    else:
        assert "encoding" in refusal(text.encode("utf-8"), NAME)


@pytest.mark.slow
def test_a_line_of_ten_megabytes():
    nodes = "".join(node(f"{i:07}", str(i % 3)) for i in range(220_000))
    c = read(graphml(nodes).replace("\n", ""), NAME)
    assert len(nodes) > 10_000_000
    assert c.n_objects == 220_000
    assert c.n_clusters == 3


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        ("", 1, "empty"),
        (" \n\n", 3, "not well-formed"),
        ("1 2\n", 1, "not well-formed"),
        ("<graph/>", 1, "'graph', not 'graphml'"),
        (EXAMPLE[: EXAMPLE.index("dora")], 14, "not well-formed"),
        (EXAMPLE[: EXAMPLE.index("</graph>")], 17, "not well-formed"),
        (EXAMPLE.encode().replace(b"carl", b"c\xe9rl"), 13, "not well-formed"),
        (graphml('<node id="1">\0</node>'), 4, "not well-formed"),
        (graphml("<node/>"), 4, "without an id"),
        (graphml('<node id=" "/>'), 4, "without a name"),
        (graphml(node("a", "1") + "\n" + node("a", "1")), 5, "second node called 'a', after"),
        (graphml(node("a", "1.5")), 4, "1.5, a continuous number"),
        (graphml(node("a", "[1 2]")), 4, "no list of labels"),
        (graphml(node("a", "[[1], [2]]")), 4, "no list of labels"),
        (graphml(node("a", "<b>1</b>")), 4, "an element inside 'data'"),
        (graphml(node("a", "1").replace("</node>", '<data key="c">2</data></node>')), 4, "second"),
        (graphml(node("a", "1")) + "<graphml/>", 7, "not well-formed"),
        (graphml("</graph>\n<graph>"), 5, "a second graph"),
        (graphml(node("a", "1"), "<desc/>"), 4, "none at all"),
        (graphml(node("a", "1"), '<key id="c" for="node" attr.name="x"/>'), 4, "'x'; say which"),
        (graphml(node("a", "1"), '<key id="c" for="edge" attr.name="cluster"/>'), 4, "none at all"),
        (graphml("", '<key id="c" attr.name="a"/><key id="c" attr.name="b"/>'), 2, "second key"),
        (
            graphml(node("a", "1"), '<key id="b" attr.name="cluster"/><key attr.name="cluster"/>'),
            4, "two attributes",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(content: str | bytes, line: int, what: str):
    assert refused_line(content, NAME) == line
    assert what in refusal(content, NAME)


def test_a_node_without_the_attribute_of_objects_is_refused():
    keys = '<key id="c" attr.name="cluster"/><key id="n" attr.name="name"/>'
    assert refused_line(graphml(node("a", "1"), keys), NAME, object="name") == 4


def test_positions_are_refused():
    for options in ({"object": 0}, {"cluster": 1}, {"object": "cluster"}):
        with pytest.raises(OptionError):
            read(EXAMPLE, NAME, **options)


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE graphml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>',
        '<!DOCTYPE graphml [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE graphml SYSTEM "http://example.com/graphml.dtd">',
    ],
)
def test_entities_are_never_declared(declaration: str):
    text = f"<?xml version='1.0'?>\n{declaration}\n" + graphml(node("&a;", "1"))
    assert refused_line(text, NAME) == 2
    assert "document type declaration" in refusal(text, NAME)


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_compressed_data_that_breaks_off_is_refused(share: float):
    assert "breaks off" in refusal(broken_off(EXAMPLE, share), NAME + ".gz")
    assert refused_line(broken_off(EXAMPLE, share), NAME + ".gz") >= 1


FRAGMENTS = (
    "<node", "</node>", "<data key='d0'>", "</data>", "<graph>", "</graph>", "<key", "id=", "'",
    '"', "&amp;", "&x;", "<!DOCTYPE a [", "]>", "<![CDATA[", "<!--", "-->", "<?x?>", "[", "]", ",",
    "1.5", "UTF-16", "latin-1", "d0", "d1", "\0", "\r", "xmlns='x'", "y:",
)  # fmt: skip


@pytest.mark.slow
@given(mutated(EXAMPLE, FRAGMENTS))
@settings(max_examples=300, deadline=None)
def test_whatever_the_text_only_our_errors_escape(data: bytes):
    survive(data, NAME)


@pytest.mark.parametrize("size", range(0, len(EXAMPLE) - 1, 7))
def test_a_file_that_was_cut_off_is_never_a_clustering(size: int):
    with pytest.raises(CoverlapError):
        read(EXAMPLE[:size], NAME)


def test_a_node_outside_a_graph_is_no_object():
    stray = '<x><node id="s"><data key="c">3</data></node></x>'
    inside = f'<node id="b">{stray}<data key="c">2</data></node>'
    assert read(graphml(f"{node('a', '1')}{stray}{inside}"), NAME).to_dict() == {1: {"a"}, 2: {"b"}}
