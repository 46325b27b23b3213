"""Generated clusterings follow their exact distributions, and keep sizes or numbers."""

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product
from math import ceil, sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

import coverlap as cv
from coverlap.generate import equal_partition, random_clustering, shuffled
from tests import naive
from tests.strategies import clusterings, labels

NAN = float("nan")
RNG = np.random.default_rng


def check_frequencies(observed, exact):
    """Compare observed frequencies with exact probabilities; rare outcomes are pooled."""
    assert sum(exact.values()) == 1
    assert set(observed) <= set(exact)
    n = observed.total()
    often = [outcome for outcome, share in exact.items() if share * n >= 10]
    counts = [observed[outcome] for outcome in often]
    expected = [float(exact[outcome] * n) for outcome in often]
    if len(often) < len(exact):
        counts.append(n - sum(counts))
        expected.append(n - sum(expected))
    assert len(counts) == 1 or chisquare(counts, expected).pvalue > 1e-3


def frozen(clusters):
    """Return a dict of name to members as a hashable set."""
    return frozenset((name, frozenset(members)) for name, members in clusters.items())


def memberships(clustering):
    """Return the names of the clusters that each object is in."""
    named = clustering.to_dict().items()
    return [frozenset(name for name, members in named if x in members) for x in clustering.objects]


# equal_partition


@pytest.mark.parametrize(("n", "k"), [(0, 0), (1, 1), (5, 2), (7, 7), (1024, 31)])
def test_an_equal_partition_puts_object_i_into_cluster_i_mod_k(n, k):
    made = equal_partition(n, k)
    assert made.to_clusters() == [set(range(c, n, k)) for c in range(k)]
    assert made == cv.Clustering.from_labels([i % k for i in range(n)])


# shuffled


def exact_shuffles(clusters, n, wanted):
    """Return the probability of each result, from all choices of objects and permutations."""
    chances = Counter()
    for chosen in combinations(range(n), wanted):
        orders = list(permutations(chosen))
        for order in orders:
            new = dict(zip(chosen, order, strict=True))
            moved = {name: {new.get(x, x) for x in members} for name, members in clusters.items()}
            chances[frozen(moved)] += Fraction(1, len(orders))
    total = sum(chances.values())
    return {outcome: chance / total for outcome, chance in chances.items()}


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.5, 0.75, 1.0])
@pytest.mark.parametrize(
    "clusters",
    [{0: {0}, 1: {1}, 2: {2}, 3: {3}}, {"a": {0, 1}, "b": {1, 2}}, {0: {0, 3}, 1: {2}}],
    ids=["all apart", "overlapping, with an outlier", "partition with an outlier"],
)
def test_every_exchange_of_memberships_is_as_likely_as_it_should_be(clusters, share):
    exact = exact_shuffles(clusters, 4, int(4 * share))
    start = cv.Clustering.from_clusters(clusters, universe=4)
    rng = RNG(int(100 * share))
    drawn = Counter(frozen(shuffled(start, share, seed=rng).to_dict()) for _ in range(5000))
    check_frequencies(drawn, exact)


@given(
    st.integers(0, 9).flatmap(lambda n: st.tuples(st.just(n), clusterings(n))),
    st.floats(0, 1),
    st.integers(0, 99),
)
def test_shuffling_passes_memberships_on_and_leaves_the_others_alone(case, share, seed):
    n, clusters = case
    before = cv.Clustering.from_clusters(clusters, universe=n)
    after = shuffled(before, share, seed=seed)
    assert (after.names, after.objects) == (before.names, before.objects)
    assert after.sizes.tolist() == [len(c) for c in after.to_clusters()]
    old, new = memberships(before), memberships(after)
    assert Counter(old) == Counter(new)
    assert sum(a != b for a, b in zip(old, new, strict=True)) <= int(round(share * n, 9))


@given(st.integers(0, 12).flatmap(labels), st.integers(0, 99))
def test_how_a_clustering_was_given_does_not_matter(values, seed):
    by_labels = cv.Clustering.from_labels(values)
    by_sets = cv.Clustering.from_clusters(by_labels.to_dict(), universe=len(values))
    assert shuffled(by_labels, 0.7, seed=seed) == shuffled(by_sets, 0.7, seed=seed)


def test_none_or_one_object_cannot_be_exchanged():
    start = cv.as_clustering([0, 1, 2, 3])
    assert shuffled(start, 0, seed=1) == shuffled(start, 0.49, seed=1) == start


CURVES = [
    (32, 10 / 39, "fstar_wo", 0.6094428659520781, 0.0035108948119696596),
    (32, 20 / 39, "fstar_wo", 0.3422853685336991, 0.004451268955906923),
    (32, 1.0, "fstar_wo", 0.05762278246420393, 0.002066379085548154),
    (32, 20 / 39, "omega", 0.2388371818296365, 0.005518397226782996),
    (32, 1.0, "ecs", 0.06060546874999995, 0.0012188071213076307),
    (8, 1.0, "fstar_wo", 0.09177050814470615, 0.0031810473197801),
    (96, 1.0, "fstar_wo", 0.028281539501547173, 0.0010742377857921978),
    (1024, 1.0, "fstar_wo", 1 / 128, 1e-12),
]
"""Points of the paper's stored curves, scenarios 1 (32 clusters on both sides) and 3 (8 clusters on
the left): clusters that are shuffled, share, measure, mean and sd of 25 samples."""


@pytest.mark.parametrize(("k", "share", "measure", "mean", "sd"), CURVES)
def test_shuffled_equal_partitions_give_the_curves_of_the_paper(k, share, measure, mean, sd):
    left, right, rng = equal_partition(1024, 32 if k == 32 else 8), equal_partition(1024, k), RNG(3)
    draws = [cv.score(left, shuffled(right, share, seed=rng), measure) for _ in range(100)]
    assert abs(np.mean(draws) - mean) < 4 * sd * sqrt(1 / 25 + 1 / 100)


# random_clustering


def exact_clusterings(n, k, mean, n_outliers):
    """Return the probability of each clustering, by enumerating outliers and memberships."""
    whole, rest = divmod(mean, 1)
    joined = [
        (set(some), chance / len(list(combinations(range(k), degree))))
        for degree, chance in ((whole, 1 - rest), (whole + 1, rest))
        if chance
        for some in combinations(range(k), degree)
    ]
    chances = Counter()
    who = list(combinations(range(n), n_outliers))
    for out in who:
        for case in product(*([(set(), 1)] if x in out else joined for x in range(n))):
            clusters = {c: frozenset(x for x in range(n) if c in case[x][0]) for c in range(k)}
            kept = naive.normalise(clusters.values())
            named = {next(c for c in range(k) if clusters[c] == cluster): cluster
                     for cluster in kept}  # fmt: skip
            chance = Fraction(1, len(who))
            for _, factor in case:
                chance *= factor
            chances[frozen(named)] += chance
    return dict(chances)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "k", "mean", "n_outliers"),
    [
        (2, 4, Fraction(2), 0),
        (2, 3, Fraction(3, 2), 0),
        (3, 3, Fraction(5, 4), 1),
        (3, 2, Fraction(7, 4), 2),
        (3, 1, Fraction(1), 1),
    ],
)
def test_every_random_clustering_is_as_likely_as_it_should_be(n, k, mean, n_outliers):
    rng = RNG(n + k)
    drawn = Counter(
        frozen(
            random_clustering(
                n, k, memberships=mean, outliers=Fraction(n_outliers, n), seed=rng
            ).to_dict()
        )
        for _ in range(5000)
    )  # fmt: skip
    check_frequencies(drawn, exact_clusterings(n, k, mean, n_outliers))


@given(
    st.integers(0, 30),
    st.integers(1, 8),
    st.floats(1, 8),
    st.floats(0, 1),
    st.integers(0, 99),
)
def test_random_clusterings_have_the_outliers_and_memberships_asked_for(n, k, mean, share, seed):
    mean = min(mean, k)
    made = random_clustering(n, k, memberships=mean, outliers=share, seed=seed)
    assert made.objects == list(range(n))
    assert made.n_outliers == round(share * n)
    assert made.n_clusters + made.n_dropped + made.n_merged == k
    degrees = Counter(len(names) for names in memberships(made))
    if made.n_merged == 0:
        assert set(degrees) <= {0, int(mean), ceil(mean)}
    assert degrees[0] == made.n_outliers
    assert max(degrees, default=0) <= ceil(mean)


def test_the_mean_number_of_memberships_is_right_where_it_is_not_whole():
    n = 200_000
    made = random_clustering(n, 500, memberships=2.3, outliers=0.25, seed=6)
    counts = np.bincount(np.asarray(made.to_matrix().sum(axis=0)).ravel())
    assert counts.tolist()[:3] == [n // 4, 0, counts[2]]
    assert counts[2] + counts[3] == n * 3 // 4
    assert abs(counts[3] - 0.3 * n * 3 / 4) < 4 * sqrt(n * 3 / 4 * 0.3 * 0.7)
    assert made.n_merged == made.n_dropped == 0


def test_clusters_are_joined_alike_also_across_blocks_of_objects(monkeypatch):
    monkeypatch.setattr("coverlap.generate.BLOCK", 1000)
    made = random_clustering(20_000, 50, memberships=3, seed=7)
    assert made.n_memberships == 60_000
    # The size of a cluster is binomial with probability 3/50; the sum of all sizes is fixed.
    assert chisquare(made.sizes).statistic * 50 / 47 < 49 + 4 * sqrt(2 * 49)


# All generators


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: shuffled([0, 1, 2, 3, 4] * 10, 0.5, seed=seed),
        lambda seed: random_clustering(50, 9, memberships=1.5, outliers=0.2, seed=seed),
    ],
    ids=["shuffled", "random_clustering"],
)
def test_a_seed_fixes_the_result_and_a_generator_moves_on(make):
    assert make(8) == make(8) == make(np.int64(8)) == make(RNG(8))
    assert make(8) != make(9)
    rng = RNG(8)
    assert make(rng) == make(8)
    assert make(rng) != make(8)
    assert make(None) != make(None)


def test_names_and_objects_of_any_kind_are_kept():
    made = shuffled(pd.Series(["x", "y", "y", None], index=["ann", "bob", "cyd", "dan"]), seed=0)
    assert made.objects == ["ann", "bob", "cyd", "dan"]
    assert set(made.names) == {"x", "y"}


def test_what_is_made_from_a_file_does_not_say_that_it_was_read(tmp_path):
    path = tmp_path / "labels.txt"
    path.write_text("0\n0\n1\n")
    assert "read as" in cv.read_clustering(path).describe()
    assert "read as" not in shuffled(path).describe()


def test_the_given_labels_are_left_alone():
    values = np.array([0, 1, 2, 2] * 5)
    shuffled(values, seed=0)
    assert values.tolist() == [0, 1, 2, 2] * 5


def test_nothing_can_be_made_of_nothing():
    for made in (shuffled([]), random_clustering(0, 3), equal_partition(0, 0)):
        assert (made.n_objects, made.n_clusters) == (0, 0)
    alone = cv.Clustering.from_clusters([], universe=3)
    assert shuffled(alone) == random_clustering(3, 2, outliers=1) == alone


SCRIPT = """
from coverlap.generate import *
start = equal_partition(40, 5)
made = [shuffled(start, 0.5, seed=1)]
made += [random_clustering(40, 6, memberships=m, outliers=0.1, seed=1) for m in (1, 2.5)]
print([sorted(map(sorted, c.to_clusters())) for c in made])
"""


@pytest.mark.slow
def test_the_compiler_changes_nothing():
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "ignore:overflow encountered", "-c", SCRIPT], text=True,
            capture_output=True, check=True, env={**os.environ, "NUMBA_DISABLE_JIT": off},
        ).stdout
        for off in "01"
    ]  # fmt: skip
    assert outputs[0] == outputs[1] != ""


COUNT = "must be an integer from"
SEED = "seed must be an integer of at least 0, a numpy.random.Generator or None, not"
SHARE = "must be a number from 0 to 1, not"


def partly(**options):
    return random_clustering(3, 2, **options)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: equal_partition(-1, 1), f"n_objects {COUNT} 0 to 4,294,967,295, not -1"),
        (lambda: equal_partition(2**32, 1), f"n_objects {COUNT} 0 to .* not 4294967296"),
        (lambda: equal_partition(5.0, 1), f"n_objects {COUNT} .* not 5.0"),
        (lambda: equal_partition(n_objects=True, n_clusters=1), f"n_objects {COUNT} .* not True"),
        (lambda: equal_partition(5, 0), rf"n_clusters {COUNT} 1 to 5 \(n_objects\), not 0"),
        (lambda: equal_partition(0, 1), rf"n_clusters {COUNT} 0 to 0 \(n_objects\), not 1"),
        (lambda: shuffled([0, 1], 1.5), f"share {SHARE} 1.5"),
        (lambda: shuffled([0, 1], NAN), f"share {SHARE} nan"),
        (lambda: shuffled([0, 1], seed=-1), f"{SEED} -1"),
        (lambda: shuffled([0, 1], seed=True), f"{SEED} True"),
        (lambda: shuffled([0, 1], seed=np.random.PCG64(1)), f"{SEED} <numpy.random"),
        (lambda: random_clustering(3, 0), f"n_clusters {COUNT} 1 to .* not 0"),
        (lambda: partly(memberships=0.5), r"memberships .* from 1 to 2 \(n_clusters\), not 0.5"),
        (lambda: partly(memberships=2.1), r"memberships .* from 1 to 2 \(n_clusters\), not 2.1"),
        (lambda: partly(outliers=-0.1), f"outliers {SHARE} -0.1"),
        (lambda: partly(seed=2.0), f"{SEED} 2.0"),
    ],
)
def test_bad_input_is_refused_with_one_clear_error(call, message):
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert isinstance(caught.value, (cv.OptionError, cv.InputError))
    assert caught.value.__context__ is None


@pytest.mark.parametrize("x", [5, None, [(0, 1)], {0: [1]}])
def test_what_is_no_clustering_is_refused(x):
    with pytest.raises(cv.InputTypeError, match="clustering"):
        shuffled(x)


def test_options_are_checked_before_the_clustering_is_read():
    with pytest.raises(cv.OptionError, match="share"):
        shuffled("no such file", 2)
