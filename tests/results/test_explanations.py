"""The tables that explain a comparison: frames, names, printing, and what they are kept of."""

import csv
import json
import pickle
from collections import Counter
from fractions import Fraction
from math import fsum

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

import coverlap as cv
from coverlap.generate import random_clustering
from coverlap.results.fates import percentage

TABLES = {
    "contingency": cv.Comparison.contingency,
    "changes": cv.Comparison.changes,
    "objects": cv.Comparison.objects,
    "losses": cv.Comparison.losses,
    "fates": cv.Comparison.fates,
    "one_to_one": cv.Comparison.one_to_one,
}
LIBRARIES = ("pandas", "polars", "arrow")


def over(clusters, universe=None):
    return cv.Clustering.from_clusters(clusters, universe=universe)


def rows_of(table):
    columns = table.columns()
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


COVERS = (
    {"a": {0, 1, 2, 3}, "b": {3, 4, 5}, "c": {6, 7}}, {"x": {0, 1, 2}, "y": {3, 4, 5, 6}, "z": {8}}
)  # fmt: skip
MIXED = {"a": {1, 2}, 3: {3, 4}, (5, 6): {5}, b"d": {6}}, {"a": {1}, 3: {2, 3, 4}, (0.5,): {5, 6}}
CASES = {
    "integers": lambda: cv.compare([0, 0, 0, 1, 1, -1], [0, 0, 1, 1, -1, -1]),
    "text": lambda: cv.compare(
        dict(zip("uvwxyz", "aaabb-", strict=True)), dict(zip("zyxwv", "ccdde", strict=True)),
        names=("old", "new"),
    ),
    "mixed": lambda: cv.compare(*map(over, MIXED)),
    "covers": lambda: cv.compare(*map(over, COVERS), n_objects=12),
    "one cover": lambda: cv.compare(over(COVERS[0]), over({"x": {0, 1}, "y": {2, 4}})),
    "huge integers": lambda: cv.compare(
        over({10**30: {2**70, 2}, 2**64: {3}}), over({2**63: {2**70}, -(2**64): {2, 3}})
    ),
    "ids of other types": lambda: cv.compare(
        over({0: {b"x", (1, 2)}, 1: {(3, "y")}}), over({0: {b"x"}, 1: {(1, 2), (3, "y")}})
    ),
    "no right clusters": lambda: cv.compare([5, 5, -1], [-1, -1, -1], outliers=False),
    "no right clusters beside a cover": lambda: cv.compare([{0, 1}, {1, 2}], []),
    "no clusters": lambda: cv.compare([-1, -1], [-1, -1]),
    "no objects": lambda: cv.compare([], []),
    "edges": lambda: cv.compare(
        [0, 0, 0, 1, 1, -1], [0, 0, 1, 1, -1, -1], graph=[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    ).edges,
}  # fmt: skip

each_case = pytest.mark.parametrize("make", CASES.values(), ids=CASES)
each_table = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


# Frames

LEFT, RIGHT, BOTH = "left", "right", "both"
TEXT, COUNT, NUMBER, FLAG, IDS = "text", "count", "number", "flag", "ids"
TYPES = {
    "contingency": [TEXT, LEFT, COUNT, TEXT, RIGHT, COUNT, COUNT, NUMBER, NUMBER, NUMBER],
    "changes": [TEXT, TEXT, [LEFT], [COUNT], COUNT, [RIGHT], [COUNT], COUNT, COUNT, COUNT, COUNT,
                NUMBER],
    "objects": [IDS, LEFT, RIGHT, FLAG, LEFT, RIGHT, NUMBER],
    "losses": [TEXT, NUMBER, NUMBER],
    "fates": [TEXT, BOTH, COUNT, TEXT],
    "one_to_one": [LEFT, COUNT, RIGHT, COUNT, COUNT, FLAG],
}  # fmt: skip
TEXT_IDS = {"text", "huge integers", "ids of other types"}
OVERLAPS = {"covers": (1, 4), "one cover": (1, 4), "no right clusters beside a cover": (1, 4)}
"""Columns of `objects` that are lists; the right clusters do not overlap."""

ARROW = {TEXT: pa.string(), COUNT: pa.int64(), NUMBER: pa.float64(), FLAG: pa.bool_()}
PANDAS = {
    TEXT: {"object", "str", "string"}, COUNT: {"int64", "Int64"}, NUMBER: {"float64"},
    FLAG: {"bool"},
}  # fmt: skip


def are_text(names):
    """Return whether names become text: those of a side are all 64-bit integers, or all text."""
    return not all(type(name) is int and abs(name) < 2**63 for name in names)


def expected_types(case, name):
    left, right = map(are_text, CASES[case]().cluster_names)
    of_name = {
        LEFT: TEXT if left else COUNT,
        RIGHT: TEXT if right else COUNT,
        BOTH: TEXT if left or right else COUNT,
        IDS: TEXT if case in TEXT_IDS else COUNT,
    }
    for position, kind in enumerate(TYPES[name]):
        is_list = isinstance(kind, list)
        inside = kind[0] if is_list else kind
        overlaps = name == "objects" and position in OVERLAPS.get(case, ())
        yield of_name.get(inside, inside), is_list or overlaps


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", TABLES)
def test_columns_have_their_types_even_without_rows(case, name):
    result = TABLES[name](CASES[case]())
    pandas, polars, arrow = (result.to_frame(library) for library in LIBRARIES)
    types = [*expected_types(case, name)]
    assert arrow.schema.types == [
        pa.large_list(ARROW[kind]) if many else ARROW[kind] for kind, many in types
    ]
    assert polars.equals(pl.from_arrow(arrow))
    assert polars.schema == pl.from_arrow(arrow).schema
    for found, (kind, many) in zip(pandas.dtypes, types, strict=True):
        assert str(found) in ({"object"} if many else PANDAS[kind])


def plain(value):
    """Return a value of a frame with None for what is missing, and lists without arrays."""
    if isinstance(value, (list, np.ndarray)):
        return [plain(item) for item in value]
    return None if value is None or value is pd.NA or value != value else value  # noqa: PLR0124


@pytest.mark.parametrize("case", CASES)
@each_table
def test_frames_hold_the_values_of_the_columns(case, table):
    result = table(CASES[case]())
    types = expected_types(case, table.__name__)
    pandas, arrow = result.to_frame("pandas"), result.to_frame("arrow")
    for (name, values), (kind, _) in zip(result.columns().items(), types, strict=True):
        expected = [written(value, as_text=kind == TEXT) for value in values]
        for column in (pandas[name].to_list(), arrow[name].to_pylist()):
            assert [plain(value) for value in column] == expected


def written(value, *, as_text):
    if isinstance(value, list):
        return [written(item, as_text=as_text) for item in value]
    return str(value) if as_text and value is not None else value


def test_integers_of_pandas_are_nullable_only_beside_missing_ones():
    for labels, dtype in (([0, 1, -1], "Int64"), ([0, 1, 1], "int64")):
        frame = cv.compare(labels, labels).objects().to_frame("pandas")
        assert str(frame["left"].dtype) == dtype


# All tables


def in_json(value):
    """Return what JSON has for a value: names that are no integers and no text become text."""
    if isinstance(value, dict):
        return {key: in_json(item) for key, item in value.items()}
    if isinstance(value, list) or value in (("left", "right"), ("old", "new")):
        return [in_json(item) for item in value]
    return str(value) if isinstance(value, (tuple, bytes)) else value


@each_case
@each_table
def test_tables_are_converted_and_those_of_a_pickled_comparison_are_equal(make, table):
    comparison = make()
    result = table(comparison)
    facts = result.to_dict()
    assert facts["rows"] == rows_of(result)
    assert len(facts["rows"]) == len(result)
    assert json.loads(result.to_json()) == in_json(facts)
    assert "\n" not in repr(result)
    copy = table(pickle.loads(pickle.dumps(comparison)))  # noqa: S301
    assert copy == result == table(make())
    assert (copy.to_dict(), str(copy)) == (facts, str(result))


@each_case
def test_losses_are_not_negative_and_add_up(make):
    result = make()
    for table in (result, result.changes(), result.changes(0), result.objects(), result.losses()):
        losses = table.columns()["loss"]
        assert min(losses, default=0) >= 0
        assert fsum(losses) == pytest.approx(1 - result.score, abs=1e-12)
    assert fsum(result.losses().columns()["share"]) == pytest.approx(float(result.score < 1))


@pytest.mark.parametrize("options", [{}, {"balance": 0.3, "similarity": "f1", "average": "equal"}])
def test_objects_whose_clusters_stay_cost_nothing_at_all(options):
    staying = random_clustering(90, 60, memberships=13.3, seed=16).to_clusters()
    result = cv.compare(
        [*staying, *({100 + i, 101 + i} for i in range(30))],
        [*reversed(staying), *({100 + i, 102 + i} for i in range(30))], **options,
    )  # fmt: skip
    for row in rows_of(result.objects()):
        stays = row["object"] < 100
        assert (row["loss"] == 0) == stays
        assert not (stays and row["moved"])


def test_what_a_caller_does_to_columns_and_frames_does_not_change_a_result():
    comparison = cv.compare([0, 0, 0, 1, 1, -1], [0, 0, 1, 1, -1, -1])
    for result in (comparison, *(table(comparison) for table in TABLES.values())):
        before = result.to_dict()
        for values in result.columns().values():
            values.clear()
        frame = result.to_frame("pandas")
        for name in frame.columns:
            values = frame[name].array
            values[1:] = values[:1].repeat(len(values) - 1)
            assert len({*map(str, frame[name])}) == 1
        assert result.to_dict() == before


# Names of the sides

CLASHES = {
    "contingency": ("shared", "similarity"),
    "changes": ("change", "detail", "shared", "gone", "come", "loss"),
    "objects": ("object", "moved", "moved_from", "moved_to", "loss"),
    "one_to_one": ("shared", "best"),
}
CONFUSED = [("a", "a"), ("a", "a_size"), ("a_share", "a"), ("a", "a_kind"), ("a_objects", "a"),
            ("a", "a_sizes"), ("loss", "loss")]  # fmt: skip
SIDE_COLUMNS = {
    "contingency": ["{}", "{}_kind", "{}_size", "{}_share"],
    "changes": ["{}", "{}_sizes", "{}_objects"],
    "objects": ["{}"],
    "one_to_one": ["{}", "{}_size"],
}


@pytest.mark.parametrize("table", SIDE_COLUMNS)
def test_columns_have_the_names_of_the_sides_unless_they_could_be_confused(table):
    usual = {name.format(side) for name in SIDE_COLUMNS[table] for side in ("left", "right")}
    others = {*TABLES[table](cv.compare([0], [0])).columns()} - usual
    clashes = [pair for name in CLASHES[table] for pair in ((name, "b"), ("b", name))]
    for names in [("truth", "found"), ("right", "left"), *CONFUSED, *clashes]:
        sides = ("left", "right") if names in [*CONFUSED, *clashes] else names
        result = TABLES[table](cv.compare([0, 0, 1], [0, 1, 1], names=names))
        columns = [*result.columns()]
        expected = {name.format(side) for name in SIDE_COLUMNS[table] for side in sides}
        assert sorted(columns) == sorted(expected | others)
        assert columns.index(sides[0]) < columns.index(sides[1])
        assert table == "objects" or all(side in str(result) for side in sides)
        for library in LIBRARIES:
            result.to_frame(library)


@pytest.mark.parametrize(
    ("names", "sides"), [(("old", "new"), ("old", "new")), (("a", "a"), ("left", "right"))]
)
def test_fates_name_the_sides(names, sides):
    fates = cv.compare([0, 0, 1], [0, 1, 1], names=names).fates()
    assert fates.columns()["side"] == [sides[0], sides[0], sides[1], sides[1]]


# Objects


def test_a_column_of_objects_can_be_assigned_to_the_data():
    data = pd.DataFrame({"old": list("aabbc")}, index=list("vwxyz"))
    other = pd.Series(list("AABBB"), index=data.index).iloc[[3, 0, 4, 2, 1]]
    objects = cv.compare(data["old"], other).objects()
    frame = objects.to_frame("pandas")
    data["new"], data["moved"] = frame["right"], frame["moved"]
    assert data["new"].tolist() == [*"AABBB"]
    # The partner of B is b, so z comes from another cluster.
    assert data["moved"].tolist() == [False, False, False, False, True]
    assert cv.compare(other, data["old"]).objects().to_frame("pandas").index.tolist() == [*"yvzxw"]
    assert "index" not in objects.to_frame("polars").columns


@pytest.mark.parametrize(
    "index",
    [
        pd.date_range("2020-01-01", periods=4, tz="UTC"), pd.Index([10, 3, 2, 0]),
        pd.MultiIndex.from_product([[1, 2], ["a", "b"]]), pd.RangeIndex(5, 9),
        pd.Index([(1, 2), "a", 3, b"b"], tupleize_cols=False),
    ],
)  # fmt: skip
def test_any_index_can_be_assigned_to(index):
    data = pd.DataFrame({"old": [0, 0, 1, 1]}, index=index)
    other = pd.Series([0, 0, 0, 1], index=index)
    data["moved"] = cv.compare(data["old"], other).objects().to_frame("pandas")["moved"]
    assert data["moved"].tolist() == [False, False, True, False]


@pytest.mark.parametrize("dtype", [np.int64, np.int32, float, str])
def test_objects_of_arrays_have_their_positions(dtype):
    sides = np.array([[-1, 0, 0, 1, 1], [0, 0, 1, 1, 1]]).astype(dtype)
    objects = cv.compare(*sides, drop_outliers="left").objects()
    assert (objects.n_objects, objects.n_left_out, len(objects)) == (4, 1, 4)
    assert str(objects).startswith("1 of 4 objects moved; 1 more left out\n")
    data = pd.DataFrame({"old": sides[0]})
    data["moved"] = objects.to_frame("pandas")["moved"]
    assert [plain(value) for value in data["moved"]] == [None, False, True, False, False]
    whole = cv.compare(*sides).objects().to_frame("pandas")
    assert isinstance(whole.index, pd.RangeIndex)
    assert whole["object"].tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("sides", "options", "expected"),
    [
        (({"a": 0, "b": 0}, {"a": 0, "b": 1}), {"n_objects": 10}, (2, 8, 2)),
        (map(over, COVERS), {"n_objects": 12, "drop_outliers": "both"}, (9, 3, 9)),
    ],
    ids=["labels", "covers"],
)
def test_objects_that_nobody_mentions_are_counted_only(sides, options, expected):
    objects = cv.compare(*sides, **options).objects()
    assert (objects.n_objects, objects.n_left_out, len(objects)) == expected


@each_case
def test_moved_only_leaves_out_those_that_stay(make):
    objects = make().objects()
    moved = make().objects(moved_only=True)
    assert rows_of(moved) == [row for row in rows_of(objects) if row["moved"]]
    assert (moved.n_objects, moved.n_moved, len(moved)) == (
        objects.n_objects, objects.n_moved, objects.n_moved,
    )  # fmt: skip
    for library in LIBRARIES:
        assert len(moved.to_frame(library)) == objects.n_moved
    frame = objects.to_frame("pandas")
    expected = frame.index[frame["moved"].to_numpy(bool)].tolist()
    assert moved.to_frame("pandas").index.tolist() == expected


# Similarities of the user


def test_a_similarity_of_the_user_has_no_loss_by_object_and_none_for_all_pairs():
    result = cv.compare(
        [0, 0, 0, 1, -1], [0, 0, 1, 1, 1],
        similarity=lambda shared, own, other: shared / np.maximum(own, other),
    )  # fmt: skip
    for table in (result.objects, result.losses):
        with pytest.raises(cv.UndefinedError, match="compare with a built-in similarity"):
            table()
    for table in (result.contingency(), result.changes(), result.fates(), result.one_to_one()):
        assert "\n" in str(table)
        for library in LIBRARIES:
            assert len(table.to_frame(library)) == len(table) > 0
    assert {*result.contingency().columns()["similarity"]} == {None}
    assert fsum(result.changes().columns()["loss"]) == pytest.approx(1 - result.score, abs=1e-12)
    assert "What changed" in str(result)
    assert "Why" not in str(result)


# Inputs that change later


def labels_of(dtype, *ids):
    """Return arrays of each of two sides: labels, and ids if there are any."""
    rng = np.random.default_rng(3)
    return [[rng.integers(-1, 9, 300).astype(dtype), *map(np.copy, ids)] for _ in range(2)]


def sparse_matrices(turn):
    sides = (random_clustering(300, 9, memberships=2, seed=seed).to_matrix() for seed in (0, 1))
    return [[side.data, side.indices, side.indptr] for side in map(turn, sides)]


def frame_of(make):
    return lambda labels, ids: cv.Clustering.from_frame(make({"object": ids, "cluster": labels}))


def without_copy(columns):
    return pd.DataFrame(columns, copy=False)


OBJECTS = np.arange(7, 307) * 10**9
INPUTS = {
    "int64": (labels_of(np.int64), lambda labels: labels),
    "int32": (labels_of(np.int32), lambda labels: labels),
    "text": (labels_of(str), lambda labels: labels),
    "objects": (labels_of(object), lambda labels: labels),
    "sparse matrix of objects": (
        sparse_matrices(lambda matrix: matrix.T.tocsr()),
        lambda *csr: cv.Clustering.from_matrix(csr_array(csr), rows="objects"),
    ),
    "sparse matrix of clusters": (
        sparse_matrices(csr_array),
        lambda *csr: cv.Clustering.from_matrix(csr_array(csr), rows="clusters"),
    ),
    "series": (
        labels_of(np.int64, OBJECTS),
        lambda labels, ids: pd.Series(labels, index=pd.Index(ids, copy=False), copy=False),
    ),
    "frame": (labels_of(np.int64, OBJECTS), frame_of(without_copy)),
    "frame of Arrow": (labels_of(np.int64, OBJECTS), frame_of(pa.table)),
    "frame of objects": (
        labels_of(np.int64, OBJECTS.astype(str).astype(object)), frame_of(without_copy)
    ),
}  # fmt: skip


@pytest.mark.parametrize(("sides", "read"), INPUTS.values(), ids=INPUTS)
def test_a_comparison_does_not_change_with_its_input(sides, read):
    expected = cv.compare(*(read(*map(np.copy, side)) for side in sides))
    result = cv.compare(*(read(*side) for side in sides))
    for array in sides[0] + sides[1]:
        array.setflags(write=True)
        array[:] = array[0]
    assert result == expected
    for table in TABLES.values():
        assert table(result) == table(expected)
        assert table(result).to_dict() == table(expected).to_dict()
    assert str(result) == str(expected)
    assert result.score < 1


def test_a_comparison_does_not_change_with_the_ids_of_its_universe():
    ids = np.arange(100, 150)
    result = cv.compare({100: 0, 101: 0, 120: 1}, {100: 0, 101: 1}, universe=ids)
    ids[:] = 0
    assert result.objects().columns()["object"] == [*range(100, 150)]


# Fates


def test_fates_by_hand():
    old = ["A"] * 1000 + ["B"] * 5 + [None]
    new = ["B"] * 370 + ["C"] * 610 + [None] * 20 + [*"CDEFG", None]
    fates = cv.compare(old, new, names=("old", "new")).fates()
    assert fates.columns()["fate"] == [
        "A → C (61 %), B (37 %), outliers (2 %)",
        "B → C (20 %), D (20 %), E (20 %), F (20 %), 1 other cluster (20 %)",
        "B ← A (100 %)", "C ← A (>99 %), B (<1 %)", *(f"{name} ← B (100 %)" for name in "DEFG"),
    ]  # fmt: skip
    assert fates.columns()["size"] == [1000, 5, 370, 611, 1, 1, 1, 1]
    assert str(fates).splitlines() == fates.columns()["fate"]


def test_percentages_are_0_and_100_only_if_exact():
    for whole in (1, 2, 3, 7, 199, 200, 201, 400, 1000):
        for part in range(whole + 1):
            text = percentage(part, whole)
            assert (text == "0 %", text == "100 %") == (part == 0, part == whole)
            if "<" not in text and ">" not in text:
                exact = Fraction(100 * part, whole)
                assert abs(int(text.removesuffix(" %")) - exact) <= Fraction(1, 2)
    assert [percentage(n, 200) for n in (1, 2, 198, 199)] == ["<1 %", "1 %", "99 %", ">99 %"]


def test_a_name_does_not_break_the_line_of_its_fate():
    clusters = over({"a\nb\x1b[31m\ud800": {1, 2}})
    fates = cv.compare(clusters, clusters).fates()
    assert str(fates).splitlines() == fates.columns()["fate"] == [
        r"a\nb\x1b[31m\ud800 → a\nb\x1b[31m\ud800 (100 %)",
        r"a\nb\x1b[31m\ud800 ← a\nb\x1b[31m\ud800 (100 %)",
    ]  # fmt: skip


def test_names_with_more_digits_than_python_converts_are_printed():
    huge = 10**5000
    result = cv.compare(over({huge: {1, huge}, 2: {3, 4}}), over({huge: {1}, 3: {huge, 3, 4}}))
    for shown in (result, *(table(result) for table in TABLES.values())):
        assert ("00000" in str(shown)) == (type(shown).__name__ != "Losses")
        shown.to_json()
        shown._repr_html_()


def test_only_ten_rows_are_printed_and_the_others_counted():
    # Objects i and i + 30 are together, and then 2 i and 2 i + 1: two clusters meet two others.
    result = cv.compare(np.arange(60) % 30, np.arange(60) // 2)
    for name, n_rows in (("contingency", 60), ("changes", 15), ("objects", 60), ("fates", 60),
                         ("one_to_one", 30)):  # fmt: skip
        table = TABLES[name](result)
        assert len(table) == n_rows
        counted = f"({n_rows - 10} more rows: see to_frame)"
        assert (str(table).splitlines()[-1] == counted) == (n_rows > 10)


def test_all_clusters_of_a_large_change_are_counted():
    text = str(cv.compare([0] * 7, [*range(7)]).changes())
    assert "0 (1), 1 (1), 2 (1), 3 (1), 3 more" in " ".join(text.split())


def test_a_loss_of_zero_is_printed_as_zero():
    text = str(cv.compare([0, 0, 1], [0, 0, 1]).objects())
    assert [line.split()[-1] for line in text.splitlines()[3:]] == ["0.000000"] * 3


# One-to-one matches


@pytest.mark.parametrize("n_clusters", [(1, 1), (6, 4), (4, 9)])
def test_one_to_one_matches_share_as_many_objects_as_possible_the_largest_first(n_clusters):
    rng = np.random.default_rng(n_clusters)
    sides = [rng.integers(0, n, 40) for n in n_clusters]
    counts = np.zeros(n_clusters, int)
    np.add.at(counts, tuple(sides), 1)
    result = cv.compare(*sides, names=("old", "new"))
    old, n_old, new, n_new, shared, best = result.one_to_one().columns().values()
    assert sum(shared) == counts[linear_sum_assignment(counts, maximize=True)].sum()
    assert shared == sorted(shared, reverse=True)
    for names, sizes, labels in zip((old, new), (n_old, n_new), sides, strict=True):
        known = [pair for pair in zip(names, sizes, strict=True) if pair != (None, None)]
        assert sorted(known) == sorted(Counter(labels.tolist()).items())
    mutual = {
        (row["cluster"], row["match"]) for row in rows_of(result)
        if row["side"] == "old" and row["mutual"] and row["kind"] == "cluster"
    }  # fmt: skip
    for pair, both, is_best in zip(zip(old, new, strict=True), shared, best, strict=True):
        assert both == (0 if None in pair else counts[pair])
        assert (both == 0) == (None in pair)
        assert is_best == (pair in mutual)


def test_clusters_without_a_match_are_listed_last():
    columns = cv.compare(list("aaab"), [0, 0, 1, 2]).one_to_one().columns()
    assert [*zip(*columns.values(), strict=True)] == [
        ("a", 3, 0, 2, 2, True), ("b", 1, 2, 1, 1, True), (None, None, 1, 1, 0, False)
    ]  # fmt: skip


# Graphs


def test_the_edges_of_a_graph_have_tables_of_their_own():
    path = [(i, i + 1) for i in range(7)]
    result = cv.compare([0] * 8, [0] * 4 + [1] * 4, graph=path)
    # One of the seven edges joins the two parts, and so is an outlier.
    expected = cv.compare([0] * 7, [0] * 3 + [-1] + [1] * 3)
    assert result.changes().counts["split"] == 1
    for table in TABLES.values():
        assert table(result.edges).to_dict() == table(expected).to_dict()


def test_tables_with_carriage_returns_have_a_line_for_each_row(tmp_path):
    left, right = (cv.Clustering.from_clusters({"x\ry": c}) for c in (["a\rb", "c"], ["c"]))
    cv.compare(left, right).write_table("objects", tmp_path / "objects.csv")
    with (tmp_path / "objects.csv").open(newline="") as file:
        (_, *rows) = csv.reader(file)
    assert [row[0] for row in rows] == ["a\rb", "c"]
