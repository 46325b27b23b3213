"""Comparison: all its numbers equal values computed by hand, and the definitions."""

import datetime as dt
import json
import math
from dataclasses import asdict, astuple
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from coverlap import Clustering, compare, fstar_score
from tests import naive
from tests.marks import slow_after
from tests.strategies import labels, pairs

EXACT = settings(derandomize=True, deadline=None, max_examples=100)
FEW = settings(EXACT, max_examples=25)
FIELDS = [
    "side", "kind", "cluster", "size", "match", "match_size", "shared", "similarity", "share",
    "match_share", "mutual", "weight", "loss",
]  # fmt: skip
TOLERANCE = 1e-12


def near(value):
    return pytest.approx(float(value), rel=0, abs=TOLERANCE)


def over(clusters, n):
    return Clustering.from_clusters(clusters, universe=n)


def rows_of(result):
    """Return the table of clusters as a list of dicts."""
    columns = result.columns()
    assert list(columns) == FIELDS
    return [dict(zip(FIELDS, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def as_function(name):
    """Return a similarity as a function of arrays, as a user could pass it."""
    return {
        "jaccard": lambda shared, own, other: shared / (own + other - shared),
        "f1": lambda shared, own, other: 2 * shared / (own + other),
        "precision": lambda shared, own, _: shared / own,
        "recall": lambda shared, _, other: shared / other,
    }[name]


# By hand

TRUTH, FOUND = ["a", "a", "a", "b", "b", "b"], [0, 0, 1, 1, 1, -1]
TABLE = [
    ("left", "cluster", "a", 3, 0, 2, 2, 2 / 3, 2 / 3, 1.0, True, 1 / 4, 1 / 12),
    ("left", "cluster", "b", 3, 1, 3, 2, 1 / 2, 2 / 3, 2 / 3, True, 1 / 4, 1 / 8),
    ("right", "cluster", 0, 2, "a", 3, 2, 2 / 3, 1.0, 2 / 3, True, 1 / 6, 1 / 18),
    ("right", "cluster", 1, 3, "b", 3, 2, 1 / 2, 2 / 3, 2 / 3, True, 1 / 4, 1 / 8),
    ("right", "outliers", None, 1, None, 0, 0, 0.0, 0.0, 0.0, False, 1 / 12, 1 / 12),
]


def same_rows(found, expected):
    assert len(found) == len(expected)
    for row, values in zip(found, expected, strict=True):
        for name, value in zip(FIELDS, values, strict=True):
            assert row[name] == (near(value) if isinstance(value, float) else value), (row, name)


def test_the_table_of_clusters_has_the_values_computed_by_hand():
    result = compare(TRUTH, FOUND)
    same_rows(rows_of(result), TABLE)
    assert result.score == near(Fraction(19, 36))
    assert result.measure == "fstar_wo"
    assert result.n_clusters == (2, 2)
    assert astuple(result.left) == pytest.approx(
        (7 / 12, 7 / 12, 1.0, 0.0, 0.0, 0.5), rel=0, abs=TOLERANCE
    )
    assert astuple(result.right) == pytest.approx(
        (17 / 36, 17 / 30, 5 / 6, 0.0, 1 / 6, 0.5), rel=0, abs=TOLERANCE
    )
    assert astuple(result.outliers) == (0, 1, 0, 0.0)
    universe = astuple(result.universe)
    assert universe[:1] + universe[2:] == (6, 0, 0, 0)


def test_without_outliers_and_with_equal_weights_the_table_changes_as_computed_by_hand():
    result = compare(TRUTH, FOUND, outliers=False, average="equal", balance=0.25)
    weights = [1 / 8, 1 / 8, 3 / 8, 3 / 8]
    losses = [1 / 24, 1 / 16, 1 / 8, 3 / 16]
    expected = [
        (*row[:11], *pair)
        for row, pair in zip(TABLE, zip(weights, losses, strict=True), strict=False)
    ]
    same_rows(rows_of(result), expected)
    assert result.score == near(Fraction(7, 12))
    assert result.measure == "fstar_w"


def test_a_side_without_clusters_is_one_row_with_similarity_zero():
    result = compare(over([], 4), over([{0, 1}], 4), outliers=False, balance=0.25)
    none = [row for row in rows_of(result) if row["side"] == "left"]
    assert len(none) == 1
    assert (none[0]["kind"], none[0]["cluster"], none[0]["similarity"]) == ("none", None, 0.0)
    assert none[0]["weight"] == none[0]["loss"] == 0.25
    assert result.score == 0.0


# Against the definitions


COMBINATIONS = [
    {"outliers": outliers, "balance": balance, "average": average, "drop_outliers": drop}
    for outliers, balance, average, drop in product(
        (True, False), (0, 0.3, 1.0), ("size", "equal"), (None, "left", "both")
    )
]


@pytest.mark.parametrize(
    "similarity", slow_after(2, ["jaccard", "function", "f1", "precision", "recall"])
)
@FEW
@given(pair=pairs())
def test_losses_add_up_to_what_is_missing_and_weights_to_one(similarity, pair):
    n, left, right = pair
    name = "f1" if similarity == "function" else similarity
    chosen = as_function("f1") if similarity == "function" else similarity
    for options in COMBINATIONS:
        sides = over(left, n), over(right, n)
        result = compare(*sides, similarity=chosen, **options)
        assert fstar_score(*sides, similarity=chosen, **options) == result.score
        rows = rows_of(result)
        assert result.score == near(naive.fstar(left, right, range(n), similarity=name, **options))
        assert math.fsum(row["loss"] for row in rows) == near(1 - result.score)
        for row in rows:
            assert row["loss"] == near(row["weight"] * (1 - row["similarity"]))
        nothing = result.n_clusters == (0, 0) and not options["outliers"]
        if result.universe.n_objects and not nothing:
            assert math.fsum(row["weight"] for row in rows) == near(1)


@pytest.mark.parametrize("average", ["size", "equal"])
@pytest.mark.parametrize("similarity", naive.SIMILARITIES)
@FEW
@given(pair=pairs())
def test_directions_and_their_parts_equal_the_definitions(average, similarity, pair):
    n, left, right = pair
    how = {"similarity": similarity, "average": average}
    with_them = compare(over(left, n), over(right, n), balance=0.3, **how)
    without = compare(over(left, n), over(right, n), balance=0.3, outliers=False, **how)
    sides = ((left, right, "left", 0.3), (right, left, "right", 0.7))
    for own, other, name, weight in sides:
        whole, part = getattr(with_them, name), getattr(without, name)
        assert whole.weight == part.weight == near(weight)
        if not n or not (naive.normalise(left) or naive.normalise(right)):
            assert (whole.score, part.score) == (1.0, 1.0)
            continue
        out, others = naive.outliers(own, range(n)), naive.outliers(other, range(n))
        assert (
            part.score == part.clusters == whole.clusters == near(naive.fhat_w(own, other, **how))
        )
        assert whole.score == near(naive.fhat_wo(own, other, range(n), **how))
        assert whole.outliers == near(naive.compare_sets(out, others, similarity))
        assert whole.outlier_share == near(Fraction(len(out), n))
        assert whole.cluster_share == near(Fraction(n - len(out), n))
        assert (part.outlier_share, part.cluster_share) == (0.0, 1.0)
    left_out, right_out = naive.outliers(left, range(n)), naive.outliers(right, range(n))
    facts = len(left_out), len(right_out), len(left_out & right_out)
    assert astuple(with_them.outliers)[:3] == astuple(without.outliers)[:3] == facts
    assert without.outliers.similarity == near(naive.compare_sets(left_out, right_out, similarity))


@FEW
@given(left=labels(9), right=labels(9))
def test_labels_give_the_same_float_as_their_clusters(left, right):
    sets = [
        [{i for i, x in enumerate(side) if x == label} for label in set(side) if label >= 0]
        for side in (left, right)
    ]
    arrays, covers = (np.array(left), np.array(right)), [over(side, 9) for side in sets]
    for outliers, average, balance, similarity in product(
        (True, False), ("size", "equal"), (0.5, 0.2), naive.SIMILARITIES
    ):
        options = {
            "outliers": outliers, "average": average, "balance": balance, "similarity": similarity,
        }  # fmt: skip
        expected = fstar_score(left, right, **options)
        assert expected == near(naive.fstar(*sets, range(9), **options))
        for sides in (arrays, covers, (covers[0], arrays[1])):
            assert fstar_score(*sides, **options) == expected
            assert compare(*sides, threads=2, **options).score == expected


# Options


def test_a_comparison_keeps_its_options_names_and_universe():
    def mine(shared, own, _):
        return shared / own

    result = compare(
        {"x": 0, "y": 0, "z": 1}, {"y": 3, "z": 3, "w": 2}, outliers=False, balance=0.25,
        similarity=mine, average="equal", drop_outliers="both", names=("truth", "found"),
        engine="memory",
    )  # fmt: skip
    assert astuple(result.options) == (False, 0.25, "mine", "equal", "both")
    assert result.names == ("truth", "found")
    assert asdict(result.universe) == {
        "n_objects": 4, "rule": "union", "n_only_left": 1, "n_only_right": 1,
        "n_outliers_dropped": 0,
    }  # fmt: skip
    assert result.score == near(naive.fstar(
        [{"x", "y"}, {"z"}], [{"y", "z"}, {"w"}], "wxyz", outliers=False, balance=0.25,
        similarity="precision", average="equal",
    ))  # fmt: skip


def test_a_user_function_is_called_with_integer_arrays_of_equal_length():
    seen = []

    def mine(shared, own, other):
        seen.append((shared, own, other))
        return shared / (own + other - shared)

    fstar_score([0, 0, 1, -1], [0, 1, 1, -1], similarity=mine)
    assert seen
    for arrays in seen:
        assert {array.dtype.kind for array in arrays} <= {"i", "u"}
        assert len({array.shape for array in arrays}) == 1
        assert all(np.all(arrays[0] <= size) for size in arrays[1:])
    nameless = compare(TRUTH, FOUND, similarity=partial(mine), outliers=np.True_)
    options = json.loads(nameless.to_json())["options"]
    assert isinstance(options["similarity"], str)
    assert options["outliers"] is True


def test_repr_says_measure_score_clusters_and_objects():
    assert (
        repr(compare(TRUTH, FOUND)) == "Comparison(fstar_wo=0.527778, 2 and 2 clusters, 6 objects)"
    )
    assert repr(compare([0], [0], outliers=False)) == (
        "Comparison(fstar_w=1, 1 and 1 clusters, 1 object)"
    )


def test_changing_what_a_comparison_returned_does_not_change_it():
    result = compare(TRUTH, FOUND)
    result.columns()["loss"].append(5.0)
    result.columns()["loss"][0] = 7.0
    result.to_dict()["clusters"].clear()
    same_rows(rows_of(result), TABLE)


# Conversions and text


def plain(frame, library):
    if library == "arrow":
        return frame.to_pydict()
    if library == "polars":
        return frame.to_dict(as_series=False)
    return {
        name: [None if pd.isna(value) else value for value in frame[name].astype(object)]
        for name in frame.columns
    }


LIBRARIES = ("pandas", "polars", "arrow")


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        (["a", "a", "b", None], ["x", "y", "y", None], str),
        ([], [], int),
        ([0, 0, 1, -1], [0, 0, -1, 1], int),
    ],
    ids=["text", "nothing", "no match"],
)
def test_to_frame_holds_the_table_with_numbers_as_numbers(left, right, kind, library):
    result = compare(left, right)
    table = plain(result.to_frame(library), library)
    assert list(table) == FIELDS
    assert table == result.columns()
    assert {type(x) for x in table["cluster"] + table["match"] if x is not None} <= {kind}
    assert {type(x) for x in table["size"] + table["shared"]} <= {int}
    mixed = plain(compare(["a", "a", 5], [0, 0, 1]).to_frame(library), library)
    assert mixed["cluster"] == ["5", "a", "0", "1"]
    assert mixed["match"] == ["1", "0", "a", "5"]


def test_to_dict_holds_everything_and_json_says_the_same():
    result = compare(TRUTH, FOUND, names=("truth", "found"))
    facts = result.to_dict()
    names = {"left": "truth", "right": "found"}
    table = [(names[side], *row) for side, *row in TABLE]
    same_rows(facts["clusters"], table)
    assert (facts["measure"], facts["score"]) == ("fstar_wo", result.score)
    assert facts["names"] == ["truth", "found"]
    assert facts["left"]["score"] == result.left.score
    assert facts["outliers"] == {"n_left": 0, "n_right": 1, "n_shared": 0, "similarity": 0.0}
    assert facts["universe"]["n_objects"] == 6
    assert facts["options"]["balance"] == 0.5
    assert json.loads(result.to_json()) == json.loads(json.dumps(facts))


ODD_NAMES = [
    'quote " and \\', "new\nline", "[bold]x[/bold]", "[/nope]", "", " ", "\ud800", "日本 😀", "\0",
    2**70, -(2**70), True, None, math.nan, math.inf, -math.inf, b"\xff", (1, ("a", 2)), (math.nan,),
    frozenset({1}), dt.date(2020, 1, 1), Fraction(1, 3), 1j, np.datetime64("2020"), pd.NaT,
]  # fmt: skip


def refuse(token):
    raise AssertionError(f"{token} is no JSON")


@pytest.mark.parametrize("name", ODD_NAMES, ids=ascii)
def test_odd_names_of_clusters_give_valid_json_text_and_frames(name):
    left = Clustering.from_clusters({name: {1, 2}, "plain": {3}})
    result = compare(left, [{1}, {2, 3}])
    for indent in (None, 2):
        read = json.loads(result.to_json(indent), parse_constant=refuse)
        assert len(read["clusters"]) == 4
        assert read["score"] == result.score
    assert f"{result.score:.4f}" in str(result)
    assert "plain" in str(result)
    for library in LIBRARIES if name != "\ud800" else ():
        table = plain(result.to_frame(library), library)
        assert sorted(table["size"]) == [1, 1, 2, 2]
        assert "plain" in table["cluster"]


@pytest.mark.parametrize("names", [("[/a]", "b"), ("[bold]", "x[red]"), ("", " "), ("日本", "é")])
def test_odd_names_of_sides_appear_in_the_text_as_they_are(names):
    text = str(compare(TRUTH, FOUND, names=names))
    for name in names:
        assert text.count(name) >= 3  # the title, a count and a direction


def test_the_text_says_the_score_the_parts_and_the_costliest_change_first():
    left = ["kept"] * 3 + ["split in two"] * 6 + [None]
    right = [0] * 3 + [1] * 3 + [2] * 3 + [None]
    result = compare(left, right, names=("truth", "found"))
    text = str(result)
    assert f"{result.score:.4f}" in text
    assert text.index("truth") < text.index("split in two")
    assert "kept" not in text
    # The halves lose 1 - 3/6 each way; 6 of 9 members of clusters, which are 9 of 10 objects.
    losses = [line for line in text.splitlines() if f"{0.9 * 6 / 9 / 2:.4f}" in line]
    assert any(line.startswith("split") and "split in two (6)" in line for line in losses)
    assert "10 objects" in text


def test_the_text_of_equal_clusterings_says_that_nothing_is_lost():
    for labels_ in ([0, 0, 1, -1], [-1, -1], []):
        text = str(compare(labels_, labels_))
        assert "1.0000" in text
        assert "Nothing is lost" in text


def test_the_text_says_what_was_merged_dropped_and_left_out():
    left = Clustering.from_clusters([{1, 2}, {2, 1}, set(), {3}])
    result = compare(left, [{1, 2}, {9}], universe=range(12), drop_outliers="both")
    text = " ".join(str(result).split())
    assert "1 duplicate cluster merged" in text
    assert "1 empty cluster dropped" in text
    assert "8 outliers dropped" in text
    assert "known to one side only: 1 to left" in text


def test_small_losses_and_scores_near_one_are_not_written_as_round_numbers():
    n = 10**7
    text = str(compare([{0, 1}], [{0, 1, 2}], n_objects=n))
    assert "= 0.99999" in text
    assert "1.000000" not in text
    assert "0.000000" not in text
    assert "e-0" in text
