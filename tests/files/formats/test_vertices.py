"""What GML and GraphML have in common."""

from pathlib import Path

import igraph as ig
import networkx as nx
import pytest

from coverlap import read_clustering
from tests.files.damage import read
from tests.files.formats.test_graphml import graphml, node

KINDS = pytest.mark.parametrize("kind", ["gml", "graphml"])


@KINDS
def test_files_of_networkx(kind: str, tmp_path: Path):
    path = tmp_path / f"g.{kind}"
    graph = nx.Graph([("a b", "c"), ("c", "d")])
    graph.add_node('"é<&>"', cluster=2)
    nx.set_node_attributes(graph, {"a b": 1, "c": 2}, "cluster")
    numbers = nx.path_graph(range(10, 22))
    nx.set_node_attributes(numbers, {v: float(v % 3) for v in numbers}, "cluster")
    for written, clusters in (
        (graph, {1: {"a b"}, 2: {"c", '"é<&>"'}}),
        (numbers, {rest: {v for v in range(10, 22) if v % 3 == rest} for rest in range(3)}),
    ):
        getattr(nx, f"write_{kind}")(written, path)
        c = read_clustering(path)
        assert (c.to_dict(), c.n_objects) == (clusters, len(written))


@KINDS
def test_files_of_igraph(kind: str, tmp_path: Path):
    path = tmp_path / f"g.{kind}"
    graph = ig.Graph([(0, 1), (1, 2)])
    graph.vs["name"] = ["a", "b\nc", 'q"&é']
    graph.vs["cluster"] = [0, 1, None]
    graph.vs["kind"] = ["x", None, "x"]
    graph.write(str(path))
    c = read_clustering(path)
    ids = {"gml": [0, 1, 2], "graphml": ["n0", "n1", "n2"]}[kind]
    assert (c.to_dict(), c.objects) == ({0: {ids[0]}, 1: {ids[1]}}, ids)
    c = read_clustering(path, object="name", cluster="kind")
    assert (c.to_dict(), c.n_objects) == ({"x": {"a", 'q"&é'}}, 3)


EMPTY = {"gml": "graph [{}]", "graphml": graphml("{}").replace("\n", "")}


@KINDS
def test_a_graph_without_nodes_has_no_objects(kind: str):
    assert read(EMPTY[kind].format(""), f"g.{kind}").n_objects == 0


@pytest.mark.slow
@KINDS
def test_a_line_of_ten_megabytes(kind: str):
    one = {"gml": "node[id {:032} cluster {}]", "graphml": node("{:07}", "{}")}[kind]
    content = EMPTY[kind].format("".join(one.format(i, i % 3) for i in range(220_000)))
    c = read(content, f"g.{kind}")
    assert len(content) > 10_000_000
    assert (c.n_objects, c.n_clusters) == (220_000, 3)
