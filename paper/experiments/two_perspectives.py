"""Compare clusterings of graphs on the vertices and on the edges, which can rank them differently.

The graphs are drawn from the ABCD model, so their true clusters are known. The noise xi is the
share of the edges of each vertex that do not depend on the clusters. Leiden clusters each graph at
three resolutions. ``python -m paper.experiments.two_perspectives`` prints the table of
docs/graphs.md, in about 20 seconds.
"""

from typing import NamedTuple

import click
import numpy as np

import coverlap as cv
from paper.generate import abcd_graph

RESOLUTIONS = (0.5, 1.0, 3.75)


class Row(NamedTuple):
    """Means over several graphs with the same noise, at one resolution."""

    xi: float
    resolution: float
    clusters: float  # number of clusters found
    vertices: float  # F*_wo of the vertices
    edges: float  # F*_wo of the edges


def score_resolutions(xi: float, n_graphs: int, seed: int = 1) -> list[Row]:
    """Compare the clusters that Leiden finds with the true clusters, at each resolution."""
    rng = np.random.default_rng(seed)
    graphs = [abcd_graph(2_000, xi=xi, seed=rng) for _ in range(n_graphs)]
    rows = []
    for resolution in RESOLUTIONS:
        found = [cv.graph.leiden(made.graph, resolution) for made in graphs]
        results = [
            cv.compare(made.clustering, clusters, graph=made.graph)
            for made, clusters in zip(graphs, found, strict=True)
        ]
        rows.append(
            Row(
                xi,
                resolution,
                float(np.mean([clusters.n_clusters for clusters in found])),
                float(np.mean([result.score for result in results])),
                float(np.mean([result.edges.score for result in results if result.edges])),
            )
        )
    return rows


def main() -> None:
    """Print the table in docs/graphs.md."""
    click.echo("| ξ | resolution | clusters | F\\*_wo of vertices | F\\*_wo of edges |")
    click.echo("|--:|--:|--:|--:|--:|")
    for xi in (0.2, 0.5, 0.8):
        for row in score_resolutions(xi, n_graphs=10):
            click.echo(
                f"| {row.xi} | {row.resolution} | {row.clusters:.1f} | {row.vertices:.3f} "
                f"| {row.edges:.3f} |"
            )


if __name__ == "__main__":
    main()
