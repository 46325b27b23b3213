"""Clusterings of the vertices and of the edges of graphs."""

from coverlap.graph.edges import closure, edge_clustering, edges, vertex_clustering
from coverlap.graph.graph import Graph
from coverlap.graph.leiden import leiden
from coverlap.graph.partition_score import partition_score
from coverlap.graph.recognise import as_graph

__all__ = [
    "Graph",
    "as_graph",
    "closure",
    "edge_clustering",
    "edges",
    "leiden",
    "partition_score",
    "vertex_clustering",
]


def __dir__() -> list[str]:
    return __all__
