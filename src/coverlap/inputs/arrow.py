"""Columns of polars, Arrow, pandas and DuckDB, read from their memory by Arrow's C interface.

The interface is https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html. It is
used with ctypes, so that neither pyarrow nor a Python object for each row is needed.
"""

import codecs
import ctypes
from collections.abc import Iterator, Sequence
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_int, c_int64, c_void_p, cast
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.errors import InputError
from coverlap.core.incidence import frozen
from coverlap.core.texts import Texts, Utf8, join_texts
from coverlap.inputs.columns import library_of

OFFSETS = {b"u": np.int32, b"U": np.int64}
"""The formats of text with offsets, and the types of these."""

VIEWS = b"vu"

TEXT_TYPES = ("string", "large_string", "dictionary", "categorical", "enum")
"""How the names of types of text, or of categories that may be text, begin in polars and Arrow."""

INDEXES = {
    b"c": "i1", b"C": "u1", b"s": "i2", b"S": "u2", b"i": "i4", b"I": "u4", b"l": "i8", b"L": "u8",
}  # fmt: skip
"""The formats of the indexes into a dictionary, and the types of these."""

SHORT = 12
"""The most bytes of a text that is inside its view."""

INDEX, VIEW = "an index is outside its dictionary", "a view is outside its buffers"

BLOCK = 1 << 20
"""Number of bytes that are checked at a time."""


class _Schema(ctypes.Structure):
    """A type; with `_Array` and `_Stream`, the structures of the interface."""


class _Array(ctypes.Structure):
    """A chunk of a column."""


class _Stream(ctypes.Structure):
    """The chunks of a column."""


_Schema._fields_ = [
    ("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64),
    ("n_children", c_int64), ("children", c_void_p), ("dictionary", POINTER(_Schema)),
    ("release", CFUNCTYPE(None, POINTER(_Schema))), ("private_data", c_void_p),
]  # fmt: skip
_Array._fields_ = [
    ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
    ("n_children", c_int64), ("buffers", POINTER(c_void_p)), ("children", c_void_p),
    ("dictionary", POINTER(_Array)), ("release", CFUNCTYPE(None, POINTER(_Array))),
    ("private_data", c_void_p),
]  # fmt: skip
_Stream._fields_ = [
    ("get_schema", CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Schema))),
    ("get_next", CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Array))),
    ("get_last_error", CFUNCTYPE(c_char_p, POINTER(_Stream))), ("release", c_void_p),
    ("private_data", c_void_p),
]  # fmt: skip

_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = c_void_p, [ctypes.py_object, c_char_p]


class TextColumn(NamedTuple):
    """A column of text: the texts, and the place of each row among them, -1 for null.

    Without ``places``, each row has a text of its own and none is null.
    """

    texts: Texts
    places: NDArray[np.int64] | None = None


class NumberColumn(NamedTuple):
    """A column of numbers, and which rows are null; None if none is."""

    numbers: NDArray[Any]
    is_null: NDArray[np.bool_] | None


def read_text_column(column: Any) -> TextColumn | None:
    """Read a column of text or of categories that are text; None if it is of another type."""
    if library_of(column) == "pandas":
        column = column.array.__arrow_array__() if _is_arrow(column.dtype) else None
    kind = str(getattr(column, "type", None) or getattr(column, "dtype", "")).lower()
    if not kind.startswith(TEXT_TYPES) or not hasattr(column, "__arrow_c_stream__"):
        return None
    capsule = column.__arrow_c_stream__()
    stream = _stream_of(capsule)
    schema = _Schema()
    if stream.get_schema(byref(stream), byref(schema)):
        return None
    try:
        of_text = schema.dictionary.contents.format if schema.dictionary else schema.format
        if of_text not in OFFSETS and of_text != VIEWS:
            return None
        if schema.dictionary and schema.format not in INDEXES:
            return None
        return _joined([_read_chunk(schema, chunk) for chunk in _chunks(stream)])
    finally:
        schema.release(byref(schema))


class StreamError(InputError):
    """The library that makes a column or the rows of a stream failed."""


def stream_columns(relation: Any, dtypes: Sequence[Any]) -> Iterator[list[Any]]:
    """Yield the columns of a DuckDB relation in chunks, those of type None as `TextColumn`.

    These must be VARCHAR, the others numbers of the given types, which are yielded as
    `NumberColumn`. The arrays of numbers are valid until the next chunk is asked for.
    """
    capsule = relation.__arrow_c_stream__()
    for chunk in _chunks(_stream_of(capsule)):
        yield [
            _text_column(b"u", column)
            if dtype is None
            else NumberColumn(
                _buffer(column, 1, dtype, column.offset, column.length), _nulls(column)
            )
            for column, dtype in zip(_children(chunk), dtypes, strict=True)
        ]


def texts_of(relation: Any) -> Texts:
    """Return the texts of a DuckDB relation of one column of VARCHAR without nulls."""
    capsule = relation.__arrow_c_stream__()
    chunks = _chunks(_stream_of(capsule))
    return join_texts([_texts(b"u", _children(chunk)[0], None) for chunk in chunks])


def _children(array: _Array) -> list[_Array]:
    """Return the columns of a chunk of rows."""
    pointers = cast(array.children, POINTER(POINTER(_Array)))
    return [pointers[i].contents for i in range(array.n_children)]


def _stream_of(capsule: Any) -> _Stream:
    """Return the stream in a capsule, which must outlive it."""
    return _Stream.from_address(_pointer_of(capsule, b"arrow_array_stream"))


def _is_arrow(dtype: Any) -> bool:
    """Return whether a type of pandas is one of Arrow."""
    storage = getattr(dtype, "storage", "")
    return hasattr(dtype, "pyarrow_dtype") or str(storage).startswith("pyarrow")


def _chunks(stream: _Stream) -> Iterator[_Array]:
    """Return each chunk of a stream; it is released when the next one is asked for."""
    while True:
        chunk = _Array()
        if stream.get_next(byref(stream), byref(chunk)):
            message = stream.get_last_error(byref(stream)) or b"its library returned an error"
            raise StreamError(message.decode(errors="replace"))
        if not chunk.release:
            return
        try:
            yield chunk
        finally:
            chunk.release(byref(chunk))


def _read_chunk(schema: _Schema, chunk: _Array) -> TextColumn:
    if not schema.dictionary:
        return _text_column(schema.format, chunk)
    is_null = _nulls(chunk)
    words = chunk.dictionary.contents
    has_no_text = _nulls(words)
    texts = _texts(schema.dictionary.contents.format, words, has_no_text)
    places = _buffer(chunk, 1, INDEXES[schema.format], chunk.offset, chunk.length).astype(np.int64)
    if is_null is not None:
        places[is_null] = -1
    _require(np.count_nonzero(places < 0) == (0 if is_null is None else is_null.sum()), INDEX)
    _require(places.max(initial=-1) < len(texts), INDEX)
    if has_no_text is not None:
        places[(places >= 0) & has_no_text[places]] = -1
    return TextColumn(texts, places)


def _text_column(format: bytes, chunk: _Array) -> TextColumn:
    is_null = _nulls(chunk)
    texts = _texts(format, chunk, is_null)
    if is_null is None:
        return TextColumn(texts)
    return TextColumn(texts, np.where(is_null, -1, np.arange(len(texts))))


def _buffer(array: _Array, number: int, dtype: Any, begin: int, length: int) -> NDArray[Any]:
    """Return a part of a buffer, which is valid until the array is released."""
    address = array.buffers[number]
    if not address or not length:
        return np.empty(0, dtype)
    memory = (ctypes.c_char * ((begin + length) * np.dtype(dtype).itemsize)).from_address(address)
    return np.frombuffer(memory, dtype)[begin:]


def _nulls(array: _Array) -> NDArray[np.bool_] | None:
    """Return which items are null; None if none is."""
    if array.null_count == 0 or not array.buffers[0]:
        return None
    end = array.offset + array.length
    bits = np.unpackbits(_buffer(array, 0, np.uint8, 0, -(-end // 8)), bitorder="little")
    is_null: NDArray[np.bool_] = bits[array.offset : end] == 0
    return is_null if is_null.any() else None


def _texts(format: bytes, array: _Array, is_null: NDArray[np.bool_] | None) -> Texts:
    """Return a copy of the texts of an array."""
    if array.length == 0:
        return Texts([])
    if format == VIEWS:
        return _texts_of_views(array, is_null)
    places = _buffer(array, 1, OFFSETS[format], array.offset, array.length + 1).astype(np.int64)
    first, last = int(places[0]), int(places[-1])
    _require(first >= 0 and bool(np.all(places[1:] >= places[:-1])), "the offsets of text decrease")
    data = _buffer(array, 2, np.uint8, first, last - first).copy()
    places -= first
    return Texts(utf8=Utf8(data, places[:-1], places[1:]))


def _texts_of_views(array: _Array, is_null: NDArray[np.bool_] | None) -> Texts:
    views = _buffer(array, 1, np.int32, 4 * array.offset, 4 * array.length).reshape(-1, 4)
    views = frozen(views)
    lengths = views[:, 0] if is_null is None else np.where(is_null, 0, views[:, 0])
    n_more = array.n_buffers - 3
    sizes = _buffer(array, array.n_buffers - 1, np.int64, 0, n_more)
    _, _, numbers, begins = views[lengths > SHORT].T.astype(np.int64)
    _require(lengths.min(initial=0) >= 0 and begins.min(initial=0) >= 0, VIEW)
    _require(numbers.min(initial=0) >= 0 and numbers.max(initial=-1) < n_more, VIEW)
    _require(bool(np.all(begins + lengths[lengths > SHORT] <= sizes[numbers])), VIEW)
    places = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=places[1:])
    begins, ends = frozen(places[:-1]), frozen(places[1:])
    data = np.empty(int(places[-1]), np.uint8)
    _kernels.utf8.copy_short_views(frozen(views.view(np.uint8)), begins, ends, data)
    bounds = np.zeros((n_more, 2), np.int64)
    _kernels.utf8.find_long_views(views, ends, bounds)
    for number, (first, last) in enumerate(bounds.tolist()):
        text = frozen(_buffer(array, 2 + number, np.uint8, 0, int(sizes[number])))
        _kernels.utf8.copy_long_views(views, number, text, first, last, begins, ends, data)
    return Texts(utf8=Utf8(data, begins, ends))


def _require(is_true: bool, problem: str) -> None:
    """Raise an error unless Arrow data is valid as far as this was asked."""
    if not is_true:
        raise StreamError(f"Arrow data is not valid: {problem}")


def _joined(chunks: list[TextColumn]) -> TextColumn | None:
    """Join the chunks of a column; return None if they are not valid UTF-8."""
    texts = join_texts([chunk.texts for chunk in chunks])
    if not _is_valid(texts.utf8):
        return None
    if all(chunk.places is None for chunk in chunks):
        return TextColumn(texts)
    places, n_texts = [], 0
    for chunk in chunks:
        n_own = len(chunk.texts)
        own = np.arange(n_own) if chunk.places is None else chunk.places
        places.append(np.where(own < 0, -1, own + n_texts))
        n_texts += n_own
    return TextColumn(texts, np.concatenate(places))


def _is_valid(utf8: Utf8) -> bool:
    """Return whether each text is UTF-8: all bytes are, and none begins inside a character."""
    data = utf8.data
    if len(data) == 0 or data.max() < 128:
        return True
    if np.any(data[utf8.begins[utf8.begins < len(data)]] & 0xC0 == 0x80):
        return False
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for begin in range(0, len(data), BLOCK):
            decoder.decode(data[begin : begin + BLOCK].tobytes())
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
