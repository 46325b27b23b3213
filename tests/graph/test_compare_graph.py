"""Two clusterings of a graph, compared on the vertices and on the edges."""

import json
import pickle
from dataclasses import astuple
from fractions import Fraction
from itertools import product
from random import Random

import cdlib
import igraph as ig
import networkit as nk
import networkx as nx
import numpy as np
import pandas as pd
import pytest

import coverlap as cv
from coverlap import Clustering
from coverlap.core.errors import UniverseError
from coverlap.graph import as_graph, closure, edge_clustering, vertex_clustering
from coverlap.results.comparison import Comparison
from tests import naive, naive_graph
from tests.graph.forms import Plain, random_plain
from tests.graph.test_edges import named, near, random_clusters
from tests.test_errors import check

RULES = ("union", "intersection", "left", "right", "given")
DROPS = (None, "left", "right", "either", "both")
SIMILARITIES = ("jaccard", "f1", "precision", "recall")


def graph_of(plain):
    return as_graph(plain.ends, vertices=plain.vertices)


def side_of(rng, plain):
    """Draw (clusters with names, the vertices of this side, the clustering)."""
    known = [vertex for vertex in plain.vertices if rng.random() < 0.75]
    clusters = random_clusters(rng, known, [edge for edge in plain.edges if {*edge} <= {*known}])
    return clusters, known, Clustering.from_clusters(clusters, universe=known)


def two_sides(rng, plain):
    """Draw two sides, but not one with numbers and one with strings, which is an error."""
    while True:
        sides = [side_of(rng, plain) for _ in range(2)]
        kinds = [{type(vertex) for vertex in known} for _, known, _ in sides]
        if {int} not in kinds or {str} not in kinds:
            return sides


def given_universe(rng, plain, *sides):
    """Draw some vertices, including the members of both sides."""
    members = {vertex for side in sides for cluster in side.values() for vertex in cluster}
    return [v for v in plain.vertices if v in members or rng.random() < 0.5]


def sets(clusters):
    return list(clusters.values())


# Against the oracle


@pytest.mark.parametrize(("rule", "drop"), list(product(RULES, DROPS)))
def test_every_rule_leaves_the_edges_between_the_objects_it_leaves(rule, drop):
    rng = Random(f"{rule} {drop}")
    for _ in range(30):
        plain = random_plain(rng)
        (left, known_left, one), (right, known_right, other) = two_sides(rng, plain)
        universe = given_universe(rng, plain, left, right) if rule == "given" else rule
        objects = naive_graph.chosen(plain.vertices, (known_left, known_right), universe)
        expected = naive_graph.compare(
            plain.edges, objects, sets(left), sets(right), drop_outliers=drop
        )
        result = cv.compare(
            one, other, graph=graph_of(plain), universe=universe, drop_outliers=drop
        )
        assert (result.score, result.edges.score) == tuple(map(near, expected))
        kept = naive._kept(sets(left), sets(right), objects, drop)
        between = [edge for edge in plain.edges if kept.issuperset(edge)]
        assert result.universe.n_objects == len(kept)
        assert result.universe.n_outliers_dropped == len(objects) - len(kept)
        assert result.universe.n_only_left == len({*known_left} - {*known_right})
        assert result.universe.n_only_right == len({*known_right} - {*known_left})
        assert result.edges.universe.n_objects == len(between)


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_options_hold_for_both_perspectives(similarity):
    rng = Random(similarity)
    for outliers, average, balance in product((True, False), ("size", "equal"), (0.25, 0.5, 1.0)):
        options = {
            "outliers": outliers, "average": average, "balance": balance, "similarity": similarity,
        }  # fmt: skip
        for _ in range(8):
            plain = random_plain(rng)
            (left, _, one), (right, _, other) = two_sides(rng, plain)
            expected = naive_graph.compare(
                plain.edges, plain.vertices, sets(left), sets(right), **options
            )
            result = cv.compare(one, other, graph=graph_of(plain), **options)
            assert (result.score, result.edges.score) == tuple(map(near, expected))
            assert result.edges.options == result.options


def test_the_edges_are_those_of_the_two_induced_clusterings():
    rng = Random(3)
    for _ in range(300):
        plain = random_plain(rng)
        graph = graph_of(plain)
        (_, _, one), (_, _, other) = two_sides(rng, plain)
        result = cv.compare(one, other, graph=graph, names=("truth", "found")).edges
        induced = edge_clustering(graph, one), edge_clustering(graph, other)
        alone = cv.compare(*induced, universe=graph.n_edges, names=("truth", "found"))
        assert result.score == alone.score
        assert result.outliers == alone.outliers
        assert result.columns() == alone.columns()
        assert result.names == ("truth", "found")
        expected = [naive_graph.edge_clusters(plain.edges, named(side)) for side in (one, other)]
        assert result.n_clusters == tuple(len(side.clusters) for side in expected)
        of_side = dict.fromkeys(("truth", "found"), ())
        columns = result.columns()
        for side, kind, name in zip(
            columns["side"], columns["kind"], columns["cluster"], strict=True
        ):
            of_side[side] += (name,) if kind == "cluster" else ()
        assert list(of_side.values()) == [tuple(side.clusters) for side in expected]


@pytest.mark.slow
def test_the_scores_of_vertices_are_those_without_a_graph():
    rng = Random(4)
    for _ in range(300):
        plain = random_plain(rng)
        (_, known, one), (_, others, other) = two_sides(rng, plain)
        result = cv.compare(one, other, graph=graph_of(plain))
        alone = cv.compare(one, other, universe=plain.vertices)
        assert result.score == alone.score
        assert result.columns() == alone.columns()
        assert result.outliers == alone.outliers
        assert result.left == alone.left
        for rule in ("left", "right", "intersection"):
            ruled = cv.compare(one, other, graph=graph_of(plain), universe=rule)
            assert ruled.score == cv.fstar_score(one, other, universe=rule)
        if set(known) | set(others) == set(plain.vertices):
            assert result.score == cv.fstar_score(one, other)


def test_equal_clusterings_score_exactly_one_and_others_less():
    rng = Random(5)
    seen = set()
    for _ in range(500):
        plain = random_plain(rng)
        graph = graph_of(plain)
        (left, _, one), (right, _, other) = two_sides(rng, plain)
        same = cv.compare(one, Clustering.from_clusters(sets(left)[::-1]), graph=graph)
        assert (same.score, same.edges.score) == (1.0, 1.0)
        result = cv.compare(one, other, graph=graph)
        equal = set(sets(left)) == set(sets(right))
        of_edges = [
            set(naive_graph.edge_clusters(plain.edges, side).clusters.values())
            for side in (left, right)
        ]
        equal_edges = of_edges[0] == of_edges[1]
        assert (result.score == 1.0) == equal
        assert (result.edges.score == 1.0) == equal_edges
        seen.add((equal, equal_edges))
    assert seen == {(True, True), (False, True), (False, False)}


def test_swapping_the_sides_gives_the_same_floats():
    rng = Random(6)
    swapped = {"left": "right", "right": "left"}
    for rule, drop in product(RULES, DROPS):
        for _ in range(10):
            plain = random_plain(rng)
            graph = graph_of(plain)
            (left, _, one), (right, _, other) = two_sides(rng, plain)
            universe = given_universe(rng, plain, left, right) if rule == "given" else rule
            back = swapped.get(rule, universe)
            result = cv.compare(one, other, graph=graph, universe=universe, drop_outliers=drop)
            turned = cv.compare(
                other, one, graph=graph, universe=back, drop_outliers=swapped.get(drop, drop)
            )
            assert (result.score, result.edges.score) == (turned.score, turned.edges.score)


def test_labels_of_all_vertices_are_compared_on_all_of_them():
    rng = np.random.default_rng(8)
    for _ in range(100):
        n = int(rng.integers(1, 9))
        plain = Plain(list(range(n)), rng.integers(0, n, (6, 2)).tolist(), "positions")
        sides = [rng.integers(-1, 3, n) for _ in "lr"]
        clusters = [[set(np.flatnonzero(side == k).tolist()) for k in range(3)] for side in sides]
        expected = naive_graph.compare(plain.edges, plain.vertices, *clusters)
        for graph in (plain.ends, graph_of(plain), ig.Graph(n, plain.ends)):
            result = cv.compare(*sides, graph=graph)
            assert (result.score, result.edges.score) == tuple(map(near, expected))
            assert result.universe.n_objects == n


def test_a_number_of_objects_is_a_universe():
    result = cv.compare([{0, 1}], [{1, 2}], graph=[(0, 1), (1, 2), (2, 3)], universe=4)
    assert (result.universe.n_objects, result.edges.universe.n_objects) == (4, 3)
    # The outliers {2, 3} and {0, 3} share one of three vertices; those of the edges are
    # {12, 23} and {01, 23}, and share one of three edges.
    assert result.score == near((1 / 3 + 1 / 3) / 2)
    assert result.edges.score == near(2 / 3 * 1 / 3)


def test_sides_of_numbers_and_of_strings_fare_the_same_in_every_form_of_a_graph():
    ends = [("b", 20), (7, "a")]
    outcomes = set()
    for graph in (ends, nx.Graph(ends), as_graph(ends, vertices=["a", "b", 7, 20])):
        try:
            outcomes.add(cv.compare([{"a", "b"}], [{7, 20}], graph=graph).score)
        except UniverseError:
            outcomes.add("refused")
    assert len(outcomes) == 1


# By hand


def test_two_halves_of_a_cycle_have_the_values_computed_by_hand():
    cycle = nx.cycle_graph(6)
    result = cv.compare([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2], graph=cycle)
    # Left has {01, 12} and {34, 45}, and the outliers 05 and 23; right has {01}, {23} and {45},
    # and the outliers 05, 12 and 34. The outliers have similarity 1/4. Left to right, a third of
    # the edges are outliers and the clusters have similarity 1/2: 5/12. Right to left, half of
    # the edges are outliers and two of the three clusters have similarity 1/2: 7/24.
    assert result.edges.score == near(Fraction(17, 48))
    assert astuple(result.edges.outliers) == (2, 3, 1, 1 / 4)
    assert result.edges.n_clusters == (2, 3)
    # Vertices: all similarities are 2/3, except that of the right cluster {2, 3}, which is 1/4.
    assert result.score == near((Fraction(2, 3) + (Fraction(4, 3) + Fraction(1, 4)) / 3) / 2)


# The result


def test_without_a_graph_there_are_no_edges_and_no_notes():
    result = cv.compare([0, 0, 1], [0, 1, 1])
    assert result.edges is None
    assert result.notes == ()
    assert cv.compare([0, 0, 1], [0, 1, 1], graph=None).edges is None


def test_a_comparison_with_edges_can_be_pickled_and_written():
    result = cv.compare([0, 0, 1, -1], [0, 1, 1, 1], graph=[(0, 1), (1, 2), (2, 3)])
    assert isinstance(result.edges, Comparison)
    assert result.edges.edges is None
    assert isinstance(result.notes, tuple)
    copy = pickle.loads(pickle.dumps(result))  # noqa: S301
    assert (copy.score, copy.edges.score) == (result.score, result.edges.score)
    assert copy.notes == result.notes
    written = json.loads(result.to_json())
    assert written["score"] == result.score
    assert written["edges"]["score"] == result.edges.score
    assert str(result)
    with pytest.raises(AttributeError):
        result.edges = None


# Clusterings of edges


def random_edges(rng, plain):
    """Draw (clusters of edge numbers, the same clusters as pairs of vertices in either order)."""
    clusters = random_clusters(rng, range(len(plain.edges)))
    ends = [edge if rng.random() < 0.5 else edge[::-1] for edge in plain.edges]
    return clusters, {name: {ends[i] for i in cluster} for name, cluster in clusters.items()}


def with_edges(rng):
    """Draw a graph, and a clustering of its edges that is not empty."""
    while True:
        plain = random_plain(rng)
        clusters, pairs = random_edges(rng, plain)
        if clusters:
            return plain, clusters, pairs


@pytest.mark.slow
def test_clusters_of_edges_are_compared_by_their_ends_and_by_their_closure():
    rng = Random(9)
    for _ in range(300):
        plain, clusters, pairs = with_edges(rng)
        truth, known, one = side_of(rng, plain)
        found = naive_graph.vertex_clusters(plain.edges, clusters).clusters
        closed = naive_graph.closure(plain.edges, clusters)
        expected = naive_graph.compare(plain.edges, plain.vertices, sets(truth), sets(found))
        of_edges = naive.fstar(
            naive_graph.edge_clusters(plain.edges, truth).clusters.values(),
            closed.values(),
            range(len(plain.edges)),
        )
        assert of_edges == expected[1]
        for side in (list(pairs.values()), Clustering.from_clusters(pairs)):
            result = cv.compare(one, side, graph=graph_of(plain))
            assert (result.score, result.edges.score) == tuple(map(near, expected))
            turned = cv.compare(side, one, graph=graph_of(plain))
            assert (turned.score, turned.edges.score) == (result.score, result.edges.score)
            for notes in (result.notes, turned.notes):
                assert isinstance(notes, tuple)
                assert any("edges" in note for note in notes), notes
        ruled = cv.compare(one, list(pairs.values()), graph=graph_of(plain), universe="left")
        expected = naive_graph.compare(plain.edges, known, sets(truth), sets(found))
        assert (ruled.score, ruled.edges.score) == tuple(map(near, expected))


def test_a_dict_of_pairs_is_a_clustering_of_edges():
    rng = Random(10)
    for _ in range(100):
        plain = random_plain(rng)
        if not plain.edges:
            continue
        labels = {edge[:: rng.choice([1, -1])]: rng.choice([-1, 0, 1]) for edge in plain.edges}
        clusters = {
            k: {i for i, label in enumerate(labels.values()) if label == k} for k in (0, 1)
        }  # fmt: skip
        truth, _, one = side_of(rng, plain)
        found = naive_graph.vertex_clusters(plain.edges, clusters).clusters
        expected = naive_graph.compare(plain.edges, plain.vertices, sets(truth), sets(found))
        result = cv.compare(one, labels, graph=graph_of(plain))
        assert (result.score, result.edges.score) == tuple(map(near, expected))
        assert result.notes


def test_an_edge_clustering_of_cdlib_is_compared_with_a_truth_of_vertices():
    karate = nx.karate_club_graph()
    truth = {v: karate.nodes[v]["club"] for v in karate}
    edges = [tuple(edge) for edge in karate.edges]
    parts = [edges[i::3] for i in range(3)]
    parts[0] = parts[0][:5]
    found = cdlib.EdgeClustering([list(part) for part in parts], karate, overlap=True)
    result = cv.compare(truth, found, graph=karate)
    plain = Plain(list(karate), edges, "positions")
    number = {edge: i for i, edge in enumerate(plain.edges)}
    clusters = {k: {number[edge] for edge in part} for k, part in enumerate(parts)}
    clubs = [{v for v in truth if truth[v] == club} for club in set(truth.values())]
    vertices = naive_graph.vertex_clusters(plain.edges, clusters).clusters
    expected = naive_graph.compare(plain.edges, plain.vertices, clubs, sets(vertices))
    assert (result.score, result.edges.score) == tuple(map(near, expected))
    assert any("edges" in note for note in result.notes)
    assert vertex_clustering(karate, found).n_clusters == len(vertices)
    assert closure(karate, found).n_clusters == len(naive_graph.closure(plain.edges, clusters))


def test_an_edge_clustering_equals_the_vertices_it_spans():
    rng = Random(12)
    for _ in range(200):
        plain, clusters, pairs = with_edges(rng)
        spanned = naive_graph.vertex_clusters(plain.edges, clusters).clusters
        result = cv.compare(list(pairs.values()), list(spanned.values()), graph=graph_of(plain))
        assert (result.score, result.edges.score) == (1.0, 1.0)


def test_vertices_that_are_pairs_are_not_taken_for_edges():
    grid = nx.grid_2d_graph(3, 3)
    left = [{v for v in grid if v[0] == i} for i in range(3)]
    right = [{v for v in grid if v[1] <= 1}, {(2, 2), (1, 2)}]
    plain = Plain(list(grid), [tuple(edge) for edge in grid.edges], "positions")
    expected = naive_graph.compare(plain.edges, plain.vertices, left, right)
    result = cv.compare(left, right, graph=grid)
    assert (result.score, result.edges.score) == tuple(map(near, expected))
    assert not any("edges" in note for note in result.notes)


def test_pairs_that_are_no_edges_are_refused():
    for side in ([{(0, 2)}], {(0, 1): 0, (0, 3): 0}, Clustering.from_clusters([{(0, 1), (1, 9)}])):
        check(
            lambda side=side: cv.compare([0, 0, 1, 1], side, graph=[(0, 1), (1, 2), (2, 3)]),
            UniverseError, "(0, 2)" if side == [{(0, 2)}] else "(",
        )  # fmt: skip


# Series, whose index has the ids of vertices, and other special cases


LABELS = pd.Series([0, 0, 1, 1, 1, 1])
SHUFFLED = LABELS.sample(frac=1, random_state=3)
CHAIN = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
MATRIX = nx.to_scipy_sparse_array(nx.Graph(CHAIN), nodelist=range(6))


@pytest.mark.parametrize(
    "graph",
    [CHAIN, MATRIX, nx.Graph(CHAIN), ig.Graph(CHAIN), nk.nxadapter.nx2nk(nx.path_graph(6))],
    ids=["pairs", "matrix", "networkx", "igraph", "networkit"],
)
@pytest.mark.parametrize("other", [LABELS, SHUFFLED, dict(LABELS)], ids=["series", "own", "dict"])
def test_a_shuffled_series_goes_by_its_index_in_every_graph(graph, other):
    result = cv.compare(other, SHUFFLED, graph=graph)
    assert (result.score, result.edges.score) == (1.0, 1.0)
    assert cv.graph.partition_score(graph, other, SHUFFLED) == 1.0
    inside = {frozenset(c) for c in cv.graph.edge_clustering(graph, SHUFFLED).to_clusters()}
    assert inside == {frozenset({0}), frozenset({2, 3, 4})}


def test_rows_of_one_frame_with_other_names_go_by_place():
    frame = pd.DataFrame({"t": [0, 0, 1, 1, 1, 1], "f": [0, 1, 1, 1, 1, 1]}, index=list("abcdef"))
    by_place = cv.compare(frame.t.tolist(), frame.f.tolist(), graph=MATRIX)
    result = cv.compare(frame.t, frame.f, graph=MATRIX)
    assert (result.score, result.edges.score) == (by_place.score, by_place.edges.score)


def test_a_series_names_vertices_without_edges_as_a_list_does():
    labels = [0, 0, 1, 1, 1, 1, 2]
    result = cv.compare(pd.Series(labels), pd.Series(labels), graph=CHAIN)
    assert result.universe.n_objects == 7
    assert result.edges.universe.n_objects == 5


def test_two_clusterings_of_edges_are_compared_as_they_are():
    left, right = [{(0, 1), (2, 1)}], [{(1, 0)}, {(3, 4)}]
    result = cv.compare(left, right, graph=CHAIN)
    # Edges 0 and 1 are clustered on the left, and 0 and 3 on the right, of five edges.
    edges = naive.fstar([{0, 1}], [{0}, {3}], range(5))
    assert result.edges.score == pytest.approx(float(edges), abs=1e-12)
    vertices = naive.fstar([{0, 1, 2}], [{0, 1}, {3, 4}], range(6))
    assert result.score == pytest.approx(float(vertices), abs=1e-12)
    assert "left and right are clusterings of edges" in result.notes[0]


@pytest.mark.parametrize("graph", [CHAIN, nx.Graph(CHAIN)])
def test_objects_beyond_the_vertices_are_outliers_without_edges(graph):
    left, right = [{0, 1, 2}, {3, 4}], [{0, 1}, {2, 3, 4}]
    result = cv.compare(left, right, graph=graph, n_objects=10)
    assert result.universe.rule == "given number of objects"
    expected = naive.fstar(left, right, range(10))
    assert result.score == pytest.approx(float(expected), abs=1e-12)
    assert result.edges.score == cv.compare(left, right, graph=graph).edges.score
    with pytest.raises(cv.UniverseError, match="n_objects is 5"):
        cv.compare(left, right, graph=graph, n_objects=5)


@pytest.mark.parametrize("universe", ["left", "right", "intersection", [10, 11]])
def test_objects_that_are_no_vertices_at_all_are_refused(universe):
    with pytest.raises(cv.UniverseError, match="vert"):
        cv.compare([{10, 11}], [{10, 11}], graph=CHAIN, universe=universe)


def test_a_member_that_is_no_vertex_is_refused_in_any_universe_of_a_complete_graph():
    with pytest.raises(cv.UniverseError, match="no vertices of the graph: 9"):
        cv.compare([{0, 9}], [{0, 1}], graph=nx.Graph(CHAIN), universe=range(10))


def test_odd_names_of_clusters_are_text_in_the_json_of_edges():
    names = cv.Clustering.from_clusters({("x", 1): [0, 1, 2], ("y", 2): [3, 4, 5]})
    facts = json.loads(cv.compare(names, names, graph=CHAIN).to_json())
    assert {row["cluster"] for row in facts["edges"]["clusters"] if row["kind"] == "cluster"} == {
        "('x', 1)", "('y', 2)",
    }  # fmt: skip


def test_networkit_graphs_with_gaps_keep_their_numbers():
    graph = nk.nxadapter.nx2nk(nx.path_graph(6))
    graph.removeNode(2)
    assert cv.graph.edges(graph).tolist() == [[0, 1], [3, 4], [4, 5]]
    found = cv.graph.edge_clustering(graph, [0, 0, 0, 1, 1, 1])
    assert found.to_clusters() == [{0}, {1, 2}]


def test_names_of_igraph_that_are_repeated_or_missing_are_refused():
    graph = ig.Graph([(0, 1), (1, 2)])
    for names in (["a", "a", "b"], ["a", None, "b"]):
        graph.vs["name"] = names
        with pytest.raises(cv.CoverlapError, match="names of the graph's vertices"):
            cv.graph.edge_clustering(graph, [{"a", "b"}])


def test_the_closure_counts_what_it_merged():
    triangle = [(0, 1), (0, 2), (1, 2)]
    assert cv.graph.closure(triangle, [{0, 1}, {1, 2}]).n_merged == 1
