"""The one-to-one matching of clusters, against every matching and against SciPy's dense solver."""

import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linear_sum_assignment

import coverlap as cv
from coverlap.counting.assignment import match_one_to_one
from coverlap.counting.contingency import Contingency
from coverlap.counting.counts import counts_of


def contingency(dense, rng=None):
    """Return a dense table as a contingency; a generator shuffles the cells of each row."""
    rows = [np.flatnonzero(row) if rng is None else rng.permutation(np.flatnonzero(row))
            for row in dense]  # fmt: skip
    columns = np.concatenate([np.empty(0, int), *rows])
    owners = np.repeat(np.arange(len(dense)), [len(row) for row in rows])
    pointers = np.concatenate(([0], np.cumsum([len(row) for row in rows], dtype=np.int64)))
    return Contingency(
        pointers, columns.astype(np.int32), dense[owners, columns].astype(np.int32),
        dense.sum(axis=1), dense.sum(axis=0), int(dense.sum()),
    )  # fmt: skip


def total(dense, match):
    """Return the sum of shared objects; check that pairs share some, and are one-to-one."""
    matched = np.flatnonzero(match >= 0)
    assert len(match) == len(dense)
    assert len(set(match[matched].tolist())) == len(matched)
    shared = dense[matched, match[matched]]
    assert np.all(shared > 0)
    return int(shared.sum())


def best_total(dense):
    """Return the largest sum over all injections of the smaller side into the larger one."""
    small = dense if dense.shape[0] <= dense.shape[1] else dense.T
    rows = range(small.shape[0])
    return max(sum(int(small[i, j]) for i, j in zip(rows, chosen, strict=True))
               for chosen in permutations(range(small.shape[1]), len(rows)))  # fmt: skip


def random_table(seed, shape, density, most):
    rng = np.random.default_rng(seed)
    return rng.integers(1, most + 1, shape) * (rng.random(shape) < density)


tables = st.tuples(st.integers(0, 5), st.integers(0, 5)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.sampled_from([0, 0, 1, 2, 3, 7]))
)


@given(tables)
def test_no_matching_shares_more(dense):
    assert total(dense, match_one_to_one(contingency(dense))) == best_total(dense)


@pytest.mark.parametrize("most", [1, 3, 1000])
@pytest.mark.parametrize("density", [0.005, 0.02, 0.2, 1])
@pytest.mark.parametrize("shape", [(150, 150), (60, 200), (200, 60)])
def test_the_total_is_that_of_the_dense_solver(shape, density, most):
    dense = random_table(7, shape, density, most)
    expected = dense[linear_sum_assignment(dense, maximize=True)].sum()
    assert total(dense, match_one_to_one(contingency(dense))) == expected


def test_the_matching_does_not_depend_on_the_order_of_cells():
    rng = np.random.default_rng(3)
    dense = random_table(3, (40, 40), 0.3, 2)  # with many ties
    expected = match_one_to_one(contingency(dense)).tolist()
    for _ in range(20):
        assert match_one_to_one(contingency(dense, rng)).tolist() == expected


PLAIN = """
from coverlap._kernels import _jit
_jit.{limit} = {value}
from coverlap.counting.assignment import match_one_to_one
from tests.counting.test_assignment import contingency, random_table
import sys
tables = [random_table(seed, (12, 9), 0.4, 3) for seed in range(10)]
print([match_one_to_one(contingency(table)).tolist() for table in tables])
print("numba" in sys.modules)
"""


@pytest.mark.slow
def test_plain_and_compiled_kernels_match_alike():
    limits = {"PLAIN_WORK": -1, "PLAIN_SECONDS": "float('inf')"}
    compiled, plain = (
        subprocess.run(
            [sys.executable, "-c", PLAIN.format(limit=limit, value=value)],
            capture_output=True, text=True, check=True, timeout=300,
        ).stdout.splitlines()
        for limit, value in limits.items()
    )  # fmt: skip
    assert plain[0] == compiled[0]
    assert (plain[1], compiled[1]) == ("False", "True")


def test_counted_clusterings_are_matched_with_and_without_overlaps():
    left, right = [0, 0, 0, 1, 1, -1], [1, 1, 0, 0, 0, 0]
    assert match_one_to_one(counts_of(left, right).contingency).tolist() == [1, 0]
    cover = cv.Clustering.from_clusters([{3, 4, 5}, {0, 1, 2}, {0, 1}], universe=6)
    assert match_one_to_one(counts_of(left, cover).contingency).tolist() == [1, 0]
