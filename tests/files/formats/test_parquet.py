import io
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from coverlap.core.errors import InputError, OptionError
from coverlap.files import coded_columns
from tests.files.support import (
    PEOPLE,
    SAMPLES,
    arrow_table,
    parquet_bytes,
    read,
    refusal,
    shape,
)


def found(name: str = "a.parquet", /, *, options: dict[str, object] | None = None, **columns):
    c = read(parquet_bytes(arrow_table(**columns)), name, **(options or {}))
    return c.to_dict(), set(c.objects)


def test_each_row_is_a_membership_and_a_null_cluster_makes_an_outlier():
    sample = SAMPLES["parquet"]
    for name in ("a.parquet", "a.PQ", "anything"):
        c = read(sample.content, name)
        sample.check(c)
    assert c.describe().startswith(
        "read as: Parquet, object in column 'object' and cluster in column 'cluster'\n"
    )


def test_splink_has_a_cluster_id_and_a_unique_id():
    frame = pd.DataFrame({
        "cluster_id": ["a-1", "a-1", "b-7"], "unique_id": [10, 11, 12],
        "source_dataset": ["a", "b", "b"], "surname": ["x", None, "x"],
    })  # fmt: skip
    file = io.BytesIO()
    frame.to_parquet(file)
    c = read(file.getvalue(), "clusters.parquet", object="unique_id", cluster="cluster_id")
    assert c.to_dict() == {"a-1": {10, 11}, "b-7": {12}}
    c = read(file.getvalue(), "clusters.parquet", object=1, cluster=0)
    assert c.to_dict() == {"a-1": {10, 11}, "b-7": {12}}


def test_frames_of_pandas_and_polars_are_read():
    columns = {"object": ["a", "b", "c", "c"], "cluster": [1, None, 2, 1]}
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns)):
        file = io.BytesIO()
        (frame.to_parquet if isinstance(frame, pd.DataFrame) else frame.write_parquet)(file)
        c = read(file.getvalue(), "a.parquet")
        assert (c.to_dict(), set(c.objects)) == ({1: {"a", "c"}, 2: {"c"}}, {"a", "b", "c"})


INTEGERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64()]
NATURALS = [pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
FLOATS = [pa.float32(), pa.float64()]


@pytest.mark.parametrize("kind", [*INTEGERS, *NATURALS, *FLOATS], ids=str)
def test_numbers_of_every_width_are_integers(kind: pa.DataType):
    ids, labels = pa.array([3, 4, 5], kind), pa.array([7, None, 7], kind)
    assert found(object=ids, cluster=labels) == ({7: {3, 5}}, {3, 4, 5})


def test_numbers_may_be_as_large_as_their_type_allows():
    ids = pa.array([-(2**63), 2**63 - 1])
    assert found(object=ids, cluster=[1, 2])[0] == {1: {-(2**63)}, 2: {2**63 - 1}}
    ids = pa.array([2**64 - 1, 2**63], pa.uint64())
    assert found(object=ids, cluster=[1, 2])[0] == {1: {2**64 - 1}, 2: {2**63}}
    assert found(object=[1, 2], cluster=ids)[0] == {2**63: {2}, 2**64 - 1: {1}}


@pytest.mark.parametrize("distances", [(0, 1, 2), (0, 2)], ids=["without gaps", "with gaps"])
@pytest.mark.parametrize("low", [-(2**63), 2**63 - 3])
def test_a_range_of_ids_may_end_where_its_type_ends(low: int, distances: tuple[int, ...]):
    ids = [low + distance for distance in distances]
    c = read(parquet_bytes(arrow_table(object=ids, cluster=[1] * len(ids))), "a.parquet")
    assert c.memberships.objects.ids.dtype == np.int64
    assert list(c.objects) == ids


def test_files_with_the_same_range_of_ids_share_their_list():
    ids = range(3, 3 + 2 * coded_columns.BLOCK + 1)
    contents = [parquet_bytes(arrow_table(object=ids, cluster=[c] * len(ids))) for c in (1, 2)]
    one, other = (read(content, "a.parquet") for content in contents)
    assert one.memberships.objects.ids is other.memberships.objects.ids
    assert list(one.objects) == list(other.objects) == list(ids)
    del one, other
    assert (ids[0], len(ids)) not in coded_columns._listed


def test_decimals_are_exact():
    big = [2**53, 2**53 + 1, 10**30 + 1]
    decimals = pa.array([Decimal(number) for number in big], pa.decimal128(38, 0))
    expected = {1: {big[0]}, 2: {big[1]}, 3: {big[2]}}
    assert found(object=decimals, cluster=[1, 2, 3])[0] == expected
    assert found(object=[1, 2, 3], cluster=decimals)[0] == {
        big[0]: {1}, big[1]: {2}, big[2]: {3},
    }  # fmt: skip
    prices = pa.array([Decimal("-1.00"), None, Decimal("2.00")])
    assert found(object=[1, 2, 3], cluster=prices) == ({2: {3}}, {1, 2, 3})


@pytest.mark.parametrize(
    "values",
    [[1.5, 2.0], [float("inf"), 1.0], [1e300, 1.0], [Decimal("1.5"), Decimal("2.0")]],
    ids=str,
)
def test_continuous_numbers_are_refused(values: list[object]):
    for columns in ({"object": values, "cluster": [1, 2]}, {"object": [1, 2], "cluster": values}):
        message = refusal(parquet_bytes(arrow_table(**columns)), "a.parquet")
        assert "has the continuous number" in message


@pytest.mark.parametrize(
    "ids",
    [
        pa.array([1, None]), pa.array(["a", None]), pa.array([1.0, None]), pa.array([None, None]),
        pa.array([1.0, float("nan")]), pa.array([float("nan")] * 2), pa.array([Decimal(1), None]),
        pa.array([True, None]), pa.array(["a", None]).dictionary_encode(),
    ],
    ids=str,
)  # fmt: skip
def test_objects_without_an_id_are_refused(ids: pa.Array):
    message = refusal(parquet_bytes(arrow_table(object=ids, cluster=[1, 1])), "a.parquet")
    assert message.endswith("column 'object' has nulls, and an object must have an id")


def test_nan_negative_numbers_and_chosen_labels_are_outliers():
    ids = list("abcd")
    assert found(object=ids, cluster=[float("nan"), -1.0, -5.0, 2.0])[0] == {2: {"d"}}
    chosen = {"outlier_label": ("Unassigned", "None")}
    labels = ["x", "Unassigned", "-1", "None"]
    assert found(object=ids, cluster=labels, options=chosen)[0] == {"-1": {"c"}, "x": {"a"}}
    assert found(object=ids, cluster=[1, 2, 2, 1], options={"outlier_cluster": 2}) == (
        {1: {"a", "d"}}, set(ids),
    )  # fmt: skip


def test_text_stays_text_but_means_outliers_as_in_a_text_file():
    clusters, objects = found(object=["1", "007", ""], cluster=["1", "-1", "NA"])
    assert (clusters, objects) == ({"1": {"1"}}, {"1", "007", ""})
    assert {type(item) for item in objects} == {str}


@pytest.mark.parametrize("text", ["a\nb", "\0", "'", '"', "🎈", "e\u0301", "\ufeff", " a "])
def test_text_may_hold_any_character(text: str):
    assert found(object=[text, "x"], cluster=["x", text])[0] == {"x": {text}, text: {"x"}}


def test_a_column_of_lists_holds_the_clusters_of_each_object():
    lists = [[1, 2], [], None, [None, 5], [2, 2]]
    assert found(object=list("abcde"), cluster=lists) == (
        {1: {"a"}, 2: {"a", "e"}, 5: {"d"}}, set("abcde"),
    )  # fmt: skip
    named = [["x", "y"], ["y"]]
    assert found(object=[1, 2], cluster=named)[0] == {"x": {1}, "y": {1, 2}}


def test_categories_booleans_and_dates_are_labels():
    categories = pa.array(["x", "y", None, "x"]).dictionary_encode()
    assert found(object=[1, 2, 3, 4], cluster=categories) == ({"x": {1, 4}, "y": {2}}, {1, 2, 3, 4})
    assert found(object=[1, 2], cluster=[True, False])[0] == {0: {2}, 1: {1}}
    dates = pa.array([0, 1], pa.date32())
    assert found(object=[1, 2], cluster=dates)[0] == {
        date(1970, 1, 1): {1}, date(1970, 1, 2): {2},
    }  # fmt: skip


@pytest.mark.parametrize("kind", [pa.int64(), pa.string(), pa.float64(), pa.list_(pa.int64())])
def test_no_rows_are_no_objects(kind: pa.DataType):
    ids = pa.array([], pa.int64() if pa.types.is_list(kind) else kind)
    table = arrow_table(object=ids, cluster=pa.array([], kind))
    assert shape(read(parquet_bytes(table), "a.parquet")) == (set(), set())


def test_a_repeated_row_counts_once():
    assert found(object=[1, 1, 1], cluster=["x", "x", None]) == ({"x": {1}}, {1})


def test_many_row_groups_are_read():
    rng = np.random.default_rng(0)
    ids, labels = rng.permutation(300_000), rng.integers(0, 1000, 300_000)
    file = io.BytesIO()
    pl.DataFrame({"object": ids, "cluster": labels}).write_parquet(file, row_group_size=10_000)
    c = read(file.getvalue(), "a.parquet")
    assert c.n_objects == 300_000
    assert c.to_dict()[7] == set(ids[labels == 7].tolist())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"object": "id"}, "a.parquet: no column 'id' among 'object', 'cluster'"),
        (
            {"object": "Object"},
            "no column 'Object' among 'object', 'cluster'; did you mean 'object'?",
        ),
        ({"object": 0, "cluster": 2}, "2 columns, so there is no column 2"),
    ],
)
def test_a_column_that_is_not_there_is_refused(options: dict[str, object], message: str):
    assert message in refusal(parquet_bytes(PEOPLE), "a.parquet", **options)


@pytest.mark.parametrize("option", ["delimiter", "keys"])
def test_options_of_other_formats_are_refused(option: str):
    value = "," if option == "delimiter" else "objects"
    with pytest.raises(OptionError, match=f"{option} means nothing in the format 'parquet'"):
        read(parquet_bytes(PEOPLE), "a.parquet", **{option: value})


@pytest.mark.parametrize(
    "content",
    [b"", b"P", b"PAR1", b"PAR1PAR1", b"object,cluster\n1,2\n", b"PAR1" + b"\0" * 100 + b"PAR1"],
    ids=repr,
)
def test_what_is_no_parquet_file_is_refused(content: bytes):
    assert "not a Parquet file that can be read" in refusal(content, "a.parquet")


def test_a_file_that_breaks_off_anywhere_is_refused():
    data = SAMPLES["parquet"].content
    for size in range(0, len(data), 53):
        refusal(data[:size], "a.parquet")


@pytest.mark.parametrize("values", [[[[1]], [[2]]], [{"a": 1}, {"a": 2}], [b"\x00", b"\xff"]])
def test_columns_that_hold_no_names_are_refused(values: list):
    with pytest.raises(InputError, match="which names nothing"):
        found(object=["a", "b"], cluster=values)


START = datetime.fromisoformat("1970-01-01")

TEMPORAL = [
    ([0, 500_000], pa.timestamp("us"), [START, START + timedelta(milliseconds=500)]),
    ([1, 2], pa.timestamp("ms"), [START + timedelta(milliseconds=i) for i in (1, 2)]),
    ([1, 2], pa.timestamp("us", "Asia/Tokyo"), [
        START.replace(tzinfo=UTC, microsecond=i) for i in (1, 2)]),
    ([1000, 2000], pa.timestamp("ns"), [START + timedelta(microseconds=i) for i in (1, 2)]),
    ([1, 60_000], pa.time32("ms"), [time(0, 0, 0, 1000), time(0, 1)]),
    ([1, 60_000_000], pa.time64("us"), [time(0, 0, 0, 1), time(0, 1)]),
    ([-719162, 2932896], pa.date32(), [date(1, 1, 1), date(9999, 12, 31)]),
]  # fmt: skip


@pytest.mark.parametrize(("numbers", "kind", "values"), TEMPORAL, ids=str)
def test_dates_and_times_are_those_of_python(numbers: list[int], kind: pa.DataType, values: list):
    column = pa.array(numbers, kind)
    assert found(object=column, cluster=["x", "y"]) == (
        {"x": {values[0]}, "y": {values[1]}}, set(values),
    )  # fmt: skip
    assert found(object=[1, 2], cluster=column)[0] == {values[0]: {1}, values[1]: {2}}


@pytest.mark.parametrize(
    "kind",
    [pa.timestamp("ns"), pa.timestamp("ns", "UTC"), pa.time64("ns"), pa.duration("ns")],
    ids=str,
)
def test_nanoseconds_are_not_cut(kind: pa.DataType):
    column = pa.array([1, 2, 1001], kind)
    assert len(found(object=column, cluster=[1, 2, 3])[1]) == 3
    assert len(found(object=[1, 2, 3], cluster=column)[0]) == 3


def test_times_in_utc_are_times_of_day_unless_duckdb_would_cut_them():
    def content(kind: pa.DataType) -> bytes:
        file = io.BytesIO()
        table = arrow_table(object=[1, 2], cluster=pa.array([1000, 2000], kind))
        pq.write_table(table, file, write_time_adjusted_to_utc=True)
        return file.getvalue()

    clusters = {time(0, 0, 0, 1000): {1}, time(0, 0, 0, 2000): {2}}
    assert read(content(pa.time64("us")), "a.parquet").to_dict() == clusters
    assert "times of day in UTC with nanoseconds" in refusal(content(pa.time64("ns")), "a.parquet")


def test_dates_beyond_those_of_python_stay_distinct():
    column = pa.array([10**7, 10**7 + 1], pa.date32())
    assert len(found(object=column, cluster=[1, 2])[1]) == 2


def test_decimals_that_duckdb_would_round_are_refused():
    long = pa.array([Decimal(10) ** 16, Decimal(10) ** 16 + 1], pa.decimal256(39, 0))
    short = pa.array([Decimal(10) ** 16, Decimal(10) ** 16 + 1], pa.decimal256(38, 0))
    lists = pa.array([[Decimal(1)], [Decimal(2)]], pa.list_(pa.decimal256(39, 0)))
    for columns in (
        {"object": long, "cluster": [1, 2]}, {"object": [1, 2], "cluster": long},
        {"object": [1, 2], "cluster": lists},
    ):  # fmt: skip
        message = refusal(parquet_bytes(arrow_table(**columns)), "a.parquet")
        assert "has decimals of 39 digits, but at most 38 can be read exactly" in message
    assert found(object=short, cluster=[1, 2]) == (
        {1: {10**16}, 2: {10**16 + 1}},
        {10**16, 10**16 + 1},
    )
    assert found(object=[1], cluster=[2], other=long[:1])[0] == {2: {1}}


def test_columns_may_differ_only_in_case():
    nested = {"s": [{"a": {"b": 1}, "object": 2}] * 2, "l": [[1], [2]]}
    table = arrow_table(
        object=[1, 2],
        OBJECT=[3, 4],
        **nested,
        object_1=[5, 6],
        Cluster=["p", "p"],
        cluster=["x", "y"],
    )
    content = parquet_bytes(table)
    for name, ids in (("object", [1, 2]), ("OBJECT", [3, 4]), ("object_1", [5, 6])):
        expected = {"x": {ids[0]}, "y": {ids[1]}}
        assert read(content, "a.parquet", object=name).to_dict() == expected
        c = read(content, "a.parquet", object=name, cluster="Cluster")
        assert c.to_dict() == {"p": set(ids)}
    assert "no column 'OBJECT_1' among" in refusal(content, "a.parquet", object="OBJECT_1")
    assert read(content, "a.parquet", object=1, cluster=5).to_dict() == {"p": {3, 4}}


def test_two_columns_of_one_name_are_refused_if_they_are_wanted():
    columns = [pa.array([1]), pa.array([2]), pa.array([3])]
    twice = parquet_bytes(pa.table(columns, names=["object", "object", "cluster"]))
    assert "2 columns called 'object'" in refusal(twice, "a.parquet")


def test_many_values_in_few_bytes_are_refused(monkeypatch: pytest.MonkeyPatch):
    ones = np.ones(100_000, np.int64)
    content = parquet_bytes(arrow_table(object=ones, cluster=ones))
    lists = parquet_bytes(arrow_table(object=[1], cluster=[ones]))
    assert max(len(content), len(lists)) < 20_000
    assert read(content, "a.parquet").to_dict() == read(lists, "a.parquet").to_dict() == {1: {1}}
    monkeypatch.setenv("COVERLAP_MAX_BYTES", "1000000")
    for data in (content, lists):
        message = refusal(data, "a.parquet")
        assert "at most 1,000,000 bytes of memory, but have 100,000 values" in message


def test_no_file_is_left_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    read(parquet_bytes(PEOPLE), "a.parquet")
    assert list(tmp_path.iterdir()) == []


NAMES = [
    "",
    "\0",
    "a",
    "a\0",
    "a\0\0",
    "a" * 20,
    "a" * 20 + "\0",
    "-1",
    "7",
    "007",
    "é",
    "\U0001f388",
]
BOUNDS = {pa.int64(): (-(2**63), 2**63 - 1), pa.uint64(): (0, 2**64 - 1), pa.int32(): (-9, 10**9)}
VALUES = {
    "dense": (pa.int32(), range(-40, 5000, 3)),
    "without gaps": (pa.int64(), range(10**12, 10**12 + 700)),
    "sparse": (pa.int64(), [i * 10**12 - 3 for i in range(900)]),
    "floats": (pa.float64(), range(-5, 600)),
    "text": (pa.string(), NAMES),
    "much text": (pa.string(), [i % 2 * "long name " + str(i) + i % 3 * "\0" for i in range(6000)]),
    **{f"bounds of {kind}": (kind, [*ends, 5, 6, 3 * 10**8]) for kind, ends in BOUNDS.items()},
}  # fmt: skip


@pytest.mark.parametrize("shift", [1, 5])
@pytest.mark.parametrize("ids", VALUES)
def test_columns_of_any_values_are_those_of_a_dict(ids: str, shift: int):
    """Objects are in the order of their ids, outliers are null, negative or empty."""
    labels = [*VALUES, *VALUES][[*VALUES].index(ids) + shift]
    rng = Random(f"{ids} {labels}")
    (id_type, known), (label_type, names) = VALUES[ids], VALUES[labels]
    objects = [*known, *rng.choices(known, k=300)]
    clusters = [rng.choice([None, *names]) for _ in objects]
    expected: dict[object, set[object]] = {}
    for item, name in zip(objects, clusters, strict=True):
        if not (name is None or name in ("", "-1") or (not isinstance(name, str) and name < 0)):
            expected.setdefault(name, set()).add(item)
    columns = {"object": pa.array(objects, id_type), "cluster": pa.array(clusters, label_type)}
    c = read(parquet_bytes(arrow_table(**columns)), "a.parquet", duplicates="keep")
    assert list(c.objects) == sorted(known)
    assert c.to_dict() == expected


@pytest.mark.parametrize("column", ["object", "cluster"])
def test_wrong_statistics_are_refused(column: str, tmp_path: Path):
    """DuckDB takes the highest number from the statistics of files that it wrote itself."""
    path = tmp_path / "a.parquet"
    with duckdb.connect() as connection:
        rows = connection.sql("SELECT i AS object, i + 7 AS cluster FROM (VALUES (1), (5000)) t(i)")
        rows.write_parquet(str(path), compression="uncompressed")
    highest = (5000 + 7 * (column == "cluster")).to_bytes(4, "little")
    first, *others = path.read_bytes().split(highest)
    assert len(others) >= 2, "the value itself, and the statistics"
    content = first + highest + (20).to_bytes(4, "little").join(others)
    assert refusal(content, "a.parquet").endswith(
        f"column {column!r} has other values than the statistics of the file say"
    )
