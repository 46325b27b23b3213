"""The oracle of clusterings of graphs: sets of vertices and of edges, as in the paper.

An edge is a pair of its ends, listed once; clusters of edges contain the numbers of edges. Clusters
have names, because the tests compare these, too. Rational scores are ``Fraction``, and roots are
``Decimal`` with fifty digits. It uses no code of the package, and is slow.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from tests import naive

Vertex = Hashable
Edge = tuple[Any, Any]
Named = Mapping[Any, AbstractSet[Any]]
Value = Fraction | Decimal

MEASURES = ("rand", "jaccard", "mn", "gmn", "min", "max")


class Induced(NamedTuple):
    """A clustering made from another one, and how many clusters were dropped and merged."""

    clusters: dict[Any, frozenset[Any]]
    n_dropped: int
    n_merged: int


# Edges


def in_order(vertices: Iterable[Any]) -> list[Any]:
    """Return distinct vertices: numbers by value, then strings by code point."""
    distinct = set(vertices)
    numbers = [vertex for vertex in distinct if not isinstance(vertex, str)]
    return sorted(numbers) + sorted(vertex for vertex in distinct if isinstance(vertex, str))


def edges(vertices: Sequence[Vertex], ends: Iterable[Sequence[Vertex]]) -> list[Edge]:
    """Return the edges of the simple undirected graph, in the order of their vertices.

    Every pair of vertices is looked up, so directions, repeated edges and loops have no effect.
    """
    joined = {frozenset(pair) for pair in ends}
    return [pair for pair in combinations(vertices, 2) if frozenset(pair) in joined]


def loops(ends: Iterable[Sequence[Vertex]]) -> int:
    """Return the number of loops."""
    return sum(one == other for one, other in ends)


def inside(edges: Sequence[Edge], cluster: AbstractSet[Any]) -> frozenset[int]:
    """Return the numbers of the edges that have both ends in a set of vertices."""
    return frozenset(i for i, (one, other) in enumerate(edges) if {one, other} <= cluster)


def ends(edges: Sequence[Edge], cluster: AbstractSet[int]) -> frozenset[Any]:
    """Return the ends of a set of edges."""
    return frozenset(vertex for i in cluster for vertex in edges[i])


# Induced clusterings


def edge_clusters(edges: Sequence[Edge], clusters: Named) -> Induced:
    """Return E_G(C): for every cluster of vertices, the edges inside it."""
    return _as_set({name: inside(edges, cluster) for name, cluster in clusters.items()})


def vertex_clusters(edges: Sequence[Edge], clusters: Named) -> Induced:
    """Return C_G(E): for every cluster of edges, their ends."""
    return _as_set({name: ends(edges, cluster) for name, cluster in clusters.items()})


def closure(edges: Sequence[Edge], clusters: Named) -> dict[Any, frozenset[Any]]:
    """Return E_G(C_G(E)): for every cluster of edges, all edges between their ends."""
    return edge_clusters(edges, vertex_clusters(edges, clusters).clusters).clusters


def _as_set(clusters: dict[Any, frozenset[Any]]) -> Induced:
    """Drop the empty clusters, and merge equal ones under the first name."""
    first: dict[frozenset[Any], Any] = {}
    for name, cluster in clusters.items():
        if cluster:
            first.setdefault(cluster, name)
    n_dropped = sum(not cluster for cluster in clusters.values())
    kept = {name: cluster for cluster, name in first.items()}
    return Induced(kept, n_dropped, len(clusters) - n_dropped - len(kept))


# Comparisons


def chosen(
    vertices: Iterable[Vertex],
    known: tuple[Iterable[Vertex], Iterable[Vertex]],
    universe: str | Iterable[Vertex],
) -> frozenset[Any]:
    """Return the objects that a universe rule chooses."""
    left, right = map(frozenset, known)
    if universe == "union":
        return frozenset(vertices)
    if isinstance(universe, str):
        return {"left": left, "right": right, "intersection": left & right}[universe]
    return frozenset(universe)


def compare(
    edges: Sequence[Edge],
    objects: Iterable[Vertex],
    left: Iterable[AbstractSet[Any]],
    right: Iterable[AbstractSet[Any]],
    *,
    drop_outliers: str | None = None,
    **options: Any,
) -> tuple[Fraction, Fraction]:
    """Return the score of the vertices, and the score of the edges between those that remain."""
    left, right = list(left), list(right)
    kept = naive._kept(left, right, frozenset(objects), drop_outliers)
    left, right = naive.normalise(left, kept), naive.normalise(right, kept)
    between = [edge for edge in edges if kept.issuperset(edge)]
    sides = [[inside(between, cluster) for cluster in side] for side in (left, right)]
    return (
        naive.fstar(left, right, kept, **options),
        naive.fstar(*sides, range(len(between)), **options),
    )


# Measures of partitions


def partition_score(
    edges: Sequence[Edge],
    left: Iterable[AbstractSet[Any]],
    right: Iterable[AbstractSet[Any]],
    measure: str,
    *,
    adjusted: bool = True,
) -> Value:
    """Return the graph-aware measure of Poulin and Theberge, arXiv 1806.11494."""
    one, other = (_all_inside(edges, side) for side in (left, right))
    m, a, b, s = (Fraction(len(part)) for part in (edges, one, other, one & other))
    if not m:
        return Fraction(1)
    if adjusted:
        chance = a * b / m
        return _ratio(s - chance, _normaliser(measure, a, b), chance, equal=one == other)
    if measure == "rand":
        return (m - a - b + 2 * s) / m
    if measure == "jaccard":
        return _ratio(s, a + b - s, equal=one == other)
    return _ratio(s, _normaliser(measure, a, b), equal=one == other)


def _all_inside(edges: Sequence[Edge], clusters: Iterable[AbstractSet[Any]]) -> frozenset[int]:
    return frozenset().union(*(inside(edges, cluster) for cluster in clusters))


def _normaliser(measure: str, a: Fraction, b: Fraction) -> Value:
    if measure == "gmn":
        with localcontext(prec=50):
            return Decimal(int(a * b)).sqrt()
    values = {"rand": (a + b) / 2, "mn": (a + b) / 2, "min": min(a, b), "max": max(a, b)}
    return values[measure]


def _ratio(above: Fraction, most: Value, chance: Fraction = Fraction(0), *, equal: bool) -> Value:
    """Return above / (most - chance); 0/0 is 1 for equal sets of edges, else 0."""
    if isinstance(most, Fraction):
        below: Value = most - chance
    else:
        with localcontext(prec=50):
            below = most - _decimal(chance)
    if not below:
        assert above == 0
        return Fraction(int(equal))
    if isinstance(below, Fraction):
        return above / below
    with localcontext(prec=50):
        return _decimal(above) / below


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / value.denominator
