"""Graph-aware measures of partitions equal the definitions and the authors' program."""

import math

import igraph as ig
import networkx as nx
import numpy as np
import partition_igraph  # noqa: F401  (gives igraph.Graph its gam)
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from coverlap.graph import partition_score
from tests import naive_graph
from tests.graph.forms import graphs, near, parts, two_inputs

SIMILARITIES = [
    (measure, adjusted)
    for measure in naive_graph.MEASURES
    for adjusted in (True, False)
    if (measure, adjusted) != ("jaccard", True)
]
EXACT = 1e-9


@settings(max_examples=80)
@given(st.data())
def test_every_measure_equals_its_definition_for_both_orders_of_the_sides(data):
    plain = data.draw(graphs())
    left, right = data.draw(two_inputs(plain))
    sides = parts(left), parts(right)
    for measure, adjusted in SIMILARITIES:
        expected = naive_graph.partition_score(plain.edges, *sides, measure, adjusted=adjusted)
        found = partition_score(plain.graph, left, right, measure, adjusted=adjusted)
        assert type(found) is float
        assert found == near(expected)
        assert expected != 1 or found == 1.0
        assert found == partition_score(plain.graph, right, left, measure, adjusted=adjusted)


def test_rand_is_the_default_and_it_is_adjusted():
    path = [(0, 1), (1, 2), (2, 3), (3, 4)]
    left, right = [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]
    # Three of four edges are inside on each side, two of them on both: (2 - 9/4) / (3 - 9/4).
    assert partition_score(path, left, right) == near(-1 / 3)
    assert partition_score(path, left, right, "rand", adjusted=False) == near(1 / 2)


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


@pytest.mark.parametrize(("measure", "adjusted"), SIMILARITIES)
@settings(max_examples=40)
@given(plain=graphs(("positions",)), data=st.data())
def test_partitions_have_the_values_of_partition_igraph(measure, adjusted, plain, data):
    assume(plain.edges)
    graph, n = plain.graph.to_igraph(), len(plain.vertices)
    sides = [data.draw(st.lists(st.integers(0, n // 2), min_size=n, max_size=n)) for _ in "lr"]
    clusters = [ig.VertexClustering(graph, side) for side in sides]
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = float(graph.gam(*clusters, method=measure, adjusted=adjusted))
    assume(math.isfinite(expected))
    for pair in (sides, clusters):
        found = partition_score(graph, *pair, measure, adjusted=adjusted)
        assert found == pytest.approx(expected, rel=0, abs=EXACT)
