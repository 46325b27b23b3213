"""The expected F* is the mean over all permutations, and F* adjusted for chance follows from it."""

from fractions import Fraction
from itertools import pairwise, product
from math import comb
from random import Random

import numpy as np
import pytest

import coverlap as cv
from coverlap import _kernels
from coverlap.measures import chance
from tests import naive, naive_chance
from tests.marks import slow_after

SIMILARITIES = ("jaccard", "f1", "precision", "recall")
COVER, DISJOINT = [{0, 1, 2}, {2, 3}], [{0, 1}, {2, 3, 4}]


def profiles(n: int, most: int | None = None):
    """Yield all sizes of disjoint clusters of at most n objects."""
    yield ()
    for last in range(1, min(n, most or n) + 1):
        for others in profiles(n - last, last):
            yield (*others, last)


def labels(sizes, n: int) -> list[int]:
    """Return labels with clusters of some sizes; the other objects are outliers."""
    made = [i for i, size in enumerate(sizes) for _ in range(size)]
    return made + [-1] * (n - len(made))


def sets(sizes) -> list[frozenset[int]]:
    ends = np.cumsum((0, *sizes)).tolist()
    return [frozenset(range(*ends[i : i + 2])) for i in range(len(sizes))]


def options_of(random: Random) -> dict:
    return {
        "outliers": random.random() < 0.6,
        "balance": random.choice([0.0, 0.25, 0.5, 1.0]),
        "similarity": random.choice(SIMILARITIES),
        "average": random.choice(["size", "equal"]),
    }


def precision(shared, own, _other):
    return shared / own


def close(value: Fraction):
    return pytest.approx(float(value), rel=0, abs=1e-13)


# Exact values


@pytest.mark.parametrize("n", slow_after(5, range(6)))
def test_all_clusterings_without_overlaps_have_the_mean_of_all_permutations(n):
    random = Random(n)
    for left, right in product(profiles(n), repeat=2):
        for options in ({}, {"outliers": False}, options_of(random)):
            expected = naive_chance.brute_force(sets(left), sets(right), n, **options)
            assert naive_chance.expected_of_sizes(left, right, n, **options) == expected
            found = cv.expected_fstar(labels(left, n), labels(right, n), **options)
            assert found.value == close(expected), (left, right, options)
            assert found.exact


def test_values_of_some_hundred_objects_are_exact_fractions():
    random = Random(1)
    for _ in range(25):
        left, right = (
            tuple(sorted(random.choices(range(1, random.choice([4, 10, 31])), k=n_clusters)))
            for n_clusters in random.choices(range(1, 13), k=2)
        )
        n = max(sum(left), sum(right)) + random.choice([0, 0, 1, 40])
        options = options_of(random)
        expected = naive_chance.expected_of_sizes(left, right, n, **options)
        found = cv.expected_fstar(labels(left, n), labels(right, n), **options)
        assert found.value == close(expected), (left, right, n, options)


def test_many_equal_clusters_do_not_lose_digits():
    left, right = (2,) * 150, (1, *(3,) * 99)
    expected = naive_chance.expected_of_sizes(left, right, 300)
    assert cv.expected_fstar(labels(left, 300), labels(right, 300)).value == close(expected)


def test_the_end_of_scenario_1_of_the_paper():
    given = cv.generate.equal_partition(1024, 32)
    found = cv.expected_fstar(given, given).value
    assert round(found, 6) == 0.057384
    assert found == close(naive_chance.expected_of_sizes((32,) * 32, (32,) * 32, 1024))


def test_a_huge_universe_of_outliers():
    left, right, n = [{0, 1}], [{1, 2, 3}], 10**12
    clusters = naive_chance.expected_of_outliers(2, 3, n, "jaccard")
    free = naive_chance.expected_of_outliers(n - 2, n - 3, n, "jaccard")
    expected = (Fraction(5, n) * clusters + Fraction(2 * n - 5, n) * free) / 2
    assert cv.expected_fstar(left, right, n_objects=n).value == close(expected)
    assert cv.expected_fstar(left, right, n_objects=n, outliers=False).value == close(clusters)


# Overlaps


def test_only_the_side_that_is_searched_must_not_overlap():
    found = cv.expected_fstar(COVER, DISJOINT, universe=5, balance=1.0)
    expected = naive_chance.brute_force(*(list(map(frozenset, side)) for side in (COVER, DISJOINT)),
                                        5, balance=1)  # fmt: skip
    assert found.value == close(expected)
    swapped = cv.expected_fstar(DISJOINT, COVER, universe=5, balance=0.0)
    assert swapped.value == found.value


@pytest.mark.parametrize(
    ("left", "right", "balance", "where"),
    [(COVER, DISJOINT, 0.5, "left"), (DISJOINT, COVER, 0.5, "right"), (COVER, COVER, 1.0, "right")],
)
def test_overlaps_where_matches_are_searched_are_refused(left, right, balance, where):
    with pytest.raises(cv.UndefinedError, match=f"overlap on the {where}.*baseline estimates it"):
        cv.expected_fstar(left, right, balance=balance)


def test_no_match_is_searched_among_overlaps_without_clusters_that_seek_one():
    found = cv.expected_fstar([], COVER, universe=5, balance=1.0)
    assert found.value == float(naive.fstar([], COVER, range(5), balance=1)) == 0.2


@pytest.mark.parametrize("options", [{"similarity": precision}, {"balance": 2}])
def test_bad_options_are_refused(options):
    with pytest.raises(cv.OptionError):
        cv.expected_fstar([0, 1], [0, 1], **options)


# The adjusted score


def test_the_adjusted_score_is_refused_where_the_expected_one_is_not_known():
    with pytest.raises(cv.OptionError, match="not a function"):
        cv.score([0, 0, 1], [0, 1, 1], "fstar_adjusted", similarity=precision)
    with pytest.raises(cv.UndefinedError, match="overlap, as on the left; use fstar_wo"):
        cv.score(COVER, DISJOINT, "fstar_adjusted")


def test_scores_leaves_it_out_unless_it_is_named():
    left, right = [0, 0, 1, 1], [0, 1, 1, 1]
    assert "by name" in cv.scores(left, right).reasons["fstar_adjusted"]
    found = cv.scores(left, right, ["fstar_adjusted"])["fstar_adjusted"]
    assert found == cv.score(left, right, "fstar_adjusted")


# Many sizes


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_value_does_not_depend_on_the_number_of_threads(threads):
    rng = np.random.default_rng(3)
    left, right = rng.integers(0, 40, 3000), rng.integers(0, 30, 3000) ** 2
    assert cv.expected_fstar(left, right, threads=threads) == cv.expected_fstar(left, right)


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_interpolated_values_are_within_their_stated_error(monkeypatch, similarity):
    rng = np.random.default_rng(4)
    left, right = (rng.choice(50, 2000, p=rng.dirichlet(np.full(50, 0.5))) for _ in range(2))
    exact = cv.expected_fstar(left, right, similarity=similarity)
    monkeypatch.setattr(chance, "MOST_STEPS", 0)
    for fewest in (2, 3, 5, 10):
        monkeypatch.setattr(chance, "FEWEST_SIZES", fewest)
        found = cv.expected_fstar(left, right, similarity=similarity)
        assert not found.exact
        assert found.error > 1e-6
        assert abs(found.value - exact.value) < found.error
    assert found.error < 0.05


def test_the_expected_similarity_changes_little_with_the_size():
    sizes, n = (1, 2, 2, 5, 9), 22
    for similarity in SIMILARITIES:
        values = [naive_chance.expected_best(own, sizes, n, similarity) for own in range(1, n + 1)]
        for own, (value, following) in enumerate(pairwise(values), 1):
            assert Fraction(own, own + 1) <= following / value <= Fraction(own + 1, own)


# baseline


def test_baseline_uses_the_exact_mean():
    left, right = [0, 0, 0, 1, 1, -1], [0, 0, 1, 1, -1, -1]
    for measure, outliers in (("fstar_wo", True), ("fstar_w", False)):
        result = cv.baseline(left, right, measure, n_draws=50)
        assert result.mean == result.expected == cv.expected_fstar(
            left, right, outliers=outliers
        ).value  # fmt: skip
        assert result.to_dict()["mean_is_exact"] is True
        assert "(exact)" in repr(result)
    adjusted = cv.score(left, right, "fstar_adjusted")
    assert cv.baseline(left, right, n_draws=50).adjusted == pytest.approx(adjusted, abs=1e-12)


@pytest.mark.parametrize(
    ("sides", "measure", "options"),
    [((COVER, DISJOINT), "fstar_wo", {}), ((DISJOINT, DISJOINT), "omega", {}),
     ((DISJOINT, DISJOINT), "fstar_wo", {"similarity": precision})],
)  # fmt: skip
def test_baseline_estimates_the_mean_where_it_is_not_known(sides, measure, options):
    result = cv.baseline(*sides, measure, n_draws=20, **options)
    assert result.expected is None
    assert result.mean == pytest.approx(result.draws.mean())
    assert result.to_dict()["mean_is_exact"] is False


@pytest.mark.parametrize("n", [2, 15, 16, 17, 100, 5000])
def test_the_probability_of_the_mean_equals_the_fraction(n):
    for c in {1, n // 3 or 1, n // 2, n - 1}:
        exact = comb(n, c) * Fraction(c, n) ** c * Fraction(n - c, n) ** (n - c)
        found = Fraction(_kernels.chance.chance_of_mean(float(n), float(c)))
        assert abs(found / exact - 1) < 2e-15
