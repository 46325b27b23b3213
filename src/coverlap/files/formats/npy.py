"""NumPy's own files: an array of labels, or a SciPy sparse matrix, clusters x objects."""

import zipfile
import zlib
from io import BytesIO
from tokenize import TokenError
from typing import Any, BinaryIO

import numpy as np

from coverlap.core.errors import CoverlapError, InputError
from coverlap.core.memberships import Memberships
from coverlap.core.wording import some
from coverlap.files.options import Content, Reading, drop_outlier_cluster
from coverlap.files.source import Source
from coverlap.files.writing import Writing, refuse_named_objects, refuse_overlaps
from coverlap.inputs.labels import read_labels
from coverlap.inputs.matrices import read_matrix

FAILURES = (
    ValueError, TypeError, KeyError, EOFError, OSError, SyntaxError, OverflowError, MemoryError,
    NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error, TokenError,
    SystemError,
)  # fmt: skip
"""What NumPy, SciPy and zipfile raise over damaged files, some only when the adapters look."""


def read(source: Source, reading: Reading) -> Content:
    """Read labels from an array, or clusters from a sparse matrix; nothing is unpickled."""
    with source.as_path() as path, path.open("rb") as file:  # NumPy forgets to close broken ones
        try:
            parts, title = _read(file, source, reading)
        except CoverlapError:
            raise
        except FAILURES as error:
            raise InputError(f"{source}: no array that can be read ({error})") from None
    return Content(drop_outlier_cluster(parts, reading.outlier_cluster), title)


def _read(file: BinaryIO, source: Source, reading: Reading) -> tuple[Any, str]:
    loaded = np.load(file, allow_pickle=False)
    if isinstance(loaded, np.ndarray):
        return _read_labels(loaded, source, reading), "an array of labels"
    with loaded as arrays:
        names = arrays.files
        if {"format", "shape"} <= set(names):
            return _read_matrix(file, source), "a sparse matrix, clusters x objects"
        if len(names) != 1:
            raise InputError(
                f"{source} holds {len(names)} arrays ({some(list(names))}); a file of labels holds "
                "one, and one of clusters is written by scipy.sparse.save_npz"
            )
        return _read_labels(arrays[names[0]], source, reading), f"labels, array {names[0]!r}"


def _read_labels(array: Any, source: Source, reading: Reading) -> Any:
    if not isinstance(array, np.ndarray):
        raise InputError(f"{source} is an archive, but not of arrays")
    if array.ndim != 1:
        raise InputError(
            f"{source} holds an array of shape {array.shape}, and labels have one dimension; "
            "scipy.sparse.save_npz writes a matrix of clusters x objects"
        )
    return read_labels(array, outlier_label=reading.outlier_label, where=str(source))


def _read_matrix(file: BinaryIO, source: Source) -> Any:
    from scipy.sparse import load_npz

    file.seek(0)
    matrix = load_npz(file)
    if matrix.format in {"csr", "csc", "bsr"}:
        matrix.check_format(full_check=True)  # what is damaged must not reach compiled code
    return read_matrix(matrix.tocsr(), where=str(source))


def write(clustering: Memberships, file: BinaryIO, writing: Writing) -> None:
    """Write an integer label for each of the objects 0..n-1, or a matrix; names are not kept."""
    refuse_named_objects(clustering, "npy")
    pointers, members = clustering.runs
    numbers = np.repeat(np.arange(clustering.n_clusters), np.diff(pointers))
    objects = clustering.ids()[members]
    if writing.as_matrix:
        from scipy.sparse import csr_array, save_npz

        shape = (clustering.n_clusters, clustering.n_objects)
        matrix = csr_array((np.ones(len(objects), bool), (numbers, objects)), shape=shape)
        archive = BytesIO()  # to write one needs to go back, which a compressed file cannot
        save_npz(archive, matrix)
        file.write(archive.getbuffer())
        return
    refuse_overlaps(clustering, "npy")
    labels = np.full(clustering.n_objects, -1)
    labels[objects] = numbers
    np.save(file, labels, allow_pickle=False)
