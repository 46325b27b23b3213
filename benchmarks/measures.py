"""Time the measures beside other libraries on the same data, and print the ratios.

Run it with ``make bench``, or name sections: ``python benchmarks/measures.py omega ami``. Every
library gets the clusterings in its own type, made beforehand. Every ratio comes from one process;
our time is the best of several runs after a first one, and others that take long are run once.
"""

import sys
import time
import tracemalloc
from collections.abc import Callable
from itertools import combinations

import networkit as nk
import networkx as nx
import numpy as np
import scipy.sparse as sp
from cdlib import NodeClustering, evaluation
from clusim.clustering import Clustering as ClusimClustering
from clusim.sim import element_sim, omega_index
from data import Labels, covers, partitions, planted
from rich.console import Console
from rich.table import Table
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

import coverlap as cv

console = Console()


def best(call: Callable[[], object], runs: int = 5) -> float:
    """Return the seconds of the fastest of several runs, after one that does not count."""
    call()
    return min(once(call) for _ in range(runs))


def once(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def report(title: str, name: str, ours: float, others: dict[str, float] | None = None) -> None:
    """Print our time, and the others' with how many times as long they take."""
    table = Table(title=title, title_justify="left")
    for column in ("", "ms", "times ours"):
        table.add_column(column, justify="right" if column else "left")
    table.add_row(name, f"{ours * 1e3:,.2f}", "1.0")
    for other, seconds in (others or {}).items():
        table.add_row(other, f"{seconds * 1e3:,.2f}", f"{seconds / ours:,.1f}")
    console.print(table)


def omega() -> None:
    left, right = planted(8_000, 240, 1.5)
    ours = cv.Clustering.from_clusters(left), cv.Clustering.from_clusters(right)
    theirs = [_clusim(side) for side in (left, right)]
    report(
        "Omega: 8,000 objects, 240 clusters, 1.5 memberships an object",
        "omega_score",
        best(lambda: cv.omega_score(*ours)),
        {"clusim": once(lambda: omega_index(*theirs))},
    )
    large = [cv.Clustering.from_matrix(side) for side in covers(1_000_000, 50_000)]
    report(
        "Omega: 1 million objects x 3 memberships, 50,000 clusters of popularity rank^-0.8",
        "omega_score",
        best(lambda: cv.omega_score(*large), 2),
    )


def onmi() -> None:
    left, right = planted(10_000, 200, 3)
    ours = cv.Clustering.from_clusters(left), cv.Clustering.from_clusters(right)
    graph = nk.Graph(10_000)
    theirs = [_networkit(side, 10_000) for side in (left, right)]
    distance = nk.community.OverlappingNMIDistance(nk.community.Normalization.Max)
    empty = nx.empty_graph(10_000)
    cdlib = [
        NodeClustering([sorted(c) for c in side], empty, overlap=True) for side in (left, right)
    ]
    report(
        "Overlapping NMI: 10,000 objects, 200 clusters of 150",
        "onmi_score",
        best(lambda: cv.onmi_score(*ours)),
        {
            "networkit (max)": best(lambda: distance.getDissimilarity(graph, *theirs), 3),
            "cdlib (LFK)": once(
                lambda: evaluation.overlapping_normalized_mutual_information_LFK(*cdlib)
            ),
        },
    )


def ecs() -> None:
    left, right = planted(500, 20, 1.5)
    ours = cv.Clustering.from_clusters(left), cv.Clustering.from_clusters(right)
    theirs = [_clusim(side) for side in (left, right)]
    # clusim 0.4 asks sparse matrices for a method that SciPy no longer gives them.
    sp.csr_matrix.tolist = lambda matrix: matrix.toarray().tolist()
    report(
        "ECS: 500 objects, 20 clusters, 1.5 memberships an object",
        "ecs_score",
        best(lambda: cv.ecs_score(*ours)),
        {"clusim": once(lambda: element_sim(*theirs))},
    )
    large = [cv.Clustering.from_clusters(side) for side in planted(20_000, 500, 3)]
    report("ECS: 20,000 objects, 500 clusters, 3 memberships an object", "ecs_score",
           best(lambda: cv.ecs_score(*large), 2))  # fmt: skip
    tracemalloc.start()
    cv.ecs_score(*large)
    console.print(f"peak extra memory {tracemalloc.get_traced_memory()[1] / 1e6:,.0f} MB\n")
    tracemalloc.stop()


def ami() -> None:
    left, right = _pareto(200_000, 2_000)
    report(
        "AMI: 200,000 objects, 2,000 clusters of Pareto sizes",
        "score(..., 'ami')",
        best(lambda: cv.score(left, right, "ami")),
        {"scikit-learn": once(lambda: adjusted_mutual_info_score(left, right))},
    )


def table() -> None:
    left, right = partitions(1_000_000, 10_000, outliers=0)
    report("All measures: 1 million objects, 10,000 clusters, integer labels", "scores",
           best(lambda: cv.scores(left, right), 3))  # fmt: skip
    large = [cv.Clustering.from_matrix(side) for side in covers(1_000_000, 50_000)]
    report(
        "All measures but ECS: 1 million objects x 3 memberships, 50,000 clusters",
        "scores",
        best(lambda: cv.scores(*large), 2),
    )


def pairwise() -> None:
    rng = np.random.default_rng(0)
    base = rng.integers(0, 1000, 100_000)
    moved = (rng.random(100_000) < 0.3 for _ in range(100))
    runs = [np.where(move, rng.integers(0, 1000, 100_000), base) for move in moved]
    report(
        "ARI of all pairs of 100 partitions: 100,000 objects, 1,000 clusters",
        "pairwise",
        best(lambda: cv.pairwise(runs, "ari"), 2),
        {
            "scikit-learn, looped": once(
                lambda: [adjusted_rand_score(*pair) for pair in combinations(runs, 2)]
            )
        },
    )


def baseline() -> None:
    left, right = partitions(100_000, 1_000, outliers=0)
    rng = np.random.default_rng(0)
    report(
        "1,000 permutations: 100,000 objects, 1,000 clusters",
        "baseline(..., 'ari')",
        best(lambda: cv.baseline(left, right, "ari", n=1000), 2),
        {
            "baseline of F*_wo": best(lambda: cv.baseline(left, right, n=1000), 2),
            "scikit-learn's ARI, looped": 10 * once(
                lambda: [adjusted_rand_score(left, rng.permutation(right)) for _ in range(100)]
            ),
        },
    )  # fmt: skip


def _pareto(n_objects: int, n_clusters: int) -> tuple[Labels, Labels]:
    """Draw labels of clusters whose sizes follow a Pareto law, and move 30 % of the objects."""
    rng = np.random.default_rng(0)
    weights = rng.pareto(1.5, n_clusters) + 1
    left = rng.choice(n_clusters, n_objects, p=weights / weights.sum())
    right = np.where(rng.random(n_objects) < 0.3, rng.permutation(left), left)
    return left, right


def _clusim(clusters: list[set[int]]) -> ClusimClustering:
    made = ClusimClustering()
    return made.from_cluster_list([sorted(cluster) for cluster in clusters])


def _networkit(clusters: list[set[int]], n_objects: int) -> nk.Cover:
    cover = nk.Cover(n_objects)
    cover.setUpperBound(len(clusters))
    for number, cluster in enumerate(clusters):
        for member in cluster:
            cover.addToSubset(number, member)
    return cover


SECTIONS = {
    section.__name__: section for section in (omega, onmi, ecs, ami, table, pairwise, baseline)
}

if __name__ == "__main__":
    for section in sys.argv[1:] or SECTIONS:
        SECTIONS[section]()
