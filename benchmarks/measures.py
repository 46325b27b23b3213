"""Time the measures beside other libraries on the same data, and print the ratios.

Run it with ``make bench``, or name sections: ``python benchmarks/measures.py omega ami``; add
``--tiny`` for small data. The others are clusim (Omega, ECS), networkit and cdlib (overlapping
NMI) and scikit-learn (ARI, AMI); those that are not installed are left out. Each library gets the
clusterings in its own type, made beforehand. Every ratio comes from one process; our time is the
best of several runs after a first one, and others that take long are run once.
"""

from itertools import combinations
from typing import Any

import numpy as np
import scipy.sparse as sp
from data import Labels, covers, partitions, planted, size
from timing import best, console, once, optional, peak_memory, report, run

import coverlap as cv

Clusters = list[set[int]]


def omega() -> None:
    n_objects, n_clusters = size(8_000, 200), size(240, 10)
    left, right = planted(n_objects, n_clusters, 1.5)
    ours = _clusterings(left, right)
    report(
        f"Omega: {n_objects:,} objects, {n_clusters} clusters, 1.5 memberships an object",
        "omega_score",
        best(lambda: cv.omega_score(*ours)),
        _clusim("omega_index", left, right),
    )
    large = _large_covers()
    report(f"Omega: {_shape(large)}", "omega_score", best(lambda: cv.omega_score(*large), 2))


def onmi() -> None:
    n_objects, n_clusters = size(10_000, 200), size(200, 10)
    left, right = planted(n_objects, n_clusters, 3)
    ours = _clusterings(left, right)
    report(
        f"Overlapping NMI: {n_objects:,} objects, {n_clusters} clusters, 3 memberships an object",
        "onmi_score",
        best(lambda: cv.onmi_score(*ours)),
        {**_networkit(left, right, n_objects), **_cdlib(left, right, n_objects)},
    )


def ecs() -> None:
    n_objects, n_clusters = size(500, 50), size(20, 5)
    left, right = planted(n_objects, n_clusters, 1.5)
    ours = _clusterings(left, right)
    report(
        f"ECS: {n_objects} objects, {n_clusters} clusters, 1.5 memberships an object",
        "ecs_score",
        best(lambda: cv.ecs_score(*ours)),
        _clusim("element_sim", left, right),
    )
    large = _clusterings(*planted(size(20_000, 200), size(500, 10), 3))
    report(f"ECS: {_shape(large)}", "ecs_score", best(lambda: cv.ecs_score(*large), 2))
    peak = peak_memory(lambda: cv.ecs_score(*large))
    console.print(f"peak extra memory {peak / 1e6:,.0f} MB\n")


def ami() -> None:
    n_objects, n_clusters = size(200_000, 2_000), size(2_000, 50)
    left, right = _pareto(n_objects, n_clusters)
    metrics = optional("sklearn.metrics")
    report(
        f"AMI: {n_objects:,} objects, {n_clusters:,} clusters of Pareto sizes",
        "score(..., 'ami')",
        best(lambda: cv.score(left, right, "ami")),
        metrics and {"scikit-learn": once(lambda: metrics.adjusted_mutual_info_score(left, right))},
    )


def table() -> None:
    n_objects, n_clusters = size(1_000_000, 2_000), size(10_000, 50)
    left, right = partitions(n_objects, n_clusters, outliers=0)
    report(
        f"All measures: {n_objects:,} objects, {n_clusters:,} clusters, integer labels",
        "scores",
        best(lambda: cv.scores(left, right), 3),
    )
    large = _large_covers()
    report(f"All measures but ECS: {_shape(large)}", "scores", best(lambda: cv.scores(*large), 2))


def pairwise() -> None:
    n_objects, n_clusters, n_runs = size(100_000, 1_000), size(1_000, 20), size(100, 4)
    rng = np.random.default_rng(0)
    base = rng.integers(0, n_clusters, n_objects)
    moved = (rng.random(n_objects) < 0.3 for _ in range(n_runs))
    runs = [np.where(move, rng.integers(0, n_clusters, n_objects), base) for move in moved]
    metrics = optional("sklearn.metrics")
    report(
        f"ARI of all pairs of {n_runs} partitions: {n_objects:,} objects, {n_clusters:,} clusters",
        "pairwise",
        best(lambda: cv.pairwise(runs, "ari"), 2),
        metrics and {
            "scikit-learn, looped": once(
                lambda: [metrics.adjusted_rand_score(*pair) for pair in combinations(runs, 2)]
            )
        },
    )  # fmt: skip


def baseline() -> None:
    n_objects, n_clusters, n = size(100_000, 1_000), size(1_000, 20), size(1_000, 10)
    left, right = partitions(n_objects, n_clusters, outliers=0)
    others = {"baseline of F*_wo": best(lambda: cv.baseline(left, right, n_draws=n), 2)}
    if metrics := optional("sklearn.metrics"):
        rng = np.random.default_rng(0)
        tenth = range(n // 10)
        others["scikit-learn's ARI, looped"] = 10 * once(
            lambda: [metrics.adjusted_rand_score(left, rng.permutation(right)) for _ in tenth]
        )
    report(
        f"{n:,} permutations: {n_objects:,} objects, {n_clusters:,} clusters",
        "baseline(..., 'ari')",
        best(lambda: cv.baseline(left, right, "ari", n_draws=n), 2),
        others,
    )


def _clusterings(left: Clusters, right: Clusters) -> list[cv.Clustering]:
    return [cv.Clustering.from_clusters(side) for side in (left, right)]


def _large_covers() -> list[cv.Clustering]:
    """Return the covers of the README's figures: 3 memberships, popularity rank^-0.8."""
    sides = covers(size(1_000_000, 1_000), size(50_000, 50))
    return [cv.Clustering.from_matrix(side) for side in sides]


def _shape(sides: list[cv.Clustering]) -> str:
    left = sides[0]
    memberships = left.n_memberships / left.n_objects
    return f"{left.n_objects:,} objects x {memberships:.1f}, {left.n_clusters:,} clusters"


def _pareto(n_objects: int, n_clusters: int) -> tuple[Labels, Labels]:
    """Draw labels of clusters with Pareto distributed sizes, and move 30 % of the objects."""
    rng = np.random.default_rng(0)
    weights = rng.pareto(1.5, n_clusters) + 1
    left = rng.choice(n_clusters, n_objects, p=weights / weights.sum())
    right = np.where(rng.random(n_objects) < 0.3, rng.permutation(left), left)
    return left, right


def _clusim(measure: str, left: Clusters, right: Clusters) -> dict[str, float]:
    clusim = optional("clusim.clustering")
    if clusim is None:
        return {}
    # clusim 0.4 calls a method of sparse matrices that SciPy has removed.
    sp.csr_matrix.tolist = lambda matrix: matrix.toarray().tolist()
    sides = [
        clusim.Clustering().from_cluster_list([sorted(cluster) for cluster in side])
        for side in (left, right)
    ]
    function = getattr(optional("clusim.sim"), measure)
    return {"clusim": once(lambda: function(*sides))}


def _networkit(left: Clusters, right: Clusters, n_objects: int) -> dict[str, float]:
    networkit: Any = optional("networkit")
    if networkit is None:
        return {}
    graph, sides = networkit.Graph(n_objects), []
    for clusters in (left, right):
        cover = networkit.Cover(n_objects)
        cover.setUpperBound(len(clusters))
        for number, cluster in enumerate(clusters):
            for member in cluster:
                cover.addToSubset(number, member)
        sides.append(cover)
    community = networkit.community
    distance = community.OverlappingNMIDistance(community.Normalization.Max)
    return {"networkit (max)": best(lambda: distance.getDissimilarity(graph, *sides), 3)}


def _cdlib(left: Clusters, right: Clusters, n_objects: int) -> dict[str, float]:
    cdlib, networkx = optional("cdlib"), optional("networkx")
    if cdlib is None or networkx is None:
        return {}
    empty = networkx.empty_graph(n_objects)
    sides = [
        cdlib.NodeClustering([sorted(c) for c in side], empty, overlap=True)
        for side in (left, right)
    ]
    function = cdlib.evaluation.overlapping_normalized_mutual_information_LFK
    return {"cdlib (LFK)": once(lambda: function(*sides))}


if __name__ == "__main__":
    run(omega, onmi, ecs, ami, table, pairwise, baseline)
