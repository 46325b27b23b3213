"""ABCD: random graphs with clusters, whose degrees and cluster sizes follow power laws."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.clustering.clustering import Clustering
from coverlap.core.incidence import Codes, frozen
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.core.wording import quantity
from coverlap.generate.abcd_parameters import Parameters
from coverlap.generate.assignment import draw_assignment
from coverlap.generate.degrees import split_degrees
from coverlap.generate.seeds import generator_of
from coverlap.generate.wiring import wire
from coverlap.graph.graph import Graph


class ABCDGraph(NamedTuple):
    """The result of `abcd_graph`: a graph, and the clustering that it was made from.

    Vertices are 0..n-1 by descending degree, and clusters 0..k-1 by descending size. ``degrees``
    are those drawn; `n_off_degree` says how many the graph could not keep. ``n_released_edges`` is
    the number of edges that found no place in their cluster, and so went to the background; where
    degrees reach the sizes of clusters they can be many, and mixing exceeds what is expected.
    ``n_missing_edges`` found no place at all, as happens in graphs that are almost complete.
    """

    graph: Graph
    clustering: Clustering
    degrees: NDArray[np.int64]
    xi: float
    n_released_edges: int
    n_missing_edges: int

    @property
    def mixing(self) -> float:
        """Share of the edges that are between clusters."""
        clusters, ends = self.clustering.numbers, self.graph._upper.members
        if len(ends) == 0:
            return 0.0
        between = np.count_nonzero(clusters[self.graph._sources] != clusters[ends])
        return int(between) / len(ends)

    @property
    def expected_mixing(self) -> float:
        """Predicted share of the edges that are between clusters.

        That is xi * (1 - the sum of squared shares of the clusters in all degrees), for edges of
        the background also fall inside of clusters.
        """
        volumes = np.bincount(self.clustering.numbers, weights=self.degrees)
        return float(self.xi * (1 - np.sum((volumes / volumes.sum()) ** 2)))

    @property
    def n_off_degree(self) -> int:
        """Number of vertices whose degree is not the one drawn."""
        return int(np.count_nonzero(self.graph.degrees != self.degrees))

    def __repr__(self) -> str:
        facts = [
            quantity(self.graph.n_vertices, "vertex", "vertices"),
            quantity(self.graph.n_edges, "edge"),
            quantity(self.clustering.n_clusters, "cluster"),
            f"xi {self.xi:g}",
            f"mixing {self.mixing:.3f}",
        ]
        if self.n_missing_edges:
            facts.append(f"{quantity(self.n_missing_edges, 'edge')} missing")
        return f"ABCDGraph({', '.join(facts)})"


def abcd_graph(
    n_vertices: int,
    *,
    xi: float,
    gamma: float = 2.5,
    min_degree: int = 5,
    max_degree: int | None = None,
    beta: float = 1.5,
    min_size: int = 25,
    max_size: int | None = None,
    seed: int | np.random.Generator | None = None,
) -> ABCDGraph:
    """Draw a graph with clusters: the Artificial Benchmark for Community Detection, ABCD.

    Each vertex gives a share xi of its degree to a background graph, which knows no clusters, and
    the rest to the graph of its own cluster. All these are configuration models without loops
    and parallel edges.

    Parameters
    ----------
    n_vertices : int
        Number of vertices, at least 2.
    xi : float
        Share of each degree that is in the background, from 0 (clusters that are not connected)
        to 1 (clusters that do not show).
    gamma : float
        Exponent of the degrees: d has a chance proportional to d**-gamma. 0 makes all degrees
        equally likely.
    min_degree, max_degree : int
        Bounds of the degrees. The greatest is by default the square root of n_vertices, but not
        less than min_degree and not more than n_vertices - 1.
    beta : float
        Exponent of the sizes of clusters.
    min_size, max_size : int
        Bounds of the sizes. The greatest is by default n_vertices**0.767, but not less than
        n_vertices // min_size clusters need to hold all vertices.
    seed : int or numpy.random.Generator, optional
        The same number gives the same graph. A generator is used and moves on.

    Returns
    -------
    ABCDGraph
        With ``graph``, ``clustering`` (a partition of the vertices), ``degrees``, ``mixing``, ...

    Raises
    ------
    OptionError
        If a value cannot be right, if no sizes within the bounds add up to n_vertices, or if no
        clusters are large enough for the degrees: those drawn did not fit 100 times.

    Notes
    -----
    Degrees are drawn until their sum is even, and sizes until they add up to n_vertices; after 100
    and 1000 attempts they are changed by as little as possible. Then vertices, by descending
    degree, choose a random free place in a cluster that is large enough: with the expected share
    m = 1 - xi * (1 - sum of squared shares of the clusters in the vertices) of its edges inside, a
    vertex of degree d needs a cluster of m * d + 1. If there is no way to place all vertices,
    degrees and sizes are drawn again.

    A degree of the graph differs from the one drawn in rare cases only. With ``xi=0`` the first
    vertex of a cluster whose degrees have an odd sum gets one more. Edges that find no place in
    their cluster, where its degrees are almost as large as itself, go to the background, and are
    then edges between clusters even if ``xi=0``; ``n_released_edges`` counts them. In graphs that
    are almost complete some edges of the background are missing.

    Pairs that would be loops or parallel edges exchange ends with random other pairs. Where these
    are many, as in very small or dense clusters, graphs with the same degrees are not all equally
    likely.

    The model is by Kamiński, Prałat and Théberge, "Artificial Benchmark for Community Detection
    (ABCD): Fast random graph model with community structure", Network Science 9 (2021).

    Examples
    --------
    >>> import coverlap as cv
    >>> drawn = cv.generate.abcd_graph(1000, xi=0.2, seed=1)
    >>> drawn.graph.n_vertices, drawn.clustering.n_objects, drawn.n_missing_edges
    (1000, 1000, 0)
    >>> bool((drawn.graph.degrees == drawn.degrees).all())
    True
    >>> abs(drawn.mixing - drawn.expected_mixing) < 0.02
    True

    How well does a simple method find the clusters? Where few edges are between them, the
    connected parts are the clusters.

    >>> apart = cv.generate.abcd_graph(1000, xi=0, seed=1)
    >>> from scipy.sparse.csgraph import connected_components
    >>> n_parts, parts = connected_components(apart.graph.to_scipy())
    >>> cv.fstar_score(parts, apart.clustering) > 0.9
    True
    """
    parameters = Parameters.checked(
        n_vertices, xi, gamma, (min_degree, max_degree), beta, (min_size, max_size)
    )
    generator = generator_of(seed)
    n, xi = parameters.n_vertices, parameters.xi
    degrees, labels, n_clusters = draw_assignment(parameters, generator)
    clustering = Clustering(Memberships(Codes(frozen(labels), n_clusters), Objects(n)))
    inner, background = split_degrees(degrees, labels, xi, generator)
    ends, n_released, n_missing = wire(clustering.runs, inner, background, generator)
    graph = Graph._of_ends(Objects(n), ends[::2], ends[1::2])
    return ABCDGraph(graph, clustering, frozen(degrees), xi, n_released, n_missing)
