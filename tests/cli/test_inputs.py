"""How files are read, as `coverlap compare` shows it."""

from functools import partial
from pathlib import Path

import pytest

from tests import naive
from tests.cli import runner

run = partial(runner.run, "compare")
run_json = partial(runner.run_json, "compare")
error_line = partial(runner.error_line, "compare")

SNAP = b"# a comment\n10\t20\t30\n30\t40\n"
LFR = b"10\t1\n20\t1\n30\t1 2\n40\t2\n"


def write_bytes(name: str, data: bytes) -> None:
    Path(name).write_bytes(data)


def test_how_each_file_was_read_is_reported_on_standard_error():
    write_bytes("truth.cmty.txt", SNAP + b"40\t30\n")
    write_bytes("community.dat", LFR)
    result = run("truth.cmty.txt", "community.dat")
    assert result.stderr == (
        "coverlap: truth.cmty.txt read as: one cluster per line; 1 comment line skipped; "
        "2 clusters, 4 objects, 1 object in several clusters, 1 duplicate cluster merged\n"
        "coverlap: community.dat read as: one object per line with its clusters; "
        "2 clusters, 4 objects, 1 object in several clusters\n"
    )
    named = ["--format-left", "cluster-lines", "--format-right", "object-lines"]
    assert run("truth.cmty.txt", "community.dat", *named).stderr == result.stderr


def test_an_ambiguous_file_is_an_error_until_a_format_is_given():
    write_bytes("truth.txt", b"1 2 3\n3 4\n")
    message = error_line("truth.txt", "truth.txt")
    assert "truth.txt can be read in 3 ways; say which by format= (--format-left): " in message
    clusters = run_json("truth.txt", "truth.txt", "--format", "cluster-lines")
    assert clusters["universe"]["n_objects"] == 4


def test_a_hint_names_the_option_of_the_file_that_it_is_about():
    write_bytes("community.dat", LFR)
    write_bytes("infomap.txt", b"10 20 30\n30 40\n")
    write_bytes("items.csv", b"item,group\n10,1\n")
    assert "(--format-right): " in error_line("community.dat", "infomap.txt")
    assert "(--format-left): " in error_line("infomap.txt", "community.dat")
    assert "(--format): " in runner.error_line("describe", "infomap.txt")
    assert error_line("community.dat", "items.csv").endswith(
        "items.csv, line 1: no column 'object' among 'item', 'group'; say which by object= "
        "(--object-right); if there is no header, give both by position, as in --object-right 0 "
        "--cluster-right 1"
    )


@pytest.mark.parametrize("command", ["compare", "scores", "matrix"])
def test_a_format_for_all_files_does_not_replace_the_one_that_a_name_tells(command: str):
    write_bytes("community.dat", LFR)
    write_bytes("infomap.txt", b"10 20 30\n30 40\n")
    for names in (["community.dat", "infomap.txt"], ["infomap.txt", "community.dat"]):
        message = runner.error_line(command, *names, "--format", "cluster-lines")
        assert message.startswith(
            "--format cluster-lines applies to all files, but the name of community.dat is that of "
            "format 'object-lines'; "
        )
    write_bytes("same.cnl", b"10 20 30\n30 40\n")
    args = ["infomap.txt", "same.cnl", "--format", "cluster-lines"]
    assert runner.run(command, *args).exit_code == 0


def test_a_format_replaces_that_of_all_names_or_of_the_side_that_it_is_given_for():
    write_bytes("a.csv", b"x\nx\ny\n")
    write_bytes("b.csv", b"0\n0\n1\n")
    write_bytes("c.txt", b"0\n0\n1\n")
    assert run_json("a.csv", "b.csv", "--format", "labels")["score"] == 1.0
    args = ["--format", "labels", "--format-left", "labels"]
    assert run_json("a.csv", "c.txt", *args)["score"] == 1.0
    assert run_json("a.csv", "c.txt", "--format-left", "labels", "--format", "auto")["score"] == 1.0


def test_a_header_of_labels_is_reported_although_the_format_is_given():
    write_bytes("a.txt", b"label\n0\n0\n1\n")
    result = run("a.txt", "a.txt", "--format", "labels")
    assert "one label per line; line 1, 'label', was read as a label but looks like a header; " in (
        result.stderr
    )


def test_an_option_for_one_side_replaces_the_one_for_both():
    write_bytes("a.dat", b"1\t1\n2\t2\n3\t2\n")
    write_bytes("b.dat", b"1\t1\n2\t1\n3\t1\n")
    args = ["a.dat", "b.dat", "--format", "object-lines", "--outlier-cluster-left", "1"]
    expected = naive.fstar([{2, 3}], [{1, 2, 3}], {1, 2, 3})
    for both in ([], ["--outlier-cluster", "2"]):
        found = run_json(*args, *both)
        assert found["score"] == pytest.approx(float(expected), abs=1e-15)


def test_an_option_for_both_sides_may_apply_to_one_format_only():
    write_bytes("truth.cmty.txt", SNAP)
    write_bytes("found.csv", b"who,club\n10,1\n20,1\n30,1\n30,2\n40,2\n")
    args = ["truth.cmty.txt", "found.csv", "--object", "who", "--cluster", "club"]
    assert run_json(*args)["score"] == 1.0
    message = "object means nothing in the format 'cluster-lines'"
    assert message in error_line("truth.cmty.txt", "truth.cmty.txt", "--object", "who")
    assert message in error_line("truth.cmty.txt", "found.csv", "--object-left", "who")


def test_columns_can_be_positions_and_a_delimiter_can_be_named():
    write_bytes("clusters.txt", b"r1;m1\nr1;m2\nr2;m3\n")
    args = ["--delimiter", "semicolon", "--format", "pairs", "--object", "1", "--cluster", "0"]
    found = run_json("clusters.txt", "clusters.txt", *args)
    assert found["clusterings"][0]["n_clusters"] == 2


def test_the_universe_can_be_the_vertices_of_a_graph():
    write_bytes("truth.cmty.txt", SNAP)
    write_bytes("graph.ungraph.txt", b"# Nodes: 6\n10\t50\n20\t30\n40\t60\n")
    args = ["truth.cmty.txt", "truth.cmty.txt", "--universe", "graph.ungraph.txt"]
    assert run_json(*args)["outliers"]["n_shared"] == 2


def test_a_side_can_be_standard_input():
    write_bytes("truth.cmty.txt", SNAP)
    result = run("truth.cmty.txt", "-", "--format-right", "object-lines", stdin=LFR)
    assert result.stdout.startswith("F*_wo = 1.000000   truth.cmty.txt (left) and standard input")


@pytest.mark.parametrize("args", [("-", "-"), (*"ab", "--universe", "-", "--graph", "-")])
def test_standard_input_can_be_read_only_once(args: tuple[str, ...]):
    assert error_line(*args) == "standard input (-) can be read only once"


def test_the_report_counts_the_universe_file_before_outliers_are_dropped():
    write_bytes("a.txt", b"0\n0\n1\n-1\n")
    write_bytes("ids", b"0\n1\n2\n3\n4\n")
    result = run("a.txt", "a.txt", "--universe", "ids", "--drop-outliers", "either")
    assert result.stderr.endswith("coverlap: ids read as: a universe of 5 objects\n")
