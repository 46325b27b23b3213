"""The oracle of weighted F*: the definitions of the paper, with a measure in place of counts.

Like `tests.naive`, it uses only sets and ``fractions.Fraction``. Objects of weight 0 are left out.
"""

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction

from tests.naive import Cluster, Clusters, SetsIn, normalise, outliers

Weights = Mapping[Hashable, Fraction | float]


def weigh(objects: Iterable[Hashable], weights: Weights) -> Fraction:
    """Return the sum of the weights of some objects."""
    return sum((Fraction(weights[item]) for item in objects), Fraction(0))


def compare_sets(own: Cluster, other: Cluster, weights: Weights, similarity: str) -> Fraction:
    """Return the similarity of two sets of objects, 0 if what they share weighs nothing."""
    shared = weigh(own & other, weights)
    below = {
        "jaccard": weigh(own | other, weights),
        "f1": (weigh(own, weights) + weigh(other, weights)) / 2,
        "precision": weigh(own, weights),
        "recall": weigh(other, weights),
    }[similarity]
    return shared / below if shared else Fraction(0)


def best_match(
    cluster: Cluster, others: Clusters, weights: Weights, similarity: str
) -> tuple[int | None, Fraction]:
    """Return the position of the first most similar of the others, and its similarity."""
    best: tuple[int | None, Fraction] = (None, Fraction(0))
    for position, other in enumerate(others):
        value = compare_sets(cluster, other, weights, similarity)
        if value > best[1]:
            best = position, value
    return best


def fhat_w(
    left: Clusters, right: Clusters, weights: Weights, *, similarity: str, average: str
) -> Fraction:
    """Return the mean similarity of left clusters to their best matches; 0 without clusters."""
    sizes = [weigh(cluster, weights) if average == "size" else Fraction(1) for cluster in left]
    values = [best_match(cluster, right, weights, similarity)[1] for cluster in left]
    total = sum((size * value for size, value in zip(sizes, values, strict=True)), Fraction(0))
    return total / sum(sizes) if left else Fraction(0)


def fhat_wo(
    left: Clusters, right: Clusters, objects: Cluster, weights: Weights, *, similarity: str,
    average: str,
) -> Fraction:  # fmt: skip
    """Return the score of one direction, with outliers."""
    own, other = outliers(left, objects), outliers(right, objects)
    share = weigh(own, weights) / weigh(objects, weights)
    matched = fhat_w(left, right, weights, similarity=similarity, average=average)
    return share * compare_sets(own, other, weights, similarity) + (1 - share) * matched


def kept(
    left: SetsIn, right: SetsIn, universe: Iterable[Hashable], weights: Weights,
    drop_outliers: str | None = None,
) -> Cluster:  # fmt: skip
    """Return the objects that are compared: not those of weight 0, nor dropped outliers."""
    objects = frozenset(item for item in universe if weights[item] > 0)
    one, other = outliers(left, objects), outliers(right, objects)
    dropped = {"left": one, "right": other, "either": one | other, "both": one & other}
    return objects - dropped.get(str(drop_outliers), frozenset())


def fstar(
    left: SetsIn,
    right: SetsIn,
    universe: Iterable[Hashable],
    weights: Weights,
    *,
    outliers: bool = True,
    balance: Fraction | float = Fraction(1, 2),
    similarity: str = "jaccard",
    average: str = "size",
    drop_outliers: str | None = None,
) -> Fraction:
    """Return F*_wo, or F*_w with ``outliers=False``; see `tests.naive.fstar`."""
    left, right = list(left), list(right)
    objects = kept(left, right, universe, weights, drop_outliers)
    one, other = normalise(left, objects), normalise(right, objects)
    if not objects or not (one or other):
        return Fraction(1)
    if outliers:
        there, back = (
            fhat_wo(*sides, objects, weights, similarity=similarity, average=average)
            for sides in ((one, other), (other, one))
        )
    else:
        there, back = (
            fhat_w(*sides, weights, similarity=similarity, average=average)
            for sides in ((one, other), (other, one))
        )
    weight = Fraction(balance)
    return weight * there + (1 - weight) * back
