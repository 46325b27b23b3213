"""NumPy files: an array of labels, or a SciPy sparse matrix of clusters x objects."""

import zipfile
import zlib
from io import BytesIO
from tokenize import TokenError
from typing import Any, BinaryIO

import numpy as np

from coverlap.core.errors import CoverlapError, InputError
from coverlap.core.memberships import Memberships
from coverlap.core.wording import some
from coverlap.files.content import Content, drop_outliers
from coverlap.files.options import ReadOptions, WriteOptions
from coverlap.files.output import reject_named_objects, reject_overlaps
from coverlap.files.source import Source
from coverlap.inputs.labels import read_labels
from coverlap.inputs.matrices import read_matrix

FAILURES = (
    ValueError, TypeError, KeyError, EOFError, OSError, SyntaxError, OverflowError, MemoryError,
    NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error, TokenError,
    SystemError,
)  # fmt: skip
"""What NumPy, SciPy and zipfile raise for damaged files, some of them only on access."""


def read(source: Source, options: ReadOptions) -> Content:
    """Read labels from an array, or clusters from a sparse matrix; nothing is unpickled."""
    with source.as_path() as path, path.open("rb") as file:  # NumPy does not close damaged files
        try:
            memberships, title = _read(file, source, options)
        except CoverlapError:
            raise
        except FAILURES as error:
            raise InputError(f"{source}: no array that can be read ({error})") from None
    return Content(drop_outliers(memberships, options), title)


def _read(file: BinaryIO, source: Source, options: ReadOptions) -> tuple[Memberships, str]:
    loaded = np.load(file, allow_pickle=False)
    if isinstance(loaded, np.ndarray):
        return _read_labels(loaded, source, options), "an array of labels"
    with loaded as arrays:
        names = arrays.files
        if {"format", "shape"} <= set(names):
            return _read_matrix(file, source), "a sparse matrix, clusters x objects"
        if len(names) != 1:
            raise InputError(
                f"{source} holds {len(names)} arrays ({some(list(names))}); a file of labels holds "
                "one, and one of clusters is written by scipy.sparse.save_npz"
            )
        return _read_labels(arrays[names[0]], source, options), f"labels, array {names[0]!r}"


def _read_labels(array: Any, source: Source, options: ReadOptions) -> Memberships:
    if not isinstance(array, np.ndarray):
        raise InputError(f"{source} is an archive, but not of arrays")
    if array.ndim != 1:
        raise InputError(
            f"{source} holds an array of shape {array.shape}, and labels have one dimension; "
            "scipy.sparse.save_npz writes a matrix of clusters x objects"
        )
    return read_labels(array, outlier_label=options.outlier_label, where=str(source))


def _read_matrix(file: BinaryIO, source: Source) -> Memberships:
    from scipy.sparse import load_npz

    file.seek(0)
    matrix = load_npz(file)
    if matrix.dtype.kind not in "biufc":
        raise InputError(f"{source} holds a sparse matrix of {matrix.dtype}, not of numbers")
    if matrix.format in {"csr", "csc", "bsr"}:
        matrix.check_format(full_check=True)  # damaged data could crash compiled code
    return read_matrix(matrix.tocsr(), where=str(source))


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
        archive = BytesIO()  # save_npz needs a file that can seek, and a compressed one cannot
        save_npz(archive, matrix)
        file.write(archive.getbuffer())
        return
    reject_overlaps(memberships, "npy")
    labels = np.full(memberships.n_objects, -1)
    labels[objects] = clusters
    np.save(file, labels, allow_pickle=False)
