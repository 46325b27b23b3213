"""ABCD graphs: properties that the parameters imply, checked from edges and labels only."""

import math
import os
import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chisquare

import coverlap as cv
from paper.generate import ABCDGraph, abcd_graph


def edges_of(drawn):
    return tuple(tuple(edge) for edge in drawn.graph.edges.tolist())


def plain(drawn):
    """Return the edges, the labels and the degrees that were drawn, as Python objects."""
    return edges_of(drawn), drawn.clustering.to_labels().tolist(), drawn.degrees.tolist()


def check_simple(edges, n):
    assert all(0 <= v < n for edge in edges for v in edge)
    assert all(len(set(edge)) == 2 for edge in edges)
    assert len({frozenset(edge) for edge in edges}) == len(edges)


def counted(edges, n):
    degrees = Counter(v for edge in edges for v in edge)
    return [degrees[v] for v in range(n)]


def check_promises(drawn, *, min_degree, max_degree, min_size, max_size):
    edges, labels, degrees = plain(drawn)
    n, xi = len(labels), Fraction(drawn.xi)
    check_simple(edges, n)

    assert sum(degrees) % 2 == 0
    assert degrees == sorted(degrees, reverse=True)
    assert all(min_degree <= degree <= max_degree for degree in degrees)

    sizes = list(Counter(labels).values())
    assert sum(sizes) == n
    assert all(min_size <= size <= max_size for size in sizes)
    assert set(labels) == set(range(len(sizes)))
    by_label = [labels.count(label) for label in range(len(sizes))]
    assert by_label == sorted(by_label, reverse=True)

    inside = 1 - xi * (1 - sum(Fraction(size, n) ** 2 for size in sizes))
    for label, degree in zip(labels, degrees, strict=True):
        assert inside * degree + 1 <= by_label[label] + 1e-12  # the generator rounds the bound

    reached = counted(edges, n)
    missing = sum(degrees) - sum(reached)
    off = sum(a != b for a, b in zip(reached, degrees, strict=True))
    assert drawn.n_off_degree == off
    if drawn.xi > 0:
        assert all(a <= b for a, b in zip(reached, degrees, strict=True))
        assert missing == 2 * drawn.n_missing_edges
    else:
        assert all(a <= b + 1 for a, b in zip(reached, degrees, strict=True))
        raised = sum(a > b for a, b in zip(reached, degrees, strict=True))
        assert raised <= len(sizes)
        assert drawn.n_missing_edges > 0 or missing == -raised


def cut_of(edges, labels):
    return sum(labels[a] != labels[b] for a, b in edges)


@pytest.mark.slow
@pytest.mark.parametrize("xi", [0, 0.1, 0.2, 0.5, 0.8, 1])
def test_every_promise_holds_for_the_usual_parameters(xi):
    for seed in range(5):
        drawn = abcd_graph(2000, xi=xi, seed=seed)
        check_promises(drawn, min_degree=5, max_degree=44, min_size=25, max_size=340)
        assert drawn.n_missing_edges == 0
        assert drawn.n_off_degree == 0 or xi == 0


@pytest.mark.parametrize(
    "options",
    [
        {"n_vertices": 2, "min_degree": 1, "max_degree": 1, "min_size": 2, "max_size": 2},
        {"n_vertices": 4, "min_degree": 1, "max_degree": 1, "min_size": 2, "max_size": 2},
        {"n_vertices": 10, "min_degree": 2, "max_degree": 3, "min_size": 4, "max_size": 6},
        {"n_vertices": 10, "min_degree": 1, "max_degree": 9, "min_size": 10, "max_size": 10},
        {"n_vertices": 30, "min_degree": 5, "max_degree": 5, "min_size": 25, "max_size": 30},
        {"n_vertices": 60, "min_degree": 7, "max_degree": 7, "min_size": 15, "max_size": 15},
        {"n_vertices": 90, "min_degree": 3, "max_degree": 20, "min_size": 90, "max_size": 90},
        {"n_vertices": 99, "min_degree": 4, "max_degree": 9, "min_size": 11, "max_size": 40},
        {"n_vertices": 300, "min_degree": 2, "max_degree": 30, "min_size": 40, "max_size": 80},
    ],
)
@pytest.mark.parametrize("xi", [0, 0.3, 1])
@pytest.mark.parametrize("gamma", [0, 2.5])
def test_every_promise_holds_in_corners(options, xi, gamma):
    bounds = {name: value for name, value in options.items() if name != "n_vertices"}
    for seed in range(5):
        check_promises(abcd_graph(**options, xi=xi, gamma=gamma, beta=gamma, seed=seed), **bounds)


def test_defaults_for_few_vertices_are_the_least_that_can_hold_them():
    one = abcd_graph(30, xi=0.3, seed=0)
    assert one.clustering.sizes.tolist() == [30]
    assert set(one.degrees.tolist()) == {5}
    two = abcd_graph(60, xi=0.3, seed=0)
    assert two.clustering.sizes.tolist() == [30, 30]
    assert max(two.degrees) <= 7
    whole = abcd_graph(6, xi=0.3, min_size=4, seed=0)
    assert whole.degrees.tolist() == [5] * 6
    assert whole.graph.n_edges == 15 - whole.n_missing_edges


@pytest.mark.slow
@pytest.mark.parametrize("xi", [0.2, 0.5, 0.8])
def test_mixing_is_as_predicted(xi):
    for seed in range(20):
        drawn = abcd_graph(2000, xi=xi, seed=seed)
        edges, labels, degrees = plain(drawn)
        volumes = Counter()
        for label, degree in zip(labels, degrees, strict=True):
            volumes[label] += degree
        shares = [Fraction(volume, sum(degrees)) ** 2 for volume in volumes.values()]
        assert drawn.expected_mixing == pytest.approx(float(xi * (1 - sum(shares))), abs=1e-12)
        assert drawn.mixing == cut_of(edges, labels) / len(edges)
        assert drawn.mixing == pytest.approx(drawn.expected_mixing, abs=0.015)


def test_without_background_hardly_an_edge_is_between_clusters():
    for seed in range(10):
        drawn = abcd_graph(2000, xi=0, seed=seed)
        edges, labels, _ = plain(drawn)
        assert cut_of(edges, labels) <= 10
        assert drawn.expected_mixing == 0
        roomy = abcd_graph(2000, xi=0, max_degree=10, seed=seed)
        edges, labels, _ = plain(roomy)
        assert cut_of(edges, labels) == 0
        assert roomy.mixing == 0


def test_clusters_do_not_show_if_all_is_background():
    drawn = abcd_graph(2000, xi=1, seed=0)
    edges, labels, degrees = plain(drawn)
    shares = np.bincount(labels, weights=degrees) / sum(degrees)
    expected = len(edges) * (1 - np.sum(shares**2))
    assert abs(cut_of(edges, labels) - expected) < 4 * math.sqrt(len(edges) * 0.25)


def test_most_vertices_keep_their_share_of_edges_inside_their_cluster():
    """The background adds edges; a few vertices lose one if their cluster is too small."""
    for xi in (0, 0.2, 0.5, 0.8):
        drawn = abcd_graph(2000, xi=xi, seed=1)
        edges, labels, degrees = plain(drawn)
        inner = counted([(a, b) for a, b in edges if labels[a] == labels[b]], 2000)
        least = [math.floor(degree - Fraction(str(xi)) * degree) for degree in degrees]
        assert sum(a < b for a, b in zip(inner, least, strict=True)) <= 10


def test_degrees_follow_the_power_law():
    drawn = abcd_graph(200_000, xi=0.5, seed=7)
    weights = np.array([d**-2.5 for d in range(5, 448)])
    counts = np.bincount(drawn.degrees, minlength=448)[5:]
    assert len(counts) == len(weights)
    expected = 200_000 * weights / math.fsum(weights)
    tail = int(np.argmax(expected < 20))
    pooled = [np.append(each[:tail], each[tail:].sum()) for each in (counts, expected)]
    assert chisquare(*pooled).pvalue > 0.001


@pytest.mark.parametrize("gamma", [0, 1, 3])
def test_a_single_law_has_exactly_its_support(gamma):
    drawn = abcd_graph(5000, xi=0.5, gamma=gamma, min_degree=3, max_degree=9, seed=2)
    assert set(drawn.degrees.tolist()) == set(range(3, 10))
    weights = [Fraction(1, d**gamma) for d in range(3, 10)]
    expected = [float(5000 * weight / sum(weights)) for weight in weights]
    assert chisquare(np.bincount(drawn.degrees)[3:], expected).pvalue > 0.001


@pytest.mark.slow
@pytest.mark.parametrize("xi", [0, 1])
def test_every_perfect_matching_is_equally_likely(xi):
    draws = Counter(
        edges_of(abcd_graph(6, xi=xi, min_degree=1, max_degree=1, min_size=6, seed=seed))
        for seed in range(3000)
    )
    assert len(draws) == 15
    assert chisquare(list(draws.values())).pvalue > 0.001


@pytest.mark.slow
@pytest.mark.parametrize("xi", [0, 1])
def test_every_cycle_through_five_vertices_is_equally_likely(xi):
    """This tests rewiring, since most random pairings of ten ends have loops or parallel edges."""
    draws = Counter(
        edges_of(abcd_graph(5, xi=xi, min_degree=2, max_degree=2, min_size=5, seed=seed))
        for seed in range(3000)
    )
    assert len(draws) == 12
    assert chisquare(list(draws.values())).pvalue > 0.001


def test_almost_complete_graphs_lose_hardly_any_edge():
    for xi in (0, 0.5, 1):
        drawn = abcd_graph(100, xi=xi, gamma=0, min_degree=90, max_degree=99, min_size=100, seed=0)
        check_promises(drawn, min_degree=90, max_degree=99, min_size=100, max_size=100)
        assert drawn.n_missing_edges <= 5
    complete = abcd_graph(20, xi=0, min_degree=19, max_degree=19, min_size=20, seed=0)
    assert complete.graph.n_edges + complete.n_missing_edges == 190


def test_all_odd_degrees_of_an_odd_number_of_vertices_are_one_less_in_one():
    drawn = abcd_graph(31, xi=0.2, min_degree=5, max_degree=5, min_size=31, seed=0)
    assert drawn.degrees.tolist() == [5] * 30 + [4]
    assert drawn.graph.degrees.tolist() == [5] * 30 + [4]


def test_the_same_seed_gives_the_same_graph():
    one, same, other = (abcd_graph(500, xi=0.3, seed=seed) for seed in (3, np.int64(3), 4))
    assert plain(one) == plain(same)
    assert plain(one) != plain(other)
    generator = np.random.default_rng(3)
    assert plain(abcd_graph(500, xi=0.3, seed=generator)) == plain(one)
    assert plain(abcd_graph(500, xi=0.3, seed=generator)) != plain(one)
    assert plain(abcd_graph(500, xi=0.3)) != plain(abcd_graph(500, xi=0.3))


SCRIPT = """
import hashlib
from paper.generate import abcd_graph
for xi, degree in ((0, 5), (0.3, 5), (1, 5), (0.1, 20)):
    drawn = abcd_graph(300, xi=xi, min_degree=degree, seed=5)
    numbers = drawn.graph.edges.tobytes() + drawn.clustering.to_labels().tobytes()
    print(hashlib.sha256(numbers).hexdigest())
"""


@pytest.mark.slow
def test_the_same_seed_gives_the_same_graph_without_the_compiler():
    command = [sys.executable, "-W", "ignore:overflow encountered:RuntimeWarning", "-c", SCRIPT]
    results = [
        subprocess.run(
            command, env=os.environ | {"NUMBA_DISABLE_JIT": off}, capture_output=True, check=True
        ).stdout
        for off in "01"
    ]
    assert len(set(results[0].split())) == 4
    assert results[0] == results[1]


def test_results_are_immutable_and_say_what_they_are():
    drawn = abcd_graph(300, xi=0.25, seed=0)
    assert isinstance(drawn, ABCDGraph)
    assert repr(drawn) == (
        f"ABCDGraph(300 vertices, {drawn.graph.n_edges:,} edges, "
        f"{drawn.clustering.n_clusters} clusters, xi 0.25, mixing {drawn.mixing:.3f})"
    )
    missing = drawn._replace(n_missing_edges=2)
    assert repr(missing).endswith(", 2 edges missing)")
    with pytest.raises(AttributeError):
        drawn.xi = 0.5
    with pytest.raises(ValueError, match="read-only"):
        drawn.degrees[0] = 1
    assert drawn.clustering.n_outliers == 0
    assert not drawn.clustering.has_overlaps
    assert cv.fstar_score(drawn.clustering, drawn.clustering.to_labels()) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_vertices": 1}, "n_vertices must be an integer of at least 2, not 1"),
        ({"n_vertices": 99.5}, "n_vertices must be an integer"),
        ({"xi": 1.1}, "xi must be a number from 0 to 1, not 1.1"),
        ({"xi": math.nan}, "xi must be a number from 0 to 1"),
        ({"xi": "0.5"}, "xi must be a number from 0 to 1"),
        ({"gamma": -1}, "gamma must be a number of at least 0, not -1"),
        ({"gamma": math.inf}, "gamma must be a number"),
        ({"beta": math.nan}, "beta must be a number"),
        ({"beta": True}, "beta must be a number"),
        ({"min_degree": 0}, "min_degree must be an integer of at least 1, not 0"),
        ({"min_degree": 1000}, "min_degree must be at most 999 with so few vertices, not 1,000"),
        ({"max_degree": 1000}, "max_degree must be at most 999"),
        ({"max_degree": 4}, "max_degree must be at least min_degree, 5, not 4"),
        ({"min_size": 1}, "min_size must be an integer of at least 2, not 1"),
        ({"min_size": 1001}, "min_size must be at most 1,000 with so few vertices, not 1,001"),
        ({"max_size": 24}, "max_size must be at least min_size, 25, not 24"),
        ({"max_size": 1001}, "max_size must be at most 1,000"),
        ({"max_size": "30"}, "max_size must be an integer"),
        ({"seed": -1}, "seed must be an integer of at least 0, a numpy.random.Generator or None"),
        ({"seed": 1.0}, "seed must be"),
        ({"seed": True}, "seed must be"),
        ({"seed": np.random.RandomState(0)}, "seed must be"),
        (
            {"n_vertices": 100, "min_size": 40, "max_size": 45},
            "no clusters of 40 to 45 vertices add up to 100: 2 of them have at most 90 and 3 have "
            "at least 120; lower min_size or raise max_size",
        ),
        (
            {"xi": 0, "min_degree": 30, "max_degree": 60, "min_size": 25, "max_size": 30},
            "vertices of degree 30 need clusters of at least 31 vertices, but max_size is 30; "
            "lower min_degree or raise max_size",
        ),
        (
            {"xi": 0, "max_degree": 300, "min_size": 20, "max_size": 20, "gamma": 1},
            "vertices of degree 20 need clusters of at least 21 vertices, but max_size is 20; "
            "lower max_degree or raise max_size",
        ),
        (
            {"n_vertices": 20_000, "xi": 0, "min_degree": 30, "min_size": 10, "max_size": 500},
            "vertices of degree 30 need clusters of at least 31 vertices, but min_size is 10; "
            "lower min_degree or raise min_size",
        ),
        ({"n_vertices": 10**12}, "more than the 1,000,000,000 edges that can be drawn"),
        ({"n_vertices": 10**6, "max_degree": 10**5, "gamma": 0}, "more than the 1,000,000,000"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_drawn(options, message):
    generator = np.random.default_rng(0)
    before = generator.bit_generator.state
    with pytest.raises(cv.OptionError) as caught:
        abcd_graph(**{"n_vertices": 1000, "xi": 0.3, "seed": generator} | options)
    assert message in str(caught.value)
    assert generator.bit_generator.state == before


def test_draws_that_do_not_fit_are_repeated():
    """Degree 23 is drawn in about three of ten graphs, but is too large for clusters of 20."""
    options = {"xi": 0, "gamma": 5, "min_degree": 8, "min_size": 20, "max_size": 20}
    for seed in range(40):
        drawn = abcd_graph(100, **options, max_degree=23, seed=seed)
        assert max(drawn.degrees) <= 19


def test_draws_that_never_fit_are_an_error_with_the_numbers():
    high = {"gamma": 0, "min_degree": 18, "max_degree": 30, "min_size": 20, "max_size": 25}
    with pytest.raises(cv.OptionError) as caught:
        abcd_graph(50, xi=0, **high, seed=0)
    start = "degrees and sizes of clusters did not fit in 100 draws: in the last one, "
    numbers = (
        " of degree 30 or more needed clusters of at least 31 vertices, which had room for 0 (the "
        "largest had 25); lower max_degree or raise max_size"
    )
    message = str(caught.value)
    assert message.startswith(start)
    assert message.endswith(numbers)
    equal = {"min_degree": 30, "max_degree": 30, "min_size": 20, "max_size": 60, "beta": 3}
    with pytest.raises(cv.OptionError, match="raise min_size or lower the degrees") as caught:
        abcd_graph(400, xi=0, **equal, seed=0)
    assert "400 vertices of degree 30 or more needed clusters of at least 31" in str(caught.value)


@pytest.fixture
def peer():
    """Return the package abcd-graph, which uses the global random generators."""
    import abcd_graph as package

    states = np.random.get_state(), random.getstate()  # noqa: NPY002
    yield package
    np.random.set_state(states[0])  # noqa: NPY002
    random.setstate(states[1])


def peer_graph(peer, xi, seed):
    np.random.seed(seed)  # noqa: NPY002
    random.seed(seed)
    params = peer.ABCDParams(
        vcount=2000, gamma=2.5, beta=1.5, xi=xi, min_degree=5, max_degree=44,
        min_community_size=25, max_community_size=340, num_outliers=0,
    )  # fmt: skip
    graph = peer.ABCDGraph(params).build()
    return graph.edges, graph.membership_list


def facts(edges, labels):
    return len(edges), len(set(labels)), cut_of(edges, labels) / len(edges)


@pytest.mark.slow
@pytest.mark.parametrize("xi", [0.5, 0.8])
def test_graphs_are_like_those_of_abcd_graph(peer, xi):
    """With xi=0.5, rewiring in abcd-graph moves half a per cent of all edges out of clusters."""
    ours = np.array([facts(*plain(abcd_graph(2000, xi=xi, seed=s))[:2]) for s in range(40)])
    theirs = np.array([facts(*peer_graph(peer, xi, seed)) for seed in range(40)])
    spread = np.sqrt((ours.var(axis=0) + theirs.var(axis=0)) / 40)
    apart = np.abs(ours.mean(axis=0) - theirs.mean(axis=0))
    assert np.all(apart[:2] < 3 * spread[:2])
    assert apart[2] < 0.01
    assert apart[2] < 3 * spread[2] or xi == 0.5


def test_edges_without_a_place_in_their_cluster_are_counted():
    """Some vertices have degrees of up to 1,000, in clusters of almost the same size."""
    drawn = abcd_graph(10_000, xi=0.1, gamma=2, max_degree=1_000, seed=1)
    labels = drawn.clustering.to_labels()
    ends = drawn.graph.edges
    between = int((labels[ends[:, 0]] != labels[ends[:, 1]]).sum())
    assert drawn.n_released_edges > 0.01 * drawn.graph.n_edges
    assert between <= drawn.n_released_edges + 0.1 * drawn.degrees.sum() / 2 * 1.1
    assert abcd_graph(2_000, xi=0.5, seed=1).n_released_edges == 0
