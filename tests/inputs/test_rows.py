"""Frames with one row per object, and AnnData: the rows themselves are the objects."""

import anndata as ad
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import coverlap as cv
from coverlap import Clustering, as_clustering, fstar_score

CELLS = ["d", "c", "b", "a", "e"]
LEIDEN = pd.Categorical(["0", "1", None, "1", "0"], categories=["2", "1", "0", "10"])


def cells(index=CELLS, **columns):
    columns = {"leiden": LEIDEN, "type": ["B", "T", "T", None, "B"], **columns}
    return pd.DataFrame(columns, index=index)


def annotated(obs):
    return ad.AnnData(np.zeros((len(obs), 2), np.float32), obs=obs)


def read_rows(frame, **options):
    return Clustering.from_frame(frame, object=None, cluster="leiden", **options)


def test_a_column_of_an_anndata_is_a_clustering_of_its_cells():
    adata = annotated(cells())
    read = Clustering.from_frame(adata, cluster="leiden")
    assert read.to_dict() == {"0": {"d", "e"}, "1": {"c", "a"}}
    assert (read.objects, read.n_outliers, read.n_dropped) == (list(adata.obs_names), 1, 0)
    assert read == read_rows(adata) == read_rows(adata.obs) == as_clustering(adata.obs["leiden"])


def test_the_rows_of_an_anndata_are_its_objects_even_beside_a_column_called_object():
    adata = annotated(cells(object=[1, 1, 2, 2, 3]))
    assert Clustering.from_frame(adata, cluster="leiden").objects == CELLS
    donors = Clustering.from_frame(adata, object="object", cluster="type")
    assert (donors.to_dict(), donors.objects) == ({"B": {1, 3}, "T": {1, 2}}, [1, 2, 3])


def test_a_view_of_an_anndata_has_its_own_cells_and_no_clusters_of_the_rest():
    read = Clustering.from_frame(annotated(cells())[["a", "b", "c"]], cluster="leiden")
    assert (read.to_dict(), set(read.objects)) == ({"1": {"c", "a"}}, {"a", "b", "c"})


def test_cells_align_by_name_with_each_other_and_by_place_with_arrays():
    adata = annotated(cells())
    read = Clustering.from_frame(adata, cluster="leiden")
    assert fstar_score(read, Clustering.from_frame(adata[::-1], cluster="leiden")) == 1.0
    assert fstar_score(read, np.array([0, 1, -1, 1, 0])) == 1.0


@pytest.mark.parametrize(
    "index",
    [range(10, 15), pd.date_range("2020", periods=5)],
    ids=str,
)
def test_rows_of_a_pandas_frame_are_named_by_its_index(index):
    read = read_rows(cells(index))
    ids = pd.Index(index).tolist()
    assert read.objects == ids
    assert read.to_dict() == {"0": {ids[0], ids[4]}, "1": {ids[1], ids[3]}}


@pytest.mark.parametrize(
    "make",
    [
        pl.DataFrame,
        pl.LazyFrame,
        pa.table,
        pa.RecordBatch.from_pydict,
        lambda columns: duckdb.connect().from_arrow(pa.table(columns)),
    ],
)
def test_rows_of_other_frames_are_named_by_their_place(make):
    frame = make({"leiden": ["0", "1", None, "1", "0"], "object": [9, 9, 9, 9, 9]})
    read = read_rows(frame)
    assert (read.objects, read.to_dict()) == ([0, 1, 2, 3, 4], {"0": {0, 4}, "1": {1, 3}})


def test_rows_without_names_are_aligned_by_their_place_only():
    with pytest.raises(cv.UniverseError, match="5 objects"):
        fstar_score(read_rows(pl.DataFrame({"leiden": [0] * 5})), [0, 1])


def test_a_universe_and_outlier_labels_go_with_rows():
    read = read_rows(cells(), universe=[*CELLS, "f"], outlier_label="1")
    assert (read.to_dict(), read.n_objects) == ({"0": {"d", "e"}}, 6)
    with pytest.raises(cv.UniverseError, match="frame has members outside the universe: 'd'"):
        read_rows(cells(), universe=["a", "b", "c", "e"])


def test_unused_categories_are_no_clusters_and_values_are_not_taken_out_one_by_one(monkeypatch):
    def refuse(*_):
        raise AssertionError

    monkeypatch.setattr(pd.Categorical, "__iter__", refuse)
    monkeypatch.setattr(pd.Series, "to_list", refuse)
    frame = cells(record=[7, 8, 9, 8, 7])
    by_row = read_rows(frame)
    assert by_row.to_dict() == {"0": {"d", "e"}, "1": {"c", "a"}}
    long = Clustering.from_frame(frame, object="record", cluster="leiden")
    assert (long.to_dict(), long.objects) == ({"0": {7}, "1": {8}}, [7, 8, 9])
    for read in (by_row, long):
        assert (read.names, read.n_dropped, read.n_merged) == (["0", "1"], 0, 0)


def test_names_of_cells_that_repeat_are_refused():
    with pytest.warns(UserWarning, match="not unique"):
        adata = annotated(cells(list("aabcb")))
    with pytest.raises(cv.UniverseError, match=r"the obs_names of frame .* repeated: 'a', 'b'"):
        Clustering.from_frame(adata, cluster="leiden")
    with pytest.raises(cv.UniverseError, match=r"the index of frame .* repeated: 'a', 'b'"):
        read_rows(adata.obs)
    with pytest.raises(cv.InputError, match="the index of frame must not be missing"):
        read_rows(cells(["a", None, "b", "c", "e"]))


def test_a_column_that_is_not_there_is_named_beside_those_that_are():
    adata = annotated(cells())
    with pytest.raises(cv.InputError, match="no column 'louvain' among 'leiden', 'type'"):
        Clustering.from_frame(adata, cluster="louvain")
    with pytest.raises(cv.InputError, match=r"no column 'object'.*object=None if each row"):
        Clustering.from_frame(adata.obs.reset_index(drop=True), cluster="leiden")


def test_frames_without_rows_have_no_objects():
    for empty in (cells()[:0], pl.DataFrame({"leiden": []}), annotated(cells())[:0]):
        assert read_rows(empty).n_objects == 0


def test_an_index_of_text_names_the_objects_unless_there_is_a_column_called_object():
    read = Clustering.from_frame(cells(), cluster="leiden")
    assert (read.to_dict(), read.objects) == ({"0": {"d", "e"}, "1": {"c", "a"}}, CELLS)
    long = Clustering.from_frame(cells(object=[1, 2, 3, 4, 5]), cluster="leiden")
    assert long.to_dict() == {"0": {1, 5}, "1": {2, 4}}
