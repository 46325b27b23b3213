"""The oracle of pictures: blocks, sets and bands from their definitions.

It uses only sets, dicts and ``fractions.Fraction``, and no code of the package under test. As in
`tests.naive_changes`, clusters are distinct and not empty. It is slow.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product

from tests.naive import Cluster, Clusters, best_matches, outliers
from tests.naive_changes import Options, cluster_rows

Place = tuple[str, int]
"""A cluster: its side and its position there."""

Table = Sequence[Sequence[int]]
"""The number of objects that the sets of a layer (rows) and of the next layer share."""


# Order


def blocks(left: Clusters, right: Clusters) -> set[frozenset[Place]]:
    """Return the connected components of the graph that joins each cluster with its best match."""
    edges = [
        (("left", i), ("right", match))
        for i, (match, _, _) in enumerate(best_matches(left, right))
        if match is not None
    ] + [
        (("left", match), ("right", j))
        for j, (match, _, _) in enumerate(best_matches(right, left))
        if match is not None
    ]
    places = [("left", i) for i in range(len(left))] + [("right", j) for j in range(len(right))]
    block_of = {place: frozenset({place}) for place in places}
    for one, other in edges:
        joined = block_of[one] | block_of[other]
        block_of |= dict.fromkeys(joined, joined)
    return set(block_of.values())


def losses(
    left: Clusters, right: Clusters, universe: AbstractSet[Hashable], options: Options
) -> dict[Place, Fraction]:
    """Return the loss of each cluster."""
    return {
        (row.side, row.position): row.loss
        for row in cluster_rows(left, right, universe, options)
        if row.kind == "cluster" and row.position is not None
    } or dict.fromkeys(
        [("left", i) for i in range(len(left))] + [("right", j) for j in range(len(right))],
        Fraction(0),
    )


def mean_position(cluster: Cluster, others: Iterable[tuple[int, Cluster]]) -> Fraction:
    """Return the mean position of the objects that a cluster shares with clusters at positions."""
    shared = [(position, len(cluster & other)) for position, other in others]
    total = sum(n for _, n in shared)
    return Fraction(sum(position * n for position, n in shared), total or 1)


# Sets of objects


def shown_sets(
    clusters: Clusters, shown: Iterable[int], universe: AbstractSet[Hashable]
) -> list[Cluster]:
    """Return the shown clusters, the union of all others, and the outliers."""
    chosen = list(shown)
    others = [cluster for i, cluster in enumerate(clusters) if i not in chosen]
    return [
        *(clusters[i] for i in chosen), frozenset().union(*others), outliers(clusters, universe)
    ]  # fmt: skip


def width(own: Cluster, other: Cluster, others: Sequence[Cluster]) -> Fraction:
    """Return the objects of a band at one end.

    Each object of `own` is divided equally among those of `others` that hold it.
    """
    return sum(
        (Fraction(1, sum(item in each for each in others)) for item in own & other), Fraction(0)
    )


# Crossings


def n_crossings(tables: Sequence[Table], orders: Sequence[Sequence[int]]) -> int:
    """Return the sum, over all pairs of bands that cross, of the product of their objects."""
    total = 0
    for table, (one, other) in zip(tables, pairwise(orders), strict=True):
        bands = list(product(range(len(one)), range(len(other))))
        for (a, b), (c, d) in combinations(bands, 2):
            if (a - c) * (b - d) < 0:
                total += table[one[a]][other[b]] * table[one[c]][other[d]]
    return total


def fewest_crossings(tables: Sequence[Table], n_sets: Sequence[int]) -> int:
    """Return the fewest crossings of all orders in which the last two sets of a layer stay last."""
    layers = [
        [[*order, n - 2, n - 1] for order in permutations(range(n - 2))] for n in n_sets
    ]  # each layer has two sets at least
    return min(n_crossings(tables, orders) for orders in product(*layers))


def repeated(values: Iterable[Hashable]) -> list[Hashable]:
    """Return the values that occur more than once."""
    return [value for value, n in Counter(values).items() if n > 1]
