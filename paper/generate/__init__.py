"""Random graphs and clusterings that are not part of coverlap."""

from paper.generate.abcd import ABCDGraph, abcd_graph
from paper.generate.geometric import GeometricClusters, geometric_clusters
from paper.generate.walks import skewed

__all__ = ["ABCDGraph", "GeometricClusters", "abcd_graph", "geometric_clusters", "skewed"]
