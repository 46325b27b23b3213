"""What new users stumbled on: each of these gave a wrong score or a misleading hint."""

import uuid

import duckdb
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import coverlap as cv
from coverlap.cli import program


def test_rows_of_probabilities_must_be_named():
    soft = np.random.default_rng(0).dirichlet([0.3] * 4, 30)
    with pytest.raises(cv.InputError, match=r'from_matrix\(m, rows="objects", threshold=0.5\)'):
        cv.Clustering.from_matrix(soft)
    with pytest.raises(cv.OptionError, match='say rows="objects"'):
        cv.Clustering.from_matrix(soft, threshold=0.5)
    assert cv.Clustering.from_matrix(soft, threshold=0.5, rows="objects").n_objects == 30
    assert cv.Clustering.from_matrix(soft, threshold=0.5, rows="clusters").n_objects == 4


def test_an_array_of_several_clusterings_is_refused():
    runs = np.zeros((3, 5), int)
    with pytest.raises(cv.InputTypeError, match=r"list\(a\.T\)"):
        cv.pairwise(runs)
    assert cv.pairwise(list(runs)).mean == 1


def test_an_array_beside_series_in_two_orders_is_refused():
    one = pd.Series([0, 0, 1], index=["x", "y", "z"])
    other, array = one[::-1], one.to_numpy()
    with pytest.raises(cv.UniverseError, match="different indexes"):
        cv.pairwise({"a": one, "b": array, "c": other})
    assert cv.pairwise({"a": one, "c": other}).mean == 1
    assert cv.pairwise({"a": one, "b": array}).mean == 1


def test_numbers_that_a_file_has_for_ids_are_text_beside_text_in_memory(tmp_path):
    path = tmp_path / "found.csv"
    path.write_text("object,cluster\n0,a\n1,a\n2,b\n")
    in_memory = pd.Series(["a", "a", "b"], index=["0", "1", "2"])
    assert cv.fstar_score(cv.read_clustering(path), in_memory) == 1
    assert cv.fstar_score(in_memory, str(path)) == 1
    assert cv.pairwise({"file": path, "series": in_memory}).mean == 1


def test_ids_of_other_types_are_refused_and_not_scored_as_zero():
    names = [uuid.UUID(int=number) for number in range(4)]
    by_id, by_text = dict.fromkeys(names, 0), {str(name): 0 for name in names}
    with pytest.raises(cv.UniverseError, match="UUIDs"):
        cv.fstar_score(by_id, by_text)
    with pytest.raises(cv.UniverseError, match="tuples"):
        cv.fstar_score({(0, 1): 0}, {1: 0})
    relation = duckdb.sql("select uuid() as object, 1 as cluster from range(3)")
    frame = relation.df()
    typed = duckdb.from_df(frame).select("object::uuid as object, cluster")
    assert cv.fstar_score(typed, frame) == 1


def test_a_list_of_pairs_is_told_of_links():
    with pytest.raises(cv.InputTypeError, match=r"or \.from_links"):
        cv.fstar_score([(1, 2), (2, 3)], {1: 0, 2: 0, 3: 0})


def test_a_side_without_objects_is_noted():
    assert "right has no objects" in cv.compare({"a": 1, "b": 1}, {}).notes
    assert cv.compare({}, {}).notes == ()


def test_the_hint_for_outliers_names_the_side_that_has_some():
    for truth, found, side in (([0, -1], [0, 0], "left"), ([0, 0], [0, -1], "right"),
                               ([0, -1], [-1, 0], "either")):  # fmt: skip
        with pytest.raises(cv.UndefinedError, match=rf"\(--drop-outliers\) {side}, or"):
            cv.ari_score(truth, found)


@pytest.mark.parametrize(
    ("bar", "hint"),
    [("--fail-below=vi=0.5", "--fail-above"), ("--fail-above=ari=0.5", "--fail-below")],
)
def test_a_bar_in_the_wrong_direction_is_refused(bar, hint, tmp_path):
    path = tmp_path / "a.labels"
    path.write_text("0\n0\n1\n")
    result = CliRunner().invoke(program, ["scores", str(path), str(path), bar])
    assert result.exit_code == 2
    assert hint in result.stderr
