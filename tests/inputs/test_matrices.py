"""Sparse matrices of every format: broken ones are rejected, and empty space costs no memory."""

import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

from coverlap import Clustering, InputError, as_clustering, fstar_score, pairwise, scores
from tests import naive

FORMATS = ["csr", "csc", "bsr", "coo", "lil", "dok", "dia"]
DENSE = np.array([[1, 0, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]])


def made(form, kind):
    return getattr(sparse, f"csr_{kind}")(DENSE).asformat(form)


BREAK = [
    "m.indices[0] = 10**6", "m.indices[0] = -5", "m.indices = m.indices.astype(float)",
    "m.indices = m.indices[:1]", "m.indptr[1] = -7", "m.indptr[0] = 1", "m.indptr[-1] = 10**6",
    "m.indptr = m.indptr[:2]", "m.data = m.data[:1]", "m.data = m.data.astype(str)",
]  # fmt: skip
BROKEN = [
    *((form, code) for form in ("csr", "csc", "bsr") for code in BREAK),
    ("coo", "m.row[0] = 10**6"),
    ("coo", "m.col[0] = -1"),
    ("coo", "m.data = m.data[:1]"),
    ("lil", "m.rows[0] = [10**6]; m.data[0] = [1]"),
    ("lil", "m.rows[0] = [0, 1, 2]; m.data[0] = [1]"),
    ("lil", "m.rows[0] = ['a']; m.data[0] = [1]"),
    ("lil", "m.rows[0] = None"),
    ("dok", "m._dict[100, 100] = 1"),
    ("dok", "m._dict[100] = 1"),
    ("dia", "m.offsets = m.offsets[:1]"),
    ("dia", "m.offsets = m.offsets * 0"),
]

ONE_CASE = """
import sys
from coverlap import Clustering, InputError, fstar_score
from tests.inputs.test_matrices import BROKEN, DENSE, made
for form, code in BROKEN:
    for kind in ("matrix", "array"):
        for read in (Clustering.from_matrix, lambda m: Clustering.from_matrix(m, rows="objects"),
                     lambda m: fstar_score(m, m)):
            m = made(form, kind)
            exec(code)
            try:
                read(m)
            except InputError as error:
                assert "broken sparse matrix" in str(error), (form, code, error)
            else:
                raise AssertionError((form, code, kind))
print("all rejected")
"""


def test_broken_matrices_of_every_format_are_rejected():
    # In a child process, which SciPy can crash.
    command = [sys.executable, "-c", ONE_CASE]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout) == (0, "all rejected\n"), done.stderr[-500:]


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint64, np.float32, float, complex])
@pytest.mark.parametrize("kind", ["matrix", "array"])
@pytest.mark.parametrize("form", FORMATS)
def test_every_format_and_type_has_the_clusters_of_the_dense_matrix(form, kind, dtype):
    matrix = made(form, kind).astype(dtype)
    read = Clustering.from_matrix(matrix)
    assert (read.to_clusters(), read.n_dropped) == ([{0, 2}, {1, 2}], 1)
    assert as_clustering(matrix) == read == Clustering.from_matrix(DENSE.astype(dtype))
    assert Clustering.from_matrix(matrix.T.asformat(form), rows="objects") == read


@pytest.mark.parametrize("dtype", [str, object])
def test_a_dense_matrix_of_text_is_rejected(dtype):
    with pytest.raises(TypeError, match="matrix of numbers"):
        Clustering.from_matrix(np.array([["1", "0"]], dtype))


WIDE = 2 * 10**15


def wide(members, form="coo"):
    """Return a matrix of more objects than memory could hold, with clusters in few of them."""
    rows = [i for i, own in enumerate(members) for _ in own]
    columns = [item for own in members for item in own]
    entries = (np.ones(len(rows)), (rows, columns))
    return sparse.coo_array(entries, shape=(len(members), WIDE)).asformat(form)


@pytest.mark.parametrize("form", ["coo", "csr"])
def test_objects_in_no_cluster_take_no_memory(form):
    left, right = [{0, 5, WIDE - 1}, {5, 7}], [{0, 5}, {7, WIDE - 1, 9}]
    one, other = wide(left, form), wide(right, form)
    clustering = Clustering.from_matrix(one)
    assert (clustering.n_outliers, clustering.has_overlaps) == (WIDE - 4, True)
    assert "1 object in several clusters" in clustering.describe()
    assert clustering.to_clusters() == left
    assert clustering == Clustering.from_matrix(one) != Clustering.from_matrix(other)
    inside = naive.fhat_w(left, right), naive.fhat_w(right, left)
    assert fstar_score(one, other, outliers=False) == pytest.approx(
        float(sum(inside) / 2), rel=1e-15
    )
    # All outliers of the right are outliers of the left.
    outside = naive.Fraction(WIDE - 5, WIDE - 4)
    parts = [
        (n_outliers * outside + (WIDE - n_outliers) * own) / WIDE
        for n_outliers, own in zip((WIDE - 4, WIDE - 5), inside, strict=True)
    ]
    assert fstar_score(one, other) == pytest.approx(float(sum(parts) / 2), rel=1e-15)
    assert fstar_score(one, one) == 1.0
    assert pairwise([one, one]).matrix.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    dropped = naive.fstar(left, right, {0, 5, 7, 9, WIDE - 1}, drop_outliers="both")
    found = fstar_score(one, other, drop_outliers="both")
    assert found == pytest.approx(float(dropped), rel=1e-15)


def test_what_needs_every_object_of_a_wide_matrix_is_an_error():
    clustering = Clustering.from_matrix(wide([[0, 1]]))
    for call in (
        clustering.to_labels, clustering.to_frame,
        lambda: scores(clustering, clustering, ["ari"], outliers_as="singletons"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="too many"):
            call()


def test_rows_without_entries_take_no_memory():
    entries = (np.ones(3), ([7, WIDE - 1, 7], [0, 1, 2]))
    matrix = sparse.coo_array(entries, shape=(WIDE, 3))
    clustering = Clustering.from_matrix(matrix)
    assert clustering.to_dict() == {7: {0, 2}, WIDE - 1: {1}}
    assert clustering.n_dropped == WIDE - 2
    assert Clustering.from_matrix(matrix.T, rows="objects") == clustering


@pytest.mark.parametrize("dtype", [np.uint32, np.int16, np.uint64])
def test_indices_of_any_integer_type_and_longer_arrays_than_needed_are_read(dtype):
    matrix = made("csr", "array")
    matrix.indices = np.append(matrix.indices, 99).astype(dtype)
    matrix.data = np.append(matrix.data, 0)
    assert Clustering.from_matrix(matrix).to_clusters() == [{0, 2}, {1, 2}]


def test_an_error_names_the_side():
    matrix = made("csc", "array")
    matrix.indices[0] = 99
    with pytest.raises(InputError, match="right is a broken sparse matrix: an index must be from"):
        fstar_score([{0}], matrix)
