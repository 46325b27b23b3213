"""The tables that explain a comparison: frames, names, printing, and what they are kept of."""

import json
import pickle
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
from coverlap.results.fates import percentage

TABLES = {
    "contingency": cv.Comparison.contingency,
    "changes": cv.Comparison.changes,
    "objects": cv.Comparison.objects,
    "losses": cv.Comparison.losses,
    "fates": cv.Comparison.fates,
    "one_to_one": cv.Comparison.one_to_one,
}
NEED_FORMULA = ("objects", "losses")
LIBRARIES = ("pandas", "polars", "arrow")


def own_similarity(shared, own, other):
    return shared / np.maximum(own, other)


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
    "no left clusters": lambda: cv.compare([-1, -1, -1], ["a", "a", None]),
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

POLARS = {TEXT: pl.String, COUNT: pl.Int64, NUMBER: pl.Float64, FLAG: pl.Boolean}
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
    frames = [result.to_frame(library) for library in LIBRARIES]
    types = [*expected_types(case, name)]
    assert len(types) == len(frames[0].columns)
    assert frames[1].dtypes == [pl.List(POLARS[k]) if many else POLARS[k] for k, many in types]
    assert frames[2].schema.types == [
        pa.large_list(ARROW[kind]) if many else ARROW[kind] for kind, many in types
    ]
    for found, (kind, many) in zip(frames[0].dtypes, types, strict=True):
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
    for (name, values), (kind, _) in zip(result.columns().items(), types, strict=True):
        expected = [written(value, as_text=kind == TEXT) for value in values]
        for library in LIBRARIES:
            column = result.to_frame(library)[name]
            found = column.to_pylist() if library == "arrow" else column.to_list()
            assert [plain(value) for value in found] == expected


def written(value, *, as_text):
    if isinstance(value, list):
        return [written(item, as_text=as_text) for item in value]
    return str(value) if as_text and value is not None else value


def test_missing_clusters_are_missing_values():
    result = cv.compare([0, 0, 1, -1], [0, 1, 1, -1])
    frame = result.objects().to_frame("pandas")
    assert str(frame["left"].dtype) == "Int64"
    assert frame["left"].isna().tolist() == [False, False, False, True]
    assert frame["moved_to"].isna().tolist() == [True, False, True, True]
    alone = cv.compare([0, 0, 1, 1], [0, 0, 0, 0]).one_to_one().to_frame("polars")
    assert alone.rows() == [(0, 2, 0, 4, 2, True), (1, 2, None, None, 0, False)]
    assert str(cv.compare([0, 1], [0, 1]).objects().to_frame("pandas")["left"].dtype) == "int64"


def test_clusters_of_objects_are_lists_on_the_side_that_overlaps():
    rows = rows_of(CASES["one cover"]().objects())
    assert [(row["object"], row["left"], row["right"]) for row in rows] == [
        (0, ["a"], "x"), (1, ["a"], "x"), (2, ["a"], "y"), (3, ["a", "b"], None),
        (4, ["b"], "y"), (5, ["b"], None), (6, ["c"], None), (7, ["c"], None),
    ]  # fmt: skip


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
def test_tables_are_converted_printed_and_pickled(make, table):
    comparison = make()
    result = table(comparison)
    facts = result.to_dict()
    assert facts["rows"] == rows_of(result)
    assert len(facts["rows"]) == len(result)
    assert json.loads(result.to_json()) == in_json(facts)
    assert str(result) == str(table(make()))
    assert "\n" not in repr(result)
    assert result._repr_html_().endswith("</div>")
    copy = pickle.loads(pickle.dumps(comparison))  # noqa: S301
    assert copy == comparison
    assert pickle.loads(pickle.dumps(result)) == result == table(copy) == table(make())  # noqa: S301
    assert (table(copy).to_dict(), str(table(copy))) == (facts, str(result))


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
    rng = np.random.default_rng(16)
    staying = [set(rng.integers(0, 90, size).tolist()) for size in rng.integers(1, 40, 60)]
    result = cv.compare(
        [*staying, *({100 + i, 101 + i} for i in range(30))],
        [*reversed(staying), *({100 + i, 102 + i} for i in range(30))], **options,
    )  # fmt: skip
    for row in rows_of(result.objects()):
        if row["object"] < 100:
            assert (row["loss"], row["moved"]) == (0.0, False)
        else:
            assert row["loss"] > 0


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
SIDE_COLUMNS = {
    "contingency": ["{}", "{}_kind", "{}_size", "{}_share"],
    "changes": ["{}", "{}_sizes", "{}_objects"],
    "objects": ["{}"],
    "one_to_one": ["{}", "{}_size"],
}


def check_sides(names, table, sides):
    """Check that the columns of the sides, and no others, begin with these names."""
    result = TABLES[table](cv.compare([0, 0, 1], [0, 1, 1], names=names))
    columns = [*result.columns()]
    assert len({*columns}) == len(columns)
    expected = {name.format(side) for name in SIDE_COLUMNS[table] for side in sides}
    usual = {name.format(side) for name in SIDE_COLUMNS[table] for side in ("left", "right")}
    others = {*TABLES[table](cv.compare([0], [0])).columns()} - usual
    assert {*columns} == expected | others
    assert columns.index(sides[0]) < columns.index(sides[1])
    shown = str(result)
    assert table == "objects" or all(side in shown for side in sides)
    for library in LIBRARIES:
        result.to_frame(library)


@pytest.mark.parametrize("table", SIDE_COLUMNS)
def test_columns_have_the_names_of_the_sides(table):
    check_sides(("truth", "found"), table, ("truth", "found"))
    check_sides(("right", "left"), table, ("right", "left"))


@pytest.mark.parametrize("table", SIDE_COLUMNS)
@pytest.mark.parametrize(
    "names",
    [("a", "a"), ("a", "a_size"), ("a_share", "a"), ("a", "a_kind"), ("a_objects", "a"),
     ("a", "a_sizes"), ("loss", "loss")],
)  # fmt: skip
def test_sides_whose_columns_could_be_confused_are_left_and_right(table, names):
    check_sides(names, table, ("left", "right"))


@pytest.mark.parametrize(
    ("table", "name"), [(table, name) for table, names in CLASHES.items() for name in names]
)
def test_sides_that_are_called_like_another_column_are_left_and_right(table, name):
    check_sides((name, "b"), table, ("left", "right"))
    check_sides(("b", name), table, ("left", "right"))


def test_fates_and_changes_name_the_sides():
    result = cv.compare([0, 0, 1], [0, 1, 1], names=("old", "new"))
    assert result.fates().columns()["side"] == ["old", "old", "new", "new"]
    same = cv.compare([0, 0, 1], [0, 1, 1], names=("a", "a"))
    assert same.fates().columns()["side"] == ["left", "left", "right", "right"]


# Objects


def test_a_column_of_objects_can_be_assigned_to_the_data():
    data = pd.DataFrame({"old": list("aabbc")}, index=list("vwxyz"))
    other = pd.Series(["A", "A", "B", "B", "B"], index=list("vwxyz")).iloc[[3, 0, 4, 2, 1]]
    objects = cv.compare(data["old"], other).objects()
    frame = objects.to_frame("pandas")
    data["new"], data["moved"] = frame["right"], frame["moved"]
    assert data["new"].tolist() == ["A", "A", "B", "B", "B"]
    # The partner of B is b, so z comes from another cluster.
    assert data["moved"].tolist() == [False, False, False, False, True]
    assert cv.compare(other, data["old"]).objects().to_frame("pandas").index.tolist() == [*"yvzxw"]
    assert "index" not in objects.to_frame("polars").columns


@pytest.mark.parametrize(
    "index",
    [
        pd.date_range("2020-01-01", periods=4, tz="UTC"), pd.Index([0.5, 1.5, 2.5, 3.5]),
        pd.Index([10, 3, 2, 0]), pd.MultiIndex.from_product([[1, 2], ["a", "b"]]),
        pd.Index([(1, 2), "a", 3, b"b"], tupleize_cols=False), pd.RangeIndex(5, 9),
    ],
)  # fmt: skip
def test_any_index_can_be_assigned_to(index):
    data = pd.DataFrame({"old": [0, 0, 1, 1]}, index=index)
    other = pd.Series([0, 0, 0, 1], index=index)
    data["moved"] = cv.compare(data["old"], other).objects().to_frame("pandas")["moved"]
    assert data["moved"].tolist() == [False, False, True, False]


@pytest.mark.parametrize("dtype", [np.int64, np.int32, float, str])
def test_objects_of_arrays_have_their_positions(dtype):
    old, new = np.array([-1, 0, 0, 1, 1]).astype(dtype), np.array([0, 0, 1, 1, 1]).astype(dtype)
    objects = cv.compare(old, new, drop_outliers="left").objects()
    assert (objects.n_objects, objects.n_left_out, len(objects)) == (4, 1, 4)
    assert str(objects).startswith("1 of 4 objects moved; 1 more left out\n")
    data = pd.DataFrame({"old": old})
    data["moved"] = objects.to_frame("pandas")["moved"]
    assert [plain(value) for value in data["moved"]] == [None, False, True, False, False]
    whole = cv.compare(old, new).objects().to_frame("pandas")
    assert isinstance(whole.index, pd.RangeIndex)
    assert whole["object"].tolist() == [0, 1, 2, 3, 4]


def test_objects_that_nobody_mentions_are_counted_only():
    objects = cv.compare({"a": 0, "b": 0}, {"a": 0, "b": 1}, n_objects=10).objects()
    assert (objects.n_objects, objects.n_left_out, len(objects)) == (2, 8, 2)
    covers = cv.compare(*map(over, COVERS), n_objects=12, drop_outliers="both").objects()
    assert (covers.n_objects, covers.n_left_out, len(covers)) == (9, 3, 9)


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


@pytest.mark.parametrize("name", TABLES)
def test_a_similarity_of_the_user_has_no_loss_by_object(name):
    result = cv.compare([0, 0, 0, 1, -1], [0, 0, 1, 1, 1], similarity=own_similarity)
    if name in NEED_FORMULA:
        with pytest.raises(cv.UndefinedError, match="compare with a built-in similarity"):
            TABLES[name](result)
        return
    table = TABLES[name](result)
    assert len(table) > 0
    assert "\n" in str(table)
    for library in LIBRARIES:
        table.to_frame(library)
    if name == "contingency":
        assert {*table.columns()["similarity"]} == {None}
    if name == "changes":
        assert fsum(table.columns()["loss"]) == pytest.approx(1 - result.score, abs=1e-12)
    assert "What changed" in str(result)
    assert "Why" not in str(result)


# Inputs that change later


def labels_of(dtype):
    rng = np.random.default_rng(3)
    return [rng.integers(-1, 9, 300).astype(dtype) for _ in range(2)]


def sparse_matrices():
    rng = np.random.default_rng(4)
    return [csr_array((rng.random((300, 9)) < 0.2).astype(np.int8)) for _ in range(2)]


def overwrite(arrays):
    for array in arrays:
        array.setflags(write=True)
        array[:] = array[0]


INPUTS = {
    "int64": (lambda: labels_of(np.int64), lambda x: x, lambda x: [x]),
    "int32": (lambda: labels_of(np.int32), lambda x: x, lambda x: [x]),
    "text": (lambda: labels_of(str), lambda x: x, lambda x: [x]),
    "objects": (lambda: [x.astype(object) for x in labels_of(str)], lambda x: x, lambda x: [x]),
    "sparse matrix of objects": (
        sparse_matrices, lambda x: cv.Clustering.from_matrix(x, rows="objects"),
        lambda x: [x.data, x.indices, x.indptr],
    ),
    "sparse matrix of clusters": (
        sparse_matrices, lambda x: cv.Clustering.from_matrix(x, rows="clusters"),
        lambda x: [x.data, x.indices, x.indptr],
    ),
    "series": (
        lambda: [(x, np.arange(7, 307)) for x in labels_of(np.int64)],
        lambda x: pd.Series(x[0], index=pd.Index(x[1], copy=False), copy=False), list,
    ),
    "frame": (
        lambda: [(x, np.arange(7, 307) * 10**9) for x in labels_of(np.int64)],
        lambda x: cv.Clustering.from_frame(
            pd.DataFrame({"object": x[1], "cluster": x[0]}, copy=False)
        ),
        list,
    ),
    "frame of Arrow": (
        lambda: [(x, np.arange(7, 307) * 10**9) for x in labels_of(np.int64)],
        lambda x: cv.Clustering.from_frame(pa.table({"object": x[1], "cluster": x[0]})), list,
    ),
    "frame of objects": (
        lambda: [(x, np.arange(300).astype(str).astype(object)) for x in labels_of(np.int64)],
        lambda x: cv.Clustering.from_frame(
            pd.DataFrame({"object": x[1], "cluster": x[0]}, copy=False)
        ),
        list,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("make", "read", "arrays"), INPUTS.values(), ids=INPUTS)
def test_a_comparison_does_not_change_with_its_input(make, read, arrays):
    inputs = make()
    result = cv.compare(*map(read, inputs))
    for side in inputs:
        overwrite(arrays(side))
    expected = cv.compare(*map(read, make()))
    assert result == expected
    for table in TABLES.values():
        assert table(result) == table(expected)
        assert table(result).to_dict() == table(expected).to_dict()
    assert str(result) == str(expected)
    assert cv.compare(*map(read, make())).score < 1


def test_a_comparison_does_not_change_with_the_ids_of_its_universe():
    ids = np.arange(100, 150)
    result = cv.compare({100: 0, 101: 0, 120: 1}, {100: 0, 101: 1}, universe=ids)
    ids[:] = 0
    assert result.objects().columns()["object"] == [*range(100, 150)]


# Fates


def test_fates_by_hand():
    old = ["A"] * 1000 + ["B"] * 5 + [None]
    new = ["B"] * 370 + ["C"] * 610 + [None] * 20 + ["C", "D", "E", "F", "G"] + [None]
    fates = cv.compare(old, new, names=("old", "new")).fates()
    assert fates.columns()["fate"] == [
        "A → C (61 %), B (37 %), outliers (2 %)",
        "B → C (20 %), D (20 %), E (20 %), F (20 %), 1 other cluster (20 %)",
        "B ← A (100 %)", "C ← A (>99 %), B (<1 %)", "D ← B (100 %)", "E ← B (100 %)",
        "F ← B (100 %)", "G ← B (100 %)",
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


def labels_with_table(counts):
    """Return labels of two sides whose clusters share the given numbers of objects."""
    left, right = np.indices(counts.shape)
    return np.repeat(left.ravel(), counts.ravel()), np.repeat(right.ravel(), counts.ravel())


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (6, 4), (4, 9), (12, 12)])
@pytest.mark.parametrize("most", [2, 30])
def test_one_to_one_matches_share_as_many_objects_as_possible(shape, most):
    rng = np.random.default_rng([*shape, most])
    for _ in range(10):
        counts = rng.integers(0, most, shape)
        sides = labels_with_table(counts)
        result = cv.compare(*sides, names=("old", "new"))
        rows = rows_of(result.one_to_one())
        best = linear_sum_assignment(counts, maximize=True)
        assert sum(row["shared"] for row in rows) == counts[best].sum()
        for side, labels in zip(("old", "new"), sides, strict=True):
            named = [row for row in rows if row[side] is not None]
            assert sorted(row[side] for row in named) == np.unique(labels).tolist()
            assert all(row[f"{side}_size"] == (labels == row[side]).sum() for row in named)
        columns = result.columns()
        mutual = {
            (cluster, match)
            for side, cluster, match, both in zip(
                columns["side"], columns["cluster"], columns["match"], columns["mutual"],
                strict=True,
            )
            if side == "old" and both and match is not None
        }  # fmt: skip
        for row in rows:
            pair = row["old"], row["new"]
            assert row["shared"] == (0 if None in pair else counts[pair])
            assert (row["shared"] == 0) == (None in pair)
            assert row["best"] == (pair in mutual)
        assert [row["shared"] for row in rows] == sorted(
            (row["shared"] for row in rows), reverse=True
        )


def test_clusters_without_a_match_are_listed_last():
    result = cv.compare(list("aaab"), [0, 0, 1, 2]).one_to_one()
    assert rows_of(result) == [
        {"left": "a", "left_size": 3, "right": 0, "right_size": 2, "shared": 2, "best": True},
        {"left": "b", "left_size": 1, "right": 2, "right_size": 1, "shared": 1, "best": True},
        {"left": None, "left_size": None, "right": 1, "right_size": 1, "shared": 0, "best": False},
    ]


# Graphs


def test_the_edges_of_a_graph_have_tables_of_their_own():
    path = [(i, i + 1) for i in range(7)]
    result = cv.compare([0] * 8, [0] * 4 + [1] * 4, graph=path, names=("old", "new"))
    assert rows_of(result.changes())[0]["change"] == "split"
    # One of the seven edges joins the two parts, and so is an outlier.
    (change, outliers) = rows_of(result.edges.changes())
    assert (change["change"], change["old_sizes"], change["new_sizes"]) == ("split", [7], [3, 3])
    assert (change["gone"], change["come"]) == (1, 0)
    assert (outliers["change"], outliers["come"]) == ("outliers", 1)
    assert result.edges.objects().n_moved == 4
    assert result.edges.fates().columns()["fate"][0] == "0 → 0 (43 %), 1 (43 %), outliers (14 %)"
    assert result.edges.one_to_one().columns()["shared"] == [3, 0]
    assert [row["shared"] for row in rows_of(result.edges.contingency())] == [3, 3, 1]
