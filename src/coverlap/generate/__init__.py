"""Clusterings and graphs to try measures on: made by rule, at random, or by chance from others."""

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
