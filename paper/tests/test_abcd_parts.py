"""The steps that draw an ABCD graph, each compared with its own oracle."""

import math
from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chisquare

from paper.generate import kernels, vertices
from paper.generate.abcd import Members, draw_edges
from paper.generate.parameters import PowerLaw
from paper.generate.vertices import (
    draw_degrees,
    draw_sizes,
    needed_sizes,
    places_in,
    split_degrees,
)


@pytest.mark.parametrize(
    ("least", "greatest", "exponent"), [(5, 44, 2.5), (25, 340, 1.5), (1, 6, 0), (2, 3, 3)]
)
def test_draws_follow_the_exact_law(least, greatest, exponent):
    law = PowerLaw.between(least, greatest, exponent)
    drawn = law.draw(300_000, np.random.default_rng(1))
    values = range(least, greatest + 1)
    weights = [value**-exponent for value in values]
    expected = np.array([300_000 * weight / math.fsum(weights) for weight in weights])
    assert min(expected) > 20
    assert min(drawn) == least
    assert max(drawn) == greatest
    assert chisquare(np.bincount(drawn)[least:], expected).pvalue > 0.001
    mean = math.fsum(v * w for v, w in zip(values, weights, strict=True)) / math.fsum(weights)
    assert law.mean == pytest.approx(mean, rel=1e-12)


def test_a_steep_law_is_its_least_number():
    law = PowerLaw.between(5, 400, 5000.0)
    assert set(law.draw(1000, np.random.default_rng(0)).tolist()) == {5}


def ways(weights, total):
    """Sum the weights, and weights times length, of all sequences of sizes with each total."""
    number, length = [Fraction(1)], [Fraction(0)]
    for reached in range(1, total + 1):
        steps = [(w, reached - size) for size, w in weights.items() if size <= reached]
        number.append(sum((w * number[before] for w, before in steps), Fraction(0)))
        length.append(sum((w * (length[b] + number[b]) for w, b in steps), Fraction(0)))
    return number, length


def test_sizes_follow_the_exact_law_given_that_they_add_up():
    """The exact law of the number and sizes of clusters follows from all possible sequences."""
    weights = {size: Fraction(1, size**2) for size in range(5, 16)}
    weights = {size: weight / sum(weights.values()) for size, weight in weights.items()}
    number, length = ways(weights, 120)
    law, generator = PowerLaw.between(5, 15, 2.0), np.random.default_rng(5)
    draws = [draw_sizes(law, 120, generator) for _ in range(4000)]
    assert all(sizes.sum() == 120 for sizes in draws)

    lengths = np.array([len(sizes) for sizes in draws])
    expected = float(length[120] / number[120])
    assert abs(lengths.mean() - expected) < 4 * lengths.std() / math.sqrt(len(draws))

    between = [sum(number[i] * number[120 - s - i] for i in range(121 - s)) for s in weights]
    counts = [
        float(w * ways / number[120]) for w, ways in zip(weights.values(), between, strict=True)
    ]
    assert sum(counts) == pytest.approx(expected, abs=1e-12)
    drawn = np.bincount(np.concatenate(draws), minlength=16)[5:]
    scale = drawn.sum() / (4000 * sum(counts))
    assert chisquare(drawn, 4000 * scale * np.array(counts)).pvalue > 0.001


@pytest.mark.parametrize(
    ("least", "greatest", "exponent", "n", "expected"),
    [
        (10, 20, 1000.0, 1005, [11] * 5 + [10] * 95),
        (25, 40, 1000.0, 74, [37, 37]),
        (600, 1000, 1000.0, 1000, [1000]),
        (10, 10, 1.0, 50, [10] * 5),
        (2, 50, 0.0, 2, [2]),
    ],
)
def test_sizes_that_never_add_up_are_changed_by_as_little_as_possible(
    least, greatest, exponent, n, expected
):
    law = PowerLaw.between(least, greatest, exponent)
    assert draw_sizes(law, n, np.random.default_rng(0)).tolist() == expected


def test_changed_sizes_stay_within_the_law(monkeypatch):
    monkeypatch.setattr(vertices, "SIZE_ATTEMPTS", 1)
    generator, missed = np.random.default_rng(0), 0
    for _ in range(500):
        least = int(generator.integers(2, 12))
        greatest = least + int(generator.integers(0, 30))
        n = int(generator.integers(least, 200))
        if (n // least) * greatest < n:
            continue
        missed += 1
        sizes = draw_sizes(PowerLaw.between(least, greatest, 1.5), n, generator).tolist()
        assert sum(sizes) == n
        assert least <= min(sizes) <= max(sizes) <= greatest
        assert sizes == sorted(sizes, reverse=True)
    assert missed > 300


@pytest.mark.parametrize(
    ("least", "greatest", "exponent", "n", "expected"),
    [
        (1, 1, 1.0, 3, [1, 1, 0]),
        (3, 3, 1.0, 5, [3, 3, 3, 3, 2]),
        (3, 3, 1.0, 4, [3, 3, 3, 3]),
        (5, 8, 1000.0, 7, [6, 5, 5, 5, 5, 5, 5]),
    ],
)
def test_degrees_whose_sum_is_always_odd_differ_by_one(least, greatest, exponent, n, expected):
    law = PowerLaw.between(least, greatest, exponent)
    assert draw_degrees(law, n, np.random.default_rng(0)).tolist() == expected


def test_degrees_changed_by_one_stay_within_the_law(monkeypatch):
    monkeypatch.setattr(vertices, "DEGREE_ATTEMPTS", 1)
    generator = np.random.default_rng(0)
    for _ in range(200):
        drawn = draw_degrees(PowerLaw.between(2, 5, 2.5), 7, generator).tolist()
        assert sum(drawn) % 2 == 0
        assert drawn == sorted(drawn, reverse=True)
        assert 2 <= min(drawn) <= max(drawn) <= 5


@pytest.mark.parametrize("share", ["0", "0.1", "0.29", "0.5", "0.7", "0.9", "1"])
def test_degrees_are_split_as_the_share_says(share):
    xi = Fraction(share)
    generator = np.random.default_rng(0)
    degrees = np.sort(generator.integers(1, 101, 400))[::-1]
    labels = generator.integers(0, 12, 400)
    inner, background = split_degrees(degrees, labels, float(share), generator)
    for cluster in range(12):
        members = np.flatnonzero(labels == cluster).tolist()
        assert sum(inner[members]) % 2 == 0
        for vertex in members:
            exact = (1 - xi) * int(degrees[vertex])
            if vertex == members[0]:
                assert inner[vertex] in {math.floor(exact), math.floor(exact) + 1}
            else:
                assert inner[vertex] in {math.floor(exact), math.ceil(exact)}
            raised = inner[vertex] + background[vertex] - degrees[vertex]
            assert raised == 0 or (xi == 0 and vertex == members[0] and raised == 1)
    assert min(background) >= 0


def test_parts_of_degrees_are_rounded_without_bias():
    degrees, labels = np.full(40_000, 7), np.zeros(40_000, int)
    inner, _ = split_degrees(degrees, labels, 0.3, np.random.default_rng(3))
    up = np.count_nonzero(inner == 5)  # the exact value is 4.9
    assert np.all((inner == 4) | (inner == 5))
    assert abs(up - 36_000) < 4 * math.sqrt(40_000 * 0.9 * 0.1)


def can_be_placed(needed, sizes):
    """Return whether some order of the vertices fits, by trying all orders."""
    places = [size for size in sizes for _ in range(size)]
    return any(
        all(need <= size for need, size in zip(needed, order, strict=True))
        for order in set(permutations(places))
    )


def test_vertices_find_places_exactly_if_there_is_a_way_to_place_them():
    generator, answers = np.random.default_rng(0), Counter()
    for _ in range(400):
        sizes = np.array([[6], [5, 1], [4, 2], [3, 3], [2, 2, 2]][generator.integers(5)])
        degrees = np.sort(generator.integers(1, 6, 6))[::-1]
        xi = float(generator.choice([0, 0.25, 0.5, 1]))
        needed = needed_sizes(degrees, sizes, xi)
        answer = bool(np.all(places_in(sizes, needed) > np.arange(6)))
        squares = sum(Fraction(int(size), 6) ** 2 for size in sizes)
        exact = [(1 - Fraction(xi) * (1 - squares)) * int(d) + 1 for d in degrees]
        assert answer == can_be_placed(exact, sizes.tolist())
        answers[answer] += 1
    assert min(answers.values()) > 50


@pytest.mark.parametrize(
    ("ends", "possible"),
    [([5, 5, 5, 5, 5], 10), ([3, 5, 5, 5, 5], 6), ([3, 3, 5, 5, 5], 3), ([3, 3, 3, 5, 5], 1)],
)
def test_places_are_equally_likely_among_those_that_are_allowed(ends, possible):
    """Cluster 0 has three places and cluster 1 has two; the first vertices may need cluster 0."""
    state = np.array([1], np.uint64)
    draws = Counter()
    for _ in range(5000):
        labels = np.array([0, 0, 0, 1, 1], np.int32)
        kernels.assign(labels, np.array(ends), state)
        draws[tuple(labels.tolist())] += 1
    assert all(sorted(labels) == [0, 0, 0, 1, 1] for labels in draws)
    assert len(draws) == possible
    assert possible == 1 or chisquare(list(draws.values())).pvalue > 0.001


def test_the_table_of_edges_is_a_set():
    generator = np.random.default_rng(0)
    n, table, known = 9, np.zeros(64, np.uint64), set()
    for one, other in generator.integers(0, n, (4000, 2)):
        ends = np.array([one, other], np.int32)
        edge = frozenset((int(one), int(other)))
        if edge in known and generator.random() < 0.7:
            kernels.remove_key(kernels.key_of(one, other, n), table)
            known.remove(edge)
        else:
            new = len(edge) == 2 and edge not in known
            assert kernels.add_edge(kernels.Pairs(ends, table, n), np.uint64(0)) == new
            known |= {edge} if new else set()
        keys = {min(pair) * n + max(pair) for pair in known}
        assert set(table[table > 0].tolist()) == keys
        assert np.count_nonzero(table) == len(keys)


def wiring_case(seed):
    """Return clusters with even sums of inner degrees, dense enough to need rewiring."""
    generator = np.random.default_rng(seed)
    n, k = int(generator.integers(6, 60)), int(generator.integers(1, 4))
    labels = generator.permutation(np.arange(n) % k)
    inner = generator.integers(0, max(2, n // k - 1), n)
    for cluster in range(k):
        members = np.flatnonzero(labels == cluster)
        inner[members[0]] += inner[members].sum() % 2
    background = generator.integers(0, 4, n)
    return n, labels, inner, background, Members.of_labels(labels), generator


@pytest.mark.parametrize("seed", range(60))
def test_wired_graphs_are_simple_and_have_the_degrees(seed):
    n, _, inner, background, clusters, generator = wiring_case(seed)
    ends, n_released, n_missing = draw_edges(clusters, inner, background, generator)
    edges = [tuple(edge) for edge in ends.reshape(-1, 2).tolist()]
    assert all(a != b for a, b in edges)
    assert len({frozenset(edge) for edge in edges}) == len(edges)
    wanted = inner + background
    short = wanted - np.bincount(ends, minlength=n)
    assert min(short) >= 0
    assert sum(short) == 2 * n_missing + sum(wanted) % 2
    assert 0 <= n_released <= sum(inner) // 2


@pytest.mark.parametrize("seed", range(60))
def test_each_cluster_gets_its_inner_degrees_but_for_what_is_released(seed):
    n, labels, inner, _, clusters, generator = wiring_case(seed)
    pointers, members = clusters
    ends = np.repeat(members, inner[members])
    reached = np.concatenate(([0], np.cumsum(inner[members])))[pointers] // 2
    released, table = np.zeros(n, np.int64), np.zeros(4096, np.uint64)
    state = generator.integers(2**64, size=1, dtype=np.uint64)
    pairs = kernels.Pairs(ends, table, n)
    n_edges = kernels.wire_clusters(pairs, reached, released, state)
    edges = ends[: 2 * int(n_edges)].reshape(-1, 2)
    assert np.all(labels[edges[:, 0]] == labels[edges[:, 1]])
    assert np.all(edges[:, 0] != edges[:, 1])
    assert len({frozenset(edge) for edge in edges.tolist()}) == len(edges)
    assert (np.bincount(edges.ravel(), minlength=n) + released).tolist() == inner.tolist()


def test_clusters_with_room_release_nothing():
    generator = np.random.default_rng(0)
    labels = np.arange(400) % 8
    clusters = Members.of_labels(labels)
    for _ in range(20):
        inner = np.full(400, 6)
        ends, n_released, n_missing = draw_edges(
            clusters, inner, np.zeros(400, np.int64), generator
        )
        assert n_released == n_missing == 0
        assert np.all(labels[ends[::2]] == labels[ends[1::2]])
