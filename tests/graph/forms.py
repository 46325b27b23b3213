"""Random small graphs with all unusual features, in every type that is accepted."""

import gzip
from collections.abc import Callable
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
from scipy import sparse

from coverlap.graph import as_graph
from tests import naive_graph

COLUMNS = (("source", "target"), ("from", "to"), ("src", "dst"), ("one", "other"))
SPARSE = {
    "bsr": sparse.bsr_array, "coo": sparse.coo_array, "csc": sparse.csc_matrix,
    "csr": sparse.csr_array, "dia": sparse.dia_matrix, "dok": sparse.dok_array,
    "lil": sparse.lil_matrix,
}  # fmt: skip
_numbers = count()


class Plain(NamedTuple):
    """A graph in plain Python: the ids of its vertices in order, and the ends of its edges.

    ``ends`` may have repeated edges, both directions, and loops, but each loop only once.
    """

    vertices: list[Any]
    ends: list[tuple[Any, Any]]
    kind: str

    @property
    def mentioned(self) -> list[Any]:
        return naive_graph.in_order(vertex for pair in self.ends for vertex in pair)

    @property
    def edges(self) -> list[tuple[Any, Any]]:
        return naive_graph.edges(self.vertices, self.ends)

    def over(self, vertices: list[Any]) -> "Plain":
        """Return the same graph with other vertices: in another order, or without isolated ones."""
        return Plain(vertices, self.ends, self.kind)


def random_plain(rng: Random, most: int = 8) -> Plain:
    """Draw a graph whose ids are 0..n-1, numbers with gaps, strings, or numbers and strings."""
    kind = rng.choice(["positions", "positions", "numbers", "strings", "mixed"])
    n = rng.choice([0, 1, 2, *range(3, most + 1), *range(3, most + 1)])
    vertices: list[Any] = {
        "positions": list(range(n)),
        "numbers": rng.sample(range(40), n),
        "strings": rng.sample(["a", "B", "b7", "10x", "é", "zz", "Z", "n-1", "q"], n),
        "mixed": rng.sample([3, 1, 20, 7, "a", "B", "é", "zz", "b"], n),
    }[kind]
    density = rng.choice([0.1, 0.2, 0.3, 0.6])
    ends = [
        (one, other)
        for one in vertices
        for other in vertices
        if rng.random() < density and (one != other or rng.random() < 0.3)
    ]
    ends += [pair for pair in ends if pair[0] != pair[1] and rng.random() < 0.2]
    rng.shuffle(ends)
    return Plain(vertices, ends, kind)


# Types of graphs. Each function takes (plain, rng, folder) and returns an input of as_graph.


def _sparse(kind: str) -> Callable[..., Any]:
    def make(plain: Plain, rng: Random, _: Path) -> Any:
        n = len(plain.vertices)
        joined = {frozenset(pair) for pair in plain.ends}
        free = [(i, j) for i in range(n) for j in range(n) if frozenset((i, j)) not in joined]
        zeros = [pair for pair in free if rng.random() < 0.1]
        rows, columns = np.array([*plain.ends, *zeros], int).reshape(-1, 2).T
        weights = [rng.choice([1, 0.5, 7]) for _ in plain.ends] + [0.0] * len(zeros)
        return SPARSE[kind](sparse.coo_array((weights, (rows, columns)), shape=(n, n)))

    return make


def _networkx(plain: Plain, rng: Random, _: Path) -> Any:
    graph = rng.choice([nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])()
    graph.add_nodes_from(plain.vertices)
    graph.add_edges_from(plain.ends, weight=rng.choice([0, 2.5]))
    return graph


def _igraph(plain: Plain, rng: Random, _: Path) -> Any:
    place = {vertex: i for i, vertex in enumerate(plain.vertices)}
    ends = [(place[one], place[other]) for one, other in plain.ends]
    graph = ig.Graph(n=len(place), edges=ends, directed=rng.random() < 0.5)
    if plain.kind == "strings":
        graph.vs["name"] = plain.vertices
    return graph


def _networkit(plain: Plain, rng: Random, _: Path) -> Any:
    graph = nk.Graph(len(plain.vertices), weighted=rng.random() < 0.5, directed=rng.random() < 0.5)
    for one, other in plain.ends:
        graph.addEdge(one, other)
    return graph


def _graph(plain: Plain, rng: Random, folder: Path) -> Any:
    return as_graph(_networkx(plain, rng, folder))


def _list(plain: Plain, rng: Random, _: Path) -> Any:
    shape = rng.choice(["pairs", "lists", "weights"])
    if shape == "weights":
        return [(*pair, rng.choice([0.0, 1.5])) for pair in plain.ends]
    return [list(pair) if shape == "lists" else pair for pair in plain.ends]


def _array(plain: Plain, rng: Random, _: Path) -> Any:
    dtype = rng.choice([np.int64, np.int32, np.uint8, np.uint64])
    return np.array(plain.ends, dtype).reshape(-1, 2)


def _columns(plain: Plain, rng: Random) -> dict[str, list[Any]]:
    source, target = rng.choice(COLUMNS)
    return {source: [one for one, _ in plain.ends], target: [other for _, other in plain.ends]}


def _pandas(plain: Plain, rng: Random, _: Path) -> Any:
    frame = pd.DataFrame(_columns(plain, rng), dtype="str" if plain.kind == "strings" else int)
    if "one" not in frame.columns and rng.random() < 0.5:
        frame["weight"] = 0.5
    return frame


def _polars(plain: Plain, rng: Random, _: Path) -> Any:
    columns = _columns(plain, rng)
    kind = pl.String if plain.kind == "strings" else pl.Int64
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, kind))


def _text(plain: Plain, rng: Random, folder: Path) -> Any:
    weight = rng.choice(["", " 0.5"])
    path = folder / f"{next(_numbers)}.txt"
    path.write_text("".join(f"{a} {b}{weight}\n" for a, b in plain.ends), encoding="utf-8")
    return rng.choice([path, str(path)])


def _snap(plain: Plain, _: Random, folder: Path) -> Any:
    path = folder / f"{next(_numbers)}.ungraph.txt.gz"
    head = "# Undirected graph: com-x.ungraph.txt\n# FromNodeId\tToNodeId\n"
    lines = "".join(f"{a}\t{b}\n" for a, b in plain.ends)
    path.write_bytes(gzip.compress((head + lines).encode(), mtime=0))
    return path


def _csv(plain: Plain, _: Random, folder: Path) -> Any:
    path = folder / f"{next(_numbers)}.csv"
    lines = "".join(f"{a},{b}\n" for a, b in plain.ends)
    path.write_text("source,target\n" + lines, encoding="utf-8")
    return path


COMPLETE: dict[str, Callable[..., Any]] = {
    "networkx": _networkx, "igraph": _igraph, "networkit": _networkit, "graph": _graph,
    **{kind: _sparse(kind) for kind in SPARSE},
}  # fmt: skip
"""Types that contain all vertices."""

LISTS: dict[str, Callable[..., Any]] = {
    "list": _list, "array": _array, "pandas": _pandas, "polars": _polars, "text": _text,
    "snap": _snap, "csv": _csv,
}  # fmt: skip
"""Types that contain only vertices with an edge."""

FILES = {"text", "snap", "csv"}
POSITIONS = {"networkit", *SPARSE}
NUMBERS = {"array"}
ONE_TYPE = {"pandas", "polars", *FILES}


def fits(form: str, plain: Plain) -> bool:
    """Return whether a graph can be converted to a type."""
    if form in FILES and not plain.ends:
        return False
    if form in POSITIONS:
        return plain.kind == "positions"
    if form in NUMBERS:
        return plain.kind in {"positions", "numbers"}
    if form in ONE_TYPE:
        return plain.kind != "mixed"
    return form != "igraph" or plain.kind in {"positions", "strings"}


def forms_of(plain: Plain) -> list[str]:
    return [form for form in (*COMPLETE, *LISTS) if fits(form, plain)]


def write(plain: Plain, form: str, rng: Random, folder: Path) -> Any:
    return {**COMPLETE, **LISTS}[form](plain, rng, folder)


def vertices_option(plain: Plain, rng: Random) -> Any:
    """Return a value of ``vertices=``: all ids, or sometimes their number if they are 0..n-1."""
    return len(plain.vertices) if plain.kind == "positions" and rng.random() < 0.5 else [
        *plain.vertices
    ]  # fmt: skip
