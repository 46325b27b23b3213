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
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.ensemble import RandomForestClassifier
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import coverlap as cv
from coverlap import Clustering, as_clustering, fstar_score
from tests import naive
from tests.inputs.test_frames import modules_after

KARATE = nx.karate_club_graph()
ZACHARY = ig.Graph.Famous("Zachary")


def distinct(clusters):
    return {frozenset(cluster) for cluster in clusters}


def naive_clusters(labels):
    """Return the clusters of a dict of object to label."""
    return [{item for item in labels if labels[item] == label} for label in {*labels.values()}]


def check(result, clusters, objects):
    """Assert that a result is read as these clusters, and is equal to a clustering of sets."""
    read = as_clustering(result)
    assert distinct(read.to_clusters()) == distinct(clusters)
    assert sorted(read.objects) == sorted(objects)
    plain = Clustering.from_clusters(clusters, universe=objects)
    assert read == plain
    assert fstar_score(result, plain) == fstar_score(plain, result) == 1.0


# igraph and leidenalg


def test_an_igraph_clustering_has_the_vertex_indices_as_objects():
    for found in (
        ZACHARY.community_multilevel(),
        ZACHARY.community_walktrap().as_clustering(),
        ZACHARY.connected_components(),
        ig.VertexClustering(ZACHARY, [3] * 20 + [7] * 14),
    ):
        check(found, [members for members in found if members], range(34))


def test_igraph_vertices_with_names_align_by_name_or_by_place_with_arrays():
    named = ig.Graph.Full(2) + ig.Graph.Full(2)
    named.vs["name"] = ["d", "c", "b", "a"]
    pair = named.connected_components()
    assert as_clustering(pair).to_clusters() == [{"d", "c"}, {"b", "a"}]
    assert fstar_score(pair, {"a": 1, "b": 1, "c": 2, "d": 2}) == 1.0
    assert fstar_score(pair, [5, 5, 6, 6]) == 1.0
    cover = ig.VertexCover(named, [[0, 1], [1, 2]])
    expected = cv.Clustering.from_clusters([{"d", "c"}, {"c", "b"}], universe=list("abcd"))
    assert fstar_score(cover, expected) == 1.0


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


@pytest.mark.parametrize("nothing", [None, -1, -3])
def test_a_vertex_without_membership_is_an_outlier(nothing):
    check(ig.Clustering([0, nothing, 1, 1, nothing]), [{0}, {2, 3}], range(5))
    graph = ig.Graph(5)
    check(ig.VertexClustering(graph, [0, nothing, 1, 1, nothing]), [{0}, {2, 3}], range(5))


def test_a_vertex_in_no_cluster_of_a_vertex_cover_is_an_outlier():
    check(ig.VertexCover(ig.Graph(6), [[0, 1, 2], [2, 3]]), [{0, 1, 2}, {2, 3}], range(6))
    check(ig.Cover([[0, 1, 2], [2, 3]], n=6), [{0, 1, 2}, {2, 3}], range(6))
    check(ig.Cover([[0, 1], [4, 1]]), [{0, 1}, {1, 4}], range(5))
    blocks = ZACHARY.cohesive_blocks()
    check(blocks, list(blocks), range(34))
    clustering = ZACHARY.community_multilevel()
    check(clustering.as_cover(), list(clustering), range(34))


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


@pytest.mark.parametrize(
    "kind",
    [
        leidenalg.ModularityVertexPartition,
        leidenalg.CPMVertexPartition,
        leidenalg.RBConfigurationVertexPartition,
    ],
)
def test_a_leidenalg_partition_is_a_clustering_of_the_vertices(kind):
    found = leidenalg.find_partition(ZACHARY, kind, seed=1)
    check(found, list(found), range(34))
    assert fstar_score(found, found.membership) == 1.0
    assert fstar_score(found, np.array(found.membership)) == 1.0


# networkx


@pytest.mark.parametrize(
    "find",
    [
        lambda: community.louvain_communities(KARATE, seed=1),
        lambda: community.greedy_modularity_communities(KARATE),
        lambda: community.label_propagation_communities(KARATE),
        lambda: community.asyn_lpa_communities(KARATE, seed=1),
        lambda: community.fast_label_propagation_communities(KARATE, seed=1),
        lambda: community.asyn_fluidc(KARATE, 3, seed=1),
        lambda: community.kernighan_lin_bisection(KARATE, seed=1),
        lambda: next(community.girvan_newman(KARATE)),
        lambda: nx.connected_components(KARATE),
    ],
    ids=[
        "list", "greedy list", "dict values", "generator", "fast generator", "iterator of sets",
        "tuple", "girvan_newman", "components",
    ],
)  # fmt: skip
def test_networkx_communities_are_clusters_whatever_holds_them(find):
    clusters = [set(members) for members in find()]
    assert as_clustering(find()) == Clustering.from_clusters(clusters, universe=range(34))
    assert fstar_score(find(), find()) == 1.0
    assert fstar_score(find(), clusters) == 1.0


def test_overlapping_networkx_communities_are_clusters():
    found = [set(members) for members in community.k_clique_communities(KARATE, 3)]
    read = as_clustering(community.k_clique_communities(KARATE, 3))
    assert distinct(read.to_clusters()) == distinct(found)
    assert read.has_overlaps
    known = Clustering.from_clusters(community.k_clique_communities(KARATE, 3), universe=KARATE)
    assert known.n_outliers == 34 - len(set().union(*found))


def test_the_communities_of_an_lfr_graph_are_clusters():
    graph = nx.LFR_benchmark_graph(
        250, 3, 1.5, 0.1, average_degree=5, min_community=20, seed=10
    )  # fmt: skip
    truth = {frozenset(graph.nodes[v]["community"]) for v in graph}
    check(truth, list(truth), range(250))
    check([graph.nodes[v]["community"] for v in graph], list(truth), range(250))


def test_a_networkx_dict_of_node_to_label_is_a_clustering():
    clubs = nx.get_node_attributes(KARATE, "club")
    expected = [[v for v in KARATE if KARATE.nodes[v]["club"] == club] for club in clubs.values()]
    check(clubs, expected, range(34))
    colours = nx.greedy_color(KARATE)
    check(colours, [[v for v in KARATE if colours[v] == c] for c in colours.values()], range(34))


def test_nodes_of_networkx_may_be_of_any_hashable_type():
    grid = nx.grid_2d_graph(2, 3)
    found = community.louvain_communities(grid, seed=1)
    check(found, found, list(grid))


# cdlib


def test_nodes_of_the_graph_that_cdlib_left_out_are_outliers():
    found = algorithms.angel(KARATE, threshold=0.25, min_community_size=3)
    assert found.node_coverage < 1.0
    check(found, found.communities, list(KARATE))
    covered = set().union(*found.communities)
    assert as_clustering(found).n_outliers == len(KARATE) - len(covered)


@pytest.mark.parametrize(
    "nodes", [list("abcdef"), [10, 20, 30, 40, 50, 60], [(0, 1), "b", 3, 4, 5, 6]], ids=str
)
def test_a_cdlib_clustering_calls_its_objects_by_the_nodes_of_the_graph(nodes):
    graph = nx.path_graph(6)
    graph = nx.relabel_nodes(graph, dict(enumerate(nodes)))
    found = cdlib.NodeClustering([nodes[:3], nodes[2:4]], graph, overlap=True)
    read = as_clustering(found)
    assert distinct(read.to_clusters()) == distinct([nodes[:3], nodes[2:4]])
    assert set(read.objects) == set(nodes)


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
    assert as_clustering(named).n_outliers == 2


def test_members_that_are_not_in_the_graph_are_refused():
    with pytest.raises(cv.UniverseError, match="left has members outside the universe: 9"):
        fstar_score(cdlib.NodeClustering([[0, 9]], nx.path_graph(3)), [0, 1, 2])


# clusim


@pytest.mark.parametrize(
    "found",
    [
        ClusimClustering(elm2clu_dict={"a": ["x"], "b": ["x", "y"], "c": ["y"]}),
        ClusimClustering(clu2elm_dict={"x": ["a", "b"], "y": ["b", "c"]}),
    ],
    ids=["by element", "by cluster"],
)
def test_a_clusim_clustering_keeps_elements_and_names(found):
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


def test_elements_in_no_subset_of_a_networkit_cover_are_outliers():
    cover = nk.Cover(6)
    cover.setUpperBound(9)
    for subset, element in ((8, 0), (8, 4), (2, 4), (2, 3), (2, 3), (7, 3)):
        cover.addToSubset(subset, element)
    check(cover, [{0, 4}, {3, 4}, {3}], range(6))
    assert as_clustering(cover).to_dict() == {
        i: cover.getMembers(i) for i in cover.getSubsetIds()
    }  # fmt: skip


def test_networkit_finds_communities_that_are_read_as_they_are():
    graph = nk.nxadapter.nx2nk(KARATE)
    found = nk.community.PLM(graph).run().getPartition()
    members = [found.getMembers(i) for i in found.getSubsetIds()]
    check(found, members, range(34))
    check(nk.Cover(found), members, range(34))


def test_nodes_deleted_from_a_networkit_graph_are_left_out_by_naming_the_others():
    graph = nk.nxadapter.nx2nk(KARATE)
    graph.removeNode(11)
    found = nk.community.PLM(graph).run().getPartition()
    assert not found.contains(11)
    nodes = list(graph.iterNodes())
    assert cv.compare(found, found).outliers.n_shared == 1
    assert cv.compare(found, found, universe=nodes).outliers.n_shared == 0


def test_a_large_networkit_cover_equals_the_pairs_it_was_filled_with():
    n, k = 20_000, 300
    pairs = np.random.default_rng(0).integers(0, (n, k), (3 * n, 2)).tolist()
    cover = nk.Cover(n)
    cover.setUpperBound(k)
    for element, subset in pairs:
        cover.addToSubset(subset, element)
    assert as_clustering(cover) == Clustering.from_memberships(pairs, universe=n)


# Estimators

POINTS = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 9], [0, 9]], 20, 0)


@pytest.mark.parametrize(
    "estimator",
    [
        KMeans(3, n_init=1, random_state=0),
        HDBSCAN(min_cluster_size=5, copy=True),
        DBSCAN(0.5),
        AgglomerativeClustering(3),
        make_pipeline(StandardScaler(), HDBSCAN(copy=True)),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_a_fitted_estimator_is_its_labels(estimator):
    with pytest.raises(cv.InputError, match="is not fitted yet: it has no labels_") as caught:
        as_clustering(estimator)
    assert "fit_predict" in str(caught.value)
    labels = estimator.fit_predict(POINTS)
    clusters = [np.flatnonzero(labels == i).tolist() for i in set(labels.tolist()) if i >= 0]
    check(estimator, clusters, range(60))
    assert fstar_score(estimator, labels) == 1.0


def test_labels_of_any_estimator_follow_the_rules_for_labels():
    read = as_clustering(SimpleNamespace(labels_=["T", "B", None, "T"]))
    assert read.to_dict() == {"B": {1}, "T": {0, 3}}
    index = list("abcd")
    series = SimpleNamespace(labels_=pd.Series([0, 0, -1, 1], index=index))
    assert as_clustering(series).to_clusters() == [{"a", "b"}, {"d"}]
    assert as_clustering(SimpleNamespace(labels_=[0, 1, 1]), outlier_label=0).n_outliers == 1


@pytest.mark.parametrize(
    "estimator", [GaussianMixture(2), RandomForestClassifier(2)], ids=lambda e: type(e).__name__
)
def test_an_estimator_that_never_has_labels_is_refused(estimator):
    with pytest.raises(cv.InputError, match="not fitted yet"):
        as_clustering(estimator)
    estimator.fit(POINTS, np.arange(60) % 2)
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
    ("make", "needles"),
    [
        (lambda: ig.Graph(3), ["graph", "clusters found in it"]),
        (lambda: nx.path_graph(3), ["graph"]),
        (lambda: nx.MultiDiGraph([(0, 1)]), ["graph"]),
        (lambda: nk.Graph(3), ["graph"]),
        (ZACHARY.community_walktrap, ["dendrogram", "as_clustering()"]),
        (hierarchy, ["hierarchical", "from_clusters", "from_memberships"]),
        (lambda: algorithms.hierarchical_link_community(KARATE), ["edges", "x.communities"]),
        (temporal, ["TemporalClustering", "get_clustering_at"]),
        (lambda: ad.AnnData(np.zeros((3, 2))), ["Clustering.from_frame(adata, cluster=...)"]),
        (lambda: community.girvan_newman(nx.path_graph(4)), ["several", "tuple of sets"]),
        (lambda: community.louvain_partitions(KARATE, seed=1), ["several", "list of sets"]),
        (lambda: nx.get_node_attributes(nx.LFR_benchmark_graph(
            250, 3, 1.5, 0.1, average_degree=5, min_community=20, seed=10), "community"),
         ["from_clusters", "from_memberships"]),
    ],
    ids=[
        "igraph", "networkx", "networkx directed", "networkit", "dendrogram", "clusim hierarchy",
        "cdlib edges", "cdlib temporal", "AnnData", "levels of girvan_newman", "levels of louvain",
        "node to members",
    ],
)  # fmt: skip
def test_what_is_no_clustering_of_objects_is_refused_with_a_hint(make, needles):
    with pytest.raises(cv.InputTypeError) as caught:
        fstar_score(make(), [0, 1, 2])
    message = str(caught.value)
    assert message.startswith("left")
    assert [needle for needle in needles if needle not in message] == [], message


def test_hints_lead_to_what_they_promise():
    assert as_clustering(ZACHARY.community_walktrap().as_clustering()).n_objects == 34
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


def test_results_of_different_libraries_are_compared_with_each_other():
    labels = [0] * 17 + [1] * 17
    partition = nk.Partition(34)
    partition.setUpperBound(2)
    for i, label in enumerate(labels):
        partition.addToSubset(label, i)
    clusters = [list(range(17)), list(range(17, 34))]
    same = [
        labels,
        ig.VertexClustering(ZACHARY, labels),
        ig.VertexCover(ZACHARY, clusters),
        partition,
        nk.Cover(partition),
        cdlib.NodeClustering(clusters, KARATE),
        ClusimClustering().from_cluster_list(clusters),
        SimpleNamespace(labels_=np.array(labels)),
    ]
    assert {fstar_score(one, other) for one in same for other in same} == {1.0}


def test_recognising_imports_none_of_the_libraries():
    libraries = {
        "igraph", "leidenalg", "networkx", "cdlib", "clusim", "networkit", "sklearn", "anndata",
    }  # fmt: skip
    code = "import coverlap\nassert coverlap.fstar_score([0, 1], [0, 1]) == 1.0\n"
    code += "coverlap.compare([{1, 2}], {1: 'a'})\n"
    assert modules_after(code) & libraries == set()


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
        community.girvan_newman(KARATE),
        community.louvain_partitions(KARATE, seed=1),
    ):
        with pytest.raises(cv.InputTypeError, match="several clusterings") as caught:
            read(several)
        assert "next(girvan_newman(G))" in str(caught.value)
    assert levels.made == 1
    check(next(community.girvan_newman(KARATE)), next(community.girvan_newman(KARATE)), KARATE)


@pytest.mark.parametrize("read", [as_clustering, Clustering.from_clusters])
def test_a_view_of_nodes_is_refused_with_what_to_write(read):
    for view in (KARATE.nodes(data="club"), KARATE.nodes(data=True), KARATE.nodes, KARATE.nodes()):
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
