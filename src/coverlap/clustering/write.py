"""Writing clusterings to files."""

import bz2
import gzip
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, cast
from uuid import uuid4

from coverlap.clustering.clustering import Clustering
from coverlap.core.errors import FileError, InputTypeError, OptionError
from coverlap.core.wording import shown
from coverlap.files.detect import AUTO
from coverlap.files.options import WriteOptions, check_delimiter
from coverlap.files.output import check_encodable
from coverlap.files.registry import FORMATS, Format, format_named, format_of_name
from coverlap.files.source import Source, opening, zstd_module
from coverlap.files.text.split import delimiter_of_name

WRITABLE = tuple(entry.name for entry in FORMATS.values() if entry.writable)


def write_clustering(
    clustering: Clustering,
    path: str | Path,
    format: str = AUTO,
    *,
    object: str | None = None,
    cluster: str | None = None,
    delimiter: str | None = None,
    outliers: bool = True,
) -> None:
    """Write a clustering to a file.

    An error is raised if reading the file would not give the same clustering: if the format
    cannot hold the objects, the outliers or the overlaps, or if names would be misread.

    Parameters
    ----------
    clustering : Clustering
    path : str or Path
        A file, or ``"-"`` for standard output. A name that ends in ``.gz``, ``.bz2`` or ``.zst``
        is compressed.
    format : str
        One of ``cluster-lines``, ``object-lines``, ``pairs``, ``labels``, ``json``, ``parquet``,
        ``arrow`` and ``npy``, as in `read_clustering`; by default the suffix of the file's name
        decides. A name that ends in ``.npz`` gives a sparse matrix.
    object, cluster : str, optional
        The names of the columns; by default ``object`` and ``cluster``.
    delimiter : str, optional
        The character between fields; by default a tab between members, and a comma (in ``.tsv``
        a tab) between columns.
    outliers : bool
        Whether to write the outliers.

    Examples
    --------
    >>> from pathlib import Path
    >>> import coverlap as cv
    >>> clustering = cv.Clustering.from_clusters({"x": ["ann", "bob"], "y": ["bob"]})
    >>> cv.write_clustering(clustering, "clubs.csv")
    >>> print(Path("clubs.csv").read_text())
    object,cluster
    ann,x
    bob,x
    bob,y
    <BLANKLINE>
    """
    if not isinstance(clustering, Clustering):
        raise InputTypeError(
            f"clustering must be a Clustering, not {type(clustering).__name__}; "
            "coverlap.as_clustering makes one"
        )
    target = Source(path)
    form = _format(target, format)
    if delimiter is None and form.name == "pairs":
        delimiter = delimiter_of_name(target.name)
    options = WriteOptions(object, cluster, delimiter, target.name.endswith(".npz"))
    _check_options(form, options)
    memberships = clustering.memberships
    if not outliers:
        memberships = memberships.without_outliers()
    with open_target(target) as file:
        form.write(memberships, file, options)


def _format(target: Source, format: str) -> Format:
    if not isinstance(format, str):
        raise OptionError(f"format must be a str, not {shown(format)}")
    form = format_of_name(target.name) if format == AUTO else format_named(format)
    if form is None:
        raise OptionError(
            f"{target}: the name does not tell the format; say format= (--to): "
            f"{', '.join(WRITABLE)}"
        )
    if not form.writable:
        raise OptionError(
            f"format {form.name!r} can only be read; {', '.join(WRITABLE)} can be written"
        )
    return form


def _check_options(form: Format, options: WriteOptions) -> None:
    for name in ("object", "cluster", "delimiter"):
        if getattr(options, name) is not None and name not in form.options:
            raise OptionError(f"{name} means nothing in the format {form.name!r}")
    for column in (options.object, options.cluster):
        if column is not None and (not isinstance(column, str) or not column):
            raise OptionError(f"a column must have a name, not {shown(column)}")
        check_encodable([column] if column else [], "name of a column")
    check_delimiter(options.delimiter)


@contextmanager
def open_target(target: Source) -> Iterator[BinaryIO]:
    """Open a file for writing; it gets its name only when it is complete and on the disk."""
    if target.path is None:
        file = getattr(sys.stdout, "buffer", None)
        if file is None:
            raise FileError("standard output is closed, or takes no bytes")
        yield file
        file.flush()
        return
    with opening(target):
        path = target.path.resolve()
    try:
        if path.exists() and not path.is_file():  # a device or a pipe
            with path.open("wb") as file:
                yield file
            return
        with _temporary(path) as part, part.open("wb") as raw:
            with _compressor(raw, target.compression) as file:
                yield file
            raw.flush()
            os.fsync(raw.fileno())
    except OSError as error:
        raise FileError(f"{target}: {error.strerror or error}") from None


@contextmanager
def _temporary(path: Path) -> Iterator[Path]:
    """Yield the path of a new file in the same folder, and rename the file at the end."""
    part = path.with_name(f".{uuid4().hex}.part")
    try:
        yield part
        if path.exists():
            part.chmod(path.stat().st_mode)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _compressor(raw: BinaryIO, compression: str) -> AbstractContextManager[Any]:
    if compression == ".gz":
        return gzip.GzipFile("", "wb", fileobj=raw, compresslevel=6, mtime=0)
    if compression == ".bz2":
        return bz2.BZ2File(raw, "wb")
    if compression == ".zst":
        zstd = zstd_module()
        parameters = {zstd.CompressionParameter.checksum_flag: 1}
        return cast("AbstractContextManager[Any]", zstd.ZstdFile(raw, "wb", options=parameters))
    return nullcontext(raw)
