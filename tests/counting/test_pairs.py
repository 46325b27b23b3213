"""Pairs and B-cubed equal their definitions, with every strategy and any number of threads."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coverlap as cv
from coverlap.core.align import Pair
from coverlap.core.incidence import Runs, frozen
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.core.threads import workers
from coverlap.counting.memory import object_groups, pair_strategies
from coverlap.counting.memory.object_groups import group_objects
from coverlap.counting.memory.pair_strategies import (
    faster_strategy,
    visit_intersections,
    visit_neighbors,
)
from coverlap.counting.memory.pairs import (
    PairCounts,
    bcubed,
    count_pairs,
    count_pairs_and_bcubed,
    pair_counts,
    visit_pairs,
)
from tests.strategies import pairs

STRATEGIES = (visit_neighbors, visit_intersections)


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


def check(drawn, teams):
    """Check both strategies, each team with another order of the clusters, and the choice."""
    n_objects, left, right = drawn
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


@pytest.mark.parametrize("n", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_small_clusterings_equal_the_definition(n, teams):
    @settings(max_examples=n)
    @given(pairs(max_objects=8), st.integers(0, 2))
    def run(drawn, team):
        check(drawn, teams[team:][:1])

    run()


@pytest.mark.parametrize(("share", "cells", "writers"), [(0, 1, 1), (2, 7, 2), (0, 30, 2)])
def test_groups_cells_and_writers_change_nothing(share, cells, writers, teams, monkeypatch):
    monkeypatch.setattr(object_groups, "MAX_SHARE", share)
    monkeypatch.setattr(pair_strategies, "MAX_CELLS", cells)
    monkeypatch.setattr(pair_strategies, "MAX_ROW_WRITERS", writers)

    @settings(max_examples=40)
    @given(pairs(max_objects=7))
    def run(drawn):
        check(drawn, teams)

    run()


def test_losses_beyond_the_divisors_that_fit_are_rounded_alike(teams):
    rng = np.random.default_rng(1)
    for n_clusters in (60, 130, 200):
        left, right = (
            [set(np.flatnonzero(row).tolist()) for row in rng.random((n_clusters, 6)) < 0.8]
            for _ in range(2)
        )
        check((6, left, right), teams)


@pytest.mark.slow
@pytest.mark.parametrize(("n_clusters", "memberships"), [(300, 2), (60, 8), (500, 10)])
def test_two_thousand_objects_equal_dense_matrices(n_clusters, memberships, teams):
    drawn = cv.generate.random_clustering(2000, n_clusters, memberships=memberships, seed=1)
    mixed = cv.generate.shuffled(drawn, 0.5, seed=2)
    left, right = (side.to_matrix().toarray() > 0 for side in (drawn, mixed))
    t, u = (table.T.astype(np.float32) @ table.astype(np.float32) for table in (left, right))
    upper = np.triu_indices(2000, 1)
    ts, us = t[upper].astype(int), u[upper].astype(int)
    both = (ts > 0) & (us > 0)
    histograms = ((0, *np.bincount(counts)[1:].tolist()) for counts in (ts, us))
    want = PairCounts(2000, *histograms, int((both & (ts == us)).sum()), int(both.sum()))
    one, other = (runs([np.flatnonzero(row) for row in table]) for table in (left, right))
    results = {forced(one, other, 2000, team, each) for team in teams for each in STRATEGIES}
    pair = pair_of(one, other, 2000)
    assert {count_pairs_and_bcubed(pair, threads) for threads in (1, 2, 3)} == results
    ((counts, found),) = results
    assert counts == want == count_pairs(pair)
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
            whole = comb(n + more, 2)
            apart = whole - comb(n, 2)
            assert counts == (n + more, (0, apart, 0, comb(n, 2)), (0, whole), apart, whole)
            assert found.precision == 1.0
            mean = (n * (Fraction(n, 3) + more) + more * (n + more)) / Fraction((n + more) ** 2)
            assert found.recall == pytest.approx(float(mean), rel=1e-15)


@pytest.mark.parametrize(
    ("n_objects", "n_clusters", "memberships", "strategy"),
    [
        (20_000, 200, 3, visit_intersections),
        (3000, 40, 20, visit_neighbors),
        (1000, 9000, 40, visit_neighbors),
    ],
)
def test_the_strategy_is_chosen_by_the_clusterings(
    n_objects, n_clusters, memberships, strategy, teams, monkeypatch
):
    rng = np.random.default_rng(5)
    table = rng.random((n_clusters, n_objects)) < memberships / n_clusters
    cover = runs([np.flatnonzero(row) for row in table])
    groups = group_objects(cover, cover, n_objects, teams[0])
    chosen = faster_strategy(groups, n_objects, teams[0])
    assert getattr(chosen, "func", chosen) is strategy
    monkeypatch.setattr(pair_strategies, "MAX_SUM", 0)
    assert faster_strategy(groups, n_objects, teams[0]) is visit_neighbors
