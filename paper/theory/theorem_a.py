"""Theorem A: without overlaps 1 - F*_wo is a metric. Small cases; docs/theory.md has the proof."""

from collections.abc import Iterator, Sequence
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import coverlap as cv
from paper.theory.check import NOT_STATED, Check
from paper.theory.exact_scores import Sets, sets, to_clustering

Blocks = tuple[int, ...]
"""A clustering without overlaps: the outliers, then the clusters, each as a bit mask."""


class Losses(NamedTuple):
    """1 minus the one-sided score with outliers of all pairs, as integer multiples of 1/unit."""

    table: NDArray[Any]
    unit: int


class LeastSlack(NamedTuple):
    """The least slack of the triangle inequality over all triples of some clusterings."""

    n_objects: int
    n_clusterings: int
    slack: float


def without_overlaps(n: int) -> Iterator[Blocks]:
    """Yield every clustering of n objects without overlaps."""
    if n == 0:
        yield (0,)
        return
    bit = 1 << (n - 1)
    for smaller in without_overlaps(n - 1):
        yield (*smaller, bit)
        for i, block in enumerate(smaller):
            yield (*smaller[:i], block | bit, *smaller[i + 1 :])


def partitions(n: int) -> list[Blocks]:
    """Return the partitions of n objects."""
    return [blocks for blocks in without_overlaps(n) if not blocks[0]]


def losses(clusterings: Sequence[Blocks], n: int) -> Losses:
    """Return 1 minus the one-sided score of each pair, from the first to the second.

    No cluster is larger than n, so similarities are multiples of 1 / lcm(1..n). Without overlaps,
    the weight of each cluster and of the outliers is size / n.
    """
    unit = lcm(*range(1, n + 1))
    every = np.arange(1 << n)
    sizes = np.bitwise_count(every).astype(np.int64)
    unions = np.maximum(sizes[every[:, None] | every], 1)
    similarity = sizes[every[:, None] & every] * unit // unions
    padded = np.zeros((len(clusterings), n + 1), np.int64)  # the empty set has similarity 0
    for row, blocks in zip(padded, clusterings, strict=True):
        row[: len(blocks)] = blocks
    outliers, clusters = padded[:, 0], padded[:, 1:]
    best = similarity[:, clusters].max(axis=2)
    found = sizes[outliers, None] * similarity[np.ix_(outliers, outliers)]
    for column in clusters.T:
        found += sizes[column, None] * best[column]
    return Losses(n * unit - found, n * unit)


def least_slack(given: Losses) -> float:
    """Return the least slack of the triangle inequality; negative if it is violated."""
    table = given.table.astype(np.int32)
    least = 2 * given.unit
    for b in range(len(table)):
        slack = table[:, b, None] + table[b]
        slack -= table
        slack[b] = slack[:, b] = least
        np.fill_diagonal(slack, least)  # use three different ones
        least = min(least, int(slack.min()))
    return least / given.unit


def check_triples(clusterings: Sequence[Blocks], n: int) -> LeastSlack:
    """Compute the least slack over all triples of clusterings of n objects."""
    return LeastSlack(n, len(clusterings), least_slack(losses(clusterings, n)))


def largest_disagreement(n: int) -> tuple[int, float]:
    """Compare the losses with coverlap's scores; return the number of pairs and the difference."""
    every = list(without_overlaps(n))
    loss = losses(every, n)
    given = [to_clustering(as_sets(blocks), n) for blocks in every]
    scores = cv.pairwise(given, threads=1).matrix
    difference = np.abs(scores - (1 - (loss.table + loss.table.T) / (2 * loss.unit)))
    return len(every) * (len(every) + 1) // 2, float(difference.max())


def as_sets(blocks: Blocks) -> Sets:
    """Return the clusters of a clustering without overlaps as sets of objects."""
    return sets(*map(_objects, blocks[1:]))


def _objects(block: int) -> list[int]:
    return [x for x in range(block.bit_length()) if block >> x & 1]


def lemma_exceptions(most: int) -> tuple[int, int]:
    """Check the lemma of the proof for sets C, D and E whose 7 parts have up to `most` objects.

    The lemma is |C| (J(C, D) - J(C, E)) <= q + p (1 - |D| / |D u E|), where p objects of C are in
    D and E, and q in D only. Returns the number of cases and the number of exceptions.
    """
    p, q, r, s, t, d, e = np.indices((most + 1,) * 7).reshape(7, -1)
    own, of_d, of_e, joint = p + q + r + s, p + q + t + d, p + r + t + e, p + q + r + t + d + e
    with_d, with_e = of_d + r + s, of_e + q + s
    nonempty = (of_d > 0) & (of_e > 0)
    left = own * ((p + q) * with_e - (p + r) * with_d) * joint
    right = (q * joint + p * (joint - of_d)) * with_d * with_e
    return int(nonempty.sum()), int((left > right)[nonempty].sum())


def check_theorem_a() -> list[Check]:
    """Check that the triangle inequality holds without overlaps."""
    parted = check_triples(partitions(7), 7)
    with_outliers = check_triples(list(without_overlaps(6)), 6)
    n_pairs, difference = largest_disagreement(5)
    n_cases, n_exceptions = lemma_exceptions(4)
    return [
        Check(
            "Theorem A",
            "Without overlaps, with or without outliers, 1 - F*_wo is a metric.",
            NOT_STATED, min(parted.slack, with_outliers.slack) >= 0 and difference < 1e-12,
            f"all triples of the {parted.n_clusterings} partitions of {parted.n_objects} objects, "
            f"and of the {with_outliers.n_clusterings} clusterings of {with_outliers.n_objects} "
            "objects with outliers: even one direction alone is never shorter over a third (slack "
            f"of {parted.slack:g} and {with_outliers.slack:g} or more); coverlap agrees on "
            f"{n_pairs:,} pairs, to {difference:.1g}",
        ),
        Check(
            "Theorem A, inequality (1)",
            "|C| (J(C, D) - J(C, E)) <= |C n D \\ E| + |C n D n E| (1 - |D| / |D u E|).",
            NOT_STATED, n_exceptions == 0,
            f"{n_cases:,} cases, in which the parts of C, D and E have up to 4 objects: "
            f"{n_exceptions} exceptions",
        ),
    ]  # fmt: skip
