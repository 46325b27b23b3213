"""Inputs that are read together: files and clusterings from files, and matrices turned around."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
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


MIXED = float(naive.fstar([{"1", "2"}, {"3"}], [{"1", "2"}, {"3", "007"}], {"1", "2", "3", "007"}))


def test_files_that_are_read_one_by_one_get_ids_of_one_type_in_a_comparison():
    for left in ("numbers.csv", Path("numbers.csv"), cv.read_clustering("numbers.csv")):
        assert cv.fstar_score(left, read_mixed()) == pytest.approx(MIXED, abs=1e-15)
        assert cv.fstar_score(read_mixed(), left) == pytest.approx(MIXED, abs=1e-15)
        assert cv.scores(left, read_mixed())["fstar_wo"] == pytest.approx(MIXED, abs=1e-15)
        runs = cv.pairwise({"a": left, "b": read_mixed()})
        assert runs.matrix[0, 1] == pytest.approx(MIXED, abs=1e-15)


def test_dates_of_one_file_are_those_of_another_that_has_text():
    days = ["2020-01-31", "2020-02-01"]
    table = pa.table({"object": pa.array(days).cast(pa.date32()), "cluster": ["x", "y"]})
    pq.write_table(table, "days.parquet")
    Path("days.csv").write_text("object,cluster\n" + "".join(f"{day},{day}\n" for day in days))
    for left in ("days.csv", cv.read_clustering("days.csv")):
        assert cv.fstar_score(left, cv.read_clustering("days.parquet")) == 1.0


def test_ids_that_are_not_from_a_file_keep_their_type():
    with pytest.raises(cv.UniverseError, match="integers"):
        cv.fstar_score({1: "x", 2: "x"}, read_mixed())
    with pytest.raises(cv.UniverseError, match="integers"):
        cv.fstar_score({1: "x", 2: "x"}, {"1": "x", "2": "x"})


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
    for path in ("mixed.csv", "lists.json"):
        Path("lists.json").write_text('{"x": [1, 2], "y": [3]}')
        with pytest.raises(cv.InputError) as caught:
            call(path)
        assert "coverlap.read_clustering(path, ...)" in str(caught.value)
        assert "\n" not in str(caught.value)
    Path("broken.json").write_text("{")
    with pytest.raises(cv.InputError) as caught:
        call("broken.json")
    assert "read_clustering" not in str(caught.value)


@pytest.mark.parametrize("turn", [sparse.csr_array, sparse.csc_array, Clustering.from_matrix])
def test_a_matrix_of_objects_by_clusters_that_does_not_fit_is_told_of_rows(turn):
    dense = np.array([[1, 0], [1, 0], [0, 1], [0, 0], [1, 1]])
    for given, side in (((turn(dense), range(5)), "left"), ((range(5), turn(dense)), "right")):
        with pytest.raises(cv.UniverseError, match=f"{side} is a matrix") as caught:
            cv.fstar_score(*given)
        assert "from_matrix(m, rows='objects')" in str(caught.value)
        assert "2" in str(caught.value)
    labels = [{0, 1, 4}, {2, 4}]
    fitting = Clustering.from_matrix(dense, rows="objects")
    assert cv.fstar_score(fitting, labels, universe=5) == 1.0
    with pytest.raises(cv.UniverseError, match="pass dicts"):
        cv.fstar_score(turn(dense), range(7))


def test_a_file_with_a_matrix_of_objects_by_clusters_is_told_to_be_transposed():
    sparse.save_npz("m.npz", sparse.csr_array([[1, 0], [1, 0], [0, 1]]))
    with pytest.raises(cv.UniverseError, match=r"left is a matrix .* write it transposed"):
        cv.fstar_score("m.npz", [0, 0, 1])
