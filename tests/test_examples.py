"""The examples run, and their results support what they claim."""

import importlib.util
import re
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

import coverlap as cv

pytestmark = pytest.mark.slow  # whole scripts

ROOT = Path(__file__).parents[1]


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def example():
    return load("tune_hdbscan")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_score_rewards_neither_dropping_every_point_nor_forcing_every_point_in(example, seed):
    points, truth = example.make_points(seed)
    search = example.tune_by_grid(points, truth)
    rows = example.score_all(points, truth, search.best_estimator_)
    nothing, surest, tuned, forced, one = rows
    assert (nothing.outliers, forced.outliers, one.outliers) == (1.0, 0.0, 0.0)
    assert surest.outliers > 0.8
    assert abs(tuned.outliers - np.mean(truth < 0)) < 0.1
    assert tuned.fstar_wo > max(row.fstar_wo for row in rows if row is not tuned) + 0.1
    assert tuned.fstar_wo == search.best_score_ == search.cv_results_["mean_test_score"].max()
    assert nothing.ari_clustered >= surest.ari_clustered > tuned.ari_clustered
    assert max(rows, key=lambda row: row.ari_classified) is forced


def test_optuna_finds_a_setting_as_good_as_the_grid(example):
    points, truth = example.make_points()
    best = example.tune_by_optuna(points, truth).best_trial
    model = example.HDBSCAN(**best.params, copy=True)
    assert best.value == cv.fstar_score(truth, model.fit_predict(points))
    assert best.value >= example.tune_by_grid(points, truth).best_score_ - 0.01


def test_the_example_prints_the_table_it_computes(example, capsys):
    example.main()
    printed = capsys.readouterr().out
    points, truth = example.make_points()
    tuned = example.tune_by_grid(points, truth).best_estimator_
    for row in example.score_all(points, truth, tuned):
        scores = (row.fstar_wo, row.ari_clustered, row.ari_classified)
        numbers = rf"{row.outliers:.0%} +" + " +".join(f"{value:.3f}" for value in scores)
        assert re.search(re.escape(row.name) + f" +{numbers}", printed), row


def test_the_gallery_draws_the_pictures_of_the_documentation_which_are_small(tmp_path):
    gallery = load("gallery")
    gallery.save(gallery.pictures_of_documentation(), tmp_path, ("svg",))
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["alluvial.svg", "heat_map.svg"]
    for name in names:
        stored = (ROOT / "docs" / "images" / name).read_bytes()
        drawn = (tmp_path / name).read_bytes()
        assert b"<dc:date>" not in stored
        assert max(len(stored), len(drawn)) < 100_000
        # Other versions of matplotlib write other files.
        assert drawn == stored or mpl.__version__.encode() not in stored


def test_the_gallery_has_every_picture(tmp_path):
    gallery = load("gallery")
    gallery.save(gallery.all_pictures(), tmp_path, ("png",))
    names = {path.stem for path in tmp_path.iterdir()}
    assert all(any(name.startswith(picture) for name in names) for picture in cv.plot.__all__)
