import gzip
import io
import struct
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from coverlap import Clustering
from coverlap.core.errors import MissingDependencyError
from tests.files.support import (
    PEOPLE,
    SAMPLES,
    arrow_bytes,
    arrow_table,
    read,
    refusal,
    shape,
)

STREAM = pa.ipc.new_stream


def found(*, options: dict[str, object] | None = None, **columns):
    c = read(arrow_bytes(arrow_table(**columns)), "a.arrow", **(options or {}))
    return c.to_dict(), set(c.objects)


@pytest.mark.parametrize("name", ["a.arrow", "a.feather", "a.IPC", "anything"])
def test_each_row_is_a_membership_and_a_null_cluster_makes_an_outlier(name: str):
    sample = SAMPLES["arrow"]
    c = read(sample.content, name)
    sample.check(c)
    assert c.describe().startswith(
        "read as: Arrow, object in column 'object' and cluster in column 'cluster'\n"
    )


def test_the_stream_format_is_read_too():
    SAMPLES["arrow"].check(read(arrow_bytes(PEOPLE, STREAM), "a.arrow"))


@pytest.mark.parametrize("compression", ["lz4", "zstd", "uncompressed"])
def test_feather_files_of_pandas_and_polars_are_read(compression: str):
    columns = {"object": ["a", "b", "c", "c"], "cluster": [1, None, 2, 1]}
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns)):
        file = io.BytesIO()
        if isinstance(frame, pd.DataFrame):
            frame.to_feather(file, compression=compression)
        else:
            frame.write_ipc(file, compression=compression)
        c = read(file.getvalue(), "a.feather")
        assert (c.to_dict(), set(c.objects)) == ({1: {"a", "c"}, 2: {"c"}}, {"a", "b", "c"})


def test_columns_are_chosen_by_name_or_position():
    table = arrow_table(z_cluster=[4, 4, 9], id=["r1", "r2", "r3"], other=[1, 2, 3])
    for columns in ({"object": "id", "cluster": "z_cluster"}, {"object": 1, "cluster": 0}):
        c = read(arrow_bytes(table), "a.arrow", **columns)
        assert c.to_dict() == {4: {"r1", "r2"}, 9: {"r3"}}


def test_ids_and_labels_may_be_of_any_type_of_number():
    ids = pa.array([2**64 - 1, 2], pa.uint64())
    assert found(object=ids, cluster=pa.array([1, 2], pa.int8())) == (
        {1: {2**64 - 1}, 2: {2}}, {2**64 - 1, 2},
    )  # fmt: skip
    exact = pa.array([Decimal(2**53), Decimal(2**53 + 1)], pa.decimal128(20, 0))
    assert found(object=exact, cluster=[1.0, 2.0])[0] == {1: {2**53}, 2: {2**53 + 1}}
    assert found(object=[1, 2], cluster=[float("nan"), -1.0]) == ({}, {1, 2})


def test_text_stays_text_but_means_outliers_as_in_a_text_file():
    ids = pa.array(["1", "007", "a\nb", ""]).dictionary_encode()
    labels = pa.array(["x", None, "NA", "-1"]).dictionary_encode()
    assert found(object=ids, cluster=labels) == (
        {"x": {"1"}}, {"1", "007", "a\nb", ""},
    )  # fmt: skip


def test_labels_and_a_cluster_can_mean_outliers():
    columns = {"object": [1, 2, 3], "cluster": ["x", "y", "z"]}
    assert found(options={"outlier_label": "x"}, **columns)[0] == {"y": {2}, "z": {3}}
    assert found(options={"outlier_cluster": "y"}, **columns) == ({"x": {1}, "z": {3}}, {1, 2, 3})


def test_no_rows_are_no_objects():
    for kind in (pa.int64(), pa.string()):
        table = arrow_table(object=pa.array([], kind), cluster=pa.array([], kind))
        assert shape(read(arrow_bytes(table), "a.arrow")) == (set(), set())


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"object": [1, None], "cluster": [1, 1]}, "must not be missing"),
        ({"object": [1.0, float("nan")], "cluster": [1, 1]}, "must not be missing"),
        ({"object": [1, 2], "cluster": [0.5, 1.0]}, "continuous"),
        ({"object": [1, 2], "cluster": [[1], [2]]}, "hashable"),
        ({"key": [1], "cluster": [1]}, "a.arrow: no column 'object' among 'key', 'cluster'"),
    ],
)
def test_bad_columns_are_refused(columns: dict[str, list[object]], message: str):
    assert message in refusal(arrow_bytes(arrow_table(**columns)), "a.arrow")


def test_two_columns_of_one_name_are_refused_if_they_are_wanted():
    columns = [pa.array([1]), pa.array([2]), pa.array([3])]
    twice = arrow_bytes(pa.table(columns, names=["object", "object", "cluster"]))
    for options in ({}, {"object": 0, "cluster": 2}):
        assert "2 columns called 'object'" in refusal(twice, "a.arrow", **options)
    others = arrow_bytes(pa.table([*columns, columns[0]], names=["x", "object", "cluster", "x"]))
    assert read(others, "a.arrow").to_dict() == {3: {2}}


@pytest.mark.parametrize(
    "content",
    [b"", b"A", b"ARROW1", b"ARROW1\0\0ARROW1", b"FEA1", b"FEA1" + b"\0" * 50, b"1,2\n" * 9],
    ids=repr,
)
def test_what_is_no_arrow_file_is_refused(content: bytes):
    assert "no Arrow file that can be read" in refusal(content, "a.arrow")


@pytest.mark.parametrize("new", [pa.ipc.new_file, STREAM])
def test_a_file_that_breaks_off_anywhere_is_refused(new):
    file = io.BytesIO()
    with new(file, PEOPLE.schema) as writer:
        writer.write_table(PEOPLE, max_chunksize=2)
    data = file.getvalue()
    SAMPLES["arrow"].check(read(data, "a.arrow"))
    for size in range(0, len(data), 8):  # a stream could end after any message
        refusal(data[:size], "a.arrow")


def test_a_stream_with_something_behind_it_is_refused():
    data = arrow_bytes(PEOPLE, STREAM)
    for content in (data + data, data + b"\0"):
        assert "or something follows it" in refusal(content, "a.arrow")


@pytest.mark.parametrize("wrong", [2**30, -5, 3, 2**31 - 1, -(2**31)])
def test_offsets_that_point_nowhere_are_refused(wrong: int):
    data = bytearray(arrow_bytes(arrow_table(object=["a", "bb", "ccc"], cluster=[1, 2, 3])))
    at = data.index(struct.pack("<4i", 0, 1, 3, 6))
    data[at + 8 : at + 12] = struct.pack("<i", wrong if wrong != 3 else 0)
    refusal(bytes(data), "a.arrow")


def test_a_category_that_is_not_there_is_refused():
    labels = pa.array(["x", "y", "x", "y"]).dictionary_encode()
    data = bytearray(arrow_bytes(arrow_table(object=[1, 2, 3, 4], cluster=labels)))
    at = data.index(struct.pack("<4i", 0, 1, 0, 1))
    data[at : at + 4] = struct.pack("<i", 1_000_000)
    refusal(bytes(data), "a.arrow")


def test_text_that_is_not_utf8_is_refused():
    data = arrow_bytes(PEOPLE).replace(b"annbobbobcyddan", b"ann\xffobbobcyddan")
    refusal(data, "a.arrow")


def test_without_pyarrow_the_extra_that_brings_it_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'coverlap\[arrow\]'"):
        read(SAMPLES["arrow"].content, "a.arrow")


OLD_FEATHER = b"FEA1\xff\xff\xff\xff\x04\0\0\0FEA1"


@pytest.mark.parametrize("way", ["name", "gzip", "stdin"])
def test_version_1_of_feather_is_refused_and_crashes_nothing(tmp_path: Path, way: str):
    path = tmp_path / "notes.txt"
    path.write_bytes(gzip.compress(OLD_FEATHER) if way == "gzip" else OLD_FEATHER)
    done = subprocess.run(
        [sys.executable, "-m", "coverlap", "describe", "-" if way == "stdin" else str(path)],
        input=OLD_FEATHER if way == "stdin" else None, capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2
    assert b"version 1 of Feather" in done.stderr


@pytest.mark.parametrize(
    "values",
    [
        pa.array([Decimal(3), Decimal(10) ** 30, Decimal(-1)], pa.decimal128(38, 0)),
        pa.array([Decimal(3), Decimal(10) ** 50, Decimal(-1)], pa.decimal256(60, 0)),
        pa.array([1, 2001, 1_000_001], pa.timestamp("ns")),
        pa.array([1, 2001, 1_000_001], pa.duration("ns")),
        pa.array([1, 2001, 1_000_001], pa.timestamp("ns", "Europe/Berlin")),
        pa.array([1, 2, 3], pa.timestamp("s")),
        pa.array([1, 2, 3], pa.date32()),
        pa.array([True, False, None]),
    ],
    ids=lambda values: str(values.type),
)
def test_a_file_has_the_values_of_its_columns_in_memory(values: pa.Array):
    table = arrow_table(object=[1, 2, 3], cluster=values)
    assert read(arrow_bytes(table), "a.arrow") == Clustering.from_frame(table)
    if values.null_count == 0:
        table = arrow_table(object=values, cluster=["x", "y", "x"])
        assert read(arrow_bytes(table), "a.arrow") == Clustering.from_frame(table)


def test_times_that_python_does_not_have_are_refused():
    for values, reason in (
        (pa.array([10**15], pa.timestamp("s")), "column 'cluster' cannot be read"),
        (pa.array([1], pa.time64("ns")), "cannot be read to the nanosecond"),
    ):
        table = arrow_table(object=[1], cluster=values)
        assert reason in refusal(arrow_bytes(table), "a.arrow")


def test_rows_that_take_no_bytes_are_refused():
    nulls = pa.Array.from_buffers(pa.null(), 10**13, [None])
    file = io.BytesIO()
    table = pa.table({"object": nulls, "cluster": nulls})
    options = pa.ipc.IpcWriteOptions(allow_64bit=True)
    with pa.ipc.new_file(file, table.schema, options=options) as writer:
        writer.write_table(table)
    assert "10,000,000,000,000 rows in 0 bytes" in refusal(file.getvalue(), "a.arrow")


@pytest.mark.parametrize("kind", ["dictionary", "view", "dictionary of views"])
def test_a_text_that_many_rows_share_is_counted_for_each_row(
    kind: str, monkeypatch: pytest.MonkeyPatch
):
    text, n = "x" * 1000, 3000
    labels = pa.array([text, "y"], pa.string() if kind == "dictionary" else pa.string_view())
    places = pa.array(np.zeros(n, np.int32))
    if kind == "view":
        views = bytes(labels.buffers()[1])[:16] * n
        buffers = [None, pa.py_buffer(views), labels.buffers()[2]]
        shared = pa.Array.from_buffers(pa.string_view(), n, buffers)
    else:
        shared = pa.DictionaryArray.from_arrays(places, labels)
    content = arrow_bytes(arrow_table(object=list(range(n)), cluster=shared))
    assert len(content) < 100_000
    if kind != "dictionary of views":
        assert read(content, "a.arrow").to_dict() == {text: set(range(n))}
    monkeypatch.setenv("COVERLAP_MAX_BYTES", "1000000")
    message = refusal(content, "a.arrow")
    assert "at most 1,000,000 bytes of memory, but takes 3,000,000; COVERLAP_MAX_BYTES" in message
