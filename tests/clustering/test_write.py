"""What is written, byte for byte, and what is rejected."""

import json
import stat
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from coverlap import Clustering, read_clustering, write_clustering
from coverlap.core.errors import CoverlapError, FileError, InputError, InputTypeError, OptionError

CLUBS = Clustering.from_clusters(
    {"x": ["ann", "bob"], "y": ["bob"]}, universe=["ann", "bob", "cyd"]
)
NUMBERS = Clustering.from_clusters({7: [0, 2], 9: [1]}, universe=4)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def files() -> list[str]:
    return [path.name for path in Path().iterdir()]


def written(clustering: Clustering, name: str, *args: object, **options: object) -> str:
    write_clustering(clustering, name, *args, **options)
    assert files() == [name]
    return Path(name).read_bytes().decode()


def refused(clustering: Clustering, name: str, *args: object, **options: object) -> str:
    """Return why a clustering is not written; the existing file must not change."""
    Path(name).write_bytes(b"before")
    with pytest.raises(CoverlapError) as caught:
        write_clustering(clustering, name, *args, **options)
    assert Path(name).read_bytes() == b"before"
    assert files() == [name]
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_pairs_have_a_header_and_outliers_an_empty_cluster():
    assert written(CLUBS, "a.csv") == "object,cluster\nann,x\nbob,x\nbob,y\ncyd,\n"


def test_the_names_of_files_and_columns_and_the_delimiter_can_be_chosen():
    options = {"object": "id, of it", "cluster": "c"}
    assert written(CLUBS, "a.csv", **options).startswith('"id, of it",c\nann,x\n')
    Path("a.csv").unlink()
    assert written(CLUBS, "a.tsv") == "object\tcluster\nann\tx\nbob\tx\nbob\ty\ncyd\t\n"
    Path("a.tsv").unlink()
    assert written(CLUBS, "a", "pairs", delimiter=" ") == (
        "object cluster\nann x\nbob x\nbob y\ncyd NA\n"
    )


def test_object_lines_cluster_lines_and_labels():
    assert written(CLUBS, "com.dat", "object-lines") == "ann\tx\nbob\tx y\ncyd\n"
    Path("com.dat").unlink()
    assert written(CLUBS, "a.cnl", outliers=False) == "ann\tbob\nbob\n"
    Path("a.cnl").unlink()
    assert written(NUMBERS, "a.labels") == "7\n9\n7\n-1\n"


def test_json_has_objects_clusters_and_names():
    assert json.loads(written(CLUBS, "a.json")) == {
        "objects": ["ann", "bob", "cyd"], "clusters": [["ann", "bob"], ["bob"]],
        "names": ["x", "y"],
    }  # fmt: skip


def test_parquet_and_arrow_have_two_columns_and_nulls_for_outliers():
    rows = [("ann", "x"), ("bob", "x"), ("bob", "y"), ("cyd", None)]
    write_clustering(CLUBS, "a.parquet", object="id", cluster="c")
    write_clustering(CLUBS, "a.arrow", object="id", cluster="c")
    with pa.OSFile("a.arrow") as file:
        tables = [pq.read_table("a.parquet"), pa.ipc.open_file(file).read_all()]
    for table in tables:
        assert table.schema.names == ["id", "c"]
        assert list(zip(*table.to_pydict().values(), strict=True)) == rows
    write_clustering(NUMBERS, "b.parquet")
    assert set(map(str, pq.read_table("b.parquet").schema.types)) == {"int64"}


def test_npy_holds_labels_and_npz_a_matrix():
    write_clustering(NUMBERS, "a.npy")
    assert np.load("a.npy").tolist() == [0, 1, 0, -1]
    write_clustering(NUMBERS, "a.npz")
    assert sparse.load_npz("a.npz").toarray().tolist() == [[1, 0, 1, 0], [0, 1, 0, 0]]


OVERLAPPING = Clustering.from_clusters([[0, 1], [1, 2]])
NOTHING = Clustering.from_clusters([])


@pytest.mark.parametrize(
    ("clustering", "name", "message"),
    [
        (CLUBS, "a.cnl", "outliers cannot be written to cluster-lines, and there are 1"),
        (CLUBS, "a.labels", "labels cannot hold clusters that overlap"),
        (OVERLAPPING, "a.npy", "npy cannot hold clusters that overlap"),
        (CLUBS, "a.npz", "npy can hold only objects called 0 to n-1"),
        (Clustering.from_clusters([["a"]]), "a.labels", "labels can hold only objects called 0"),
        (Clustering.from_clusters([[1, 2]]), "a.labels", "labels can hold only objects called 0"),
        (NOTHING, "a.labels", "no objects, and labels has nothing to write for that"),
        (NOTHING, "a.cnl", "no clusters, and cluster-lines has nothing to write for that"),
        (Clustering.from_clusters([[1.5]]), "a.csv", "object 1.5 cannot be written to pairs"),
        (Clustering.from_clusters([[(1, 2)]]), "a.json", "object (1, 2) cannot be written to json"),
        (Clustering.from_clusters([[1, "a"]]), "a.parquet", "all 64-bit integers or all text"),
        (Clustering.from_clusters([[2**63]]), "a.parquet", "all 64-bit integers or all text"),
        (Clustering.from_clusters([[1, "1"]]), "a.csv", "a number and a text of the same digits"),
        (Clustering.from_clusters([[""]]), "a.csv", "object '' cannot be written to pairs"),
        (Clustering.from_clusters([["a\r"]]), "a.csv", "object 'a\\r' cannot be written to pairs"),
        (Clustering.from_clusters([["a b"]]), "a.txt", "the name does not tell the format"),
        (Clustering.from_clusters([["a\tb"]]), "a.cnl", "cannot be written to cluster-lines"),
        (Clustering.from_clusters([["#a"]]), "a.cnl", "cannot be written to cluster-lines"),
        (Clustering.from_clusters([["7>", 8]]), "a.cnl", "cannot be written to cluster-lines"),
        (Clustering.from_clusters([["\ud800"]]), "a.json", "is no Unicode text"),
        (Clustering.from_clusters([["\ud800"]]), "a.parquet", "is no Unicode text"),
        (Clustering.from_clusters({"NA": [1]}), "a.csv", "cluster 'NA' would not be read"),
        (Clustering.from_clusters({"1.5": [1]}), "a.csv", "cluster '1.5' would not be read"),
        (Clustering.from_clusters({1: [1], "1.0": [2]}), "a.csv", "two clusters would have one"),
        (Clustering.from_clusters([["x"], [1], [2]]), "a.cnl", "would look like a header"),
        (CLUBS, "a.graphml", "format 'graphml' can only be read"),
    ],
)  # fmt: skip
def test_what_a_file_would_not_give_back_is_refused(clustering, name: str, message: str):
    assert message in refused(clustering, name)


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.arrow", "a.labels"])
def test_a_cluster_called_by_a_negative_number_is_refused(name: str):
    message = refused(Clustering.from_clusters({-1: [0, 1], 2: [2]}), name)
    assert message.startswith("cluster ")
    assert "-1" in message
    assert message.endswith("json can hold it")


@pytest.mark.parametrize(
    ("clustering", "name", "format"),
    [
        (Clustering.from_clusters([["\ufeffa"]]), "a.cnl", "auto"),
        (Clustering.from_clusters({"x": ["\ufeffa"]}), "a.txt", "object-lines"),
        (Clustering.from_clusters({"\ufeffa": [0]}), "a.labels", "auto"),
    ],
)
def test_a_byte_order_mark_at_the_beginning_of_a_name_is_refused(clustering, name, format):
    assert "'\\ufeffa' cannot be written" in refused(clustering, name, format)


def test_a_byte_order_mark_in_a_table_is_quoted():
    c = Clustering.from_clusters({"\ufeffx": ["\ufeffa"]})
    write_clustering(c, "a.csv", object="\ufeffo")
    assert read_clustering("a.csv", object="\ufeffo").to_dict() == {"\ufeffx": {"\ufeffa"}}


@pytest.mark.parametrize("delimiter", ["1", "-", "0", '"', "\n", "", ",,", "é", 5])
def test_a_delimiter_that_numbers_or_lines_have_is_refused(delimiter: object):
    c = Clustering.from_clusters([[12, -3, 101]])
    for name in ("a.cnl", "a.csv"):
        assert "delimiter must be one ASCII character" in refused(c, name, delimiter=delimiter)
        Path(name).unlink()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"object": ""}, "a column must have a name"), ({"object": 5}, "a column must have a name"),
        ({"object": "cluster"}, "two columns, not 'cluster' twice"),
        ({"object": "a\nb"}, "a name of a column cannot have line ends or null characters"),
        ({"cluster": "a\0b"}, "a name of a column cannot have line ends or null characters"),
        ({"object": "a\rb"}, "a name of a column cannot have line ends or null characters"),
        ({"object": "a b", "delimiter": " "}, "must have no spaces"),
    ],
)  # fmt: skip
def test_columns_of_a_text_file_that_could_not_be_found_again_are_refused(options, message: str):
    assert message in refused(CLUBS, "a.csv", **options)


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.arrow"])
def test_a_column_that_is_no_unicode_text_is_refused(name: str):
    assert "is no Unicode text" in refused(CLUBS, name, object="a\ud800")


@pytest.mark.parametrize("option", ["object", "cluster", "delimiter"])
def test_options_of_other_formats_are_refused(option: str):
    assert (
        refused(CLUBS, "a.json", **{option: ","}) == f"{option} means nothing in the format 'json'"
    )


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.cnl", "a.parquet"])
def test_an_integer_that_python_does_not_write_is_refused(name: str):
    assert "cannot be written" in refused(Clustering.from_clusters([[10**5000]]), name)


@pytest.mark.parametrize("digits", [18, 19, 38, 4001])
def test_large_integers_are_written(digits: int):
    big = 10 ** (digits - 1)
    c = Clustering.from_clusters({big: [big, -big, 0]})
    for name in ("a.csv", "a.json", "a.cnl"):
        write_clustering(c, name)
        assert read_clustering(name) == c


@pytest.mark.parametrize("path", [None, 5, b"a.csv"])
def test_what_is_no_path_is_refused(path: object):
    with pytest.raises(InputTypeError, match="path must be a str or a Path"):
        write_clustering(CLUBS, path)


@pytest.mark.parametrize("format", [None, 5, [], "csv"])
def test_a_format_that_does_not_exist_is_refused(format: object):
    with pytest.raises(OptionError, match=r"^format must be "):
        write_clustering(CLUBS, "a.csv", format)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("none/a.csv", "none/a.csv: No such file or directory"), ("a\0b.csv", "cannot be the path"),
        ("x" * 300 + ".csv", "File name too long"), ("", "path is empty"),
        ("/dev/full", "No space left on device"),
    ],
)  # fmt: skip
def test_a_path_that_cannot_be_written_is_refused(path: str, message: str):
    with pytest.raises(FileError, match=message):
        write_clustering(CLUBS, path, "pairs")
    assert files() == []


def test_links_in_a_circle_are_refused():
    Path("a.csv").symlink_to("a.csv")
    for use in (read_clustering, lambda path: write_clustering(CLUBS, path)):
        with pytest.raises(FileError, match=r"^a\.csv"):
            use("a.csv")


def test_a_folder_is_no_file():
    Path("a.csv").mkdir()
    with pytest.raises(FileError, match=r"a\.csv: Is a directory"):
        write_clustering(CLUBS, "a.csv")


def test_only_clusterings_are_written():
    with pytest.raises(InputTypeError, match=r"coverlap\.as_clustering makes one"):
        write_clustering([[1, 2]], "a.csv")


def test_a_file_is_replaced_and_a_link_is_followed():
    Path("a.csv").write_text("old")
    Path("link.csv").symlink_to("a.csv")
    write_clustering(CLUBS, "link.csv")
    assert Path("link.csv").is_symlink()
    assert Path("a.csv").read_text().startswith("object,cluster\n")
    assert stat.S_IMODE(Path("a.csv").stat().st_mode) & 0o400


def test_a_device_is_written_to_and_stays():
    write_clustering(CLUBS, "/dev/null", "pairs")
    assert Path("/dev/null").is_char_device()


def test_standard_output_is_written(capfdbinary):
    write_clustering(CLUBS, "-", "pairs", outliers=False)
    assert capfdbinary.readouterr().out == b"object,cluster\nann,x\nbob,x\nbob,y\n"
    assert files() == []


def test_outliers_can_be_left_out():
    for name in ("a.csv", "a.json", "a.parquet", "a.cnl"):
        write_clustering(CLUBS, name, outliers=False)
        assert read_clustering(name) == CLUBS.restrict(["ann", "bob"])


def test_nothing_at_all_is_written_where_a_file_can_say_so():
    for name in ("a.csv", "a.json", "a.parquet", "a.arrow"):
        write_clustering(NOTHING, name)
        assert read_clustering(name) == NOTHING
    with pytest.raises(InputError):
        write_clustering(NOTHING, "a.txt", "object-lines")
