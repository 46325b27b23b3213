"""Intervals for a score."""

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coverlap as cv
from coverlap.clustering.clustering import Clustering
from coverlap.verbs.inference import resampled

COVERS = [{0, 1, 2}, {2, 3}, {3, 4, 5}], [{0, 1}, {1, 2, 3}, {4, 5}]


def noisy(n: int, share: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(-1, 5, n)
    return truth, np.where(rng.random(n) < share, rng.integers(-1, 5, n), truth)


@pytest.mark.parametrize("measure", ["fstar_wo", "omega", "onmi_mgh", "ecs"])
@settings(max_examples=30)
@given(drawn=st.lists(st.integers(0, 5), min_size=6, max_size=6))
def test_an_object_drawn_twice_counts_as_two_objects_alike(measure, drawn):
    times = np.bincount(drawn, minlength=6)
    universe = [(x, k) for x in range(6) for k in range(times[x])]
    sides = [resample(cv.Clustering.from_clusters(side, universe=6), times) for side in COVERS]
    copies = [
        [{(x, k) for x in cluster for k in range(times[x])} for cluster in side] for side in COVERS
    ]
    expected = cv.score(*copies, measure, universe=universe)
    assert cv.score(*sides, measure) == pytest.approx(expected, abs=1e-13)


def resample(clustering, times):
    return Clustering(resampled(clustering.memberships, times))


def test_labels_and_sets_are_resampled_alike():
    times = np.array([2, 0, 1, 3, 0, 1])
    from_labels = resample(Clustering.from_labels(np.array([0, 0, 1, -1, 1, 2])), times)
    from_sets = resample(Clustering.from_clusters([{0, 1}, {2, 4}, {5}], universe=6), times)
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


@pytest.mark.parametrize("labels", [noisy(100, 0.3, 5)[0], []])
def test_equal_clusterings_have_no_uncertainty(labels):
    result = cv.bootstrap(labels, labels, n_draws=20)
    assert (result.value, result.low, result.high, result.standard_error) == (1.0, 1.0, 1.0, 0.0)
    difference = cv.bootstrap_difference(labels, labels, labels, n_draws=5)
    assert (difference.value, difference.standard_error) == (0.0, 0.0)


@pytest.mark.parametrize("level", [0.5, np.float32(0.5), Fraction(1, 2)])
def test_a_higher_level_is_a_wider_interval(level):
    sides = noisy(300, 0.3, 5)
    narrow, wide = (cv.bootstrap(*sides, n_draws=200, level=each) for each in (level, 0.99))
    assert narrow.level == json.loads(narrow.to_json())["level"] == 0.5
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high
    assert narrow.draws.tolist() == wide.draws.tolist()


def test_a_difference_is_that_of_the_two_scores_on_the_same_draws():
    truth, one = noisy(300, 0.2, 5)
    other = noisy(300, 0.6, 5)[1]
    result = cv.bootstrap_difference(truth, one, other, n_draws=50, seed=1)
    first, second = (cv.bootstrap(truth, side, n_draws=50, seed=1) for side in (one, other))
    assert result.value == first.value - second.value
    assert result.draws.tolist() == (first.draws - second.draws).tolist()
    back = cv.bootstrap_difference(truth, other, one, n_draws=50, seed=1)
    assert back.draws.tolist() == (-result.draws).tolist()
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


LABELS = [0, 0, 1, 1, 2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_draws": 1}, "n_draws"),
        *(({"level": level}, "level") for level in (1, 0, "a")),
        ({"seed": -1}, "seed"),
        ({"threads": 0}, "threads"),
        *(({"drop_outliers": rule}, "drop_outliers") for rule in ("everyone", 1, ["left"])),
        *(
            ({"universe": universe}, "universe must be")
            for universe in (True, -1, 2**70, np.array(5))
        ),
    ],
)
def test_bad_options_are_refused(options, message):
    options = {"n_draws": 2} | options
    with pytest.raises(cv.OptionError, match=message):
        cv.bootstrap(LABELS, LABELS, **options)
    with pytest.raises(cv.OptionError, match=message):
        cv.bootstrap_difference(LABELS, LABELS, LABELS, **options)


def test_a_universe_of_one_of_two_predictions_is_refused():
    with pytest.raises(cv.OptionError, match="universe must be one of 'union', 'intersection', 'l"):
        cv.bootstrap_difference({0: 1}, {0: 1}, {0: 1}, universe="right")


def test_a_universe_without_room_is_refused_and_a_large_one_is_laid_out():
    labels = [0, 0, 1, 1, 2], [0, 1, 1, 1, 2], [0, 0, 0, 1, 1]
    with pytest.raises(cv.UniverseError, match="are too many"):
        cv.bootstrap_difference(*labels, n_draws=2, universe=10**15)
    result = cv.bootstrap_difference(*labels, n_draws=2, universe=100)
    first, second = (cv.score(labels[0], side, universe=100) for side in labels[1:])
    assert result.value == first - second


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
