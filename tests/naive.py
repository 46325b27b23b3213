"""The oracle: F* as in the paper's definitions.

It uses only sets and ``fractions.Fraction``, so every value is exact, and no code of the package
under test. It is slow, but each function can be compared with the paper by eye.
"""

from collections.abc import Callable, Hashable, Iterable
from collections.abc import Set as AbstractSet
from fractions import Fraction
from typing import TypeVar

Object = TypeVar("Object", bound=Hashable)
Cluster = frozenset[Hashable]
Clusters = list[Cluster]
SetsIn = Iterable[AbstractSet[Hashable]]
Similarity = Callable[[int, int, int], Fraction]


def _jaccard(shared: int, own: int, other: int) -> Fraction:
    return Fraction(shared, own + other - shared) if shared else Fraction(0)


def _f1(shared: int, own: int, other: int) -> Fraction:
    if not shared:
        return Fraction(0)
    return 2 / (1 / _precision(shared, own, other) + 1 / _recall(shared, own, other))


def _precision(shared: int, own: int, other: int) -> Fraction:  # noqa: ARG001
    return Fraction(shared, own) if shared else Fraction(0)


def _recall(shared: int, own: int, other: int) -> Fraction:  # noqa: ARG001
    return Fraction(shared, other) if shared else Fraction(0)


SIMILARITIES: dict[str, Similarity] = {
    "jaccard": _jaccard,
    "f1": _f1,
    "precision": _precision,
    "recall": _recall,
}
"""Functions of (number of shared objects, size of the cluster, size of its candidate match)."""


def normalise(
    clusters: SetsIn, universe: Iterable[Hashable] | None = None, *, duplicates: str = "merge"
) -> Clusters:
    """Drop empty clusters, and keep the first of equal ones, or all of them.

    With `universe`, each cluster is restricted to it first.
    """
    sets = [frozenset(cluster) for cluster in clusters]
    if universe is not None:
        objects = frozenset(universe)
        sets = [cluster & objects for cluster in sets]
    distinct = sets if duplicates == "keep" else dict.fromkeys(sets)
    return [cluster for cluster in distinct if cluster]


def outliers(clusters: SetsIn, universe: Iterable[Object]) -> frozenset[Object]:
    """Return the objects of `universe` that are in no cluster."""
    return frozenset(universe).difference(*clusters)


def compare_sets(
    own: AbstractSet[Hashable], other: AbstractSet[Hashable], similarity: str = "jaccard"
) -> Fraction:
    """Return the similarity of two sets of objects, 0 if they share none."""
    return SIMILARITIES[similarity](len(own & other), len(own), len(other))


def best_matches(
    left: SetsIn, right: SetsIn, similarity: str = "jaccard"
) -> list[tuple[int | None, int, Fraction]]:
    """Return (position of the best right cluster, shared objects, similarity) per left cluster.

    Positions are those in `right`, and the lowest wins ties. A cluster that shares no object with
    any right cluster has position None.
    """
    candidates = list(right)
    matches: list[tuple[int | None, int, Fraction]] = []
    for cluster in left:
        best: tuple[int | None, int, Fraction] = (None, 0, Fraction(0))
        for position, candidate in enumerate(candidates):
            value = compare_sets(cluster, candidate, similarity)
            if value > best[2]:
                best = (position, len(cluster & candidate), value)
        matches.append(best)
    return matches


def fhat_w(
    left: SetsIn, right: SetsIn, *, similarity: str = "jaccard", average: str = "size"
) -> Fraction:
    """Return the mean similarity of left clusters to their best matches; 0 without clusters."""
    left, right = normalise(left), normalise(right)
    if average not in {"size", "equal"}:
        raise ValueError(average)
    weights = [len(cluster) if average == "size" else 1 for cluster in left]
    values = [value for _, _, value in best_matches(left, right, similarity)]
    total = sum(
        (weight * value for weight, value in zip(weights, values, strict=True)), Fraction(0)
    )
    return total / sum(weights) if left else Fraction(0)


def fhat_wo(
    left: SetsIn,
    right: SetsIn,
    universe: Iterable[Hashable],
    *,
    similarity: str = "jaccard",
    average: str = "size",
) -> Fraction:
    """Return the score of one direction, with outliers; `universe` must not be empty."""
    objects = frozenset(universe)
    left, right = normalise(left, objects), normalise(right, objects)
    left_outliers, right_outliers = outliers(left, objects), outliers(right, objects)
    share = Fraction(len(left_outliers), len(objects))
    matched = fhat_w(left, right, similarity=similarity, average=average)
    return share * compare_sets(left_outliers, right_outliers, similarity) + (1 - share) * matched


def fstar(
    left: SetsIn,
    right: SetsIn,
    universe: Iterable[Hashable],
    *,
    outliers: bool = True,
    balance: Fraction | float = Fraction(1, 2),
    similarity: str = "jaccard",
    average: str = "size",
    drop_outliers: str | None = None,
) -> Fraction:
    """Return F*_wo, or F*_w with ``outliers=False``; `balance` is the weight of left to right."""
    left, right = list(left), list(right)
    objects = _kept(left, right, frozenset(universe), drop_outliers)
    left, right = normalise(left, objects), normalise(right, objects)
    if not objects or not (left or right):
        return Fraction(1)
    weight = Fraction(balance)
    if outliers:
        there = fhat_wo(left, right, objects, similarity=similarity, average=average)
        back = fhat_wo(right, left, objects, similarity=similarity, average=average)
    else:
        there = fhat_w(left, right, similarity=similarity, average=average)
        back = fhat_w(right, left, similarity=similarity, average=average)
    return weight * there + (1 - weight) * back


def _kept(left: SetsIn, right: SetsIn, objects: Cluster, drop_outliers: str | None) -> Cluster:
    """Return the objects that stay in the universe."""
    of_left, of_right = outliers(left, objects), outliers(right, objects)
    dropped: dict[str | None, Cluster] = {
        None: frozenset(),
        "left": of_left,
        "right": of_right,
        "either": of_left | of_right,
        "both": of_left & of_right,
    }
    return objects - dropped[drop_outliers]


def object_similarity(
    item: Hashable, left: SetsIn, right: SetsIn, universe: Iterable[Hashable]
) -> Fraction:
    """Return how similar the clusters of one object are, those of left and those of right.

    Each of its clusters is matched with the most similar of its clusters on the other side. The
    outliers are matched with the outliers only.
    """
    objects = frozenset(universe)
    sides = [[cluster for cluster in normalise(side) if item in cluster] for side in (left, right)]
    if not sides[0] and not sides[1]:
        return compare_sets(outliers(left, objects), outliers(right, objects))
    if not sides[0] or not sides[1]:
        return Fraction(0)
    means = [
        sum(max(compare_sets(cluster, other) for other in others) for cluster in own) / len(own)
        for own, others in (sides, reversed(sides))
    ]
    return Fraction(means[0] + means[1]) / 2
