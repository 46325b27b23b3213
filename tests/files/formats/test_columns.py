"""What Arrow and Parquet files have in common."""

import io
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from itertools import product

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tests.files.support import SAMPLES, arrow_bytes, arrow_table, parquet_bytes, read, refusal

WRITERS = {"arrow": arrow_bytes, "parquet": parquet_bytes}
FORMATS = pytest.mark.parametrize("form", WRITERS)


def found(form: str, options: dict[str, object] | None = None, /, **columns: object):
    c = read(WRITERS[form](arrow_table(**columns)), f"a.{form}", **(options or {}))
    return c.to_dict(), set(c.objects)


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("arrow", "a.arrow"), ("arrow", "a.feather"), ("arrow", "a.IPC"), ("arrow", "anything"),
        ("parquet", "a.parquet"), ("parquet", "a.PQ"), ("parquet", "anything"),
    ],
)  # fmt: skip
def test_each_row_is_a_membership_and_a_null_cluster_makes_an_outlier(form: str, name: str):
    c = read(SAMPLES[form].content, name)
    SAMPLES[form].check(c)
    assert c.describe().startswith(
        f"read as: {form.title()}, object in column 'object' and cluster in column 'cluster'\n"
    )


@pytest.mark.parametrize("compression", ["lz4", "zstd"])
def test_files_of_pandas_and_polars_are_read(compression: str):
    columns = {"object": ["a", "b", "c", "c"], "cluster": [1, None, 2, 1]}
    for frame, method in (
        (pd.DataFrame, "to_feather"), (pl.DataFrame, "write_ipc"),
        (pd.DataFrame, "to_parquet"), (pl.DataFrame, "write_parquet"),
    ):  # fmt: skip
        file = io.BytesIO()
        getattr(frame(columns), method)(file, compression=compression)
        c = read(file.getvalue(), "a")
        assert (c.to_dict(), set(c.objects)) == ({1: {"a", "c"}, 2: {"c"}}, {"a", "b", "c"})


@FORMATS
def test_columns_are_chosen_by_name_or_position(form: str):
    table = {"z_cluster": [4, 4, 9], "id": ["r1", "r2", "r3"], "other": [1, 2, 3]}
    for options in ({"object": "id", "cluster": "z_cluster"}, {"object": 1, "cluster": 0}):
        assert found(form, options, **table)[0] == {4: {"r1", "r2"}, 9: {"r3"}}


START = datetime.fromisoformat("1970-01-01")
BIG = [2**53, 2**53 + 1, 10**30 + 1]
NUMBERS = (pa.int8, pa.int16, pa.int32, pa.uint8, pa.uint16, pa.uint32, pa.float32, pa.float64)
UNITS = {"s": "seconds", "ms": "milliseconds", "us": "microseconds"}

COLUMNS = [
    *(([3, 5], kind(), [3, 5]) for kind in NUMBERS),
    *((values, kind, values) for values, kind in [
        ([-(2**63), 2**63 - 1], pa.int64()), ([2**64 - 1, 2**63], pa.uint64()),
        ([True, False], pa.bool_()), (["x", "y"], pa.dictionary(pa.int32(), pa.string())),
    ]),
    ([*map(Decimal, BIG)], pa.decimal128(38, 0), BIG),
    ([Decimal(-1), Decimal(2)], pa.decimal128(3, 2), [-1, 2]),
    *(
        ([1, 2], pa.timestamp(unit), [START + timedelta(**{name: i}) for i in (1, 2)])
        for unit, name in UNITS.items()
    ),
    ([1000, 2000], pa.timestamp("ns"), [START.replace(microsecond=i) for i in (1, 2)]),
    (
        [1, 2], pa.timestamp("us", "Asia/Tokyo"),
        [START.replace(tzinfo=UTC, microsecond=i) for i in (1, 2)],
    ),
    ([-719162, 2932896], pa.date32(), [date(1, 1, 1), date(9999, 12, 31)]),
]  # fmt: skip

TIMES = [
    ([1, 60_000], pa.time32("ms"), [time(0, 0, 0, 1000), time(0, 1)]),
    ([1, 60_000_000], pa.time64("us"), [time(0, 0, 0, 1), time(0, 1)]),
]


@pytest.mark.parametrize(
    ("form", "stored", "kind", "values"),
    [
        *(("arrow", *column) for column in COLUMNS),
        *(("parquet", *column) for column in [*COLUMNS, *TIMES]),
    ],
    ids=str,
)
def test_ids_and_labels_have_the_values_of_their_type(
    form: str, stored: list, kind: pa.DataType, values: list
):
    names = list(range(len(values)))
    assert found(form, object=pa.array(stored, kind), cluster=names) == (
        {name: {values[name]} for name in names}, set(values),
    )  # fmt: skip
    assert found(form, object=[*names, -1], cluster=pa.array([*stored, None], kind)) == (
        {values[name]: {name} for name in names if values[name] not in (-1, -(2**63))},
        {*names, -1},
    )


NANOSECONDS = [pa.timestamp("ns"), pa.timestamp("ns", "UTC"), pa.duration("ns")]


@pytest.mark.parametrize(
    ("form", "kind"), [*product(WRITERS, NANOSECONDS), ("parquet", pa.time64("ns"))], ids=str
)
def test_nanoseconds_are_not_cut(form: str, kind: pa.DataType):
    column = pa.array([1, 2, 1001], kind)
    assert len(found(form, object=column, cluster=[1, 2, 3])[1]) == 3
    assert len(found(form, object=[1, 2, 3], cluster=column)[0]) == 3


@FORMATS
def test_text_stays_text_but_means_outliers_as_in_a_text_file(form: str):
    ids, labels = ["1", "007", "a\nb", ""], ["x", None, "NA", "-1"]
    for encoded in (pa.array, lambda values: pa.array(values).dictionary_encode()):
        clusters, objects = found(form, object=encoded(ids), cluster=encoded(labels))
        assert (clusters, objects) == ({"x": {"1"}}, set(ids))


@FORMATS
def test_nan_negative_numbers_and_chosen_labels_are_outliers(form: str):
    ids = list("abcd")
    assert found(form, object=ids, cluster=[float("nan"), -1.0, -5.0, 2.0])[0] == {2: {"d"}}
    chosen = {"outlier_label": ("Unassigned", "None")}
    labels = ["x", "Unassigned", "-1", "None"]
    assert found(form, chosen, object=ids, cluster=labels)[0] == {"-1": {"c"}, "x": {"a"}}


@FORMATS
@pytest.mark.parametrize("kind", [pa.int64(), pa.string(), pa.float64(), pa.list_(pa.int64())])
def test_no_rows_are_no_objects(form: str, kind: pa.DataType):
    ids = pa.array([], pa.int64() if pa.types.is_list(kind) else kind)
    assert found(form, object=ids, cluster=pa.array([], kind)) == ({}, set())


@FORMATS
@pytest.mark.parametrize(
    "ids",
    [
        pa.array([1, None]), pa.array(["a", None]), pa.array([None, None]),
        pa.array([1.0, float("nan")]), pa.array([Decimal(1), None]),
        pa.array([True, None]), pa.array(["a", None]).dictionary_encode(),
    ],
    ids=str,
)  # fmt: skip
def test_objects_without_an_id_are_refused(form: str, ids: pa.Array):
    message = refusal(WRITERS[form](arrow_table(object=ids, cluster=[1, 1])), f"a.{form}")
    what = {"arrow": "must not be missing", "parquet": "nulls, and an object must have an id"}
    assert what[form] in message


@FORMATS
def test_two_columns_of_one_name_are_refused_if_they_are_wanted(form: str):
    def content(*names: str) -> bytes:
        return WRITERS[form](pa.table([pa.array([i]) for i in range(len(names))], names))

    for options in ({}, {"object": 0, "cluster": 2}):
        message = refusal(content("object", "object", "cluster"), f"a.{form}", **options)
        assert "2 columns called 'object'" in message
    assert read(content("x", "object", "cluster", "x"), f"a.{form}").to_dict() == {2: {1}}


@FORMATS
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"object": "id"}, ": no column 'id' among 'object', 'cluster'"),
        ({"object": "Object"}, "among 'object', 'cluster'; did you mean 'object'?"),
        ({"object": 0, "cluster": 2}, "2 columns, so there is no column 2"),
    ],
)
def test_a_column_that_is_not_there_is_refused(form: str, options: dict, message: str):
    assert message in refusal(SAMPLES[form].content, f"a.{form}", **options)


@pytest.mark.parametrize(
    ("form", "content"),
    [
        *(("arrow", b) for b in (b"A", b"ARROW1", b"ARROW1\0\0ARROW1", b"FEA1" + b"\0" * 50)),
        *(("parquet", b) for b in (b"P", b"PAR1PAR1", b"PAR1" + b"\0" * 100 + b"PAR1")),
        *((form, content) for form in WRITERS for content in (b"", b"object,cluster\n1,2\n")),
    ],
    ids=repr,
)
def test_what_is_no_such_file_is_refused(form: str, content: bytes):
    what = {"arrow": "no Arrow file that can be read", "parquet": "not a Parquet file that can be"}
    assert what[form] in refusal(content, f"a.{form}")
