import json

import pytest

from tests.files.support import line_of, read, refusal


def found(document: object, **options: object):
    text = document if isinstance(document, str) else json.dumps(document)
    c = read(text, "a.json", **options)
    return c.to_dict(), set(c.objects)


XY = ["x", "y"]
CLUSTERS = [[1, 20], [3, 20]]


@pytest.mark.parametrize(
    ("document", "options", "names", "title"),
    [
        (CLUSTERS, {}, [0, 1], "a list of clusters"),
        ({"clusters": CLUSTERS}, {}, [0, 1], "lists under 'clusters'"),
        ({"clusters": CLUSTERS, "names": XY, "objects": [20, 1, 3]}, {}, XY,
         "lists under 'clusters'"),
        ({"communities": CLUSTERS, "algorithm": "demon", "params": {"epsilon": 0.25},
          "overlap": True, "coverage": 1.0}, {}, [0, 1], "lists under 'communities'"),
        ({"1": "x", "20": XY, "3": ["y"]}, {"keys": "objects"}, XY, "clusters by object"),
        ({"x": [1, 20], "y": [3, 20]}, {"keys": "clusters"}, XY, "members by cluster"),
    ],
)  # fmt: skip
def test_overlapping_clusters_are_read_in_any_shape(document, options, names, title):
    assert found(document, **options) == ({names[0]: {1, 20}, names[1]: {3, 20}}, {1, 3, 20})
    described = read(json.dumps(document), "a.json", **options).describe()
    assert described.startswith(f"read as: JSON, {title}\n")


@pytest.mark.parametrize(
    ("document", "options", "clusters", "outliers"),
    [
        (["x", None, "x", -1, 3], {}, {3: {4}, "x": {0, 2}}, {1, 3}),
        ([1.0, 2.0, 1.0], {}, {1: {0, 2}, 2: {1}}, ()),
        (["0", "1"], {}, {"0": {0}, "1": {1}}, ()),
        ("[NaN, 1]", {}, {1: {1}}, {0}),
        ([5, 7], {"outlier_label": 5}, {7: {1}}, {0}),
        ([5, 7], {"outlier_cluster": 7}, {5: {0}}, {1}),
        ({"a": 1, "b": 1, "c": None}, {}, {1: {"a", "b"}}, {"c"}),
        ({"1": "x", "20": "x"}, {}, {"x": {1, 20}}, ()),
        ({"01": "x", "2": "x"}, {}, {"x": {"01", "2"}}, ()),
        ({}, {}, {}, ()), ([], {}, {}, ()), ([[]], {}, {}, ()),
        ({"1": ["x"], "3": []}, {"keys": "objects"}, {"x": {1}}, {3}),
        ({"-1": [5], "b": []}, {"keys": "clusters"}, {"-1": {5}}, ()),
        ({"clusters": [], "objects": ["a"]}, {}, {}, {"a"}),
        ({"clusters": [[1], [2]], "names": ["b", -1]}, {}, {-1: {2}, "b": {1}}, ()),
    ],
)  # fmt: skip
def test_labels_and_clusters_leave_outliers(document, options, clusters, outliers):
    objects = set().union(*clusters.values(), outliers)
    assert found(document, **options) == (clusters, objects)


@pytest.mark.parametrize(
    ("document", "title"), [("[1]", "labels"), ('{"a": 1}', "labels by object")]
)
def test_labels_are_described_as_such(document: str, title: str):
    assert read(document, "a.json").describe().startswith(f"read as: JSON, {title}\n")


def test_the_kind_of_every_id_is_kept():
    (cluster,) = found([["1", 1, 2**70, "é", ""]])[0].values()
    assert sorted(map(repr, cluster)) == sorted(map(repr, ["1", 1, 2**70, "é", ""]))


def test_spaces_escapes_and_signs_of_other_formats_mean_nothing():
    text = '\n [ [ "a\\u00e9\\n", "#", "," ],\r\n\t["\\ud83d\\ude00"] ] \n\n'
    assert found(text)[0] == {0: {"aé\n", "#", ","}, 1: {"😀"}}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[[1, 2],\n[3", 2), ("[[1, 2]]\n]", 2), ("{", 1), ("[1,\n\n2,]", 3), ("[1 2]", 1),
        ("['a']", 1), ('["a]', 1), ('["a\nb"]', 1), ("# c\n[1]", 1), ("[[1, 2]]\n[[3]]", 2),
        ("nul", 1), ("[01]", 1), ("[+1]", 1), ("[1.]", 1),
    ],
)  # fmt: skip
def test_what_is_no_json_is_refused_with_its_line(text: str, line: int):
    assert line_of(refusal(text, "a.json")) == line


@pytest.mark.parametrize(
    ("document", "options", "message"),
    [
        ("5", {}, "5 is no list and no object of clusters"),
        ("[[1], 2]", {}, "a list must hold labels only, or lists of members only"),
        ("[{}]", {}, "a list must hold labels only"),
        ("[1.5, 2]", {}, "continuous"),
        ('{"a": 0.5}', {}, "continuous"),
        ("[Infinity]", {}, "Infinity is no label"),
        ("[1e999]", {}, "1e999 is beyond the precision of numbers"),
        ('{"a": 1, "a": 2}', {}, "the key 'a' is there twice"),
        ('{"a": [1], "b": 2}', {}, "keys='clusters' or keys='objects' (--keys)"),
        ('{"a": [1], "b": 2}', {"keys": "clusters"}, "must be a collection of objects"),
        ('{"a": [[1]]}', {"keys": "objects"}, "hashable"),
        ('{"a": {"b": 1}}', {"keys": "clusters"}, "must be a collection of objects"),
        ('{"a": {"b": 1}}', {"keys": "objects"}, "must be in a list, not by key"),
        ("[[null]]", {}, "missing"), ("[[NaN]]", {}, "missing"),
        ("[1]", {"keys": "objects"}, "of which keys= has nothing to say"),
        ('{"a": 1}', {"keys": "objects"}, "of which keys= has nothing to say"),
        ('{"clusters": [[1]], "objects": 1}', {}, "objects and names must be lists"),
        ('{"clusters": [[1]], "names": "a"}', {}, "objects and names must be lists"),
        ('{"clusters": [[1]], "names": []}', {}, "0 names for 1 clusters"),
        ('{"clusters": [[1], [2]], "names": [3, 3]}', {}, "names must be scalars, and each there"),
        ('{"clusters": [[1]], "names": [[3]]}', {}, "names must be scalars"),
        ('{"clusters": [[1]], "objects": [2]}', {}, "members outside the universe: 1"),
        ('{"clusters": [[1]], "objects": [[1]]}', {}, "objects must be scalars"),
        ('{"clusters": [[1]], "objects": [null, 1]}', {}, "none of them missing"),
        ("[" * 100_000, {}, "nested too deeply"),
        ("[" * 100_000 + "]" * 100_000, {}, "nested too deeply"),
        ('{"a":' * 100_000, {}, "nested too deeply"),
        (f"[{'9' * 5000}]", {}, "an integer has more than 4,300 digits; put it in quotes"),
        (f"[[1e-{'9' * 30}], [0]]", {}, "is beyond the precision"),
        ("[[1.00000000000000000001], [1]]", {}, "1.00000000000000000001 is beyond the precision"),
        ("[[true, false]]", {}, "true or false where it could be taken for 1 or 0"),
        ("[true, 1, 2]", {}, "true or false"),
        ("[false, 0.0]", {}, "true or false"),
        ('{"a": true, "b": 1}', {}, "true or false"),
        ('{"a": [true], "b": [1]}', {"keys": "objects"}, "true or false"),
        ('{"a": [true], "b": ["x"]}', {"keys": "clusters"}, "true or false"),
        ('{"clusters": [[true]]}', {}, "true or false"),
        ('{"clusters": [[1]], "objects": [1, false]}', {}, "true or false"),
    ],
)  # fmt: skip
def test_documents_of_no_clustering_are_refused(document: str, options, message: str):
    assert message in refusal(document, "a.json", **options)


@pytest.mark.parametrize("depth", range(880, 1000, 7))
def test_lists_that_are_just_not_too_deep_are_refused_too(depth: int):
    for opened, closed in (("[", "]"), ('{"a":', "}"), ('{"a":[', "]}")):
        for inside in ("", "1"):
            text = opened * depth + (inside or ("1" if "{" in opened else "")) + closed * depth
            refusal(text, "a.json")
            refusal(text, "a.json", keys="clusters")


@pytest.mark.parametrize("key", ["clusters", "communities"])
def test_keys_that_are_said_to_be_clusters_are_clusters(key: str):
    document = {key: [], "x": ["a"]}
    assert found(document, keys="clusters") == ({"x": {"a"}}, {"a"})
    assert found(document, keys="objects") == ({"a": {"x"}}, {key, "x"})


def test_labels_may_be_true_and_false_where_there_are_no_numbers():
    assert found("[true, false, true, null]")[0] == {False: {1}, True: {0, 2}}
    assert found('{"a": true, "b": false}')[0] == {True: {"a"}, False: {"b"}}


def test_numbers_that_floats_hold_are_ids_however_they_are_written():
    assert found("[[1.50, 15e-1, 0.1, 1.0, -0.0, 1E5]]")[1] == {0, 0.1, 1, 1.5, 100_000}
