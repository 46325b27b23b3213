"""Element-centric similarity equals its definition, computed by inverting n x n matrices."""

from fractions import Fraction
from itertools import combinations
from math import fsum
from random import Random

import numpy as np
import pytest

import coverlap as cv
from coverlap.core.incidence import Codes, Runs, frozen, runs_of_pairs
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.core.threads import workers
from coverlap.measures import ecs
from coverlap.measures.ecs import walks as ecs_walks
from tests.marks import slow_after

ALPHAS = (0.05, 0.5, 0.9, 0.99)


def runs(clusters, n):
    pairs = [(o, c) for c, members in enumerate(clusters) for o in members]
    objects, names = np.array(pairs, np.int32).reshape(-1, 2).T
    return runs_of_pairs(objects, names, n, len(clusters))


def walks(clusters, n, alpha):
    """Return the distributions of walks from each object; an outlier is a cluster of its own."""
    covered = {o for members in clusters for o in members}
    clusters = [*clusters, *({o} for o in range(n) if o not in covered)]
    member = np.zeros((n, len(clusters)))
    for c, members in enumerate(clusters):
        member[list(members), c] = 1
    step = (member / member.sum(axis=1, keepdims=True)) @ (member / member.sum(axis=0)).T
    return (1 - alpha) * np.linalg.inv(np.eye(n) - alpha * step)


def by_definition(left, right, n, alpha):
    difference = walks(left, n, alpha) - walks(right, n, alpha)
    return 1 - np.abs(difference).sum(axis=1) / (2 * alpha)


def scores(left, right, n, alpha=0.9, threads=1, positions=None):
    with workers(threads) as team:
        return object_scores(runs(left, n), runs(right, n), n, alpha, team, positions)


def object_scores(left, right, n, alpha, team, positions=None):
    return ecs.scores_at(ecs.plan(left, right, n), alpha, team, positions)


def random_clusters(generator, n, most):
    """Return distinct clusters of any size, which may overlap."""
    clusters = set()
    for _ in range(generator.integers(0, most + 1)):
        share = generator.choice([0.1, 0.3, 0.6, 1.0])
        members = np.flatnonzero(generator.random(n) < share)
        if generator.random() < 0.2:
            members = generator.integers(0, n, 1)
        clusters.add(frozenset(members.tolist()))
    clusters = sorted(clusters - {frozenset()}, key=sorted)
    return [set(clusters[i]) for i in generator.permutation(len(clusters))]


def random_pairs(seed, count, largest=12, most=6):
    generator = np.random.default_rng(seed)
    for i in range(count):
        n = int(generator.integers(1, largest + 1))
        left = random_clusters(generator, n, most)
        right = random_clusters(generator, n, most)
        if generator.random() < 0.3:  # some clusters, and so some components, in common
            right = [c for c in left if generator.random() < 0.7]
        if generator.random() < 0.2:  # each object gets a copy with the same memberships
            left, right = ([{x for o in c for x in (o, o + n)} for c in s] for s in (left, right))
            n *= 2
        yield i, left, right, n


@pytest.fixture
def by_iteration(monkeypatch):
    monkeypatch.setattr(ecs_walks, "DENSE", 0)


@pytest.mark.parametrize(("seed", "count"), slow_after(1, [(1, 600), (3, 1400)]))
def test_scores_equal_the_definition(seed, count):
    for i, left, right, n in random_pairs(seed, count):
        alpha = ALPHAS[i % len(ALPHAS)]
        expected = by_definition(left, right, n, alpha)
        found = scores(left, right, n, alpha, threads=1 + i % 3)
        assert found == pytest.approx(expected, abs=1e-12, rel=0)
        assert found.min() >= 0
        assert found.max() <= 1


@pytest.mark.usefixtures("by_iteration")
def test_iteration_equals_the_definition():
    for i, left, right, n in random_pairs(2, 600):
        alpha = ALPHAS[i % len(ALPHAS)]
        expected = by_definition(left, right, n, alpha)
        found = scores(left, right, n, alpha, threads=1 + i % 3)
        assert found == pytest.approx(expected, abs=1e-12, rel=0)


@pytest.mark.parametrize("alpha", [0.001, 0.9, 0.999])
def test_both_ways_to_solve_agree_on_many_clusters(monkeypatch, alpha):
    generator = np.random.default_rng(3)
    n, k = 400, 90
    left, right = ([set(generator.integers(0, n, 14).tolist()) for _ in range(k)] for _ in range(2))
    expected = by_definition(left, right, n, alpha)
    eliminated = scores(left, right, n, alpha)
    monkeypatch.setattr(ecs_walks, "DENSE", 0)
    iterated = scores(left, right, n, alpha)
    assert eliminated == pytest.approx(expected, abs=1e-12, rel=0)
    assert iterated == pytest.approx(eliminated, abs=1e-13, rel=0)
    assert not np.array_equal(eliminated, iterated)  # so the two computations differ


def test_inverses_of_all_widths_are_exact():
    for width in (1, 2, 5, 31, 32, 33, 97):
        left = [{c, (c + 1) % (width + 1), width + 1 + c % 3} for c in range(width)]
        n = width + 4
        found = scores(left, [set(range(n))], n)
        assert found == pytest.approx(by_definition(left, [set(range(n))], n, 0.9), abs=1e-13)


@pytest.mark.parametrize("dense", [2**26, 0])
def test_no_bit_depends_on_threads_order_of_clusters_or_sides(monkeypatch, dense):
    monkeypatch.setattr(ecs_walks, "DENSE", dense)
    generator = np.random.default_rng(4)
    for _, left, right, n in random_pairs(5, 80, largest=40, most=12):
        first = scores(left, right, n)
        shuffled = [left[i] for i in generator.permutation(len(left))]
        for found in (
            scores(left, right, n, threads=2),
            scores(left, right, n, threads=3),
            scores(right, left, n),
            scores(shuffled, right, n),
        ):
            assert np.array_equal(found, first)


def test_equal_clusterings_score_exactly_1():
    for _, left, _, n in random_pairs(6, 200, largest=40, most=12):
        assert np.array_equal(scores(left, left[::-1], n), np.ones(n))


def test_objects_score_exactly_1_where_nothing_differs():
    left = [{0, 1, 2}, {2, 3}, {4, 5}, {6, 7, 8}, {8, 9}]
    right = [{6, 7, 8}, {0, 1}, {8, 9}, {2, 3}]
    assert np.array_equal(scores(left, right, 11)[6:], np.ones(5))


def random_codes(generator, n):
    codes = generator.integers(-2, generator.integers(0, 9), n)
    return Codes(frozen(codes.astype(generator.choice(["int8", "int32", "int64"]))), 9)


def test_partitions_have_shared_over_larger_size():
    generator = np.random.default_rng(7)
    for i in range(200):
        n = int(generator.integers(1, 60))
        left, right = random_codes(generator, n), random_codes(generator, n)
        with workers(1 + i % 3) as team:
            one, two = (Memberships(side, Objects(n)) for side in (left, right))
            found = ecs.partition_scores(one, two, team)
            swapped = ecs.partition_scores(two, one, team)
            general = object_scores(one.runs, two.runs, n, 0.7, team)
        own, other = ([members_of(side.codes, o) for o in range(n)] for side in (left, right))
        expected = [
            float(Fraction(len(c & d), max(len(c), len(d))))
            for c, d in zip(own, other, strict=True)
        ]
        assert found.tolist() == expected
        assert np.array_equal(swapped, found)
        assert np.array_equal(general, found)


def members_of(codes, position):
    if codes[position] < 0:
        return {position}
    return set(np.flatnonzero(codes == codes[position]).tolist())


def test_an_outlier_scores_what_is_left_of_the_other_walk_where_it_began():
    right = [{0, 1, 2}, {2, 3}]
    stays = np.diag(walks(right, 5, 0.8)) - 0.2
    expected = [*(stays / 0.8)[:4], 1.0]
    assert scores([], right, 5, 0.8) == pytest.approx(expected, abs=1e-15)


FANO = [{0, 1, 2}, {0, 3, 4}, {0, 5, 6}, {1, 3, 5}, {1, 4, 6}, {2, 3, 6}, {2, 4, 5}]


def test_different_fano_planes_are_alike():
    other = [{(0, 2, 1, 3, 4, 5, 6)[o] for o in line} for line in FANO]
    assert {*map(frozenset, other)} != {*map(frozenset, FANO)}
    assert all(sum({a, b} <= c for c in other) == 1 for a, b in combinations(range(7), 2))
    assert ecs.mean_score(scores(FANO, other, 7)) == pytest.approx(1, abs=1e-15)
    assert ecs.mean_score(scores(FANO, [set(range(7))], 7)) == pytest.approx(41 / 42, abs=1e-15)


# Computed with clusim (HEAD, outliers added as singletons) and with an independent solve.
PEER_VALUES = [
    (6, [[0, 3], [1, 2, 5], [4]], [[0, 3], [1, 2], [4, 5]], 25 / 36),
    (5, [[0, 1, 2], [1, 3], [1, 4]], [[0, 1], [1, 3], [1, 2, 4], [2]], 0.8883631638017604),
    (6, [[0, 1, 2], [1, 3], [1, 4]], [[0, 1, 5], [1, 3], [1, 2, 4], [2]], 0.6964550147673633),
    (10, [[0, 1], [2, 3]], [[0, 1, 2], [3]], 0.8166666666666667),
    (
        10,
        [[1, 3, 4, 5, 6], [0, 3, 6, 7], [0, 4, 5, 7, 8], [0, 8, 9]],
        [[3, 5, 6, 8], [1, 7, 8]],
        0.5207013857355614,
    ),
    (
        15,
        [[6], [0, 1, 8, 9, 11, 13]],
        [[1, 2, 5, 7, 8, 9], [0, 6, 8, 11, 12, 13, 14], [0, 7, 8, 11], [2, 8, 10, 12], [5]],
        0.3826017152482856,
    ),
    (7, [[1, 5], [0, 5, 6], [1, 5, 6]], [[2, 5]], 0.5100949724380687),
    (7, [[2, 4, 5], [6], [1, 4, 6], [0, 1, 2], [1]], [[5], [3], [0]], 0.33124536160125834),
    (7, [[2, 4]], [[0, 5], [4, 5], [3, 5, 6], [0, 1, 4]], 0.25609137974729396),
    (7, [[2, 6], [2, 3, 4]], [[5], [2, 4], [2]], 0.6716791979949875),
]


@pytest.mark.parametrize(("n", "left", "right", "expected"), PEER_VALUES)
def test_values_of_other_programs(n, left, right, expected):
    assert ecs.mean_score(scores(left, right, n)) == pytest.approx(expected, abs=1e-12)


def test_objects_never_mentioned_score_1():
    found = scores([{0, 1}, {2, 3}], [{0, 1, 2}, {3}], 4)
    assert ecs.mean_score(found) == pytest.approx(13 / 24, abs=1e-15)
    assert ecs.mean_score(found, 6) == pytest.approx(49 / 60, abs=1e-15)


def test_the_mean_of_no_objects_is_1():
    assert scores([], [], 0).tolist() == []
    assert ecs.mean_score(np.ones(0)) == 1.0
    assert ecs.mean_score(np.ones(0), 3) == 1.0


def test_some_objects_score_as_they_do_among_all():
    for i, left, right, n in random_pairs(8, 100, largest=40, most=12):
        positions = np.random.default_rng(i).integers(0, n, 5)
        some = scores(left, right, n, positions=positions)
        assert some == pytest.approx(scores(left, right, n)[positions], abs=1e-14, rel=0)


@pytest.mark.usefixtures("by_iteration")
def test_what_is_walked_together_changes_no_bit():
    _, left, right, n = max(random_pairs(9, 30, largest=60, most=20), key=lambda pair: pair[3])
    every = scores(left, right, n)
    alone = [scores(left, right, n, positions=np.array([o]))[0] for o in range(n)]
    assert np.array_equal(alone, every)


def test_inputs_stay_as_they_are():
    left, right = runs([{0, 2}, {1, 2}], 4), runs([{1, 3}, {0, 3}], 4)
    copies = [array.copy() for side in (left, right) for array in side]
    with workers(2) as team:
        object_scores(left, right, 4, 0.9, team)
    for array, copy in zip((*left, *right), copies, strict=True):
        assert np.array_equal(array, copy)


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


def test_clusim_agrees(monkeypatch):
    from clusim import sim
    from clusim.clustering import Clustering
    from scipy import sparse

    # clusim 0.4 expects a dense matrix, which older versions of SciPy returned.
    monkeypatch.setattr(
        sparse.csr_matrix, "tolist", lambda self: self.toarray().tolist(), raising=False
    )
    for i, left, right, n in random_pairs(10, 60):
        if i % 3 == 0 or n < 3:
            continue
        theirs = []
        for side in (left, right):
            rest = set(range(n)).difference(*side)
            clusters = [*map(sorted, side), *([o] for o in sorted(rest))]
            theirs.append(Clustering().from_cluster_list(clusters))
        expected, order = sim.element_sim_elscore(*theirs, alpha=0.9)
        found = scores(left, right, n)
        assert found[list(order)] == pytest.approx(expected[list(order.values())], abs=1e-10)


def test_the_clusters_of_a_clustering_can_be_used_as_they_are():
    left = cv.Clustering.from_clusters([{"a", "b"}, {"b", "c"}])
    right = cv.Clustering.from_labels([0, 0, 1], objects=["a", "b", "c"])
    with workers(1) as team:
        found = object_scores(left.memberships.runs, right.memberships.runs, 3, 0.9, team)
    assert isinstance(left.memberships.runs, Runs)
    expected = by_definition([{0, 1}, {1, 2}], [{0, 1}, {2}], 3, 0.9)
    assert found == pytest.approx(expected, abs=1e-15)


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
