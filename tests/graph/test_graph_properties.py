"""Properties of all graphs and clusterings.

For one set F of edges and one set S of vertices, let V(F) be the ends of F and E(S) the edges
inside S. Then V(F) is contained in S exactly if F is contained in E(S), for all F and S: both mean
that every edge of F has both its ends in S. All laws of closures follow, and are tested here.
"""

from fractions import Fraction
from random import Random

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import coverlap as cv
from coverlap import Clustering
from coverlap.graph import as_graph, closure, edge_clustering, edges, vertex_clustering
from tests.graph import forms
from tests.naive_graph import in_order
from tests.property.strategies import clusterings

pytestmark = pytest.mark.slow  # many random graphs

LAWS = settings(derandomize=True, deadline=None, max_examples=100)


@st.composite
def graphs(draw, most=8):
    """Draw (graph with vertices 0..n-1, its edges as pairs of positions)."""
    n = draw(st.integers(2, most))
    pairs = [(i, j) for i in range(n) for j in range(i)]
    ends = draw(st.lists(st.sampled_from(pairs), max_size=14, unique=True))
    return as_graph(ends, vertices=n), sorted((j, i) for i, j in ends)


@st.composite
def graphs_with_vertices(draw):
    graph, ends = draw(graphs())
    return graph, ends, draw(clusterings(graph.n_vertices))


@st.composite
def graphs_with_edges(draw):
    graph, ends = draw(graphs())
    return graph, ends, draw(clusterings(graph.n_edges))


def some_of(draw, n):
    return frozenset(draw(st.frozensets(st.integers(0, n - 1)))) if n else frozenset()


@st.composite
def graphs_with_sets(draw):
    """Draw (graph, two sets of edges, two sets of vertices)."""
    graph, _ = draw(graphs())
    m, n = graph.n_edges, graph.n_vertices
    return graph, *(some_of(draw, size) for size in (m, m, n, n))


def inside(graph, vertices):
    """Return E(S), from a clustering with one cluster."""
    return _only(edge_clustering(graph, Clustering.from_clusters([vertices])))


def ends_of(graph, numbers):
    """Return V(F), from a clustering with one cluster."""
    return _only(vertex_clustering(graph, Clustering.from_clusters([numbers])))


def closed(graph, numbers):
    return _only(closure(graph, Clustering.from_clusters([numbers])))


def _only(clustering):
    clusters = clustering.to_clusters()
    assert len(clusters) <= 1
    return frozenset(*clusters)


def as_set(clustering):
    return set(map(frozenset, clustering.to_clusters()))


# One cluster


@LAWS
@given(graphs_with_sets())
def test_the_ends_of_edges_are_in_a_set_exactly_if_the_edges_are_inside_it(drawn):
    graph, some, more, one, other = drawn
    for numbers in (some, more, some & more):
        for vertices in (one, other, one | other):
            assert (ends_of(graph, numbers) <= vertices) == (numbers <= inside(graph, vertices))


@LAWS
@given(graphs_with_sets())
def test_larger_sets_have_more_ends_and_more_edges_inside(drawn):
    graph, some, more, one, other = drawn
    assert ends_of(graph, some) | ends_of(graph, more) == ends_of(graph, some | more)
    assert inside(graph, one) & inside(graph, other) == inside(graph, one & other)
    assert closed(graph, some) | closed(graph, more) <= closed(graph, some | more)
    assert closed(graph, some & more) <= closed(graph, some) & closed(graph, more)


@LAWS
@given(graphs_with_sets())
def test_edges_inside_a_set_are_closed_and_what_is_closed_are_the_edges_inside_a_set(drawn):
    graph, some, _, one, other = drawn
    for vertices in (one, other, one & other):
        assert closed(graph, inside(graph, vertices)) == inside(graph, vertices)
    assert inside(graph, ends_of(graph, some)) == closed(graph, some)


@LAWS
@given(graphs_with_sets())
def test_the_ends_of_the_edges_inside_a_set_are_all_but_the_lonely_ones(drawn):
    graph, _, _, one, _ = drawn
    lonely = {
        vertex for vertex in one
        if not any(vertex in edge and one.issuperset(edge) for edge in edges(graph).tolist())
    }  # fmt: skip
    assert ends_of(graph, inside(graph, one)) == one - lonely


# Clusterings


@LAWS
@given(graphs_with_edges())
def test_the_closure_is_closed(drawn):
    graph, _, clusters = drawn
    once = closure(graph, Clustering.from_clusters(clusters))
    again = closure(graph, once)
    assert again == once
    assert again.names == once.names


@LAWS
@given(graphs_with_edges())
def test_the_closure_holds_every_cluster_and_has_the_same_ends(drawn):
    graph, _, clusters = drawn
    given_ = Clustering.from_clusters(clusters, universe=graph.n_edges)
    of_all = closure(graph, given_)
    for cluster in filter(None, clusters):
        assert any(cluster <= more for more in of_all.to_clusters())
        assert closed(graph, cluster) in as_set(of_all)
    assert of_all.n_clusters <= given_.n_clusters
    assert vertex_clustering(graph, of_all) == vertex_clustering(graph, given_)


@LAWS
@given(graphs_with_edges(), st.data())
def test_the_closure_of_a_finer_clustering_is_finer(drawn, data):
    graph, _, clusters = drawn
    finer = [
        some_of(data.draw, graph.n_edges) & cluster if graph.n_edges else cluster
        for cluster in clusters
    ]  # fmt: skip
    coarse = closure(graph, Clustering.from_clusters(clusters)).to_clusters()
    for cluster in closure(graph, Clustering.from_clusters(finer)).to_clusters():
        assert any(cluster <= more for more in coarse)


@LAWS
@given(graphs_with_vertices())
def test_edges_to_vertices_and_back_is_the_same_clustering_of_edges(drawn):
    graph, _, clusters = drawn
    induced = edge_clustering(graph, Clustering.from_clusters(clusters))
    back = vertex_clustering(graph, induced)
    again = edge_clustering(graph, back)
    assert again == induced
    assert again.names == back.names == induced.names
    assert closure(graph, induced) == induced


@LAWS
@given(graphs_with_vertices())
def test_vertices_to_edges_and_back_is_within_the_clusters(drawn):
    graph, _, clusters = drawn
    given_ = Clustering.from_clusters(clusters)
    back = vertex_clustering(graph, edge_clustering(graph, given_))
    by_name = given_.to_dict()
    for name, cluster in back.to_dict().items():
        assert cluster <= by_name[name]
    assert as_set(back) == {
        frozenset(ends_of(graph, inside(graph, cluster))) for cluster in clusters
    } - {frozenset()}  # fmt: skip


@LAWS
@given(graphs_with_vertices())
def test_finer_clusters_induce_finer_clusters_of_edges(drawn):
    graph, _, clusters = drawn
    halves = [frozenset(sorted(cluster)[::2]) for cluster in clusters]
    coarse = edge_clustering(graph, Clustering.from_clusters(clusters)).to_clusters()
    for cluster in edge_clustering(graph, Clustering.from_clusters(halves)).to_clusters():
        assert any(cluster <= more for more in coarse)


# Changes without an effect


@LAWS
@given(graphs_with_vertices(), st.randoms(use_true_random=False))
def test_names_and_order_of_vertices_and_edges_do_not_matter(drawn, rng):
    _, ends, clusters = drawn
    n = drawn[0].n_vertices
    right = Clustering.from_labels([i % 2 for i in range(n)])
    names = [f"v{i}" for i in range(n)]
    rng.shuffle(names)
    renamed = [
        (names[i], names[j]) if rng.random() < 0.5 else (names[j], names[i]) for i, j in ends
    ]
    rng.shuffle(renamed)
    order = rng.sample(names, n)
    moved = nx.Graph()
    moved.add_nodes_from(order)
    moved.add_edges_from(renamed)
    left = Clustering.from_clusters(clusters, universe=n)
    left_there, right_there = (
        Clustering.from_clusters([{names[i] for i in cluster} for cluster in side], universe=order)
        for side in (clusters, right.to_clusters())
    )

    def as_ends(graph, clustering, translate):
        rows = edges(graph).tolist()
        return {
            frozenset(frozenset(translate[v] for v in rows[i]) for i in cluster)
            for cluster in edge_clustering(graph, clustering).to_clusters()
        }

    same = dict(zip(names, names, strict=True))
    assert as_ends(drawn[0], left, names) == as_ends(moved, left_there, same)
    one = cv.compare(left, right, graph=drawn[0])
    other = cv.compare(left_there, right_there, graph=moved)
    assert (one.score, one.edges.score) == (other.score, other.edges.score)


@LAWS
@given(graphs_with_vertices(), st.permutations(range(6)))
def test_the_order_of_clusters_does_not_matter(drawn, order):
    graph, _, clusters = drawn
    assume(1 < len(clusters) <= 6)
    shuffled = [clusters[i] for i in order if i < len(clusters)]
    one, other = (
        edge_clustering(graph, Clustering.from_clusters(side, universe=graph.n_vertices))
        for side in (clusters, shuffled)
    )
    assert one == other


@pytest.mark.parametrize("seed", range(40))
def test_all_forms_of_one_graph_agree(seed, tmp_path):
    rng = Random(seed)
    plain = forms.random_plain(rng)
    left, right = (
        Clustering.from_clusters(
            [{v for v in plain.vertices if rng.random() < 0.5} for _ in range(3)],
            universe=plain.vertices,
        )
        for _ in range(2)
    )
    scores = set()
    for form in forms.forms_of(plain):
        written = forms.write(plain, form, rng, tmp_path)
        same = plain
        if form in forms.LISTS:
            written = as_graph(written, vertices=plain.vertices)
            same = plain.over(in_order(plain.vertices))
        assert list(map(tuple, edges(written).tolist())) == same.edges, form
        assert as_graph(written).vertices == same.vertices, form
        result = cv.compare(left, right, graph=written)
        scores.add((result.score, result.edges.score))
    assert len(scores) == 1


@pytest.fixture(scope="module")
def large():
    """Return a graph of 300,000 edges, and two overlapping clusterings of its vertices."""
    rng = np.random.default_rng(11)
    n = 20_000
    graph = as_graph(rng.integers(0, n, (300_000, 2)), vertices=n)
    sides = [
        Clustering.from_clusters(
            [rng.choice(n, size, replace=False) for size in rng.integers(300, 3000, 150)],
            universe=n,
        )
        for _ in range(2)
    ]
    return graph, *sides


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_the_number_of_threads_does_not_matter(large, threads):
    graph, left, right = large
    one = cv.compare(left, right, graph=graph, threads=1)
    more = cv.compare(left, right, graph=graph, threads=threads)
    assert (one.score, one.edges.score) == (more.score, more.edges.score)
    assert one.edges.columns() == more.edges.columns()


def test_a_large_comparison_equals_exact_sums_over_a_sparse_product(large):
    graph, left, right = large
    adjacency = edges(graph)
    inside = []
    for side in (left, right):
        matrix = side.to_matrix().tocsc().astype(np.int32)
        inside.append(matrix[:, adjacency[:, 0]].multiply(matrix[:, adjacency[:, 1]]).tocsr())
    one, other = inside
    shared = (one @ other.T).toarray()
    sizes = [np.asarray(side.sum(axis=1)).ravel() for side in inside]
    union = sizes[0][:, None] + sizes[1][None, :] - shared
    of_edges = [np.asarray(side.sum(axis=0)).ravel() == 0 for side in inside]
    similar = Fraction(
        int(np.count_nonzero(of_edges[0] & of_edges[1])),
        int(np.count_nonzero(of_edges[0] | of_edges[1])),
    )
    total = Fraction(0)
    for axis, (size, outlier) in enumerate(zip(sizes, of_edges, strict=True)):
        table = (shared / union) if axis == 0 else (shared / union).T
        top = table.argmax(axis=1)
        counts, unions = (t if axis == 0 else t.T for t in (shared, union))
        best = [Fraction(int(counts[i, j]), int(unions[i, j])) for i, j in enumerate(top)]
        matched = sum(int(s) * b for s, b in zip(size, best, strict=True)) / int(size.sum())
        share = Fraction(int(outlier.sum()), len(outlier))
        total += (share * similar + (1 - share) * matched) / 2
    result = cv.compare(left, right, graph=graph)
    assert result.edges.score == pytest.approx(float(total), rel=0, abs=1e-12)
