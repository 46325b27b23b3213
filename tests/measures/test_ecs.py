"""Element-centric similarity equals its definition, computed by inverting n x n matrices."""

from math import fsum
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coverlap as cv
from coverlap.core.incidence import Codes, frozen, runs_of_pairs
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.core.threads import workers
from coverlap.generate import random_clustering
from coverlap.measures import ecs
from coverlap.measures.ecs import walks as ecs_walks
from tests import naive, naive_measures
from tests.marks import slow_after
from tests.measures.examples import covers
from tests.strategies import labels

ALPHAS = (0.05, 0.5, 0.9, 0.99)


def runs(clusters, n):
    pairs = [(o, c) for c, members in enumerate(clusters) for o in members]
    objects, names = np.array(pairs, np.int32).reshape(-1, 2).T
    return runs_of_pairs(objects, names, n, len(clusters))


def by_definition(left, right, n, alpha):
    """Return the score of each object; an outlier is a cluster of its own."""
    walks = []
    for side in (left, right):
        rest = sorted(naive.outliers(side, range(n)))
        clusters = [*side, *({o} for o in rest)]
        member = np.array([[o in c for c in clusters] for o in range(n)], float)
        step = (member / member.sum(axis=1, keepdims=True)) @ (member / member.sum(axis=0)).T
        walks.append((1 - alpha) * np.linalg.inv(np.eye(n) - alpha * step))
    return 1 - np.abs(walks[0] - walks[1]).sum(axis=1) / (2 * alpha)


def scores(left, right, n, alpha=0.9, threads=1, positions=None):
    with workers(threads) as team:
        return ecs.scores_at(ecs.plan(runs(left, n), runs(right, n), n), alpha, team, positions)


def pairs(seed, number, max_objects=12):
    """Yield clusterings of which some have a copy of each object, with the same memberships."""
    for random, n, left, right in covers(seed, number, max_objects=max_objects):
        sides = naive.normalise(left), naive.normalise(right)
        if random.random() < 0.4:  # more clusters, which overlap less
            how = {"memberships": random.uniform(1, 4), "outliers": random.random() / 2}
            drawn = (
                random_clustering(n, 12, **how, seed=random.randrange(10**6)) for _ in range(2)
            )
            sides = [side.to_clusters() for side in drawn]
        if random.random() < 0.2:
            sides = [[{x for o in c for x in (o, o + n)} for c in side] for side in sides]
            n *= 2  # noqa: PLW2901
        if n:
            yield random, n, *sides


@pytest.mark.parametrize(
    ("dense", "seed", "number"), slow_after(2, [(2**26, 1, 400), (0, 2, 400), (2**26, 3, 1400)])
)
def test_scores_equal_the_definition(dense, seed, number, monkeypatch):
    monkeypatch.setattr(ecs_walks, "DENSE", dense)  # with 0, all by iteration
    for i, (_, n, left, right) in enumerate(pairs(seed, number)):
        alpha = ALPHAS[i % len(ALPHAS)]
        found = scores(left, right, n, alpha, threads=1 + i % 3)
        assert found == pytest.approx(by_definition(left, right, n, alpha), abs=1e-12, rel=0)
        assert found.min() >= 0
        assert found.max() <= 1


@pytest.mark.parametrize("alpha", [0.001, 0.9, 0.999])
def test_both_ways_to_solve_agree_on_many_clusters(monkeypatch, alpha):
    generator = np.random.default_rng(3)
    n, k = 400, 90
    left, right = ([set(generator.integers(0, n, 14).tolist()) for _ in range(k)] for _ in range(2))
    eliminated = scores(left, right, n, alpha)
    monkeypatch.setattr(ecs_walks, "DENSE", 0)
    iterated = scores(left, right, n, alpha)
    assert eliminated == pytest.approx(by_definition(left, right, n, alpha), abs=1e-12, rel=0)
    assert iterated == pytest.approx(eliminated, abs=1e-13, rel=0)
    assert not np.array_equal(eliminated, iterated)  # so the two computations differ


def test_inverses_of_all_widths_are_exact():
    for width in (1, 2, 5, 31, 32, 33, 97):
        left = [{c, (c + 1) % (width + 1), width + 1 + c % 3} for c in range(width)]
        n = width + 4
        found = scores(left, [set(range(n))], n)
        assert found == pytest.approx(by_definition(left, [set(range(n))], n, 0.9), abs=1e-13)


def test_the_mean_is_the_exact_fraction():
    for _, n, left, right in covers(24, 80, max_objects=6):
        sides = naive_measures.compared(left, right, n)
        expected = pytest.approx(float(naive_measures.ecs_exact(*sides)), rel=0, abs=1e-12)
        assert ecs.mean_score(scores(*sides[:2], n)) == expected, (n, left, right)
        assert naive_measures.ecs(*sides) == expected


@pytest.mark.parametrize("dense", [2**26, 0])
def test_no_bit_depends_on_threads_order_of_clusters_or_sides(monkeypatch, dense):
    monkeypatch.setattr(ecs_walks, "DENSE", dense)
    for random, n, left, right in pairs(5, 80, max_objects=40):
        first = scores(left, right, n)
        for found in (
            scores(left, right, n, threads=2),
            scores(left, right, n, threads=3),
            scores(right, left, n),
            scores(random.sample(left, len(left)), right, n),
        ):
            assert np.array_equal(found, first)
        assert np.array_equal(scores(left, left[::-1], n), np.ones(n))


def test_objects_score_exactly_1_where_nothing_differs():
    left = [{0, 1, 2}, {2, 3}, {4, 5}, {6, 7, 8}, {8, 9}]
    right = [{6, 7, 8}, {0, 1}, {8, 9}, {2, 3}]
    assert np.array_equal(scores(left, right, 11)[6:], np.ones(5))


@settings(derandomize=True, deadline=None)
@given(
    both=st.integers(1, 40).flatmap(lambda n: st.tuples(labels(n), labels(n))),
    dtype=st.sampled_from(["int8", "int32", "int64"]),
)
def test_partitions_have_shared_over_larger_size(both, dtype):
    n = len(both[0])
    sides = [Codes(frozen(np.array(side, dtype)), 21) for side in both]
    one, two = (Memberships(side, Objects(n)) for side in sides)
    with workers(1 + n % 3) as team:
        found = ecs.partition_scores(one, two, team)
        assert np.array_equal(ecs.partition_scores(two, one, team), found)
        general = ecs.scores_at(ecs.plan(one.runs, two.runs, n), 0.7, team)
    assert np.array_equal(general, found)
    own = [
        [{i for i in range(n) if side[i] == side[o]} if side[o] >= 0 else {o} for o in range(n)]
        for side in both
    ]
    expected = [len(c & d) / max(len(c), len(d)) for c, d in zip(*own, strict=True)]
    assert found.tolist() == expected


def test_objects_never_mentioned_score_1():
    found = scores([{0, 1}, {2, 3}], [{0, 1, 2}, {3}], 4)
    assert ecs.mean_score(found) == pytest.approx(13 / 24, abs=1e-15)
    assert ecs.mean_score(found, 6) == pytest.approx(49 / 60, abs=1e-15)


def test_some_objects_score_as_they_do_among_all():
    for random, n, left, right in pairs(8, 100, max_objects=40):
        positions = np.array(random.choices(range(n), k=5))
        some = scores(left, right, n, positions=positions)
        assert some == pytest.approx(scores(left, right, n)[positions], abs=1e-14, rel=0)


def test_what_is_walked_together_changes_no_bit(monkeypatch):
    monkeypatch.setattr(ecs_walks, "DENSE", 0)
    _, n, left, right = max(pairs(9, 30, max_objects=60), key=lambda pair: pair[1])
    alone = [scores(left, right, n, positions=np.array([o]))[0] for o in range(n)]
    assert np.array_equal(alone, scores(left, right, n))


def estimate(left, right, n, n_draws, seed, n_unmentioned=0):
    sides = (cv.Clustering.from_clusters(side, universe=n) for side in (left, right))
    return cv.ecs_estimate(*sides, n_draws=n_draws, seed=seed, n_objects=n + n_unmentioned)


TANGLED = [{0, 1, 2, 3}, {3, 4, 5}, {5, 6, 7, 0}, {8, 9}, {9, 10}, {11, 12}]
KNOTTED = [{0, 1, 8}, {3, 4, 5, 2}, {6, 7, 0, 4}, {9, 10}, {11, 12, 13}]


@pytest.mark.slow
def test_estimates_are_unbiased_and_their_errors_right():
    n, extra = 16, 4
    every = scores(TANGLED, KNOTTED, n)
    exact = ecs.mean_score(every, extra)
    sampled = every[:11]  # the others are in at most one cluster on each side
    estimates = [estimate(TANGLED, KNOTTED, n, 5, seed, extra) for seed in range(1500)]
    means = np.array([e.score for e in estimates])
    true_error = np.std(sampled, ddof=1) * np.sqrt((1 - 5 / 11) / 5) * 11 / (n + extra)
    assert all(e.n_sampled == 5 for e in estimates)
    assert means.mean() == pytest.approx(exact, abs=4 * true_error / np.sqrt(1500))
    assert means.std() == pytest.approx(true_error, rel=0.1)
    assert np.mean([e.error**2 for e in estimates]) == pytest.approx(true_error**2, rel=0.1)


def test_an_estimate_from_all_objects_is_exact():
    every = scores(TANGLED, KNOTTED, 16)
    found = estimate(TANGLED, KNOTTED, 16, 11, seed=1)
    assert found == cv.Estimate(fsum(every) / 16, 0.0, 11)
    assert estimate(TANGLED, KNOTTED, 16, 10**9, seed=1) == found


def test_an_estimate_can_be_repeated():
    found = estimate(TANGLED, KNOTTED, 16, 4, seed=5)
    assert found == estimate(TANGLED, KNOTTED, 16, 4, seed=5)
    assert found.score != estimate(TANGLED, KNOTTED, 16, 4, seed=6).score


def test_neither_the_order_of_ids_nor_of_sides_changes_a_bit():
    rng = Random(0)
    for _ in range(40):
        ids = [f"object {i}" for i in range(rng.randint(5, 30))]
        left, right = ([rng.sample(ids, len(ids) // 2) for _ in range(5)] for _ in range(2))
        expected = cv.ecs_score(left, right)
        assert cv.ecs_score(right, left) == expected
        shuffled = [rng.sample(cluster, len(cluster)) for cluster in rng.sample(left, 5)]
        assert cv.ecs_score(shuffled, right) == expected
        scored, swapped = cv.ecs_objects(left, right), cv.ecs_objects(right, left)
        by_id = dict(zip(swapped.objects, swapped.scores, strict=True))
        assert dict(zip(scored.objects, scored.scores, strict=True)) == by_id
