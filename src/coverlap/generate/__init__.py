"""Random and regular clusterings and graphs, to evaluate measures on."""

from coverlap.generate.abcd import ABCDGraph, abcd_graph
from coverlap.generate.clusterings import equal_partition, random_clustering, shuffled, skewed
from coverlap.generate.geometric import GeometricClusters, geometric_clusters

__all__ = [
    "ABCDGraph",
    "GeometricClusters",
    "abcd_graph",
    "equal_partition",
    "geometric_clusters",
    "random_clustering",
    "shuffled",
    "skewed",
]


def __dir__() -> list[str]:
    return __all__
