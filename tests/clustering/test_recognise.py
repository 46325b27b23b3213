"""Inputs that are read together: files and clusterings from files, and matrices turned around."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import sparse

import coverlap as cv
from coverlap import Clustering
from tests import naive


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("numbers.csv").write_text("object,cluster\n1,x\n2,x\n3,y\n")
    Path("mixed.csv").write_text("id,group\n1,x\n2,x\n3,y\n007,y\n")


def read_mixed():
    return cv.read_clustering("mixed.csv", object="id", cluster="group")


def test_files_that_are_read_one_by_one_get_ids_of_one_type_in_a_comparison():
    # Object 7 stands for 007, which makes all ids text.
    expected = naive.fstar([{1, 2}, {3}], [{1, 2}, {3, 7}], {1, 2, 3, 7})
    right = read_mixed()
    for left in ("numbers.csv", Path("numbers.csv"), cv.read_clustering("numbers.csv")):
        for score in (
            cv.fstar_score(left, right),
            cv.fstar_score(right, left),
            cv.scores(left, right)["fstar_wo"],
            cv.pairwise([left, right]).matrix[0, 1],
        ):
            assert score == pytest.approx(float(expected), abs=1e-15)


def test_dates_of_one_file_are_those_of_another_that_has_text():
    days = ["2020-01-31", "2020-02-01"]
    frame = pl.DataFrame({"object": pl.Series(days).str.to_date(), "cluster": ["x", "y"]})
    frame.write_parquet("days.parquet")
    Path("days.csv").write_text("object,cluster\n" + "".join(f"{day},{day}\n" for day in days))
    for left in ("days.csv", cv.read_clustering("days.csv")):
        assert cv.fstar_score(left, cv.read_clustering("days.parquet")) == 1.0


def test_ids_that_are_not_from_a_file_keep_their_type():
    with pytest.raises(cv.UniverseError, match="integers"):
        cv.fstar_score({1: "x", 2: "x"}, read_mixed())


def test_ids_of_files_that_cannot_get_one_type_are_refused():
    Path("names.csv").write_text("object,cluster\nann,x\nbob,x\n")
    with pytest.raises(cv.UniverseError, match="share no object"):
        cv.fstar_score("numbers.csv", cv.read_clustering("names.csv"))


@pytest.mark.parametrize(
    "call",
    [
        cv.as_clustering,
        lambda path: cv.compare(path, "numbers.csv"),
        lambda path: cv.compare([0, 1], path),
        lambda path: cv.pairwise([path, "numbers.csv"]),
    ],
)
def test_an_error_that_asks_for_an_option_of_a_file_says_where_it_goes(call):
    Path("lists.json").write_text('{"x": [1, 2], "y": [3]}')
    for path in ("mixed.csv", "lists.json"):
        with pytest.raises(
            cv.InputError, match=r"coverlap\.read_clustering\(path, \.\.\.\)"
        ) as caught:
            call(path)
        assert "\n" not in str(caught.value)
    Path("broken.json").write_text("{")
    with pytest.raises(cv.InputError) as caught:
        call("broken.json")
    assert "read_clustering" not in str(caught.value)


@pytest.mark.parametrize("turn", [sparse.csr_array, sparse.csc_array, Clustering.from_matrix])
def test_a_matrix_of_objects_by_clusters_that_does_not_fit_is_told_of_rows(turn):
    matrix = turn(np.array([[1, 0], [1, 0], [0, 1], [0, 0], [1, 1]]))
    for given, message in (
        ((matrix, range(5)), "left has 2.*left is a matrix .*from_matrix.m, rows='objects'"),
        ((range(5), matrix), "right has 2.*right is a matrix .*from_matrix.m, rows='objects'"),
        ((matrix, range(7)), "pass dicts"),
    ):
        with pytest.raises(cv.UniverseError, match=message):
            cv.fstar_score(*given)


def test_a_file_with_a_matrix_of_objects_by_clusters_is_told_to_be_transposed():
    sparse.save_npz("m.npz", sparse.csr_array([[1, 0], [1, 0], [0, 1]]))
    with pytest.raises(cv.UniverseError, match=r"left is a matrix .* write it transposed"):
        cv.fstar_score("m.npz", [0, 0, 1])
