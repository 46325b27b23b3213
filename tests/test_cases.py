"""Tests of the tables in docs/cases.md."""

from dataclasses import astuple
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from coverlap import Clustering, as_clustering, compare, fstar_score
from tests import naive
from tests.strategies import pairs

EXACT = settings(derandomize=True, deadline=None, max_examples=100)
NAN = float("nan")


def near(value):
    return pytest.approx(float(value), rel=0, abs=1e-12)


def over(clusters, n):
    return Clustering.from_clusters(clusters, universe=n)


def clusters_of(clustering):
    return {frozenset(cluster) for cluster in clustering.to_clusters()}


def facts(clustering):
    return clusters_of(clustering), clustering.n_objects


# Duplicates, empties, objects twice


def test_equal_clusters_are_merged_and_counted():
    clustering = over([{0, 1}, {0}, {0}, {0}], 2)
    assert clustering.to_clusters() == [{0, 1}, {0}]
    assert clustering.n_merged == 2
    assert "2 duplicate clusters merged" in clustering.describe()
    assert fstar_score(clustering, over([{0}], 2)) == near(Fraction(7, 12))


def test_empty_clusters_are_dropped_and_counted():
    clustering = Clustering.from_clusters([set(), {0, 1}, [], frozenset()])
    assert clustering.to_clusters() == [{0, 1}]
    assert (clustering.n_dropped, clustering.n_merged) == (3, 0)
    assert "3 empty clusters dropped" in clustering.describe()


@pytest.mark.parametrize(
    "clustering",
    [
        Clustering.from_clusters([[0, 0, 1, 0], np.array([2, 2])]),
        Clustering.from_memberships([(0, "a"), (1, "a"), (0, "a"), (2, "b"), (2, "b")]),
        Clustering.from_frame(pd.DataFrame({"object": [0, 1, 0, 2, 2], "cluster": list("aaabb")})),
    ],
    ids=["lists", "pairs", "frame"],
)
def test_an_object_twice_in_a_cluster_counts_once(clustering):
    assert clustering.to_clusters() == [{0, 1}, {2}]
    assert (clustering.n_memberships, clustering.n_merged, clustering.n_dropped) == (3, 0, 0)
    assert not clustering.has_overlaps


# Labels

MISSING = [
    -1, -2, -3, -(2**40), -(2**70), np.int8(-1), np.int64(-3), -1.0, np.float32(-2.0), NAN,
    np.float64("nan"), np.float32("nan"), None, pd.NA, pd.NaT, np.datetime64("NaT"), Decimal("NaN"),
]  # fmt: skip


@pytest.mark.parametrize("names", [("a", "b"), (0, 1), (5.0, 7.0), (0, "b"), (True, "b")], ids=str)
@pytest.mark.parametrize("missing", MISSING, ids=lambda value: f"{type(value).__name__} {value}")
def test_negative_integers_and_missing_values_are_outliers_wherever_a_label_names_a_cluster(
    missing, names
):
    one, two = names
    labels = [one, one, missing, two, missing]
    array = np.fromiter(labels, object, count=5)
    read = [
        as_clustering(labels),
        as_clustering(tuple(labels)),
        as_clustering(iter(labels)),
        as_clustering(array),
        as_clustering(dict(enumerate(labels))),
        Clustering.from_labels(labels),
        Clustering.from_labels(array),
        Clustering.from_memberships(list(enumerate(labels))),
        Clustering.from_memberships({i: [label] for i, label in enumerate(labels)}),
        Clustering.from_labels(pd.Series(array)),
        Clustering.from_frame(pd.DataFrame({"object": range(5), "cluster": array})),
    ]
    for clustering in read:
        assert facts(clustering) == ({frozenset({0, 1}), frozenset({3})}, 5)
        assert clustering.n_outliers == 2


@pytest.mark.parametrize(
    "labels",
    [
        np.array([0, 0, -(2**63), 1, -(2**32) + 1]),
        np.array([10**15, 10**15, -1, 10**16, -(10**15)]),
        np.ma.masked_array([0.0, 0.0, 0.5, 1.0, NAN], [0, 0, 1, 0, 0]),
        np.ma.masked_array(["a", "a", "b", "b", "a"], [0, 0, 1, 0, 1]),
        list(np.ma.masked_array([0, 0, 1, 1, -7], [0, 0, 1, 0, 0])),
        np.array(["2020", "2020", "NaT", "1950", "NaT"], "datetime64[D]"),
        np.array([5, 5, "NaT", -5, "NaT"], "timedelta64[ns]"),
        np.array(["a", "a", NAN, "b", NAN], np.dtypes.StringDType(na_object=NAN)),
    ],
    ids=str,
)
def test_negative_integers_and_missing_entries_of_arrays_are_outliers(labels):
    for read in (as_clustering, Clustering.from_labels):
        assert facts(read(labels)) == ({frozenset({0, 1}), frozenset({3})}, 5)
    reference = Clustering.from_labels([0, 0, -1, 1, -1])
    assert fstar_score(labels, reference) == 1.0
    assert fstar_score(labels, reference, threads=2) == 1.0


@pytest.mark.parametrize(
    ("labels", "outlier_label", "expected"),
    [
        ([0.0, 0.0, 1.0, -1.0], 0, [{3}, {2}]),
        ([0, 0, -1, -2], -1.0, [{3}, {0, 1}]),
        ([0, 0, 1, -1], (), [{3}, {0, 1}, {2}]),
        ([0, 0, 1, -1], np.array([1, -1]), [{0, 1}]),
        ([0, 0, 1, -1], "0", [{3}, {2}]),
        (["0", "0", "1", "-1"], 0, [{3}, {2}]),
        (["T", "Unassigned", "x", "B"], ("Unassigned", "x"), [{3}, {0}]),
        (["T", None, NAN, -1], "x", [{3}, {0}]),
        ([2**63, 2**63, 5, 7], 2**63, [{2}, {3}]),
        ([("a", 1), ("a", 1), 5, 7], [("a", 1)], [{2}, {3}]),
    ],
)
def test_outlier_label_names_the_labels_of_outliers_in_place_of_the_negative_integers(
    labels, outlier_label, expected
):
    column = pd.Series(labels, dtype=object)
    read = [
        Clustering.from_labels(np.fromiter(labels, object, count=4), outlier_label=outlier_label),
        Clustering.from_memberships(list(enumerate(labels)), outlier_label=outlier_label),
    ]
    if not any(isinstance(label, tuple) for label in labels):
        frame = pd.DataFrame({"object": range(4), "cluster": column})
        read.append(Clustering.from_frame(frame, outlier_label=outlier_label))
        read += [
            as_clustering(form, outlier_label=outlier_label)
            for form in (labels, dict(enumerate(labels)), column, column.astype("category"))
        ]
    for clustering in read:
        assert clustering.to_clusters() == expected
        assert clustering.n_objects == 4


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint64", "S1"])
def test_outlier_label_works_for_every_kind_of_array(dtype):
    clustering = Clustering.from_labels(
        np.array([1, 0, 0, 2]).astype(dtype), outlier_label=b"0" if dtype == "S1" else 0
    )
    assert clustering.to_clusters() == [{0}, {3}]


def test_integral_floats_are_the_integers_they_equal():
    for labels in ([1.0, 1, 2.0, -1.0], np.array([1.0, 1.0, 2.0, -1.0])):
        clustering = Clustering.from_labels(labels)
        assert clustering.to_dict() == {1: {0, 1}, 2: {2}}
        assert [type(name) for name in clustering.names] == [int, int]


@pytest.mark.parametrize("gapped", [[7, 7, 1, 90], [7, 7, 1, 10**15], [0, 0, 5, 2**70]])
@pytest.mark.parametrize("average", ["size", "equal"])
def test_gaps_in_the_labels_mean_nothing(gapped, average):
    clustering = Clustering.from_labels(gapped)
    assert (clustering.n_clusters, clustering.n_dropped) == (3, 0)
    for other in ([0, 0, 1, 2], [0, 1, 1, 2]):
        expected = fstar_score(other, [0, 0, 1, 2], average=average)
        assert fstar_score(other, gapped, average=average) == expected


def test_names_of_clusters_are_never_outlier_labels():
    named = Clustering.from_clusters({-1: {1, 2}, None: {3}, "": {4}}, universe=6)
    assert clusters_of(named) == {frozenset({1, 2}), frozenset({3}), frozenset({4})}
    assert named.n_outliers == 2


def test_a_null_cluster_means_a_known_object_in_no_cluster_of_which_others_may_have_one():
    for read in (
        Clustering.from_memberships({"a": ["x", None], "b": None, "c": []}),
        Clustering.from_memberships([("a", "x"), ("a", None), ("b", None), ("c", NAN)]),
        as_clustering({"a": "x", "b": None, "c": -1}),
        Clustering.from_frame(
            pl.DataFrame({"object": ["a", "b", "c"], "cluster": ["x", None, None]})
        ),
    ):
        assert (sorted(read.objects), read.to_clusters()) == (["a", "b", "c"], [{"a"}])


# Shapes


@pytest.mark.parametrize(
    "clusters",
    [
        [[0, 1], np.array([1, 2])],
        ({0: "a", 1: "b"}.keys(), {1, 2}),
        {frozenset({0, 1}), frozenset({1, 2})},
        iter([{0, 1}, {1, 2}]),
    ],
    ids=lambda clusters: type(clusters).__name__,
)
def test_a_sequence_of_sets_or_lists_means_clusters(clusters):
    assert facts(as_clustering(clusters)) == ({frozenset({0, 1}), frozenset({1, 2})}, 3)


@pytest.mark.parametrize(
    "labels",
    [
        ("a", "a", "b"),
        iter("aab"),
        np.array(["a", "a", "b"]),
        [True, True, False],
        {0: "a", 1: "a", 2: "b"}.values(),
    ],
    ids=lambda labels: f"{type(labels).__name__} {getattr(labels, 'dtype', '')}",
)
def test_a_sequence_of_scalars_means_labels(labels):
    assert facts(as_clustering(labels)) == ({frozenset({0, 1}), frozenset({2})}, 3)


def test_a_range_means_labels():
    assert as_clustering(range(3, 6)).to_dict() == {3: {0}, 4: {1}, 5: {2}}


def test_a_dict_with_scalar_values_means_object_to_label():
    read = as_clustering({"ann": 1, "bob": 1, "cyd": -1, "dan": 0})
    assert read.to_dict() == {0: {"dan"}, 1: {"ann", "bob"}}
    assert read.n_outliers == 1


@pytest.mark.parametrize(
    "empty",
    [
        [], {}, set(), np.array([]), pa.array([], pa.int64()), pd.Series([], dtype="category"),
    ],
    ids=lambda empty: f"{type(empty).__name__} {getattr(empty, 'dtype', '')}",
)  # fmt: skip
def test_an_empty_sequence_has_no_clusters_and_no_objects_and_is_never_a_length_error(empty):
    assert facts(as_clustering(empty)) == (set(), 0)
    # Left has no clusters: J({0, 1, 2}, {2}) = 1/3 left to right, and 1/3 * 1/3 right to left.
    assert fstar_score(empty, [0, 0, -1]) == near(Fraction(2, 9))
    assert fstar_score([{"a", "b"}], empty) == 0.0
    assert fstar_score(empty, iter(())) == 1.0


# Files


def write(folder: Path, name: str, *lines: str) -> Path:
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_str_or_path_is_a_file_and_in_text_minus_one_is_the_integer(tmp_path):
    path = write(tmp_path, "labels.txt", "0", "0", "-1", "T-cell", "007", "7")
    for form in (path, str(path)):
        read = as_clustering(form)
        assert read.to_dict() == {0: {0, 1}, 7: {5}, "007": {4}, "T-cell": {3}}
    assert fstar_score(path, [5, 5, -1, 2, 3, 4]) == 1.0


@pytest.mark.parametrize(
    ("tokens", "ids"),
    [(["1", "-20", "0"], [1, -20, 0]), (["1", "007"], ["1", "007"]), (["1", "+2"], ["1", "+2"])],
)
def test_ids_of_a_file_are_integers_only_if_every_token_is_canonical(tmp_path, tokens, ids):
    path = write(tmp_path, "a.csv", "object,cluster", *(f"{token},x" for token in tokens))
    assert as_clustering(path).to_clusters() == [{*ids}]


def test_a_pair_of_files_shares_one_type_of_id(tmp_path):
    one = write(tmp_path, "a.csv", "object,cluster", "1,x", "2,x")
    other = write(tmp_path, "b.csv", "object,cluster", "1,x", "2,x", "A3,y")
    # All ids are text. {1, 2} is found, the cluster {A3} is not, and A3 is an outlier on the left.
    expected = naive.fstar([{"1", "2"}], [{"1", "2"}, {"A3"}], ["1", "2", "A3"])
    assert fstar_score(one, other) == near(expected)
    assert fstar_score(one, one) == 1.0


# Alignment


@pytest.mark.parametrize(
    "right",
    [
        [0, 1, 1, -1],
        np.array([0, 1, 1, -1]),
        pl.Series([0, 1, 1, None]),
        pa.array([0, 1, 1, None]),
        sparse.csr_array([[1, 0, 0, 0], [0, 1, 1, 0]]),
        pd.Series([0, 1, 1, -1], index=[7, 3, 3, 1]),
        {2: 1, 1: 1, 0: 0, 3: -1},
        [{1, 2}, {0}],
    ],
    ids=lambda right: f"{type(right).__module__} {type(right).__name__}",
)
def test_positional_inputs_are_about_the_objects_zero_to_n_minus_one(right):
    expected = naive.fstar([{0, 1}, {2}], [{0}, {1, 2}], range(4))
    for left in ([4, 4, 2, -1], sparse.csr_array([[1, 1, 0, 0], [0, 0, 1, 0]])):
        assert fstar_score(left, right) == near(expected)
        assert fstar_score(right, left) == near(expected)


def test_two_series_align_by_index_and_the_universe_rule_and_a_series_and_an_array_by_position():
    left = pd.Series([0, 0, 1], index=["a", "b", "c"])
    right = pd.Series([5, 5, 6], index=["d", "c", "b"])
    sets = [{"a", "b"}, {"c"}], [{"d", "c"}, {"b"}]
    assert fstar_score(left, right) == near(naive.fstar(*sets, "abcd"))
    assert fstar_score(left, right, universe="left") == near(naive.fstar(*sets, "abc"))
    by_position = naive.fstar([{0, 1}, {2}], [{0}, {1, 2}], range(3))
    assert fstar_score(left, right.to_numpy()[::-1]) == near(by_position)
    fold = pd.Series(range(10)).iloc[[3, 9, 4]] % 2
    assert fstar_score(fold, [1, 1, 0]) == fstar_score([1, 1, 0], fold) == 1.0


def test_inputs_with_ids_are_aligned_by_id_and_not_by_order():
    inputs = [
        pd.Series([0, 0, 1], index=["a", "b", "c"]),
        {"c": 5, "b": 3, "a": 3},
        [{"c"}, {"b", "a"}],
        Clustering.from_labels([1, 0, 0], objects=["c", "b", "a"]),
    ]
    assert {fstar_score(left, right) for left in inputs for right in inputs} == {1.0}


LEFT = Clustering.from_clusters([{1, 2}, {3}], universe=[1, 2, 3, 4])
RIGHT = Clustering.from_clusters([{2, 3}, {5}])


@pytest.mark.parametrize(
    ("universe", "objects"),
    [
        ("union", {1, 2, 3, 4, 5}),
        ("intersection", {2, 3}),
        ("left", {1, 2, 3, 4}),
        ("right", {2, 3, 5}),
        ([9, 5, 3, 2, 1], {1, 2, 3, 5, 9}),
        (np.arange(1, 9), set(range(1, 9))),
        (np.int64(7), set(range(7))),
    ],
    ids=lambda given: str(given) if isinstance(given, (str, int)) else type(given).__name__,
)
def test_the_universe_says_which_objects_are_compared(universe, objects):
    result = compare(LEFT, RIGHT, universe=universe)
    assert result.score == near(naive.fstar([{1, 2}, {3}], [{2, 3}, {5}], objects))
    assert result.universe.n_objects == len(objects)
    rule, named = result.universe.rule, isinstance(universe, str)
    assert rule == universe if named else rule not in {"", "union", "intersection", "left", "right"}
    assert (result.universe.n_only_left, result.universe.n_only_right) == (2, 1)
    assert rule in str(result)


@EXACT
@given(pair=pairs(max_objects=7))
def test_every_universe_rule_and_way_to_drop_outliers_equals_the_definition(pair):
    _, left, right = pair
    known, known_too = set().union(*left), set().union(*right)
    rules = {
        "union": known | known_too, "intersection": known & known_too, "left": known,
        "right": known_too, range(8): set(range(8)), 9: set(range(9)),
    }  # fmt: skip
    for universe, objects in rules.items():
        for drop in (None, "left", "right", "either", "both"):
            score = fstar_score(left, right, universe=universe, drop_outliers=drop)
            assert score == near(naive.fstar(left, right, objects, drop_outliers=drop))


def test_an_outlier_of_one_side_outside_an_explicit_set_of_ids_leaves():
    result = compare(LEFT, RIGHT, universe=[1, 2, 3, 5])
    assert astuple(result.outliers)[:3] == (1, 1, 0)


@pytest.mark.parametrize("n_objects", [5, np.int64(1000)])
def test_n_objects_adds_objects_that_are_outliers_on_both_sides(n_objects):
    result = compare(LEFT, RIGHT, n_objects=n_objects)
    extra = range(1000, 1000 + n_objects - 5)
    expected = naive.fstar([{1, 2}, {3}], [{2, 3}, {5}], [1, 2, 3, 4, 5, *extra])
    assert result.score == near(expected)
    assert astuple(result.outliers)[:3] == (n_objects - 3, n_objects - 3, n_objects - 4)
    assert result.universe.n_objects == n_objects
    assert result.universe.rule not in {"", "union"}


def test_n_objects_takes_ids_of_any_kind_and_labels():
    expected = naive.fstar([{0, 1}], [{0}, {1}], range(5))
    for sides in (([{"a", "b"}], [{"a"}, {"b"}]), ([0, 0], [0, 1])):
        assert fstar_score(*sides, n_objects=5) == near(expected)
        assert fstar_score(*sides, n_objects=5, drop_outliers="both") == fstar_score(*sides)


# Order of steps


def test_the_universe_comes_first_then_dropping_then_merging_with_the_first_name_kept():
    left = Clustering.from_clusters({"a": {0, 1}, "b": {0, 2}, "c": {3}}, universe=6)
    result = compare(left, [{0}, {4}], universe=range(6), drop_outliers="right")
    # Objects 0 and 4 remain; a and b become equal, c is dropped, and 4 is an outlier on the left.
    assert result.universe.n_objects == 2
    assert result.universe.n_outliers_dropped == 4
    rows = result.columns()
    assert rows["side"][:3] == ["left", "left", "right"]
    assert [rows[name][:2] for name in ("kind", "cluster", "size")] == [
        ["cluster", "outliers"], ["a", None], [1, 1],
    ]  # fmt: skip
    assert result.score == near(naive.fstar([{0}], [{0}, {4}], {0, 4}))


# Nothing to compare


@pytest.mark.parametrize("balance", [0, 0.25, 0.5, 1.0])
def test_with_no_clusters_on_one_side_only_the_outlier_term_counts_and_balance_applies(balance):
    none, some = over([], 4), over([{0, 1}], 4)
    # The side without clusters has J({0..3}, {2, 3}) = 1/2, and the other has 1/2 * 1/2.
    there = balance / 2 + (1 - balance) / 4
    assert fstar_score(none, some, balance=balance) == near(there)
    assert fstar_score(some, none, balance=1 - balance) == near(there)
    assert fstar_score(none, some, balance=balance, outliers=False) == 0.0
    assert fstar_score(some, none, balance=balance, outliers=False) == 0.0


@pytest.mark.parametrize("options", [{}, {"outliers": False}, {"similarity": "recall"},
    {"average": "equal", "balance": 0.1, "drop_outliers": "either"},
    {"similarity": lambda shared, own, _: shared / own}])  # fmt: skip
@pytest.mark.parametrize("n", [0, 1, 4])
def test_no_clusters_on_either_side_or_no_objects_score_one(n, options):
    assert fstar_score(over([], n), over([], n), **options) == 1.0
    assert fstar_score([-1] * n, [-2] * n, **options) == 1.0
    result = compare([-1] * n, [None] * n, **options)
    assert (result.score, result.left.score, result.right.score) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("left", "right", "options"),
    [
        ([0, 0, -1, -1], [-1, -1, -1, 0], {"drop_outliers": "either"}),
        ([-1, -1], [0, 1], {"universe": "left", "drop_outliers": "left"}),
        ([], {}, {"universe": 0}),
        ([{"a"}], [{"b"}], {"universe": "intersection"}),
    ],
)
def test_a_universe_without_objects_scores_one(left, right, options):
    result = compare(left, right, **options)
    assert (result.score, result.universe.n_objects) == (1.0, 0)
    assert fstar_score(left, right, **options) == 1.0


# Exactness

SYMMETRIC = ("jaccard", "f1")
BALANCES = (0.01, 0.1, 1 / 3, 0.5, 0.7, 0.99)


@EXACT
@given(pair=pairs())
def test_identical_clusterings_score_exactly_one_and_others_strictly_less(pair):
    n, left, right = pair
    one, other = over(left, n), over(right, n)
    same = set(naive.normalise(left)) == set(naive.normalise(right))
    for similarity in SYMMETRIC:
        for average in ("size", "equal"):
            for balance in BALANCES:
                options = {"similarity": similarity, "average": average, "balance": balance}
                assert fstar_score(one, one, **options) == 1.0
                score = fstar_score(one, other, **options)
                assert score == 1.0 if same else score < 1.0
    assert fstar_score(one, one, outliers=False) == 1.0
    assert (one == other) is same


@EXACT
@given(pair=pairs())
def test_swapped_sides_give_the_same_float_and_balance_mirrors(pair):
    n, left, right = pair
    one, other = over(left, n), over(right, n)
    for outliers in (True, False):
        for average in ("size", "equal"):
            for similarity in SYMMETRIC:
                options = {"similarity": similarity, "average": average, "outliers": outliers}
                assert fstar_score(one, other, **options) == fstar_score(other, one, **options)
    assert fstar_score(one, other, balance=0.25) == fstar_score(other, one, balance=0.75)


NAMES = ["b", "a", 7, -3, (1, 2), 10**20, "", True, b"x"] + [f"c{i}" for i in range(20)]


@EXACT
@given(pair=pairs(), random=st.randoms())
def test_another_order_or_naming_of_clusters_gives_the_same_float(pair, random):
    n, left, right = pair
    shuffled = over(random.sample(left, len(left)), n)
    names = random.sample(NAMES, len(right))
    named = over(dict(zip(names, random.sample(right, len(right)), strict=True)), n)
    for similarity in naive.SIMILARITIES:
        expected = fstar_score(over(left, n), over(right, n), similarity=similarity)
        assert fstar_score(shuffled, named, similarity=similarity) == expected


@pytest.mark.parametrize("balance", [np.float32(0.5), Fraction(1, 3), 1, 0, np.int64(1)])
def test_a_score_is_a_python_float_of_full_precision_whatever_type_balance_has(balance):
    left, right = [0, 0, 1, 1, 2, -1], [0, 1, 1, 1, -1, -1]
    result = compare(left, right, balance=balance)
    sets = [{0, 1}, {2, 3}, {4}], [{0}, {1, 2, 3}]
    expected = near(naive.fstar(*sets, range(6), balance=Fraction(float(balance))))
    assert fstar_score(left, right, balance=balance) == result.score == expected
    assert {type(value) for value in (result.score, result.left.weight)} == {float}
    assert type(fstar_score(left, right, balance=balance)) is float


# drop_outliers


@pytest.mark.parametrize(
    ("drop_outliers", "expected", "n_objects"),
    [
        (None, Fraction(5, 9), 6),
        ("left", Fraction(11, 16), 4),
        ("right", Fraction(11, 16), 4),
        ("either", Fraction(1), 3),
        ("both", Fraction(8, 15), 5),
    ],
)
def test_drop_outliers_gives_the_values_of_the_authors_code(drop_outliers, expected, n_objects):
    sets = [{0, 1}, {2, 5}], [{0, 1}, {4, 5}]
    assert naive.fstar(*sets, range(6), drop_outliers=drop_outliers) == expected
    labels = [0, 0, 1, -1, -1, 1], [0, 0, -1, -1, 1, 1]
    for sides in (labels, [over(clusters, 6) for clusters in sets]):
        result = compare(*sides, drop_outliers=drop_outliers)
        assert result.score == near(expected)
        assert result.universe.n_objects == n_objects
        assert result.universe.n_outliers_dropped == 6 - n_objects


# Matrices


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.float32, complex])
def test_a_sparse_matrix_is_clusters_by_objects(dtype):
    matrix = sparse.csr_array(np.array([[1, 1, 0, 0], [0, 0, 0, 0], [0, 1, 1, 0]], dtype))
    read = as_clustering(matrix)
    assert (read.to_clusters(), read.n_objects, read.n_dropped) == ([{0, 1}, {1, 2}], 4, 1)
    assert Clustering.from_matrix(matrix.T, rows="objects") == read
    assert fstar_score(matrix, [{0, 1}, {2, 1}]) == 1.0
    assert fstar_score(matrix, matrix.copy()) == 1.0


def awkward():
    """Return a matrix with {0, 2} (unsorted, 2 twice), {1} (and a zero), and only a zero."""
    return sparse.csr_array(
        (np.array([1.0, 1.0, 1.0, -0.0, 1.0, 0.0]), np.array([2, 0, 2, 3, 1, 0]), [0, 3, 5, 6]),
        shape=(3, 4),
    )


@pytest.mark.parametrize("index_type", [np.int32, np.int64])
def test_stored_zeros_are_no_members_beside_duplicate_and_unsorted_entries(index_type):
    matrix = awkward()
    matrix.indices = matrix.indices.astype(index_type)
    matrix.indptr = matrix.indptr.astype(index_type)
    for read in (as_clustering(matrix), Clustering.from_matrix(matrix.tocsc().T, rows="objects")):
        assert (read.to_clusters(), read.n_objects) == ([{0, 2}, {1}], 4)
        assert (read.n_dropped, read.n_outliers) == (1, 1)
    assert fstar_score(matrix, [{0, 2}, {1}], n_objects=4) == 1.0
    # Reading does not change the matrix.
    assert not matrix.has_sorted_indices
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(matrix, name), getattr(awkward(), name))


@pytest.mark.parametrize("dtype", [bool, float, object])
def test_a_dense_matrix_is_read_by_from_matrix_in_both_orientations(dtype):
    dense = np.array([[1, 1, 0], [0, 1, 0]], dtype)
    for matrix in (dense, np.asfortranarray(dense), np.repeat(dense, 2, axis=1)[:, ::2]):
        assert Clustering.from_matrix(matrix).to_clusters() == [{0, 1}, {1}]
        assert Clustering.from_matrix(matrix, rows="objects").to_clusters() == [{0}, {0, 1}]
        assert Clustering.from_matrix(matrix).n_outliers == 1


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (2, 3)])
def test_an_empty_matrix_keeps_its_objects(shape):
    read = as_clustering(sparse.csr_array(shape))
    assert (read.n_objects, read.n_clusters, read.n_dropped) == (shape[1], 0, shape[0])
    assert fstar_score(sparse.csr_array(shape), sparse.csr_array(shape)) == 1.0
