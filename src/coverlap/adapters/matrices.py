"""Membership matrices: sparse or dense, clusters x objects or the other way round."""

from typing import Any

import numpy as np

from coverlap.adapters.parts import Parts
from coverlap.errors import InputTypeError, check_option
from coverlap.incidence import Runs, are_sorted, frozen
from coverlap.objects import Objects


def read_matrix(
    matrix: Any, *, rows: str = "clusters", where: str = "matrix", borrow: bool = False
) -> Parts:
    """Read a membership matrix: whatever is not zero is a membership."""
    check_option("rows", rows, ("clusters", "objects"))
    if not is_sparse(matrix):
        return _read_dense(matrix, rows, where)
    if matrix.ndim != 2:
        raise InputTypeError(f"{where} must have two dimensions, not {matrix.ndim}")
    csr = (matrix if rows == "clusters" else matrix.T).tocsr()
    pointers, members = frozen(csr.indptr.astype(np.int64)), frozen(csr.indices)
    if not are_sorted(Runs(pointers, members)):
        csr = csr.copy()
        csr.sum_duplicates()
        borrow = True
    if not csr.data.all():
        csr = csr.copy()
        csr.eliminate_zeros()
        borrow = True
    if not borrow:
        csr = csr.copy()
    runs = Runs(frozen(csr.indptr.astype(np.int64)), frozen(csr.indices[: csr.nnz]))
    return Parts(runs, Objects(csr.shape[1]))


def is_sparse(value: object) -> bool:
    """Tell a SciPy sparse matrix or array without importing SciPy."""
    return any(base.__module__.startswith("scipy.sparse") for base in type(value).__mro__)


def _read_dense(matrix: Any, rows: str, where: str) -> Parts:
    if not isinstance(matrix, np.ndarray) or matrix.ndim != 2:
        shape = f" of {matrix.ndim} dimensions" if isinstance(matrix, np.ndarray) else ""
        raise InputTypeError(
            f"{where} must be a sparse or dense matrix, not {type(matrix).__name__}{shape}"
        )
    clusters, members = np.nonzero(matrix if rows == "clusters" else matrix.T)
    n_clusters, n_objects = matrix.shape if rows == "clusters" else matrix.shape[::-1]
    sizes = np.bincount(clusters, minlength=n_clusters)
    pointers = np.concatenate(([0], np.cumsum(sizes)))
    return Parts(Runs(frozen(pointers), frozen(members)), Objects(n_objects))
