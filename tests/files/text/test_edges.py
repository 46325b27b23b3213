"""Files of edges, and files of edges with their clusters."""

from pathlib import Path

import pytest

import coverlap as cv
from coverlap.core.errors import FileError, InputError

SNAP = (
    b"# Undirected graph: ../../output/tiny.txt\n# Nodes: 4 Edges: 3\n# FromNodeId\tToNodeId\n"
    b"1\t2\n2\t3\n7\t3\n"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def edges_of(name: str, data: bytes) -> list[list[object]]:
    Path(name).write_bytes(data)
    return cv.graph.edges(name).tolist()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("tiny.ungraph.txt", SNAP),
        ("weighted.txt", b"1 2 0.5\n2 3 1\n7 3 7\n"),
        ("matrix.mtx.txt", b"% a comment\n1 2\n2 3\n3 7\n"),
        ("edges.csv", b"source,target\n1,2\n2,3\n7,3\n"),
        ("EDGES.CSV", b"Source,Target,Weight\n1,2,1\n2,3,1\n7,3,1\n"),
        ("edges.tsv", b"from\tto\n1\t2\n2\t3\n3\t7\n"),
        ("bare.csv", b"1,2\n2,3\n7,3\n"),
        ("both.txt", b"1 2\n2 1\n2 3\n3 7\n7 3\n3 3\n"),
        ("networkx.txt", b"1 2 {}\n2 3 {}\n7 3 {}\n"),
        ("id.csv", b"id,source,target\n90,1,2\n91,2,3\n92,7,3\n"),
        ("turned.csv", b"weight,to,from\n5,1,2\n5,2,3\n5,7,3\n"),
        ("blank.txt", b"\n1 2\n\n2 3\n7 3"),
    ],
)
def test_edges_are_read_from_each_line(name: str, data: bytes):
    assert edges_of(name, data) == [[1, 2], [2, 3], [3, 7]]


def test_vertices_can_be_text():
    assert edges_of("names.txt", b"bob ann\ncyd bob\n") == [["ann", "bob"], ["bob", "cyd"]]


def test_numbers_beside_text_are_text():
    assert edges_of("mixed.txt", b"007 7\n7 8\n") == [["007", "7"], ["7", "8"]]


def test_a_large_file_is_read_in_many_blocks():
    n = 300_000
    lines = b"".join(b"%d %d\n" % (i, i + 1) for i in range(n))
    Path("long.txt").write_bytes(b"# one comment\n" + lines)
    graph = cv.graph.as_graph("long.txt")
    assert (graph.n_vertices, graph.n_edges) == (n + 1, n)
    assert (graph.edges == [[i, i + 1] for i in range(n)]).all()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"1\n2\n", "line 1: one field, but an edge has two ends"),
        (b"left right\n1 2\n2 3\n", "line 1: 'left' looks like a header"),
        (b"object cluster\n1 2\n2 3\n", "the columns of a clustering"),
        (b"%%MatrixMarket matrix\n3 3 1\n1 2 5\n", "line 1: a matrix; read it by scipy.io.mmread"),
    ],
)
def test_what_is_no_list_of_edges_is_refused_with_its_line(data: bytes, message: str):
    with pytest.raises(InputError, match=message) as caught:
        edges_of("bad.txt", data)
    assert str(caught.value).startswith("graph: bad.txt")


def test_a_file_that_is_not_there_is_refused():
    with pytest.raises(FileError, match=r"^graph: none\.txt: "):
        cv.graph.as_graph("none.txt")


# Edges with their clusters


def test_edges_with_their_clusters_are_a_clustering_of_pairs():
    Path("links.edge2comm.txt").write_text("1\t2\tx\n2\t3\tx\n3\t2\ty\n5\t4\t-1\n")
    found = cv.read_clustering("links.edge2comm.txt")
    assert found.to_dict() == {"x": {(1, 2), (2, 3)}, "y": {(2, 3)}}
    assert found.n_objects == 3
    assert found.n_outliers == 1
    assert found.describe().splitlines()[0] == (
        "read as: one edge of a graph per line with its cluster"
    )


def test_a_format_for_edges_can_be_said():
    Path("links.csv").write_text("source,target,cluster\na,b,0\nb,c,0\n")
    found = cv.read_clustering("links.csv", "edge-lines")
    assert found.to_clusters() == [{("a", "b"), ("b", "c")}]


def test_outlier_labels_hold_for_edges():
    Path("links.txt").write_text("1 2 none\n2 3 x\n")
    found = cv.read_clustering("links.txt", "edge-lines", outlier_label="none")
    assert found.to_dict() == {"x": {(2, 3)}}
    assert found.n_outliers == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2\n2 3\n", "line 1: 2 fields; a clustering of edges has three"),
        ("1\n2\n", "line 1: one field"),
        ("1 2 x\n1 2\n", "line 2: 3 fields were expected"),
        ("1 2 0.25\n", "line 1: .* continuous number"),
        ("one two x\n1 2 y\n3 4 z\n", "line 1: 'one' looks like a header"),
    ],
)
def test_bad_edges_with_clusters_are_refused_with_their_line(text: str, message: str):
    Path("bad.txt").write_text(text)
    with pytest.raises(InputError, match=message):
        cv.read_clustering("bad.txt", "edge-lines")
