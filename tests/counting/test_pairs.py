"""Pairs and B-cubed equal their definitions, with every strategy and any number of threads."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from coverlap.core.align import Pair
from coverlap.core.incidence import Runs, frozen
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.core.threads import workers
from coverlap.counting.memory import object_groups, pair_strategies
from coverlap.counting.memory import pairs as counting
from coverlap.counting.memory.object_groups import group_objects
from coverlap.counting.memory.pair_strategies import fastest_strategy
from coverlap.counting.memory.pairs import (
    PairCounts,
    bcubed,
    count_pairs,
    count_pairs_and_bcubed,
    pair_counts,
    visit_pairs,
)
from tests.marks import slow_after

STRATEGIES = (
    pair_strategies.visit_neighbors,
    pair_strategies.compare_bits,
    pair_strategies.visit_intersections,
)


@pytest.fixture(scope="module")
def teams():
    with workers(1) as one, workers(2) as two, workers(3) as three:
        yield one, two, three


def runs(clusters):
    pointers = np.cumsum([0, *map(len, clusters)])
    members = [member for cluster in clusters for member in sorted(cluster)]
    return Runs(frozen(pointers.astype(np.int64)), frozen(np.array(members, np.int32)))


def pair_of(left, right, n_objects):
    objects = Objects(n_objects)
    return Pair(Memberships(left, objects), Memberships(right, objects), objects, "union")


def draw_clusters(rng, n_objects):
    """Draw a few clusters: sparse, dense, empty, full, single; objects may repeat each other."""
    n_clusters, share = rng.integers(0, 7), rng.random()
    table = rng.random((n_clusters, n_objects)) < share
    if n_objects and rng.random() < 0.5:
        table = table[:, rng.integers(0, n_objects, n_objects)]
    clusters = [set(np.flatnonzero(row).tolist()) for row in table]
    if n_objects and rng.random() < 0.3:
        clusters += [set(range(n_objects)), {int(rng.integers(n_objects))}, set()]
    return clusters


def shared(clusters, one, other):
    return sum(one in cluster and other in cluster for cluster in clusters)


def naive_counts(left, right, n_objects):
    pairs = [
        (shared(left, *pair), shared(right, *pair)) for pair in combinations(range(n_objects), 2)
    ]
    return PairCounts(
        n_objects, naive_histogram(t for t, _ in pairs), naive_histogram(t for _, t in pairs),
        sum(t == u > 0 for t, u in pairs), sum(t > 0 < u for t, u in pairs),
    )  # fmt: skip


def naive_histogram(numbers):
    numbers = list(numbers)
    top = max(numbers, default=0)
    return tuple(0 if j == 0 else numbers.count(j) for j in range(top + 1)) if top else ()


def naive_mean(own, other, n_objects):
    """Return the mean precision of objects if own is found, recall if it is the truth."""
    means = []
    for e in range(n_objects):
        pairs = [(shared(own, e, f), shared(other, e, f)) for f in range(n_objects)]
        terms = [Fraction(min(t, u), t) for t, u in pairs if t > 0]
        if terms:
            means.append(sum(terms) / len(terms))
    return sum(means) / len(means) if means else Fraction(1)


def forced(left, right, n_objects, team, strategy):
    """Return pair counts and B-cubed, and check the counts taken without B-cubed too."""
    groups = group_objects(left, right, n_objects, team)
    visited = visit_pairs(groups, n_objects, team, by_object=False, strategy=strategy)
    counts = pair_counts(groups, visited, n_objects)
    visited = visit_pairs(groups, n_objects, team, by_object=True, strategy=strategy)
    assert pair_counts(groups, visited, n_objects) == counts
    return counts, bcubed(groups, visited, team)


def check(left, right, n_objects, teams):
    """Check all strategies, each team with another order of the clusters, and the table."""
    want = naive_counts(left, right, n_objects)
    precision, recall = naive_mean(right, left, n_objects), naive_mean(left, right, n_objects)
    results = set()
    for i, team in enumerate(teams):
        one, other = runs(left[i:] + left[:i]), runs(right[::-1] if i else right)
        results |= {forced(one, other, n_objects, team, strategy) for strategy in STRATEGIES}
    ((counts, found),) = results
    assert counts == want
    assert count_pairs(pair_of(runs(left), runs(right), n_objects)) == want
    assert abs(Fraction(found.precision) - precision) <= Fraction(1, 2**52)
    assert abs(Fraction(found.recall) - recall) <= Fraction(1, 2**52)


def test_pairs_and_bcubed_of_all_strategies_equal_the_definition(teams):
    rng = np.random.default_rng(0)
    for n_objects in (0, 1, 2, 3, 5, 8, 8):
        check(draw_clusters(rng, n_objects), draw_clusters(rng, n_objects), n_objects, teams)


@pytest.mark.parametrize("seed", slow_after(3, range(10)))
def test_small_clusterings(seed, teams):
    rng = np.random.default_rng(seed)
    for turn in range(100):
        n_objects = int(rng.integers(0, 9))
        left, right = draw_clusters(rng, n_objects), draw_clusters(rng, n_objects)
        check(left, left if turn % 10 == 0 else right, n_objects, teams[turn % 3 :][:1])


@pytest.mark.parametrize("seed", range(3))
def test_groups_cells_and_writers_change_nothing(seed, teams, monkeypatch):
    rng = np.random.default_rng(seed)
    for share, cells, writers in ((0, 1, 1), (2, 7, 2), (0, 30, 2)):
        monkeypatch.setattr(object_groups, "MAX_SHARE", share)
        monkeypatch.setattr(pair_strategies, "MAX_CELLS", cells)
        monkeypatch.setattr(pair_strategies, "MAX_ROW_WRITERS", writers)
        for _ in range(20):
            check(draw_clusters(rng, 7), draw_clusters(rng, 7), 7, teams)


def test_losses_beyond_the_divisors_that_fit_are_rounded_alike(teams):
    rng = np.random.default_rng(1)
    for n_clusters in (60, 130, 200):
        left, right = (
            [set(np.flatnonzero(row).tolist()) for row in rng.random((n_clusters, 6)) < 0.8]
            for _ in range(2)
        )
        check(left, right, 6, teams)


def draw_table(rng, n_objects, n_clusters, memberships):
    share = (np.arange(1, n_clusters + 1) ** -0.6)[:, None]
    share *= memberships / share.sum()
    return rng.random((n_clusters, n_objects)) < share


@pytest.mark.slow
@pytest.mark.parametrize(("n_clusters", "memberships"), [(300, 2), (60, 8), (500, 10)])
def test_two_thousand_objects_equal_dense_matrices(n_clusters, memberships, teams, monkeypatch):
    rng = np.random.default_rng(n_clusters)
    left = draw_table(rng, 2000, n_clusters, memberships)
    moved = rng.random(left.shape) < 0.5
    right = np.where(moved, draw_table(rng, 2000, n_clusters, memberships), left)
    t, u = (table.T.astype(np.float32) @ table.astype(np.float32) for table in (left, right))
    pairs = np.triu_indices(2000, 1)
    ts, us = t[pairs].astype(int), u[pairs].astype(int)
    both = (ts > 0) & (us > 0)
    histograms = ((0, *np.bincount(counts)[1:].tolist()) for counts in (ts, us))
    want = PairCounts(2000, *histograms, int((both & (ts == us)).sum()), int(both.sum()))
    one, other = (runs([np.flatnonzero(row) for row in table]) for table in (left, right))
    results = {forced(one, other, 2000, team, each) for team in teams for each in STRATEGIES}
    pair = pair_of(one, other, 2000)
    assert {count_pairs_and_bcubed(pair, threads) for threads in (1, 2, 3)} == results
    ((counts, found),) = results
    assert counts == want == count_pairs(pair)
    monkeypatch.setattr(counting, "MAX_TABLE_STEPS", 1 << 62)
    assert count_pairs(pair) == want
    assert found.precision == pytest.approx(dense_mean(u, t), rel=1e-13)
    assert found.recall == pytest.approx(dense_mean(t, u), rel=1e-13)


def dense_mean(own, other):
    own, other = own.astype(float), other.astype(float)
    terms = np.minimum(own, other) / np.maximum(own, 1)
    reach = (own > 0).sum(axis=1)
    return (terms.sum(axis=1)[reach > 0] / reach[reach > 0]).mean()


def test_many_objects_in_two_groups(teams):
    """Numbers of pairs beyond 2**32, with 3 and 1 clusters shared on the left."""
    n, more = 300_000, 100_000
    left, right = runs([range(n), range(n), range(n + more)]), runs([range(n + more)])
    for team in teams:
        for strategy in STRATEGIES:
            counts, found = forced(left, right, n + more, team, strategy)
            pairs = comb(n + more, 2)
            apart = pairs - comb(n, 2)
            assert counts == (n + more, (0, apart, 0, comb(n, 2)), (0, pairs), apart, pairs)
            assert found.precision == 1.0
            mean = (n * (Fraction(n, 3) + more) + more * (n + more)) / Fraction((n + more) ** 2)
            assert found.recall == pytest.approx(float(mean), rel=1e-15)


def test_equal_clusterings_have_precision_and_recall_one(teams):
    rng = np.random.default_rng(3)
    cover = runs([np.flatnonzero(row) for row in draw_table(rng, 500, 100, 15)])
    for strategy in STRATEGIES:
        counts, found = forced(cover, cover, 500, teams[1], strategy)
        assert found == (1.0, 1.0)
        assert counts.n_equal == counts.n_both == sum(counts.left)


@pytest.mark.parametrize(
    ("n_objects", "n_clusters", "memberships", "strategy"),
    [
        (20_000, 200, 3, "visit_intersections"),
        (3000, 40, 20, "compare_bits"),
        (1000, 9000, 40, "visit_neighbors"),
    ],
)
def test_the_strategy_is_chosen_by_the_clusterings(
    n_objects, n_clusters, memberships, strategy, teams, monkeypatch
):
    rng = np.random.default_rng(5)
    table = rng.random((n_clusters, n_objects)) < memberships / n_clusters
    cover = runs([np.flatnonzero(row) for row in table])
    groups = group_objects(cover, cover, n_objects, teams[0])
    chosen = fastest_strategy(groups, n_objects, teams[0], by_object=False)
    assert getattr(chosen, "func", chosen) is getattr(pair_strategies, strategy)
    monkeypatch.setattr(pair_strategies, "MAX_SUM", 0)
    assert fastest_strategy(groups, n_objects, teams[0], by_object=True) in {
        pair_strategies.visit_neighbors,
        pair_strategies.compare_bits,
    }
