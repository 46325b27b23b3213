"""Results of graph libraries and estimators, read from the real libraries.

Expected values come from the methods of each library, or are written by hand.
"""

from types import SimpleNamespace

import anndata as ad
import cdlib
import igraph as ig
import infomap
import leidenalg
import networkit as nk
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from cdlib import algorithms
from clusim.clustering import Clustering as ClusimClustering
from networkx.algorithms import community
from sklearn.cluster import HDBSCAN
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import coverlap as cv
from coverlap import Clustering, as_clustering, fstar_score
from tests import naive

KARATE = nx.karate_club_graph()
ZACHARY = ig.Graph.Famous("Zachary")


def distinct(clusters):
    return {frozenset(cluster) for cluster in clusters}


def naive_clusters(labels):
    """Return the clusters of a dict of object to label."""
    return [{item for item in labels if labels[item] == label} for label in {*labels.values()}]


def check(result, clusters, objects):
    """Assert that a result is read as these clusters of these objects."""
    plain = Clustering.from_clusters(clusters, universe=objects)
    assert as_clustering(result) == plain
    assert fstar_score(result, plain) == fstar_score(plain, result) == 1.0


# igraph and leidenalg


def test_an_igraph_clustering_has_the_vertex_indices_as_objects():
    for found in (
        ZACHARY.community_multilevel(),
        ZACHARY.community_walktrap().as_clustering(),
        ZACHARY.connected_components(),
        leidenalg.find_partition(ZACHARY, leidenalg.RBConfigurationVertexPartition, seed=1),
    ):
        check(found, [members for members in found if members], range(34))


def test_igraph_vertices_with_names_align_by_name_or_by_place_with_arrays():
    named = ig.Graph.Full(2) + ig.Graph.Full(2)
    named.vs["name"] = ["d", "c", "b", "a"]
    pair = named.connected_components()
    check(pair, [{"d", "c"}, {"b", "a"}], list("abcd"))
    assert fstar_score(pair, [5, 5, 6, 6]) == 1.0
    check(ig.VertexCover(named, [[0, 1], [1, 2]]), [{"d", "c"}, {"c", "b"}], list("abcd"))


def shuffled_karate():
    """Return the karate club with its nodes in another order, and the igraph graph made of it."""
    edges = sorted(KARATE.edges(), key=lambda edge: (edge[0] * 7 + edge[1] * 5) % 31)
    graph = nx.Graph(edges)
    assert list(graph) != sorted(graph)
    return graph, ig.Graph.from_networkx(graph)


def test_vertices_of_a_graph_from_networkx_have_the_ids_of_its_nodes():
    nodes, graph = shuffled_karate()
    clubs = nx.get_node_attributes(KARATE, "club")
    found = leidenalg.find_partition(graph, leidenalg.ModularityVertexPartition, seed=1)
    communities = [{graph.vs[i]["_nx_name"] for i in members} for members in found]
    for result in (
        found,
        ig.VertexClustering(graph, found.membership),
        ig.VertexCover(graph, list(found)),
    ):
        check(result, communities, list(nodes))
        expected = naive.fstar(communities, naive_clusters(clubs), set(nodes))
        assert fstar_score(result, clubs) == pytest.approx(float(expected), abs=1e-15)
        assert fstar_score(result, [clubs[node] for node in nodes]) == fstar_score(result, clubs)
    by_index = cdlib.NodeClustering([[0, 1], [2, 33]], graph)
    check(by_index, [{0, 1}, {2, 33}], range(34))


def test_a_name_is_preferred_to_the_id_in_networkx():
    graph = ig.Graph.from_networkx(nx.Graph([(7, 3), (3, 5)]))
    graph.vs["name"] = ["a", "b", "c"]
    assert as_clustering(graph.connected_components()).objects == ["a", "b", "c"]


def test_a_universe_may_be_a_graph_of_any_library():
    nodes, graph = shuffled_karate()
    numbers = nk.Graph(5)
    numbers.removeNode(3)
    for universe, objects in (
        (nodes, set(nodes)),
        (graph, set(nodes)),
        (cv.graph.as_graph(graph), set(nodes)),
        (cv.graph.as_graph([("a", 0), (0, 1)]), {"a", 0, 1}),
        (ig.Graph(4), set(range(4))),
        (numbers, {0, 1, 2, 4}),
    ):
        assert set(Clustering.from_clusters([{0, 1}], universe=universe).objects) == objects
        compared = cv.compare([{0, 1}], [{0}], universe=universe)
        assert compared.universe.n_objects == len(objects)


def test_clusters_of_igraph_keep_their_number_as_their_name():
    assert as_clustering(ig.Clustering([0, 2, 2, 0])).to_dict() == {0: {0, 3}, 2: {1, 2}}


def test_a_vertex_without_membership_is_an_outlier():
    labels = [0, None, 1, 1, -3]
    for found in (ig.Clustering(labels), ig.VertexClustering(ig.Graph(5), labels)):
        check(found, [{0}, {2, 3}], range(5))


def test_a_vertex_in_no_cluster_of_a_vertex_cover_is_an_outlier():
    check(ig.VertexCover(ig.Graph(6), [[0, 1, 2], [2, 3]]), [{0, 1, 2}, {2, 3}], range(6))
    check(ig.Cover([[0, 1, 2], [2, 3]], n=6), [{0, 1, 2}, {2, 3}], range(6))
    check(ig.Cover([[0, 1], [4, 1]]), [{0, 1}, {1, 4}], range(5))


def test_vertices_of_graphs_of_different_size_are_different_objects():
    for one in (ig.VertexCover(ig.Graph(3), [[0, 1]]), ig.VertexClustering(ig.Graph(3), [0, 0, 1])):
        with pytest.raises(cv.UniverseError, match="left has 3 objects and right has 4"):
            fstar_score(one, [0, 0, 1, 1])


def test_a_graph_without_vertices_has_no_objects():
    for empty in (
        ig.VertexClustering(ig.Graph(), []),
        ig.VertexCover(ig.Graph(), []),
        nk.Partition(0),
        nk.Cover(0),
    ):
        assert as_clustering(empty).n_objects == 0
        assert fstar_score(empty, [0, 0]) == 0.0


# networkx


@pytest.mark.parametrize(
    "find",
    [
        lambda: community.louvain_communities(KARATE, seed=1),  # a list
        lambda: community.label_propagation_communities(KARATE),  # values of a dict
        lambda: community.asyn_lpa_communities(KARATE, seed=1),  # a generator
        lambda: next(community.girvan_newman(KARATE)),
        lambda: community.k_clique_communities(KARATE, 3),  # they overlap
        lambda: community.louvain_communities(nx.grid_2d_graph(2, 3), seed=1),  # nodes are tuples
    ],
)
def test_networkx_communities_are_clusters_whatever_holds_them(find):
    clusters = [set(members) for members in find()]
    assert as_clustering(find()) == Clustering.from_clusters(clusters)
    assert distinct(as_clustering(find()).to_clusters()) == distinct(clusters)
    assert fstar_score(find(), find()) == fstar_score(find(), clusters) == 1.0


# cdlib


def test_nodes_of_the_graph_that_cdlib_left_out_are_outliers():
    found = algorithms.angel(KARATE, threshold=0.25, min_community_size=3)
    assert found.node_coverage < 1.0
    check(found, found.communities, list(KARATE))


def test_a_cdlib_clustering_calls_its_objects_by_the_nodes_of_the_graph():
    nodes = [(0, 1), "b", 3, 4, 5, 6]
    graph = nx.relabel_nodes(nx.path_graph(6), dict(enumerate(nodes)))
    found = cdlib.NodeClustering([nodes[:3], nodes[2:4]], graph, overlap=True)
    check(found, [nodes[:3], nodes[2:4]], nodes)


def test_a_cdlib_clustering_without_a_graph_knows_its_members_only():
    check(cdlib.NodeClustering([[1, 2], [2, 3]], None), [{1, 2}, {2, 3}], [1, 2, 3])
    assert as_clustering(cdlib.NodeClustering([], None)).n_objects == 0


def test_cdlib_calls_vertices_of_igraph_by_name_or_else_by_index():
    graph = ig.Graph.Famous("Zachary")
    by_index = cdlib.NodeClustering([[0, 1, 2], [2, 33]], graph)
    check(by_index, [{0, 1, 2}, {2, 33}], range(34))
    graph.vs["name"] = [f"v{i}" for i in range(34)]
    check(by_index, [{0, 1, 2}, {2, 33}], range(34))
    found = algorithms.leiden(graph)
    check(found, found.communities, [f"v{i}" for i in range(34)])
    empty = as_clustering(cdlib.NodeClustering([], graph))
    assert (empty.n_objects, empty.n_clusters) == (34, 0)


def test_every_kind_of_cdlib_clustering_of_nodes_is_read():
    graph = nx.path_graph(6)
    clusters = [[0, 1, 2], [2, 3]]
    for found in (
        cdlib.AttrNodeClustering(clusters, graph),
        cdlib.FuzzyNodeClustering(clusters, {}, graph),
        cdlib.BiNodeClustering(clusters[:1], clusters[1:], graph),
    ):
        check(found, clusters, range(6))
    named = cdlib.NamedClustering({"x": [0, 1, 2], "y": [2, 3]}, graph, "by hand")
    assert as_clustering(named).to_dict() == {"x": {0, 1, 2}, "y": {2, 3}}


def test_members_that_are_not_in_the_graph_are_refused():
    with pytest.raises(cv.UniverseError, match="left has members outside the universe: 9"):
        fstar_score(cdlib.NodeClustering([[0, 9]], nx.path_graph(3)), [0, 1, 2])


# clusim


def test_a_clusim_clustering_keeps_elements_and_names():
    found = ClusimClustering(clu2elm_dict={"x": ["a", "b"], "y": ["b", "c"]})
    check(found, [{"a", "b"}, {"b", "c"}], ["a", "b", "c"])
    assert as_clustering(found).to_dict() == found.to_clu2elm_dict()


def test_labels_that_came_through_clusim_are_labels():
    found = ClusimClustering().from_membership_list([0, 1, -1, 1])
    check(found, [{0}, {1, 3}], range(4))
    assert as_clustering(found, outlier_label=0).to_dict() == {-1: {2}, 1: {1, 3}}
    assert as_clustering(ClusimClustering()).n_objects == 0


# NetworKit


def test_elements_in_no_subset_of_a_networkit_partition_are_outliers():
    partition = nk.Partition(6)
    partition.setUpperBound(9)
    for subset, element in ((8, 0), (8, 4), (2, 3)):
        partition.addToSubset(subset, element)
    assert [partition.contains(i) for i in range(6)] == [True, False, False, True, True, False]
    check(partition, [{0, 4}, {3}], range(6))
    expected = {i: partition.getMembers(i) for i in partition.getSubsetIds()}
    assert as_clustering(partition).to_dict() == expected


def test_nodes_deleted_from_a_networkit_graph_are_left_out_by_naming_the_others():
    graph = nk.nxadapter.nx2nk(KARATE)
    graph.removeNode(11)
    found = nk.community.PLM(graph).run().getPartition()
    assert not found.contains(11)
    nodes = list(graph.iterNodes())
    assert cv.compare(found, found).outliers.n_shared == 1
    assert cv.compare(found, found, universe=nodes).outliers.n_shared == 0


@pytest.mark.parametrize(("n", "k", "size"), [(10, 6, 9), (20_000, 300, 60_000)])
def test_a_networkit_cover_equals_the_pairs_it_was_filled_with(n, k, size):
    pairs = np.random.default_rng(0).integers(0, (n, k), (size, 2)).tolist()
    cover = nk.Cover(n)
    cover.setUpperBound(k)
    for element, subset in pairs:
        cover.addToSubset(subset, element)
    read, expected = as_clustering(cover), Clustering.from_memberships(pairs, universe=n)
    assert (read, read.names, read.n_dropped) == (expected, expected.names, 0)


# Estimators

POINTS = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 9], [0, 9]], 20, 0)


@pytest.mark.parametrize(
    "estimator",
    [
        HDBSCAN(min_cluster_size=5, copy=True),
        make_pipeline(StandardScaler(), HDBSCAN(copy=True)),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_a_fitted_estimator_is_its_labels(estimator):
    with pytest.raises(cv.InputError, match="is not fitted yet: it has no labels_") as caught:
        as_clustering(estimator)
    assert "fit_predict" in str(caught.value)
    labels = estimator.fit_predict(POINTS)
    inside = {i: label for i, label in enumerate(labels) if label >= 0}
    check(estimator, naive_clusters(inside), range(60))
    assert fstar_score(estimator, labels) == 1.0


def test_labels_of_any_estimator_follow_the_rules_for_labels():
    series = pd.Series(["x", "x", None, "y"], index=list("abcd"))
    assert as_clustering(SimpleNamespace(labels_=series)).to_clusters() == [{"a", "b"}, {"d"}]
    assert as_clustering(SimpleNamespace(labels_=[0, 1, 1]), outlier_label=0).n_outliers == 1


def test_an_estimator_that_never_has_labels_is_refused():
    estimator = GaussianMixture(2)
    with pytest.raises(cv.InputError, match="not fitted yet"):
        as_clustering(estimator)
    estimator.fit(POINTS)
    with pytest.raises(cv.InputError, match=r"left has no labels_.*model\.predict\(X\)"):
        fstar_score(estimator, [0] * 60)


# Results that are not clusterings of objects


def hierarchy():
    linkage = np.array([[0, 1, 0.1, 2], [2, 3, 0.5, 3]])
    return ClusimClustering().from_scipy_linkage(linkage)


def temporal():
    found = cdlib.TemporalClustering()
    found.add_clustering(cdlib.NodeClustering([[0, 1]], nx.path_graph(2)), 0)
    return found


@pytest.mark.parametrize(
    ("make", "hint"),
    [
        (lambda: ig.Graph(3), "a graph, which is no clustering; pass the clusters found in it"),
        (lambda: nx.path_graph(3), "a graph"),
        (lambda: nx.MultiDiGraph([(0, 1)]), "a graph"),
        (lambda: nk.Graph(3), "a graph"),
        (ZACHARY.community_walktrap, r"a dendrogram; cut it by x\.as_clustering\(\)"),
        (hierarchy, "a hierarchical .*from_clusters.*from_memberships"),
        (lambda: algorithms.hierarchical_link_community(KARATE), r"edges; .*x\.communities"),
        (temporal, "a TemporalClustering of cdlib; .*get_clustering_at"),
        (lambda: ad.AnnData(np.zeros((3, 2))), r"Clustering\.from_frame\(adata, cluster=\.\.\.\)"),
        (lambda: community.girvan_newman(nx.path_graph(4)), "several .*tuple of sets"),
        (lambda: community.louvain_partitions(KARATE, seed=1), "several .*list of sets"),
    ],
)
def test_what_is_no_clustering_of_objects_is_refused_with_a_hint(make, hint):
    with pytest.raises(cv.InputTypeError, match=f"^left .*{hint}"):
        fstar_score(make(), [0, 1, 2])


def test_hints_lead_to_what_they_promise():
    levels = Clustering.from_clusters(hierarchy().hierclusdict)
    assert distinct(levels.to_clusters()) == distinct([{0}, {1}, {2}, {0, 1}, {0, 1, 2}])
    assert Clustering.from_memberships(hierarchy().elm2clu_dict).n_clusters == 3
    edges = algorithms.hierarchical_link_community(KARATE)
    read = Clustering.from_clusters(edges.communities)
    assert set(read.objects) == {edge for group in edges.communities for edge in group}
    assert as_clustering(temporal().get_clustering_at(0)).to_clusters() == [{0, 1}]


def test_types_that_people_derive_are_read_like_those_of_the_library():
    class Mine(ig.VertexCover):
        pass

    class MyGraph(nx.Graph):
        pass

    check(Mine(ig.Graph(3), [[0, 1]]), [{0, 1}], range(3))
    check(cdlib.NodeClustering([[0, 1]], MyGraph([(0, 1), (1, 2)])), [{0, 1}], range(3))


# Views and levels of networkx


class Levels:
    """Levels of a hierarchy that counts how many of them were made."""

    def __init__(self, *levels):
        self.levels, self.made = levels, 0

    def __iter__(self):
        for level in self.levels:
            self.made += 1
            yield level


LEVELS = (({0, 1}, {2, 3}), ({0}, {1}, {2, 3}))


@pytest.mark.parametrize(
    "read", [as_clustering, Clustering.from_clusters, Clustering.from_memberships]
)
def test_several_levels_are_refused_before_the_second_one_is_made(read):
    levels = Levels(*LEVELS)
    for several in (
        levels,
        iter(LEVELS),
        list(LEVELS),
        LEVELS,
        [list(level) for level in LEVELS],
    ):
        with pytest.raises(cv.InputTypeError, match="several clusterings") as caught:
            read(several)
        assert "next(girvan_newman(G))" in str(caught.value)
    assert levels.made == 1


@pytest.mark.parametrize("read", [as_clustering, Clustering.from_clusters])
def test_a_view_of_nodes_is_refused_with_what_to_write(read):
    for view in (KARATE.nodes(data="club"), KARATE.nodes):
        with pytest.raises(cv.InputTypeError, match=r'dict\(G\.nodes\(data="club"\)\)'):
            read(view)
    written = dict(KARATE.nodes(data="club"))
    check(written, naive_clusters(written), KARATE)
    assert Clustering.from_memberships(KARATE.nodes(data="club")) == as_clustering(written)


def test_weights_of_clusters_are_no_clusters():
    with pytest.raises(cv.InputTypeError, match=r"memberships\['ann'\] must be .*weight"):
        Clustering.from_memberships({"ann": {"x": 0.9, "y": 0.1}})
    with pytest.raises(cv.InputTypeError, match="not dict"):
        Clustering.from_memberships(KARATE.nodes)


def test_pairs_of_a_view_or_set_could_be_several_things():
    for pairs in ({1: "x", 2: "y"}.items(), {(1, "x"), (2, "y")}):
        with pytest.raises(cv.InputTypeError, match="labels, clusters or pairs"):
            as_clustering(pairs)


def test_from_clusters_reads_a_result_with_the_ids_of_its_objects():
    _, graph = shuffled_karate()
    found = graph.connected_components()
    assert Clustering.from_clusters(found) == as_clustering(found)
    wide = Clustering.from_clusters(found, universe=range(40))
    assert (wide.n_objects, wide.n_outliers) == (40, 6)
    with pytest.raises(cv.InputTypeError, match="graph"):
        Clustering.from_clusters(nx.grid_2d_graph(2, 2))


# Infomap


def infomap_of(graph):
    found = infomap.Infomap(silent=True, seed=1, num_trials=2)
    return found, found.add_networkx_graph(graph)


NODE_NAMES = [lambda v: v, lambda v: f"v{v}", str]
if hasattr(infomap.Infomap(silent=True), "node_id_to_label"):  # not in old versions
    NODE_NAMES += [lambda v: (v, "x"), lambda v: v - 40]


@pytest.mark.filterwarnings("ignore:Infomap.get_modules is deprecated")
@pytest.mark.parametrize("name", NODE_NAMES)
def test_an_infomap_has_the_nodes_of_its_graph_as_objects(name):
    graph = nx.relabel_nodes(shuffled_karate()[0], name)
    found, nodes = infomap_of(graph)
    found.run()
    modules = found.get_modules()
    labels = {nodes[node]: module for node, module in modules.items()}
    assert len(set(modules.values())) > 1
    check(found, naive_clusters(labels), list(graph))
    assert as_clustering(found).names == sorted(set(modules.values()))


def test_names_of_an_infomap_identify_its_nodes():
    named, repeated = infomap.Infomap(silent=True), infomap.Infomap(silent=True)
    for found, names in ((named, "abc"), (repeated, "aba")):
        found.add_links([(1, 2), (2, 3), (3, 1)])
        found.set_names(dict(enumerate(names, start=1)))
        found.run()
    check(named, [{"a", "b", "c"}], list("abc"))
    with pytest.raises(cv.UniverseError, match="repeated: 'a'"):
        as_clustering(repeated)


def test_modules_of_an_infomap_with_state_nodes_overlap():
    graph = nx.Graph(["ab", "ac", "bc", "de", "df", "ef"])
    nx.set_node_attributes(graph, dict(zip("abcdef", (1, 2, 3, 1, 4, 5), strict=True)), "node_id")
    found, _ = infomap_of(graph)
    found.run()
    check(found, [{1, 2, 3}, {1, 4, 5}], range(1, 6))


def test_an_infomap_that_was_not_run_is_refused():
    for found in (infomap.Infomap(silent=True), infomap_of(KARATE)[0]):
        with pytest.raises(cv.InputError, match=r"call its run\(\)"):
            as_clustering(found)


def test_what_infomap_does_not_tell_is_asked_for():
    later = type("Infomap", (), {"__module__": "infomap"})()
    result = type("Result", (), {"__module__": "infomap.result"})()
    for found in (later, result):
        with pytest.raises(cv.InputTypeError, match=r"\.modules\(\)"):
            as_clustering(found)
