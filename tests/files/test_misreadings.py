"""Ambiguous files are rejected, or the description shows how they were read."""

import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from coverlap import Clustering, read_clustering, write_clustering
from coverlap.clustering.read import File, read_files
from coverlap.core.errors import FileError
from coverlap.files.options import ReadOptions
from tests.files.support import arrow_bytes, arrow_table, parquet_bytes, refusal


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


POSITIONS = {"object": 0, "cluster": 1}


@pytest.mark.parametrize(
    ("name", "text", "format", "options"),
    [
        ("a.csv", "id,community\n1,5\n2,5\n", "pairs", POSITIONS),
        ("a.csv", "id,community\nann,5\nbob,6\n", "pairs", POSITIONS),
        ("a.txt", "node community\n1 5\n2 5\n", "object-lines", {}),
        ("a.cnl", "members\n1 2\n2 3\n", "auto", {}),
        ("a.cnl", "the members\n1 2\n2 3\n", "auto", {}),
    ],
)
def test_a_header_where_there_can_be_none_is_refused(name, text, format, options):
    message = refusal(text, name, format, **options)
    assert "line 1: " in message
    assert "looks like a header" in message


def test_a_comment_in_pairs_by_position_is_refused():
    assert "line 1: a comment" in refusal("#id,com\n1,5\n", "a.csv", **POSITIONS)


@pytest.mark.parametrize(
    ("name", "text", "sign"),
    [
        ("a.cnl", "1,2,3\n4,5\n", "','"), ("a.cmty", "# a, b\n1, 2, 3\n", "','"),
        ("a.cnl", "1;2\n", "';'"), ("com.dat", "1,5\n2,5\n", "','"),
        ("com.dat", "1\t2,3\n", "','"), ("com.dat", "1 2\n2 [3, 4]\n", "'['"),
    ],
)  # fmt: skip
def test_signs_that_may_part_fields_are_refused_until_the_delimiter_is_said(name, text, sign):
    assert f"{sign} where only spaces and tabs part fields" in refusal(text, name)


def test_signs_are_part_of_a_name_if_the_delimiter_says_so():
    c = read_clustering(write("a.cnl", "1,2 3\n"), delimiter=" ")
    assert c.to_clusters() == [{"1,2", "3"}]


def test_text_of_a_number_means_an_outlier_in_every_file():
    expected = Clustering.from_labels([0, 0, -1, None], objects=["a", "b", "c", "d"])
    labels = {"a": "0", "b": "0", "c": "-1", "d": "nan"}
    write("a.csv", "object,cluster\n" + "".join(f"{o},{c}\n" for o, c in labels.items()))
    write("a.json", json.dumps(labels))
    table = arrow_table(object=list(labels), cluster=list(labels.values()))
    Path("a.parquet").write_bytes(parquet_bytes(table))
    Path("a.feather").write_bytes(arrow_bytes(table))
    for name in ("a.csv", "a.json", "a.parquet", "a.feather"):
        assert read_clustering(name) == expected, name


@pytest.mark.parametrize("one", [1, "1"])
def test_outlier_clusters_and_labels_are_meant_as_a_number_and_as_text(one):
    for name, text, options in (
        ("com.dat", "7\t1\n8\t2\n", {"outlier_cluster": one}),
        ("a.json", '{"1": ["7"], "2": ["8"]}', {"outlier_cluster": one, "keys": "clusters"}),
        ("a.labels", "1\n2\n", {"outlier_label": one}),
        ("a.labels", "1\n2\n", {"outlier_label": {one, "x"}}),
    ):
        assert read_clustering(write(name, text), **options).n_outliers == 1


def test_an_outlier_cluster_for_both_files_leaves_lines_without_names_alone():
    write("com.dat", "7\t1\n8\t2\n9\t2\n")
    write("a.cnl", "7\n8 9\n")
    shared = ReadOptions(outlier_cluster=1)
    files = [
        File(name, options=shared, shared=frozenset({"outlier_cluster"}))
        for name in ("com.dat", "a.cnl")
    ]
    left, right = read_files(files)
    assert (left.n_outliers, right.n_clusters) == (1, 2)


def test_a_header_that_says_more_than_is_there_is_refused():
    message = refusal("# Clusters: 5, Nodes: 9\n1 2\n3\n", "a.cnl")
    assert message.endswith("a.cnl, line 1: the header says 5 clusters, but there are 2")


def test_lists_beside_the_clusters_of_a_json_file_are_refused():
    assert "not 'outliers'" in refusal('{"clusters": [[1]], "outliers": [2]}', "a.json")
    c = read_clustering(write("a.json", '{"clusters": [[1]], "method": "x"}'))
    assert c.to_clusters() == [{1}]


def test_a_name_that_says_another_format_than_the_content_is_refused():
    assert "begins as 'graphml' does" in refusal("<html>\n</html>\n", "a.cmty.txt")
    assert "begins as 'json' does" in refusal('{"a": 1}\n', "a.cnl")


def test_a_file_can_be_written_under_the_name_that_tells_its_format():
    c = Clustering.from_clusters([{1, 2}, {2, 3}])
    for name in ("out.cmty.txt", "community_out.dat"):
        write_clustering(c, name)
        assert read_clustering(name) == c


def test_closed_standard_streams_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(FileError, match="standard input: it is closed"):
        read_clustering("-", "labels")
    with redirect_stdout(io.StringIO()), pytest.raises(FileError, match="takes no bytes"):
        write_clustering(Clustering.from_labels([0]), "-", "labels")


@pytest.mark.skipif(sys.platform == "win32", reason="modes are those of POSIX")
def test_a_file_keeps_its_mode_when_it_is_written_again():
    Path("a.json").touch(mode=0o600)
    write_clustering(Clustering.from_labels([0]), "a.json")
    assert Path("a.json").stat().st_mode & 0o777 == 0o600
