"""Arrow and Feather files: object and cluster in two columns, read and written by PyArrow."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import CoverlapError, InputError, MissingDependencyError
from coverlap.core.memberships import Memberships
from coverlap.files.content import Content, drop_outliers
from coverlap.files.options import ReadOptions, WriteOptions
from coverlap.files.output import membership_columns
from coverlap.files.parts import different_columns, name_of
from coverlap.files.source import MAX_BYTES, Source, in_memory_limit
from coverlap.inputs.frames import read_frame

START = re.compile(rb"ARROW1|\xff{4}|.{2}\0\0", re.DOTALL)
"""The first bytes of the file format, of a stream, and of a stream before Arrow 0.15."""

OLD_FEATHER = re.compile(b"FEA1")
FAILURES = (OSError, ValueError, OverflowError, IndexError, MemoryError)
UNREADABLE = "no Arrow file that can be read"

MESSAGE_START = b"\xff" * 4
STREAM_END = MESSAGE_START + b"\0" * 4
"""The first bytes of each message of a stream (since Arrow 0.15), and its last message."""


def read(source: Source, options: ReadOptions) -> Content:
    """Read a membership from each row; an object with a null cluster is an outlier."""
    return read_files([source], options)


def read_files(sources: Sequence[Source], options: ReadOptions) -> Content:
    """Read files as one table, whose columns must be of the same names and types."""
    pa = import_pyarrow()
    tables = [_read_table(pa, source, options) for source in sources]
    known = columns_of(tables[0])
    for source, table in zip(sources, tables, strict=True):
        if (found := columns_of(table)) != known:
            raise different_columns(source, sources[0], known, found)
    whole = pa.concat_tables(tables)
    if options.only_objects:
        whole = whole.append_column(f"no {whole.column_names[0]}", pa.nulls(len(whole)))
    item, cluster = whole.column_names
    with reported(sources[0]):
        memberships = read_frame(
            whole, object=item, cluster=cluster,
            outlier_label=options.outlier_label, universe=None, where=name_of(sources),
        )  # fmt: skip
    title = f"Arrow, object in column {item!r} and cluster in column {cluster!r}"
    return Content(drop_outliers(memberships, options), title)


def _read_table(pa: Any, source: Source, options: ReadOptions) -> Any:
    """Return the columns of objects and clusters of one file."""
    _check_start(source)
    with source.as_path() as path, reported(source):
        table = _load(pa, path)
        chosen = options.find_columns(table.column_names, source)
        table = table.select(chosen[:1] if options.only_objects else chosen)
        _check(table)
    return pa.Table.from_arrays(table.columns, table.column_names)


def columns_of(table: Any) -> str:
    """Return the names and types of columns, for error messages."""
    return " and ".join(f"{field.name} {field.type}" for field in table.schema)


def write(memberships: Memberships, file: BinaryIO, options: WriteOptions) -> None:
    """Write the memberships, and each outlier with a null cluster."""
    columns = membership_columns(memberships, "arrow")
    write_parts([dict(zip(options.columns(), columns, strict=True))], file)


def write_parts(parts: Iterable[dict[str, NDArray[Any]]], file: BinaryIO) -> None:
    """Write columns of numbers, booleans or text, null where they are masked.

    The rows come in one part or several.
    """
    pa = import_pyarrow()
    with ExitStack() as opened:
        writer = None
        for columns in parts:
            table = _table_of(columns)
            writer = writer or opened.enter_context(pa.ipc.new_file(file, table.schema))
            writer.write_table(table)


def _table_of(columns: dict[str, NDArray[Any]]) -> Any:
    pa = import_pyarrow()
    arrays = [
        pa.array(
            np.ma.getdata(values),
            mask=np.ma.getmaskarray(values),
            type=pa.string() if values.dtype == object else None,
        )
        for values in columns.values()
    ]
    return pa.table(arrays, names=list(columns))


def column_names(source: Source, path: Path) -> list[str]:
    """Return the names of all columns."""
    pa = import_pyarrow()
    source.check_start(START, UNREADABLE)
    try:
        with pa.OSFile(str(path)) as file:
            is_file = source.peek(6) == b"ARROW1"
            opened = (pa.ipc.open_file if is_file else pa.ipc.open_stream)(file)
            return [str(name) for name in opened.schema.names]
    except (pa.ArrowException, *FAILURES) as error:
        raise InputError(f"{source}: {UNREADABLE}: {error}") from None


def _check_start(source: Source) -> None:
    if OLD_FEATHER.match(source.peek(4)):
        raise InputError(
            f"{source}: {UNREADABLE}: it is of version 1 of Feather, whose reader is not safe; "
            "write it again as version 2, as Parquet or as CSV"
        )
    source.check_start(START, UNREADABLE)


@contextmanager
def reported(source: Source) -> Iterator[None]:
    """Raise errors of PyArrow as errors about a file."""
    pa = import_pyarrow()
    try:
        yield
    except CoverlapError as error:
        if str(source) in str(error):
            raise
        raise InputError(f"{source}: {error}") from None
    except (pa.ArrowException, *FAILURES) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{source}: {UNREADABLE}: {reason}") from None


def batches(source: Source, path: Path) -> Iterator[Any]:
    """Yield the record batches of a file in Arrow's file format, or of a stream.

    A file is not mapped into memory, and one batch is held at a time.
    """
    pa = import_pyarrow()
    _check_start(source)
    with reported(source), pa.OSFile(str(path)) as file:
        start = file.read(6)
        file.seek(0)
        if start == b"ARROW1":
            opened = pa.ipc.open_file(file)
            yield pa.RecordBatch.from_pylist([], schema=opened.schema)
            for i in range(opened.num_record_batches):
                yield opened.get_batch(i)
            return
        stream = pa.ipc.open_stream(file)
        yield pa.RecordBatch.from_pylist([], schema=stream.schema)
        yield from stream
        if start.startswith(MESSAGE_START) and not _ends_properly(file):
            raise ValueError("the stream breaks off, or something follows it")


def _load(pa: Any, path: Path) -> Any:
    """Read a file in Arrow's file format, or a stream."""
    with pa.OSFile(str(path)) as file:
        start = file.read(6)
        file.seek(0)
        if start == b"ARROW1":
            return pa.ipc.open_file(file).read_all()
        table = pa.ipc.open_stream(file).read_all()
        if start.startswith(MESSAGE_START) and not _ends_properly(file):
            raise ValueError("the stream breaks off, or something follows it")
        return table


def _check(table: Any) -> None:
    """Raise an error if data is damaged, which could crash others, or expands beyond measure."""
    table.validate()
    n_bytes = table.get_total_buffer_size()
    if table.num_rows > 8 * n_bytes:  # a column of nulls takes no bytes
        raise ValueError(f"{table.num_rows:,} rows in {n_bytes:,} bytes")
    chunks = [chunk for column in table.columns for chunk in column.chunks]
    size, limit = sum(int(_lengths(chunk).sum()) for chunk in chunks), in_memory_limit()
    if size > limit:
        raise ValueError(
            f"text must take at most {limit:,} bytes of memory, but takes {size:,}; {MAX_BYTES} "
            "sets this limit"
        )
    table.validate(full=True)  # reads each text, so that it takes as long as the texts are


def _lengths(array: Any) -> NDArray[np.int64]:
    """Return the length of each text of a type in which rows can share it; 0 for other types."""
    kind = str(array.type)
    if kind.startswith("dictionary"):
        values = array.dictionary
        lengths = _lengths(values)
        if str(values.type) in {"string", "large_string"}:
            import pyarrow.compute as pc

            lengths = pc.binary_length(values).fill_null(0).to_numpy()
        places = array.indices.fill_null(len(values)).to_numpy()
        return np.asarray(np.append(lengths, 0)[places], np.int64)
    if kind in {"string_view", "binary_view"}:  # 16 bytes for each text, its length first
        views = np.frombuffer(array.buffers()[1], np.int32)[::4]
        known = array.is_valid().to_numpy(zero_copy_only=False)
        return np.where(known, views[array.offset : array.offset + len(array)], 0).astype(np.int64)
    return np.zeros(len(array), np.int64)


def _ends_properly(file: Any) -> bool:
    """Return whether the last message is at the end of the file; otherwise rows may be missing."""
    size = file.size()
    is_at_end = file.tell() == size
    file.seek(size - len(STREAM_END))
    return bool(is_at_end and file.read() == STREAM_END)


def import_pyarrow() -> Any:
    """Import PyArrow, or say how to install it."""
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingDependencyError(
            "Arrow files need pyarrow, which is not installed: pip install 'coverlap[arrow]'"
        ) from None
    return pa
