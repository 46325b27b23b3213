"""The table of --matches, and the number of rows of the printed one."""

import csv
import gzip
import io
from functools import partial
from pathlib import Path

import pytest

import coverlap as cv
from tests.cli import runner

run = partial(runner.run, "compare")
error_line = partial(runner.error_line, "compare")


@pytest.fixture(autouse=True)
def files() -> None:
    Path("a.txt").write_text("0\n0\n1\n-1\n")
    Path("b.txt").write_text("x\nx\n2\n2\n")
    Path("many.txt").write_text("".join(f"{i % 30}\n" for i in range(90)))
    Path("other.txt").write_text("".join(f"{i // 3}\n" for i in range(90)))


@pytest.mark.parametrize("name", ["m.parquet", "m.pq", "m.arrow", "m.feather", "m.json"])
def test_the_suffix_decides_the_format(name: str):
    assert run("a.txt", "b.txt", "--matches", name).exit_code == 0
    expected = cv.compare("a.txt", "b.txt", names=("a.txt", "b.txt")).to_dict()["clusters"]
    if name != "m.json":  # a column has one type
        for row in expected:
            row |= {
                key: None if row[key] is None else str(row[key]) for key in ("cluster", "match")
            }
    assert runner.read_rows(name) == expected


def test_names_that_are_integers_stay_integers():
    assert run("a.txt", "a.txt", "--matches", "m.parquet").exit_code == 0
    rows = runner.read_rows("m.parquet")
    side = [("cluster", 0, True), ("cluster", 1, True), ("outliers", None, True)]
    assert [(row["kind"], row["cluster"], row["mutual"]) for row in rows] == side * 2


def test_text_has_the_delimiter_of_its_suffix():
    texts = {}
    for name in ("m.csv", "m.txt", "m", "m.tsv", "m.tsv.gz"):
        assert run("a.txt", "b.txt", "--matches", name).exit_code == 0
        data = Path(name).read_bytes()
        texts[name] = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
    assert len(set(texts.values())) == 2
    assert texts["m.csv"] == texts["m"] == texts["m.tsv"].replace("\t", ",")
    header, *rows = csv.reader(io.StringIO(texts["m.tsv.gz"]), delimiter="\t")
    assert header == list(cv.compare("a.txt", "b.txt").columns())
    assert [row[2] for row in rows] == ["0", "1", "", "2", "x"]
    assert texts["m"].splitlines()[2] == "a.txt,cluster,1,1,2,2,1,0.5,1.0,0.5,True,0.125,0.0625"


def test_a_dash_is_standard_output_in_place_of_the_result():
    assert run("a.txt", "b.txt", "--matches", "m.csv").exit_code == 0
    result = run("a.txt", "b.txt", "--matches", "-")
    assert result.stdout == Path("m.csv").read_text()
    score = cv.fstar_score("a.txt", "b.txt")
    assert result.stderr.splitlines()[-1] == f"coverlap: score {score} (fstar_wo)"
    quiet = run("a.txt", "b.txt", "--matches", "-", "--quiet", "--fail-below", "1")
    assert (quiet.exit_code, quiet.stdout) == (1, result.stdout)
    assert quiet.stderr == f"coverlap: score {score} is below 1.0\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["m.npy"], "must be - or a file whose name ends in .csv, .tsv, .json, .parquet or .arrow"),
        (["-", "--json"], "--json and --matches - cannot both be written to standard output"),
        (["none/m.parquet"], "none/m.parquet: No such file or directory"),
    ],
)
def test_a_table_that_cannot_be_written_is_an_error_before_anything_is_read(
    args: list[str], message: str
):
    assert message in error_line("none.txt", "b.txt", "--matches", *args)


@pytest.mark.parametrize("name", ["m.csv", "m.parquet", "m.arrow", "-"])
def test_names_that_are_no_unicode_text_are_an_error_and_leave_no_file(name: str):
    Path("c.json").write_text('{"a": "\\ud800", "b": "x"}')
    message = error_line("c.json", "c.json", "--matches", name)
    assert message == "some name of a cluster is no Unicode text, and cannot be written"
    assert not Path(name).exists()


def printed_rows(*args: str) -> list[list[str]]:
    table = run("many.txt", "other.txt", *args).stdout.partition("The clusters that cost most")[2]
    return [
        line.split() for line in table.splitlines() if line.startswith(("many.txt ", "other.txt "))
    ]


def test_the_printed_table_has_as_many_rows_as_are_asked_for():
    rows = printed_rows("--top", "1000")
    assert len(rows) == 60
    assert printed_rows("--top", "3") == rows[:3]
    assert printed_rows() == []
    assert "(3 of 60: 5.0% of the loss)" in run("many.txt", "other.txt", "--top", "3").stdout
    assert "-1 is not in the range" in error_line("many.txt", "other.txt", "--top", "-1")
