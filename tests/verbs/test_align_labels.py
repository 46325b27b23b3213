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


def test_new_categories_are_those_of_the_reference_in_its_order_and_then_others():
    reference = pd.Series(["T", "B", "B", None], dtype=pd.CategoricalDtype(["NK", "T", "B"]))
    labels = pd.Series(["0", "1", "-1", "2"], dtype="category")
    made = cv.align_labels(labels, reference)
    assert made.tolist() == ["T", "B", "-1", "new 1"]
    assert made.cat.categories.tolist() == ["NK", "T", "B", "new 1", "-1"]
    made = cv.align_labels(labels, ["T", "B", "B", None])
    assert made.cat.categories.tolist() == ["B", "T", "new 1", "-1"]


def test_the_reference_may_be_any_clustering():
    labels = {"a": 1, "b": 1, "c": 2}
    cover = cv.Clustering.from_clusters({"X": ["a", "b"], "Y": ["b", "c"]})
    assert cv.align_labels(labels, cover) == {"a": "X", "b": "X", "c": "Y"}
    assert cv.align_labels([1, 1, 2], [{2}, {0, 1}]) == [1, 1, 0]


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


@pytest.mark.parametrize("container", slow_after(3, CONTAINERS))
@given(
    reference=numbers,
    order=st.permutations(range(6)),
    as_text=st.booleans(),
    match=st.sampled_from(["one_to_one", "best"]),
)
def test_a_renamed_copy_gets_the_names_of_the_reference_back(
    container, reference, order, as_text, match
):
    make, listed = CONTAINERS[container]
    renamed = [order[label] if label >= 0 else label for label in reference]
    if as_text:
        reference = [f"type {label}" if label >= 0 else str(label) for label in reference]
        renamed = [*map(str, renamed)]
    made = cv.align_labels(make(renamed), make(reference), match=match)
    assert listed(made) == reference
    assert type(made) is type(make(reference))


@pytest.mark.parametrize(
    ("labels", "reference", "expected", "options"),
    [
        # above the reference, without those of the labels
        ([0, 0, 3, 5, 6, 9], [2, 2, -1, -1, -1, -1], [2, 2, 4, 7, 8, 10], {}),
        (["x", "new 2", "y", "z"], ["new 1", None, None, None],
         ["new 1", "new 3", "new 4", "new 5"], {}),
        # of the type of the labels, without clusters in the reference
        ([0, 4], [-1, -1], [1, 2], {}),
        (["a", "b"], [None, None], ["new 1", "new 2"], {}),
        ([9, 1], [9, 9], [9, 2], {"outlier_label": [9, 0]}),
        (["?", "p", "p", "q"], ["?", "a", "a", "?"], ["?", "a", "a", "new 1"],
         {"outlier_label": "?"}),
    ],
)  # fmt: skip
def test_fresh_labels_are_none_that_occur_and_no_outlier_labels(
    labels, reference, expected, options
):
    assert cv.align_labels(labels, reference, **options) == expected


def array(labels, dtype):
    return np.array(labels, dtype)


def column(labels, dtype):
    return pd.Series(labels, list("cab"), dtype, name="s")


def polars(labels, dtype):
    return pl.Series("s", labels, dtype)


NUMBERS, LARGE, TEXT = [0, 0, 1], [300, 300, 1], ["a", "a", "b"]


@pytest.mark.parametrize(
    ("make", "old", "labels", "reference", "new"),
    [
        (array, "int8", [5, 5, -2], NUMBERS, "int8"),
        (array, "int8", [5, 5, -2], LARGE, "int64"),
        (array, float, [5, 5, math.nan], NUMBERS, float),
        (array, int, [5, 5, 4], TEXT, "U1"),
        (array, int, [5, 5, -1], TEXT, object),
        (array, "U2", ["p", "p", "-1"], ["long", "long", "b"], "U4"),
        (array, "U2", ["p", "p", "-1"], NUMBERS, object),
        (array, "S1", [b"p", b"p", b"q"], [b"long", b"long", b"b"], "S4"),
        (array, bool, [True, True, False], NUMBERS, int),
        (array, "uint8", [2, 2, 1], [2**70, 2**70, 1], object),
        (column, "Int64", [5, 5, pd.NA], NUMBERS, "Int64"),
        (column, "Int64", [5, 5, pd.NA], TEXT, "object"),
        (column, "int8", [5, 5, -1], LARGE, "int64"),
        (column, "object", [5, 5, None], TEXT, "object"),
        (column, "string", ["p", "p", "-1"], TEXT, "string"),
        (column, "string", ["p", "p", "q"], NUMBERS, "int64"),
        (polars, pl.Int8, [5, 5, None], LARGE, pl.Int64),
        (polars, pl.Int8, [5, 5, -1], NUMBERS, pl.Int8),
        (polars, pl.Int64, [5, 5, None], TEXT, pl.String),
        (polars, pl.Int64, [5, 5, -1], TEXT, pl.Object),
        (polars, pl.Categorical, ["p", "p", "-1"], TEXT, pl.Categorical),
        (polars, pl.Enum(["p", "-1"]), ["p", "p", "-1"], TEXT, pl.Enum(["a", "b", "-1"])),
    ],
)
def test_columns_keep_their_dtype_if_it_holds_the_new_labels(make, old, labels, reference, new):
    is_cluster = labels[2] in {4, b"q", False, 1, "q"}
    made = cv.align_labels(make(labels, old), reference)
    expected = make([*reference[:2], reference[2] if is_cluster else labels[2]], new)
    assert type(made) is type(expected)
    assert made.dtype == expected.dtype
    if make is column:
        pd.testing.assert_series_equal(made, expected)
    elif make is polars:
        assert (made.name, made.to_list()) == ("s", expected.to_list())
    else:
        np.testing.assert_array_equal(made, expected)


def test_masked_labels_stay_masked():
    made = cv.align_labels(np.ma.array([5, 5, 4], mask=[0, 1, 0]), [0, 0, 1])
    assert made.tolist() == [0, None, 1]
    assert isinstance(made, np.ma.MaskedArray)


def test_series_are_aligned_by_index_if_both_have_one_and_else_by_position():
    labels = pd.Series([4, 4, 7], index=["c", "a", "b"])
    made = cv.align_labels(labels, pd.Series([1, 0, 0], index=["b", "c", "a"]))
    pd.testing.assert_series_equal(made, labels.replace({4: 0, 7: 1}))
    labels.index = [7, 7, 9]
    made = cv.align_labels(labels, NUMBERS)
    pd.testing.assert_series_equal(made, labels.replace({4: 0, 7: 1}))


NO_LABELS = r"labels must be one label per object.*to_labels"


@pytest.mark.parametrize(
    ("labels", "reference", "options", "error", "message"),
    [
        *(
            (labels, [0, 1], {}, cv.InputTypeError, NO_LABELS)
            for labels in (
                "found.csv", cv.as_clustering([0, 1]), [{0}, {1}], [[0], [1]],
                csr_array(np.eye(2, dtype=int)), pd.DataFrame({"object": [0], "cluster": [1]}),
                pl.Series([[0], [1]]), range(2), 3,
            )
        ),
        ([0, 1], [0, 1, 2], {}, cv.UniverseError, "labels has 2 objects and reference has 3"),
        (["p", "q"], cv.Clustering.from_clusters({"-1": [0], "b": [1]}), {},
         cv.InputError, "'-1' of a cluster would mean outlier"),
        ([0], [0], {"match": "greedy"}, cv.OptionError,
         "match must be one of 'one_to_one', 'best'"),
    ],
)  # fmt: skip
def test_what_cannot_be_aligned_is_rejected(labels, reference, options, error, message):
    with pytest.raises(error, match=message):
        cv.align_labels(labels, reference, **options)
