"""Hypothesis strategies for small graphs with all unusual features, in every type that is accepted,
and for clusterings of their vertices and edges."""

from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import igraph as ig
import networkit as nk
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from scipy import sparse

from coverlap import Clustering, as_clustering
from coverlap.graph import Graph, as_graph
from tests import naive_graph
from tests.strategies import clusterings, labels

IDS: dict[str, list[Any]] = {
    "positions": [*range(8)],
    "numbers": [3, 1, 20, 7, 0, 39, 12, 8, 30],
    "strings": ["a", "B", "b7", "10x", "é", "zz", "Z", "n-1", "q"],
    "mixed": [3, 1, 20, 7, "a", "B", "é", "zz", "b"],
}
NAMES = [*range(6), "x", "Y", "ß", "k1"]
_numbers = count()


def near(value):
    return pytest.approx(float(value), rel=0, abs=1e-12)


class Plain(NamedTuple):
    """A graph in plain Python: the ids of its vertices in order, and the ends of its edges.

    ``ends`` may have repeated edges, both directions, and loops, but each loop only once.
    """

    vertices: list[Any]
    ends: list[tuple[Any, Any]]
    kind: str

    @property
    def edges(self) -> list[tuple[Any, Any]]:
        return naive_graph.edges(self.vertices, self.ends)

    @property
    def graph(self) -> Graph:
        return as_graph(self.ends, vertices=self.vertices)


@st.composite
def graphs(draw: DrawFn, kinds: tuple[str, ...] = tuple(IDS)) -> Plain:
    """Draw a graph whose ids are 0..n-1, numbers with gaps, strings, or numbers and strings."""
    kind = draw(st.sampled_from(kinds))
    size = draw(st.integers(0, 8))
    vertices = IDS[kind][:size]
    if kind != "positions":
        vertices = draw(st.permutations(IDS[kind]))[:size]
    pairs = [(one, other) for one in vertices for other in vertices]
    m = draw(st.integers(0, 20)) if pairs else 0
    ends = draw(st.lists(st.sampled_from(pairs), min_size=m, max_size=m)) if pairs else []
    once = [pair for i, pair in enumerate(ends) if pair[0] != pair[1] or pair not in ends[:i]]
    return Plain(vertices, once, kind)


@st.composite
def inputs(draw: DrawFn, ids: list[Any], *, may_be_labels: bool = False) -> Any:
    """Draw a clustering of some ids, in one of the accepted types; labels are of all ids."""
    form = draw(st.sampled_from(["named", "sets", "dict", *["labels"] * may_be_labels]))
    if form == "labels":
        return np.array(draw(labels(len(ids))), int)
    some = (
        st.lists(st.sampled_from(ids), min_size=len(ids) // 2, unique=True) if ids else st.just([])
    )
    known = draw(some)
    if form == "dict":
        return dict(zip(known, draw(labels(len(known))), strict=True))
    clusters = [{known[i] for i in cluster} for cluster in draw(clusterings(len(known)))]
    if form == "sets":
        return clusters
    names = draw(st.permutations(NAMES))
    return Clustering.from_clusters(dict(zip(names, clusters, strict=False)), universe=known)


@st.composite
def two_inputs(draw: DrawFn, plain: Plain, *, may_be_labels: bool = False) -> list[Any]:
    """Draw two clusterings of the vertices, which often have the same clusters.

    One with only numbers and one with only strings as ids would be an error.
    """
    any_input = inputs(plain.vertices, may_be_labels=may_be_labels)
    left = draw(any_input)
    same = st.just(Clustering.from_clusters(parts(left)[::-1]))
    sides = [left, draw(st.one_of(any_input, same))]
    types = [set(map(type, as_clustering(side).objects)) for side in sides]
    assume({int} not in types or {str} not in types)
    return sides


def named(clustering: Any) -> dict[Any, frozenset[Any]]:
    """Return a dict of names to clusters for any input, in cluster order."""
    read = as_clustering(clustering)
    return dict(zip(read.names, map(frozenset, read.to_clusters()), strict=True))


def parts(clustering: Any) -> list[frozenset[Any]]:
    return list(named(clustering).values())


# Types of graphs. Each function takes (plain, rng, folder) and returns an input of as_graph.

SPARSE = (
    sparse.bsr_array, sparse.coo_array, sparse.csc_matrix, sparse.csr_array, sparse.dia_matrix,
    sparse.dok_array, sparse.lil_matrix,
)  # fmt: skip


def _sparse(plain: Plain, rng: Random, _: Path) -> Any:
    n = len(plain.vertices)
    joined = {frozenset(pair) for pair in plain.ends}
    free = [(i, j) for i in range(n) for j in range(n) if frozenset((i, j)) not in joined]
    zeros = [pair for pair in free if rng.random() < 0.1]
    rows, columns = np.array([*plain.ends, *zeros], int).reshape(-1, 2).T
    weights = [rng.choice([1, 0.5, 7]) for _ in plain.ends] + [0.0] * len(zeros)
    return rng.choice(SPARSE)(sparse.coo_array((weights, (rows, columns)), shape=(n, n)))


def _networkx(plain: Plain, rng: Random, _: Path) -> Any:
    graph = rng.choice([nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])()
    graph.add_nodes_from(plain.vertices)
    graph.add_edges_from(plain.ends, weight=rng.choice([0, 2.5]))
    return graph


def _igraph(plain: Plain, rng: Random, _: Path) -> Any:
    ends = [[plain.vertices.index(vertex) for vertex in pair] for pair in plain.ends]
    graph = ig.Graph(n=len(plain.vertices), edges=ends, directed=rng.choice([True, False]))
    graph.es["weight"] = 0.0
    if plain.kind == "strings":
        graph.vs["name"] = plain.vertices
    return graph


def _networkit(plain: Plain, rng: Random, _: Path) -> Any:
    graph = nk.Graph(len(plain.vertices), weighted=True, directed=rng.choice([True, False]))
    for one, other in plain.ends:
        graph.addEdge(one, other, 0.0)
    return graph


def _list(plain: Plain, rng: Random, _: Path) -> Any:
    weight = rng.choice([(), (0.0,), (1.5,)])
    return [rng.choice([list, tuple])((*pair, *weight)) for pair in plain.ends]


def _array(plain: Plain, rng: Random, _: Path) -> Any:
    dtype = rng.choice([np.int64, np.int32, np.uint8, np.uint64])
    return np.array(plain.ends, dtype).reshape(-1, 2)


def _frame(plain: Plain, rng: Random, _: Path) -> Any:
    columns = {"source": [one for one, _ in plain.ends], "target": [two for _, two in plain.ends]}
    text = plain.kind == "strings"
    if rng.choice([True, False]):
        return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String if text else pl.Int64))
    return pd.DataFrame(columns, dtype="str" if text else int)


def _file(plain: Plain, rng: Random, folder: Path) -> Any:
    path = folder / f"{next(_numbers)}.txt"
    path.write_text("".join(f"{one} {other}\n" for one, other in plain.ends), encoding="utf-8")
    return rng.choice([path, str(path)])


COMPLETE = {
    "networkx": (_networkx, tuple(IDS)), "igraph": (_igraph, ("positions", "strings")),
    "networkit": (_networkit, ("positions",)), "sparse": (_sparse, ("positions",)),
}  # fmt: skip
"""Types that contain all vertices, and the kinds of ids that they can have."""

LISTS = {
    "list": (_list, tuple(IDS)), "array": (_array, ("positions", "numbers")),
    "frame": (_frame, ("positions", "numbers", "strings")),
    "file": (_file, ("positions", "numbers", "strings")),
}  # fmt: skip
"""Types that contain only vertices with an edge."""
