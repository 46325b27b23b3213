"""Values of many types as ids and labels: none is rounded, cut or taken for another one."""

import datetime as dt
import io
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import product

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import coverlap as cv
from coverlap import (
    Clustering,
    CoverlapError,
    InputError,
    InputTypeError,
    OptionError,
    UniverseError,
)

LONG = 10**5000
SECOND = 10**9
MIDNIGHT = dt.datetime.fromisoformat("2020-01-01T00:00")


@pytest.mark.parametrize(
    "ids",
    [
        [Decimal("0.1"), Decimal("0.10000000000000000001"), 0.1],
        [Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30), 1 / 3],
        [2**60, 2**60 + 1, Decimal(2**60 + 2), Fraction(2**60 + 3)],
        list(np.array([1, 2], np.longdouble) * 2**63 + 1),
        [10**400, Decimal(10**400 + 1), Decimal("-1e400")],
    ],
    ids=lambda ids: type(ids[0]).__name__,
)
def test_numbers_that_one_float_would_round_to_are_different_objects(ids):
    assert Clustering.from_clusters([ids]).n_memberships == len(ids)
    assert cv.fstar_score([ids[:1], ids[1:]], [ids[:1], ids[1:]]) == 1.0
    assert cv.fstar_score([ids[:1]], [ids[1:2]]) < 1


@pytest.mark.parametrize(
    "equal",
    [
        [2, 2.0, Decimal(2), Decimal("2.000"), Fraction(4, 2), np.longdouble(2), np.float16(2)],
        [0.5, Decimal("0.5"), Fraction(1, 2), np.longdouble(0.5), np.float32(0.5)],
        [10**20, 1e20, Decimal("1e20"), np.longdouble(1e20), pa.scalar(Decimal(10**20))],
        [MIDNIGHT, np.datetime64("2020-01-01T00", "ns"), pd.Timestamp("2020-01-01"),
         np.datetime64("2020-01-01T00:00", "m"), pa.scalar(MIDNIGHT)],
        [np.datetime64(1, "ns"), pd.Timestamp(1), pa.scalar(1, pa.timestamp("ns")),
         np.datetime64(1000, "ps")],
        [np.timedelta64(1, "ns"), pd.Timedelta(1), pa.scalar(1, pa.duration("ns"))],
        [dt.timedelta(seconds=1), np.timedelta64(1, "s"), pd.Timedelta(SECOND),
         np.timedelta64(SECOND, "ns")],
        [dt.date(2020, 1, 1), np.datetime64("2020-01-01"), pa.scalar(dt.date(2020, 1, 1))],
        ["a", np.str_("a"), pa.scalar("a")],
        [b"a", np.bytes_(b"a"), pa.scalar(b"a")],
    ],
    ids=lambda equal: type(equal[0]).__name__,
)  # fmt: skip
def test_equal_values_of_different_types_are_one_object(equal):
    assert Clustering.from_clusters([equal]).n_memberships == 1
    for value in equal:
        assert cv.fstar_score([{equal[0]}], [[value]]) == 1.0
        assert cv.fstar_score({equal[0]: 0}, {value: 0}) == 1.0


def test_decimals_beside_floats_are_an_error_and_not_different_objects():
    with pytest.raises(UniverseError, match=r"left are decimal numbers .* right are floats"):
        cv.fstar_score([{Decimal("0.1"), 1}], [{0.1, 1}])
    assert cv.fstar_score([{Decimal("0.1"), 1}], [{1}]) < 1


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [
        ([{b"a"}], [{"a"}], "left are bytes .* right are strings"),
        ([{dt.date(2020, 1, 1)}], [{MIDNIGHT}], "dates .* timestamps"),
        ([{MIDNIGHT}], [{"2020-01-01"}], "timestamps .* strings"),
        ([{1.5}], [{"1.5"}], "floats .* strings"),
    ],
)
def test_ids_of_two_kinds_are_an_error(left, right, message):
    with pytest.raises(UniverseError, match=message):
        cv.fstar_score(left, right)
    with pytest.raises(UniverseError, match="share no object"):
        cv.pairwise([left, right])


def test_decimals_of_many_digits_take_no_time():
    code = """if True:
        from decimal import Decimal
        from coverlap import Clustering, InputError
        print(Clustering.from_clusters([[Decimal("1e999999999"), Decimal("1e-999999999")]]))
        try:
            Clustering.from_labels([Decimal("1e999999999")])
        except InputError:
            print("rejected")
        """
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "Clustering(2 objects, 1 cluster, 2 memberships)\nrejected\n"


# Times


NANOSECONDS = [1, 2, 1001, None, 1]
TIMES = {
    "polars": pl.Series(NANOSECONDS).cast(pl.Datetime("ns")),
    "Arrow": pa.array(NANOSECONDS, pa.timestamp("ns")),
    "Arrow chunks": pa.chunked_array([pa.array(NANOSECONDS, pa.timestamp("ns"))]),
    "pandas": pd.Series(NANOSECONDS, dtype="datetime64[ns]"),
}


@pytest.mark.parametrize(
    "column",
    [
        *TIMES.values(),
        pl.Series(NANOSECONDS).cast(pl.Datetime("ns", "Europe/Berlin")),
        pl.Series(NANOSECONDS).cast(pl.Duration("ns")),
        pa.array(NANOSECONDS, pa.timestamp("ns", "UTC")),
        pa.array(NANOSECONDS, pa.duration("ns")),
        pd.Series(NANOSECONDS, dtype="timedelta64[ns]"),
        np.array([1, 2, 1001, "NaT", 1], "timedelta64[ns]"),
    ],
)
def test_labels_and_ids_keep_their_nanoseconds(column):
    assert cv.as_clustering(column).to_clusters() == [{0, 4}, {1}, {2}]
    ids = column[:3]
    clustering = Clustering.from_labels([0, 1, 2], objects=ids)
    assert clustering.n_objects == 3
    assert clustering == Clustering.from_clusters([[item] for item in clustering.objects])
    assert Clustering.from_clusters([ids]).objects == clustering.objects
    assert Clustering.from_clusters([], universe=ids).n_objects == 3


def test_times_of_different_libraries_are_the_same_objects():
    expected = Clustering.from_clusters([np.array([1, 2, 1001], "datetime64[ns]")])
    for column in TIMES.values():
        assert Clustering.from_clusters([column[:3]]) == expected


@pytest.mark.parametrize(
    "column",
    [pl.Series([1, 2]).cast(pl.Time), pa.array([1, 2], pa.time64("ns")),
     pd.Series([1, 2], dtype=pd.ArrowDtype(pa.time64("ns"))),
     [pa.scalar(1, pa.time64("ns"))]],
)  # fmt: skip
def test_times_of_day_with_nanoseconds_are_rejected(column):
    with pytest.raises(InputError, match="times of day cannot be read to the nanosecond"):
        Clustering.from_labels(column)


def test_times_of_day_without_nanoseconds_are_labels():
    whole = Clustering.from_labels(pl.Series([1000, 2000]).cast(pl.Time))
    assert whole.names == [dt.time(0, 0, 0, 1), dt.time(0, 0, 0, 2)]


def test_lists_of_times_keep_their_nanoseconds():
    times = np.array([[1, 2], [3, 4]], "datetime64[ns]")
    for lists in (
        pa.array(times.tolist(), pa.list_(pa.timestamp("ns"))),
        pl.Series(times.tolist()).cast(pl.List(pl.Datetime("ns"))),
    ):
        assert Clustering.from_clusters(lists) == Clustering.from_clusters(list(times))


def test_a_date_that_python_does_not_have_is_an_error():
    for column in (
        pa.array([10**15], pa.timestamp("s")), pl.Series([10**15]).cast(pl.Datetime("ms")),
    ):  # fmt: skip
        with pytest.raises(InputError, match="cannot be read"):
            Clustering.from_labels(column)


# Arrow


LISTS = [[1, 2], [3]]
ARRAYS = [[1, 2], [3, 3]]


@pytest.mark.parametrize(
    "clusters",
    [
        pa.array(LISTS),
        pa.array(LISTS, pa.large_list(pa.int8())),
        pa.chunked_array([LISTS[:1], LISTS[1:]]),
        pa.array(ARRAYS, pa.list_(pa.int64(), 2)),
        pl.Series(LISTS),
        pl.Series(ARRAYS, dtype=pl.Array(pl.Int64, 2)),
        [[pa.scalar(1), pa.scalar(2)], pa.scalar([3])],
    ],
)
def test_columns_of_lists_are_clusters(clusters):
    assert Clustering.from_clusters(clusters).to_clusters() == [{1, 2}, {3}]
    if not isinstance(clusters, list):
        assert cv.fstar_score(clusters, LISTS) == 1.0


@pytest.mark.parametrize(
    "ids",
    [
        pa.array([1, None]), pa.array(["a", None]), [pa.scalar(None)], pl.Series([1, None]),
        pd.array([1, None], dtype="Int64"),
    ],
)  # fmt: skip
def test_a_null_is_no_id(ids):
    for call in (
        lambda: Clustering.from_clusters([ids]),
        lambda: Clustering.from_clusters([[1]], universe=ids),
        lambda: Clustering.from_labels([0] * len(ids), objects=ids),
        lambda: Clustering.from_memberships([(item, 0) for item in ids]),
    ):
        with pytest.raises(InputError, match="missing"):
            call()


@pytest.mark.parametrize("make", [pa.array, pl.Series, pd.Series, np.array, iter, pd.Index, list])
@pytest.mark.parametrize("ids", [[5, 6, 4], ["e", "f", "d"]], ids=str)
def test_columns_and_iterators_are_read_wherever_ids_or_labels_are(make, ids):
    one, two, outlier = ids
    expected = Clustering.from_clusters([{one}, {two}], universe=ids)
    for read in (
        Clustering.from_labels(make([7, 8, 9]), objects=make(ids), outlier_label=9),
        Clustering.from_labels([7, 8, 9], objects=ids, outlier_label=make([9])),
        Clustering.from_clusters([make([one]), make([two])], universe=make(ids)),
        Clustering.from_memberships({one: make([1]), two: make([2]), outlier: make([])}),
        expected.restrict(make(ids)),
    ):
        assert read == expected


def test_outlier_labels_of_a_generator_are_found_among_categories():
    labels = pd.Categorical(["a", "b", "c"])
    read = Clustering.from_labels(pd.Series(labels), outlier_label=iter("ab"))
    assert (read.n_outliers, read.names) == (2, ["c"])


def test_generators_of_outlier_labels_are_read_for_files(tmp_path):
    path = tmp_path / "x.labels"
    path.write_text("1\n2\n0\n")
    assert cv.read_clustering(path, outlier_label=iter("01")).n_outliers == 2


# What is no clustering


def test_an_open_file_is_rejected(tmp_path):
    path = tmp_path / "labels.txt"
    path.write_text("0\n-1\n")
    for call in (
        cv.as_clustering, Clustering.from_labels, Clustering.from_clusters,
        Clustering.from_memberships, lambda file: Clustering.from_clusters([file]),
        lambda file: Clustering.from_clusters([["0"]], universe=file),
        lambda file: Clustering.from_labels([0, 1], objects=file),
    ):  # fmt: skip
        with path.open() as text, path.open("rb") as binary:
            for file in (text, binary, io.StringIO("0\n-1\n")):
                with pytest.raises(InputTypeError, match="open file"):
                    call(file)


def test_views_of_two_dimensions_are_rejected_and_others_read():
    view = memoryview(np.array([[0, 1], [1, 1]]))
    for call in (cv.as_clustering, Clustering.from_labels):
        with pytest.raises(InputTypeError, match=r"dense array of shape \(2, 2\)"):
            call(view)
        assert call(memoryview(np.array([0, 1, -1]))).to_clusters() == [{0}, {1}]
    with pytest.raises(OptionError, match="outlier_label"):
        Clustering.from_labels([0, 1], outlier_label=view)


def test_a_multi_index_has_tuples_for_ids():
    index = pd.MultiIndex.from_tuples([(1, 2), (1, 3)])
    assert Clustering.from_labels([0, 1], objects=index).objects == [(1, 2), (1, 3)]


def test_an_unused_category_need_be_no_label():
    labels = pd.Categorical([1, 2, 1, None, 0.5], categories=[0.5, 1, 2, -1])
    assert Clustering.from_labels(labels[:4]).to_clusters() == [{0, 2}, {1}]
    with pytest.raises(InputError, match=r"0\.5"):
        Clustering.from_labels(labels)


@pytest.mark.parametrize("big", [1e19, 2.0**63, 1e300, 2.0**64])
def test_floats_beyond_64_bits_are_the_same_labels_in_an_array_and_in_a_list(big):
    values = [big, 1.0, -big, np.nan, big]
    for labels in (values, np.array(values), np.array(values, np.longdouble), pd.Series(values)):
        clustering = Clustering.from_labels(labels)
        assert clustering.to_dict() == {1: {1}, int(big): {0, 4}}


# Frames


FRAME = pd.DataFrame({"object": [1, 2], "cluster": ["a", "b"]})


def relation(frame):
    return duckdb.from_df(frame)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.Table.from_pandas, relation])
@pytest.mark.parametrize(
    ("option", "column"),
    [
        ("cluster", None),
        *product(
            ("object", "cluster"), (0, 1.5, ["object"], {"object"}, b"object", (), ("a", "b"))
        ),
    ],
)
def test_what_is_no_column_is_a_clear_error(make, option, column):
    with pytest.raises(CoverlapError, match=rf"{option} must be the name|no column"):
        Clustering.from_frame(make(FRAME), **{option: column})
    with pytest.raises(OptionError, match=f"{option} must be the name of a column"):
        Clustering.from_frame(make(FRAME), **{option: pl.col(option)})


def test_columns_of_pandas_may_have_names_of_any_type():
    expected = Clustering.from_frame(FRAME)
    numbered = FRAME.set_axis([0, 1], axis=1)
    assert Clustering.from_frame(numbered, object=0, cluster=1) == expected
    nested = FRAME.set_axis(pd.MultiIndex.from_tuples([("x", "a"), ("x", "b")]), axis=1)
    assert Clustering.from_frame(nested, object=("x", "a"), cluster=("x", "b")) == expected


def test_a_lazy_frame_that_fails_is_a_clear_error():
    lazy = pl.LazyFrame({"object": [1], "cluster": ["x"]})
    for frame in (
        lazy.with_columns(pl.col("cluster").cast(pl.Int64)),
        lazy.with_columns(pl.col("nowhere")),
        pl.scan_csv("/nowhere/at/all.csv"),
        duckdb.sql("SELECT 1 AS object, CAST(x AS INT) AS cluster FROM (VALUES ('a')) t(x)"),
    ):
        with pytest.raises(InputError, match="frame cannot be read"):
            Clustering.from_frame(frame)
        with pytest.raises(InputError, match="left cannot be read"):
            cv.fstar_score(frame, [0])


# Long integers


def test_long_integers_are_ids_labels_and_names():
    assert cv.fstar_score([{LONG, 1}, {-LONG}], [{LONG, 1}, {-LONG}]) == 1.0
    assert Clustering.from_labels([LONG, -LONG, LONG]).to_dict() == {LONG: {0, 2}}
    assert Clustering.from_clusters({LONG: [1]}).names == [LONG]
    compared = cv.compare([LONG, 1], [1, 2])
    assert str(Decimal(LONG)) in compared.to_json()
    for result in (compared, cv.pairwise({LONG: [1, 2], 1: [2, 2]})):
        assert result.to_frame("polars").height


@pytest.mark.parametrize(
    "call",
    [
        lambda: Clustering.from_clusters([[LONG]], universe=[1]),
        lambda: Clustering.from_clusters({LONG: 5}),
        lambda: Clustering.from_clusters([[(LONG,)]], universe=[1]),
        lambda: cv.as_clustering({LONG: [1]}),
        lambda: cv.fstar_score([{LONG}], [{"a"}]),
        lambda: cv.fstar_score({LONG: 1}, [1, 1]),
        *(
            partial(cv.fstar_score, [0, 1], [0, 1], **{option: value})
            for option, value in (
                ("universe", LONG), ("universe", range(LONG)), ("n_objects", -LONG),
                ("n_objects", LONG), ("balance", LONG),
            )
        ),
        lambda: cv.pairwise({LONG: [1, 2], 1: LONG}),
        lambda: Clustering.from_frame(FRAME, object=LONG),
        lambda: Clustering.from_labels([LONG]).to_frame("arrow"),
    ],
)  # fmt: skip
def test_errors_about_long_integers_are_written(call):
    with pytest.raises(CoverlapError):
        call()


# Ranges


@pytest.mark.parametrize("n", [10**7, 10**15])
def test_a_range_from_0_is_a_number(n):
    sides = [{1, 2}, {3}], [{1, 2, 3}]
    assert cv.fstar_score(*sides, universe=range(n)) == cv.fstar_score(*sides, universe=n)
    assert Clustering.from_clusters([], universe=range(n)).memberships.objects.ids is None


@pytest.mark.parametrize("ids", [range(3, 9), range(1, 12, 2), range(11, 0, -2), range(5, 5)])
def test_a_range_is_the_list_of_its_ids(ids):
    sides = [{i: i % 2 - (i == ids[0]) for i in ids}, {i: i % 3 for i in ids}] if ids else [[], []]
    assert cv.fstar_score(*sides, universe=ids) == cv.fstar_score(*sides, universe=list(ids))
    given = Clustering.from_clusters([ids[:2]], universe=ids)
    assert given == Clustering.from_clusters([list(ids[:2])], universe=list(ids))
    assert Clustering.from_labels(ids) == Clustering.from_labels(list(ids))


def test_outliers_outside_a_range_are_left_out_as_for_a_list():
    left, right = {0: 1, 1: 1, 7: -1}, {0: 1, 1: 2}
    assert cv.fstar_score(left, right, universe=range(3)) == (
        cv.fstar_score(left, right, universe=[0, 1, 2])
    )
    with pytest.raises(UniverseError, match="outside the universe: 7"):
        cv.fstar_score({0: 1, 7: 1}, right, universe=range(3))


def test_a_range_that_is_too_long_is_rejected():
    for ids in (range(5, 10**18), range(0, 10**18, 2), range(-(10**30), 0)):
        for call in (
            lambda ids: cv.fstar_score([{6}], [{6}], universe=ids),
            lambda ids: Clustering.from_clusters([ids]),
            Clustering.from_labels,
            lambda ids: Clustering.from_labels([0], objects=ids),
            Clustering.from_clusters([{6}]).restrict,
            cv.as_clustering,
        ):
            with pytest.raises(InputError, match="at most 134,217,728 items"):
                call(ids)


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, pd.NaT, np.datetime64("NaT")])
def test_missing_keys_of_both_dicts_are_rejected(missing):
    for other in ({missing: 0, "a": 1}, {"b": 0, "a": 1}):
        with pytest.raises(InputError, match="left: objects must not be missing"):
            cv.fstar_score({missing: 0, "a": 1}, other)


def test_keys_that_cannot_be_compared_are_looked_up():
    class Id:
        """An id that can be compared only with ids of its type."""

        def __eq__(self, other):
            if not isinstance(other, Id):
                raise TypeError
            return self is other

        def __hash__(self):
            return id(self)

    one, other = Id(), Id()
    for same in ({one: 0, other: 1}, {other: 1, one: 0}):
        assert cv.fstar_score({one: 0, other: 1}, same) == 1.0


class Incomparable:
    """A value that has a hash, but ``==`` raises an error."""

    def __hash__(self):
        return 1

    def __eq__(self, other):
        raise TypeError


def test_numbers_of_types_that_are_not_compared_with_each_other_are_equal():
    assert cv.fstar_score([Decimal(1), np.int8(1), 2], [0, 0, 1]) == 1.0
    clustering = Clustering.from_clusters([[Decimal(1), np.int8(1)], [2]])
    assert clustering.to_clusters() == [{1}, {2}]
    with pytest.raises(InputTypeError, match="that == can compare"):
        cv.fstar_score([Incomparable(), Incomparable()], [0, 1])
