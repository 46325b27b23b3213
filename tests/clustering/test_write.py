"""What is written, byte for byte, and what is rejected."""

import json
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
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
    text = Path(name).read_bytes().decode()
    Path(name).unlink()
    return text


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
    assert written(CLUBS, "a.tsv") == "object\tcluster\nann\tx\nbob\tx\nbob\ty\ncyd\t\n"
    assert written(CLUBS, "a", "pairs", delimiter=" ") == (
        "object cluster\nann x\nbob x\nbob y\ncyd NA\n"
    )


def test_object_lines_cluster_lines_labels_and_json():
    assert written(CLUBS, "com.dat", "object-lines") == "ann\tx\nbob\tx y\ncyd\n"
    assert written(CLUBS, "a.cnl", outliers=False) == "ann\tbob\nbob\n"
    assert written(NUMBERS, "a.labels") == "7\n9\n7\n-1\n"
    assert json.loads(written(CLUBS, "a.json")) == {
        "objects": ["ann", "bob", "cyd"], "clusters": [["ann", "bob"], ["bob"]],
        "names": ["x", "y"],
    }  # fmt: skip


def test_parquet_and_arrow_have_two_columns_and_nulls_for_outliers():
    rows = [("ann", "x"), ("bob", "x"), ("bob", "y"), ("cyd", None)]
    write_clustering(CLUBS, "a.parquet", object="id", cluster="c")
    write_clustering(CLUBS, "a.arrow", object="id", cluster="c")
    for table in (pl.read_parquet("a.parquet"), pl.read_ipc("a.arrow")):
        assert table.columns == ["id", "c"]
        assert table.rows() == rows
    write_clustering(NUMBERS, "b.parquet")
    assert pl.read_parquet("b.parquet").dtypes == [pl.Int64] * 2


def test_npy_holds_labels_and_npz_a_matrix():
    write_clustering(NUMBERS, "a.npy")
    assert np.load("a.npy").tolist() == [0, 1, 0, -1]
    write_clustering(NUMBERS, "a.npz")
    assert sparse.load_npz("a.npz").toarray().tolist() == [[1, 0, 1, 0], [0, 1, 0, 0]]


@pytest.mark.parametrize(
    ("clusters", "name", "message"),
    [
        ([[0, 1], [1, 2]], "a.labels", "labels cannot hold clusters that overlap"),
        ([[1, 2]], "a.npy", "npy can hold only objects called 0 to n-1"),
        ([], "a.labels", "no objects, and labels has nothing to write for that"),
        ([], "a.cnl", "no clusters, and cluster-lines has nothing to write for that"),
        ([[1.5]], "a.csv", "object 1.5 cannot be written to pairs"),
        ([[(1, 2)]], "a.json", "object (1, 2) cannot be written to json"),
        ([[1, "a"]], "a.parquet", "all 64-bit integers or all text"),
        ([[1, "1"]], "a.csv", "a number and a text of the same digits"),
        ([["a b"]], "a.txt", "the name does not tell the format"),
        ([["\ufeffa"]], "a.cnl", "object '\\ufeffa' cannot be written to cluster-lines"),
        ([["\ud800"]], "a.json", "is no Unicode text"),
        ({"NA": [1]}, "a.csv", "cluster 'NA' would not be read"),
        *(({-1: [0, 1]}, name, "json can hold it")
          for name in ("a.csv", "a.parquet", "a.arrow", "a.labels")),
        ({1: [1], "1.0": [2]}, "a.csv", "two clusters would have one"),
        ([["x"], [1], [2]], "a.cnl", "would look like a header"),
        ([[0]], "a.graphml", "format 'graphml' can only be read"),
        *(([[10**5000]], name, "cannot be written")
          for name in ("a.csv", "a.json", "a.cnl", "a.parquet")),
    ],
)  # fmt: skip
def test_what_a_file_would_not_give_back_is_refused(clusters, name: str, message: str):
    assert message in refused(Clustering.from_clusters(clusters), name)


def test_outliers_are_refused_where_a_file_would_not_give_them_back():
    message = "outliers cannot be written to cluster-lines, and there are 1"
    assert message in refused(CLUBS, "a.cnl")


def test_a_byte_order_mark_in_a_table_is_quoted():
    c = Clustering.from_clusters({"\ufeffx": ["\ufeffa"]})
    write_clustering(c, "a.csv", object="\ufeffo")
    assert read_clustering("a.csv", object="\ufeffo").to_dict() == {"\ufeffx": {"\ufeffa"}}


@pytest.mark.parametrize("delimiter", ["1", "-", "0", '"', "\n", "", ",,", "é", 5])
def test_a_delimiter_that_numbers_or_lines_have_is_refused(delimiter: object):
    for name in ("a.cnl", "a.csv"):
        assert "delimiter must be one ASCII character" in refused(
            NUMBERS, name, delimiter=delimiter
        )
        Path(name).unlink()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"object": ""}, "a column must have a name"), ({"object": 5}, "a column must have a name"),
        ({"object": "cluster"}, "two columns, not 'cluster' twice"),
        *(({"object": name}, "a name of a column cannot have line ends or null characters")
          for name in ("a\nb", "a\0b", "a\rb")),
        ({"object": "a b", "delimiter": " "}, "must have no spaces"),
        ({"object": "a\ud800"}, "is no Unicode text"),
    ],
)  # fmt: skip
def test_columns_of_a_text_file_that_could_not_be_found_again_are_refused(options, message: str):
    assert message in refused(CLUBS, "a.csv", **options)


@pytest.mark.parametrize("option", ["object", "cluster", "delimiter"])
def test_options_of_other_formats_are_refused(option: str):
    assert (
        refused(CLUBS, "a.json", **{option: ","}) == f"{option} means nothing in the format 'json'"
    )


@pytest.mark.parametrize("big", [10**18, 10**4000], ids=["64 bits", "4001 digits"])
@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.cnl"])
def test_large_integers_are_written(name: str, big: int):
    c = Clustering.from_clusters({big: [big, -big, 0]})
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


def test_a_file_is_replaced_with_its_mode_and_a_link_is_followed():
    Path("a.csv").write_text("old")
    Path("a.csv").chmod(0o640)
    Path("link.csv").symlink_to("a.csv")
    write_clustering(CLUBS, "link.csv")
    assert Path("link.csv").is_symlink()
    assert Path("a.csv").read_text().startswith("object,cluster\n")
    assert stat.S_IMODE(Path("a.csv").stat().st_mode) == 0o640


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
    nothing = Clustering.from_clusters([])
    for name in ("a.csv", "a.json", "a.parquet", "a.arrow"):
        write_clustering(nothing, name)
        assert read_clustering(name) == nothing
    with pytest.raises(InputError):
        write_clustering(nothing, "a.txt", "object-lines")


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow", "a.csv"])
def test_a_disk_that_is_full_is_one_clear_error(name):
    code = f"""
import resource
import coverlap as cv
labels = [str(i % 7 ** 5) for i in range(200_000)]
clustering = cv.Clustering.from_labels(labels)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    cv.write_clustering(clustering, {name!r})
except cv.FileError as error:
    print(error)
"""
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100)
    assert run.stdout.startswith(f"{name}: ")
    assert files() == []
