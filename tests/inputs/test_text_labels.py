"""Text labels mean the same in memory as in files: "-1" is an outlier, and names stay text."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from coverlap import (
    Clustering,
    InputError,
    as_clustering,
    compare,
    fstar_score,
    read_clustering,
    scores,
)
from coverlap.core.spelling import label_value

LABELS = ["0", "0", "-1", "1", "-7"]
IDS = ["a", "b", "c", "d", "e"]
FRAME = {"object": IDS, "cluster": LABELS}


class Adata(SimpleNamespace):
    """A stand-in for AnnData, which is recognised by its name and module."""

    __module__ = "anndata._core.anndata"


Adata.__name__ = "AnnData"

INPUTS = {
    "list": lambda: LABELS,
    "tuple": lambda: tuple(LABELS),
    "iterator": lambda: iter(LABELS),
    "U array": lambda: np.array(LABELS),
    "S array": lambda: np.array(LABELS, "S"),
    "object array": lambda: np.array(LABELS, object),
    "array of strings": lambda: np.array(LABELS, np.dtypes.StringDType()),
    "masked array": lambda: np.ma.MaskedArray(LABELS, [0] * 5),
    "pandas object": lambda: pd.Series(LABELS, dtype=object),
    "pandas str": lambda: pd.Series(LABELS, dtype="string"),
    "pandas category": lambda: pd.Series(LABELS, dtype="category"),
    "pandas Categorical": lambda: pd.Categorical(LABELS),
    "pandas Index": lambda: pd.Index(LABELS),
    "polars": lambda: pl.Series(LABELS),
    "polars category": lambda: pl.Series(LABELS, dtype=pl.Categorical),
    "arrow": lambda: pa.array(LABELS),
    "arrow dictionary": lambda: pa.array(LABELS).dictionary_encode(),
    "arrow chunks": lambda: pa.chunked_array([LABELS]),
    "dict": lambda: dict(zip(IDS, LABELS, strict=True)),
    "estimator": lambda: SimpleNamespace(labels_=np.array(LABELS)),
    "pandas frame": lambda: pd.DataFrame(FRAME),
    "polars frame": lambda: pl.DataFrame(FRAME),
    "arrow table": lambda: pa.table(FRAME),
    "pairs": lambda: Clustering.from_memberships(list(zip(IDS, LABELS, strict=True))),
    "label of each object": lambda: Clustering.from_memberships(
        dict(zip(IDS, LABELS, strict=True))
    ),
    "labels of each object": lambda: Clustering.from_memberships(
        {item: {label} for item, label in zip(IDS, LABELS, strict=True)}
    ),
    "AnnData": lambda: Clustering.from_frame(
        Adata(obs=pd.DataFrame({"cluster": pd.Categorical(LABELS)}, index=IDS))
    ),
}


@pytest.mark.parametrize("kind", INPUTS)
def test_text_of_a_negative_integer_is_an_outlier_and_names_stay_text(kind):
    read = as_clustering(INPUTS[kind]())
    assert read.names == ([b"0", b"1"] if kind == "S array" else ["0", "1"])
    first, second, _, fourth, _ = read.objects
    assert read.to_clusters() == [{first, second}, {fourth}]
    assert read.n_outliers == 2


@pytest.mark.parametrize("kind", INPUTS)
def test_the_results_note_which_text_made_outliers(kind):
    read = as_clustering(INPUTS[kind]())
    texts = "b'-1', b'-7'" if kind == "S array" else "'-1', '-7'"
    notes = tuple(
        f"{side}: text labels that mean outliers: {texts}; "
        "outlier_label= of as_clustering and from_labels (--outlier-label) chooses others"
        for side in ("left", "right")
    )
    result = compare(read, read)
    assert result.notes == scores(read, read, ["fstar_wo"]).notes == notes
    assert f"note: left: text labels that mean outliers: {texts}; outlier_label=" in str(result)


FILES = ("x.csv", "x.json", "x.parquet", "x.feather", "x.h5ad")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write a function's labels to a file of each format, and return the paths."""
    monkeypatch.chdir(tmp_path)

    def write(labels):
        ids = [f"o{i}" for i in range(len(labels))]
        rows = ["object,cluster", *(f'{o},"{c}"' for o, c in zip(ids, labels, strict=True))]
        (tmp_path / "x.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        (tmp_path / "x.json").write_text(json.dumps(dict(zip(ids, labels, strict=True))))
        table = pa.table({"object": ids, "cluster": labels})
        parquet.write_table(table, tmp_path / "x.parquet")
        feather.write_feather(table, tmp_path / "x.feather")
        return dict(zip(ids, labels, strict=True))

    return write


SPELLINGS = [
    ("-1", True), ("-7", True), ("-1.0", True), ("-2.", True), ("-2e0", False), ("-0", False),
    ("-1.5", None), ("-007", False), ("- 1", False), (" -1", False), ("-1 ", False),
    ("\u22121", False), ("--1", False), ("-", False), ("-x", False), ("0", False),
    ("-" + "9" * 30, True),
    ("nan", True), ("NaN", True), ("NaT", True), ("None", True), ("<NA>", True), ("NA", True),
    ("NULL", True), ("null", True), ("", True), (" ", False), ("na", False), ("none", False),
    ("T-1", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_outlier"), SPELLINGS, ids=repr)
def test_every_spelling_means_the_same_in_memory_and_in_every_file(files, text, is_outlier):
    """None: a text file rejects continuous numbers, and elsewhere they are names."""
    held = files(["A", "A", text])
    expected = [{"o0", "o1"}] if is_outlier else [{"o0", "o1"}, {"o2"}]
    frame = pd.DataFrame({"object": list(held), "cluster": list(held.values())})
    for read in (as_clustering(held), Clustering.from_frame(frame)):
        assert sorted(read.to_clusters(), key=len, reverse=True) == expected
        assert read.n_objects == 3
    for name in FILES[is_outlier is None : 4]:
        assert read_clustering(name) == Clustering.from_clusters(expected, universe=held), name


@pytest.mark.parametrize("text", ["-1", "nan", "0", "T cell"])
def test_the_score_of_an_h5ad_file_is_that_of_its_frame_in_memory(tmp_path, text):
    anndata = pytest.importorskip("anndata")
    obs = pd.DataFrame({"leiden": pd.Categorical(["0", "0", "1", text])}, index=list("abcd"))
    path = tmp_path / "x.h5ad"
    anndata.AnnData(np.zeros((4, 1)), obs=obs).write_h5ad(path)
    held = Clustering.from_frame(obs, cluster="leiden")
    read = read_clustering(path, cluster="leiden")
    truth = {"a": 0, "b": 0, "c": 1, "d": -1}
    assert fstar_score(truth, held) == fstar_score(truth, read)
    assert compare(truth, held).notes == compare(truth, read).notes
    assert held == read


def test_objects_and_clusters_given_by_name_may_be_called_minus_one():
    """As in files of cluster lines and in JSON that maps clusters to their members."""
    named = Clustering.from_clusters({"-1": ["x"], "nan": ["-1"]})
    assert named.to_dict() == {"-1": {"x"}, "nan": {"-1"}}
    assert as_clustering([{"-1", "x"}, {"nan"}]).n_clusters == 2
    assert as_clustering({"-1": "a", "nan": "a"}).n_outliers == 0


def test_an_unused_category_makes_no_outliers_and_no_note():
    labels = pd.Series(pd.Categorical(["a", "a", "-1"], ["a", "b", "-1"]))[:2]
    assert compare(labels, labels).notes == ()


def test_a_label_of_the_user_is_compared_as_text_and_as_a_number():
    for outlier_label in (0, "0", b"0", ["0", "x"]):
        for labels in ([0, 1, 1], ["0", "1", "1"], np.array([0, 1, 1]), np.array(["0", "1", "1"])):
            read = as_clustering(labels, outlier_label=outlier_label)
            assert read.to_clusters() == [{1, 2}], (outlier_label, labels)


@pytest.mark.parametrize("name", ["-1", "-2.0", "nan", "", b"-1"])
def test_names_that_would_be_read_as_outliers_are_not_written_as_labels(name):
    named = Clustering.from_clusters({name: {0}, "x": {1}})
    for write in (named.to_labels, named.to_frame):
        with pytest.raises(InputError, match="would not be read as the name of a cluster"):
            write()


def test_a_label_means_the_value_that_its_text_spells():
    assert label_value("-1") == label_value(b"-1") == -1
    assert [label_value(x) for x in ("7", "x", 7, None, ("-1",))] == [7, "x", 7, None, ("-1",)]
