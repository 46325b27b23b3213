"""NumPy files: an array of labels, or a SciPy sparse matrix of clusters x objects."""

import io
import re
import zipfile
import zlib
from tokenize import TokenError
from typing import Any, BinaryIO

import numpy as np

from coverlap.core.errors import CoverlapError, InputError, OptionError
from coverlap.core.memberships import Memberships
from coverlap.core.wording import shown, some
from coverlap.files.content import Content, drop_outliers
from coverlap.files.options import ReadOptions, WriteOptions
from coverlap.files.output import reject_named_objects, reject_overlaps
from coverlap.files.source import MAX_BYTES, Source, in_memory_limit
from coverlap.inputs.labels import read_labels
from coverlap.inputs.matrices import read_matrix

FAILURES = (
    ValueError, TypeError, KeyError, EOFError, OSError, SyntaxError, OverflowError, MemoryError,
    NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error, TokenError,
    SystemError, AttributeError,
)  # fmt: skip
"""What NumPy, SciPy and zipfile raise for damaged files, some of them only on access."""


START = re.compile(rb"\x93NUMPY|PK[\x03\x05]")
UNREADABLE = "no array that can be read"
HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
"""Version 3.0 is only for structured arrays, which are no labels."""

MANY = 10**8
"""A matrix may have this many rows and columns, however small its file is."""


def read(source: Source, options: ReadOptions) -> Content:
    """Read labels from an array, or clusters from a sparse matrix; nothing is unpickled."""
    source.check_start(START, UNREADABLE)
    with source.as_path() as path, path.open("rb") as file:  # NumPy does not close damaged files
        try:
            memberships, title = _read(file, source, options)
        except CoverlapError:
            raise
        except FAILURES as error:
            reason = str(error) or type(error).__name__
            raise InputError(f"{source}: {UNREADABLE} ({reason})") from None
    return Content(drop_outliers(memberships, options), title)


def _read(file: BinaryIO, source: Source, options: ReadOptions) -> tuple[Memberships, str]:
    if file.read(1) == b"\x93":
        file.seek(0)
        _check_shape(file, source)
    file.seek(0)
    loaded = np.load(file, allow_pickle=False)
    if isinstance(loaded, np.ndarray):
        return _read_labels(loaded, source, options), "an array of labels"
    with loaded as arrays:
        _check_sizes(arrays.zip, source)
        for entry in arrays.zip.namelist():
            with arrays.zip.open(entry) as array:
                if array.peek(6).startswith(b"\x93NUMPY"):
                    _check_shape(array, source)
        names = arrays.files
        if {"format", "shape"} <= set(names):
            _check_matrix(arrays, file, source)
            title = "a sparse matrix, clusters x objects"
            return _read_matrix(file, source, options), title
        if len(names) != 1:
            raise InputError(
                f"{source} holds {len(names)} arrays ({some(list(names))}); a file of labels holds "
                "one, and one of clusters is written by scipy.sparse.save_npz"
            )
        return _read_labels(arrays[names[0]], source, options), f"labels, array {names[0]!r}"


def _check_shape(file: Any, source: Source) -> None:
    """Reject a negative length, which NumPy before 2.4 reads as 'all that follows'."""
    version = np.lib.format.read_magic(file)
    if version not in HEADERS:
        raise InputError(f"{source}: {UNREADABLE} (version {version[0]}.{version[1]})")
    shape, _, _ = HEADERS[version](file)
    if any(length < 0 for length in shape):
        raise InputError(f"{source}: {UNREADABLE} (its shape is {shape})")


def _check_sizes(archive: zipfile.ZipFile, source: Source) -> None:
    """Reject an archive that expands to more than the memory holds."""
    size, limit = sum(entry.file_size for entry in archive.infolist()), in_memory_limit()
    if size > limit:
        raise InputError(
            f"{source}: the arrays must have at most {limit:,} bytes, since they are held in "
            f"memory, but have {size:,}; {MAX_BYTES} sets this limit"
        )


def _check_matrix(arrays: Any, file: BinaryIO, source: Source) -> None:
    """Reject a matrix without a format, or with more rows or columns than its file is good for."""
    if arrays["format"].dtype.kind not in "SU":
        raise InputError(f"{source}: format must be text, not {shown(arrays['format'].tolist())}")
    limit = max(MANY, 1000 * file.seek(0, io.SEEK_END))
    shape = arrays["shape"].ravel().tolist()
    if any(size > limit for size in shape):
        raise InputError(
            f"{source}: a matrix must have at most {limit:,} rows and columns in a file of this "
            f"size, but its shape is {shown(shape)}"
        )


def _read_labels(array: Any, source: Source, options: ReadOptions) -> Memberships:
    if not isinstance(array, np.ndarray):
        raise InputError(f"{source} is an archive, but not of arrays")
    if array.ndim != 1:
        raise InputError(
            f"{source} holds an array of shape {array.shape}, and labels have one dimension; "
            "scipy.sparse.save_npz writes a matrix of clusters x objects"
        )
    if options.threshold is not None:
        raise OptionError(f"threshold means nothing for {source}, which holds labels")
    if array.dtype.itemsize == 0 and array.size:
        raise InputError(f"{source}: {UNREADABLE} ({array.size:,} labels of no bytes)")
    return read_labels(array, outlier_label=options.outlier_label, where=str(source))


def _read_matrix(file: BinaryIO, source: Source, options: ReadOptions) -> Memberships:
    from scipy.sparse import load_npz

    file.seek(0)
    matrix = load_npz(file)
    if matrix.dtype.kind not in "biufc":
        raise InputError(f"{source} holds a sparse matrix of {matrix.dtype}, not of numbers")
    if matrix.format in {"csr", "csc", "bsr"}:
        matrix.check_format(full_check=True)  # damaged data could crash compiled code
    return read_matrix(
        matrix, threshold=options.threshold, where=str(source),
        hint="threshold=0.5 (--threshold 0.5)",
    )  # fmt: skip


def write(memberships: Memberships, file: BinaryIO, options: WriteOptions) -> None:
    """Write an integer label for each of the objects 0..n-1, or a matrix; names are not kept."""
    reject_named_objects(memberships, "npy")
    runs = memberships.runs
    clusters = np.repeat(np.arange(memberships.n_clusters), np.diff(runs.pointers))
    objects = memberships.ids()[runs.members]
    if options.as_matrix:
        from scipy.sparse import csr_array, save_npz

        shape = (memberships.n_clusters, memberships.n_objects)
        matrix = csr_array((np.ones(len(objects), bool), (clusters, objects)), shape=shape)
        archive = io.BytesIO()  # save_npz needs a file that can seek, and a compressed one cannot
        save_npz(archive, matrix)
        file.write(archive.getbuffer())
        return
    reject_overlaps(memberships, "npy")
    labels = np.full(memberships.n_objects, -1)
    labels[objects] = clusters
    np.save(file, labels, allow_pickle=False)
