"""Usual names of columns, in frames and in files of every format with columns."""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import coverlap as cv
from coverlap.core.column_names import USUAL_NAMES, Usual, find_column

OBJECTS = ("unique_id", "record_id", "node", "id", "name")
CLUSTERS = ("cluster_id", "label", "community", "component")


def find(names: list, role: str = "object", given: object = None, other: object = "cluster"):
    given = Usual(role) if given is None else given
    return find_column(names, role, given, other=other, where="here", hint="say it")


def test_the_usual_names_are_those_of_the_documentation():
    assert {"object": ("object", *OBJECTS), "cluster": ("cluster", *CLUSTERS)} == USUAL_NAMES
    page = Path(__file__).parents[2].joinpath("docs/files.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in (*OBJECTS, *CLUSTERS))


def test_the_default_precedes_all_usual_names():
    assert find(["id", "object", "name"]) == "object"
    assert find(["label", "cluster"], "cluster", other="object") == "cluster"


@pytest.mark.parametrize("name", OBJECTS)
def test_the_only_usual_name_is_taken(name: str):
    assert find(["x", name, "cluster", 7, ("a", "b")]) == name


def test_several_usual_names_are_an_error():
    with pytest.raises(cv.InputError, match=r"here: 'id', 'name' can each be the column of obj"):
        find(["id", "cluster", "name"])


def test_a_column_that_the_other_role_has_is_not_considered():
    assert find(["id", "name"], other="name") == "id"
    assert find(["id", "name"], other="id") == "name"


def test_a_name_that_is_given_is_not_replaced():
    with pytest.raises(cv.InputError, match="here: no column 'object' among 'id', 'x'; say it"):
        find(["id", "x"], given="object")


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("Object", "did you mean 'object'?"),
        ("obejct", "did you mean 'object'?"),
        ("cluster_nr", "did you mean 'cluster'?"),
        ("xyz", "say it"),
        (7, "say it"),
    ],
)
def test_a_similar_name_is_suggested(given: object, hint: str):
    with pytest.raises(cv.InputError) as error:
        find(["object", "cluster", 8], given=given)
    assert str(error.value).endswith(f"among 'object', 'cluster', 8; {hint}")


def test_a_search_among_very_many_and_very_long_names_ends():
    names = ["x" * 1_000_000] * 3 + [f"column {i}" * 9 for i in range(100_000)]
    with pytest.raises(cv.InputError, match="no column 'colum'"):
        find(names, given="colum")


TABLES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}


@pytest.mark.parametrize(("item", "cluster"), list(product(OBJECTS, CLUSTERS)))
@pytest.mark.parametrize("library", TABLES)
def test_frames_with_usual_names_are_read(library: str, item: str, cluster: str):
    frame = TABLES[library]({"note": ["", "", ""], cluster: ["x", "x", "y"], item: [7, 8, 9]})
    c = cv.as_clustering(frame)
    assert c == cv.Clustering.from_frame(frame)
    assert c.to_dict() == {"x": {7, 8}, "y": {9}}
    said = f"a frame, object in column '{item}' and cluster in column '{cluster}'"
    assert c.describe().startswith(f"read as: {said}\n")


def test_frames_are_read_by_the_names_that_are_given():
    frame = pd.DataFrame({"id": [1, 2], "name": ["a", "b"], "label": [0, 0]})
    with pytest.raises(cv.InputError, match="'id', 'name' can each be the column of objects"):
        cv.as_clustering(frame)
    assert cv.Clustering.from_frame(frame, object="name").to_dict() == {0: {"a", "b"}}
    assert cv.Clustering.from_frame(frame, cluster="name").to_dict() == {"a": {1}, "b": {2}}
    with pytest.raises(cv.InputError, match=r"'lable' among .*; did you mean 'label'\?"):
        cv.Clustering.from_frame(frame, object="id", cluster="lable")
    plain = pd.DataFrame({"object": [1, 2], "cluster": [0, 0]})
    assert "read as" not in cv.as_clustering(plain).describe()


def test_named_rows_are_objects_before_a_column_with_a_usual_name():
    frame = pd.DataFrame({"id": [1, 2], "label": [0, 0]}, index=["a", "b"])
    c = cv.Clustering.from_frame(frame)
    assert c.to_dict() == {0: {"a", "b"}}
    assert "object in the rows and cluster in column 'label'" in c.describe()


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".arrow", ".txt"])
def test_files_with_usual_names_are_read(suffix: str, tmp_path: Path):
    expected = cv.Clustering.from_clusters({"x": [7, 8], "y": [9]})
    form = "pairs" if suffix == ".txt" else "auto"
    for item, cluster in (*zip(OBJECTS, CLUSTERS, strict=False), ("name", "label")):
        path = tmp_path / f"a{suffix}"
        cv.write_clustering(expected, path, form, object=item, cluster=cluster)
        found = cv.read_clustering(path)
        assert found == expected
        said = f"object in column '{item}' and cluster in column '{cluster}'"
        assert said in found.describe()


@pytest.mark.parametrize(
    "label", ["name of a cluster", "name label", "the id label", "a cluster_id of a node"]
)
def test_words_that_are_usual_names_can_be_labels_and_are_no_header_of_a_table(
    label: str, tmp_path: Path
):
    path = tmp_path / "words.txt"
    path.write_text(f"{label}\n" * 40)
    assert cv.read_clustering(path).to_dict() == {label: set(range(40))}
    path.write_text(f"{label}\nhouse tree garden\n")
    with pytest.raises(cv.InputError, match="can be read in"):
        cv.read_clustering(path)


def test_an_anndata_file_with_a_usual_name_is_read(tmp_path: Path):
    import anndata

    obs = pd.DataFrame({"label": ["x", "y", "x"], "id": [1, 2, 3]}, index=["a", "b", "c"])
    path = tmp_path / "cells.h5ad"
    anndata.AnnData(np.zeros((3, 1)), obs).write_h5ad(path)
    found = cv.read_clustering(path)
    assert found.to_dict() == {"x": {"a", "c"}, "y": {"b"}}
    assert "object in the index and cluster in column 'label'" in found.describe()
    for given, hint in (("lable", "did you mean 'label'"), ("cluster", "say which")):
        with pytest.raises(cv.InputError, match=f"'{given}' among 'id', 'label'; {hint}"):
            cv.read_clustering(path, cluster=given)


@pytest.mark.parametrize("suffix", [".gml", ".graphml"])
def test_a_mistyped_attribute_of_vertices_gets_a_suggestion(suffix: str, tmp_path: Path):
    path = tmp_path / f"a{suffix}"
    path.write_text({
        ".gml": 'graph [ node [ id 1 label "a" community 3 ] ]',
        ".graphml": '<graphml><key id="k" for="node" attr.name="community"/><graph>'
        '<node id="1"><data key="k">3</data></node></graph></graphml>',
    }[suffix])  # fmt: skip
    with pytest.raises(cv.InputError, match=r"did you mean 'community'\?"):
        cv.read_clustering(path, cluster="comunity")
    with pytest.raises(cv.InputError, match=r"say which by cluster= \(--cluster\)"):
        cv.read_clustering(path)
