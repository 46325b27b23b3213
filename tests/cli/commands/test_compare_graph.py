"""``coverlap compare --graph``."""

from functools import partial
from pathlib import Path

import pytest

from tests.cli import runner

run = partial(runner.run, "compare")
run_json = partial(runner.run_json, "compare")
error_line = partial(runner.error_line, "compare")

PATH = "# a path\n1 2\n2 3\n3 4\n4 5\n5 6\n"


@pytest.fixture(autouse=True)
def files() -> None:
    Path("path.ungraph.txt").write_text(PATH)
    Path("truth.cmty.txt").write_text("1\t2\t3\n4\t5\t6\n")
    Path("found.cmty.txt").write_text("1\t2\n3\t4\t5\n")


def test_both_scores_are_at_the_top():
    lines = run("truth.cmty.txt", "found.cmty.txt", "--graph", "path.ungraph.txt").stdout
    # Vertices: {1,2,3} and {4,5,6} against {1,2} and {3,4,5}: 19/36.
    # Edges 0..4 of the path. Left: {0,1}, {3,4}, outlier 2; right: {0}, {2,3}, outliers 1 and 4.
    # Left to right: 4/5 (1/2 * 1/2 + 1/2 * 1/3); right to left: 3/5 (1/3 * 1/2 + 2/3 * 1/3).
    first, second = lines.splitlines()[:2]
    assert first == "F*_wo = 0.527778   truth.cmty.txt (left) and found.cmty.txt (right)"
    assert second == "F*_wo = 0.283333   of the graph's edges"
    assert max(map(len, lines.splitlines())) <= 80


def test_how_the_graph_was_read_is_reported_on_standard_error():
    Path("loops.txt").write_text(PATH + "3 3\n")
    result = run("truth.cmty.txt", "found.cmty.txt", "--graph", "loops.txt")
    assert result.stderr.splitlines()[-1] == (
        "coverlap: loops.txt read as: a graph of 6 vertices and 5 edges; 1 loop dropped"
    )


def test_json_has_the_comparison_of_the_edges():
    Path("path.ungraph.txt").write_text(PATH + "6 7\n7 8\n")
    facts = run_json("truth.cmty.txt", "found.cmty.txt", "--graph", "path.ungraph.txt")
    assert facts["edges"]["universe"]["n_objects"] == 7
    assert (facts["edges"]["edges"], facts["notes"]) == (None, [])
    assert facts["universe"]["rule"] == "vertices of the graph"
    assert facts["outliers"] == {"n_left": 2, "n_right": 3, "n_shared": 2, "similarity": 2 / 3}


def test_a_side_can_be_a_clustering_of_edges():
    Path("links.edge2comm.txt").write_text("1 2 0\n3 2 0\n6 5 1\n4 5 1\n")
    result = run("truth.cmty.txt", "links.edge2comm.txt", "--graph", "path.ungraph.txt")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("F*_wo = 1.000000 ")
    assert lines[1].startswith("F*_wo = 1.000000 ")
    assert lines[2].startswith("note: right is a clustering of edges: ")
    assert "closure" in lines[3]


def test_ids_have_one_type_in_all_three_files():
    Path("path.ungraph.txt").write_text("007 1\n1 2\n2 3\n")
    Path("left.txt").write_text("1 2\n3\n")
    Path("right.txt").write_text("1 2 3\n")
    args = ("left.txt", "right.txt", "--format", "cluster-lines", "--graph", "path.ungraph.txt")
    facts = run_json(*args)
    assert (facts["universe"]["n_objects"], facts["edges"]["universe"]["n_objects"]) == (4, 3)


def test_a_universe_names_the_vertices_without_edges():
    Path("found.cmty.txt").write_text("1\t2\n3\t4\t5\t9\n")
    args = ("truth.cmty.txt", "found.cmty.txt", "--graph", "path.ungraph.txt")
    assert "no vertices of the graph: 9; a list of edges does not tell" in error_line(*args)
    Path("ids.txt").write_text("\n".join(map(str, range(1, 10))))
    assert run_json(*args, "--universe", "ids.txt")["universe"]["n_objects"] == 9


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        ("truth.cmty.txt", "graph: truth.cmty.txt, line 1: 5 fields"),
        ("names.txt",
         "the ids of the clustering are integers (1, ...) and those of graph: names.txt"),
    ],
)  # fmt: skip
def test_a_bad_graph_file_is_reported_in_one_line(graph: str, message: str):
    Path("truth.cmty.txt").write_text("1\t2\t3\t4\t5\n4\t5\t6\n")
    Path("names.txt").write_text("ann bob\nbob cyd\n")
    assert error_line("truth.cmty.txt", "found.cmty.txt", "--graph", graph).startswith(message)


def test_standard_input_can_be_the_graph_and_nothing_else():
    result = run("truth.cmty.txt", "found.cmty.txt", "--graph", "-", stdin=PATH)
    assert result.stdout.splitlines()[1] == "F*_wo = 0.283333   of the graph's edges"
    args = ("-", "--format-left", "cluster-lines", "found.cmty.txt", "--graph", "-")
    assert error_line(*args, stdin=PATH) == "standard input (-) can be read only once"


def test_matches_do_not_overwrite_the_graph():
    args = ("truth.cmty.txt", "found.cmty.txt", "--graph", "path.ungraph.txt")
    assert "would overwrite" in error_line(*args, "--matches", "path.ungraph.txt")


def test_a_clustering_of_edges_needs_a_graph_beside_one_of_vertices():
    Path("links.edge2comm.txt").write_text("1 2 0\n3 2 0\n")
    assert error_line("truth.cmty.txt", "links.edge2comm.txt").startswith(
        "one side is a clustering of edges and the other is not; use --graph"
    )
    assert run("links.edge2comm.txt", "links.edge2comm.txt").exit_code == 0


def test_how_files_were_read_is_reported_for_text_ids_too():
    Path("path.ungraph.txt").write_text("a b\nb c\n7 a\n")
    Path("truth.cmty.txt").write_text("a\tb\n7\n")
    result = run("truth.cmty.txt", "truth.cmty.txt", "--graph", "path.ungraph.txt")
    assert result.stderr.startswith(
        "coverlap: truth.cmty.txt read as: one cluster per line; 2 clusters, 3 objects\n"
    )
