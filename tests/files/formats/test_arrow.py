import gzip
import io
import struct
import sys

import numpy as np
import pyarrow as pa
import pytest

from coverlap.core.errors import MissingDependencyError
from tests.files.support import PEOPLE, SAMPLES, arrow_bytes, arrow_table, read, refusal

STREAM = pa.ipc.new_stream


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0.5], "continuous"), ([[1]], "hashable"),
        (pa.array([10**15], pa.timestamp("s")), "column 'cluster' cannot be read"),
        (pa.array([1], pa.time64("ns")), "cannot be read to the nanosecond"),
    ],
)  # fmt: skip
def test_labels_that_name_nothing_in_python_are_refused(labels: object, message: str):
    content = arrow_bytes(arrow_table(object=[1], cluster=labels))
    assert message in refusal(content, "a.arrow")


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


@pytest.mark.parametrize("wrong", [2**30, -5, 0, 2**31 - 1, -(2**31)])
def test_offsets_and_categories_that_are_not_there_are_refused(wrong: int):
    texts = pa.array(["a", "bb", "ccc"])  # their offsets are 0, 1, 3, 6
    for column, good, bad in (
        (texts, [0, 1, 3, 6], [0, 1, wrong, 6]),
        (texts.dictionary_encode(), [0, 1, 2], [0, 1, wrong or 3]),
    ):
        content = arrow_bytes(arrow_table(object=column, cluster=[7, 8, 9]))
        before, after = (struct.pack(f"<{len(numbers)}i", *numbers) for numbers in (good, bad))
        assert content.count(before) == 1
        refusal(content.replace(before, after), "a.arrow")


def test_text_that_is_not_utf8_is_refused():
    refusal(arrow_bytes(PEOPLE).replace(b"annbob", b"ann\xffob"), "a.arrow")


def test_without_pyarrow_the_extra_that_brings_it_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'coverlap\[arrow\]'"):
        read(SAMPLES["arrow"].content, "a.arrow")


OLD_FEATHER = b"FEA1\xff\xff\xff\xff\x04\0\0\0FEA1"


@pytest.mark.parametrize("content", [OLD_FEATHER, gzip.compress(OLD_FEATHER, mtime=0)])
def test_version_1_of_feather_is_refused_since_its_reader_can_crash(content: bytes):
    assert "version 1 of Feather" in refusal(content, "notes.txt")


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
