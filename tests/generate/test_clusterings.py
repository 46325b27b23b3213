"""Generated clusterings follow their exact distributions, and keep sizes or numbers."""

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product
from math import log2, sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

import coverlap as cv
from coverlap.generate import equal_partition, random_clustering, shuffled, skewed
from tests import naive
from tests.property.strategies import clusterings, labels

NAN = float("nan")
RNG = np.random.default_rng


def check_frequencies(observed: Counter, exact: dict) -> None:
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


def frozen(clusters) -> frozenset:
    """Return a dict of name to members as a hashable set."""
    return frozenset((name, frozenset(members)) for name, members in clusters.items())


def memberships(clustering: cv.Clustering) -> list[frozenset]:
    """Return the names of the clusters that each object is in."""
    named = clustering.to_dict().items()
    return [frozenset(name for name, members in named if x in members) for x in clustering.objects]


# equal_partition


@pytest.mark.parametrize(("n", "k"), [(0, 0), (1, 1), (5, 2), (7, 7), (1024, 32), (1024, 31)])
def test_an_equal_partition_puts_object_i_into_cluster_i_mod_k(n, k):
    made = equal_partition(n, k)
    assert made.to_clusters() == [set(range(c, n, k)) for c in range(k)]
    assert made.objects == list(range(n))
    assert (made.n_outliers, made.has_overlaps) == (0, False)
    assert made == cv.Clustering.from_labels([i % k for i in range(n)])


# shuffled


def exact_shuffles(clusters: dict, n: int, wanted: int) -> dict:
    """Return the probability of each result, from all choices of objects and permutations."""
    chances: Counter = Counter()
    for chosen in combinations(range(n), wanted):
        orders = list(permutations(chosen))
        for order in orders:
            new = dict(zip(chosen, order, strict=True))
            moved = {name: {new.get(x, x) for x in members} for name, members in clusters.items()}
            chances[frozen(moved)] += Fraction(1, len(orders))
    total = sum(chances.values())
    return {outcome: chance / total for outcome, chance in chances.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "share", [0.5, *(pytest.param(share, marks=pytest.mark.slow) for share in (0.75, 1.0))]
)
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
    assert after.sizes.tolist() == before.sizes.tolist() == [len(c) for c in after.to_clusters()]
    assert (
        after.n_outliers == before.n_outliers == len(naive.outliers(after.to_clusters(), range(n)))
    )
    old, new = memberships(before), memberships(after)
    assert Counter(old) == Counter(new)
    assert sum(a != b for a, b in zip(old, new, strict=True)) <= int(round(share * n, 9))


def test_none_or_one_object_cannot_be_exchanged():
    start = cv.as_clustering([0, 1, 2, 3])
    assert shuffled(start, 0, seed=1) == shuffled(start, 0.49, seed=1) == start


SHUFFLES = [
    (10 / 39, "fstar_wo", 0.6094428659520781, 0.0035108948119696596),
    (20 / 39, "fstar_wo", 0.3422853685336991, 0.004451268955906923),
    (1.0, "fstar_wo", 0.05762278246420393, 0.002066379085548154),
    (10 / 39, "omega", 0.5552032667590722, 0.004234532023387179),
    (20 / 39, "omega", 0.2388371818296365, 0.005518397226782996),
    (20 / 39, "ecs", 0.28496826171875, 0.005183948910008152),
    (1.0, "ecs", 0.06060546874999995, 0.0012188071213076307),
]
"""Points of the paper's stored curves, scenario 1: share, measure, mean and sd of 25 samples."""


@pytest.mark.parametrize(("share", "measure", "mean", "sd"), SHUFFLES)
def test_shuffling_gives_the_curves_of_the_paper(share, measure, mean, sd):
    start, rng = equal_partition(1024, 32), RNG(3)
    draws = [cv.score(start, shuffled(start, share, seed=rng), measure) for _ in range(100)]
    assert abs(np.mean(draws) - mean) < 4 * sd * sqrt(1 / 25 + 1 / 100)


NUMBERS = [
    (8, 0.09177050814470615, 0.0031810473197801),
    (24, 0.05727725712362393, 0.0018283858183342236),
    (96, 0.028281539501547173, 0.0010742377857921978),
    (1024, 1 / 128, 1e-12),
]
"""Points of the paper's stored curves, scenario 3: clusters, mean and sd of F*_wo (25 samples)."""


@pytest.mark.parametrize(("k", "mean", "sd"), NUMBERS)
def test_equal_partitions_of_other_numbers_give_the_curve_of_the_paper(k, mean, sd):
    left, right, rng = equal_partition(1024, 8), equal_partition(1024, k), RNG(4)
    draws = [cv.fstar_score(left, shuffled(right, seed=rng)) for _ in range(100)]
    assert abs(np.mean(draws) - mean) < 4 * sd * sqrt(1 / 25 + 1 / 100)


# skewed


def exact_walk(start: tuple, n_steps: int) -> dict:
    """Return the exact distribution of the process of scenario 2, as the paper describes it.

    A cluster is drawn with a probability proportional to its size, and then one of its objects,
    which stays if it is alone. The target is drawn in the same way, before the object leaves its
    cluster, and may be the same cluster.
    """
    chances = {start: Fraction(1)}
    for _ in range(n_steps):
        after: Counter = Counter()
        for state, chance in chances.items():
            there = [x for x, name in enumerate(state) if name >= 0]
            sizes = Counter(state[x] for x in there)
            n = len(there)
            for own, mover in ((state[x], x) for x in there):
                picked = Fraction(sizes[own], n) * Fraction(1, sizes[own])
                for target, size in sizes.items():
                    moves = sizes[own] > 1
                    new = (*state[:mover], target, *state[mover + 1 :]) if moves else state
                    after[new] += chance * picked * Fraction(size, n)
        chances = dict(after)
    return chances


@pytest.mark.slow
@pytest.mark.parametrize("n_steps", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 5))])
@pytest.mark.parametrize(
    "start", [(0, 0, 1, 1), (0, 0, 0, 1), (0, 1, 2, 2), (0, -1, 0, 1, -1), (0, 0, 0, 0)]
)
def test_every_walk_is_as_likely_as_it_should_be(start, n_steps):
    given, rng = cv.Clustering.from_labels(list(start)), RNG(len(set(start)))
    drawn = Counter(
        tuple(skewed(given, n_steps, seed=rng).to_labels().tolist()) for _ in range(5000)
    )
    check_frequencies(drawn, exact_walk(start, n_steps))


@given(st.integers(0, 12).flatmap(labels), st.integers(0, 40), st.integers(0, 99))
def test_a_walk_keeps_clusters_outliers_and_the_true_sizes(values, n_steps, seed):
    before = cv.Clustering.from_labels(values)
    after = skewed(before, n_steps, seed=seed)
    assert (after.names, after.objects) == (before.names, before.objects)
    assert np.array_equal(after.to_labels() < 0, before.to_labels() < 0)
    assert after.n_outliers == before.n_outliers
    clusters = after.to_clusters()
    assert after.sizes.tolist() == [len(cluster) for cluster in clusters]
    again = cv.Clustering.from_clusters(clusters, universe=before.objects)
    assert again == after


@given(st.integers(0, 12).flatmap(labels), st.integers(0, 99))
def test_how_a_clustering_was_given_does_not_matter(values, seed):
    by_labels = cv.Clustering.from_labels(values)
    by_sets = cv.Clustering.from_clusters(by_labels.to_dict(), universe=len(values))
    assert skewed(by_labels, 20, seed=seed) == skewed(by_sets, 20, seed=seed)
    assert shuffled(by_labels, 0.7, seed=seed) == shuffled(by_sets, 0.7, seed=seed)


def test_many_short_walks_are_as_one_would_think_of_a_long_one():
    walked, rng, sizes = equal_partition(1024, 32), RNG(5), []
    for _ in range(12_000):
        walked = skewed(walked, 500, seed=rng)
        sizes.append(walked.sizes)
    shares = np.array(sizes[2000:]) / 1024
    entropies = -(shares * np.log2(shares)).sum(axis=1)
    assert walked.n_clusters == 32
    assert log2(32) - entropies.mean() > 1
    # In the authors' data the stationary entropy is about 3.6 bits, mostly from 3.1 to 4.1.
    assert 3.4 < entropies.mean() < 3.8
    assert np.quantile(entropies, 0.1) > 2.9
    assert np.quantile(entropies, 0.9) < 4.3


def test_walks_longer_than_a_block_of_random_numbers_take_every_step(monkeypatch):
    steps: list[int] = []
    monkeypatch.setattr("coverlap.generate.clusterings.BLOCK", 3)
    monkeypatch.setattr(
        "coverlap._kernels.sampling.copy_codes", lambda draws, *_: steps.append(len(draws))
    )
    skewed([0, 0, 1, 1, 2], 7, seed=1)
    assert steps == [3, 3, 1]


# random_clustering


def exact_clusterings(n: int, k: int, mean: Fraction, n_outliers: int) -> dict:
    """Return the probability of each clustering, by enumerating outliers and memberships."""
    whole, rest = divmod(mean, 1)
    choices = [(set(), Fraction(1))]
    joined = [
        (set(some), chance / len(list(combinations(range(k), degree))))
        for degree, chance in ((whole, 1 - rest), (whole + 1, rest))
        if chance
        for some in combinations(range(k), degree)
    ]
    chances: Counter = Counter()
    who = list(combinations(range(n), n_outliers))
    for out in who:
        for case in product(*(choices if x in out else joined for x in range(n))):
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
        (3, 2, Fraction(1), 1),
        (3, 3, Fraction(5, 4), 1),
        (2, 3, Fraction(3), 0),
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
        assert set(degrees) <= {0, int(mean), -int(-mean // 1)}
    assert degrees[0] == made.n_outliers
    assert max(degrees, default=0) <= -int(-mean // 1)


def test_the_mean_number_of_memberships_is_right_where_it_is_not_whole():
    n = 200_000
    made = random_clustering(n, 500, memberships=2.3, outliers=0.25, seed=6)
    counts = np.bincount(np.asarray(made.to_matrix().sum(axis=0)).ravel())
    assert counts.tolist()[:3] == [n // 4, 0, counts[2]]
    assert counts[2] + counts[3] == n * 3 // 4
    assert abs(counts[3] - 0.3 * n * 3 / 4) < 4 * sqrt(n * 3 / 4 * 0.3 * 0.7)
    assert made.n_merged == made.n_dropped == 0


def test_clusters_are_joined_alike_also_across_blocks_of_objects(monkeypatch):
    monkeypatch.setattr("coverlap.generate.clusterings.BLOCK", 1000)
    made = random_clustering(20_000, 50, memberships=3, seed=7)
    assert made.n_memberships == 60_000
    # The size of a cluster is binomial with probability 3/50; the sum of all sizes is fixed.
    assert chisquare(made.sizes).statistic * 50 / 47 < 49 + 4 * sqrt(2 * 49)


# All generators


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: shuffled([0, 1, 2, 3, 4] * 10, 0.5, seed=seed),
        lambda seed: skewed([0, 1, 2, 3, 4] * 10, 50, seed=seed),
        lambda seed: random_clustering(50, 9, memberships=1.5, outliers=0.2, seed=seed),
    ],
    ids=["shuffled", "skewed", "random_clustering"],
)
def test_a_seed_fixes_the_result_and_a_generator_moves_on(make):
    assert make(8) == make(8) == make(np.int64(8)) == make(RNG(8))
    assert make(8) != make(9)
    rng = RNG(8)
    assert make(rng) == make(8)
    assert make(rng) != make(8)
    assert make(None) != make(None)


def test_names_and_objects_of_any_kind_are_kept():
    series = pd.Series(["x", "y", "y", None], index=["ann", "bob", "cyd", "dan"])
    for made in (shuffled(series, seed=0), skewed(series, 5, seed=0)):
        assert made.objects == ["ann", "bob", "cyd", "dan"]
        assert set(made.names) == {"x", "y"}
    assert skewed({"ann": 3, "bob": 7, "cyd": 7}, 0).to_dict() == {3: {"ann"}, 7: {"bob", "cyd"}}


def test_what_is_made_from_a_file_does_not_say_that_it_was_read(tmp_path):
    path = tmp_path / "labels.txt"
    path.write_text("0\n0\n1\n")
    assert "read as" in cv.read_clustering(path).describe()
    assert "read as" not in shuffled(path).describe() + skewed(path, 3).describe()


def test_the_given_labels_are_left_alone():
    values = np.array([0, 1, 2, 2] * 5)
    shuffled(values, seed=0)
    skewed(values, 100, seed=0)
    given = cv.Clustering.from_labels(values)
    skewed(given, 100, seed=0)
    assert values.tolist() == given.to_labels().tolist() == [0, 1, 2, 2] * 5
    assert given.sizes.tolist() == [5, 5, 10]


def test_nothing_can_be_made_of_nothing():
    for made in (shuffled([]), skewed([], 9), random_clustering(0, 3), equal_partition(0, 0)):
        assert (made.n_objects, made.n_clusters) == (0, 0)
    alone = cv.Clustering.from_clusters([], universe=3)
    assert skewed(alone, 9) == shuffled(alone) == random_clustering(3, 2, outliers=1) == alone


SCRIPT = """
from coverlap.generate import *
start = equal_partition(40, 5)
made = [shuffled(start, 0.5, seed=1), skewed(start, 60, seed=1)]
made += [random_clustering(40, 6, memberships=m, outliers=0.1, seed=1) for m in (1, 2.5)]
geometry = geometric_clusters([9, 4, 12, 15], seed=1)
made += [geometry.primary, geometry.grown(1.7), geometry.shrunk(0.4)]
print([sorted(map(sorted, c.to_clusters())) for c in made], geometry.points.tolist())
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


def partly(**options) -> cv.Clustering:
    return random_clustering(3, 2, **options)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: equal_partition(-1, 1), f"n_objects {COUNT} 0 to 4,294,967,295, not -1"),
        (
            lambda: equal_partition(2**32, 1),
            f"n_objects {COUNT} 0 to 4,294,967,295, not 4294967296",
        ),
        (lambda: equal_partition(5.0, 1), f"n_objects {COUNT} .* not 5.0"),
        (lambda: equal_partition(n_objects=True, n_clusters=1), f"n_objects {COUNT} .* not True"),
        (lambda: equal_partition(np.array([5]), 1), f"n_objects {COUNT} .* not array"),
        (lambda: equal_partition(5, 0), rf"n_clusters {COUNT} 1 to 5 \(n_objects\), not 0"),
        (lambda: equal_partition(5, 6), rf"n_clusters {COUNT} 1 to 5 \(n_objects\), not 6"),
        (lambda: equal_partition(0, 1), rf"n_clusters {COUNT} 0 to 0 \(n_objects\), not 1"),
        (lambda: equal_partition(5, "2"), f"n_clusters {COUNT} .* not '2'"),
        (lambda: shuffled([0, 1], 1.5), "share must be a number from 0 to 1, not 1.5"),
        (lambda: shuffled([0, 1], NAN), "share must be a number from 0 to 1, not nan"),
        (lambda: shuffled([0, 1], "all"), "share must be a number from 0 to 1, not 'all'"),
        (lambda: shuffled([0, 1], seed=-1), f"{SEED} -1"),
        (lambda: shuffled([0, 1], seed=1.0), f"{SEED} 1.0"),
        (lambda: shuffled([0, 1], seed=True), f"{SEED} True"),
        (lambda: shuffled([0, 1], seed="7"), f"{SEED} '7'"),
        (lambda: shuffled([0, 1], seed=[1, 2]), rf"{SEED} \[1, 2\]"),
        (lambda: shuffled([0, 1], seed=np.random.PCG64(1)), f"{SEED} <numpy.random"),
        (lambda: skewed([0, 1], -1), f"n_steps {COUNT} 0 to .* not -1"),
        (lambda: skewed([0, 1], 1.5), f"n_steps {COUNT} .* not 1.5"),
        (lambda: skewed([0, 1], 2**63), f"n_steps {COUNT} .* not 9223372036854775808"),
        (lambda: skewed([0, 1], 1, seed=-1), f"{SEED} -1"),
        (lambda: skewed([{0, 1}, {1, 2}], 1), "clustering must not overlap, but 1 object of it is"),
        (lambda: skewed([{0, 1}, {0, 1, 2}], 1), "overlap, but 2 objects of it are in several"),
        (lambda: random_clustering(-1, 2), f"n_objects {COUNT} 0 to .* not -1"),
        (lambda: random_clustering(3, 0), f"n_clusters {COUNT} 1 to .* not 0"),
        (lambda: random_clustering(3, 2.5), f"n_clusters {COUNT} 1 to .* not 2.5"),
        (lambda: partly(memberships=0.5), r"memberships .* from 1 to 2 \(n_clusters\), not 0.5"),
        (lambda: partly(memberships=2.1), r"memberships .* from 1 to 2 \(n_clusters\), not 2.1"),
        (lambda: partly(memberships=NAN), "memberships must be a number .* not nan"),
        (lambda: partly(memberships="1"), "memberships must be a number .* not '1'"),
        (lambda: partly(memberships=True), "memberships must be a number .* not True"),
        (lambda: partly(outliers=-0.1), "outliers must be a number from 0 to 1, not -0.1"),
        (lambda: partly(outliers=2), "outliers must be a number from 0 to 1, not 2"),
        (lambda: partly(seed=2.0), f"{SEED} 2.0"),
    ],
)
def test_bad_input_is_refused_with_one_clear_error(call, message):
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert isinstance(caught.value, (cv.OptionError, cv.InputError))
    assert caught.value.__context__ is None


@pytest.mark.parametrize("vary", [shuffled, lambda x: skewed(x, 1)])
@pytest.mark.parametrize("x", [5, None, [(0, 1)], {0: [1]}])
def test_what_is_no_clustering_is_refused(vary, x):
    with pytest.raises(cv.InputTypeError, match="clustering"):
        vary(x)


def test_options_are_checked_before_the_clustering_is_read():
    with pytest.raises(cv.OptionError, match="share"):
        shuffled("no such file", 2)
    with pytest.raises(cv.OptionError, match="n_steps"):
        skewed("no such file", -1)
