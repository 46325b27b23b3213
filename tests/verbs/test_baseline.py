"""Scores of unrelated clusterings with clusters of the same sizes."""

import json
from collections import Counter
from itertools import permutations
from math import fsum, log

import numpy as np
import pytest

import coverlap as cv
from coverlap import _kernels
from tests import naive

COVERS = [{0, 1, 2}, {2, 3}], [{0, 1}, {1, 2, 3}, {4}]


@pytest.mark.parametrize(
    ("sides", "universe"),
    [
        pytest.param(COVERS, {"universe": 6}, marks=pytest.mark.slow),
        (([{0, 1}, {2, 3}], [{0, 1, 2}, {3, 5}]), {"universe": 6}),
        (([{0, 1}], [{0, 1}]), {"n_objects": 4}),  # some objects are never mentioned
    ],
)
@pytest.mark.parametrize("as_labels", [False, True])
def test_the_mean_is_that_over_all_permutations_of_objects(sides, universe, as_labels):
    (n,) = universe.values()
    left, right = sides
    orders = [*permutations(range(n))]
    expected = sum(
        naive.fstar(left, [{order[x] for x in cluster} for cluster in right], range(n))
        for order in orders
    ) / len(orders)
    if as_labels and sides is not COVERS:
        sides = [
            [next((c for c, members in enumerate(side) if x in members), -1) for x in range(n)]
            for side in sides
        ]
    result = cv.baseline(*sides, **universe, n_draws=4000, seed=1)
    assert abs(result.mean - expected) < 4 * result.sd / np.sqrt(4000)


PARTITIONS = [cv.generate.random_clustering(300, k, seed=k) for k in (5, 7)]


@pytest.mark.parametrize("measure", ["ari", "ami", "omega"])
def test_adjusted_measures_score_zero_by_chance(measure):
    result = cv.baseline(*PARTITIONS, measure, n_draws=500)
    assert abs(result.mean) < 4 * result.sd / np.sqrt(500)


def test_adjusting_the_rand_index_by_permutations_gives_the_adjusted_rand_index():
    sides = PARTITIONS[0], cv.generate.shuffled(PARTITIONS[0], 0.5, seed=1)
    result = cv.baseline(*sides, "rand", n_draws=2000)
    assert result.adjusted == pytest.approx(cv.ari_score(*sides), abs=2e-3)


def test_every_order_is_equally_likely():
    seeds = np.random.SeedSequence(5).generate_state(24_000, np.uint64)
    orders = Counter()
    for seed in seeds:
        values = np.arange(4)
        _kernels.sampling.shuffle(values, seed)
        orders[tuple(values.tolist())] += 1
    assert len(orders) == 24
    chi2 = sum((times - 1000) ** 2 / 1000 for times in orders.values())
    assert chi2 < 49.7  # 99.9 % quantile of a chi-square distribution with 23 degrees of freedom


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("sides", [COVERS, ([0, 0, 1, 1, -1], [0, 1, 1, -1, -1])])
def test_a_seed_gives_the_same_draws_in_any_number_of_threads(threads, sides):
    one = cv.baseline(*sides, n_draws=50, seed=9, threads=threads)
    assert one.draws.tolist() == cv.baseline(*sides, n_draws=50, seed=9, threads=1).draws.tolist()
    assert one.draws.tolist() != cv.baseline(*sides, n_draws=50, seed=10).draws.tolist()


def test_what_is_derived_from_the_draws():
    result = cv.baseline([0] * 5 + [1] * 5, [0] * 5 + [1] * 5, n_draws=99)
    assert result.score == 1.0
    assert result.p == (1 + np.count_nonzero(result.draws >= 1.0)) / 100
    assert abs(result.mean - result.draws.mean()) < 4 * result.sd / np.sqrt(99)
    assert result.z == pytest.approx((1 - result.mean) / result.draws.std(ddof=1))
    assert result.adjusted == 1.0
    assert result.quantile(0.5) == np.median(result.draws)
    facts = result.to_dict()
    assert facts["adjusted_permute"] == 1.0
    assert facts["model"] == "permute"
    assert "draws" not in facts
    assert json.loads(result.to_json())["p"] == result.p
    assert "adjusted 1, n 99" in repr(result)


def test_a_small_distance_is_a_small_p():
    rng = np.random.default_rng(2)
    left = rng.integers(0, 4, 100)
    right = np.where(rng.random(100) < 0.9, left, 0)
    result = cv.baseline(left, right, "vi", n_draws=99)
    assert result.p == 0.01
    assert 0 < result.adjusted < 1


@pytest.mark.parametrize(
    "options",
    [{"n_draws": 1}, {"n_draws": 2.5}, {"seed": -1}, {"model": "shuffle"}, {"measure": "x"}],
)
def test_bad_options_are_refused(options):
    with pytest.raises(cv.OptionError):
        cv.baseline([0, 1], [0, 1], **options)


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), "a", None, True, [0.1, 0.2]])
def test_a_quantile_of_what_is_no_share_is_refused(share):
    with pytest.raises(cv.OptionError, match="share must be a number from 0 to 1"):
        cv.baseline([0, 0, 1], [0, 1, 1], n_draws=3).quantile(share)


@pytest.mark.parametrize("measure", ["fstar_wo", "onmi_mgh", "ecs", "omega", "exact_f1"])
def test_covers_are_scored_by_every_kind_of_measure(measure):
    result = cv.baseline(*COVERS, measure, n_draws=60)
    assert result.score == cv.score(*COVERS, measure)
    assert len(set(result.draws.tolist())) > 1


def test_too_many_objects_that_are_never_mentioned_are_refused():
    with pytest.raises(
        cv.UniverseError,
        match="1,000,000,000,000 objects, most of them never mentioned, are too many",
    ):
        cv.baseline([{0, 1}], [{0}], n_objects=10**12)


@pytest.mark.parametrize(
    ("left", "right", "adjusted"),
    [([0, 0, 0], [1, 1, 1], None), ([0, 0, 0, 1, 1, 2, 2, 2, 2, -1], [0] * 10, 0.0)],
)
def test_scores_that_do_not_vary_have_no_z_and_do_not_seem_to_vary_by_rounding(
    left, right, adjusted
):
    result = cv.baseline(left, right, n_draws=1000)
    assert result.mean == result.score
    assert (result.sd, result.z, result.p, result.adjusted) == (0.0, None, 1.0, adjusted)


def test_scores_that_differ_by_rounding_alone_are_as_good():
    draws = np.array([0.3, 0.1 + 0.2, 0.3 - 1e-16, 0.2, 0.4])
    assert cv.Baseline("mi", "permute", 0.1 + 0.2, draws).p == (1 + 4) / 6
    assert cv.Baseline("vi", "permute", 0.3 - 1e-16, draws).p == (1 + 4) / 6


def naive_score(left, right):
    pairs, lefts, rights = Counter(zip(left, right, strict=True)), Counter(left), Counter(right)
    n = len(left)
    return fsum(k / n * log(k * n / (lefts[x] * rights[y])) for (x, y), k in pairs.items())


def test_p_counts_all_permutations_that_score_the_same():
    """Equal scores may differ by rounding, but p must be the share of all permutations."""
    left, right = [0, 0, 1, 1, 1, 2], [0, 1, 1, 2, 2, 2]
    scores = [float(naive_score(left, order)) for order in permutations(right)]
    exact = np.mean([score >= naive_score(left, right) - 1e-12 for score in scores])
    found = cv.baseline(left, right, "mi", n_draws=4000).p
    assert abs(found - exact) < 4 * (exact * (1 - exact) / 4000) ** 0.5
