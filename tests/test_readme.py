"""The README says what is so."""

import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import coverlap as cv
from tests import naive

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PICTURE = (ROOT / "docs" / "images" / "outliers.svg").read_text(encoding="utf-8")


def test_the_python_example_gives_the_score_it_states(capsys):
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)
    names = {}
    exec(code, names)  # noqa: S102
    assert f"# {names['score']!r}" in code
    left = [{0, 1, 2, 3}, {4, 5, 6}, {7, 8}]
    right = [{0, 1, 2}, {3, 4, 5, 6}]
    assert names["score"] == pytest.approx(float(naive.fstar(left, right, range(10))), abs=1e-12)
    covers = naive.fstar(names["communities"], names["detected"], range(1, 8))
    assert names["score_of_covers"] == pytest.approx(float(covers), abs=1e-12)
    assert f"{names['score']:.6f}" in capsys.readouterr().out


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


def test_every_option_in_the_table_is_one():
    options = re.findall(r"^\| `(\w+)=", README, re.MULTILINE)
    assert options
    assert set(options) <= set(cv.fstar_score.__kwdefaults__)
