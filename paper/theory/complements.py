"""Remarks of the paper: which complements are metrics, and singletons against outliers."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

import coverlap as cv
from paper.experiments.experiment import Floats
from paper.theory.check import AS_STATED, NOT_AS_STATED, SHARPER, Check
from paper.theory.exact_scores import Sets, exact_score, sets, span, to_clustering
from paper.theory.small_clusterings import clusterings
from paper.theory.theorem_a import as_sets, partitions

OF_PARTITIONS = ("ari", "nmi", "ami")
OF_COVERS = ("omega", "onmi_mgh", "onmi_lfk")
ROUNDING = 1e-12

WITHOUT_OVERLAPS = (sets({1}), sets({0}, {1}), sets({0}))
"""Three clusterings of two objects for which 1 - F*_w breaks the triangle inequality."""


def covers(n: int) -> list[Sets]:
    """Return the clusterings of n objects without outliers."""
    return [one for one in clusterings(n) if span(0, n) == span(0, 0).union(*one)]


def distances(given: Sequence[Sets], n: int, measure: str) -> Floats:
    """Return the complements of the scores of all pairs."""
    every = [to_clustering(one, n) for one in given]
    table: Floats = 1 - cv.pairwise(every, measure, threads=1).matrix
    return table


def largest_gap(table: Floats) -> float:
    """Return by how much a direct distance exceeds a detour at most; negative if it never does."""
    return max(float((table - row[:, None] - row).max()) for row in table)


def cluster_score(left: Sets, right: Sets, n: int) -> Fraction:
    """Return F*_w, the score without outliers."""
    found = exact_score(left, right, n)
    return (found.left_to_right + found.right_to_left) / 2


def check_complements() -> list[Check]:
    """Check the remarks on complements, and on singletons and outliers."""
    return [_check_listed(), _check_ecs(), _check_without_outliers(), _check_singletons()]


def _check_listed() -> Check:
    parted = [as_sets(blocks) for blocks in partitions(5)]
    gaps = {name: largest_gap(distances(parted, 5, name)) for name in OF_PARTITIONS}
    gaps |= {name: largest_gap(distances(covers(3), 3, name)) for name in OF_COVERS}
    return Check(
        "Complements of other measures",
        "1 - ARI, 1 - NMI (arithmetic mean), 1 - AMI, 1 - Omega and 1 - oNMI are not metrics.",
        AS_STATED, min(gaps.values()) > 0.01,
        "largest excess of a direct distance over a detour, partitions of 5 objects and "
        f"clusterings of 3: {', '.join(f'{name} {gap:.3f}' for name, gap in gaps.items())}",
    )  # fmt: skip


def _check_ecs() -> Check:
    given = covers(3)
    table = distances(given, 3, "ecs")
    gap = largest_gap(table)
    same = int((np.triu(table < ROUNDING, 1)).sum())
    return Check(
        "Complement of ECS",
        "1 - ECS is not a metric only because it is 0 for some clusterings that differ.",
        SHARPER, gap < ROUNDING and same > 0,
        f"all triples of the {len(given)} clusterings of 3 objects without outliers obey the "
        f"triangle inequality; different ones with the distance 0: {same} of the pairs",
    )  # fmt: skip


def _check_without_outliers() -> Check:
    a, b, c = WITHOUT_OVERLAPS
    gap = cluster_score(a, b, 2) + cluster_score(b, c, 2) - cluster_score(a, c, 2) - 1
    return Check(
        "Remark on F*_w",
        "1 - F*_w is not a metric, not even without overlaps.",
        AS_STATED, gap == Fraction(1, 2),
        f"the clusters b; a and b; a of two objects: the direct distance is longer by {gap}",
    )  # fmt: skip


def _check_singletons() -> Check:
    outlier, singleton = sets({0, 1}, {2, 3}), sets({0, 1}, {2, 3}, {4})
    scores = {
        name: cv.score(to_clustering(outlier, 5), to_clustering(singleton, 5), name)
        for name in ("onmi_mgh", "onmi_lfk", "ecs", "omega")
    }
    listed = ", ".join(f"{name} {value:.3f}" for name, value in scores.items())
    return Check(
        "Remark on singletons",
        "ECS and Omega treat an outlier as a cluster of its own; oNMI does not.",
        NOT_AS_STATED,
        max(scores["onmi_mgh"], scores["onmi_lfk"]) < 0.9
        and min(scores["ecs"], scores["omega"]) > 1 - ROUNDING,
        f"ab, cd and the outlier e against ab, cd and the cluster e: {listed}",
    )  # fmt: skip
