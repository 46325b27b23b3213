"""Theorem E: without overlaps, 1 - F*_wo is a metric for any weights of the objects.

Sizes of sets are replaced by the sum of their objects' weights. docs/theory.md has the proof.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from paper.theory.check import NOT_STATED, Check
from paper.theory.exact_scores import Cluster, Sets, exact_score, span
from paper.theory.theorem_a import as_sets, without_overlaps

Weights = Sequence[int]

N_TABLES = 4
N_RANDOM = 300
SEED = 2602_14855 + 3


def weighted_loss(left: Sets, right: Sets, weights: Weights) -> Fraction:
    """Return 1 minus the weighted score of one direction, from the definition."""

    def total(objects: Cluster) -> int:
        return sum(weights[x] for x in objects)

    def similarity(own: Cluster, other: Cluster) -> Fraction:
        joint = total(own | other)
        return Fraction(total(own & other), joint) if joint else Fraction(0)

    every = span(0, len(weights))
    outliers, others = (every.difference(*clustering) for clustering in (left, right))
    members, kept = sum(map(total, left)), total(outliers) * similarity(outliers, others)
    if members:
        best = [max((similarity(own, other) for other in right), default=0) for own in left]
        found = sum(total(own) * value for own, value in zip(left, best, strict=True))
        kept += (total(every) - total(outliers)) * Fraction(found, members)
    return 1 - kept / total(every)


def with_copies(clustering: Sets, weights: Weights) -> Sets:
    """Return the clustering in which each object is replaced by as many copies as it weighs."""
    ends = np.cumsum(weights).tolist()
    copies = [span(end - weight, end) for end, weight in zip(ends, weights, strict=True)]
    return frozenset(frozenset().union(*(copies[x] for x in cluster)) for cluster in clustering)


def least_slack(clusterings: Sequence[Sets], weights: Weights) -> Fraction:
    """Return the least slack of the triangle inequality of one direction over all triples."""
    losses = [[weighted_loss(a, b, weights) for b in clusterings] for a in clusterings]
    unit = lcm(*(value.denominator for row in losses for value in row))
    table = np.array([[int(value * unit) for value in row] for row in losses], object)
    slacks = [(table[:, b, None] + table[b] - table).min() for b in range(len(table))]
    return Fraction(min(slacks), unit)


def random_slacks(count: int, seed: int) -> list[Fraction]:
    """Return the slack for random triples of 5 to 9 objects that weigh up to 20 each."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        n = int(rng.integers(5, 10))
        weights = rng.integers(1, 21, size=n).tolist()
        labels = rng.integers(-1, rng.integers(1, 5), size=(3, n))
        a, b, c = (
            frozenset(
                frozenset(np.flatnonzero(one == k).tolist()) for k in set(one.tolist()) - {-1}
            )
            for one in labels
        )
        direct = weighted_loss(a, c, weights)
        found.append(weighted_loss(a, b, weights) + weighted_loss(b, c, weights) - direct)
    return found


def copies_agree(clusterings: Sequence[Sets], weights: Weights) -> bool:
    """Return whether weighted scores are those of the clusterings with copies, by coverlap."""
    n = sum(weights)
    return all(
        1 - (weighted_loss(a, b, weights) + weighted_loss(b, a, weights)) / 2
        == exact_score(with_copies(a, weights), with_copies(b, weights), n).score
        for a in clusterings
        for b in clusterings
    )


def check_theorem_e() -> list[Check]:
    """Check the triangle inequality with weights, and that weights are copies."""
    rng = np.random.default_rng(SEED)
    four = [as_sets(blocks) for blocks in without_overlaps(4)]
    drawn = [rng.integers(1, 31, size=4).tolist() for _ in range(N_TABLES)]
    slacks = [least_slack(four, weights) for weights in [*drawn, [0, 0, 1, 5], [1, 1, 1, 1000]]]
    others = random_slacks(N_RANDOM, SEED)
    three = [as_sets(blocks) for blocks in without_overlaps(3)]
    copied = [copies_agree(three, weights) for weights in ([1, 1, 1], [1, 2, 4], [3, 1, 5])]
    return [
        Check(
            "Theorem E",
            "Without overlaps, 1 - F*_wo is a metric for any positive weights of the objects.",
            NOT_STATED, min(*slacks, *others) >= 0,
            f"all triples of the {len(four)} clusterings of 4 objects for {len(slacks)} weightings "
            f"(also with weights 0), and {len(others)} random triples of 5 to 9 objects: one "
            "direction alone is never shorter over a third",
        ),
        Check(
            "Theorem E, copies",
            "An object of weight k counts as k copies of it.",
            NOT_STATED, all(copied),
            f"equal as fractions for all {len(three) ** 2} pairs of clusterings of 3 objects and "
            f"{len(copied)} weightings",
        ),
    ]  # fmt: skip
