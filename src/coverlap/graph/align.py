"""Align two clusterings of a graph, on its vertices and on its edges."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.clustering.recognise import recognise_pair, recognise_universe
from coverlap.core.align import (
    DEFAULT_RULES,
    Pair,
    Rules,
    align,
    count_unmentioned,
    keep_objects,
    remove_outliers,
)
from coverlap.core.errors import UniverseError
from coverlap.core.match_ids import check_types
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects, locate_among
from coverlap.core.threads import all_threads
from coverlap.core.wording import some
from coverlap.files.id_types import SourceIds, share_type
from coverlap.graph.graph import Graph
from coverlap.graph.induced import induce_edges, induce_vertices
from coverlap.graph.positions import (
    are_edges,
    check_members,
    moved_to_vertices,
    numbered,
    on_edges,
    vertex_positions,
)
from coverlap.graph.recognise import as_graph
from coverlap.inputs.columns import origins


class GraphPairs(NamedTuple):
    """Two clusterings as clusterings of the vertices and of the edges, and notes for the user."""

    vertices: Pair
    edges: Pair
    notes: tuple[str, ...]


class _Side(NamedTuple):
    """A clustering of the vertices, and of the edges if it was given as one."""

    name: str
    vertices: Memberships
    edges: Memberships | None


def align_on_graph(
    left: Any,
    right: Any,
    graph: Any,
    rules: Rules = DEFAULT_RULES,
    threads: int | None = None,
) -> GraphPairs:
    """Read two clusterings of a graph, and align them on its vertices and on its edges.

    The universe "union" consists of all vertices. A clustering of edges becomes one of the vertices
    that its clusters touch. On the edges it is compared by its closure if the other side is a
    clustering of vertices.
    """
    rules.check()
    with all_threads(threads):
        known, clusterings = _read(left, right, graph, threads)
    known = numbered(known, *clusterings)
    sides = [
        _side(known, clustering, name)
        for clustering, name in zip(clusterings, ("left", "right"), strict=True)
    ]
    universe, vertices = recognise_universe(
        rules.universe, [side.vertices for side in sides], ("left", "right")
    )
    sides = [side._replace(vertices=read) for side, read in zip(sides, vertices, strict=True)]
    pair = _pair(known, sides, rules._replace(universe=universe))
    return GraphPairs(pair, _edge_pair(known, sides, pair, universe, threads), _notes(sides))


def without_library(x: Any) -> Any:
    """Return the clusters of an EdgeClustering of cdlib, whose objects are pairs of vertices."""
    if ("cdlib", "EdgeClustering") in origins(x):
        return [list(cluster) for cluster in x.communities]
    return x


def _read(
    left: Any, right: Any, graph: Any, threads: int | None
) -> tuple[Graph, list[Memberships]]:
    """Read the graph and both clusterings; ids in files get one type."""
    clusterings = list(recognise_pair(without_library(left), without_library(right), threads))
    known = as_graph(graph)
    if isinstance(graph, (str, Path)):
        return share_ids(known, str(graph), clusterings)
    return known, clusterings


def share_ids(
    graph: Graph, source: str, clusterings: list[Memberships]
) -> tuple[Graph, list[Memberships]]:
    """Return a graph and clusterings whose ids have one type, as the ids of several files do."""
    plain = [side for side in clusterings if _has_plain_ids(side)]
    known = [SourceIds("the clustering", side.objects.id_array()) for side in plain]
    *shared, vertices = share_type([*known, SourceIds(source, graph.objects.id_array())])
    new = {id(side): ids for side, ids in zip(plain, shared, strict=True)}
    called = [
        side.with_ids(new[id(side)])
        if new.get(id(side), side.objects.ids) is not side.objects.ids
        else side
        for side in clusterings
    ]
    return graph.with_ids(vertices), called


def _has_plain_ids(clustering: Memberships) -> bool:
    """Return whether all ids are numbers or text, as in files."""
    objects = clustering.objects
    if objects.identified_by != "id" or objects.ids is None:
        return False
    return objects.ids.dtype != object or all(
        isinstance(item, (int, str)) for item in objects.ids.tolist()
    )


def _side(graph: Graph, clustering: Memberships, name: str) -> _Side:
    if not are_edges(graph, clustering):
        return _Side(name, clustering, None)
    edges = on_edges(graph, clustering, name)
    return _Side(name, induce_vertices(graph, edges), edges)


def _pair(graph: Graph, sides: list[_Side], rules: Rules) -> Pair:
    left, right = (side.vertices for side in sides)
    if not isinstance(rules.universe, str) or rules.universe != "union":
        return align(left, right, rules)
    # Labels of the objects 0..n-1 also cover vertices without edges.
    strict = all(side.vertices.objects.ids is not None for side in sides)
    positions = [vertex_positions(graph, side.vertices.objects, side.name) for side in sides]
    for side, position in zip(sides, positions, strict=True):
        check_members(graph, side.vertices, position, side.name, strict=strict)
    one, other = (_known_vertices(graph, position) for position in positions)
    if graph.complete:
        check_types(left.objects.id_array(), right.objects.id_array())
        left, right = (
            moved_to_vertices(graph, side.vertices, position)
            for side, position in zip(sides, positions, strict=True)
        )
        only = int(np.sum(one & ~other)), int(np.sum(other & ~one))
        disjoint = not np.any(one & other) and all(only)
        pair = Pair(left, right, graph.objects, "vertices of the graph", *only, disjoint=disjoint)
    else:
        pair = _with_vertices(graph, align(left, right), ~(one | other))
    if rules.n_objects is not None:
        n_unmentioned = count_unmentioned(rules.n_objects, pair.n_objects)
        pair = pair._replace(rule="given number of objects", n_unmentioned=n_unmentioned)
    return pair if rules.drop_outliers is None else remove_outliers(pair, rules.drop_outliers)


def _with_vertices(graph: Graph, pair: Pair, unknown: NDArray[np.bool_]) -> Pair:
    """Add the vertices that neither side knows to the objects compared."""
    pair = pair._replace(rule="vertices of the graph")
    if not unknown.any():
        return pair
    ids = np.concatenate((pair.objects.id_array(), graph.objects.id_array()[unknown]))
    objects = Objects(len(ids), ids, "id")
    left, right = (side.moved(None, objects) for side in (pair.left, pair.right))
    return pair._replace(left=left, right=right, objects=objects)


def _known_vertices(graph: Graph, position: NDArray[np.int64] | None) -> NDArray[np.bool_]:
    """Return whether each vertex is one of some objects, given their positions."""
    if position is None:
        return np.ones(graph.n_vertices, bool)
    known = np.zeros(graph.n_vertices, bool)
    known[position[position >= 0]] = True
    return known


def _edge_pair(
    graph: Graph, sides: list[_Side], pair: Pair, universe: str | Objects, threads: int | None
) -> Pair:
    """Align the clusterings of edges, without edges that have an end outside the universe."""
    position = vertex_positions(graph, pair.objects, "left")
    edges = [side.edges for side in sides if side.edges is not None]
    if len(edges) < 2:
        edges = []
        for side, name in ((pair.left, "left"), (pair.right, "right")):
            check_members(graph, side, position, name, strict=False)
            edges.append(induce_edges(graph, moved_to_vertices(graph, side, position), threads))
    whole = Pair(edges[0], edges[1], Objects(graph.n_edges), "edges of the graph")
    inside = _inside(graph, pair, position, universe)
    if inside.all():
        return whole
    stays = inside[graph.sources] & inside[graph.upper.members]
    return keep_objects(whole, stays)._replace(rule="edges between these objects")


def _inside(
    graph: Graph, pair: Pair, position: NDArray[np.int64] | None, universe: str | Objects
) -> NDArray[np.bool_]:
    """Return whether each vertex is in the universe, or raise an error if none is."""
    inside = _known_vertices(graph, position)
    if pair.objects.n and graph.n_vertices and not inside.any():
        raise UniverseError(
            f"none of the objects compared is a vertex of the graph: they are called "
            f"{some(pair.objects.id_array()[:1].tolist())}, ... and the vertices "
            f"{some(graph.objects.id_array()[:1].tolist())}, ..."
        )
    if pair.n_unmentioned and not isinstance(universe, str):  # the universe is 0..n-1
        inside |= locate_among(graph.objects.id_array(), universe) >= 0
    return inside


def _notes(sides: list[_Side]) -> tuple[str, ...]:
    """Return notes on how clusterings of edges were compared."""
    given = [side.name for side in sides if side.edges is not None]
    if len(given) == 2:
        return (
            "left and right are clusterings of edges: as objects they stand for the vertices that "
            "their clusters touch",
        )
    return tuple(
        f"{name} is a clustering of edges: its clusters stand for the vertices that they touch, "
        "and among edges for all edges between these (its closure)"
        for name in given
    )
