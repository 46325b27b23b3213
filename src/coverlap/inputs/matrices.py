"""Read membership matrices: sparse or dense, clusters x objects or objects x clusters."""

from typing import Any

import numpy as np

from coverlap.core.checks import check_option
from coverlap.core.errors import InputError, InputTypeError
from coverlap.core.incidence import Runs, are_sorted, frozen
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects


def read_matrix(
    matrix: Any, *, rows: str = "clusters", where: str = "matrix", borrow: bool = False
) -> Memberships:
    """Read a membership matrix: every nonzero value is a membership."""
    check_option("rows", rows, ("clusters", "objects"))
    if not is_sparse(matrix):
        return _read_dense(matrix, rows, where)
    if matrix.ndim != 2:
        raise InputTypeError(f"{where} must have two dimensions, not {matrix.ndim}")
    if matrix.format != "csr":
        matrix = matrix.astype(bool)  # tocsr would add up repeated entries, perhaps to 0
    csr = (matrix if rows == "clusters" else matrix.T).tocsr()
    if not _is_canonical(csr):
        csr = _canonical(csr, where)
        borrow = True
    if not csr.data.all():
        csr = csr.copy()
        csr.eliminate_zeros()
        borrow = True
    if not borrow:
        csr = csr.copy()
    runs = Runs(frozen(csr.indptr.astype(np.int64)), frozen(csr.indices[: csr.nnz]))
    return Memberships(runs, Objects(csr.shape[1]))


def _is_canonical(csr: Any) -> bool:
    pointers, members = csr.indptr, csr.indices
    sound = pointers[0] == 0 and pointers[-1] <= len(members) and np.all(np.diff(pointers) >= 0)
    runs = Runs(frozen(pointers.astype(np.int64)), frozen(members))
    return bool(sound) and are_sorted(runs, csr.shape[1])


def _canonical(csr: Any, where: str) -> Any:
    """Return a copy with sorted, distinct indices; raise an error if the matrix is broken."""
    try:
        csr.check_format(full_check=True)
    except ValueError as error:
        raise InputError(f"{where} is a broken sparse matrix: {error}") from None
    csr = csr.astype(bool)
    csr.sum_duplicates()
    return csr


def is_sparse(value: object) -> bool:
    """Return whether a value is a SciPy sparse matrix or array, without importing SciPy."""
    modules = (base.__module__ for base in type(value).__mro__)
    return hasattr(value, "tocsr") and any(name.startswith("scipy.sparse") for name in modules)


def _read_dense(matrix: Any, rows: str, where: str) -> Memberships:
    if not isinstance(matrix, np.ndarray) or matrix.ndim != 2:
        shape = f" of {matrix.ndim} dimensions" if isinstance(matrix, np.ndarray) else ""
        raise InputTypeError(
            f"{where} must be a sparse or dense matrix, not {type(matrix).__name__}{shape}"
        )
    clusters, members = np.nonzero(matrix if rows == "clusters" else matrix.T)
    n_clusters, n_objects = matrix.shape if rows == "clusters" else matrix.shape[::-1]
    sizes = np.bincount(clusters, minlength=n_clusters)
    pointers = np.concatenate(([0], np.cumsum(sizes)))
    return Memberships(Runs(frozen(pointers), frozen(members)), Objects(n_objects))
