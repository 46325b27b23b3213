"""Membership matrices with values other than 0 and 1, which need a threshold."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

import coverlap as cv
from coverlap import Clustering, InputError, InputTypeError, OptionError
from tests import naive
from tests.inputs.test_matrices import FORMATS

SOFT = np.random.default_rng(7).dirichlet(np.ones(4), size=30).T  # clusters x objects


def clusters_from(matrix, threshold):
    """Return the members of each row, by the definition of a threshold."""
    rows = [
        {j for j in range(matrix.shape[1]) if matrix[i, j] >= threshold}
        for i in range(matrix.shape[0])
    ]
    return naive.normalise(rows)


def forms(dense):
    """Return a matrix as arrays and as sparse matrices of every format."""
    yield from (dense, np.asfortranarray(dense), np.ma.array(dense), np.asmatrix(dense))
    for form in FORMATS:
        yield sparse.csr_array(dense).asformat(form)
        yield sparse.csr_matrix(dense).asformat(form)


def members(matrix, threshold):
    """Return the clusters of a matrix of clusters x objects."""
    clustering = Clustering.from_matrix(matrix, rows="clusters", threshold=threshold)
    return clustering.to_clusters()


def refusal(matrix, **options):
    with pytest.raises(InputError) as caught:
        Clustering.from_matrix(matrix, **{"rows": "clusters", **options})
    return str(caught.value)


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("threshold", [0.05, 0.25, 0.5, 1])
def test_a_value_from_the_threshold_on_is_a_membership(threshold):
    expected = clusters_from(SOFT, threshold)
    for matrix in forms(SOFT):
        assert members(matrix, threshold) == expected
        by_object = Clustering.from_matrix(matrix.T, rows="objects", threshold=threshold)
        assert (by_object.to_clusters(), by_object.n_objects) == (expected, 30)


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_without_a_threshold_weights_are_refused_by_an_error_that_names_it():
    for matrix in forms(SOFT):
        message = refusal(matrix)
        assert "0 and 1" in message
        assert 'Clustering.from_matrix(m, rows="objects", threshold=' in message
        refusal(matrix.T, rows="objects")


def test_a_sparse_matrix_of_weights_is_refused_wherever_one_is_read():
    matrix = sparse.csr_array(SOFT)
    for call, where in (
        (lambda: cv.fstar_score(matrix, [{0, 1}]), "left"),
        (lambda: cv.fstar_score([{0, 1}], matrix), "right"),
        (lambda: cv.as_clustering(matrix), "x"),
        (lambda: cv.pairwise({"a": matrix, "b": matrix}), "clustering 'a'"),
    ):
        with pytest.raises(InputError, match=rf"{where} has a value .*threshold="):
            call()


@pytest.mark.parametrize("value", [2.0, -1.0, 0.5, np.inf, -np.inf, 1 + 1e-9, 1e-300, 1j])
def test_one_value_other_than_0_and_1_is_shown(value):
    dense = np.array([[1, 0, 1], [0, value, 1]])
    for matrix in (dense, dense.astype(object), *map(sparse.csr_array(dense).asformat, FORMATS)):
        assert f"other than 0 and 1: {value!r};" in refusal(matrix)


@pytest.mark.parametrize("form", ["csr", "csc", "bsr", "coo", "dia"])
@pytest.mark.parametrize("threshold", [None, 0.5])
def test_stored_zeros_are_no_memberships(form, threshold):
    matrix = sparse.csr_array(np.array([[1.0, 3.0], [1.0, 1.0]])).asformat(form)
    matrix.data[matrix.data == 3.0] = 0.0
    assert members(matrix, threshold) == [{0}, {0, 1}]


def test_what_a_diagonal_format_stores_outside_the_matrix_does_not_count():
    matrix = sparse.dia_array((np.array([[1.0, 1.0, 0.3]]), [1]), shape=(2, 2))
    matrix.data[0, 0] = 0.7
    assert Clustering.from_matrix(matrix).to_clusters() == [{1}]


def test_nan_is_refused_with_and_without_a_threshold_unless_masked():
    dense = np.array([[1, 0, np.nan], [0, 1, 1]])
    for matrix in (dense, dense.astype(object), *map(sparse.csr_array(dense).asformat, FORMATS)):
        for threshold in (None, 0.5):
            assert "NaN" in refusal(matrix, threshold=threshold)
    masked = np.ma.masked_invalid(dense)
    for threshold in (None, 0.5):
        assert members(masked, threshold) == [{0}, {1, 2}]


def test_repeated_entries_are_added_up_before_the_threshold_applies():
    values = np.array([0.25, 0.25, 0.5, 0.75, -0.5])
    places = ([0, 0, 0, 1, 1], [0, 0, 1, 2, 2])
    matrix = sparse.coo_array((values, places), shape=(2, 3))
    dense = clusters_from(matrix.toarray(), 0.5)
    assert members(matrix, 0.5) == dense == [{0, 1}]
    assert matrix.data.tolist() == values.tolist()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_threshold_is_compared_in_the_precision_of_the_matrix(dtype):
    dense = np.array([[0.7, 0.1, 0.0]], dtype)
    matrices = [dense] if dtype is np.float16 else [dense, sparse.csr_array(dense)]
    for matrix in matrices:
        for threshold, clusters in ((0.7, [{0}]), (1e-60, [{0, 1}]), (1e300, [])):
            assert members(matrix, threshold) == clusters


@pytest.mark.parametrize("threshold", [0.5, np.float32(0.5), Fraction(1, 2)])
def test_numbers_of_any_kind_are_compared_with_a_threshold_of_any_type(threshold):
    matrix = np.array([[Fraction(1, 3), Decimal("0.5"), 10**400, True, 0]], object)
    assert members(matrix, threshold) == [{1, 2, 3}]


def test_numbers_without_an_order_are_refused():
    of_objects = [np.array([[value, 0]], object) for value in (1j, Decimal("sNaN"))]
    for matrix in (*of_objects, np.array([[1j, 0]]), sparse.csr_array([[1j]])):
        with pytest.raises(InputTypeError, match="real numbers"):
            members(matrix, 0.5)


@pytest.mark.parametrize("threshold", [0, -1, 0.0, True, "0.5", np.nan, np.inf, [0.5], 1j, 10**400])
def test_a_threshold_is_a_number_above_0(threshold):
    with pytest.raises(OptionError, match="threshold must be a number above 0"):
        members(SOFT, threshold)
