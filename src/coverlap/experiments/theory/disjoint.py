"""Without overlaps 1 - F*_wo is a metric: docs/paper.md has the proof, here it is tried out."""

from collections.abc import Iterator, Sequence
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.experiments.theory.check import MORE, Check
from coverlap.experiments.theory.exact import read, sets
from coverlap.verbs.pairwise import pairwise

Blocks = tuple[int, ...]
"""A clustering without overlaps: the outliers, then the clusters, each as bits of an integer."""


class Losses(NamedTuple):
    """1 minus the one-sided score with outliers, of all pairs, in integers of 1 / ``unit``."""

    table: NDArray[Any]
    unit: int


class Tried(NamedTuple):
    """The clusterings of n objects without overlaps, and the least of going over a third."""

    n: int
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
    """Compute, for each pair, how far the first is from finding its matches in the second.

    No cluster is larger than n, so the similarities are integers of 1 / lcm(1..n). Clusters that
    do not overlap weigh size / n each, as the outliers do.
    """
    unit = lcm(*range(1, n + 1))
    every = np.arange(1 << n)
    sizes = np.bitwise_count(every).astype(np.int64)
    unions = np.maximum(sizes[every[:, None] | every], 1)
    alike = sizes[every[:, None] & every] * unit // unions
    padded = np.zeros((len(clusterings), n + 1), np.int64)  # the empty set has no similarity
    for row, blocks in zip(padded, clusterings, strict=True):
        row[: len(blocks)] = blocks
    outliers, clusters = padded[:, 0], padded[:, 1:]
    best = alike[:, clusters].max(axis=2)
    found = sizes[outliers, None] * alike[np.ix_(outliers, outliers)]
    for column in clusters.T:
        found += sizes[column, None] * best[column]
    return Losses(n * unit - found, n * unit)


def least_slack(given: Losses) -> float:
    """Return by how much going over a third is longer at least; negative where it is shorter."""
    table = given.table.astype(np.int32)
    least = 2 * given.unit
    for b in range(len(table)):
        slack = table[:, b, None] + table[b]
        slack -= table
        slack[b] = slack[:, b] = least
        np.fill_diagonal(slack, least)  # three different ones
        least = min(least, int(slack.min()))
    return least / given.unit


def tried(clusterings: Sequence[Blocks], n: int) -> Tried:
    """Try all triples of clusterings."""
    return Tried(n, len(clusterings), least_slack(losses(clusterings, n)))


def largest_disagreement(n: int) -> tuple[int, float]:
    """Compare the losses with coverlap's scores: number of pairs, and largest difference."""
    every = list(without_overlaps(n))
    table, unit = losses(every, n)
    given = [read(sets(*map(_objects, blocks[1:])), n) for blocks in every]
    scores = pairwise(given, threads=1).matrix
    difference = np.abs(scores - (1 - (table + table.T) / (2 * unit)))
    return len(every) * (len(every) + 1) // 2, float(difference.max())


def _objects(block: int) -> list[int]:
    return [x for x in range(block.bit_length()) if block >> x & 1]


def lemma_exceptions(most: int) -> tuple[int, int]:
    """Try the lemma of the proof for sets C, D and E whose seven parts have up to `most` objects.

    With p of C in D and E, and q of C in D only, it says |C| (J(C, D) - J(C, E)) <= q + p (1 - |D|
    / |D u E|). Returns the number of cases and of exceptions, in integers.
    """
    p, q, r, s, t, d, e = np.indices((most + 1,) * 7).reshape(7, -1)
    own, of_d, of_e, joint = p + q + r + s, p + q + t + d, p + r + t + e, p + q + r + t + d + e
    with_d, with_e = of_d + r + s, of_e + q + s
    usual = (of_d > 0) & (of_e > 0)
    left = own * ((p + q) * with_e - (p + r) * with_d) * joint
    right = (q * joint + p * (joint - of_d)) * with_d * with_e
    return int(usual.sum()), int((left > right)[usual].sum())


def check_without_overlaps() -> list[Check]:
    """Check that overlaps are needed to break the triangle inequality."""
    parted, left_out = tried(partitions(7), 7), tried(list(without_overlaps(6)), 6)
    n_pairs, difference = largest_disagreement(5)
    n_cases, n_exceptions = lemma_exceptions(4)
    return [
        Check(
            "Proposition 2, without overlaps",
            "On clusterings without overlaps, with or without outliers, 1 - F*_wo is a metric.",
            MORE, min(parted.slack, left_out.slack) >= 0 and difference < 1e-12,
            f"all triples of the {parted.n_clusterings} partitions of {parted.n} objects, and of "
            f"the {left_out.n_clusterings} clusterings of {left_out.n} objects with outliers: even "
            f"one direction alone is never shorter over a third (slack of {parted.slack:g} and "
            f"{left_out.slack:g} or more); coverlap agrees on {n_pairs:,} pairs, to "
            f"{difference:.1g}",
        ),
        Check(
            "Proposition 2, lemma for that",
            "|C| (J(C, D) - J(C, E)) <= |C n D \\ E| + |C n D n E| (1 - |D| / |D u E|).",
            MORE, n_exceptions == 0,
            f"{n_cases:,} cases, in which the parts of C, D and E have up to 4 objects: "
            f"{n_exceptions} exceptions",
        ),
    ]  # fmt: skip
