"""Arrow and Feather files: object and cluster in two columns, read and written by PyArrow."""

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from coverlap.core.errors import CoverlapError, InputError, MissingDependencyError
from coverlap.core.memberships import Memberships
from coverlap.files.formats.parquet import find_columns
from coverlap.files.options import Content, Reading, drop_outlier_cluster, drop_outlier_labels
from coverlap.files.source import Source
from coverlap.files.writing import Writing, membership_columns
from coverlap.inputs.frames import read_frame

CONTINUES = b"\xff" * 4
STREAM_END = CONTINUES + b"\0" * 4
"""How messages of a stream begin (since Arrow 0.15), and the last one."""


def read(source: Source, reading: Reading) -> Content:
    """Read a membership from each row; one with a null cluster makes an outlier."""
    pa = _pyarrow()
    with source.as_path() as path:
        try:
            table = _load(pa, path)
            item, cluster = find_columns(source, table.column_names, reading)
            table = table.select([item, cluster])
            table.validate(full=True)  # what is damaged must not be looked at
        except CoverlapError:
            raise
        except (pa.ArrowException, OSError, ValueError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise InputError(f"{source}: no Arrow file that can be read: {reason}") from None
    parts = read_frame(
        table, object=item, cluster=cluster,
        outlier_label=reading.outlier_label, universe=None, where=str(source),
    )  # fmt: skip
    title = f"Arrow, object in column {item!r} and cluster in column {cluster!r}"
    parts = drop_outlier_cluster(drop_outlier_labels(parts, reading), reading.outlier_cluster)
    return Content(parts, title)


def write(clustering: Memberships, file: BinaryIO, writing: Writing) -> None:
    """Write the memberships, and each outlier with a null cluster."""
    pa = _pyarrow()
    objects, clusters = membership_columns(clustering, "arrow")
    names = writing.columns()
    columns = [
        pa.array(objects, type=_type(pa, objects)),
        pa.array(clusters.data, mask=np.ma.getmaskarray(clusters), type=_type(pa, clusters)),
    ]
    table = pa.table(columns, names=list(names))
    with pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def _load(pa: Any, path: Path) -> Any:
    """Read the file format, or the stream format if it is that."""
    with pa.OSFile(str(path)) as file:
        start = file.read(6)
        file.seek(0)
        if start == b"ARROW1":
            return pa.ipc.open_file(file).read_all()
        if start.startswith(b"FEA1"):
            from pyarrow import feather

            return feather.read_table(str(path))
        table = pa.ipc.open_stream(file).read_all()
        if start.startswith(CONTINUES) and not _ends_here(file):
            raise ValueError("the stream breaks off, or something follows it")
        return table


def _ends_here(file: Any) -> bool:
    """Tell whether a stream was ended where its file ends: without that rows may be missing."""
    size = file.size()
    at_end = file.tell() == size
    file.seek(size - len(STREAM_END))
    return bool(at_end and file.read() == STREAM_END)


def _type(pa: Any, column: Any) -> Any:
    return pa.string() if column.dtype == object else pa.int64()


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingDependencyError(
            "Arrow files need pyarrow, which is not installed: pip install 'coverlap[arrow]'"
        ) from None
    return pa
