"""Columns and frames of pandas, polars, Arrow and DuckDB, and arrays in every layout."""

import subprocess
import sys
from datetime import date
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
INTEGERS = {1: {1, 2}, 3: {0}}
STRINGS = {"a": {1, 2}, "b": {0}}
BOOLS = {False: {1, 2}, True: {0}}
CATEGORY = pd.CategoricalDtype(["z", "b", "a"])
NUMBERS = pd.Categorical([3, 1, 1, -1], categories=[99, -1, 3, 1])

COLUMNS = {
    "pandas int": (pd.Series([3, 1, 1, -1]), INTEGERS),
    "pandas int8": (pd.Series([3, 1, 1, -1], dtype="int8"), INTEGERS),
    "pandas float": (pd.Series([3, 1, 1, NAN]), INTEGERS),
    "pandas negative float": (pd.Series([3.0, 1.0, 1.0, -1.0]), INTEGERS),
    "pandas Int64": (pd.Series([3, 1, 1, None], dtype="Int64"), INTEGERS),
    "pandas Int8": (pd.Series([3, 1, 1, -1], dtype="Int8"), INTEGERS),
    "pandas UInt16": (pd.Series([3, 1, 1, None], dtype="UInt16"), INTEGERS),
    "pandas Float64": (pd.Series([3, 1, 1, None], dtype="Float64"), INTEGERS),
    "pandas Arrow int": (pd.Series([3, 1, 1, None], dtype="int64[pyarrow]"), INTEGERS),
    "pandas Arrow float": (pd.Series([3, 1, 1, None], dtype="float32[pyarrow]"), INTEGERS),
    "pandas object int": (pd.Series([3, 1, 1, None], dtype=object), INTEGERS),
    "pandas object NA": (pd.Series([3, 1, 1, pd.NA], dtype=object), INTEGERS),
    "pandas str": (pd.Series(["b", "a", "a", None]), STRINGS),
    "pandas object str": (pd.Series(["b", "a", "a", NAN], dtype=object), STRINGS),
    "pandas string": (pd.Series(["b", "a", "a", None], dtype="string"), STRINGS),
    "pandas Arrow string": (pd.Series(["b", "a", "a", None], dtype="string[pyarrow]"), STRINGS),
    "pandas mixed": (pd.Series(["b", 2, 2, -1], dtype=object), {2: {1, 2}, "b": {0}}),
    "pandas bool": (pd.Series([True, False, False]), BOOLS),
    "pandas boolean": (pd.Series([True, False, False, None], dtype="boolean"), BOOLS),
    "pandas object bool": (pd.Series([True, False, False, None], dtype=object), BOOLS),
    "categorical": (pd.Series(["b", "a", "a", None], dtype=CATEGORY), STRINGS),
    "ordered categorical": (
        pd.Series(["b", "a", "a", None], dtype=pd.CategoricalDtype(["z", "b", "a"], ordered=True)),
        STRINGS,
    ),
    "categorical of ints with -1": (pd.Series(NUMBERS), INTEGERS),
    "categorical of floats": (pd.Series([3.0, 1.0, 1.0, NAN], dtype="category"), INTEGERS),
    "categorical of bools": (pd.Series([True, False, False, None], dtype="category"), BOOLS),
    "categorical of huge ints": (
        pd.Series([10**15, BIG - 1, BIG - 1, -1], dtype="category"), {10**15: {0}, BIG - 1: {1, 2}},
    ),
    "sliced categorical": (pd.Series(["z", "b", "a", "a", None], dtype=CATEGORY)[1:], STRINGS),
    "pandas dates": (
        pd.Series(pd.to_datetime(["1960", "1950", "1950", None])),
        {pd.Timestamp("1960"): {0}, pd.Timestamp("1950"): {1, 2}},
    ),
    "Index": (pd.Index([3, 1, 1, -1]), INTEGERS),
    "Index of strings": (pd.Index(["b", "a", "a", None]), STRINGS),
    "CategoricalIndex": (pd.CategoricalIndex(["b", "a", "a", None], dtype=CATEGORY), STRINGS),
    "Categorical": (pd.Categorical(["b", "a", "a", None], dtype=CATEGORY), STRINGS),
    "Categorical of ints": (NUMBERS, INTEGERS),
    "array of pandas": (pd.array([3, 1, 1, None], dtype="Int32"), INTEGERS),
    "string array of pandas": (pd.array(["b", "a", "a", None], dtype="string"), STRINGS),
    "polars ints": (pl.Series([3, 1, 1, -1]), INTEGERS),
    "polars ints with nulls": (pl.Series([3, 1, 1, None]), INTEGERS),
    "polars UInt8": (pl.Series([3, 1, 1, None], dtype=pl.UInt8), INTEGERS),
    "polars Int128": (pl.Series([3, 1, 1, -1], dtype=pl.Int128), INTEGERS),
    "polars floats": (pl.Series([3.0, 1.0, 1.0, NAN]), INTEGERS),
    "polars floats with nulls": (pl.Series([3.0, 1.0, 1.0, None]), INTEGERS),
    "polars strings": (pl.Series(["b", "a", "a", None]), STRINGS),
    "polars Categorical": (pl.Series(["b", "a", "a", None], dtype=pl.Categorical), STRINGS),
    "polars Enum": (pl.Series(["b", "a", "a", None], dtype=pl.Enum(["z", "b", "a"])), STRINGS),
    "polars bools": (pl.Series([True, False, False, None]), BOOLS),
    "polars slice": (pl.Series([9, 3, 1, 1, None])[1:], INTEGERS),
    "polars nulls": (pl.Series([None, None, None, None]), {}),
    "Arrow ints": (pa.array([3, 1, 1, -1]), INTEGERS),
    "Arrow ints with nulls": (pa.array([3, 1, 1, None]), INTEGERS),
    "Arrow int8": (pa.array([3, 1, 1, -1], pa.int8()), INTEGERS),
    "Arrow floats": (pa.array([3.0, 1.0, 1.0, NAN]), INTEGERS),
    "Arrow strings": (pa.array(["b", "a", "a", None]), STRINGS),
    "Arrow large strings": (pa.array(["b", "a", "a", None], pa.large_string()), STRINGS),
    "Arrow string view": (pa.array(["b", "a", "a", None], pa.string_view()), STRINGS),
    "Arrow bools": (pa.array([True, False, False, None]), BOOLS),
    "Arrow slice": (pa.array([9, 3, 1, 1, None, 4])[1:5], INTEGERS),
    "Arrow chunks": (pa.chunked_array([[3, 1], [], [1, None]]), INTEGERS),
    "Arrow no chunks": (pa.chunked_array([], pa.int64()), {}),
    "Arrow dictionary": (pa.array(["b", "a", "a", None]).dictionary_encode(), STRINGS),
    "Arrow dictionary of ints": (pa.array([3, 1, 1, -1]).dictionary_encode(), INTEGERS),
    "Arrow dictionary with an unused value": (
        pa.DictionaryArray.from_arrays(pa.array([1, 2, 2, None]), pa.array(["z", "b", "a"])),
        STRINGS,
    ),
    "Arrow chunked dictionaries": (
        pa.chunked_array([pa.array(["b", "a"]).dictionary_encode(),
                          pa.array(["a", None]).dictionary_encode()]), STRINGS,
    ),
    "Arrow nulls": (pa.nulls(4), {}),
}  # fmt: skip


def positions(clustering):
    """Return a dict of names to the positions of members."""
    place = {item: i for i, item in enumerate(clustering.objects)}
    return {
        name: {place[item] for item in cluster} for name, cluster in clustering.to_dict().items()
    }


@pytest.mark.parametrize("kind", COLUMNS)
def test_a_column_of_labels_is_read_with_its_nulls_as_outliers(kind):
    column, expected = COLUMNS[kind]
    for clustering in (as_clustering(column), Clustering.from_labels(column)):
        assert positions(clustering) == expected
        assert clustering.n_objects == len(column)
        assert clustering.n_outliers == len(column) - sum(map(len, expected.values()))
        assert clustering.n_dropped == 0
        if kind != "pandas dates":
            assert clustering.names == sorted(expected, key=lambda name: (type(name) is str, name))
    labels = [-1] * len(column)
    for number, members in enumerate(expected.values()):
        for i in members:
            labels[i] = number
    assert fstar_score(column, labels) == 1.0
    assert fstar_score(np.array(labels, int), column) == 1.0


def test_a_series_brings_its_index_and_other_columns_positions():
    series = pd.Series([0, 0, 1, -1], index=["d", "c", "b", "a"])
    assert as_clustering(series).to_dict() == {0: {"d", "c"}, 1: {"b"}}
    assert as_clustering(series.astype("category")).objects == ["d", "c", "b", "a"]
    for positional in (pl.Series([0, 0, 1, -1]), pa.array([0, 0, 1, -1]), pd.Index([0, 0, 1, -1])):
        assert as_clustering(positional).objects == [0, 1, 2, 3]
    assert Clustering.from_labels(series, objects=[5, 6, 7, 8]).to_clusters() == [{5, 6}, {7}]


@pytest.mark.parametrize(
    "index",
    [
        pd.RangeIndex(10, 18, 2),
        pd.Index([5, 3, 9, 1]),
        pd.Index([5, 3, 9, 1], dtype="int8"),
        pd.Index([5, 3, 9, 1], dtype="uint64"),
        pd.Index([5, 3, 9, 1], dtype="Int64"),
        pd.Index([0.5, 1.0, 2.0, 3.0]),
        pd.Index(["w", "x", "y", "z"]),
        pd.Index(["w", "x", "y", "z"], dtype="category"),
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
    # {a, b}, {c, d} against {a}, {c, d}: (1/2 + 1) / 2 left to right, and 3/4 (1/2 + 1 + 1) / 3
    # right to left.
    expected = (3 / 4 + 5 / 8) / 2
    assert fstar_score(series, shuffled.iloc[:3]) == pytest.approx(expected, rel=0, abs=1e-12)


def test_a_wide_frame_gives_columns_as_series_that_align_by_its_index():
    obs = pd.DataFrame({"leiden": ["0", "1", "1"], "type": ["B", "T", None]}, index=list("abc"))
    obs = obs.astype("category")
    assert fstar_score(obs["leiden"], obs["type"].iloc[::-1]) < 1.0
    assert fstar_score(obs["leiden"], obs["leiden"].iloc[::-1]) == 1.0


# Digits


@pytest.mark.parametrize(
    "make",
    [
        lambda values: pd.Series(values, dtype="Int64"),
        lambda values: pd.Series(values, dtype="int64[pyarrow]"),
        lambda values: pd.Series(values, dtype=object),
        lambda values: pd.array(values, dtype="Int64"),
        lambda values: pd.Series(values, dtype="Int64").astype("category"),
        lambda values: pl.Series(values, dtype=pl.Int64),
        lambda values: pl.Series(values, dtype=pl.UInt64),
        lambda values: pa.array(values, pa.int64()),
        lambda values: pa.array(values, pa.uint64()),
        lambda values: pa.chunked_array([values[:2], values[2:]], pa.int64()),
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


def pandas_frame(rows, **dtypes):
    return pd.DataFrame(rows, columns=["object", "cluster"], dtype=object).astype(dtypes)


def typed_frame(rows, integer, text):
    columns = zip(("object", "cluster"), zip(*rows, strict=True), strict=True)
    return pd.DataFrame(
        {
            name: pd.Series(values, dtype=integer if isinstance(values[0], int) else text)
            for name, values in columns
        }
    )


def duckdb_relation(rows):
    table = pl.DataFrame(rows, schema=["object", "cluster"], orient="row", strict=False).to_arrow()
    connection = duckdb.connect()
    connection.register("rows", table)
    return connection.table("rows")


def polars_frame(rows):
    return pl.DataFrame(rows, schema=["object", "cluster"], orient="row")


FRAMES = {
    "pandas": pandas_frame,
    "pandas inferred": lambda rows: pd.DataFrame(rows, columns=["object", "cluster"]),
    "pandas nullable": lambda rows: typed_frame(rows, "Int64", "string"),
    "pandas Arrow": lambda rows: typed_frame(rows, "int64[pyarrow]", "string[pyarrow]"),
    "pandas category": lambda rows: pandas_frame(rows, object="category", cluster="category"),
    "pandas indexed": lambda rows: pandas_frame(rows).set_axis(range(7, 7 + len(rows))),
    "polars": polars_frame,
    "polars lazy": lambda rows: polars_frame(rows).lazy(),
    "Arrow": lambda rows: polars_frame(rows).to_arrow(),
    "DuckDB": duckdb_relation,
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
    if library == "DuckDB":
        frame = frame.select("object AS record, cluster AS entity, 1.5 AS score")
    elif library.startswith("polars"):
        frame = frame.rename({"object": "record", "cluster": "entity"})
    elif library == "Arrow":
        frame = frame.rename_columns(["record", "entity"])
    else:
        frame = frame.rename(columns={"object": "record", "cluster": "entity"})
    read = Clustering.from_frame(frame, object="record", cluster="entity")
    assert read.to_dict() == {"a": {1, 3}, "x": {2}}


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
    def pair(item, label):
        return f"SELECT '{item}'::{kind} AS object, {label}::{kind} AS cluster"

    relation = duckdb.sql(
        f"{pair(one, f'{one!r}')} UNION ALL {pair(other, f'{one!r}')} UNION ALL "
        f"{pair(other, f'{other!r}')} UNION ALL {pair(one, 'NULL')}"
    )
    read = as_clustering(relation)
    assert read.to_dict() == {values[0]: set(values), values[1]: {values[1]}}
    assert {type(name) for name in read.names} == {type(value) for value in values}


def test_a_duckdb_relation_with_two_columns_of_one_name_is_refused():
    with pytest.raises(InputError, match="several columns of one name: 'object'"):
        as_clustering(duckdb.sql("SELECT 1 AS object, 2 AS object, 3 AS cluster"))


def test_a_duckdb_query_is_a_frame_whatever_integer_type_it_has():
    connection = duckdb.connect()
    for kind in ("TINYINT", "INTEGER", "BIGINT", "UBIGINT", "HUGEINT"):
        sign = "" if kind == "UBIGINT" else "-"
        relation = connection.sql(
            f"SELECT a::{kind} AS object, b::{kind} AS cluster FROM "  # noqa: S608
            f"(VALUES (1, 5), (2, 5), (3, NULL), (4, {sign}1)) AS t(a, b)"
        )
        read = as_clustering(relation)
        clusters = {5: {1, 2}} if sign else {5: {1, 2}, 1: {4}}
        assert (kind, read.to_dict()) == (kind, clusters)
        assert {type(item) for item in read.objects} == {int}


def test_a_lazy_frame_is_read_without_a_warning():
    frame = pl.LazyFrame({"object": [1, 2], "cluster": ["a", "a"], "other": [0, 0]})
    assert as_clustering(frame).to_dict() == {"a": {1, 2}}
    assert Clustering.from_frame(frame.filter(pl.col("object") > 1)).to_dict() == {"a": {2}}


@pytest.mark.parametrize("library", ["pandas", "polars", "polars lazy", "Arrow"])
def test_an_empty_frame_has_no_clusters_and_no_objects(library):
    frame = FRAMES[library]([(1, 1)])
    empty = frame.slice(0, 0) if library != "pandas" else frame.iloc[:0]
    assert as_clustering(empty).n_objects == 0
    assert fstar_score(empty, [0, 0]) == 0.0


# Layouts of arrays


def strided(array):
    return np.repeat(array, 3)[::3]


def backwards(array):
    return np.ascontiguousarray(array[::-1])[::-1]


def fortran(array):
    return np.asfortranarray(np.stack([array, array], axis=1))[:, 0]


def row_of_fortran(array):
    return np.asfortranarray(np.stack([array, array], axis=0))[1]


def read_only(array):
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def big_endian(array):
    return array.astype(array.dtype.newbyteorder(">"))


def unaligned(array):
    raw = np.empty(array.nbytes + 1, np.uint8)[1:]
    view = raw.view(array.dtype)
    view[:] = array
    return view


LAYOUTS = [strided, backwards, fortran, row_of_fortran, read_only, big_endian, unaligned]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "labels",
    [
        np.array([3, 1, 1, -1, 3]),
        np.array([3, 1, 1, -1, 3], np.int32),
        np.array([3, 1, 1, -1, 3], np.int16),
        np.array([3, 1, 1, 0, 3], np.uint64),
        np.array([10**15, 1, 1, -1, 10**15]),
        np.array([3.0, 1.0, 1.0, NAN, 3.0]),
        np.array(["b", "a", "a", "c", "b"]),
        np.array([b"b", b"a", b"a", b"c", b"b"]),
    ],
    ids=lambda labels: f"{labels.dtype} {labels[0]}",
)
def test_the_layout_of_an_array_does_not_matter(labels, layout):
    awkward = layout(labels)
    np.testing.assert_array_equal(awkward, labels)
    expected = Clustering.from_labels(labels.tolist())
    assert Clustering.from_labels(awkward) == expected
    for threads in (1, 2):
        assert fstar_score(awkward, labels, threads=threads) == 1.0
        assert fstar_score([0, 1, 1, 2, 0], awkward, threads=threads) == fstar_score(
            [0, 1, 1, 2, 0], labels.tolist()
        )
    np.testing.assert_array_equal(awkward, labels)
    ids = np.arange(5)[::-1].astype(">i8") if layout is big_endian else layout(np.arange(5)[::-1])
    assert Clustering.from_labels(awkward, objects=ids).objects == [4, 3, 2, 1, 0]


@pytest.mark.parametrize("layout", LAYOUTS)
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


def test_import_coverlap_is_light():
    heavy = {"numba", "scipy", "pandas", "polars", "pyarrow", "duckdb", "matplotlib", "sklearn"}
    assert modules_after("import coverlap") & (heavy | {"narwhals", "rich", "click"}) == set()


def test_recognising_types_imports_no_optional_library():
    optional = {"pandas", "polars", "pyarrow", "duckdb", "sklearn", "matplotlib"}
    code = "import coverlap\nassert coverlap.fstar_score([0], [0]) == 1.0"
    loaded = modules_after(code)
    assert loaded & optional == set()
    assert "coverlap" in loaded
    code += "\nimport scipy.sparse\nfor x in ({1: 2}, [{1}], scipy.sparse.eye_array(2)):"
    assert modules_after(code + "\n    coverlap.compare(x, x)") & optional == set()


@pytest.mark.parametrize(("library", "column"), [("pandas", "Series"), ("polars", "Series")])
def test_a_column_of_one_library_imports_no_other(library, column):
    code = f"import {library} as x, coverlap as cv\nbefore = set(sys.modules)\n"
    code += f"cv.compare(x.{column}([0, 1]), x.{column}([0, 1]))\n"
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
