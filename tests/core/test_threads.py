"""Scores and matches do not depend on the number of threads, for data that uses several."""

import numpy as np
import pytest
from scipy import sparse

import coverlap as cv


def draw_cover(rng, n_objects, n_clusters, n_memberships):
    popularity = np.arange(1.0, n_clusters + 1) ** -0.8
    clusters = rng.choice(n_clusters, n_memberships, p=popularity / popularity.sum())
    objects = rng.integers(0, n_objects, n_memberships)
    shape = (n_clusters, n_objects)
    return sparse.coo_array(
        (np.ones(n_memberships, bool), (clusters, objects)), shape=shape
    ).tocsr()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_covers_of_a_million_memberships_are_matched_alike_by_1_2_3_and_7_threads(seed):
    rng = np.random.default_rng(seed)
    n_objects, n_clusters = int(rng.integers(200_000, 800_000)), int(rng.integers(1_000, 80_000))
    left = draw_cover(rng, n_objects, n_clusters, 1_100_000)
    right = draw_cover(rng, n_objects, n_clusters, 1_100_000)
    assert min(left.nnz, right.nnz) >= 1_000_000
    options = {"similarity": ("jaccard", "f1", "precision", "recall")[seed % 4]}
    scores = {cv.fstar_score(left, right, threads=threads, **options) for threads in (1, 2, 3, 7)}
    assert len(scores) == 1
    one, seven = (cv.compare(left, right, threads=threads, **options) for threads in (1, 7))
    assert one.columns() == seven.columns()


@pytest.mark.slow
@pytest.mark.parametrize("n_clusters", [3, 50_000, 200_000])
def test_partitions_of_a_million_objects_are_matched_alike_by_1_2_3_and_7_threads(n_clusters):
    rng = np.random.default_rng(n_clusters)
    left, right = rng.integers(-1, n_clusters, (2, 1_000_000))
    results = [cv.compare(left, right, threads=threads) for threads in (1, 2, 3, 7)]
    assert {result.score for result in results} == {cv.fstar_score(left, right)}
    assert all(result.columns() == results[0].columns() for result in results[1:])
