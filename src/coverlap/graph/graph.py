"""Graph: simple and undirected, its edges in a fixed order."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputTypeError, MissingDependencyError
from coverlap.core.incidence import Runs, frozen, narrowest, runs_of_pairs
from coverlap.core.lazy import lazy_property
from coverlap.core.objects import Objects
from coverlap.core.texts import Ids
from coverlap.core.wording import quantity


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """An immutable graph: simple, undirected, without weights.

    Make one with `coverlap.graph.as_graph`. Edges have a fixed order: each begins with the smaller
    vertex position, and they are sorted.

    Examples
    --------
    >>> import coverlap as cv
    >>> graph = cv.graph.as_graph([("b", "a"), ("c", "b"), ("b", "b"), ("a", "b")])
    >>> graph
    Graph(3 vertices, 2 edges, 1 loop dropped)
    >>> graph.edges.tolist()
    [['a', 'b'], ['b', 'c']]
    """

    objects: Objects = None  # type: ignore[assignment]  # rejected below
    """The vertices as objects: how many, and their ids."""

    upper: Runs = None  # type: ignore[assignment]  # rejected below
    """The larger neighbours of each vertex, sorted and distinct."""

    n_loops: int = 0
    """Number of loops that were dropped."""

    complete: bool = True
    """Whether all vertices are known; a list of edges does not tell those without an edge."""

    def __post_init__(self) -> None:
        if not (isinstance(self.objects, Objects) and isinstance(self.upper, Runs)):
            raise InputTypeError("a Graph is made by coverlap.graph.as_graph")

    @classmethod
    def of_ends(
        cls, objects: Objects, one: NDArray[Any], other: NDArray[Any], *, complete: bool = True
    ) -> Self:
        """Make a graph from the ends of its edges, which may be unsorted, repeated, and loops."""
        loops = one == other
        n_loops = int(np.count_nonzero(loops))
        if n_loops:
            one, other = one[~loops], other[~loops]
        high, low = np.maximum(one, other), np.minimum(one, other)
        upper = runs_of_pairs(high, low, objects.n, objects.n)
        return cls(objects, upper, n_loops, complete)

    def with_ids(self, ids: Ids) -> Self:
        """Return the same graph with other ids of its vertices."""
        return replace(self, objects=Objects(self.n_vertices, ids, "id"))

    @property
    def n_vertices(self) -> int:
        """Number of vertices, including those without an edge if they are known."""
        return self.objects.n

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return len(self.upper.members)

    @property
    def vertices(self) -> list[Any]:
        """Id of each vertex."""
        return list(self.objects.id_array().tolist())

    @property
    def edges(self) -> NDArray[Any]:
        """Ids of the two ends of each edge, one edge per row."""
        ids = self.objects.id_array()
        return np.column_stack((ids[self.sources], ids[self.upper.members]))

    @property
    def degrees(self) -> NDArray[np.int64]:
        """Number of edges at each vertex."""
        n = self.n_vertices
        return np.diff(self.upper.pointers) + np.bincount(self.upper.members, minlength=n)

    @lazy_property
    def sources(self) -> NDArray[Any]:
        """Position of the smaller end of each edge."""
        vertices = np.arange(self.n_vertices, dtype=narrowest(self.n_vertices))
        return frozen(np.repeat(vertices, np.diff(self.upper.pointers)))

    def to_scipy(self) -> Any:
        """Return the adjacency matrix, symmetric and of ones, as a SciPy sparse array."""
        from scipy.sparse import csr_array  # SciPy is slow to import

        pointers, members = self.upper
        n = self.n_vertices
        ones = np.ones(len(members), np.int64)  # matrix products of smaller integers would overflow
        upper = csr_array((ones, members, pointers), shape=(n, n))
        return (upper + upper.T).tocsr()

    def to_networkx(self) -> Any:
        """Return a networkx graph of the vertices' ids."""
        try:
            import networkx as nx
        except ImportError:
            raise _missing("networkx") from None
        graph = nx.Graph()
        graph.add_nodes_from(self.vertices)
        graph.add_edges_from(self.edges.tolist())
        return graph

    def to_igraph(self) -> Any:
        """Return an igraph graph; ids become the names of its vertices."""
        try:
            import igraph
        except ImportError:
            raise _missing("igraph") from None
        ends = np.column_stack((self.sources, self.upper.members))
        graph = igraph.Graph(n=self.n_vertices, edges=ends.tolist())
        if self.objects.ids is not None:
            graph.vs["name"] = self.vertices
        return graph

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (type(self), self.objects, self.upper, self.n_loops, self.complete)

    def __repr__(self) -> str:
        facts = [quantity(self.n_vertices, "vertex", "vertices"), quantity(self.n_edges, "edge")]
        if self.n_loops:
            facts.append(f"{quantity(self.n_loops, 'loop')} dropped")
        return f"Graph({', '.join(facts)})"


def _unpickle(kind: type[Graph], objects: Objects, upper: Runs, *fields: Any) -> Graph:
    """Rebuild a graph; pickled arrays are writable, but kernels expect read-only ones."""
    return kind(objects, Runs(*map(frozen, upper)), *fields)


def _missing(library: str) -> MissingDependencyError:
    return MissingDependencyError(
        f"{library} is needed for this: pip install 'coverlap[graph]'"
    )  # fmt: skip
