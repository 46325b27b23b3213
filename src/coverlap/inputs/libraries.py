"""Results of other libraries: clusterings of graph libraries, and estimators with labels.

A result is recognised by the name of its type and of the library that defines it, so that no
library is imported.
"""

import warnings
from array import array
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from coverlap.core.errors import InputError, InputTypeError
from coverlap.core.incidence import runs_of_pairs
from coverlap.core.memberships import Memberships
from coverlap.core.objects import NO_OBJECTS, Objects, check_distinct
from coverlap.core.values import code_values, value_array
from coverlap.inputs.columns import origins
from coverlap.inputs.labels import read_labels
from coverlap.inputs.links import read_links
from coverlap.inputs.sets import igraph_names, pair_columns, read_clusters, read_memberships

UNASSIGNED = np.uint64(2**64 - 1)
"""The value of NetworKit for an element in no subset."""

Reader = Callable[[Any, str, Any], Memberships]


def find_reader(value: object) -> Reader | None:
    """Return the function that reads or rejects a result of a known library, None for others."""
    for origin in origins(value):
        if origin in _READERS:
            return _READERS[origin]
    return None


def is_estimator(value: object) -> bool:
    """Return whether a value is a scikit-learn estimator: it has labels, or can be fitted."""
    if isinstance(value, type):
        return False
    return hasattr(value, "labels_") or (hasattr(value, "fit") and hasattr(value, "get_params"))


def fitted_labels(estimator: Any, where: str) -> Any:
    """Return the labels of a fitted estimator, or of the last step of a fitted pipeline."""
    last = estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator
    labels = getattr(last, "labels_", None)
    if labels is not None:
        return labels
    kind = type(last).__name__
    own = getattr(last, "__dict__", {})
    if any(name.endswith("_") and not name.startswith("_") for name in own):
        raise InputError(
            f"{where} has no labels_, as a fitted {kind}; pass labels, such as model.predict(X)"
        )
    raise InputError(
        f"{where}, of type {kind}, is not fitted yet: it has no labels_; call its fit, or pass "
        "labels, such as model.fit_predict(X)"
    )


def _read_igraph_labels(clustering: Any, where: str, outlier_label: Any) -> Memberships:
    return read_labels(clustering.membership, outlier_label=outlier_label, where=where)


def _read_vertex_clustering(clustering: Any, where: str, outlier_label: Any) -> Memberships:
    parts = _read_igraph_labels(clustering, where, outlier_label)
    return replace(parts, objects=vertices_of_igraph(clustering.graph))


def _read_igraph_cover(cover: Any, where: str, _: Any) -> Memberships:
    return read_clusters(list(cover), universe=cover.n, where=where)


def _read_vertex_cover(cover: Any, where: str, _: Any) -> Memberships:
    parts = _read_igraph_cover(cover, where, _)
    return replace(parts, objects=vertices_of_igraph(cover.graph))


def vertices_of_igraph(graph: Any) -> Objects:
    """Return the vertices as objects: identified by name if they have names, or by position."""
    n, names = graph.vcount(), igraph_names(graph)
    return _positions(n) if n == 0 or names is None else Objects(n, value_array(names), "index")


def _read_infomap(infomap: Any, where: str, outlier_label: Any) -> Memberships:
    """Read the modules of the top level, which overlap if there are state nodes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Infomap prefers its Result, which lacks the labels
        if not hasattr(infomap, "get_nodes"):  # as announced for version 3
            raise InputTypeError(f"{where} is an Infomap; pass the modules, x.run().modules()")
        if infomap.num_top_modules == 0:
            raise InputError(f"{where}, an Infomap, has no modules yet; call its run()")
        found = [(node.node_id, node.module_id) for node in infomap.get_nodes(states=False)]
        names = {node: name for node, name in infomap.names.items() if name != str(node)}
        labels = {} if infomap.have_memory else getattr(infomap, "node_id_to_label", {})
    ids = {node: names.get(node, labels.get(node, node)) for node, _ in found}
    check_distinct(value_array([*ids.values()]), f"the names of {where}")
    modules = [module for _, module in found]
    return pair_columns(
        [ids[node] for node, _ in found], modules, outlier_label=outlier_label, where=where
    )


def _read_multi_index(index: Any, where: str, _: Any) -> Memberships:
    return read_links(index, where=where)


def _read_cdlib(clustering: Any, where: str, _: Any) -> Memberships:
    clusters = getattr(clustering, "named_communities", clustering.communities)
    return read_clusters(clusters, universe=_nodes(clustering), where=where)


def _nodes(clustering: Any) -> list[Any] | int | None:
    """Return the nodes of the graph of a cdlib clustering, None if it has no graph."""
    graph = clustering.graph
    kinds = list(origins(graph))
    if ("networkx", "Graph") in kinds:
        return list(graph)
    if ("igraph", "Graph") not in kinds:
        return None
    names = igraph_names(graph)
    # The algorithms of cdlib name vertices, but users may have made the clustering from numbers.
    members = chain.from_iterable(clustering.communities)
    return names if names and set(names).issuperset(members) else int(graph.vcount())


def _read_clusim(clustering: Any, where: str, outlier_label: Any) -> Memberships:
    if clustering.is_hierarchical:
        raise InputTypeError(
            f"{where} is a hierarchical Clustering of clusim; choose its clusters by "
            "Clustering.from_clusters(x.hierclusdict) for those of all levels, or "
            "Clustering.from_memberships(x.elm2clu_dict) for the lowest"
        )
    return read_memberships(clustering.elm2clu_dict, outlier_label=outlier_label, where=where)


def _read_networkit_partition(partition: Any, where: str, outlier_label: Any) -> Memberships:
    subsets = np.array(partition.getVector(), np.uint64)
    labels = np.ma.MaskedArray(subsets, subsets == UNASSIGNED)
    return read_labels(labels, outlier_label=outlier_label, where=where)


def _read_networkit_cover(cover: Any, where: str, _: Any) -> Memberships:
    n = cover.numberOfElements()
    counts = np.empty(n, np.int64)
    subsets = array("Q")
    for i in range(n):  # cover.getMembers would visit all n elements for each subset
        own = cover.subsetsOf(i)
        counts[i] = len(own)
        subsets.extend(own)
    codes, names = code_values(np.array(subsets, np.uint64), where)
    objects = np.repeat(np.arange(n), counts)
    return Memberships(runs_of_pairs(objects, codes, n, len(names)), _positions(n), names)


def _positions(n: int) -> Objects:
    return Objects(n) if n else NO_OBJECTS


def _reject(what: str, hint: str) -> Reader:
    def reject(_: Any, where: str, __: Any) -> Memberships:
        raise InputTypeError(f"{where} is {what}; {hint}")

    return reject


_REJECT_GRAPH = _reject("a graph, which is no clustering", "pass the clusters found in it")

_REJECT_NODES = _reject(
    "a view of the nodes of a graph",
    'name the attribute that holds the clusters, as in dict(G.nodes(data="club"))',
)

_READERS: dict[tuple[str, str], Reader] = {
    ("igraph", "VertexClustering"): _read_vertex_clustering,
    ("igraph", "Clustering"): _read_igraph_labels,
    ("igraph", "VertexCover"): _read_vertex_cover,
    ("igraph", "Cover"): _read_igraph_cover,
    ("igraph", "Dendrogram"): _reject("a dendrogram", "cut it by x.as_clustering()"),
    ("igraph", "Graph"): _REJECT_GRAPH,
    ("networkx", "Graph"): _REJECT_GRAPH,
    ("networkx", "NodeDataView"): _REJECT_NODES,
    ("networkx", "NodeView"): _REJECT_NODES,
    ("pandas", "MultiIndex"): _read_multi_index,
    ("infomap", "Infomap"): _read_infomap,
    ("infomap", "Result"): _reject(
        "a Result of infomap, which does not know the ids of all nodes",
        "pass the Infomap itself, or x.modules(), whose ids are those of Infomap",
    ),
    ("networkit", "Graph"): _REJECT_GRAPH,
    ("networkit", "Partition"): _read_networkit_partition,
    ("networkit", "Cover"): _read_networkit_cover,
    ("clusim", "Clustering"): _read_clusim,
    ("cdlib", "EdgeClustering"): _reject(
        "an EdgeClustering of cdlib, whose objects are edges",
        "to compare clusterings of edges say Clustering.from_clusters(x.communities)",
    ),
    ("cdlib", "TemporalClustering"): _reject(
        "a TemporalClustering of cdlib", "pass that of one time, x.get_clustering_at(time)"
    ),
    ("cdlib", "Clustering"): _read_cdlib,
    ("anndata", "AnnData"): _reject(
        "an AnnData", "say which column of obs by Clustering.from_frame(adata, cluster=...)"
    ),
}
"""Readers by the library and the name of a type, which may be a base type of the value."""
