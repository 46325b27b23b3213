import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from coverlap import Clustering, read_clustering
from coverlap.cli import program

CLUBS = Clustering.from_clusters({"x": ["ann", "bob"], "y": ["bob", "cyd"]})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("clubs.csv").write_text("object,cluster\nann,x\nbob,x\nbob,y\ncyd,y\n")


def run(*args: str, **options: object) -> Result:
    return CliRunner().invoke(program, ["convert", *args], prog_name="coverlap", **options)


def refusal(*args: str) -> str:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("coverlap: error: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


@pytest.mark.parametrize(
    "target", ["c.json", "c.parquet", "c.tsv.gz", "c.cnl", "c.cmty.zst", "c.arrow", "c.json.bz2"]
)
def test_the_name_of_the_target_tells_its_format(target: str):
    result = run("clubs.csv", target)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("coverlap: clubs.csv read as: comma-separated pairs")
    assert read_clustering(target) == CLUBS


def test_a_format_can_be_asked_for():
    assert run("clubs.csv", "c.txt", "--to", "object-lines", "-q").stderr == ""
    assert Path("c.txt").read_text() == "ann\tx\nbob\tx y\ncyd\ty\n"


def test_columns_and_delimiter_of_the_target_can_be_named():
    args = ["--to-object", "who", "--to-cluster", "club", "--to-delimiter", "semicolon"]
    assert run("clubs.csv", "c.csv", *args).exit_code == 0
    assert Path("c.csv").read_text().splitlines()[:2] == ["who;club", "ann;x"]


def test_a_pipe_reads_standard_input_and_writes_standard_output():
    result = run("-", "-", "--format", "cluster-lines", "--to", "json", input="1 2\n2 3\n")
    assert json.loads(result.stdout)["clusters"] == [[1, 2], [2, 3]]


def test_outliers_are_lost_only_if_that_is_asked_for():
    Path("c.labels").write_text("0\n0\n-1\n")
    assert "outliers cannot be written to cluster-lines" in refusal("c.labels", "c.cnl")
    assert not Path("c.cnl").exists()
    assert run("c.labels", "c.cnl", "--drop-outliers").exit_code == 0
    assert Path("c.cnl").read_text() == "0\t1\n"


def test_a_target_whose_name_tells_nothing_is_refused():
    assert "c.txt: the name does not tell the format" in refusal("clubs.csv", "c.txt")


def test_a_format_that_is_only_read_is_refused():
    assert "format 'gml' can only be read" in refusal("clubs.csv", "c.gml")


def test_the_source_is_not_overwritten():
    before = Path("clubs.csv").read_text()
    assert "would overwrite" in refusal("clubs.csv", "./clubs.csv")
    assert Path("clubs.csv").read_text() == before


def test_a_failed_conversion_leaves_the_target_as_it_was():
    Path("c.npy").write_bytes(b"before")
    assert "npy can hold only objects called 0 to n-1" in refusal("clubs.csv", "c.npy")
    assert Path("c.npy").read_bytes() == b"before"
    assert sorted(path.name for path in Path().iterdir()) == ["c.npy", "clubs.csv"]


def test_a_folder_that_is_not_there_is_refused():
    assert "no/such/c.csv: No such file or directory" in refusal("clubs.csv", "no/such/c.csv")


def test_compressed_files_do_not_depend_on_the_time():
    for name in ("one.json.gz", "two.json.gz"):
        assert run("clubs.csv", name).exit_code == 0
    assert Path("one.json.gz").read_bytes() == Path("two.json.gz").read_bytes()
    assert json.loads(gzip.decompress(Path("one.json.gz").read_bytes()))["names"] == ["x", "y"]
