"""Random walks follow their exact distribution, and keep the number of clusters."""

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coverlap as cv
from coverlap.generate import equal_partition
from paper.generate import skewed, walks
from tests.strategies import labels
from tests.test_generate import check_frequencies

RNG = np.random.default_rng


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
    monkeypatch.setattr(walks, "BLOCK", 3)
    monkeypatch.setattr(walks.kernels, "copy_codes", lambda draws, *_: steps.append(len(draws)))
    skewed([0, 0, 1, 1, 2], 7, seed=1)
    assert steps == [3, 3, 1]


def test_a_seed_fixes_the_result_and_a_generator_moves_on():
    def make(seed):
        return skewed([0, 1, 2, 3, 4] * 10, 50, seed=seed)

    assert make(8) == make(8) == make(np.int64(8)) == make(RNG(8))
    assert make(8) != make(9)
    rng = RNG(8)
    assert make(rng) == make(8)
    assert make(rng) != make(8)
    assert make(None) != make(None)


def test_names_and_objects_of_any_kind_are_kept():
    series = pd.Series(["x", "y", "y", None], index=["ann", "bob", "cyd", "dan"])
    made = skewed(series, 5, seed=0)
    assert made.objects == ["ann", "bob", "cyd", "dan"]
    assert set(made.names) == {"x", "y"}
    assert skewed({"ann": 3, "bob": 7, "cyd": 7}, 0).to_dict() == {3: {"ann"}, 7: {"bob", "cyd"}}


def test_what_is_made_from_a_file_does_not_say_that_it_was_read(tmp_path):
    path = tmp_path / "labels.txt"
    path.write_text("0\n0\n1\n")
    assert "read as" in cv.read_clustering(path).describe()
    assert "read as" not in skewed(path, 3).describe()


def test_the_given_labels_are_left_alone():
    values = np.array([0, 1, 2, 2] * 5)
    skewed(values, 100, seed=0)
    given = cv.Clustering.from_labels(values)
    skewed(given, 100, seed=0)
    assert values.tolist() == given.to_labels().tolist() == [0, 1, 2, 2] * 5
    assert given.sizes.tolist() == [5, 5, 10]


def test_nothing_can_be_made_of_nothing():
    made = skewed([], 9)
    assert (made.n_objects, made.n_clusters) == (0, 0)
    alone = cv.Clustering.from_clusters([], universe=3)
    assert skewed(alone, 9) == alone


SCRIPT = """
from coverlap.generate import equal_partition
from paper.generate import geometric_clusters, skewed
made = [skewed(equal_partition(40, 5), 60, seed=1)]
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


COUNT = "n_steps must be an integer from"
SEED = "seed must be an integer of at least 0, a numpy.random.Generator or None, not"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: skewed([0, 1], -1), f"{COUNT} 0 to .* not -1"),
        (lambda: skewed([0, 1], 1.5), f"{COUNT} .* not 1.5"),
        (lambda: skewed([0, 1], 2**63), f"{COUNT} .* not 9223372036854775808"),
        (lambda: skewed([0, 1], 1, seed=-1), f"{SEED} -1"),
        (lambda: skewed([{0, 1}, {1, 2}], 1), "clustering must not overlap, but 1 object of it is"),
        (lambda: skewed([{0, 1}, {0, 1, 2}], 1), "overlap, but 2 objects of it are in several"),
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
        skewed(x, 1)


def test_options_are_checked_before_the_clustering_is_read():
    with pytest.raises(cv.OptionError, match="n_steps"):
        skewed("no such file", -1)
