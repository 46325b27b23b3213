"""Graph-aware measures of partitions equal the definitions and the authors' program."""

import math
from random import Random

import igraph as ig
import networkx as nx
import numpy as np
import partition_igraph  # noqa: F401  (gives igraph.Graph its gam)
import pytest

import coverlap as cv
from coverlap import Clustering
from coverlap.graph import as_graph, partition_score
from tests import naive_graph
from tests.graph.forms import random_plain
from tests.graph.test_edges import near, random_clusters
from tests.marks import slow_after

SIMILARITIES = [
    (measure, adjusted)
    for measure in naive_graph.MEASURES
    for adjusted in (True, False)
    if (measure, adjusted) != ("jaccard", True)
]
EXACT = 1e-9


def random_side(rng, plain):
    """Draw a clustering of the vertices, which often is a partition."""
    if rng.random() < 0.3:
        return {v: rng.choice([0, 1, 2]) for v in plain.vertices}
    return Clustering.from_clusters(random_clusters(rng, plain.vertices), universe=plain.vertices)


# The definitions


@pytest.mark.parametrize(("measure", "adjusted"), slow_after(3, SIMILARITIES))
def test_every_measure_equals_its_definition(measure, adjusted):
    rng = Random(f"{measure} {adjusted}")
    for _ in range(400):
        plain = random_plain(rng)
        left, right = (random_side(rng, plain) for _ in range(2))
        graph = as_graph(plain.ends, vertices=plain.vertices)
        sides = [cv.as_clustering(side).to_clusters() for side in (left, right)]
        expected = naive_graph.partition_score(plain.edges, *sides, measure, adjusted=adjusted)
        found = partition_score(graph, left, right, measure, adjusted=adjusted)
        assert type(found) is float
        assert found == near(expected)
        assert found == partition_score(graph, right, left, measure, adjusted=adjusted)


@pytest.mark.parametrize(("measure", "adjusted"), SIMILARITIES)
def test_the_same_edges_inside_score_exactly_one(measure, adjusted):
    rng = Random(measure)
    for _ in range(100):
        plain = random_plain(rng, most=9)
        graph = as_graph(plain.ends, vertices=plain.vertices)
        side = random_side(rng, plain)
        assert partition_score(graph, side, side, measure, adjusted=adjusted) == 1.0
        labels = rng.sample(range(len(plain.vertices)), len(plain.vertices))
        single = dict(zip(plain.vertices, labels, strict=True))
        assert partition_score(graph, single, [], measure, adjusted=adjusted) == 1.0


@pytest.mark.parametrize(("measure", "adjusted"), SIMILARITIES)
def test_nothing_over_nothing_is_one_for_equal_sides_and_else_zero(measure, adjusted):
    path = [(0, 1), (1, 2), (2, 3)]
    none, half, all_ = [0, 1, 2, 3], [0, 0, 1, 2], [0, 0, 0, 0]

    def score(left, right, graph=path):
        return partition_score(graph, left, right, measure, adjusted=adjusted)

    assert score(none, none) == score(all_, all_) == score(none, [-1] * 4) == 1.0
    # If no edge is inside on one side and one of three on the other, only the raw Rand index is
    # not zero: they agree on two edges. If all three are inside on the other, it is zero, too.
    agree = 2 / 3 if (measure, adjusted) == ("rand", False) else 0.0
    assert score(none, half) == score(half, none) == near(agree)
    assert score(none, all_) == 0.0
    # One of three edges is inside on one side, and all on the other.
    plain = {"rand": 1 / 3, "jaccard": 1 / 3, "mn": 1 / 2, "gmn": 1 / math.sqrt(3), "max": 1 / 3}
    expected = 0.0 if adjusted else plain.get(measure, 1.0)
    assert score(half, all_) == near(expected)
    assert score(half, half, as_graph([], vertices=4)) == 1.0
    assert score(half, all_, as_graph([], vertices=4)) == 1.0


def test_rand_is_the_default_and_it_is_adjusted():
    path = [(0, 1), (1, 2), (2, 3), (3, 4)]
    left, right = [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]
    # Three of four edges are inside on each side, two of them on both: (2 - 9/4) / (3 - 9/4).
    assert partition_score(path, left, right) == near(-1 / 3)
    assert partition_score(path, left, right, "mn") == near(-1 / 3)
    assert partition_score(path, left, right, "rand", adjusted=False) == near(1 / 2)


def test_an_edge_inside_one_of_several_clusters_is_inside():
    path = [(0, 1), (1, 2), (2, 3)]
    overlapping = [{0, 1}, {1, 2}, {0, 2}]
    assert partition_score(path, overlapping, [0, 0, 0, -1], adjusted=False) == 1.0
    assert partition_score(path, overlapping, [0, 0, 1, 1], "mn", adjusted=False) == near(1 / 2)


def test_scores_do_not_depend_on_the_form_of_the_graph():
    karate = nx.karate_club_graph()
    left = [karate.nodes[v]["club"] for v in karate]
    right = [int(v >= 17) for v in karate]
    ends = np.array(karate.edges)
    graphs = (
        karate, ends, ends[::-1, ::-1], nx.to_scipy_sparse_array(karate), ig.Graph(34, ends),
        nx.to_directed(karate),
    )  # fmt: skip
    for measure, adjusted in SIMILARITIES:
        found = {partition_score(g, left, right, measure, adjusted=adjusted) for g in graphs}
        assert len(found) == 1


# Numbers of other tools

CLUBS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, *[1] * 12]
HALVES = [0] * 17 + [1] * 17
KARATE = {
    ("gmn", True): 0.28077546267242376,
    ("min", True): 0.4620689655172415,
    ("max", True): 0.19705882352941187,
    ("mn", False): 0.8571428571428571,
    ("max", False): 0.7941176470588235,
}
"""Values of gam() in ftheberge/graph-partition-and-measures for Zachary's karate club."""


@pytest.mark.parametrize(("measure", "adjusted"), KARATE)
def test_the_karate_club_has_the_published_values(measure, adjusted):
    for graph in (nx.karate_club_graph(), ig.Graph.Famous("Zachary")):
        found = partition_score(graph, CLUBS, HALVES, measure, adjusted=adjusted)
        assert found == pytest.approx(KARATE[measure, adjusted], rel=0, abs=EXACT)


def test_on_the_karate_club_rand_and_mn_are_the_same_if_adjusted():
    karate = nx.karate_club_graph()
    one, other = (partition_score(karate, CLUBS, HALVES, measure) for measure in ("rand", "mn"))
    assert one == other


@pytest.mark.parametrize(("measure", "adjusted"), SIMILARITIES)
def test_random_partitions_have_the_values_of_partition_igraph(measure, adjusted):
    rng = np.random.default_rng(15)
    n_compared = 0
    for _ in range(60):
        n = int(rng.integers(4, 40))
        pairs = np.column_stack(np.triu_indices(n, 1))
        m = rng.integers(3, len(pairs) + 1)
        graph = ig.Graph(n=n, edges=rng.choice(pairs, m, replace=False))
        sides = [rng.integers(0, rng.integers(1, n), n) for _ in range(2)]
        parts = [ig.VertexClustering(graph, side.tolist()) for side in sides]
        with np.errstate(divide="ignore", invalid="ignore"):
            expected = float(graph.gam(*parts, method=measure, adjusted=adjusted))
        if not math.isfinite(expected):
            continue
        n_compared += 1
        for pair in (sides, parts):
            found = partition_score(graph, *pair, measure, adjusted=adjusted)
            assert found == pytest.approx(expected, rel=0, abs=EXACT)
    assert n_compared > 40
