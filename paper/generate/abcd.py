"""ABCD: random graphs with clusters whose degrees and cluster sizes follow power laws."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

import coverlap as cv
from paper.generate import kernels
from paper.generate.checks import generator_of, quantity
from paper.generate.parameters import Parameters
from paper.generate.vertices import draw_vertices, split_degrees

Integers = NDArray[np.int64]


class Members(NamedTuple):
    """The members of each cluster: ``members[pointers[c]:pointers[c + 1]]``."""

    pointers: Integers
    members: Integers

    @classmethod
    def of_labels(cls, labels: Integers) -> Self:
        """List the members of the clusters 0..k-1."""
        pointers = np.concatenate(([0], np.cumsum(np.bincount(labels))))
        return cls(pointers, np.argsort(labels, kind="stable"))


class ABCDGraph(NamedTuple):
    """The result of `abcd_graph`: a graph and the clustering it was drawn from.

    Vertices are 0..n-1 by descending degree, and clusters 0..k-1 by descending size. ``degrees``
    are the degrees drawn; `n_off_degree` counts the vertices of the graph that have another one.
    ``n_released_edges`` is the number of edges that did not fit into their cluster and were moved
    to the background. There can be many where degrees are close to the sizes of clusters, and
    mixing is then higher than expected, even with ``xi=0``. ``n_missing_edges`` did not fit
    anywhere, which happens in graphs that are almost complete.
    """

    graph: cv.graph.Graph
    clustering: cv.Clustering
    degrees: Integers
    xi: float
    n_released_edges: int
    n_missing_edges: int

    @property
    def mixing(self) -> float:
        """Share of the edges that are between clusters."""
        clusters = self.clustering.to_labels()[self.graph.edges]
        if len(clusters) == 0:
            return 0.0
        return int(np.count_nonzero(clusters[:, 0] != clusters[:, 1])) / len(clusters)

    @property
    def expected_mixing(self) -> float:
        """Expected share of the edges that are between clusters.

        This is xi * (1 - the sum of squared shares of the clusters in all degrees), because some
        edges of the background fall inside clusters.
        """
        volumes = np.bincount(self.clustering.to_labels(), weights=self.degrees)
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

    A share xi of the degree of each vertex belongs to a background graph, which ignores clusters,
    and the rest to the graph of its own cluster. All of these are configuration models without
    loops and parallel edges.

    Parameters
    ----------
    n_vertices : int
        Number of vertices, at least 2.
    xi : float
        Share of each degree that is in the background, from 0 (clusters are not connected to each
        other) to 1 (edges do not depend on clusters).
    gamma : float
        Exponent of the degrees: d has a probability proportional to d**-gamma. With 0 all degrees
        are equally likely.
    min_degree, max_degree : int
        Bounds of the degrees. By default max_degree is the square root of n_vertices, but at least
        min_degree and at most n_vertices - 1.
    beta : float
        Exponent of the cluster sizes.
    min_size, max_size : int
        Bounds of the cluster sizes. By default max_size is n_vertices**0.767, but large enough for
        n_vertices // min_size clusters to hold all vertices.
    seed : int or numpy.random.Generator, optional
        The same integer gives the same graph. A generator is advanced.

    Raises
    ------
    OptionError
        If a value is out of range, if no sizes within the bounds add up to n_vertices, or if the
        clusters are too small for the degrees: those drawn did not fit 100 times.

    Notes
    -----
    Degrees are drawn until their sum is even, and sizes until they add up to n_vertices; after 100
    and 1000 attempts they are changed by as little as possible. Then each vertex, by descending
    degree, is assigned to a random free place in a cluster that is large enough: with the expected
    share m = 1 - xi * (1 - sum of squared shares of the clusters in the vertices) of its edges
    inside, a vertex of degree d needs a cluster of m * d + 1 vertices. If not all vertices can be
    placed, degrees and sizes are drawn again.

    Degrees of the graph differ from those drawn only in rare cases: see `ABCDGraph` for edges that
    do not fit, and with ``xi=0`` the first vertex of a cluster whose degrees have an odd sum gets
    one more. Pairs that would be loops or parallel edges exchange ends with random other pairs.
    Where there are many of these, as in very small or dense clusters, graphs with the same degrees
    are not all equally likely.

    The model is by Kamiński, Prałat and Théberge, "Artificial Benchmark for Community Detection
    (ABCD): Fast random graph model with community structure", Network Science 9 (2021).

    Examples
    --------
    >>> drawn = abcd_graph(1000, xi=0.2, seed=1)
    >>> drawn.graph.n_vertices, drawn.clustering.n_objects, drawn.n_missing_edges
    (1000, 1000, 0)
    >>> bool((drawn.graph.degrees == drawn.degrees).all())
    True
    >>> abs(drawn.mixing - drawn.expected_mixing) < 0.02
    True
    """
    parameters = Parameters.checked(
        n_vertices, xi, gamma, (min_degree, max_degree), beta, (min_size, max_size)
    )
    generator = generator_of(seed)
    n, xi = parameters.n_vertices, parameters.xi
    degrees, labels = draw_vertices(parameters, generator)
    inner, background = split_degrees(degrees, labels, xi, generator)
    clusters = Members.of_labels(labels)
    ends, n_released, n_missing = draw_edges(clusters, inner, background, generator)
    graph = cv.graph.as_graph(ends.reshape(-1, 2), vertices=n)
    clustering = cv.Clustering.from_labels(labels)
    degrees.setflags(write=False)
    return ABCDGraph(graph, clustering, degrees, xi, n_released, n_missing)


def draw_edges(
    clusters: Members,
    inner: Integers,
    background: Integers,
    generator: np.random.Generator,
) -> tuple[Integers, int, int]:
    """Draw distinct edges, first inside each cluster and then in the background.

    Both are configuration models: the ends of edges are paired at random, and pairs that are
    loops or repeated edges exchange ends with other pairs. The sum of the inner degrees of each
    cluster must be even. Edges that do not fit into a cluster are released to the background, and
    those that do not fit there are missing. Return the ends of the edges, two in a row for each,
    and the numbers of released and of missing edges.
    """
    n = len(inner)
    stubs = np.repeat(clusters.members, inner[clusters.members])
    reached = np.concatenate(([0], np.cumsum(inner[clusters.members])))[clusters.pointers]
    ends = np.empty(len(stubs) + int(background.sum()), np.int64)
    ends[: len(stubs)] = stubs
    n_pairs = len(ends) // 2
    table = np.zeros(1 << (n_pairs + n_pairs // 2 + 2).bit_length(), np.uint64)
    state = generator.integers(2**64, size=1, dtype=np.uint64)
    background = background.copy()
    pairs = kernels.Pairs(ends, table, n)
    n_inner = int(kernels.wire_clusters(pairs, reached // 2, background, state))
    if background.sum() % 2:
        background[np.flatnonzero(background)[0]] -= 1
    ends = ends[: 2 * n_inner + int(background.sum())]
    ends[2 * n_inner :] = np.repeat(np.arange(n), background)
    n_pairs = len(ends) // 2
    n_edges = int(kernels.wire_background(kernels.Pairs(ends, table, n), n_inner, n_pairs, state))
    return ends[: 2 * n_edges], len(stubs) // 2 - n_inner, n_pairs - n_edges
