import io
from datetime import time
from decimal import Decimal
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from coverlap.core.errors import InputError
from coverlap.files import coded_columns
from tests.files.support import PEOPLE, SAMPLES, arrow_table, parquet_bytes, read, refusal


def found(**columns: object):
    c = read(parquet_bytes(arrow_table(**columns)), "a.parquet")
    return c.to_dict(), set(c.objects)


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


@pytest.mark.parametrize(
    "values",
    [[1.5, 2.0], [float("inf"), 1.0], [1e300, 1.0], [Decimal("1.5"), Decimal("2.0")]],
    ids=str,
)
def test_continuous_numbers_are_refused(values: list[object]):
    for columns in ({"object": values, "cluster": [1, 2]}, {"object": [1, 2], "cluster": values}):
        message = refusal(parquet_bytes(arrow_table(**columns)), "a.parquet")
        assert "has the continuous number" in message


def test_a_column_of_lists_holds_the_clusters_of_each_object():
    lists = [[1, 2], [], None, [None, 5], [2, 2]]
    assert found(object=list("abcde"), cluster=lists) == (
        {1: {"a"}, 2: {"a", "e"}, 5: {"d"}}, set("abcde"),
    )  # fmt: skip
    named = [["x", "y"], ["y"]]
    assert found(object=[1, 2], cluster=named)[0] == {"x": {1}, "y": {1, 2}}


def test_many_row_groups_are_read():
    ids = np.arange(300_000) * 7 % 300_000
    file = io.BytesIO()
    table = pl.DataFrame({"object": ids, "cluster": ids % 1000})
    table.write_parquet(file, row_group_size=10_000)
    c = read(file.getvalue(), "a.parquet")
    assert c.n_objects == 300_000
    assert c.to_dict()[7] == set(range(7, 300_000, 1000))


def test_a_file_that_breaks_off_anywhere_is_refused():
    data = SAMPLES["parquet"].content
    for size in range(0, len(data), 53):
        refusal(data[:size], "a.parquet")


@pytest.mark.parametrize("values", [[[[1]], [[2]]], [{"a": 1}, {"a": 2}], [b"\x00", b"\xff"]])
def test_columns_that_hold_no_names_are_refused(values: list):
    with pytest.raises(InputError, match="which names nothing"):
        found(object=["a", "b"], cluster=values)


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
    numbers = [10**16, 10**16 + 1]
    short, long = (pa.array([*map(Decimal, numbers)], pa.decimal256(n, 0)) for n in (38, 39))
    lists = pa.array([[number] for number in long], pa.list_(long.type))
    for item, cluster in ((long, [1, 2]), ([1, 2], long), ([1, 2], lists)):
        message = refusal(parquet_bytes(arrow_table(object=item, cluster=cluster)), "a.parquet")
        assert "has decimals of 39 digits, but at most 38 can be read exactly" in message
    assert found(object=short, cluster=[1, 2], other=long)[1] == set(numbers)


def test_columns_may_differ_only_in_case():
    nested = {"s": [{"a": {"b": 1}, "object": 2}] * 2, "l": [[1], [2]]}
    objects = {"object": [1, 2], "OBJECT": [3, 4], **nested, "object_1": [5, 6]}
    content = parquet_bytes(arrow_table(**objects, Cluster=["p", "p"], cluster=["x", "y"]))
    for name in ("object", "OBJECT", "object_1"):
        first, second = objects[name]
        assert read(content, "a.parquet", object=name).to_dict() == {"x": {first}, "y": {second}}
        c = read(content, "a.parquet", object=name, cluster="Cluster")
        assert c.to_dict() == {"p": {first, second}}
    assert "no column 'OBJECT_1' among" in refusal(content, "a.parquet", object="OBJECT_1")
    assert read(content, "a.parquet", object=1, cluster=5).to_dict() == {"p": {3, 4}}


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
    "", "\0", "a", "a\0", "a\0\0", "a" * 20, "a" * 20 + "\0", "-1", "7", "007", "é", "\U0001f388",
    "a\nb", "'", '"', "e\u0301", "\ufeff", " a ",
]  # fmt: skip
BOUNDS = {pa.int64(): (-(2**63), 2**63 - 1), pa.uint64(): (0, 2**64 - 1), pa.int32(): (-9, 10**9)}
OUTLIERS = {None, "", "-1", -(2**63), *range(-40, 0)}
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
        if name not in OUTLIERS:
            expected.setdefault(name, set()).add(item)
    columns = {"object": pa.array(objects, id_type), "cluster": pa.array(clusters, label_type)}
    c = read(parquet_bytes(arrow_table(**columns)), "a.parquet", duplicates="keep")
    assert list(c.objects) == sorted(known)
    assert c.to_dict() == expected
