"""Ambiguous files are rejected, or the description shows how they were read."""

import io
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from coverlap import Clustering, fstar_score, read_clustering, write_clustering
from coverlap.clustering.read import File, read_files
from coverlap.core.errors import CoverlapError, FileError, InputError
from coverlap.files.options import ReadOptions


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def refusal(name: str, text: str, format: str = "auto", **options: object) -> str:
    with pytest.raises(CoverlapError) as caught:
        read_clustering(write(name, text), format, **options)
    return str(caught.value)


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
    assert "line 1: " in refusal(name, text, format, **options)
    assert "looks like a header" in refusal(name, text, format, **options)


def test_a_comment_in_pairs_by_position_is_refused():
    assert "line 1: a comment" in refusal("a.csv", "#id,com\n1,5\n", **POSITIONS)


@pytest.mark.parametrize(
    ("name", "text", "sign"),
    [
        ("a.cnl", "1,2,3\n4,5\n", "','"), ("a.cmty", "# a, b\n1, 2, 3\n", "','"),
        ("a.cnl", "1;2\n", "';'"), ("com.dat", "1,5\n2,5\n", "','"),
        ("com.dat", "1\t2,3\n", "','"), ("com.dat", "1 2\n2 [3, 4]\n", "'['"),
    ],
)  # fmt: skip
def test_signs_that_may_part_fields_are_refused_until_the_delimiter_is_said(name, text, sign):
    assert f"{sign} where only spaces and tabs part fields" in refusal(name, text)


def test_signs_are_part_of_a_name_if_the_delimiter_says_so():
    c = read_clustering(write("a.cnl", "1,2 3\n"), delimiter=" ")
    assert c.to_clusters() == [{"1,2", "3"}]


def test_text_of_a_number_means_an_outlier_in_every_file():
    expected = Clustering.from_labels([0, 0, -1, None], objects=["a", "b", "c", "d"])
    labels = {"a": "0", "b": "0", "c": "-1", "d": "nan"}
    write("a.csv", "object,cluster\n" + "".join(f"{o},{c}\n" for o, c in labels.items()))
    write("a.json", '{"a": "0", "b": "0", "c": "-1", "d": "nan"}')
    import pyarrow as pa
    from pyarrow import feather, parquet

    table = pa.table({"object": list(labels), "cluster": list(labels.values())})
    parquet.write_table(table, "a.parquet")
    feather.write_feather(table, "a.feather")
    for name in ("a.csv", "a.json", "a.parquet", "a.feather"):
        assert read_clustering(name) == expected, name


@pytest.mark.parametrize("outlier_cluster", [1, "1"])
def test_an_outlier_cluster_is_meant_as_a_number_and_as_text(outlier_cluster):
    write("a.dat", "7\t1\n8\t2\n")
    write("a.json", '{"1": ["7"], "2": ["8"]}')
    one = read_clustering("a.dat", "object-lines", outlier_cluster=outlier_cluster)
    other = read_clustering("a.json", keys="clusters", outlier_cluster=outlier_cluster)
    assert one.n_outliers == other.n_outliers == 1


@pytest.mark.parametrize("outlier_label", [0, "0", ["0"], {0, "x"}])
def test_an_outlier_label_is_meant_as_a_number_and_as_text(outlier_label):
    assert read_clustering(write("a.labels", "0\n1\n"), outlier_label=outlier_label).n_outliers == 1


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
    message = refusal("a.cnl", "# Clusters: 5, Nodes: 9\n1 2\n3\n")
    assert message == "a.cnl, line 1: the header says 5 clusters, but there are 2"


def test_lists_beside_the_clusters_of_a_json_file_are_refused():
    assert "not 'outliers'" in refusal("a.json", '{"clusters": [[1]], "outliers": [2]}')
    c = read_clustering(write("a.json", '{"clusters": [[1]], "method": "x"}'))
    assert c.to_clusters() == [{1}]


@pytest.mark.parametrize("text", ["1 2\n1 2\n3 4\n3 4\n", "1,2\n1,2\n"])
def test_pairs_of_numbers_that_come_again_are_not_taken_for_labels(text: str):
    assert "can be read in" in refusal("a.txt", text)


def test_a_name_that_says_another_format_than_the_content_is_refused():
    assert "begins as 'graphml' does" in refusal("a.cmty.txt", "<html>\n</html>\n")
    assert "begins as 'json' does" in refusal("a.cnl", '{"a": 1}\n')


@pytest.mark.parametrize("data", ["a\n".encode("utf-16"), b"\x00\x01\x02", b"\xfd7zXZ\x00\x00"])
def test_what_is_no_text_is_not_called_ambiguous(data: bytes):
    Path("a.txt").write_bytes(data)
    with pytest.raises(InputError, match="no UTF-8 text"):
        read_clustering("a.txt")


def test_a_csv_file_may_have_semicolons():
    c = read_clustering(write("a.csv", "\ufeffobject;cluster\r\nann;x\r\nbob;x\r\n"))
    assert c.to_dict() == {"x": {"ann", "bob"}}
    assert c.describe().startswith("read as: semicolon-separated pairs")


@pytest.mark.parametrize("name", ["community_1.dat", "com1.dat", "community.dat", "com.dat"])
def test_files_of_lfr_and_abcd_are_known_by_name(name: str):
    assert read_clustering(write(name, "1\t1\n2\t1\n")).n_clusters == 1


def test_a_file_can_be_written_under_the_name_that_tells_its_format():
    c = Clustering.from_clusters([{1, 2}, {2, 3}])
    for name in ("out.cmty.txt", "community_out.dat"):
        write_clustering(c, name)
        assert read_clustering(name) == c


@pytest.mark.parametrize("text", ["source,target\nann,bob\n", "from,to\n1,2\n3,4\n"])
def test_the_header_of_edges_is_no_object(text: str):
    write("edges.csv", text)
    with pytest.raises(InputError, match="line 1"):
        fstar_score([{1}], [{1}], universe=Path("edges.csv"))


def test_a_universe_in_a_file_shares_the_type_of_the_ids():
    write("u.txt", "1\n2\n3\nx9\n")
    c = Clustering.from_clusters([{1, 2}, {3}])
    assert fstar_score(c, c, universe=Path("u.txt")) == 1.0


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
