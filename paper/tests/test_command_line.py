"""``python -m paper``."""

import csv
import re
from pathlib import Path

import duckdb
import numpy as np
import pytest
from click.testing import CliRunner, Result

import coverlap as cv
from paper import command_line
from paper.command_line import program
from paper.reproduction import reproduce
from paper.theory import Check


def values_in(folder: Path) -> list[tuple]:
    return duckdb.read_parquet(str(folder / "values.parquet")).fetchall()


def run(*args: str) -> Result:
    return CliRunner().invoke(program, args)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run of figure 2, by the command line."""
    target = tmp_path_factory.mktemp("runs") / "new" / "folder"
    args = (
        "reproduce",
        "figure2",
        "--scale",
        "quick",
        "--samples",
        "2",
        "--workers",
        "1",
        "-o",
        str(target),
    )
    result = run(*args)
    assert result.exit_code == 0, result.stderr
    (target / "stdout").write_text(result.stdout)
    (target / "stderr").write_text(result.stderr)
    return target


def test_tables_figures_and_the_summary_are_written(folder: Path):
    written = re.findall(r"wrote .*/(\S+)", (folder / "stderr").read_text())
    assert written == [
        "values.parquet", "means.csv", "summary.md", "figure2.pdf", "figure2.png",
    ]  # fmt: skip
    assert all((folder / name).stat().st_size > 0 for name in written)
    assert (folder / "stdout").read_text() == (folder / "summary.md").read_text()


def test_every_value_is_in_the_table(folder: Path):
    rows = values_in(folder)
    # 9 points of overlap and 10 of outliers, five measures, two samples.
    assert len(rows) == (9 + 10) * 5 * 2
    overlap = {(x, sample): value for name, x, measure, sample, value in rows
               if (name, measure) == ("overlap", "fstar_wo")}  # fmt: skip
    for (x, _), value in overlap.items():
        assert value == pytest.approx(min(x, 3) / max(x, 3), abs=1e-12)
    assert {sample for _, sample in overlap} == {0, 1}


def test_means_stand_beside_the_stored_ones(folder: Path):
    values = values_in(folder)
    with (folder / "means.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == (9 + 10) * 5
    for row in rows:
        place = row["experiment"], row["measure"], float(row["x"])
        own = [value for name, x, measure, _, value in values if (name, measure, x) == place]
        assert float(row["mean"]) == pytest.approx(np.mean(own), abs=1e-12)
        assert float(row["sd"]) == pytest.approx(np.std(own), abs=1e-9)
        assert row["n"] == "2"
        stored = row["experiment"] == "overlap" or row["measure"] in {"onmi_mgh", "ecs", "fstar_wo"}
        assert (row["stored_mean"] != "") == stored
        if row["measure"] == "fstar_wo":
            assert float(row["stored_mean"]) == pytest.approx(float(row["mean"]), abs=1e-12)


def test_the_summary_has_times_and_agreements(folder: Path):
    text = (folder / "summary.md").read_text()
    assert re.search(r"\| overlap \| 2 \| 2 \| \S+ s \| 4 h 28 min \|", text)
    assert re.search(r"\| outliers \| fstar_wo \| 0 \| - \| - \| 10 \| \d\.\de-\d\d \|", text)


def test_without_a_terminal_progress_is_a_line_per_experiment(folder: Path):
    lines = (folder / "stderr").read_text().splitlines()
    assert lines[:2] == ["paper: overlap: all 2 done", "paper: outliers: all 2 done"]


@pytest.mark.slow
@pytest.mark.parametrize("args", [("theory",), ("reproduce", "theory")])
def test_the_theory_is_checked(
    args: tuple[str, ...],
    checks: dict[str, Check],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command_line, "check_theory", lambda _: list(checks.values()))
    result = run(*args)
    assert result.exit_code == 0, result.stderr
    assert "[as the paper says]" in result.stdout
    assert "Proposition 1" in result.stdout
    assert "47/48" in result.stdout
    assert re.search(r"^paper: \d+ checks in \d+\.\d s$", result.stderr, re.MULTILINE)
    assert (tmp_path / "reproduced" / "summary.md").exists() == ("reproduce" in args)


def test_the_summary_has_the_theory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    given = Check("Lemma 9", "|C| is at most F*_wo.", "not in the paper", holds=True, found="1 | 2")
    monkeypatch.setattr(command_line, "check_theory", lambda _: [given])
    result = run("reproduce", "theory", "-o", str(tmp_path / "new"))
    assert result.exit_code == 0, result.stderr
    text = (tmp_path / "new" / "summary.md").read_text()
    row = r"| Lemma 9 | \|C\| is at most F\*_wo. | not in the paper | yes | 1 \| 2 |"
    assert text.endswith(f"\n{row}\n")
    assert text.startswith("# The experiments of the paper")


def test_a_check_that_fails_is_written_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    failed = Check("Lemma 9", "All is well.", "not in the paper", holds=False, found="nothing")
    monkeypatch.setattr(command_line, "check_theory", lambda _: [failed])
    result = run("reproduce", "theory", "-o", str(tmp_path))
    assert result.exit_code == 1
    assert "| **no** |" in (tmp_path / "summary.md").read_text()


def test_a_check_that_fails_is_named(monkeypatch: pytest.MonkeyPatch):
    failed = Check("Lemma 9", "All is well.", "not in the paper", holds=False, found="nothing")
    monkeypatch.setattr(command_line, "check_theory", lambda _: [failed])
    result = run("theory")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == "paper: not as expected: Lemma 9"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["figure4"], "'figure4' is not one of"),
        (["figure1", "--samples", "some"], "'some' is neither stated nor stored nor a number"),
        (["figure1", "--samples", "1"], "'1' is neither stated nor stored nor a number"),
        (["figure1", "--scale", "huge"], "'huge' is not one of"),
        (["figure1", "--workers", "0"], "0 is not in the range"),
    ],
)
def test_bad_options_are_rejected_in_one_line(args: list[str], message: str):
    result = run("reproduce", *args)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_folder_that_cannot_be_created_is_rejected_first(tmp_path: Path):
    (tmp_path / "file").write_text("")
    result = run("reproduce", "figure2", "-o", str(tmp_path / "file" / "below"))
    assert result.exit_code == 2
    assert result.stderr.startswith("paper: error: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"figures": ["figure9"]}, "figures must be one of"),
        ({"scale": "huge"}, "scale must be one of"),
        ({"samples": "all"}, "samples must be 'stated', 'stored' or a number, not 'all'"),
        ({"samples": 1}, "samples must be an integer of at least 2, not 1"),
        ({"workers": 0}, "workers must be an integer of at least 1, not 0"),
    ],
)
def test_bad_options_of_the_function_are_rejected(options: dict, message: str):
    with pytest.raises(cv.OptionError) as caught:
        reproduce(**{"figures": "figure2", "samples": 2} | options)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("figure", "library"), [("figure1", "matplotlib"), ("figure3", "leidenalg")]
)
def test_a_missing_library_is_named_first(
    figure: str, library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    known = {"matplotlib", "leidenalg"} - {library}
    monkeypatch.setattr("paper.reproduction.find_spec", lambda name: name in known or None)
    result = run("reproduce", figure, "-o", str(tmp_path / "out"))
    assert result.exit_code == 2
    assert result.stderr == f"paper: error: this needs {library}: pip install --group paper\n"
    assert not (tmp_path / "out").exists()
