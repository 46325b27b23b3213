"""Text labels mean the same in memory as in files: "-1" is an outlier, and names stay text."""

import csv
import json
from types import SimpleNamespace

import anndata
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from coverlap import (
    Clustering,
    as_clustering,
    compare,
    fstar_score,
    read_clustering,
    scores,
)
from coverlap.core.spelling import label_value

LABELS = ["0", "0", "-1", "1", "-7"]
IDS = ["a", "b", "c", "d", "e"]


PAIRS = list(zip(IDS, LABELS, strict=True))


@pytest.mark.parametrize(
    "labels",
    [
        LABELS,
        *(np.array(LABELS, dtype) for dtype in ("U", "S", object, np.dtypes.StringDType())),
        np.ma.MaskedArray(LABELS, [0] * 5),
        *(pd.Series(LABELS, dtype=dtype) for dtype in (object, "string", "category")),
        pd.Index(LABELS),
        pl.Series(LABELS),
        pl.Series(LABELS, dtype=pl.Categorical),
        pa.array(LABELS),
        pa.array(LABELS).dictionary_encode(),
        dict(PAIRS),
        SimpleNamespace(labels_=np.array(LABELS)),
        *(
            make({"object": IDS, "cluster": LABELS})
            for make in (pd.DataFrame, pl.DataFrame, pa.table)
        ),
        Clustering.from_memberships(PAIRS),
        Clustering.from_memberships(dict(PAIRS)),
        Clustering.from_memberships({item: {label} for item, label in PAIRS}),
        Clustering.from_frame(
            anndata.AnnData(obs=pd.DataFrame({"cluster": pd.Categorical(LABELS)}, index=IDS))
        ),
    ],
    ids=lambda labels: f"{type(labels).__module__} {type(labels).__name__}",
)
def test_text_of_a_negative_integer_is_an_outlier_and_a_note_says_so(labels):
    read = as_clustering(labels)
    is_bytes = isinstance(labels, np.ndarray) and labels.dtype.kind == "S"
    assert read.names == ([b"0", b"1"] if is_bytes else ["0", "1"])
    first, second, _, fourth, _ = read.objects
    assert read.to_clusters() == [{first, second}, {fourth}]
    assert read.n_outliers == 2
    texts = "b'-1', b'-7'" if is_bytes else "'-1', '-7'"
    notes = tuple(
        f"{side}: text labels that mean outliers: {texts}; "
        "outlier_label= of as_clustering and from_labels (--outlier-label) chooses others"
        for side in ("left", "right")
    )
    result = compare(read, read)
    assert result.notes == scores(read, read, ["fstar_wo"]).notes == notes
    assert f"note: left: text labels that mean outliers: {texts}; outlier_label=" in str(result)


SPELLINGS = {
    True: ["-1", "-7", "-1.0", "-2.", "-" + "9" * 30, "nan", "NaN", "NaT", "None", "<NA>", "NA",
           "NULL", "null", ""],
    False: ["-2e0", "-0", "-007", "- 1", " -1", "-1 ", "\u22121", "--1", "-", "-x", "0", " ", "na",
            "none", "T-1"],
    None: ["-1.5"],  # a text file rejects continuous numbers, and elsewhere they are names
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "is_outlier"),
    [(text, is_outlier) for is_outlier, texts in SPELLINGS.items() for text in texts],
    ids=repr,
)
def test_every_spelling_means_the_same_in_memory_and_in_every_file(tmp_path, text, is_outlier):
    held = {"a": "A", "b": "A", "c": text}
    clusters = [{"a", "b"}] if is_outlier else [{"a", "b"}, {"c"}]
    expected = Clustering.from_clusters(clusters, universe=held)
    frame = pd.DataFrame({"object": held.keys(), "cluster": held.values()})
    assert as_clustering(held) == Clustering.from_frame(frame) == expected
    frame.to_parquet(tmp_path / "x.parquet")
    frame.to_feather(tmp_path / "x.feather")
    (tmp_path / "x.json").write_text(json.dumps(held))
    frame.to_csv(tmp_path / "x.csv", index=False, quoting=csv.QUOTE_ALL)
    for path in tmp_path.iterdir():
        if is_outlier is not None or path.suffix != ".csv":
            assert read_clustering(path) == expected, path


@pytest.mark.parametrize("text", ["-1", "nan", "0", "T cell"])
def test_an_h5ad_file_is_read_as_its_frame_in_memory(tmp_path, text):
    obs = pd.DataFrame({"leiden": pd.Categorical(["0", "0", "1", text])}, index=list("abcd"))
    path = tmp_path / "x.h5ad"
    anndata.AnnData(np.zeros((4, 1)), obs=obs).write_h5ad(path)
    held = Clustering.from_frame(obs, cluster="leiden")
    read = read_clustering(path, cluster="leiden")
    assert fstar_score(held, read) == 1.0
    assert compare(held, held).notes == compare(read, read).notes


def test_objects_and_clusters_given_by_name_may_be_called_minus_one():
    """As in files of cluster lines and in JSON that maps clusters to their members."""
    named = Clustering.from_clusters({"-1": ["x"], "nan": ["-1"]})
    assert named.to_dict() == {"-1": {"x"}, "nan": {"-1"}}
    assert as_clustering({"-1": "a", "nan": "a"}).n_outliers == 0


def test_an_unused_category_makes_no_outliers_and_no_note():
    labels = pd.Series(pd.Categorical(["a", "a", "-1"], ["a", "b", "-1"]))[:2]
    assert compare(labels, labels).notes == ()


def test_a_label_of_the_user_is_compared_as_text_and_as_a_number():
    for outlier_label in (0, "0", b"0", ["0", "x"]):
        for labels in ([0, 1, 1], ["0", "1", "1"], np.array([0, 1, 1]), np.array(["0", "1", "1"])):
            read = as_clustering(labels, outlier_label=outlier_label)
            assert read.to_clusters() == [{1, 2}], (outlier_label, labels)


def test_a_label_means_the_value_that_its_text_spells():
    assert label_value("-1") == label_value(b"-1") == -1
    assert [label_value(x) for x in ("7", "x", 7, None, ("-1",))] == [7, "x", 7, None, ("-1",)]
