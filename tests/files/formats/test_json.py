import json

import pytest

from coverlap.core.errors import OptionError
from tests.files.support import line_of, read, refusal


def found(document: object, **options: object):
    text = document if isinstance(document, (str, bytes)) else json.dumps(document)
    c = read(text, "a.json", **options)
    return c.to_dict(), c.objects


def described(document: object, **options: object) -> str:
    return read(json.dumps(document), "a.json", **options).describe().splitlines()[0]


@pytest.mark.parametrize(
    ("document", "options", "clusters", "objects", "title"),
    [
        ([[1, 2], [2, 3]], {}, {0: {1, 2}, 1: {2, 3}}, [1, 2, 3], "a list of clusters"),
        ([["a", 2]], {}, {0: {"a", 2}}, [2, "a"], "a list of clusters"),
        ([[]], {}, {}, [], "a list of clusters"),
        ([], {}, {}, [], "a list of clusters"),
        (["x", None, "x", -1, 3], {}, {3: {4}, "x": {0, 2}}, [0, 1, 2, 3, 4], "labels"),
        ([1.0, 2.0, 1.0], {}, {1: {0, 2}, 2: {1}}, [0, 1, 2], "labels"),
        (["0", "1"], {}, {"0": {0}, "1": {1}}, [0, 1], "labels"),
        ([5, 7], {"outlier_label": 5}, {7: {1}}, [0, 1], "labels"),
        ([5, 7], {"outlier_cluster": 7}, {5: {0}}, [0, 1], "labels"),
        ({"a": 1, "b": 1, "c": None}, {}, {1: {"a", "b"}}, ["a", "b", "c"], "labels by object"),
        ({"1": "x", "20": "x", "3": "y"}, {}, {"x": {1, 20}, "y": {3}}, [1, 3, 20],
         "labels by object"),
        ({"01": "x", "2": "x"}, {}, {"x": {"01", "2"}}, ["01", "2"], "labels by object"),
        ({}, {}, {}, [], "labels by object"),
        ({"1": ["x", "y"], "2": ["y"], "3": []}, {"keys": "objects"}, {"x": {1}, "y": {1, 2}},
         [1, 2, 3], "clusters by object"),
        ({"1": ["x", "y"], "2": "y"}, {"keys": "objects"}, {"x": {1}, "y": {1, 2}}, [1, 2],
         "clusters by object"),
        ({"1": ["x", "y"], "2": ["y"]}, {"keys": "clusters"}, {"1": {"x", "y"}, "2": {"y"}},
         ["x", "y"], "members by cluster"),
        ({"-1": [5], "b": []}, {"keys": "clusters"}, {"-1": {5}}, [5], "members by cluster"),
        ({"clusters": [[1, 2], [2]], "objects": [1, 2, 3]}, {}, {0: {1, 2}, 1: {2}}, [1, 2, 3],
         "lists under 'clusters'"),
        ({"clusters": [[1], [2]], "names": ["b", -1]}, {}, {-1: {2}, "b": {1}}, [1, 2],
         "lists under 'clusters'"),
        ({"clusters": [[1], [2]], "names": ["b", 7]}, {"outlier_cluster": 7}, {"b": {1}}, [1, 2],
         "lists under 'clusters'"),
        ({"clusters": [], "objects": ["a"]}, {}, {}, ["a"], "lists under 'clusters'"),
        ({"communities": [[1, 2], [2, 3]], "algorithm": "demon", "params": {"epsilon": 0.25},
          "overlap": True, "coverage": 1.0}, {}, {0: {1, 2}, 1: {2, 3}}, [1, 2, 3],
         "lists under 'communities'"),
    ],
)  # fmt: skip
def test_a_document_of_any_shape_is_read(document, options, clusters, objects, title):
    assert found(document, **options) == (clusters, objects)
    assert described(document, **options) == f"read as: JSON, {title}"


def test_the_kind_of_every_id_is_kept():
    clusters, _ = found([["1", 1, 2**70, "é", ""]])
    assert {(type(item), item) for item in clusters[0]} == {
        (str, "1"), (int, 1), (int, 2**70), (str, "é"), (str, ""),
    }  # fmt: skip


def test_spaces_escapes_and_signs_of_other_formats_mean_nothing():
    text = '\n [ [ "a\\u00e9\\n", "#", "," ],\r\n\t["\\ud83d\\ude00"] ] \n\n'
    assert found(text)[0] == {0: {"aé\n", "#", ","}, 1: {"😀"}}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"", 1), (b"  \n ", 1), (b"[[1, 2],\n[3", 2), (b"[[1, 2]]\n]", 2), (b"{", 1),
        (b"[1,\n\n2,]", 3), (b"[1 2]", 1), (b"['a']", 1), (b'["a]', 1), (b'["a\nb"]', 1),
        (b"[1,\n\xff]", 2), ("[1]".encode("utf-16"), 1), (b"[1\0]", 1), (b"# c\n[1]", 1),
        (b"[[1, 2]]\n[[3]]", 2), (b"nul", 1), (b"[01]", 1), (b"[+1]", 1), (b"[1.]", 1),
    ],
)  # fmt: skip
def test_what_is_no_json_is_refused_with_its_line(text: bytes, line: int):
    assert line_of(refusal(text, "a.json")) == line


@pytest.mark.parametrize(
    ("document", "options", "message"),
    [
        ("5", {}, "5 is no list and no object of clusters"),
        ('"a"', {}, "'a' is no list and no object of clusters"),
        ("null", {}, "None is no list and no object of clusters"),
        ("[[1], 2]", {}, "a list must hold labels only, or lists of members only"),
        ("[{}]", {}, "a list must hold labels only"),
        ("[1.5, 2]", {}, "continuous"),
        ('{"a": 0.5}', {}, "continuous"),
        ("[Infinity]", {}, "Infinity is no label"),
        ("[-Infinity]", {}, "-Infinity is no label"),
        ("[1e999]", {}, "1e999 is beyond the precision of numbers"),
        ('{"a": 1, "a": 2}', {}, "the key 'a' is there twice"),
        ('{"a": [1], "b": [2]}', {}, "keys='clusters' or keys='objects' (--keys)"),
        ('{"a": [1], "b": 2}', {}, "keys='clusters' or keys='objects' (--keys)"),
        ('{"a": [1], "b": 2}', {"keys": "clusters"}, "must be a collection of objects"),
        ('{"a": [[1]]}', {"keys": "objects"}, "hashable"),
        ('{"a": [[1]]}', {"keys": "clusters"}, "hashable"),
        ('{"a": {"b": 1}}', {"keys": "clusters"}, "must be a collection of objects"),
        ('{"a": {"b": 1}}', {"keys": "objects"}, "must be in a list, not by key"),
        ("[[[1]]]", {}, "hashable"), ("[[{}]]", {}, "hashable"), ("[[null]]", {}, "missing"),
        ("[[NaN]]", {}, "missing"),
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
        ("[[1e400], [1e500]]", {}, "1e400 is beyond the precision of numbers"),
        ("[[1e-400], [0]]", {}, "1e-400 is beyond the precision"),
        (f"[[1e-{'9' * 30}], [0]]", {}, "is beyond the precision"),
        ("[[1.00000000000000000001], [1]]", {}, "1.00000000000000000001 is beyond the precision"),
        ("[[true, 1], [2]]", {}, "true or false where it could be taken for 1 or 0"),
        ("[[true, false]]", {}, "true or false"),
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


def test_a_missing_name_and_a_missing_label():
    assert found("[NaN, 1]") == ({1: {1}}, [0, 1])


def test_options_of_other_formats_are_refused():
    with pytest.raises(OptionError, match="delimiter means nothing in the format 'json'"):
        read("[1]", "a.json", delimiter=",")


@pytest.mark.parametrize("key", ["clusters", "communities"])
def test_keys_that_are_said_to_be_clusters_are_clusters(key: str):
    document = {key: [], "x": [1, 2]}
    assert found(document, keys="clusters") == ({"x": {1, 2}}, [1, 2])
    assert found({key: [], "x": ["a"]}, keys="objects") == ({"a": {"x"}}, [key, "x"])


def test_labels_may_be_true_and_false_where_there_are_no_numbers():
    assert found("[true, false, true, null]")[0] == {False: {1}, True: {0, 2}}
    assert found('{"a": true, "b": false}')[0] == {True: {"a"}, False: {"b"}}


def test_numbers_that_floats_hold_are_ids_however_they_are_written():
    assert found("[[1.50, 15e-1, 0.1, 1.0, -0.0, 1E5]]")[1] == [0, 0.1, 1, 1.5, 100_000]
