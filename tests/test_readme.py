"""The README is right: its examples run, and print what it shows."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.metrics import adjusted_rand_score

import coverlap as cv
from coverlap.cli import program
from tests import naive

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PICTURE = (ROOT / "docs" / "images" / "outliers.svg").read_text(encoding="utf-8")


def code_blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_python_examples_run_and_print_what_is_shown(capsys):
    first, second = code_blocks("python")
    names = {}
    exec(first, names)  # noqa: S102
    assert capsys.readouterr().out == code_blocks("text")[0]
    assert f"# {names['score']!r}" in first
    left = [{0, 1, 2, 3}, {4, 5, 6}, {7, 8}]
    right = [{0, 1, 2}, {3, 4, 5, 6}]
    assert names["score"] == pytest.approx(float(naive.fstar(left, right, range(10))), abs=1e-12)
    exec(second, names)  # noqa: S102
    covers = naive.fstar(names["communities"], names["detected"], range(1, 8))
    assert names["score_of_covers"] == pytest.approx(float(covers), abs=1e-12)


def test_the_commands_print_what_is_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = ROOT / "src" / "coverlap" / "cli" / "examples" / "clubs"
    for name in ("truth.csv", "found.csv"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    command, *shown = code_blocks("console")[0].splitlines()
    result = CliRunner().invoke(program, command.removeprefix("$ coverlap ").split())
    assert result.exit_code == 0
    assert result.stdout.splitlines() == shown


def test_the_numbers_of_measures_are_those_of_the_registry():
    overlapping = [measure for measure in cv.MEASURES.values() if measure.overlaps == "native"]
    assert f"{len(cv.MEASURES)} measures, {len(overlapping)} of them defined for overlaps" in README


def test_links_are_absolute_and_lead_to_files_of_the_repository():
    home = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Source"]
    raw = home.replace("github.com", "raw.githubusercontent.com")
    links = re.findall(r"\]\((.*?)\)|^\[\w+\]: (.*)$", README, re.MULTILINE)
    assert len(links) > 9
    for link in map("".join, links):
        path = link.removeprefix(f"{home}/blob/main/").removeprefix(f"{raw}/main/")
        assert (ROOT / path).is_file(), link
    for name in re.findall(r"\]\[(\w+)\]", README):
        assert f"\n[{name}]: " in README


def test_it_is_short():
    assert len(README.split()) <= 1200


def test_the_picture_shows_the_values_of_one_prediction():
    truth = np.repeat(np.arange(10), 100)
    found = np.where(np.random.default_rng(0).random(1000) < 0.6, -1, truth)
    out = found < 0
    alone = np.where(out, 100 + np.arange(1000), found)
    values = [
        adjusted_rand_score(truth, found),
        adjusted_rand_score(truth, alone),
        adjusted_rand_score(truth[~out], found[~out]),
        cv.fstar_score(truth, found),
    ]
    assert [f"{value:.2f}" for value in values] == re.findall(r">(\d\.\d\d)<", PICTURE)
    assert re.search(r"0\.08, 0\.28 or 1\.00", README)
