"""Links between objects, such as the pairs of records that recordlinkage returns."""

import networkx as nx
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coverlap as cv
from coverlap import Clustering, InputError, InputTypeError, UniverseError

LINKS = [("r5", "r1"), ("r1", "r2"), ("r7", "r8"), ("r1", "r2"), ("r2", "r1")]


def index_of(pairs):
    """Return links as recordlinkage does."""
    return pd.MultiIndex.from_tuples(pairs, names=["rec_id_1", "rec_id_2"])


def as_sets(clustering):
    return {frozenset(cluster) for cluster in clustering.to_clusters()}


def test_links_are_read_as_what_they_connect():
    expected = {frozenset({"r1", "r2", "r5"}), frozenset({"r7", "r8"})}
    for links in (LINKS, iter(LINKS), index_of(LINKS)):
        assert as_sets(Clustering.from_links(links)) == expected
    read = cv.as_clustering(index_of(LINKS))
    assert as_sets(read) == expected
    assert sorted(read.objects) == ["r1", "r2", "r5", "r7", "r8"]


@given(st.lists(st.lists(st.integers(0, 25), min_size=2, max_size=2, unique=True)))
def test_clusters_of_links_are_the_components_of_their_graph(links):
    graph = nx.Graph(links)
    assert as_sets(Clustering.from_links(links)) == set(
        map(frozenset, nx.connected_components(graph))
    )
    graph.add_nodes_from(range(26))
    everything = Clustering.from_links(links, objects=26)
    assert as_sets(everything) == set(map(frozenset, nx.connected_components(graph)))
    assert (everything.n_outliers, everything.has_overlaps) == (0, False)


def test_an_object_without_a_link_is_a_cluster_of_its_own():
    read = Clustering.from_links(index_of([(1, 2)]), objects=pd.Index([3, 2, 1]))
    assert as_sets(read) == {frozenset({1, 2}), frozenset({3})}


def test_in_a_comparison_of_links_other_records_are_outliers_on_both_sides():
    found, truth = index_of([(1, 2), (4, 5)]), index_of([(1, 2), (2, 3)])
    expected = cv.compare([{1, 2}, {4, 5}], [{1, 2, 3}], universe=range(9)).score
    assert cv.fstar_score(found, truth, universe=range(9)) == expected


def test_no_links_are_no_clusters():
    assert cv.as_clustering(index_of(LINKS)[:0]).n_objects == 0


def test_a_multi_index_is_labels_or_memberships_if_the_constructor_says_so():
    index = index_of([("r1", "x"), ("r2", "x"), ("r1", "x")])
    assert Clustering.from_labels(index).to_dict() == {("r1", "x"): {0, 2}, ("r2", "x"): {1}}
    assert Clustering.from_memberships(index).to_dict() == {"x": {"r1", "r2"}}
    assert as_sets(Clustering.from_clusters(index)) == {frozenset(pair) for pair in index}


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ([(1, 2), (3, 3)], "has a link of 3 to itself; .*two tables"),
        ([(1, 2, 0.9)], r"must be pairs of linked objects.* \(1, 2, 0\.9\)"),
        (["ab"], "pairs of linked objects.*'ab'"),
        ([(1, None)], "missing"),
        ([(1, [2])], "hashable"),
        (5, "must be pairs of linked objects, not int"),
        ("links.csv", "must be pairs of linked objects, not str"),
        (pd.MultiIndex.from_tuples([(1, 2, 3)]), "must have two levels.* 3"),
        ({1: 2}, "pairs of linked objects"),
    ],
)
def test_what_is_no_link_is_refused(links, message):
    with pytest.raises((InputError, InputTypeError), match=f"^links.* {message}"):
        Clustering.from_links(links)


def test_a_link_of_an_object_that_is_not_there_is_refused():
    with pytest.raises(UniverseError, match="outside the universe: 7"):
        Clustering.from_links([(1, 7)], objects=[1, 2])
    with pytest.raises(UniverseError, match="too many"):
        Clustering.from_links([(1, 7)], objects=2**50)
