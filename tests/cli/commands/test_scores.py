import json
from functools import partial
from pathlib import Path

import pytest

import coverlap as cv
from tests.cli import runner

run = partial(runner.run, "scores")
error_line = partial(runner.error_line, "scores")

TRUTH = "ann,x\nbob,x\ncyd,y\ndan,y\neve,\n"
FOUND = "ann,1\nbob,1\ncyd,1\ndan,2\neve,2\n"


@pytest.fixture(autouse=True)
def files() -> None:
    Path("truth.csv").write_text("object,cluster\n" + TRUTH)
    Path("found.csv").write_text("object,cluster\n" + FOUND)


def test_all_measures_are_shown_with_their_titles_and_why_some_are_not_defined():
    result = run("truth.csv", "found.csv")
    assert result.exit_code == 0
    table = result.stdout.split("\n\n")[1]
    lines = {line.split()[0]: line for line in table.splitlines()}
    assert f"{cv.fstar_score('truth.csv', 'found.csv'):.6f}" in lines["fstar_wo"]
    assert "Overlapping NMI, MGH (max)" in lines["onmi"]
    assert "ari" not in lines
    assert "not defined for outliers (1 on the left, 0 on the right)" in " ".join(
        result.stdout.split()
    )
    assert "truth.csv read as" in result.stderr


def test_measures_and_outliers_to_drop_are_chosen():
    args = ("-m", "ari", "--measure", "ami", "--drop-outliers", "either")
    facts = runner.run_json("scores", "truth.csv", "found.csv", *args)
    assert facts["scores"] == {
        name: cv.score("truth.csv", "found.csv", name, drop_outliers="either")
        for name in ("ari", "ami")
    }


def test_the_universe_is_chosen_as_in_compare():
    Path("ids.txt").write_text("ann\nbob\ncyd\ndan\neve\nfay\n")
    result = run("truth.csv", "found.csv", "--universe", "ids.txt", "--json", "-m", "omega")
    assert json.loads(result.stdout)["universe"]["n_objects"] == 6
    assert "ids.txt read as: a universe of 6 objects" in result.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["-m", "ARI"], "not 'ARI'; did you mean 'ari'? Try 'coverlap scores --help'."),
        (["--outliers-as", "noise"], "'noise' is not one of 'singletons', 'cluster'."),
        (["--n-objects", "2"], "n_objects is 2, but the two clusterings know 5 objects"),
    ],
)
def test_bad_options_are_reported_in_one_line(args: list[str], message: str):
    assert message in error_line("truth.csv", "found.csv", *args)


def test_the_help_names_every_measure():
    text = " ".join(run("--help").stdout.split())
    assert all(name in text for name in cv.MEASURES)


def test_files_outside_memory_have_the_same_scores():
    measures = [item for name in ("fstar_wo", "onmi", "exact_f1") for item in ("-m", name)]
    engines = (["--engine", "memory"], ["--engine", "duckdb", "--memory-limit", "500MB"])
    wanted, found = (run("truth.csv", "found.csv", *measures, *engine, "-q") for engine in engines)
    assert found.stdout == wanted.stdout
    line = error_line("truth.csv", "found.csv", "--engine", "duckdb", "--fail-below", "ecs=0.5")
    assert "ecs" in line
    assert "use engine='memory' (--engine memory)" in line
