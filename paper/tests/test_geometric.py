"""Geometric clusters are cut, grown and shrunk as defined, and give the paper's curves."""

import pickle
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coverlap as cv
from paper.generate import GeometricClusters, geometric_clusters
from paper.generate.geometric import divide_points

RNG = np.random.default_rng
EQUAL = [32] * 32


class Naive:
    """The definition in exact fractions and sets; the first position wins ties."""

    def __init__(self, points, sizes) -> None:
        self.points = [tuple(map(Fraction, point)) for point in points.tolist()]
        free = set(range(len(points)))
        self.parts: list[set[int]] = []
        for size in sizes:
            first = max(free, key=lambda i: (self.distance(i, (0, 0)), -i))
            self.parts.append(self.nearest(free, self.points[first], size))
            free -= self.parts[-1]

    def distance(self, i, place) -> Fraction:
        return sum((a - b) ** 2 for a, b in zip(self.points[i], place, strict=True))

    def nearest(self, candidates, place, n) -> set[int]:
        return set(sorted(candidates, key=lambda i: (self.distance(i, place), i))[:n])

    def mean(self, part):
        return tuple(sum(self.points[i][axis] for i in part) / len(part) for axis in (0, 1))

    def grown(self, factor) -> list[set[int]]:
        everyone = set(range(len(self.points)))
        more = [int(round(len(part) * factor, 9)) - len(part) for part in self.parts]
        return [
            part | self.nearest(everyone - part, self.mean(part), n)
            for part, n in zip(self.parts, more, strict=True)
        ]

    def shrunk(self, share) -> list[set[int]]:
        kept = [
            self.nearest(part, self.mean(part), int(round(len(part) * (1 - share), 9)))
            for part in self.parts
        ]
        return [part for part in kept if part]


SIZES = st.lists(st.integers(1, 9), max_size=8)
FACTORS = st.sampled_from([1, 1.25, 2, 2.9, 7, 1e300])
SHARES = st.sampled_from([0, 0.1, 0.5, 0.66, 0.95, 1])


@given(SIZES, FACTORS, SHARES, st.integers(0, 99))
def test_parts_are_cut_grown_and_shrunk_as_defined(sizes, factor, share, seed):
    made = geometric_clusters(sizes, seed=seed)
    naive = Naive(made.points, sizes)
    assert made.primary.to_clusters() == naive.parts
    grown, shrunk = made.grown(factor), made.shrunk(share)
    distinct = list(dict.fromkeys(map(frozenset, naive.grown(factor))))
    assert grown.to_clusters() == distinct
    assert grown.n_merged == len(sizes) - len(distinct)
    assert shrunk.to_clusters() == naive.shrunk(share)
    assert shrunk.n_dropped == len(sizes) - shrunk.n_clusters
    for clustering in (made.primary, grown, shrunk):
        assert clustering.objects == list(range(sum(sizes)))


@given(
    st.integers(1, 7), st.integers(1, 7), st.randoms(use_true_random=False), FACTORS, SHARES
)  # fmt: skip
def test_ties_go_to_the_first_point(width, height, random, factor, share):
    grid = [(x, y) for x in range(width) for y in range(height)]
    random.shuffle(grid)
    points = np.array(grid, float)
    # Means of a power of two points are exact in floats, so that ties remain ties.
    sizes, left = [], len(grid)
    while left:
        sizes.append(min(random.choice([1, 2, 4, 8]), 1 << (left.bit_length() - 1)))
        left -= sizes[-1]
    made, naive = divide_points(points, np.array(sizes)), Naive(points, sizes)
    assert made.primary.to_clusters() == naive.parts
    assert set(map(frozenset, made.grown(factor).to_clusters())) == set(
        map(frozenset, naive.grown(factor))
    )
    assert made.shrunk(share).to_clusters() == naive.shrunk(share)


def test_parts_may_have_different_sizes_and_be_large():
    sizes = [1, 300, 2, 500, 45]
    made = geometric_clusters(np.array(sizes), seed=1)
    naive = Naive(made.points, sizes)
    assert made.primary.sizes.tolist() == sizes
    assert made.primary.to_clusters() == naive.parts
    assert made.grown(1.5).to_clusters() == naive.grown(1.5)
    assert made.shrunk(0.9).to_clusters() == naive.shrunk(0.9)


def test_points_are_uniform_in_the_disc():
    points = geometric_clusters([20_000], seed=2).points
    radii = np.sort(np.hypot(*points.T))
    angles = np.sort(np.arctan2(points[:, 1], points[:, 0]))
    steps = np.arange(1, 20_001) / 20_000
    # Kolmogorov-Smirnov test: 1.95 / sqrt(n) is exceeded with probability 1/1000.
    assert np.abs(radii**2 - steps).max() < 1.95 / np.sqrt(20_000)
    assert np.abs((angles + np.pi) / (2 * np.pi) - steps).max() < 1.95 / np.sqrt(20_000)


def test_angles_are_drawn_before_radii():
    rng = RNG(3)
    angles, radii = rng.random(10) * 2 * np.pi, np.sqrt(rng.random(10))
    expected = np.column_stack((radii * np.cos(angles), radii * np.sin(angles)))
    assert np.array_equal(geometric_clusters([4, 6], seed=3).points, expected)


def test_more_growth_and_less_shrinking_only_add_points():
    made = geometric_clusters([10] * 6, seed=4)
    for one, other in pairwise([made.grown(f) for f in (1, 1.5, 2, 4)]):
        assert all(a < b for a, b in zip(one.to_clusters(), other.to_clusters(), strict=True))
    for one, other in pairwise([made.shrunk(s) for s in (0.8, 0.5, 0.2, 0)]):
        assert all(a < b for a, b in zip(one.to_clusters(), other.to_clusters(), strict=True))
    assert made.grown(1) == made.shrunk(0) == made.primary


def test_parts_that_keep_nothing_vanish_and_the_others_keep_their_names():
    made = geometric_clusters([1, 4, 1, 4], seed=5)
    half = made.shrunk(0.5)
    assert (half.names, half.sizes.tolist(), half.n_dropped) == ([1, 3], [2, 2], 2)
    assert made.shrunk(1).n_outliers == 10
    assert made.grown(10).to_clusters() == [set(range(10))]


def test_the_kept_counts_are_those_of_the_paper():
    made = geometric_clusters(EQUAL, seed=42)
    kept = [*range(32, 31, -1), *range(30, 10, -1), *range(9, 0, -1)]
    assert len(kept) == 30
    for share, count in zip(np.linspace(0, 0.95, 30), kept, strict=True):
        assert made.shrunk(share).sizes.tolist() == [count] * 32


@pytest.fixture(scope="module")
def samples() -> list[GeometricClusters]:
    """Return the ten samples of the paper's scenarios 4 and 5."""
    rng = RNG(42)
    return [geometric_clusters(EQUAL, seed=rng) for _ in range(10)]


OVERLAPS = [
    (1.0, 0.15567458008177543, 0.0023558060182724055, 0.09599373872507729),
    (1.5, 0.3122255219340557, 0.0029433579763930647, 0.652708094584945),
    (4.0, 0.5445927040823272, 0.002730002231310311, 0.8532319055565039),
    (9.0, 0.08575097555540669, 0.0016067520323818625, 0.7214211822574123),
]
"""The paper's stored curves, scenario 4: factor, Omega and its sd, ECS (10 samples)."""


@pytest.mark.parametrize(("factor", "omega", "sd", "ecs"), OVERLAPS)
def test_overlaps_give_the_curves_of_the_paper(samples, factor, omega, sd, ecs):
    pairs = [(made.grown(factor), made.grown(3)) for made in samples]
    scores = [cv.omega_score(*pair) for pair in pairs]
    assert np.mean(scores) == pytest.approx(omega, rel=0, abs=1e-15)
    assert np.std(scores) == pytest.approx(sd, rel=0, abs=1e-15)
    # The stored ECS was computed by an iteration with an error of up to 1e-12.
    found = np.mean([cv.ecs_score(*pair) for pair in pairs])
    assert found == pytest.approx(ecs, rel=0, abs=2e-12)


@pytest.mark.parametrize("factor", np.linspace(1, 9, 17))
def test_the_score_of_overlaps_is_the_ratio_of_sizes(samples, factor):
    expected = min(factor, 3) / max(factor, 3)
    for made in samples[:3]:
        found = cv.fstar_score(made.grown(factor), made.grown(3))
        assert found == pytest.approx(expected, rel=0, abs=1e-15)


@pytest.mark.parametrize("share", np.linspace(0, 0.95, 30))
def test_the_scores_of_outliers_have_closed_forms(samples, share):
    k = int(round(32 * (1 - share), 9))
    ratio = Fraction(min(k, 16), max(k, 16))
    outside = Fraction(min(32 - k, 16), max(32 - k, 16))
    fstar = (outside / 2 + ratio / 2 + Fraction(32 - k, 32) * outside + Fraction(k, 32) * ratio) / 2
    if k <= 16:
        ecs = (Fraction(k * k, 16) + Fraction(16 - k, 16) + 16) / 32
    else:
        ecs = (Fraction(256, k) + Fraction(k - 16, k) + 32 - k) / 32
    for made in samples[:3]:
        pair = made.shrunk(share), made.shrunk(0.5)
        assert cv.fstar_score(*pair) == pytest.approx(float(fstar), rel=0, abs=1e-15)
        assert cv.ecs_score(*pair) == pytest.approx(float(ecs), rel=0, abs=1e-15)


def test_a_seed_fixes_the_points_and_a_generator_moves_on():
    rng = RNG(6)
    first, second = (geometric_clusters([5, 5], seed=rng).points for _ in range(2))
    assert np.array_equal(first, geometric_clusters([5, 5], seed=6).points)
    assert not np.array_equal(first, second)


def test_geometric_clusters_cannot_be_changed_and_can_be_pickled():
    made = geometric_clusters([3, 4], seed=7)
    with pytest.raises(AttributeError):
        made.points = None
    with pytest.raises(ValueError, match="read-only"):
        made.points[0] = 0
    copy = pickle.loads(pickle.dumps(made))  # noqa: S301
    assert repr(copy) == repr(made) == "GeometricClusters(7 points, 2 parts)"
    assert copy.grown(1.5) == made.grown(1.5)
    assert copy.shrunk(0.5) == made.shrunk(0.5)


def test_no_sizes_make_no_points():
    made = geometric_clusters([])
    assert made.points.shape == (0, 2)
    for clustering in (made.primary, made.grown(2), made.shrunk(0.5)):
        assert (clustering.n_objects, clustering.n_clusters) == (0, 0)


SOME = geometric_clusters([2, 3], seed=0)
KIND = "sizes must be a sequence of integers, not"
COUNT = "must be an integer from"
FACTOR = "factor must be a number of at least 1, not"
SHARE = "share must be a number from 0 to 1, not"


@pytest.mark.parametrize(
    ("sizes", "error", "message"),
    [
        (5, cv.InputTypeError, f"{KIND} 5"),
        (None, cv.InputTypeError, f"{KIND} None"),
        ("32", cv.InputTypeError, f"{KIND} '32'"),
        ({3, 4}, cv.InputTypeError, f"{KIND} {{3, 4}}"),
        ({3: 4}, cv.InputTypeError, f"{KIND} {{3: 4}}"),
        (np.array(3), cv.InputTypeError, rf"{KIND} array\(3\)"),
        (np.ones((2, 2), int), cv.InputTypeError, f"{KIND} array"),
        ([3, 0], cv.OptionError, rf"sizes\[1\] {COUNT} 1 to 4,294,967,295, not 0"),
        ([-3], cv.OptionError, rf"sizes\[0\] {COUNT} 1 to 4,294,967,295, not -3"),
        ([3, 2.0], cv.OptionError, rf"sizes\[1\] {COUNT} .* not 2.0"),
        ([True], cv.OptionError, rf"sizes\[0\] {COUNT} .* not True"),
        ([3, None], cv.OptionError, rf"sizes\[1\] {COUNT} .* not None"),
        ([3, [4]], cv.OptionError, rf"sizes\[1\] {COUNT} .* not \[4\]"),
        ([2**31] * 2, cv.OptionError, f"the sum of sizes {COUNT} 0 to .* not 4294967296"),
    ],
)
def test_bad_sizes_are_refused_with_one_clear_error(sizes, error, message):
    with pytest.raises(error, match=message) as caught:
        geometric_clusters(sizes)
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: geometric_clusters([3], seed="a"), "seed must be an integer .* not 'a'"),
        (lambda: SOME.grown(0.99), f"{FACTOR} 0.99"),
        (lambda: SOME.grown(float("nan")), f"{FACTOR} nan"),
        (lambda: SOME.grown(float("inf")), f"{FACTOR} inf"),
        (lambda: SOME.grown(10**400), f"{FACTOR} 1000"),
        (lambda: SOME.grown("2"), f"{FACTOR} '2'"),
        (lambda: SOME.shrunk(-0.1), f"{SHARE} -0.1"),
        (lambda: SOME.shrunk(1.1), f"{SHARE} 1.1"),
        (lambda: SOME.shrunk(None), f"{SHARE} None"),
    ],
)
def test_bad_options_are_refused_with_one_clear_error(call, message):
    with pytest.raises(cv.OptionError, match=message) as caught:
        call()
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    ("size", "share", "kept"), [(10, 0.9, 1), (300, 0.9, 30), (100, 0.29, 71), (10, 0.95, 0)]
)
def test_a_share_that_makes_a_whole_number_keeps_it(size, share, kept):
    """In floats, 10 * (1 - 0.9) is less than 1."""
    sizes = geometric_clusters([size] * 2, seed=0).shrunk(share).sizes
    assert sizes.tolist() == ([kept] * 2 if kept else [])


def test_a_factor_that_makes_a_whole_number_reaches_it():
    """In floats, 100 * 4.35 is less than 435."""
    assert geometric_clusters([100] * 6, seed=0).grown(4.35).sizes.tolist() == [435] * 6
