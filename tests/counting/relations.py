"""Random comparisons for the relational engine, and the engine in memory as its oracle."""

import random
from itertools import cycle, product
from typing import NamedTuple

import numpy as np

from coverlap import Clustering
from coverlap.core.align import DROP_RULES, Rules
from coverlap.counting.counts import counts_of
from coverlap.counting.matching import SIMILARITIES
from coverlap.counting.relational.engine import ClusterNames
from coverlap.counting.relational.relations import CASE

N_IDS = 12
N_OBJECTS = 30
NAMES = ClusterNames(np.arange(100, 140))
"""The names of the clusters 0, 1, 2, ... of either side."""

UNIVERSES = ("union", "intersection", "left", "right", "given", "number", "n_objects")


class Comparison(NamedTuple):
    """Pairs of object and cluster (None for outliers) of both sides, and ids of a universe."""

    left: list
    right: list
    given: list


def random_comparison(rng):
    left, right = _random_side(rng), _random_side(rng)
    if rng.random() < 0.2:
        right = rng.sample(left, len(left))
    members = {item for item, cluster in left + right if cluster is not None}
    given = members | {item for item in range(N_IDS) if rng.random() < 0.3}
    return Comparison(left, right, rng.sample(sorted(given), len(given)))


def _random_side(rng):
    """Return a side with overlaps, outliers, equal clusters and repeated rows, or with nothing."""
    known = rng.sample(range(N_IDS), rng.choice([0, 1, 4, 6, 8, 8, N_IDS, N_IDS]))
    clusters = [rng.sample(known, rng.randint(0, len(known))) for _ in range(rng.randint(0, 6))]
    clusters += [rng.choice(clusters) for _ in range(rng.randint(0, 3)) if clusters]
    rng.shuffle(clusters)
    numbers = rng.sample(range(40), len(clusters))
    rows = [(item, n) for n, members in zip(numbers, clusters, strict=True) for item in members]
    inside = {item for item, _ in rows}
    rows += [(item, None) for item in known if item not in inside or rng.random() < 0.1]
    rows += [rng.choice(rows) for _ in range(rng.randint(0, 4)) if rows]
    return rng.sample(rows, len(rows))


def random_comparisons(n, seed):
    rng = random.Random(seed)
    return [random_comparison(rng) for _ in range(n)]


def option_sets():
    """Return all rules of universe and outliers with each other, and similarities in turn."""
    similarities = cycle(SIMILARITIES)
    return [(*rules, next(similarities)) for rules in product(UNIVERSES, DROP_RULES)]


def rules_of(universe, drop_outliers):
    """Return the rules as the relational engine takes them."""
    if universe == "n_objects":
        return Rules("union", N_OBJECTS, drop_outliers)
    named = {"given": "union", "number": N_OBJECTS}
    return Rules(named.get(universe, universe), None, drop_outliers)


def columns_of(comparisons):
    """Return the columns of many comparisons, each one of left, right and given."""
    sides = []
    for i in range(3):
        rows = [
            (case, *(row if i < 2 else (row, None)))
            for case, comparison in enumerate(comparisons)
            for row in comparison[i]
        ]
        sides.append(dict(zip((CASE, "object", "cluster"), zip(*rows, strict=True), strict=False)))
    return sides


def expected(comparison, universe, drop_outliers, similarity):
    """Return what the engine in memory counts in a comparison."""
    rules = rules_of(universe, drop_outliers)
    if universe == "given":
        rules = rules._replace(universe=comparison.given)
    names = {None: None} | {i: int(name) for i, name in enumerate(NAMES.names)}
    sides = [
        Clustering.from_memberships([(item, names[cluster]) for item, cluster in side])
        for side in comparison[:2]
    ]
    return expected_of(counts_of(*sides, rules), similarity)


def expected_of(counts, similarity):
    """Return what the engine in memory counted, in the order of `found`."""
    pair, matching = counts.pair, counts.matching(SIMILARITIES[similarity])
    summaries = [
        (side.names, side.n_memberships, side.n_merged, side.n_dropped, side.n_in_several)
        for side in (pair.left, pair.right)
    ]
    return (
        *_plain(matching), *summaries, pair.rule, pair.n_only_left, pair.n_only_right,
        pair.n_outliers_dropped, pair.disjoint,
    )  # fmt: skip


def found(counts):
    """Return what the relational engine counted, as plain values."""
    summaries = [(side.names.tolist(), *side[1:5]) for side in (counts.left, counts.right)]
    return (*_plain(counts.matching), *summaries, *counts[3:])


def _plain(matching):
    left, right = (
        tuple(column.tolist() for column in side) for side in (matching.left, matching.right)
    )
    return (left, right, *matching[2:])
