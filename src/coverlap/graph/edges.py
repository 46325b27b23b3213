"""Clusterings of the edges of a graph, from clusterings of its vertices and back."""

from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from coverlap.clustering.clustering import Clustering
from coverlap.clustering.recognise import recognise
from coverlap.core.memberships import Memberships
from coverlap.core.threads import check_threads
from coverlap.graph.align import without_library
from coverlap.graph.graph import Graph
from coverlap.graph.induced import induce_edges, induce_vertices
from coverlap.graph.positions import numbered, on_edges, on_vertices
from coverlap.graph.recognise import as_graph


def edges(graph: Any) -> NDArray[Any]:
    """Return the edges of a graph, in the order that clusterings of edges refer to.

    Parameters
    ----------
    graph : graph
        Anything that `as_graph` reads.

    Returns
    -------
    array of two columns
        The ids of the two ends of each edge. The vertex that comes first in the graph is first in
        its row, and rows are sorted in the same way.

    Examples
    --------
    >>> import coverlap as cv
    >>> cv.graph.edges([(3, 1), (1, 2), (2, 1)]).tolist()
    [[1, 2], [1, 3]]
    """
    return as_graph(graph).edges


def edge_clustering(graph: Any, clustering: Any, *, threads: int | None = None) -> Clustering:
    r"""Turn a clustering of the vertices into one of the edges.

    .. math:: E_G(\mathcal C) = \{ \{uv \in E : u, v \in C\} : C \in \mathcal C \}

    An edge is in every cluster that has both its ends. Clusters without an edge inside are
    dropped and equal ones merged; ``n_dropped`` and ``n_merged`` of the result count them.

    Parameters
    ----------
    graph : graph
        Anything that `as_graph` reads.
    clustering : clustering
        Anything that `coverlap.as_clustering` reads. Vertices that it does not know are in no
        cluster; members that are not vertices are an error.
    threads : int, optional
        By default one for small inputs and one per core for others.

    Returns
    -------
    Clustering
        Its objects 0..m-1 are the rows of `edges`; clusters keep their names.

    Examples
    --------
    Two triangles that share a vertex, and one more edge:

    >>> import coverlap as cv
    >>> graph = [(0, 1), (0, 2), (1, 2), (2, 3), (2, 4), (3, 4), (4, 5)]
    >>> found = cv.graph.edge_clustering(graph, [{0, 1, 2}, {2, 3, 4}, {5}])
    >>> found
    Clustering(7 objects, 2 clusters, 6 memberships, 1 outlier)
    >>> found.to_clusters()
    [{0, 1, 2}, {3, 4, 5}]
    >>> found.n_dropped
    1
    """
    check_threads(threads)
    given = recognise(clustering, "clustering", borrow=True)
    known = numbered(as_graph(graph), given)
    return Clustering(induce_edges(known, on_vertices(known, given, "clustering"), threads))


def vertex_clustering(graph: Any, edge_clustering: Any) -> Clustering:
    r"""Turn a clustering of the edges into one of the vertices.

    .. math:: C_G(\mathcal E) = \{ \{v \in V : \exists\, uv \in F\} : F \in \mathcal E \}

    A vertex is in every cluster that one of its edges is in, so the clusters of vertices overlap
    even where those of edges do not. Equal clusters are merged.

    Parameters
    ----------
    graph : graph
        Anything that `as_graph` reads.
    edge_clustering : clustering
        A clustering of edges by number, as `edges` counts them (such as one label per edge), or
        by pairs of vertices in either order; or an EdgeClustering of cdlib.

    Returns
    -------
    Clustering
        Its objects are the vertices of the graph.

    Examples
    --------
    >>> import coverlap as cv
    >>> graph = [(0, 1), (1, 2), (2, 3)]
    >>> cv.graph.vertex_clustering(graph, [{(0, 1), (2, 1)}, {(2, 3)}]).to_clusters()
    [{0, 1, 2}, {2, 3}]
    >>> cv.graph.vertex_clustering(graph, [0, 0, -1])
    Clustering(4 objects, 1 cluster, 3 memberships, 1 outlier)
    """
    return Clustering(_touched_vertices(as_graph(graph), edge_clustering))


def _touched_vertices(graph: Graph, edge_clustering: Any) -> Memberships:
    side = recognise(without_library(edge_clustering), "edge_clustering", borrow=True)
    return induce_vertices(graph, on_edges(graph, side, "edge_clustering"))


def closure(graph: Any, edge_clustering: Any, *, threads: int | None = None) -> Clustering:
    r"""Close the clusters of a clustering of edges.

    The closure :math:`E_G(C_G(\mathcal E))` adds to each cluster all edges between the vertices
    that it touches. A clustering of edges is compared with a clustering of vertices by its closure,
    because the latter contains all edges inside its clusters. The closure of a closure is itself.
    Clusters that become equal are merged, and counted in ``n_merged``.

    Parameters
    ----------
    graph, edge_clustering
        As in `vertex_clustering`.
    threads : int, optional
        By default one for small inputs and one per core for others.

    Returns
    -------
    Clustering
        Its objects 0..m-1 are the rows of `edges`.

    Examples
    --------
    Two sides of a triangle span the third:

    >>> import coverlap as cv
    >>> graph = [(0, 1), (0, 2), (1, 2), (2, 3)]
    >>> cv.graph.closure(graph, [{(0, 1), (1, 2)}]).to_clusters()
    [{0, 1, 2}]
    """
    check_threads(threads)
    known = as_graph(graph)
    touched = _touched_vertices(known, edge_clustering)
    closed = induce_edges(known, touched, threads)
    return Clustering(replace(closed, n_merged=closed.n_merged + touched.n_merged))
