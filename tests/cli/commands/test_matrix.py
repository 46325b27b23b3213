import csv
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

import coverlap as cv
from tests.cli import runner

run = partial(runner.run, "matrix")
run_json = partial(runner.run_json, "matrix")
error_line = partial(runner.error_line, "matrix")

RUNS = {"a.labels": "0\n0\n1\n1\n", "b.labels": "0\n0\n1\n2\n", "c.labels": "0\n1\n2\n2\n"}


@pytest.fixture(autouse=True)
def files() -> None:
    for name, text in RUNS.items():
        Path(name).write_text(text)


def test_the_matrix_and_the_medoid_are_shown():
    for names in (RUNS, list(RUNS)[::-1]):
        result = run(*names)
        assert result.exit_code == 0
        assert "0.7500" in result.stdout
        (medoid,) = (line for line in result.stdout.splitlines() if line.startswith("*"))
        assert "a.labels" in medoid
        assert not any(line.endswith(" ") for line in result.stdout.splitlines())
        assert "c.labels read as: one label per line" in result.stderr


def test_the_scores_are_those_of_the_library():
    result = cv.pairwise([Path(name) for name in RUNS], "ari")
    assert run_json(*RUNS, "-m", "ari") == {
        "measure": "ari", "rows": list(RUNS), "columns": list(RUNS),
        "scores": result.matrix.tolist(), "mean": result.mean, "sd": result.sd,
    }  # fmt: skip


def test_all_are_compared_with_a_reference():
    result = run("b.labels", "c.labels", "--reference", "a.labels", "--csv", "-q")
    rows = list(csv.reader(result.stdout.splitlines()))
    assert rows[0] == ["clustering", "a.labels", "b.labels", "c.labels"]
    assert [row[0] for row in rows[1:]] == ["a.labels"]
    assert [float(score) for score in rows[1][1:]] == [1.0, 0.75, 0.75]


def test_the_reference_may_be_one_of_the_files():
    facts = run_json(*RUNS, "--reference", "b.labels")
    assert (facts["rows"], facts["columns"]) == (["b.labels"], list(RUNS))
    assert facts["scores"] == [[0.75, 1.0, 0.5]]


def test_an_option_need_not_apply_to_every_file():
    Path("d.json").write_text('{"x": [0, 1], "y": [2, 3]}')
    assert run_json("a.labels", "d.json", "--keys", "clusters")["scores"][0][1] == 1.0


def test_ids_of_all_files_share_one_type():
    Path("one.csv").write_text("object,cluster\n1,x\n2,x\n")
    Path("two.csv").write_text("object,cluster\n1,x\n2,y\n")
    Path("three.csv").write_text("object,cluster\n1,x\n2,x\nb,y\n")
    assert run_json("one.csv", "two.csv", "three.csv")["scores"][0][2] == cv.fstar_score(
        {1: 0, 2: 0}, {1: 0, 2: 0, 3: 1}
    )


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["a.labels", "a.labels"], "a.labels is given twice."),
        (["a.labels", "b.labels", "--json", "--csv"], "--json and --csv cannot be used together."),
        (["a.labels", "b.labels", "-m", "x"], "measure must be one of 45 names, not 'x'"),
        (["a.labels"], "At least two files are needed, but only one is given."),
        (["a.labels", "--cluster", "x"], "To compare columns of one file, repeat --cluster."),
        (["t.csv", "--cluster", "x", "--cluster", "x"], "x is given twice."),
        (["-", "--cluster", "one", "--cluster", "two"], "standard input (-) can be read only once"),
        (
            [*RUNS, "--format", "labels", "--format", "labels"],
            "--format is given 2 times for 3 files; give it once for all, or once for each file",
        ),
        ([*RUNS, "--format-reference", "labels"], "--format-reference is given without --ref"),
        ([*RUNS, "--outlier-label-reference", "x"], "--outlier-label-reference is given without"),
    ],
)
def test_mistakes_are_reported_in_one_line(args: list[str], message: str):
    assert message in error_line(*args)


@pytest.fixture
def table() -> pd.DataFrame:
    """Write a table of three clusterings of four objects in several formats."""
    frame = pd.DataFrame({"id": list("wxyz"), "one": [0, 0, 1, 1], "two": [0, 0, 1, 2],
                          "three": ["B", "T", None, "T"]})  # fmt: skip
    frame.to_csv("t.csv", index=False)
    frame.to_parquet("t.parquet")
    return frame.set_index("id")


@pytest.mark.parametrize("path", ["t.csv", "t.parquet"])
def test_several_columns_of_one_file_are_compared(table: pd.DataFrame, path: str):
    args = (path, "--object", "id", *(word for name in table for word in ("--cluster", name)))
    facts = run_json(*args)
    assert facts["columns"] == facts["rows"] == ["one", "two", "three"]
    assert facts["scores"] == cv.pairwise(table).matrix.tolist()
    assert "cluster in column 'two'" in run(*args).stderr


TWO = ("--object", "id", "--cluster", "one", "--cluster", "two")


def test_columns_of_several_files_are_called_by_file_and_column(table: pd.DataFrame):
    facts = run_json("t.csv", "t.parquet", *TWO)
    assert facts["columns"] == [
        "t.csv:one", "t.csv:two", "t.parquet:one", "t.parquet:two",
    ]  # fmt: skip
    score = cv.fstar_score(table["one"], table["two"])
    assert facts["scores"][0] == [1.0, score, 1.0, score]


def test_the_reference_may_be_one_of_the_columns_or_a_column_of_its_own(table: pd.DataFrame):
    facts = run_json("t.csv", *TWO, "--reference", "two")
    score = cv.fstar_score(table["one"], table["two"])
    assert (facts["rows"], facts["scores"]) == (["two"], [[score, 1.0]])
    own = ("--reference", "t.parquet", "--cluster-reference", "three")
    facts = run_json("t.csv", *TWO, *own)
    assert facts["columns"] == ["t.parquet", "one", "two"]
    assert facts["scores"][0][1] == cv.fstar_score(table["three"], table["one"])


def test_every_file_may_have_a_format_of_its_own():
    Path("lfr.dat").write_text("0\t1\n1\t1\n2\t2\n3\t3\n")
    Path("found.txt").write_text("0 1\n2 3\n")
    formats = ("--format", "object-lines", "--format", "cluster-lines", "--format", "auto")
    facts = run_json("lfr.dat", "found.txt", "a.labels", *formats)
    expected = cv.fstar_score({0: 1, 1: 1, 2: 2, 3: 3}, [{0, 1}, {2, 3}])
    assert facts["scores"][0][1] == facts["scores"][0][2] == expected
    reference = ("--reference", "lfr.dat", "--format-reference", "object-lines")
    facts = run_json("found.txt", "--format", "cluster-lines", *reference)
    assert facts["scores"] == [[1.0, expected]]
    assert run_json("lfr.dat", "a.labels", *reference)["scores"] == [[1.0, expected]]


def test_an_undefined_score_names_the_files():
    Path("d.labels").write_text("0\n0\n1\n-1\n")
    args = ("a.labels", "d.labels", "-m", "ari")
    assert "'a.labels' and 'd.labels': ari is not defined for outliers" in error_line(*args)
    assert run(*args, "--drop-outliers", "either").exit_code == 0


def test_the_universe_may_come_from_standard_input():
    piped = run(*RUNS, "--universe", "-", "--csv", "-q", stdin="0\n1\n2\n3\n4\n")
    assert piped.stdout == run(*RUNS, "--universe", "5", "--csv", "-q").stdout
