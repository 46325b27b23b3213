import json
from functools import partial
from pathlib import Path

import pytest

from coverlap import Clustering, read_clustering
from tests.cli import runner

run = partial(runner.run, "convert")
error_line = partial(runner.error_line, "convert")

CLUBS = Clustering.from_clusters({"x": ["ann", "bob"], "y": ["bob", "cyd"]})


@pytest.fixture(autouse=True)
def files() -> None:
    Path("clubs.csv").write_text("object,cluster\nann,x\nbob,x\nbob,y\ncyd,y\n")


@pytest.mark.parametrize("target", ["c.json", "c.tsv.gz", "c.cmty.zst"])
def test_the_name_of_the_target_determines_its_format(target: str):
    result = run("clubs.csv", target)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("coverlap: clubs.csv read as: comma-separated pairs")
    assert read_clustering(target) == CLUBS


def test_a_format_can_be_given():
    assert run("clubs.csv", "c.txt", "--to", "object-lines", "-q").stderr == ""
    assert Path("c.txt").read_text() == "ann\tx\nbob\tx y\ncyd\ty\n"


def test_columns_and_delimiter_of_the_target_can_be_named():
    args = ["--to-object", "who", "--to-cluster", "club", "--to-delimiter", "semicolon"]
    assert run("clubs.csv", "c.csv", *args).exit_code == 0
    assert Path("c.csv").read_text().splitlines()[:2] == ["who;club", "ann;x"]


def test_a_pipe_reads_standard_input_and_writes_standard_output():
    result = run("-", "-", "--format", "cluster-lines", "--to", "json", stdin="1 2\n2 3\n")
    assert json.loads(result.stdout)["clusters"] == [[1, 2], [2, 3]]


def test_outliers_are_left_out_only_on_request():
    Path("c.labels").write_text("0\n0\n-1\n")
    assert "outliers cannot be written to cluster-lines" in error_line("c.labels", "c.cnl")
    assert not Path("c.cnl").exists()
    assert run("c.labels", "c.cnl", "--no-outliers").exit_code == 0
    assert Path("c.cnl").read_text() == "0\t1\n"


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("c.txt", "c.txt: the name does not tell the format"),
        ("c.gml", "format 'gml' can only be read"),
        ("no/such/c.csv", "no/such/c.csv: No such file or directory"),
    ],
)
def test_a_target_that_cannot_be_written_is_an_error(target: str, message: str):
    assert message in error_line("clubs.csv", target)


def test_the_source_is_not_overwritten():
    before = Path("clubs.csv").read_text()
    assert "TARGET clubs.csv would overwrite" in error_line("clubs.csv", "./clubs.csv")
    assert Path("clubs.csv").read_text() == before


def test_a_failed_conversion_does_not_change_the_target():
    Path("c.npy").write_bytes(b"before")
    assert "npy can hold only objects called 0 to n-1" in error_line(
        "clubs.csv", "c.npy", "--force"
    )
    assert Path("c.npy").read_bytes() == b"before"
    assert sorted(path.name for path in Path().iterdir()) == ["c.npy", "clubs.csv"]


def test_compressed_files_do_not_depend_on_the_time():
    for name in ("one.json.gz", "two.json.gz"):
        assert run("clubs.csv", name).exit_code == 0
    assert Path("one.json.gz").read_bytes() == Path("two.json.gz").read_bytes()
