"""Intervals for a score."""

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import coverlap as cv
from coverlap.clustering.clustering import Clustering
from coverlap.verbs.inference import resampled

COVERS = [{0, 1, 2}, {2, 3}, {3, 4, 5}], [{0, 1}, {1, 2, 3}, {4, 5}]


def noisy(n: int, share: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(-1, 5, n)
    return truth, np.where(rng.random(n) < share, rng.integers(-1, 5, n), truth)


def resample(clustering, times):
    return Clustering(resampled(clustering.memberships, times))


def copies(clusters, times):
    """Return clusters of (object, copy) pairs, with as many copies as an object was drawn."""
    return [{(x, k) for x in cluster for k in range(times[x])} for cluster in clusters]


@pytest.mark.parametrize("measure", ["fstar_wo", "omega", "onmi_mgh", "ecs"])
def test_an_object_drawn_twice_counts_as_two_objects_alike(measure):
    rng = np.random.default_rng(0)
    for _ in range(30):
        times = np.bincount(rng.integers(6, size=6), minlength=6)
        universe = [(x, k) for x in range(6) for k in range(times[x])]
        drawn = [resample(cv.Clustering.from_clusters(side, universe=6), times) for side in COVERS]
        expected = cv.score(*(copies(side, times) for side in COVERS), measure, universe=universe)
        assert cv.score(*drawn, measure) == pytest.approx(expected, abs=1e-13)


def test_labels_and_sets_are_resampled_alike():
    labels = np.array([0, 0, 1, -1, 1, 2])
    sets = [{0, 1}, {2, 4}, {5}]
    times = np.array([2, 0, 1, 3, 0, 1])
    from_labels = resample(Clustering.from_labels(labels), times)
    from_sets = resample(Clustering.from_clusters(sets, universe=6), times)
    assert from_labels == from_sets
    assert from_labels.n_outliers == 3


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["fstar_wo", "ari", "nmi"])
def test_intervals_hold_the_score_of_the_population_about_as_often_as_they_say(measure):
    """Count how many intervals of samples contain the score of a large population."""
    options = {} if measure == "fstar_wo" else {"outliers_as": "cluster"}
    population = cv.score(*noisy(400_000, 0.3, 1), measure, **options)
    held = 0
    for seed in range(100):
        result = cv.bootstrap(
            *noisy(500, 0.3, 100 + seed), measure, n_draws=200, seed=seed, **options
        )
        held += result.low <= population <= result.high
    assert 86 <= held <= 100  # with a probability of 0.95, fewer than 86 occur once in 6,000


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_seed_gives_the_same_draws_in_any_number_of_threads(threads):
    sides = noisy(300, 0.3, 5)
    one = cv.bootstrap(*sides, n_draws=40, seed=3, threads=threads)
    assert one.draws.tolist() == cv.bootstrap(*sides, n_draws=40, seed=3, threads=1).draws.tolist()
    assert one.draws.tolist() != cv.bootstrap(*sides, n_draws=40, seed=4).draws.tolist()


def test_equal_clusterings_have_no_uncertainty():
    result = cv.bootstrap(*(noisy(100, 0.3, 5)[:1] * 2), n_draws=20)
    assert (result.value, result.low, result.high, result.standard_error) == (1.0, 1.0, 1.0, 0.0)


def test_an_interval_as_json():
    result = cv.bootstrap(*noisy(50, 0.3, 5), n_draws=20)
    facts = json.loads(result.to_json())
    assert (facts["value"], facts["low"], facts["n_draws"]) == (result.value, result.low, 20)


def test_a_higher_level_is_a_wider_interval():
    sides = noisy(300, 0.3, 5)
    narrow, wide = (cv.bootstrap(*sides, n_draws=200, level=level) for level in (0.5, 0.99))
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high
    assert narrow.draws.tolist() == wide.draws.tolist()


def test_a_difference_is_that_of_the_two_scores_on_the_same_draws():
    truth, one = noisy(300, 0.2, 5)
    other = noisy(300, 0.6, 5)[1]
    result = cv.bootstrap_difference(truth, one, other, n_draws=50, seed=1)
    first, second = (cv.bootstrap(truth, side, n_draws=50, seed=1) for side in (one, other))
    assert result.value == first.value - second.value
    assert result.draws.tolist() == (first.draws - second.draws).tolist()
    assert result.low > 0
    assert result.share_above_zero == 1.0
    assert result.measure == "difference of fstar_wo"
    assert repr(result).startswith("Interval(difference of fstar_wo: 0.")


def test_what_is_said_of_the_draws_is_said_of_the_moved_ones():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 100, 400)
    one, other = (np.where(rng.random(400) < 0.3, rng.permutation(truth), truth) for _ in range(2))
    result = cv.bootstrap_difference(truth, one, other, "ari", n_draws=200)
    moved = result.draws - (result.draws.mean() - result.value)
    assert result.low == pytest.approx(np.quantile(moved, 0.025))
    assert result.share_above_zero == np.mean(moved > 0)


def test_limits_stay_in_the_range_of_the_measure():
    truth = np.repeat(np.arange(30), 10)
    found = truth.copy()
    found[0] = 1
    for measure in ("rand", "ari", "nmi"):
        result = cv.bootstrap(truth, found, measure, n_draws=200)
        assert result.low < result.value < result.high <= 1.0


def test_pairing_makes_a_small_difference_surer():
    truth, one = noisy(400, 0.2, 5)
    other = one.copy()
    other[:4] = -1
    paired = cv.bootstrap_difference(truth, one, other, n_draws=200)
    alone = cv.bootstrap(truth, one, n_draws=200)
    assert paired.standard_error < alone.standard_error / 3


@pytest.mark.parametrize("universe", ["union", "intersection", "left", ["a", "b", "c", "d", "e"]])
def test_three_clusterings_are_put_on_one_universe(universe):
    truth = {"a": 1, "b": 1, "c": 2}
    one, other = {"a": 1, "b": 2, "d": 2}, {"c": 1, "b": 1, "e": 1}
    objects = {
        "union": ["a", "b", "c", "d", "e"], "intersection": ["b"], "left": ["a", "b", "c"],
    }.get(universe if isinstance(universe, str) else "", universe)  # fmt: skip
    result = cv.bootstrap_difference(truth, one, other, universe=universe, n_draws=10)
    kept = [{x: label for x, label in side.items() if x in objects} for side in (truth, one, other)]
    expected = [cv.fstar_score(kept[0], side, universe=objects) for side in kept[1:]]
    assert result.value == expected[0] - expected[1]


def test_objects_that_are_never_mentioned_are_drawn_too():
    result = cv.bootstrap([{0, 1}], [{0, 1, 2}], n_objects=50, n_draws=30)
    assert result.value == cv.fstar_score([{0, 1}], [{0, 1, 2}], n_objects=50)
    assert len(set(result.draws.tolist())) > 1


def test_no_objects_score_one():
    result = cv.bootstrap([], [], n_draws=5)
    assert (result.value, result.low, result.high) == (1.0, 1.0, 1.0)
    assert cv.bootstrap_difference([], [], [], n_draws=5).value == 0.0


@pytest.mark.parametrize(
    "options",
    [{"n_draws": 1}, {"level": 1}, {"level": 0}, {"level": "a"}, {"seed": -1}, {"threads": 0}],
)
def test_bad_options_are_refused(options):
    with pytest.raises(cv.OptionError):
        cv.bootstrap([0, 1], [0, 1], **options)


def test_a_universe_of_one_of_two_predictions_is_refused():
    with pytest.raises(cv.OptionError, match="universe must be one of 'union', 'intersection', 'l"):
        cv.bootstrap_difference({0: 1}, {0: 1}, {0: 1}, universe="right")


INDEXED = pd.Series([0, 1, 1, 1, 2], index=[10, 11, 12, 13, 14])


@pytest.mark.parametrize(
    "sides",
    [
        ([0, 0, 1, 1, 2], INDEXED, [0, 0, 0, 1, 1]),
        ([0, 0, 1, 1, 2], INDEXED, INDEXED.iloc[::-1]),
        (INDEXED, [0, 0, 1, 1, 2], [0, 0, 0, 1, 1]),
        (INDEXED, [0, 0, 1, 1, 2], INDEXED.sort_values(ascending=False)),
        ([0, 0, 1, 1, 2], INDEXED, {0: 1, 1: 1, 4: 2}),
        ([0, 0, 1, 1, 2], INDEXED.set_axis([7, 7, 8, 9, 9]), [0, 0, 0, 1, 1]),
    ],
)
def test_objects_without_ids_are_told_by_their_place_as_in_single_scores(sides):
    left, right, other = sides
    result = cv.bootstrap_difference(left, right, other, n_draws=5)
    assert result.value == cv.score(left, right) - cv.score(left, other)


@pytest.mark.parametrize("universe", [True, -1, 2**70, np.array(5)])
def test_a_universe_that_is_none_is_refused_by_both(universe):
    labels = [0, 0, 1, 1, 2]
    with pytest.raises(cv.OptionError, match="universe must be"):
        cv.bootstrap_difference(labels, labels, labels, n_draws=2, universe=universe)
    with pytest.raises(cv.OptionError, match="universe must be"):
        cv.bootstrap(labels, labels, n_draws=2, universe=universe)


def test_a_universe_without_room_is_refused_and_a_large_one_is_laid_out():
    labels = [0, 0, 1, 1, 2], [0, 1, 1, 1, 2], [0, 0, 0, 1, 1]
    with pytest.raises(cv.UniverseError, match="are too many"):
        cv.bootstrap_difference(*labels, n_draws=2, universe=10**15)
    result = cv.bootstrap_difference(*labels, n_draws=2, universe=100)
    first, second = (cv.score(labels[0], side, universe=100) for side in labels[1:])
    assert result.value == first - second


def test_a_difference_the_other_way_round_is_the_negative():
    left, right = noisy(80, 0.3, 3)
    other = noisy(80, 0.6, 4)[1]
    forth = cv.bootstrap_difference(left, right, other, n_draws=20)
    back = cv.bootstrap_difference(left, other, right, n_draws=20)
    assert forth.draws.tolist() == (-back.draws).tolist()


@pytest.mark.parametrize("rule", ["everyone", 1, ["left"]])
def test_a_rule_for_dropping_outliers_that_does_not_exist_is_refused(rule):
    labels = [0, 0, 1]
    with pytest.raises(cv.OptionError, match="drop_outliers"):
        cv.bootstrap(labels, labels, n_draws=2, drop_outliers=rule)
    with pytest.raises(cv.OptionError, match="drop_outliers"):
        cv.bootstrap_difference(labels, labels, labels, n_draws=2, drop_outliers=rule)


def test_a_level_may_be_any_real_number():
    left, right = noisy(50, 0.3, 3)
    wanted = cv.bootstrap(left, right, n_draws=10, level=0.5)
    for level in (np.float32(0.5), Fraction(1, 2)):
        found = cv.bootstrap(left, right, n_draws=10, level=level)
        assert (found.low, found.high, found.level) == (wanted.low, wanted.high, 0.5)


def test_the_interval_is_moved_by_the_bias_of_the_draws():
    left, right = noisy(40, 0.4, 8)
    result = cv.bootstrap(left, right, "nmi", n_draws=50, level=0.8, outliers_as="cluster")
    low, high = np.quantile(result.draws, [0.1, 0.9])
    assert result.bias == result.draws.mean() - result.value != 0
    assert (result.low, result.high) == pytest.approx((low - result.bias, high - result.bias))


@pytest.mark.parametrize("rule", ["left", "right", "either", "both"])
def test_outliers_of_every_resample_are_dropped(rule):
    left, right = noisy(60, 0.4, 9)
    result = cv.bootstrap(left, right, n_draws=30, drop_outliers=rule)
    assert result.value == cv.score(left, right, drop_outliers=rule)
    for seed, draw in zip(np.random.SeedSequence(0).spawn(30), result.draws, strict=True):
        drawn = np.sort(np.random.default_rng(seed).integers(60, size=60))
        assert draw == cv.score(left[drawn], right[drawn], drop_outliers=rule)


def test_draws_of_zero_count_half_for_either_sign():
    draws = np.array([-4.0, -3.0, 0.0, 0.0, 0.0, 1.0, 2.0, 4.0])
    assert cv.Interval("ari", 0.0, -4.0, 4.0, 0.9, draws).share_above_zero == (3 + 1.5) / 8
