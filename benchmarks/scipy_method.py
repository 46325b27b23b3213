"""Compute F*_wo by the method of the paper's appendix, with SciPy's sparse matrices.

The product of two sparse matrices gives the table of shared counts; the rest are passes over its
stored entries. Matrices are float64 from the start, and only SciPy itself copies them.
"""

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray


def matrix_of_labels(labels: NDArray[np.int64]) -> sp.csr_array:
    """Return labels as a matrix of clusters x objects; negative labels are outliers."""
    members = np.flatnonzero(labels >= 0).astype(np.int32)
    clusters = labels[members].astype(np.int32)
    shape = (int(labels.max(initial=-1)) + 1, len(labels))
    return sp.coo_array((np.ones(len(members)), (clusters, members)), shape=shape).tocsr()


def scipy_fstar(left: sp.csr_array, right: sp.csr_array) -> float:
    """Score two clusters x objects matrices of ones; each side must have a cluster."""
    return _fstar(left, right.T, np.diff(right.indptr))


def _fstar(left: sp.csr_array, transposed: sp.csr_array, right_sizes: NDArray[np.int32]) -> float:
    n_objects = left.shape[1]
    left_sizes = np.diff(left.indptr)
    table = left @ transposed
    table.data /= (
        np.repeat(left_sizes, np.diff(table.indptr)) + right_sizes[table.indices] - table.data
    )
    to_right = table.max(axis=1).toarray().ravel() @ left_sizes / left_sizes.sum()
    to_left = table.max(axis=0).toarray().ravel() @ right_sizes / right_sizes.sum()
    left_out = np.bincount(left.indices, minlength=n_objects) == 0
    right_out = transposed.count_nonzero(axis=1) == 0
    either = np.count_nonzero(left_out | right_out)
    similarity = np.count_nonzero(left_out & right_out) / either if either else 0.0
    n_left, n_right = np.count_nonzero(left_out), np.count_nonzero(right_out)
    left_part = n_left * similarity + (n_objects - n_left) * to_right
    right_part = n_right * similarity + (n_objects - n_right) * to_left
    return float((left_part + right_part) / (2 * n_objects))


def scipy_fstar_of_labels(left: NDArray[np.int64], right: NDArray[np.int64]) -> float:
    """Score two label arrays, building the matrices included."""
    return scipy_fstar(matrix_of_labels(left), matrix_of_labels(right))


def scipy_fstar_transposed(left: NDArray[np.int64], right: NDArray[np.int64]) -> float:
    """Score two label arrays where the right matrix is made as objects x clusters at once.

    This is only possible for labels; it saves SciPy the transposition of one matrix.
    """
    inside = right >= 0
    pointers = np.concatenate(([0], np.cumsum(inside, dtype=np.int32)), dtype=np.int32)
    codes = right[inside].astype(np.int32)
    shape = (len(right), int(right.max(initial=-1)) + 1)
    transposed = sp.csr_array((np.ones(len(codes)), codes, pointers), shape=shape)
    return _fstar(matrix_of_labels(left), transposed, np.bincount(codes, minlength=shape[1]))
