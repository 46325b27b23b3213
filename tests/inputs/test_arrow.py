"""Columns of text are read from the memory of the library that holds them."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coverlap as cv
from coverlap.inputs.arrow import read_text_column
from tests.marks import slow_after

INDEXES = (pa.int8(), pa.uint16(), pa.int32(), pa.int64())
TYPES = [
    pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.uint32(), pa.large_string()),
    *(pa.dictionary(index, pa.string()) for index in INDEXES),
]  # fmt: skip
VALUES = st.one_of(st.none(), st.sampled_from(["", "a", "twelve bytes", "a longer text", "é" * 20]))
ENUM = pl.Enum(["a", "", "twelve bytes", "a longer text", "é" * 20, "unused"])
CHUNKS = st.lists(st.lists(VALUES, max_size=8), max_size=4)


def values_of(column: object) -> list[str | None]:
    read = read_text_column(column)
    strings = read.texts.tolist()
    if read.places is None:
        return strings
    return [None if place < 0 else strings[place] for place in read.places.tolist()]


def arrow_column(chunks, type):
    return pa.chunked_array([pa.array(chunk, type) for chunk in chunks], type)


def polars_column(chunks, dtype):
    return pl.concat([pl.Series(chunk, dtype=dtype) for chunk in ([], *chunks)], rechunk=False)


@pytest.mark.parametrize(
    ("make", "type"), slow_after(7, [
        *((polars_column, dtype) for dtype in (pl.String, pl.Categorical, ENUM)),
        *((arrow_column, dtype) for dtype in TYPES),
    ]), ids=lambda value: getattr(value, "__name__", str(value)),
)  # fmt: skip
@given(CHUNKS, st.integers(0, 3))
def test_a_column_of_chunks_is_read_as_it_is(make, type, chunks, skipped):
    column = make(chunks, type)
    expected = [value for chunk in chunks for value in chunk]
    assert values_of(column) == expected
    assert values_of(column[skipped:]) == expected[skipped:]


@given(st.lists(VALUES, max_size=20))
def test_gathered_rows_of_polars_are_read_as_they_are(values):
    assert values_of(pl.Series(values, dtype=pl.String).reverse()) == values[::-1]


def test_texts_in_many_buffers_in_any_order_are_read_as_they_are():
    column = pl.concat(
        [pl.Series([f"text {i} of chunk {chunk}" for i in range(100)]) for chunk in range(30)],
        rechunk=True,
    )
    shuffled = column.sample(fraction=1, shuffle=True, seed=0)
    assert values_of(shuffled) == shuffled.to_list()


@pytest.mark.parametrize("dtype", ["string[pyarrow]", pd.ArrowDtype(pa.string())], ids=str)
def test_a_column_of_pandas_that_arrow_holds_is_read_as_it_is(dtype):
    values = ["b", None, "a longer text", "b"]
    series = pd.Series(values, dtype=dtype)
    assert values_of(series) == values
    assert values_of(series[2:]) == values[2:]
    assert values_of(pd.Index(series.dropna())) == ["b", "a longer text", "b"]


def test_a_dictionary_may_have_a_null():
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, None]), pa.array(["a", None]))
    assert values_of(pa.chunked_array([column])) == ["a", None, "a", None]


@pytest.mark.parametrize(
    "column",
    [
        *(pa.chunked_array([[value]]) for value in (1, b"a", ["a"])),
        pa.chunked_array([pa.array([1, 1]).dictionary_encode()]), pl.Series([1]), pd.Series([1]),
        pl.Series([object()], dtype=pl.Object), pd.Series(["a"], dtype=object),
        pd.Series(["a"], dtype="category"), [1],
    ],
    ids=lambda column: f"{type(column).__module__} {getattr(column, 'dtype', '')}",
)  # fmt: skip
def test_columns_of_other_types_are_not_read_here(column):
    assert read_text_column(column) is None


def test_text_that_is_not_utf8_is_rejected_as_before():
    column = pa.chunked_array([pa.array([b"a", b"\xff"]).view(pa.string())])
    assert read_text_column(column) is None
    with pytest.raises(cv.InputError, match="cannot be read: UnicodeDecodeError"):
        cv.as_clustering(column)


def text(offsets, data=b"aabbcc", kind=None):
    buffers = [None, pa.py_buffer(np.array(offsets, np.int32)), pa.py_buffer(data)]
    return pa.Array.from_buffers(kind or pa.string(), len(offsets) - 1, buffers)


def views(*first):
    """Return three views, the first one being of a length, a prefix, a buffer and an offset."""
    rows = np.array([first, (1, 97, 0, 0), (1, 98, 0, 0)], np.int32)
    return pa.Array.from_buffers(
        pa.string_view(), 3, [None, pa.py_buffer(rows), pa.py_buffer(b"x" * 40)]
    )


def categories(*indices):
    return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int32()), ["a", "b"], safe=False)


INVALID = {
    "decreasing offsets": text([0, 4, 2, 6]),
    "text that begins inside a character": text([0, 1, 2, 4], "éaé".encode()[:4]),
    "index above the dictionary": categories(0, 1, 7),
    "negative index": categories(0, -3, 1),
    "view of a buffer that does not exist": views(20, 0, 3, 0),
    "view of a buffer before the first": views(20, 0, -1, 0),
    "view beyond the end of its buffer": views(20, 0, 0, 30),
    "view before the beginning of its buffer": views(20, 0, 0, -9),
    "view of negative length": views(-5, 0, 0, 0),
}


@pytest.mark.parametrize("column", INVALID.values(), ids=INVALID)
def test_invalid_columns_are_rejected(column, tmp_path):
    with pytest.raises(cv.InputError):
        cv.fstar_score(column, [0, 1, 2])
    with pytest.raises(cv.InputError):
        cv.Clustering.from_frame(pa.table({"object": column, "cluster": [0, 1, 2]}))
    path = tmp_path / "a.arrow"
    table = pa.table({"object": [0, 1, 2], "cluster": column})
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    for engine in ("memory", "duckdb"):
        with pytest.raises(cv.InputError, match=r"a\.arrow: no Arrow file that can be read"):
            cv.compare(path, path, engine=engine)
