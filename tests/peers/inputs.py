"""Inputs for the functions of other libraries: random, from published cases, and malformed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.measures.examples import Sets, covers, partitions

CASES = Path(__file__).parents[1] / "golden" / "peer_cases.json"

Pair = tuple[str, int, Sets, Sets]
"""The source, the number of objects, and the clusters of both sides."""

MALFORMED: list[tuple[Any, Any]] = [
    ([0, 1], [1, 1, 1]),
    ([0, 1], []),
    ([0, 1, 1], [[0, 1], [1, 0], [1, 1]]),
    ([[0, 1], [1, 0]], [0, 1]),
    ([[0, 1], [1, 0]], [[0, 1], [1, 0]]),
    ([0.1, 0.2, 0.7], [0, 1, 1]),
    ([0.5, 0.5, 1.0], [0, 1, 1]),
    ([0, 1, float("nan")], [0, 1, 1]),
    ([0, 1, float("inf")], [0, 1, 1]),
    ([0, 1, None], [0, 1, 1]),
    (["a", "a", "b"], ["x", "y", "y"]),
    (["a", "a", "b"], [0, 1, 1]),
    ([True, False, True], [0, 1, 1]),
    (0, 1),
    (None, None),
    ("aab", "xyy"),
    ([1 + 2j, 1, 1], [0, 1, 1]),
]
"""Labels that most libraries reject, or that look as if they should be rejected."""


def all_pairs(number: int) -> Iterator[Pair]:
    """Yield the clusterings of published cases, and random ones with overlaps and outliers."""
    for case in json.loads(CASES.read_text("utf-8")):
        sides = (
            [frozenset(cluster) for cluster in case[side]] for side in ("clusters_a", "clusters_b")
        )
        left, right = sides
        seen = frozenset().union(*left, *right)
        n = case["n_objects"] or len(seen)
        if seen <= frozenset(range(n)):
            yield "published cases", n, left, right
    for _, n, left, right in covers(14, number):
        yield "random clusterings", n, left, right


def disjoint_pairs(number: int, *, outliers: bool) -> Iterator[Pair]:
    """Yield those of the cases that are partitions, and random partitions.

    With `outliers`, some objects of random clusterings are in no cluster.
    """
    for source, n, left, right in all_pairs(0):
        if all(sum(map(len, side)) == n == len(frozenset().union(*side)) for side in (left, right)):
            yield source, n, left, right
    for _, n, left, right in partitions(14, number):
        yield "random clusterings", n, left, right
    for _, n, left, right in partitions(15, number // 2, outliers=True) if outliers else ():
        yield "random clusterings", n, left, right


def labels_of(clusters: Sets, n: int, outlier: Any = -1) -> list[Any]:
    labels = [outlier] * n
    for number, cluster in enumerate(clusters):
        for item in cluster:
            labels[item] = number
    return labels


def label_pairs(number: int, *, outliers: bool = True) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yield two lists of labels each, where -1 means outlier, and malformed ones."""
    for source, n, left, right in disjoint_pairs(number, outliers=outliers):
        yield source, (labels_of(left, n), labels_of(right, n))
    for pair in MALFORMED:
        yield "malformed labels", pair
