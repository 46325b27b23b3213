"""Graph: simple and undirected, its edges in a fixed order."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputTypeError, MissingDependencyError
from coverlap.core.incidence import Runs, frozen, narrowest, runs_of_pairs
from coverlap.core.lazy import remembered
from coverlap.core.objects import Objects
from coverlap.core.wording import quantity


class Graph:
    """An immutable graph: simple, undirected, without weights.

    Make one with `coverlap.graph.as_graph`. Edges are numbered: the smaller vertex position comes
    first in each, and they are sorted.

    Examples
    --------
    >>> import coverlap as cv
    >>> graph = cv.graph.as_graph([("b", "a"), ("c", "b"), ("b", "b"), ("a", "b")])
    >>> graph
    Graph(3 vertices, 2 edges, 1 loop dropped)
    >>> graph.edges.tolist()
    [['a', 'b'], ['b', 'c']]
    """

    _objects: Objects
    _upper: Runs
    _complete: bool
    n_loops: int

    def __init__(self, *_: object, **__: object) -> None:
        raise InputTypeError("a Graph is made by coverlap.graph.as_graph")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Graph cannot be changed: {name}")

    @classmethod
    def _make(
        cls, objects: Objects, upper: Runs, n_loops: int = 0, *, complete: bool = True
    ) -> Self:
        """Make a graph from the larger neighbours of each vertex, sorted and distinct.

        ``complete`` says that there are no other vertices; a list of edges does not know those
        that have none.
        """
        made = object.__new__(cls)
        made.__dict__.update(
            _objects=objects, _upper=upper, _complete=complete, n_loops=n_loops
        )  # fmt: skip
        return made

    @classmethod
    def _of_ends(
        cls,
        objects: Objects,
        one: NDArray[Any],
        other: NDArray[Any],
        *,
        complete: bool = True,
    ) -> Self:
        """Make a graph from the ends of its edges: in any order, repeated, loops among them."""
        loops = one == other
        n_loops = int(np.count_nonzero(loops))
        if n_loops:
            one, other = one[~loops], other[~loops]
        high, low = np.maximum(one, other), np.minimum(one, other)
        upper = runs_of_pairs(high, low, objects.n, objects.n)
        return cls._make(objects, upper, n_loops, complete=complete)

    def _called(self, ids: NDArray[Any]) -> Self:
        """Make the same graph with other ids of its vertices."""
        objects = Objects(self.n_vertices, ids, "id")
        return self._make(objects, self._upper, self.n_loops, complete=self._complete)

    @property
    def n_vertices(self) -> int:
        """Number of vertices, those without an edge included if they are known."""
        return self._objects.n

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return len(self._upper.members)

    @property
    def vertices(self) -> list[Any]:
        """Id of each vertex."""
        return list(self._objects.names().tolist())

    @property
    def edges(self) -> NDArray[Any]:
        """Ids of the two ends of each edge, one edge a row."""
        ids = self._objects.names()
        return np.column_stack((ids[self._sources], ids[self._upper.members]))

    @property
    def degrees(self) -> NDArray[np.int64]:
        """Number of edges at each vertex."""
        n = self.n_vertices
        return np.diff(self._upper.pointers) + np.bincount(self._upper.members, minlength=n)

    @remembered
    def _sources(self) -> NDArray[Any]:
        """Position of the smaller end of each edge."""
        vertices = np.arange(self.n_vertices, dtype=narrowest(self.n_vertices))
        return frozen(np.repeat(vertices, np.diff(self._upper.pointers)))

    def to_scipy(self) -> Any:
        """Return the adjacency matrix, symmetric and of ones, as a SciPy sparse array."""
        from scipy.sparse import csr_array  # SciPy is slow to import

        pointers, members = self._upper
        n = self.n_vertices
        ones = np.ones(len(members), np.int64)  # narrower ones would overflow in products
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
        ends = np.column_stack((self._sources, self._upper.members))
        graph = igraph.Graph(n=self.n_vertices, edges=ends.tolist())
        if self._objects.ids is not None:
            graph.vs["name"] = self.vertices
        return graph

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_sources"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Pickles forget that arrays are read-only, and the kernels are compiled for such ones.
        self.__dict__.update(state, _upper=Runs(*map(frozen, state["_upper"])))

    def __repr__(self) -> str:
        facts = [quantity(self.n_vertices, "vertex", "vertices"), quantity(self.n_edges, "edge")]
        if self.n_loops:
            facts.append(f"{quantity(self.n_loops, 'loop')} dropped")
        return f"Graph({', '.join(facts)})"


def _missing(library: str) -> MissingDependencyError:
    return MissingDependencyError(
        f"{library} is needed for this: pip install 'coverlap[graph]'"
    )  # fmt: skip
