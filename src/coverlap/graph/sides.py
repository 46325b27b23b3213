"""Two clusterings seen from the vertices and from the edges of a graph."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.clustering.clustering import Clustering
from coverlap.clustering.recognise import recognise_pair
from coverlap.core.errors import UniverseError
from coverlap.core.objects import Objects, locate_among
from coverlap.core.universe import Pair, align, check_rules, check_types, count_unmentioned, drop
from coverlap.core.wording import some
from coverlap.files.id_types import Ids, share_type
from coverlap.graph.alignment import are_edges, numbered, on_edges, on_vertices, vertex_positions
from coverlap.graph.graph import Graph
from coverlap.graph.induced import induce_edges, induce_vertices
from coverlap.graph.reading import as_graph
from coverlap.inputs.frames import origins


class Sides(NamedTuple):
    """Two clusterings of the vertices and two of the edges, and what is worth a word."""

    vertices: Pair
    edges: Pair
    notes: tuple[str, ...]


class _Side(NamedTuple):
    """A clustering of the vertices, and one of the edges if that is what was given."""

    name: str
    vertices: Clustering
    edges: Clustering | None


def see(
    left: Any,
    right: Any,
    graph: Any,
    *,
    universe: Any = "union",
    n_objects: int | None = None,
    drop_outliers: str | None = None,
    threads: int | None = None,
) -> Sides:
    """Read two clusterings of a graph, and see them from both sides.

    Options are those of `coverlap.core.universe.align`; the vertices are the union's objects. A
    clustering of edges stands for the vertices that it touches, and beside one of vertices for
    its closure.
    """
    check_rules(universe, n_objects, drop_outliers)
    known, clusterings = _read(left, right, graph, threads)
    known = numbered(known, *clusterings)
    sides = [
        _side(known, clustering, name)
        for clustering, name in zip(clusterings, ("left", "right"), strict=True)
    ]
    pair = _pair(known, sides, universe, n_objects, drop_outliers)
    edges = [
        induce_edges(known, on_vertices(known, side, name, strict=False), threads)
        for side, name in ((pair.left, "left"), (pair.right, "right"))
    ]
    given = [side.edges for side in sides if side.edges is not None]
    if len(given) == 2:
        edges = given
    inside = _inside(known, pair, universe)
    return Sides(pair, _restricted(known, inside, edges), _notes(sides))


def without_library(x: Any) -> Any:
    """Return the clusters of an EdgeClustering of cdlib, whose objects are pairs of vertices."""
    if ("cdlib", "EdgeClustering") in origins(x):
        return [list(cluster) for cluster in x.communities]
    return x


def _read(left: Any, right: Any, graph: Any, threads: int | None) -> tuple[Graph, list[Clustering]]:
    """Read all three; the ids of a graph in a file have the type of the others'."""
    clusterings = list(recognise_pair(without_library(left), without_library(right), threads))
    known = as_graph(graph)
    if isinstance(graph, (str, Path)):
        return share_ids(known, str(graph), clusterings)
    return known, clusterings


def share_ids(
    graph: Graph, source: str, clusterings: list[Clustering]
) -> tuple[Graph, list[Clustering]]:
    """Give the ids of a graph's file and those of clusterings one type, as files share one."""
    plain = [side for side in clusterings if _has_plain_ids(side)]
    known = [Ids("the clustering", side._objects.names()) for side in plain]
    *shared, vertices = share_type([*known, Ids(source, graph._objects.names())])
    new = {id(side): ids for side, ids in zip(plain, shared, strict=True)}
    called = [
        side._called(new[id(side)])
        if new.get(id(side), side._objects.ids) is not side._objects.ids
        else side
        for side in clusterings
    ]
    return graph._called(vertices), called


def _has_plain_ids(clustering: Clustering) -> bool:
    """Tell ids that are numbers or text, as in files."""
    objects = clustering._objects
    if objects.keyed != "id" or objects.ids is None:
        return False
    return objects.ids.dtype != object or all(
        isinstance(item, (int, str)) for item in objects.ids.tolist()
    )


def _side(graph: Graph, clustering: Clustering, name: str) -> _Side:
    if not are_edges(graph, clustering):
        return _Side(name, clustering, None)
    edges = on_edges(graph, clustering, name)
    return _Side(name, induce_vertices(graph, edges), edges)


def _pair(
    graph: Graph,
    sides: list[_Side],
    universe: Any,
    n_objects: int | None,
    drop_outliers: str | None,
) -> Pair:
    left, right = (side.vertices for side in sides)
    if not isinstance(universe, str) or universe != "union":
        return align(left, right, universe=universe, drop_outliers=drop_outliers)
    # Labels of 0..n-1 name every vertex, those without edges as well.
    strict = all(side.vertices._objects.ids is not None for side in sides)
    one, other = (_known_vertices(graph, side.vertices, side.name, strict=strict) for side in sides)
    if graph._complete:
        check_types(left._objects.names(), right._objects.names())
        left, right = (on_vertices(graph, side.vertices, side.name) for side in sides)
        only = int(np.sum(one & ~other)), int(np.sum(other & ~one))
        pair = Pair(left, right, graph._objects, "vertices of the graph", *only)
    else:
        pair = _with_vertices(graph, align(left, right), ~(one | other))
    if n_objects is not None:
        n_unmentioned = count_unmentioned(n_objects, pair.n_objects)
        pair = pair._replace(rule="given number of objects", n_unmentioned=n_unmentioned)
    return pair if drop_outliers is None else drop(pair, drop_outliers)


def _with_vertices(graph: Graph, pair: Pair, unknown: NDArray[np.bool_]) -> Pair:
    """Add the vertices that neither side knows; the sides may know some that have no edges."""
    pair = pair._replace(rule="vertices of the graph")
    if not unknown.any():
        return pair
    ids = np.concatenate((pair.objects.names(), graph._objects.names()[unknown]))
    objects = Objects(len(ids), ids, "id")
    left, right = (side._moved(None, objects) for side in (pair.left, pair.right))
    return pair._replace(left=left, right=right, objects=objects)


def _known_vertices(
    graph: Graph, clustering: Clustering, name: str, *, strict: bool = True
) -> NDArray[np.bool_]:
    """Tell which vertices are objects of a clustering."""
    position = vertex_positions(graph, clustering, name, strict=strict)
    if position is None:
        return np.ones(graph.n_vertices, bool)
    known = np.zeros(graph.n_vertices, bool)
    known[position[position >= 0]] = True
    return known


def _inside(graph: Graph, pair: Pair, universe: Any) -> NDArray[np.bool_]:
    """Tell which vertices are in the universe; there must be one, or the ids are others."""
    if pair.objects is graph._objects:
        return np.ones(graph.n_vertices, bool)
    inside = _known_vertices(graph, pair.left, "left", strict=False)
    if pair.objects.n and graph.n_vertices and not inside.any():
        raise UniverseError(
            f"none of the objects compared is a vertex of the graph: they are called "
            f"{some(pair.objects.names()[:1].tolist())}, ... and the vertices "
            f"{some(graph._objects.names()[:1].tolist())}, ..."
        )
    if pair.n_unmentioned and not isinstance(universe, str):  # 0..n-1, most never mentioned
        inside |= locate_among(graph._objects.names(), Objects(int(universe))) >= 0
    return inside


def _restricted(graph: Graph, inside: NDArray[np.bool_], edges: list[Clustering]) -> Pair:
    """Leave the edges out that have an end outside the universe."""
    left, right = edges
    if inside.all():
        return Pair(left, right, Objects(graph.n_edges), "edges of the graph")
    stays = inside[graph._sources] & inside[graph._upper.members]
    numbers = np.flatnonzero(stays)
    position = np.where(stays, np.cumsum(stays) - 1, -1)
    objects = Objects(len(numbers), numbers, "id")
    left, right = (side._moved(position, objects) for side in edges)
    return Pair(left, right, objects, "edges between these objects")


def _notes(sides: list[_Side]) -> tuple[str, ...]:
    """Say what was made of clusterings of edges."""
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
