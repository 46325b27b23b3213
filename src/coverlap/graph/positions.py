"""The positions of the objects of clusterings among the vertices or the edges of a graph."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import UniverseError
from coverlap.core.incidence import runs_of_pairs
from coverlap.core.match_ids import check_index, have_common_type
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects, locate, locate_among
from coverlap.core.texts import Ids, Texts
from coverlap.core.values import value_array
from coverlap.core.wording import quantity, some
from coverlap.graph.graph import Graph
from coverlap.graph.induced import memberships, used_names

Positions = NDArray[np.int64]


def on_vertices(graph: Graph, clustering: Memberships, name: str) -> Memberships:
    """Return a clustering of the vertices of a graph; vertices that it does not know are outliers.

    Members that are not vertices are an error.
    """
    position = vertex_positions(graph, clustering.objects, name)
    check_members(graph, clustering, position, name)
    return moved_to_vertices(graph, clustering, position)


def moved_to_vertices(
    graph: Graph, clustering: Memberships, position: Positions | None
) -> Memberships:
    """Return the clustering whose objects are the vertices, at the given positions."""
    return clustering if position is None else clustering.moved(position, graph.objects)


def check_members(
    graph: Graph, clustering: Memberships, position: Positions | None, name: str, *,
    strict: bool = True,
) -> None:  # fmt: skip
    """Raise an error if a clustering has members that are not vertices.

    If not ``strict``, they are accepted for a list of edges: they may be vertices without an edge.
    The numbers 0..n-1 are always accepted, since a graph may have lost some of its vertices.
    """
    numbers = clustering.objects.identified_by == "position"
    if position is None or numbers or not (strict or graph.complete):
        return
    outside = (position < 0) & ~clustering.outlier_mask()
    if outside.any():
        raise UniverseError(
            f"{name} has members that are no vertices of the graph: "
            f"{some(clustering.objects.id_array()[outside].tolist())}{_hint(graph)}"
        )


def vertex_positions(graph: Graph, own: Objects, name: str) -> Positions | None:
    """Return the position of each object among the vertices, -1 for other objects.

    Return None if the objects are the vertices, in the same order.
    """
    vertices = graph.objects
    if own is vertices:
        return None
    kinds = (own.identified_by, vertices.identified_by)
    if "id" not in kinds and "position" in kinds:
        if own.n != vertices.n:
            raise _different(graph, own, name)
        return None
    check_index(vertices, "the names of the graph's vertices")
    check_index(own, f"the index of {name}")
    if own.identified_by == "position":
        return _by_number(graph, own, name)
    ids, known = own.id_array(), vertices.id_array()
    if not have_common_type([ids, known]):
        raise UniverseError(
            f"the objects of {name} are called {some(ids[:1].tolist())}, ... and the vertices of "
            f"the graph {some(known[:1].tolist())}, ..., numbers and strings, so they share no "
            "object; convert one of them"
        )
    return locate_among(ids, vertices)


def numbered(graph: Graph, *clusterings: Memberships) -> Graph:
    """Name vertices without ids by their numbers, if a Series has these for an index.

    Objects with an index are identified by position if the other side is an array of labels, or if
    both sides have the same index and it does not consist of numbers of vertices.
    """
    sides = [clustering.objects for clustering in clusterings]
    kinds = {side.identified_by for side in sides}
    if graph.objects.identified_by != "position" or "index" not in kinds or "position" in kinds:
        return graph
    numbers = np.arange(graph.n_vertices)
    known = all(
        side.id_array().dtype != object and np.isin(side.id_array(), numbers).all()
        for side in sides
    )
    if not known and all(np.array_equal(side.id_array(), sides[0].id_array()) for side in sides):
        return graph
    return graph.with_ids(numbers)


def _by_number(graph: Graph, own: Objects, name: str) -> Positions:
    """Return the positions of objects without ids, which are 0..n-1, among vertices with ids."""
    n, vertices = own.n, graph.objects
    if graph.complete and n != graph.n_vertices:
        raise _different(graph, own, name)
    known = locate_among(vertices.id_array(), Objects(n))
    if np.any(known < 0):
        others = some(vertices.id_array()[known < 0].tolist())
        raise UniverseError(
            f"the objects of {name} have no ids and so are called 0 to {n - 1:,}, but the graph "
            f"has vertices called otherwise: {others}; pass a dict of vertices to labels"
        )
    return locate(np.arange(n), vertices.id_array())


def _different(graph: Graph, own: Objects, name: str) -> UniverseError:
    return UniverseError(
        f"{name} has {quantity(own.n, 'object')} and the graph has "
        f"{quantity(graph.n_vertices, 'vertex', 'vertices')}, but without ids they must be the "
        "same ones; pass a dict of vertices to labels if some are missing"
    )


def _hint(graph: Graph) -> str:
    if graph.complete:
        return ""
    return (
        "; a list of edges does not tell the vertices without any: name all by universe= "
        "(--universe), or by as_graph(edges, vertices=...)"
    )


def are_edges(graph: Graph, clustering: Memberships) -> bool:
    """Return whether the objects of a clustering are pairs of vertices, and not vertices."""
    ids = clustering.objects.ids
    if ids is None or isinstance(ids, Texts) or ids.dtype != object or len(ids) == 0:
        return False
    items = ids.tolist()
    if not all(isinstance(item, (tuple, frozenset)) and len(item) == 2 for item in items):
        return False
    if np.all(locate_among(ids, graph.objects) >= 0):
        return False
    return bool(np.any(locate_among(_ends(items), graph.objects) >= 0))


def _ends(pairs: list[Any]) -> Ids:
    return value_array([vertex for pair in pairs for vertex in pair])


def on_edges(graph: Graph, clustering: Memberships, name: str) -> Memberships:
    """Return a clustering of the edges of a graph from one that has numbers or pairs for ids."""
    own, m = clustering.objects, graph.n_edges
    if are_edges(graph, clustering):
        position = _edge_positions(graph, own.id_array(), name)
        edges, clusters = memberships(clustering)
        places = position[edges]
        there = places >= 0
        runs = runs_of_pairs(places[there], clusters[there], m, clustering.n_clusters)
        return Memberships(runs, Objects(m), used_names(clustering)).distinct()
    if own.identified_by != "id":
        if own.n != m:
            raise UniverseError(
                f"{name} has {quantity(own.n, 'object')} and the graph has {quantity(m, 'edge')}"
            )
        return clustering.moved(None, Objects(m))
    ids = own.id_array()
    position = locate_among(ids, Objects(m))
    if np.any(position < 0):
        raise UniverseError(
            f"{name} has objects that are no edges: {some(ids[position < 0].tolist())}; edges are "
            f"numbers from 0 to {m - 1:,}, as in coverlap.graph.edges(graph), or pairs of vertices"
        )
    return clustering.moved(position, Objects(m))


def _edge_positions(graph: Graph, pairs: Ids, name: str) -> Positions:
    """Return the number of each edge, given by its ends in either order; -1 for dropped loops."""
    items = pairs.tolist()
    places = locate_among(_ends(items), graph.objects).reshape(-1, 2)
    low, high = places.min(axis=1), places.max(axis=1)
    n = graph.n_vertices
    keys = graph.sources.astype(np.int64) * n + graph.upper.members
    wanted = low * n + high
    at = np.searchsorted(keys, wanted)
    found = np.append(keys, -1)[at] == wanted
    loops = (low == high) & (graph.n_loops > 0)
    wrong = (low < 0) | ~(found | loops)
    if wrong.any():
        others = some([items[i] for i in np.flatnonzero(wrong)])
        raise UniverseError(f"{name} has pairs that are no edges of the graph: {others}")
    return np.where(found, at, -1)
