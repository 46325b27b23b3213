"""Read membership matrices: sparse or dense, clusters x objects or objects x clusters."""

from itertools import chain
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.checks import check_option
from coverlap.core.errors import InputError, InputTypeError, OptionError
from coverlap.core.incidence import Runs, are_sorted, frozen
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.inputs.weights import MemberTest, check_threshold, member_test

NUMBERS = "biufc"
"""The kinds of NumPy types that entries of a matrix may have."""


def read_matrix(
    matrix: Any,
    *,
    rows: str | None = "clusters",
    threshold: float | None = None,
    where: str = "matrix",
    hint: str = 'Clustering.from_matrix(m, rows="objects", threshold=0.5)',
    borrow: bool = False,
) -> Memberships:
    """Read a membership matrix: ones are memberships, or all values that reach a threshold."""
    threshold = check_threshold(threshold)
    rows = _choose_rows(matrix, rows, threshold)
    are_members = member_test(threshold, where, hint)
    if not is_sparse(matrix):
        return _read_dense(matrix, rows, are_members, where)
    if matrix.ndim != 2:
        raise InputTypeError(f"{where} must have two dimensions, not {matrix.ndim}")
    in_order = matrix.format == "csr" and rows == "clusters" and _is_in_order(matrix)
    if not in_order and (problem := _problem(matrix)):
        raise InputError(f"{where} is a broken sparse matrix: {problem}")
    if threshold is not None:
        matrix, in_order, has_zeros = _summed(matrix, are_members), False, True
    else:
        has_zeros = not are_members(_stored_values(matrix)).all()
    if matrix.format != "csr":
        matrix = matrix.astype(bool)  # tocsr would add up repeated entries, perhaps to 0
    csr, names = _as_csr(matrix if rows == "clusters" else matrix.T)
    if not in_order and not are_sorted(Runs(_pointers(csr), _members(csr)), csr.shape[1]):
        csr = csr.astype(bool)
        csr.sum_duplicates()
        borrow = True
    if has_zeros and not csr.data[: csr.nnz].all():
        csr = csr.copy()
        csr.eliminate_zeros()
        borrow = True
    if not borrow:
        csr = csr.copy()
    runs = Runs(_pointers(csr), _members(csr))
    n_dropped = 0 if names is None else matrix.shape[rows == "objects"] - len(names)
    return Memberships(runs, Objects(csr.shape[1]), names, n_dropped)


def _choose_rows(matrix: Any, rows: str | None, threshold: float | None) -> str:
    if rows is None and threshold is not None and not is_sparse(matrix):
        raise OptionError(
            'say rows="objects" if each row of the matrix is an object with its clusters, or '
            'rows="clusters" if each row is a cluster'
        )
    rows = "clusters" if rows is None else rows
    check_option("rows", rows, ("clusters", "objects"))
    return rows


def _summed(matrix: Any, are_members: MemberTest) -> Any:
    """Add up repeated entries, and return which sums are memberships as a sparse matrix."""
    entries = matrix.tocoo(copy=True)
    if entries.dtype.kind in "biu":
        entries = entries.astype(np.float64)  # integers could overflow
    with np.errstate(over="ignore", invalid="ignore"):
        entries.sum_duplicates()
    entries.data = are_members(entries.data)
    return entries


def _stored_values(matrix: Any) -> NDArray[Any]:
    is_flat = matrix.format in ("csr", "csc", "bsr", "coo")
    return np.asarray(matrix.data.ravel()[: matrix.nnz] if is_flat else matrix.tocoo().data)


def _pointers(csr: Any) -> NDArray[np.int64]:
    return frozen(csr.indptr.astype(np.int64))


def _members(csr: Any) -> NDArray[Any]:
    members = csr.indices[: csr.nnz]
    return frozen(members if members.dtype in (np.int32, np.int64) else members.astype(np.int64))


def _as_csr(matrix: Any) -> tuple[Any, NDArray[np.int64] | None]:
    """Convert a matrix to CSR; return it and the numbers of its rows, None if all are there.

    If there are far more rows than entries, only rows with entries are kept.
    """
    n_rows = matrix.shape[0]  # nnz of far diagonals overflows in old versions of SciPy
    if matrix.format == "csr" or n_rows <= 2**20 or n_rows <= 8 * matrix.nnz + 2**20:
        return matrix.tocsr(), None
    entries = matrix.tocoo()
    names, numbers = np.unique(entries.row, return_inverse=True)
    shape = (len(names), matrix.shape[1])
    return type(entries)((entries.data, (numbers, entries.col)), shape=shape).tocsr(), names


def _is_in_order(csr: Any) -> bool:
    """Return whether a CSR matrix is not broken, and its indices are sorted and distinct."""
    if _check_pointers(csr, csr.shape[0]) or _check_values(csr.data, 1):
        return False
    return are_sorted(Runs(_pointers(csr), _members(csr)), csr.shape[1])


def _problem(matrix: Any) -> str:
    """Return what is wrong with the arrays of a sparse matrix, '' if nothing is.

    SciPy does not check them when it converts a matrix, and may crash.
    """
    try:
        return _CHECKS[matrix.format](matrix)
    except (TypeError, ValueError, AttributeError, IndexError, KeyError, OverflowError) as error:
        return f"its arrays do not have the types of its format ({error})"


def _check_csr(matrix: Any) -> str:
    return _check_compressed(matrix, *matrix.shape) or _check_values(matrix.data, 1)


def _check_csc(matrix: Any) -> str:
    return _check_compressed(matrix, *matrix.shape[::-1]) or _check_values(matrix.data, 1)


def _check_bsr(matrix: Any) -> str:
    if problem := _check_values(matrix.data, 3):
        return problem
    height, width = matrix.data.shape[1:]
    if 0 in (height, width) or matrix.shape[0] % height or matrix.shape[1] % width:
        return f"blocks of {height} x {width} do not fill it"
    return _check_compressed(matrix, matrix.shape[0] // height, matrix.shape[1] // width)


def _check_compressed(matrix: Any, n_runs: int, n_indices: int) -> str:
    return _check_pointers(matrix, n_runs) or _check_indices(
        matrix.indices[: matrix.indptr[-1]], n_indices
    )


def _check_pointers(matrix: Any, n_runs: int) -> str:
    pointers, indices = matrix.indptr, matrix.indices
    for array, name in ((pointers, "indptr"), (indices, "indices")):
        if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype.kind not in "iu":
            return f"{name} must be an array of integers of one dimension"
    if len(pointers) != n_runs + 1:
        return f"indptr has {len(pointers):,} items instead of {n_runs + 1:,}"
    if pointers[0] != 0 or np.any(pointers[1:] < pointers[:-1]):
        return "indptr must begin with 0 and must not decrease"
    if pointers[-1] > min(len(indices), len(matrix.data)):
        return (
            f"indptr ends with {pointers[-1]:,}, but there are {len(indices):,} indices and "
            f"{len(matrix.data):,} values"
        )
    return ""


def _check_indices(indices: NDArray[Any], bound: int) -> str:
    if indices.dtype.kind not in "iu" and len(indices):
        return "an index must be an integer"
    if len(indices) and not 0 <= indices.min() <= indices.max() < bound:
        return f"an index must be from 0 to {bound - 1:,}"
    return ""


def _check_values(values: Any, ndim: int) -> str:
    if not isinstance(values, np.ndarray) or values.ndim != ndim:
        return f"data must be an array of {ndim} dimensions"
    return "" if values.dtype.kind in NUMBERS else f"data must be numbers, not {values.dtype}"


def _check_coo(matrix: Any) -> str:
    row, column, data = matrix.row, matrix.col, matrix.data
    if not len(row) == len(column) == len(data):
        return f"{len(row):,} rows, {len(column):,} columns and {len(data):,} values"
    return _check_entries(matrix, row, column) or _check_values(data, 1)


def _check_lil(matrix: Any) -> str:
    lengths = [len(row) for row in matrix.rows]
    if len(lengths) != matrix.shape[0] or lengths != [len(row) for row in matrix.data]:
        return "a row has a different number of indices and values"
    columns = np.array(list(chain.from_iterable(matrix.rows)))
    values = np.array(list(chain.from_iterable(matrix.data)))
    return _check_indices(columns, matrix.shape[1]) or _check_values(values, 1)


def _check_dok(matrix: Any) -> str:
    entries = np.array(list(matrix.keys())).reshape(-1, 2)
    values = np.array(list(matrix.values()))
    return _check_entries(matrix, entries[:, 0], entries[:, 1]) or _check_values(values, 1)


def _check_dia(matrix: Any) -> str:
    offsets = matrix.offsets
    if offsets.dtype.kind != "i" or len(np.unique(offsets)) != len(matrix.data):
        return "offsets must be distinct integers, one for each row of data"
    return _check_values(matrix.data, 2)


def _check_entries(matrix: Any, row: NDArray[Any], column: NDArray[Any]) -> str:
    return _check_indices(row, matrix.shape[0]) or _check_indices(column, matrix.shape[1])


_CHECKS = {
    "csr": _check_csr, "csc": _check_csc, "bsr": _check_bsr, "coo": _check_coo,
    "lil": _check_lil, "dok": _check_dok, "dia": _check_dia,
}  # fmt: skip
"""For each format, the function that returns what is wrong with a matrix."""


def is_sparse(value: object) -> bool:
    """Return whether a value is a SciPy sparse matrix or array, without importing SciPy."""
    modules = (base.__module__ for base in type(value).__mro__)
    return hasattr(value, "tocsr") and any(name.startswith("scipy.sparse") for name in modules)


def _read_dense(matrix: Any, rows: str, are_members: MemberTest, where: str) -> Memberships:
    if not isinstance(matrix, np.ndarray) or matrix.ndim != 2:
        shape = f" of {matrix.ndim} dimensions" if isinstance(matrix, np.ndarray) else ""
        raise InputTypeError(
            f"{where} must be a sparse or dense matrix, not {type(matrix).__name__}{shape}"
        )
    values = np.asarray(np.ma.filled(matrix, 0))
    if values.dtype.kind not in NUMBERS and not (
        values.dtype == object and all(isinstance(x, Number) for x in values.flat)
    ):
        raise InputTypeError(f"{where} must be a matrix of numbers, not of {matrix.dtype}")
    there = are_members(values)
    clusters, members = np.nonzero(there if rows == "clusters" else there.T)
    n_clusters, n_objects = matrix.shape if rows == "clusters" else matrix.shape[::-1]
    sizes = np.bincount(clusters, minlength=n_clusters)
    pointers = np.concatenate(([0], np.cumsum(sizes)))
    return Memberships(Runs(frozen(pointers), frozen(members)), Objects(n_objects))
