"""Recognise the type of an input, and read it as a graph."""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.clustering.clustering import Clustering
from coverlap.core.errors import InputError, InputTypeError, OptionError, UniverseError
from coverlap.core.objects import Objects, locate, locate_among
from coverlap.core.texts import Ids, Texts
from coverlap.core.values import code_values, reject_masked, reject_missing, value_array
from coverlap.core.wording import shown, some
from coverlap.files.source import Progress, Source
from coverlap.files.text.edges import COLUMN_PAIRS, read_edges
from coverlap.graph.graph import Graph
from coverlap.inputs.columns import as_values, origins
from coverlap.inputs.frames import frame_columns, is_frame
from coverlap.inputs.libraries import find_reader, vertices_of_igraph
from coverlap.inputs.matrices import is_sparse
from coverlap.inputs.sets import read_universe

KINDS = (
    "an adjacency matrix of SciPy, a graph of networkx, igraph or networkit, pairs of vertices, a "
    "frame of two columns, or a file of edges"
)


def as_graph(x: Any, *, vertices: Any = None) -> Graph:
    """Read a graph from any object whose meaning is unambiguous.

    Parameters
    ----------
    x : graph
        A square SciPy sparse matrix, whose nonzero values are edges; a graph of networkx,
        igraph or networkit; edges as an array of two columns, as pairs of vertices, or as a frame
        with the columns ``source`` and ``target`` (or ``from`` and ``to``, ``src`` and ``dst``,
        ``node1`` and ``node2``, or any two columns and no others); or a ``str`` or ``Path``, a
        file with one edge per line. Weights are ignored, repeated edges and edges in both
        directions count once, and loops are dropped.
    vertices : int or iterable of ids, optional
        All vertices, for a list of edges that does not contain vertices without an edge; a number
        n means 0..n-1.

    Returns
    -------
    Graph

    Examples
    --------
    >>> import coverlap as cv
    >>> cv.graph.as_graph([(0, 1), (1, 2), (2, 1)])
    Graph(3 vertices, 2 edges)
    >>> cv.graph.as_graph([(0, 1), (1, 2)], vertices=5)
    Graph(5 vertices, 2 edges)
    """
    if vertices is not None and not _is_edge_list(x):
        raise OptionError(
            f"vertices goes with a list of edges only; a {type(x).__name__} knows its own"
        )
    if isinstance(x, Graph):
        return x
    if isinstance(x, (str, Path)):
        return read_graph(x, vertices=vertices)
    if is_sparse(x):
        return _read_matrix(x)
    for origin in origins(x):
        if origin in _READERS:
            return _READERS[origin](x)
    return _read_edge_list(x, vertices)


def read_graph(
    path: str | Path, *, vertices: Any = None, progress: Progress | None = None
) -> Graph:
    """Read a file with one edge per line."""
    with Source(path, "graph", progress) as source:
        known, ends = read_edges(source)
    rank, ids = code_values(known, "graph")
    return _graph_of_codes(rank[ends], ids, vertices)


def _is_edge_list(x: Any) -> bool:
    return not (
        isinstance(x, Graph) or is_sparse(x) or any(origin in _READERS for origin in origins(x))
    )


def _read_matrix(matrix: Any) -> Graph:
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        shape = " x ".join(map(str, matrix.shape))
        raise InputError(
            f"graph must be a square adjacency matrix, vertices x vertices, not {shape}"
        )
    entries = matrix.tocoo()
    there = entries.data != 0
    ends = entries.row, entries.col
    if not there.all():
        ends = entries.row[there], entries.col[there]
    return Graph.of_ends(Objects(matrix.shape[0]), *ends)


def _read_networkx(graph: Any) -> Graph:
    ids = value_array(list(graph))
    ends = locate(value_array(list(chain.from_iterable(graph.edges()))), ids)
    return Graph.of_ends(Objects(len(ids), ids, "id"), ends[::2], ends[1::2])


def _read_igraph(graph: Any) -> Graph:
    ends = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2)
    return Graph.of_ends(vertices_of_igraph(graph), ends[:, 0], ends[:, 1])


def _read_networkit(graph: Any) -> Graph:
    """Read a graph of numbered vertices; deleted vertices leave gaps in the numbers."""
    n, bound = graph.numberOfNodes(), graph.upperNodeIdBound()
    ends = np.fromiter(chain.from_iterable(graph.iterEdges()), np.int64).reshape(-1, 2)
    if n == bound:
        return Graph.of_ends(Objects(n), ends[:, 0], ends[:, 1])
    ids = np.fromiter(graph.iterNodes(), np.int64, count=n)
    places = locate(ends.ravel(), ids).reshape(-1, 2)
    objects = Objects(n, ids, "id")
    return Graph.of_ends(objects, places[:, 0], places[:, 1], complete=False)


_READERS: dict[tuple[str, str], Callable[[Any], Graph]] = {
    ("networkx", "Graph"): _read_networkx,
    ("igraph", "Graph"): _read_igraph,
    ("networkit", "Graph"): _read_networkit,
}
"""Readers by the library and the name of the type of a graph."""


def _read_edge_list(x: Any, vertices: Any) -> Graph:
    if is_frame(x):
        return _graph_of_values(*_columns_of(x), vertices)
    if isinstance(x, np.ndarray):
        return _graph_of_values(*_columns_of_array(x), vertices)
    known = isinstance(x, (Clustering, Mapping, bytes)) or find_reader(x) is not None
    if known or not isinstance(x, Iterable):
        raise InputTypeError(f"graph must be {KINDS}, not {type(x).__name__}: {shown(x)}")
    pairs = list(x)
    for i, pair in enumerate(pairs):
        if not isinstance(pair, (tuple, list, np.ndarray)) or len(pair) not in (2, 3):
            raise InputTypeError(
                f"graph must be {KINDS}; item {i} of these edges is no pair of vertices: "
                f"{shown(pair)}"
            )
    ends = [(pair[0], pair[1]) for pair in pairs]
    return _graph_of_values([one for one, _ in ends], [other for _, other in ends], vertices)


def _columns_of_array(array: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    reject_masked(array, "graph: vertices")
    if array.ndim == 2 and array.shape[1] == 2:
        return array[:, 0], array[:, 1]
    hint = ""
    if array.ndim == 2:
        hint = "; pass scipy.sparse.csr_array(x) if it is an adjacency matrix"
        if array.shape[0] == 2:
            hint = "; pass x.T if its two rows are the ends of edges"
        elif array.shape[1] == 3:
            hint += ", or x[:, :2] if its third column is a weight"
    shape = " x ".join(map(str, array.shape))
    raise InputError(f"graph must have one edge a row, and so two columns, not {shape}{hint}")


def _columns_of(frame: Any) -> tuple[Any, Any]:
    """Return the two columns of a frame that have the names of the ends of edges."""
    columns = frame_columns(frame, "graph", _end_names)
    one, other = (as_values(columns[name], "graph") for name in _end_names(list(columns)))
    return one, other


def _end_names(names: list[Any]) -> list[Any]:
    lower = {str(name).lower(): name for name in names}
    found = [pair for pair in COLUMN_PAIRS if lower.keys() >= set(pair)]
    if found:
        return [lower[name] for name in found[0]]
    if len(names) == 2:
        return names
    raise InputError(
        f"graph has no columns 'source' and 'target', but {some(names)}; pass the two columns that "
        "are the ends of edges"
    )


def _graph_of_values(one: Any, other: Any, vertices: Any) -> Graph:
    """Make a graph from the ids of the ends of edges."""
    for values in (one, other):
        reject_masked(values, "graph: vertices")
    codes, ids = code_values(_joined(one, other), "graph: vertices")
    reject_missing(ids, "graph: vertices")
    _reject_fractions(ids)
    half = len(codes) // 2
    return _graph_of_codes(np.column_stack((codes[:half], codes[half:])), ids, vertices)


def _joined(one: Any, other: Any) -> Any:
    """Concatenate two columns, without converting integers to floats."""
    if not (isinstance(one, np.ndarray) and isinstance(other, np.ndarray)):
        return [*one, *other]
    whole = {one.dtype.kind, other.dtype.kind} <= {"i", "u"}
    if one.dtype == other.dtype or (whole and np.result_type(one, other).kind != "f"):
        return np.concatenate((one, other))
    return [*one.tolist(), *other.tolist()]


def _reject_fractions(ids: Ids) -> None:
    if ids.dtype == object and not isinstance(ids, Texts):
        wrong = [item for item in ids.tolist() if isinstance(item, float)]
        if wrong:
            raise InputError(
                f"graph: vertices must be ids, not continuous numbers such as {shown(wrong[0])}"
            )


def _graph_of_codes(ends: NDArray[Any], ids: Ids, vertices: Any) -> Graph:
    objects = Objects(len(ids), ids, "id")
    if vertices is not None:
        objects = read_universe(vertices, "vertices")
        if objects.ids is None:
            objects = Objects(objects.n)
        place = locate_among(ids, objects)
        if np.any(place < 0):
            outside = some(ids[place < 0].tolist())
            raise UniverseError(f"graph has edges at what is none of its vertices: {outside}")
        ends = place[ends]
    return Graph.of_ends(objects, ends[:, 0], ends[:, 1], complete=vertices is not None)
