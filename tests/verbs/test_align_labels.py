"""Labels renamed after the clusters of a reference."""

import math
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

import coverlap as cv
from tests.marks import slow_after

KEYS = "abcdefghijklmnopqrstuvwxyz"

CONTAINERS = {
    "list": (list, list),
    "tuple": (tuple, list),
    "array": (np.array, np.ndarray.tolist),
    "objects": (lambda values: np.array(values, object), np.ndarray.tolist),
    "pandas": (lambda values: pd.Series(values, index=[*KEYS[: len(values)]], name="s"), list),
    "category": (lambda values: pd.Series(values, dtype="category"), list),
    "polars": (lambda values: pl.Series("s", values), pl.Series.to_list),
    "dict": (lambda values: dict(zip(KEYS, values, strict=False)), lambda new: [*new.values()]),
}
"""How to make each container of a list of labels, and how to list its labels."""

numbers = st.lists(st.integers(-2, 5), min_size=1, max_size=20)


def names_of(labels):
    return {label for label in labels if label >= 0}


def n_agreeing(labels, others):
    pairs = zip(labels, others, strict=True)
    return sum(label == other for label, other in pairs if label >= 0)


@pytest.mark.parametrize("container", slow_after(3, CONTAINERS))
@given(reference=numbers, order=st.permutations(range(10, 16)))
def test_a_renamed_copy_gets_the_names_of_the_reference_back(container, reference, order):
    make, listed = CONTAINERS[container]
    renamed = [order[label] if label >= 0 else label for label in reference]
    made = cv.align_labels(make(renamed), make(reference))
    assert listed(made) == reference
    assert type(made) is type(make(reference))


@pytest.mark.parametrize("container", slow_after(3, CONTAINERS))
@given(reference=numbers, order=st.permutations(range(6)))
def test_names_may_be_text(container, reference, order):
    make, listed = CONTAINERS[container]
    text = [f"type {label}" if label >= 0 else str(label) for label in reference]
    renamed = [str(order[label]) if label >= 0 else str(label) for label in reference]
    assert listed(cv.align_labels(make(renamed), make(text))) == text


@given(labels=numbers)
def test_labels_aligned_to_themselves_stay_as_they_are(labels):
    assert cv.align_labels(labels, labels) == labels
    assert cv.align_labels(labels, labels, match="best") == labels


@given(pairs=st.lists(st.tuples(st.integers(-2, 5), st.integers(-1, 5)), min_size=1, max_size=40))
def test_clusters_stay_apart_and_agree_as_much_as_possible(pairs):
    labels, reference = (list(side) for side in zip(*pairs, strict=True))
    made = cv.align_labels(labels, reference)
    assert len(set(zip(labels, made, strict=True))) == len(set(labels)) == len(set(made))
    assert [new for new in made if new < 0] == [old for old in labels if old < 0]
    assert [new < 0 for new in made] == [old < 0 for old in labels]
    table = np.zeros((6, 6), int)
    for (i, j), shared in Counter(pair for pair in pairs if min(pair) >= 0).items():
        table[i, j] = shared
    assert n_agreeing(made, reference) == table[linear_sum_assignment(table, maximize=True)].sum()
    shared_names = {new for (_, other), new in zip(pairs, made, strict=True) if new == other}
    for new in names_of(made) - shared_names:  # a fresh name, since its cluster has no match
        assert new not in names_of(labels) | names_of(reference)


@pytest.mark.parametrize("outlier", [-1, -2, None, math.nan, pd.NA, "-1", "nan"])
def test_outliers_keep_their_own_label(outlier):
    for container in (list, tuple, lambda values: np.array(values, object)):
        made = cv.align_labels(container([7, outlier, 8, 7]), [1, 1, 0, 1])
        assert made[1] is outlier
        assert (made[0], made[2], made[3]) == (1, 0, 1)


def test_fresh_integers_are_above_the_reference_and_skip_those_of_the_labels():
    labels, reference = [0, 0, 3, 5, 6, 9], [2, 2, -1, -1, -1, -1]
    assert cv.align_labels(labels, reference) == [2, 2, 4, 7, 8, 10]


def test_fresh_text_skips_names_that_occur():
    labels = ["x", "new 2", "y", "z"]
    assert cv.align_labels(labels, ["new 1", None, None, None]) == [
        "new 1", "new 3", "new 4", "new 5",
    ]  # fmt: skip


def test_fresh_labels_of_a_reference_without_clusters_are_of_the_type_of_the_labels():
    assert cv.align_labels([0, 4], [-1, -1]) == [1, 2]
    assert cv.align_labels(["a", "b"], [None, None]) == ["new 1", "new 2"]


def test_fresh_labels_are_no_outlier_labels():
    assert cv.align_labels([9, 1], [9, 9], outlier_label=[9, 0]) == [9, 2]


def test_the_best_match_is_the_most_similar_cluster_and_may_merge():
    labels = [0] * 4 + [1] * 3 + [2] * 2 + [3]
    reference = [5] * 4 + [6] + [5] * 2 + [6] * 2 + [-1]
    # 1 shares two objects with 5 (2 of 7) and one with 6 (1 of 5); 3 shares none
    assert cv.align_labels(labels, reference, match="best") == [5] * 7 + [6] * 2 + [7]
    assert cv.align_labels(labels, reference) == [5] * 4 + [7] * 3 + [6] * 2 + [8]


def test_the_best_match_is_by_jaccard_and_not_by_shared_objects():
    labels = dict.fromkeys("abcde", 0)
    reference = dict.fromkeys("abcfghijklmn", "large") | dict.fromkeys("de", "small")
    best = cv.align_labels(labels, reference, match="best")
    assert best == dict.fromkeys("abcde", "small")  # 2 of 5 against 3 of 14
    assert cv.align_labels(labels, reference) == dict.fromkeys("abcde", "large")


def test_objects_are_aligned_by_key_and_stay_in_the_order_of_the_labels():
    labels = {"c": 1, "a": 0, "x": 0, "b": 1, "y": 3}
    made = cv.align_labels(labels, {"a": "A", "b": "B", "c": "B", "d": "D"})
    assert list(made.items()) == [("c", "B"), ("a", "A"), ("x", "A"), ("b", "B"), ("y", "new 1")]


def test_series_are_aligned_by_index_and_keep_index_and_name():
    labels = pd.Series([4, 4, 7], index=["c", "a", "b"], name="run")
    made = cv.align_labels(labels, pd.Series([1, 0, 0], index=["b", "c", "a"]))
    pd.testing.assert_series_equal(made, pd.Series([0, 0, 1], index=["c", "a", "b"], name="run"))


def test_a_series_and_a_list_are_aligned_by_position():
    labels = pd.Series([4, 4, 7], index=[7, 7, 9])
    pd.testing.assert_series_equal(
        cv.align_labels(labels, [0, 0, 1]), pd.Series([0, 0, 1], index=[7, 7, 9])
    )


@pytest.mark.parametrize(
    ("labels", "reference", "expected"),
    [
        (np.array([5, 5, -2], np.int8), [0, 0, 1], np.array([0, 0, -2], np.int8)),
        (np.array([5, 5, -2], np.int8), [300, 300, 1], np.array([300, 300, -2])),
        (np.array([5, np.nan, 4]), [0, 0, 1], np.array([0, np.nan, 1])),
        (np.array([5, 4]), ["a", "b"], np.array(["a", "b"])),
        (np.array([5, -1]), ["a", "b"], np.array(["a", -1], object)),
        (np.array(["p", "-1"]), ["long", "long"], np.array(["long", "-1"])),
        (np.array(["p", "-1"]), [3, 3], np.array([3, "-1"], object)),
        (np.array([b"p", b"q"]), np.array([b"long", b"b"]), np.array([b"long", b"b"])),
        (np.array([True, False]), [0, 1], np.array([0, 1])),
        (np.array([2, 1], np.uint8), [2**70, 1], np.array([2**70, 1], object)),
    ],
)
def test_arrays_keep_their_dtype_if_it_holds_the_new_labels(labels, reference, expected):
    made = cv.align_labels(labels, reference)
    assert made.dtype == expected.dtype
    np.testing.assert_array_equal(made, expected)


def test_masked_labels_stay_masked():
    made = cv.align_labels(np.ma.array([5, 5, 4], mask=[0, 1, 0]), [0, 0, 1])
    assert made.tolist() == [0, None, 1]
    assert isinstance(made, np.ma.MaskedArray)


@pytest.mark.parametrize(
    ("dtype", "labels", "reference", "expected", "new_dtype"),
    [
        ("Int64", [5, 5, pd.NA], [0, 0, 1], [0, 0, pd.NA], "Int64"),
        ("Int64", [5, 5, pd.NA], ["a", "a", "b"], ["a", "a", pd.NA], "object"),
        ("int8", [5, 5, -1], [300, 300, 1], [300, 300, -1], "int64"),
        ("object", [5, 5, None], ["a", "a", "b"], ["a", "a", None], "object"),
        ("string", ["p", "p", "-1"], ["a", "a", "b"], ["a", "a", "-1"], "string"),
        ("string", ["p", "p", "q"], [0, 0, 1], [0, 0, 1], "int64"),
    ],
)
def test_pandas_keeps_its_dtype_if_it_holds_the_new_labels(
    dtype, labels, reference, expected, new_dtype
):
    made = cv.align_labels(pd.Series(labels, dtype=dtype), reference)
    pd.testing.assert_series_equal(made, pd.Series(expected, dtype=new_dtype))


def test_new_categories_are_those_of_the_reference_in_its_order_and_then_others():
    reference = pd.Series(["T", "B", "B", None], dtype=pd.CategoricalDtype(["NK", "T", "B"]))
    labels = pd.Series(["0", "1", "-1", "2"], dtype="category")
    made = cv.align_labels(labels, reference)
    assert made.tolist() == ["T", "B", "-1", "new 1"]
    assert made.cat.categories.tolist() == ["NK", "T", "B", "new 1", "-1"]
    made = cv.align_labels(labels, ["T", "B", "B", None])
    assert made.cat.categories.tolist() == ["B", "T", "new 1", "-1"]


@pytest.mark.parametrize(
    ("dtype", "labels", "reference", "expected", "new_dtype"),
    [
        (pl.Int8, [5, 5, None], [300, 300, 1], [300, 300, None], pl.Int64),
        (pl.Int8, [5, 5, -1], [0, 0, 1], [0, 0, -1], pl.Int8),
        (pl.Int64, [5, 5, None], ["a", "a", "b"], ["a", "a", None], pl.String),
        (pl.Int64, [5, 5, -1], ["a", "a", "b"], ["a", "a", -1], pl.Object),
        (pl.Categorical, ["p", "p", "-1"], ["a", "a", "b"], ["a", "a", "-1"], pl.Categorical),
        (
            pl.Enum(["p", "-1"]), ["p", "p", "-1"], ["a", "a", "b"], ["a", "a", "-1"],
            pl.Enum(["a", "b", "-1"]),
        ),
    ],
)  # fmt: skip
def test_polars_keeps_its_dtype_if_it_holds_the_new_labels(
    dtype, labels, reference, expected, new_dtype
):
    made = cv.align_labels(pl.Series("s", labels, dtype=dtype), reference)
    assert (made.name, made.to_list(), made.dtype) == ("s", expected, new_dtype)


def test_the_reference_may_be_any_clustering():
    labels = {"a": 1, "b": 1, "c": 2}
    cover = cv.Clustering.from_clusters({"X": ["a", "b"], "Y": ["b", "c"]})
    assert cv.align_labels(labels, cover) == {"a": "X", "b": "X", "c": "Y"}
    assert cv.align_labels([1, 1, 2], [{2}, {0, 1}]) == [1, 1, 0]


def test_outlier_labels_can_be_named():
    labels, reference = ["?", "p", "p", "q"], ["?", "a", "a", "?"]
    made = cv.align_labels(labels, reference, outlier_label="?")
    assert made == ["?", "a", "a", "new 1"]


@pytest.mark.parametrize(
    "empty", [[], (), {}, np.array([], int), pd.Series([], dtype="int64"), pl.Series([])]
)
def test_no_labels_give_no_labels(empty):
    made = cv.align_labels(empty, [0, 1])
    assert type(made) is type(empty)
    assert len(made) == 0


def test_the_labels_given_are_not_changed():
    labels = np.array([5, 5, -1, 4])
    cv.align_labels(labels, [0, 0, 1, 1])
    assert labels.tolist() == [5, 5, -1, 4]


@pytest.mark.parametrize(
    "labels",
    [
        "found.csv",
        cv.as_clustering([0, 1]),
        [{0}, {1}],
        [[0], [1]],
        csr_array(np.eye(2, dtype=int)),
        pd.DataFrame({"object": [0], "cluster": [1]}),
        pl.Series([[0], [1]]),
        range(2),
        3,
    ],
)
def test_what_has_no_labels_is_rejected(labels):
    with pytest.raises(cv.InputTypeError, match=r"labels must be one label per object.*to_labels"):
        cv.align_labels(labels, [0, 1])


def test_different_numbers_of_objects_are_rejected_by_the_names_of_the_arguments():
    with pytest.raises(cv.UniverseError, match="labels has 2 objects and reference has 3"):
        cv.align_labels([0, 1], [0, 1, 2])


def test_a_name_that_would_mean_outlier_is_rejected():
    reference = cv.Clustering.from_clusters({"-1": [0], "b": [1]})
    with pytest.raises(cv.InputError, match="'-1' of a cluster would mean outlier"):
        cv.align_labels(["p", "q"], reference)


def test_an_unknown_match_is_rejected():
    with pytest.raises(cv.OptionError, match="match must be one of 'one_to_one', 'best'"):
        cv.align_labels([0], [0], match="greedy")
