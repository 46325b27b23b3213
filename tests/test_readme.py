"""The README is right: its examples run, and its numbers are those that the code computes."""

import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import coverlap as cv
from tests import naive
from tests.test_examples import load

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PICTURE = (ROOT / "docs" / "images" / "outliers.svg").read_text(encoding="utf-8")


def example(word):
    """Return the Python example of the README that contains a word."""
    (code,) = (
        code for code in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if word in code
    )
    return code


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


def test_the_examples_of_other_measures_run_after_the_first_example():
    first, second = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[:2]
    names = {}
    exec(first + second, names)  # noqa: S102
    assert names["ari"] == cv.score(names["truth"], names["found"], "ari", outliers_as="singletons")
    assert names["matrix"].names == ["seed 1", "seed 2", "seed 3"]
    assert f": {len(cv.MEASURES)}\nmeasures" in README


def test_the_example_of_a_graph_runs():
    code = example("abcd_graph")
    names = {"cv": cv}
    exec(code, names)  # noqa: S102
    assert 0.5 < names["by_vertices"] < names["by_edges"] < 1
    assert 0 < names["agri"] < 1


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


def test_the_search_over_hdbscan_runs_and_prefers_the_best_setting():
    code = example("GridSearchCV")
    rng = np.random.default_rng(0)
    points = np.vstack([rng.normal(0, 0.3, (40, 2)), rng.normal(5, 0.3, (40, 2)), [[20, -20]]])
    names = {"cv": cv, "X": points, "y": [0] * 40 + [1] * 40 + [None]}
    exec(code, names)  # noqa: S102
    search = names["search"]
    scores = [
        cv.fstar_score(names["y"], names["HDBSCAN"](**setting, copy=True).fit_predict(points))
        for setting in search.cv_results_["params"]
    ]
    assert search.cv_results_["mean_test_score"].tolist() == scores
    assert search.best_score_ == max(scores) > 0.9


def test_the_table_of_the_example_is_what_the_example_computes():
    """Other versions of scikit-learn assign a few of the 1,200 points differently."""
    example = load("tune_hdbscan")
    points, truth = example.make_points()
    tuned = example.tune_by_grid(points, truth).best_estimator_
    rows = example.score_all(points, truth, tuned)
    for row in rows:
        name = re.escape(row.name.replace("*", r"\*"))
        (cells,) = re.findall(rf"^\| {name} \| (.*) \|$", README, re.MULTILINE)
        outliers, *scores = cells.split(" | ")
        assert outliers == f"{row.outliers:.0%}"
        expected = [row.fstar_wo, row.ari_clustered, row.ari_classified]
        assert [float(score) for score in scores] == pytest.approx(expected, abs=0.01)
    assert max(row.fstar_wo for row in rows) == next(r.fstar_wo for r in rows if "tuned" in r.name)


def test_every_option_in_the_table_is_one():
    options = re.findall(r"^\| `(\w+)=", README, re.MULTILINE)
    assert options
    assert set(options) <= set(cv.fstar_score.__kwdefaults__)
