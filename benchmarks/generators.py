"""Time the generators of graphs in ``paper/`` beside abcd-graph, and print the ratios.

Run it with ``make bench``, or by ``PYTHONPATH=. python benchmarks/generators.py``; add ``--tiny``
for small data. abcd-graph is left out if it is not installed.
"""

from data import size
from timing import best, optional, report, run

from paper.generate import abcd_graph


def abcd() -> None:
    report(
        "ABCD graph: 2,000 vertices",
        "abcd_graph",
        best(lambda: abcd_graph(2_000, xi=0.2, seed=1)),
        _abcd_graph(),
    )
    n_vertices = size(1_000_000, 5_000)
    report(
        f"ABCD graph: {n_vertices:,} vertices",
        "abcd_graph",
        best(lambda: abcd_graph(n_vertices, xi=0.2, seed=1), 3),
    )


def _abcd_graph() -> dict[str, float]:
    peer = optional("abcd_graph")
    if peer is None:
        return {}
    parameters = peer.ABCDParams(
        vcount=2_000, gamma=2.5, beta=1.5, xi=0.2, min_degree=5, max_degree=44,
        min_community_size=25, max_community_size=340, num_outliers=0,
    )  # fmt: skip
    return {"abcd-graph": best(lambda: peer.ABCDGraph(parameters).build())}


if __name__ == "__main__":
    run(abcd)
