"""Scores and matches do not depend on the number of threads, for data that uses several."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import sparse

import coverlap as cv
from coverlap.clustering import recognise
from coverlap.core import threads
from coverlap.counting import counts, memory
from coverlap.verbs import inference, pairwise


def draw_cover(rng, n_objects, n_clusters, n_memberships):
    popularity = np.arange(1.0, n_clusters + 1) ** -0.8
    clusters = rng.choice(n_clusters, n_memberships, p=popularity / popularity.sum())
    objects = rng.integers(0, n_objects, n_memberships)
    shape = (n_clusters, n_objects)
    return sparse.coo_array(
        (np.ones(n_memberships, bool), (clusters, objects)), shape=shape
    ).tocsr()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_clusters", "similarity"),
    [(1_000, "jaccard"), (80_000, "f1"), (30_000, "precision"), (5_000, "recall")],
)
@pytest.mark.parametrize("kind", ["covers", "labels"])
def test_a_million_memberships_are_matched_alike_by_1_2_3_and_7_threads(
    kind, n_clusters, similarity
):
    rng = np.random.default_rng(n_clusters)
    if kind == "covers":
        pair = [draw_cover(rng, 500_000, n_clusters, 1_100_000) for _ in range(2)]
        assert min(side.nnz for side in pair) >= 1_000_000
    else:
        pair = rng.integers(-1, 3 if n_clusters == 1_000 else n_clusters, (2, 1_000_000))
    results = [cv.compare(*pair, threads=n, similarity=similarity) for n in (1, 2, 3, 7)]
    scores = {cv.fstar_score(*pair, threads=n, similarity=similarity) for n in (1, 2, 3, 7)}
    assert {result.score for result in results} == scores
    assert len(scores) == 1
    assert all(result.columns() == results[0].columns() for result in results[1:])


# The threads of a call


LABELS = np.random.default_rng(0).integers(-1, 40, (2, 3001))
COVERS = [draw_cover(np.random.default_rng(seed), 501, 37, 1501) for seed in range(2)]
PARTITIONS = np.abs(LABELS)
CASES = [
    (LABELS, "fstar_wo"), (PARTITIONS, "ari"), (PARTITIONS, "nmi"), (PARTITIONS, "bcubed_f1"),
    (COVERS, "fstar_wo"), (COVERS, "omega"), (COVERS, "onmi"), (COVERS, "bcubed_f1"),
    ([[*map(set, cover.tolil().rows)] for cover in COVERS], "fstar_wo"),
]  # fmt: skip


@pytest.fixture
def started(monkeypatch):
    """Treat small inputs like large ones, and return the numbers of threads that were started."""
    for module in (threads, counts, memory, memory.partitions):
        monkeypatch.setattr(module, "SMALL", 0)
    monkeypatch.setattr(recognise, "LARGE", 0)
    sizes = []

    class Pool(ThreadPoolExecutor):
        def __init__(self, max_workers, **options):
            sizes.append(max_workers)
            super().__init__(max_workers, **options)

    for module in (threads, recognise, pairwise, inference):
        monkeypatch.setattr(module, "ThreadPoolExecutor", Pool)
    return sizes


@pytest.mark.parametrize(("pair", "measure"), CASES)
def test_no_step_uses_more_threads_than_the_call(pair, measure, started):
    options = {"drop_outliers": "either"} if "bcubed" in measure else {}
    scores = {cv.score(*pair, measure, threads=1, **options)}
    assert started == []
    for n_threads in (2, 3, 7):
        started.clear()
        scores.add(cv.score(*pair, measure, threads=n_threads, **options))
        assert 0 < max(started) < n_threads
    assert len(scores) == 1


@pytest.mark.parametrize("pair", [LABELS, COVERS], ids=["labels", "covers"])
def test_explanations_use_no_more_threads_than_the_comparison(pair, started):
    found = []
    for n_threads in (1, 2, 3, 7):
        started.clear()
        result = cv.compare(*pair, threads=n_threads)
        tables = result.changes(), result.objects(), result.losses(), result.contingency()
        found.append([table.to_json() for table in tables])
        assert max(started, default=0) < n_threads
        assert bool(started) == (n_threads > 1)
    assert all(tables == found[0] for tables in found)


def test_many_comparisons_use_no_more_threads_than_the_call(started):
    for n_threads in (1, 3):
        cv.pairwise([*LABELS, LABELS[0][::-1]], threads=n_threads)
        cv.bootstrap(*LABELS, n_draws=5, threads=n_threads)
        cv.baseline(*LABELS, n_draws=5, threads=n_threads)
        assert max(started) <= n_threads
        started.clear()


def test_a_block_of_threads_uses_those_of_the_block_around_it():
    with threads.workers(3) as outer, threads.workers(7) as inner, threads.workers(2) as last:
        assert inner == outer
        assert last == (2, outer.pool)
        assert threads.number_of_threads(None, 10**9, 1) == 2
    with threads.workers(1), threads.workers(7) as alone:
        assert alone == (1, None)
    with threads.workers(2) as again:
        assert again.threads == 2


@pytest.mark.parametrize("n_threads", [1, 2, 3, 7])
@pytest.mark.parametrize("n_items", [0, 1, 6, 100])
def test_items_are_dealt_once_each_with_about_equal_costs(n_items, n_threads):
    with threads.workers(n_threads) as team:
        dealt = team.dealt(np.arange(n_items))
    assert sorted(item for part in dealt for item in part.tolist()) == list(range(n_items))
    assert max(map(len, dealt)) - min(map(len, dealt)) <= 1
    costs = [int(part.sum()) for part in dealt]
    assert max(costs) - min(costs) <= max(n_items, 0)


def test_an_error_in_any_thread_is_raised():
    with threads.workers(3) as team:
        for wrong in range(3):
            with pytest.raises(ZeroDivisionError):
                team.map(divmod, 1, [int(i != wrong) for i in range(3)])
        assert team.map(divmod, [3, 4, 5], 2) == [(1, 1), (2, 0), (2, 1)]
