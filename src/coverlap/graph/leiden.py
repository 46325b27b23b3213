"""Leiden: clusters of a graph, for examples and experiments."""

from typing import Any

from coverlap.clustering.clustering import Clustering
from coverlap.core.checks import check_integer, check_number
from coverlap.core.errors import MissingDependencyError
from coverlap.core.memberships import Memberships
from coverlap.graph.recognise import as_graph
from coverlap.inputs.labels import read_labels


def leiden(graph: Any, resolution: float = 1.0, seed: int = 0) -> Clustering:
    """Cluster the vertices of a graph by modularity, with the Leiden algorithm.

    This calls leidenalg with its default of two iterations. It requires
    ``pip install 'coverlap[graph]'``.

    Parameters
    ----------
    graph : graph
        Anything that `as_graph` reads.
    resolution : float
        Values above 1 give more and smaller clusters than modularity, values below 1 fewer.
    seed : int
        The same seed gives the same clusters.

    Returns
    -------
    Clustering
        A partition of the vertices.

    Examples
    --------
    >>> import coverlap as cv
    >>> two_triangles = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)]
    >>> cv.graph.leiden(two_triangles).to_clusters()
    [{0, 1, 2}, {3, 4, 5}]
    """
    resolution = check_number("resolution", resolution, 0)
    seed = check_integer("seed", seed, 0, 2**31 - 1)
    try:
        import leidenalg
    except ImportError:
        raise MissingDependencyError(
            "leiden needs leidenalg and igraph: pip install 'coverlap[graph]'"
        ) from None
    known = as_graph(graph)
    found = leidenalg.find_partition(
        known.to_igraph(), leidenalg.RBConfigurationVertexPartition,
        resolution_parameter=resolution, seed=seed,
    )  # fmt: skip
    labels = read_labels(found.membership, outlier_label=())
    return Clustering(Memberships(labels.incidence, known.objects))
