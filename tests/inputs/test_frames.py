"""Columns and frames of pandas, polars, Arrow and DuckDB, and arrays in every layout."""

import subprocess
import sys
from datetime import date
from functools import partial
from itertools import product
from uuid import UUID

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import coverlap as cv
from coverlap import Clustering, InputError, as_clustering, fstar_score

NAN = float("nan")
BIG = 2**53 + 1

# In each column, objects 1 and 2 are in one cluster, object 0 is in another, and object 3 is an
# outlier. The names of the two clusters are in cluster order.
CATEGORY = pd.CategoricalDtype(["z", "b", "a"])
ORDERED = pd.CategoricalDtype(["z", "b", "a"], ordered=True)
SIGNED, WHOLE, FLOATS = [3, 1, 1, -1], [3, 1, 1, None], [3.0, 1.0, 1.0, NAN]
TEXTS, BOOLS = ["b", "a", "a", None], [True, False, False, None]
NUMBERS = pd.Categorical(SIGNED, categories=[99, -1, 3, 1])
INTEGERS = {1: {1, 2}, 3: {0}}
COLUMNS = [
    (INTEGERS, [
        *(pd.Series(SIGNED, dtype=dtype) for dtype in (int, float, "Int8")),
        *(pd.Series(WHOLE, dtype=dtype) for dtype in
          ("Int64", "UInt16", "Float64", "int64[pyarrow]", "float32[pyarrow]", object)),
        pd.Series(FLOATS), pd.Series([3, 1, 1, pd.NA], dtype=object), pd.Series(NUMBERS),
        pd.Series(FLOATS, dtype="category"), NUMBERS,
        pd.array(WHOLE, dtype="Int32"), pl.Series(SIGNED), pl.Series(WHOLE),
        pl.Series(SIGNED, dtype=pl.Int128), pl.Series(FLOATS),
        pl.Series(WHOLE, dtype=pl.Float64), pl.Series([9, *WHOLE])[1:], pa.array(SIGNED),
        pa.array(WHOLE), pa.array(FLOATS),
        pa.array([9, *WHOLE, 4])[1:5], pa.chunked_array([[3, 1], [], [1, None]]),
        pa.array(SIGNED).dictionary_encode(),
    ]),
    ({"a": {1, 2}, "b": {0}}, [
        *(pd.Series(TEXTS, dtype=dtype)
          for dtype in (None, object, "string", "string[pyarrow]", CATEGORY, ORDERED)),
        pd.Series(["z", *TEXTS], dtype=CATEGORY)[1:],
        pd.CategoricalIndex(TEXTS, dtype=CATEGORY), pd.Categorical(TEXTS, dtype=CATEGORY),
        pl.Series(TEXTS), pl.Series(TEXTS, dtype=pl.Categorical),
        pl.Series(TEXTS, dtype=pl.Enum(["z", "b", "a"])), pa.array(TEXTS),
        pa.array(TEXTS, pa.large_string()), pa.array(TEXTS, pa.string_view()),
        pa.array(TEXTS).dictionary_encode(),
        pa.DictionaryArray.from_arrays(pa.array([1, 2, 2, None]), pa.array(["z", "b", "a"])),
        pa.chunked_array([pa.array(part).dictionary_encode() for part in (TEXTS[:2], TEXTS[2:])]),
    ]),
    ({False: {1, 2}, True: {0}}, [
        pd.Series([True, False, False]), pl.Series(BOOLS), pa.array(BOOLS),
        *(pd.Series(BOOLS, dtype=dtype) for dtype in ("boolean", object, "category")),
    ]),
    ({10**15: {0}, BIG: {1, 2}}, [pd.Series([10**15, BIG, BIG, -1], dtype="category")]),
    ({2: {1, 2}, "b": {0}}, [pd.Series(["b", 2, 2, -1], dtype=object)]),
    ({pd.Timestamp("1950"): {0}, pd.Timestamp("1960"): {1, 2}}, [
        pd.Series(pd.to_datetime(["1950", "1960", "1960", None])),
    ]),
    ({}, [pl.Series([None] * 4), pa.nulls(4), pa.chunked_array([], pa.int64())]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("expected", "column"),
    [(expected, column) for expected, columns in COLUMNS for column in columns],
    ids=lambda value: str(getattr(value, "dtype", type(value).__name__)),
)
def test_a_column_of_labels_is_read_with_its_nulls_as_outliers(expected, column):
    n = len(column)
    read = Clustering.from_labels(column, objects=range(n))
    assert read.to_dict() == expected
    assert read.names == list(expected)
    assert not {bool, float} & set(map(type, read.names))
    assert (read.n_objects, read.n_dropped) == (n, 0)
    labels = [-1] * n
    for number, members in enumerate(expected.values()):
        for i in members:
            labels[i] = number
    assert fstar_score(column, labels) == fstar_score(np.array(labels, int), column) == 1.0


def test_a_column_without_an_index_has_positions_for_objects():
    for make in (pl.Series, pa.array, pd.Index):
        assert as_clustering(make([0, 0, 1, -1])).objects == [0, 1, 2, 3]
    series = pd.Series([0, 0, 1, -1], index=list("dcba"))
    assert Clustering.from_labels(series, objects=[5, 6, 7, 8]).to_clusters() == [{5, 6}, {7}]


@pytest.mark.parametrize(
    "index",
    [
        pd.RangeIndex(10, 18, 2),
        *(pd.Index([5, 3, 9, 1], dtype=dtype) for dtype in (None, "int8", "uint64", "Int64")),
        pd.Index([0.5, 1.0, 2.0, 3.0]),
        *(pd.Index(list("wxyz"), dtype=dtype) for dtype in (None, "category")),
        pd.Index(["w", 1, (2, 3), "z"], dtype=object),
        pd.date_range("1969-12-30", periods=4),
        pd.MultiIndex.from_product([["a", "b"], [1, 2]]),
        pd.interval_range(0, 4),
    ],
    ids=lambda index: f"{type(index).__name__} {index.dtype}",
)
@pytest.mark.parametrize("dtype", [int, "category", "Int64", "string"])
def test_two_series_align_by_any_kind_of_index(index, dtype):
    series = pd.Series([0, 0, 1, 1], index=index).astype(dtype)
    assert as_clustering(series).objects == index.tolist()
    shuffled = series.iloc[[2, 0, 3, 1]]
    assert fstar_score(series, shuffled) == 1.0
    assert fstar_score(series, shuffled.iloc[:3], universe="right") == 1.0


# Digits


@pytest.mark.parametrize(
    "make",
    [
        *(partial(pd.Series, dtype=dtype) for dtype in ("Int64", "int64[pyarrow]", object)),
        lambda values: pd.Series(values, dtype="Int64").astype("category"),
        *(partial(pl.Series, dtype=dtype) for dtype in (pl.Int64, pl.UInt64)),
        *(partial(pa.array, type=dtype) for dtype in (pa.int64(), pa.uint64())),
        lambda values: pa.array(values, pa.int64()).dictionary_encode(),
        list,
    ],
)
@pytest.mark.parametrize("big", [BIG, 2**62 + 1, 2**63 - 1])
def test_labels_beyond_float_precision_keep_every_digit_beside_nulls(make, big):
    clustering = as_clustering(make([big, big - 1, big - 2, None, big]))
    assert clustering.to_dict() == {big - 2: {2}, big - 1: {1}, big: {0, 4}}
    assert clustering.n_outliers == 1


# Long frames


def pandas_frame(rows):
    return pd.DataFrame(rows, columns=["object", "cluster"], dtype=object)


def polars_frame(rows):
    return pl.DataFrame(rows, schema=["object", "cluster"], orient="row")


NULLABLE = {pa.int64(): pd.Int64Dtype(), pa.large_string(): pd.StringDtype()}
FRAMES = {
    "pandas": pandas_frame,
    "pandas inferred": lambda rows: pd.DataFrame(rows, columns=["object", "cluster"]),
    "pandas nullable": lambda rows: (
        polars_frame(rows).to_arrow().to_pandas(types_mapper=NULLABLE.get)
    ),
    "pandas Arrow": lambda rows: polars_frame(rows).to_pandas(use_pyarrow_extension_array=True),
    "pandas category": lambda rows: pandas_frame(rows).astype("category"),
    "pandas indexed": lambda rows: pandas_frame(rows).set_axis(range(7, 7 + len(rows))),
    "polars": polars_frame,
    "polars lazy": lambda rows: polars_frame(rows).lazy(),
    "Arrow": lambda rows: polars_frame(rows).to_arrow(),
    "DuckDB": lambda rows: duckdb.connect().from_arrow(polars_frame(rows).to_arrow()),
}
ROWS = {
    "integers": [(7, 1), (8, 1), (8, 0), (9, None), (7, 1), (5, -1)],
    "text": [("x", "b"), ("y", "b"), ("y", "a"), ("z", None), ("x", "b"), ("w", None)],
    "text and integers": [("x", 5), ("y", 5), ("y", 3), ("z", -1), ("x", 5), ("w", -2)],
    "no nulls": [(1, "b"), (2, "b"), (2, "a")],
    "big": [(BIG, BIG), (BIG + 1, BIG), (BIG + 1, BIG + 1), (BIG + 2, None), (3, -1)],
}


# pandas converts large integers to floats if there is a null, unless the type is given
PAIRS = [pair for pair in product(FRAMES, ROWS) if pair != ("pandas inferred", "big")]


@pytest.mark.parametrize(("library", "rows"), PAIRS)
def test_a_long_frame_has_one_membership_a_row_and_a_null_cluster_makes_a_known_outlier(
    library, rows
):
    expected = {}
    for item, name in ROWS[rows]:
        if name is not None and not (isinstance(name, int) and name < 0):
            expected.setdefault(name, set()).add(item)
    frame = FRAMES[library](ROWS[rows])
    for clustering in (as_clustering(frame), Clustering.from_frame(frame)):
        assert clustering.to_dict() == expected
        assert set(clustering.objects) == {item for item, _ in ROWS[rows]}
        assert clustering.names == sorted(expected)
        assert clustering.n_dropped == 0
    assert fstar_score(frame, Clustering.from_memberships(ROWS[rows])) == 1.0


@pytest.mark.parametrize("library", FRAMES)
def test_columns_universe_and_outlier_labels_of_a_frame_can_be_named(library):
    frame = FRAMES[library]([(1, "a"), (2, "x"), (3, "a"), (4, None)])
    read = Clustering.from_frame(frame, universe=range(7), outlier_label="x")
    assert (read.to_clusters(), read.n_objects) == ([{1, 3}], 7)
    frame = FRAMES[library]([(1, "a"), (1, "x"), (3, "a")])
    turned = Clustering.from_frame(frame, object="cluster", cluster="object")
    assert turned.to_dict() == {1: {"a", "x"}, 3: {"a"}}


WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None  # as if it were not installed
import duckdb
import coverlap as cv
plain = duckdb.sql(
    "SELECT * FROM (VALUES (1, 'a', 0.5), (2, 'a', 1), (3, NULL, 2)) AS t(object, cluster, weight)"
)
assert cv.as_clustering(plain).to_dict() == {"a": {1, 2}}
assert cv.as_clustering(plain).n_outliers == 1
by_row = cv.Clustering.from_frame(plain, object=None)
assert (by_row.to_dict(), by_row.objects) == ({"a": {0, 1}}, [0, 1, 2])
assert cv.fstar_score(plain, {1: 5, 2: 5, 3: None}) == 1.0
ends = duckdb.sql("SELECT 1 AS source, 2 AS target, 0.5::DECIMAL(3, 1) AS weight")
assert cv.graph.as_graph(ends).edges.tolist() == [[1, 2]]
assert len(cv.pairwise(duckdb.sql("SELECT 1 AS a, 'x' AS b")).names) == 2
try:
    cv.as_clustering(duckdb.sql("SELECT 1 AS object, DATE '2020-01-31' AS cluster"))
except cv.MissingDependencyError as error:
    message = str(error)
    assert "DATE, INTEGER" in message and "pip install 'coverlap[arrow]'" in message, message
    assert "\\n" not in message
else:
    raise AssertionError("a date was read without pyarrow")
"""


def test_without_pyarrow_a_duckdb_relation_is_read_or_the_extra_is_named():
    modules_after(WITHOUT_PYARROW)


@pytest.mark.parametrize(
    ("kind", "one", "other", "values"),
    [
        *(
            (kind, "1", "2", [1, 2])
            for kind in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT",
                         "UINTEGER", "UBIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL(9, 2)")
        ),
        ("UBIGINT", "18446744073709551615", "7", [18446744073709551615, 7]),
        ("VARCHAR", "é", " -1", ["é", " -1"]),
        ("BOOLEAN", "true", "false", [1, 0]),
        ("ENUM('x', 'y')", "x", "y", ["x", "y"]),
        ("DATE", "2020-01-31", "1999-12-31", [date(2020, 1, 31), date(1999, 12, 31)]),
        ("UUID", f"{1:032}", f"{2:032}", [UUID(int=1), UUID(int=2)]),
    ],
)  # fmt: skip
def test_duckdb_values_of_a_type_are_the_same_as_objects_and_as_clusters(kind, one, other, values):
    relation = duckdb.sql(
        f"SELECT a::{kind} AS object, b::{kind} AS cluster FROM (VALUES ('{one}', '{one}'), "  # noqa: S608
        f"('{other}', '{one}'), ('{other}', '{other}'), ('{one}', NULL)) AS t(a, b)"
    )
    read = as_clustering(relation)
    assert read.to_dict() == {values[0]: set(values), values[1]: {values[1]}}
    assert {type(name) for name in read.names} == {type(value) for value in values}


def test_a_duckdb_relation_with_two_columns_of_one_name_is_refused():
    with pytest.raises(InputError, match="several columns of one name: 'object'"):
        as_clustering(duckdb.sql("SELECT 1 AS object, 2 AS object, 3 AS cluster"))


@pytest.mark.parametrize("kind", ["TINYINT", "INTEGER", "BIGINT", "HUGEINT"])
def test_negative_integers_of_duckdb_are_outliers_and_ids_are_integers(kind):
    values = duckdb.sql("SELECT * FROM (VALUES (1), (-2)) AS t(object)")
    read = as_clustering(values.select(f"object::{kind} AS object, -object::{kind} AS cluster"))
    assert (read.to_dict(), set(map(type, read.objects))) == ({2: {-2}}, {int})


@pytest.mark.parametrize("library", ["pandas", "polars", "polars lazy", "Arrow"])
def test_an_empty_frame_has_no_clusters_and_no_objects(library):
    empty = FRAMES[library]([(1, 1)])[:0]
    assert as_clustering(empty).n_objects == 0
    assert fstar_score(empty, [0, 0]) == 0.0


# Layouts of arrays


def read_only(array):
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def unaligned(array):
    view = np.empty(array.nbytes + 1, np.uint8)[1:].view(array.dtype)
    view[:] = array
    return view


LAYOUTS = {
    "strided": lambda array: np.repeat(array, 3)[::3],
    "backwards": lambda array: np.ascontiguousarray(array[::-1])[::-1],
    "read-only": read_only,
    "big-endian": lambda array: array.astype(array.dtype.newbyteorder(">")),
    "unaligned": unaligned,
}
in_each_layout = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)


@in_each_layout
@pytest.mark.parametrize(
    "labels",
    [
        *(np.array([3, 1, 1, -1, 3]).astype(dtype)
          for dtype in ("i1", "i2", "i4", "i8", "f2", "f4", "f8", "longdouble", "U2")),
        *(np.array([3, 1, 1, 0, 3], dtype) for dtype in ("u1", "u2", "u4", "u8")),
        np.array([10**15, 1, 1, -1, 10**15]),
        np.array([3.0, 1.0, 1.0, NAN, 3.0]),
        np.array(["b", "a", "a", "c", "b"]),
        np.array([b"b", b"a", b"a", b"c", b"b"]),
    ],
    ids=lambda labels: f"{labels.dtype} {labels[0]}",
)  # fmt: skip
def test_neither_type_nor_layout_of_an_array_matters(labels, layout):
    awkward = layout(labels)
    np.testing.assert_array_equal(awkward, labels)
    expected = Clustering.from_labels(labels.tolist())
    assert {0, 4} in expected.to_clusters()
    assert {1, 2} in expected.to_clusters()
    assert Clustering.from_labels(awkward) == as_clustering(awkward) == expected
    for threads in (1, 2):
        assert fstar_score(awkward, labels, threads=threads) == 1.0
        assert fstar_score([0, 1, 1, 2, 0], awkward, threads=threads) == fstar_score(
            [0, 1, 1, 2, 0], labels.tolist()
        )
    np.testing.assert_array_equal(awkward, labels)
    ids = layout(np.arange(5)[::-1])
    assert Clustering.from_labels(awkward, objects=ids).objects == [4, 3, 2, 1, 0]


@in_each_layout
def test_the_layout_of_masked_arrays_and_members_does_not_matter(layout):
    masked = np.ma.masked_array(layout(np.array([3, 1, 1, 7])), [False, False, False, True])
    assert as_clustering(masked).to_dict() == INTEGERS
    assert as_clustering([layout(np.array([4, 2])), [9]]).to_clusters() == [{2, 4}, {9}]


# No library is imported without need


def modules_after(code):
    script = (
        f"import sys\n{code}\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_recognising_types_imports_no_optional_library():
    optional = {
        "pandas", "polars", "pyarrow", "duckdb", "sklearn", "matplotlib", "igraph", "leidenalg",
        "networkx", "cdlib", "clusim", "networkit", "anndata",
    }  # fmt: skip
    code = "import coverlap, scipy.sparse\n"
    code += "for x in ([0], {1: 2}, [{1}], scipy.sparse.eye_array(2)):\n    coverlap.compare(x, x)"
    loaded = modules_after(code)
    assert loaded & optional == set()
    assert "coverlap" in loaded


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_column_of_one_library_imports_no_other(library):
    code = f"import {library} as x, coverlap as cv\nbefore = set(sys.modules)\n"
    code += "cv.compare(x.Series([0, 1]), x.Series([0, 1]))\n"
    code += "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
    code += "assert not new & {'pandas', 'polars', 'duckdb', 'sklearn', 'matplotlib'}, new"
    assert library in modules_after(code)


def test_frames_are_made_by_the_library_that_is_imported():
    code = "import polars, coverlap as cv\nframe = cv.as_clustering([0, -1]).to_frame()\n"
    assert "pandas" not in modules_after(code + "assert type(frame) is polars.DataFrame")


def test_a_library_that_is_missing_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(cv.MissingDependencyError, match="pip install polars") as caught:
        as_clustering([0]).to_frame("polars")
    assert isinstance(caught.value, ImportError)


@pytest.mark.parametrize("texts", [["a\0b", "a\0c", "a"], ["a\ud800", "a\ud801", "é"]])
def test_texts_that_pandas_takes_for_one_are_different_labels(texts):
    series = pd.Series([*texts, texts[0]], dtype=object)
    assert fstar_score(series, [0, 1, 2, 0]) == 1.0
