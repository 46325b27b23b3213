"""Sparse matrices of every format: broken ones are rejected, and empty space costs no memory."""

import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

from coverlap import Clustering, InputError, fstar_score, pairwise, scores
from tests import naive

FORMATS = ["csr", "csc", "bsr", "coo", "lil", "dok", "dia"]
DENSE = np.array([[1, 0, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]])


def made(form, kind):
    return getattr(sparse, f"csr_{kind}")(DENSE).asformat(form)


BREAK = {
    "an index too large": "m.indices[0] = 10**6",
    "a negative index": "m.indices[0] = -5",
    "indices that are floats": "m.indices = m.indices.astype(float)",
    "too few indices": "m.indices = m.indices[:1]",
    "a negative pointer": "m.indptr[1] = -7",
    "a first pointer above 0": "m.indptr[0] = 1",
    "a last pointer too large": "m.indptr[-1] = 10**6",
    "too few pointers": "m.indptr = m.indptr[:2]",
    "too few values": "m.data = m.data[:1]",
    "values that are text": "m.data = m.data.astype(str)",
}
BROKEN = [
    *((form, what, code) for form in ("csr", "csc", "bsr") for what, code in BREAK.items()),
    ("coo", "a row too large", "m.row[0] = 10**6"),
    ("coo", "a negative column", "m.col[0] = -1"),
    ("coo", "too few values", "m.data = m.data[:1]"),
    ("lil", "an index too large", "m.rows[0] = [10**6]; m.data[0] = [1]"),
    ("lil", "rows and data of different lengths", "m.rows[0] = [0, 1, 2]; m.data[0] = [1]"),
    ("lil", "an index that is text", "m.rows[0] = ['a']; m.data[0] = [1]"),
    ("lil", "no row", "m.rows[0] = None"),
    ("dok", "a key too large", "m._dict[100, 100] = 1"),
    ("dok", "a key that is no pair", "m._dict[100] = 1"),
    ("dia", "too few offsets", "m.offsets = m.offsets[:1]"),
    ("dia", "an offset twice", "m.offsets = m.offsets * 0"),
]

ONE_CASE = """
import sys
from coverlap import Clustering, InputError, fstar_score
from tests.inputs.test_matrices import BROKEN, DENSE, made
for form, what, code in BROKEN:
    for kind in ("matrix", "array"):
        for read in (Clustering.from_matrix, lambda m: Clustering.from_matrix(m, rows="objects"),
                     lambda m: fstar_score(m, m)):
            m = made(form, kind)
            exec(code)
            try:
                read(m)
            except InputError as error:
                assert "broken sparse matrix" in str(error), (form, what, error)
            else:
                raise AssertionError((form, what, kind))
print("all rejected")
"""


def test_broken_matrices_of_every_format_are_rejected():
    # In a child process, which SciPy can crash.
    command = [sys.executable, "-c", ONE_CASE]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout) == (0, "all rejected\n"), done.stderr[-500:]


@pytest.mark.parametrize("kind", ["matrix", "array"])
@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_the_clusters_of_the_dense_matrix(form, kind):
    matrix = made(form, kind)
    assert Clustering.from_matrix(matrix).to_clusters() == [{0, 2}, {1, 2}]
    assert Clustering.from_matrix(matrix).n_dropped == 1
    by_object = Clustering.from_matrix(matrix.T.asformat(form), rows="objects")
    assert by_object == Clustering.from_matrix(matrix)


@pytest.mark.parametrize("dtype", [np.uint32, np.int16, np.uint64])
def test_indices_of_any_integer_type_are_read(dtype):
    matrix = made("csr", "array")
    matrix.indices = matrix.indices.astype(dtype)
    assert Clustering.from_matrix(matrix).to_clusters() == [{0, 2}, {1, 2}]


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
    left, right = [[0, 5, WIDE - 1], [5, 7]], [[0, 5], [7, WIDE - 1, 9]]
    one, other = wide(left, form), wide(right, form)
    clustering = Clustering.from_matrix(one)
    assert repr(clustering).startswith("Clustering(2,000,000,000,000,000 objects, 2 clusters")
    assert (clustering.n_outliers, clustering.has_overlaps) == (WIDE - 4, True)
    assert "1 object in several clusters" in clustering.describe()
    assert clustering.to_clusters() == [set(own) for own in left]
    assert clustering == Clustering.from_matrix(one)
    assert clustering != Clustering.from_matrix(other)
    # The outliers of the oracle: as many as needed, since only their numbers count.
    n_left, n_right, n_both = WIDE - 4, WIDE - 5, WIDE - 5
    sets = [list(map(frozenset, side)) for side in (left, right)]
    matched = naive.fhat_w(*sets), naive.fhat_w(*reversed(sets))
    union = n_left + n_right - n_both
    shares = [naive.Fraction(n, WIDE) for n in (n_left, n_right)]
    parts = [
        share * naive.Fraction(n_both, union) + (1 - share) * own
        for share, own in zip(shares, matched, strict=True)
    ]
    assert fstar_score(one, other) == pytest.approx(float(sum(parts) / 2), rel=1e-15)
    inside = [float(own) for own in matched]
    assert fstar_score(one, other, outliers=False) == pytest.approx(sum(inside) / 2, rel=1e-15)
    assert fstar_score(one, one) == 1.0
    assert pairwise([one, one]).matrix.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    dropped = naive.fstar(*sets, {0, 5, 7, 9, WIDE - 1}, drop_outliers="both")
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
    by_object = Clustering.from_matrix(matrix.T, rows="objects")
    assert by_object == clustering


def test_a_matrix_whose_arrays_are_longer_than_needed_is_read():
    matrix = made("csr", "array")
    longer = sparse.csr_array(matrix.shape)
    longer.indptr, longer.indices = matrix.indptr, np.append(matrix.indices, 99)
    longer.data = np.append(matrix.data, 0)
    assert Clustering.from_matrix(longer).to_clusters() == [{0, 2}, {1, 2}]


def test_an_error_names_the_side():
    matrix = made("csc", "array")
    matrix.indices[0] = 99
    with pytest.raises(InputError, match="right is a broken sparse matrix: an index must be from"):
        fstar_score([{0}], matrix)
