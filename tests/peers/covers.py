"""Libraries that compare clusterings with overlaps: clusim, cdlib, NetworKit, bcubed and others."""

from collections.abc import Callable, Iterator
from functools import partial
from math import fsum, log, log2, sqrt
from typing import Any

import coverlap as cv
from tests.peers.comparison import NAN, REFUSES, Difference, Function, Peer, Value
from tests.peers.inputs import Sets, all_pairs, disjoint_pairs

Arguments = tuple[int, Sets, Sets]
"""The number of objects and the clusters of both sides."""


def over(clusters: Sets, n: int) -> cv.Clustering:
    return cv.Clustering.from_clusters(clusters, universe=n, duplicates="keep")


def score(n: int, left: Sets, right: Sets, measure: str, **options: Any) -> float:
    return cv.score(over(left, n), over(right, n), measure, **options)


def has_outliers(n: int, *sides: Sets) -> bool:
    return any(frozenset().union(*side) != frozenset(range(n)) for side in sides)


def differing(name: str, condition: Callable[..., bool], value: Any) -> Difference:
    """Return the difference that a condition implies a value, or the value of a function."""

    def theirs(n: int, left: Sets, right: Sets) -> Value | None:
        if not condition(n, left, right):
            return None
        return value(n, left, right) if callable(value) else value

    return Difference(name, theirs)


def adapted(name: str, theirs: Callable[..., Any], measure: str, *differences: Difference,
            scale: float = 1.0, **options: Any) -> Function:  # fmt: skip
    """Return a function of the number of objects and the clusters of both sides."""

    def ours(n: int, left: Sets, right: Sets) -> float:
        return scale * score(n, left, right, measure, **options)

    return Function(name, theirs, ours, differences)


def overlapping(number: int) -> Iterator[tuple[str, Arguments]]:
    for source, n, left, right in all_pairs(number):
        yield source, (n, left, right)


def disjoint(number: int) -> Iterator[tuple[str, Arguments]]:
    for source, n, left, right in disjoint_pairs(number, outliers=False):
        yield source, (n, left, right)


# python-bcubed


def bcubed(number: int) -> Peer:
    import bcubed

    def theirs(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda n, left, right: function(_sets_of(right, n), _sets_of(left, n))

    def by_definition(measure: str) -> Callable[..., float]:
        if measure == "bcubed_recall":
            return lambda n, left, right: bcubed_precision(n, right, left)
        return bcubed_precision

    names = {"precision": "bcubed_precision", "recall": "bcubed_recall"}
    return Peer(
        "python-bcubed",
        [
            adapted(
                name,
                theirs(getattr(bcubed, name)),
                ours,
                differing("outliers are accepted", has_outliers, by_definition(ours)),
                differing("no objects (0/0)", is_empty, NAN),
            )
            for name, ours in names.items()
        ],
        inputs=(*AMIGO, *overlapping(number)),
    )


def _sets_of(clusters: Sets, n: int) -> dict[int, set[int]]:
    """Return the set of clusters of each object."""
    numbered = list(enumerate(clusters))
    return {item: {i for i, cluster in numbered if item in cluster} for item in range(n)}


def bcubed_precision(n: int, left: Sets, right: Sets) -> float:
    """Return the extended B-cubed precision, where repeated clusters count."""
    means = []
    for one in range(n):
        parts = []
        for two in range(n):
            true, found = (sum({one, two} <= c for c in side) for side in (left, right))
            parts += [min(true, found) / found] if found else []
        means.append(sum(parts) / len(parts) if parts else NAN)
    return sum(means) / n if n else NAN


BLACK, GREY, DASHED = frozenset({0, 1, 3, 4}), frozenset({0, 1, 2}), frozenset({5, 6})
FIGURES = {
    16: [GREY, BLACK, DASHED],
    17: [GREY, GREY, BLACK, DASHED],
    18: [GREY, GREY, GREY, BLACK, DASHED],
    19: [GREY, frozenset({3, 4}), DASHED],
    20: [GREY, frozenset({0, 1}), frozenset({3, 4}), DASHED],
    21: [GREY | BLACK, DASHED],
}
"""The figures of Amigó and others 2009, against the clusters of figure 16."""
AMIGO = [("published cases", (7, FIGURES[16], right)) for right in FIGURES.values()]


# clusim


def is_empty(n: int, *_: Sets) -> bool:
    return n == 0


def is_single(n: int, *_: Sets) -> bool:
    return n == 1


def both_singletons(n: int, left: Sets, right: Sets) -> bool:
    return len(left) == len(right) == n


def both_one_cluster(_: int, left: Sets, right: Sets) -> bool:
    return len(left) == len(right) == 1


def no_chance(n: int, left: Sets, right: Sets) -> bool:
    """Return whether random clusters of the same sizes are always equal to each other."""
    return both_singletons(n, left, right) or both_one_cluster(n, left, right)


NO_OBJECTS = differing("no objects", is_empty, REFUSES)
NO_PAIRS = differing("no pairs in clusters (0/0)", both_singletons, 0.0)
ONE_OBJECT = differing("no pairs of objects (0/0)", is_single, NAN)
EQUAL = "random clusters are equal (0/0)"
CLUSIM = {
    "rand": [ONE_OBJECT],
    "rogers_tanimoto": [ONE_OBJECT],
    "ari": [differing("no pairs of objects", is_single, REFUSES), differing(EQUAL, no_chance, 0.0)],
    "pair_jaccard": [NO_PAIRS],
    "fowlkes_mallows": [NO_PAIRS],
    "pair_f1": [NO_PAIRS],
    "nmi": [differing("no entropy (0/0)", both_one_cluster, NAN)],
    "ami": [differing(EQUAL, no_chance, REFUSES)],
    "omega": [differing(EQUAL, no_chance, NAN)],
}


def clusim(number: int) -> Peer:
    """Return the functions for partitions, on clusterings that cover the same objects."""
    from clusim import sim
    from clusim.clustering import Clustering

    names = {
        "rand_index": "rand",
        "adjrand_index": "ari",
        "jaccard_index": "pair_jaccard",
        "rogers_tanimoto_index": "rogers_tanimoto",
        "fowlkes_mallows_index": "fowlkes_mallows",
        "fmeasure": "pair_f1",
        "nmi": "nmi",
        "adj_mi": "ami",
        "mi": "mi",
        "vi": "vi",
        "omega_index": "omega",
        "element_sim": "ecs",
    }

    def theirs(name: str) -> Callable[..., Any]:
        def call(_: int, left: Sets, right: Sets) -> float:
            sides = [{i: sorted(c) for i, c in enumerate(side)} for side in (left, right)]
            return getattr(sim, name)(*(Clustering(clu2elm_dict=side) for side in sides))

        return call

    return Peer(
        "clusim",
        [
            adapted(
                name,
                theirs(name),
                ours,
                *CLUSIM.get(ours, ()),
                NO_OBJECTS,
                scale=1 / log(2) if ours in {"mi", "vi"} else 1.0,
            )
            for name, ours in names.items()
        ],
        inputs=disjoint(number),
    )


# Overlapping NMI, with the choices of other libraries


def entropies(n: int, own: Sets, other: Sets, *, as_networkit: bool) -> list[tuple[float, float]]:
    """Return the entropy of each cluster, alone and given the other side; repeated ones count.

    NetworKit ignores clusters that share no object, and accepts h(a) + h(d) = h(b) + h(c).
    """

    def h(count: int) -> float:
        return -count / n * log2(count / n) if count else 0.0

    def alone(cluster: frozenset[int]) -> float:
        return h(len(cluster)) + h(n - len(cluster))

    found = []
    for one in filter(None, own):
        given = [alone(one)]
        for two in filter(None, other):
            same, different = (len(one & two), n - len(one | two)), (len(one - two), len(two - one))
            agreeing, differing = (sum(map(h, counts)) for counts in (same, different))
            informs = agreeing >= differing if as_networkit else agreeing > differing
            if informs and (one & two or not as_networkit):
                given.append(agreeing + differing - alone(two))
        found.append((alone(one), min(given)))
    return found


def multiset_onmi(
    n: int, left: Sets, right: Sets, *, kind: str, as_networkit: bool = False
) -> float:
    sides = [
        entropies(n, *pair, as_networkit=as_networkit) for pair in ((left, right), (right, left))
    ]
    if kind == "onmi_lfk":
        means = [fsum(g / a if a else 1.0 for a, g in side) / len(side) for side in sides]
        return 1 - sum(means) / 2
    (x, x_given), (y, y_given) = (
        [fsum(column) for column in zip(*side, strict=True)] for side in sides
    )
    information = (x - x_given + y - y_given) / 2
    norms = {
        "onmi_mgh": max(x, y), "onmi_min": min(x, y), "onmi_sqrt": sqrt(x * y),
        "onmi_mean": (x + y) / 2, "onmi_joint": (x + y + x_given + y_given) / 2,
    }  # fmt: skip
    return information / norms[kind] if norms[kind] else NAN


# cdlib


def cdlib(number: int) -> Peer:
    from cdlib import NodeClustering, evaluation

    def clusterings() -> Iterator[tuple[str, tuple[Any, Any]]]:
        for source, _, left, right in all_pairs(number):
            yield (
                source,
                tuple(
                    NodeClustering([sorted(c) for c in side if c], None, overlap=True)
                    for side in (left, right)
                ),
            )

    names = {
        "overlapping_normalized_mutual_information_LFK": "onmi_lfk",
        "overlapping_normalized_mutual_information_MGH": "onmi_mgh",
        "omega": "omega",
    }
    return Peer(
        "cdlib",
        [_of_cdlib(getattr(evaluation, name), measure) for name, measure in names.items()],
        inputs=clusterings(),
        homes=(evaluation,),
        examples=True,
    )


def _of_cdlib(theirs: Callable[..., Any], measure: str) -> Function:
    def ours(first: Any, second: Any) -> float:
        sides = (cv.as_clustering(side, duplicates="keep") for side in (first, second))
        return cv.score(*sides, measure)

    def translated(difference: Difference) -> Difference:
        return Difference(difference.name, lambda *sides: difference.theirs(*_members(*sides)))

    onmi = partial(multiset_onmi, kind=measure)
    differences = {
        "omega": [
            differing("objects on one side only", has_objects_on_one_side, REFUSES),
            differing("no pairs of objects", lambda n, *_: n < 2, REFUSES),
        ],
        "onmi_lfk": [
            differing("a cluster of all objects is not found", both_full, onmi),
        ],
        "onmi_mgh": [
            differing("no entropy (0/0)", no_entropy, REFUSES),
        ],
    }
    return Function(theirs.__name__, theirs, ours, tuple(map(translated, differences[measure])))


def has_objects_on_one_side(_: int, left: Sets, right: Sets) -> bool:
    return frozenset().union(*left) != frozenset().union(*right)


def both_full(n: int, left: Sets, right: Sets) -> bool:
    """Return whether both sides have a cluster of all objects."""
    return all(max(map(len, side), default=0) == n for side in (left, right))


def no_entropy(n: int, left: Sets, right: Sets) -> bool:
    return all(len(cluster) == n for side in (left, right) for cluster in side)


def _members(*clusterings: Any) -> tuple[int, Sets, Sets]:
    """Return the clusters of cdlib, and the number of objects in clusters."""
    left, right = ([frozenset(c) for c in one.communities] for one in clusterings)
    return len(frozenset().union(*left, *right)), left, right


# NetworKit


def networkit(number: int) -> Peer:
    import networkit as nk

    nk.setLogLevel("FATAL")  # it writes an error for each score above 1
    kinds = {
        "MAX": "onmi_mgh", "MIN": "onmi_min", "GEOMETRIC_MEAN": "onmi_sqrt",
        "ARITHMETIC_MEAN": "onmi_mean", "JOINT_ENTROPY": "onmi_joint",
    }  # fmt: skip

    def cover(clusters: Sets, n: int) -> Any:
        result = nk.Cover(n)
        result.setUpperBound(len(clusters))
        for place, cluster in enumerate(clusters):
            for item in cluster:
                result.addToSubset(place, item)
        return result

    def theirs(kind: str) -> Callable[..., Any]:
        def call(n: int, left: Sets, right: Sets) -> float:
            distance = nk.community.OverlappingNMIDistance(
                getattr(nk.community.Normalization, kind)
            )
            return 1 - distance.getDissimilarity(nk.Graph(n), cover(left, n), cover(right, n))

        return call

    return Peer(
        "NetworKit",
        [
            adapted(
                f"OverlappingNMIDistance: {kind}",
                theirs(kind),
                measure,
                *_of_networkit(measure),
                variant="mcdaid",
            )
            for kind, measure in kinds.items()
        ],
        inputs=overlapping(number),
    )


def _of_networkit(measure: str) -> list[Difference]:
    def value(n: int, left: Sets, right: Sets) -> float:
        found = multiset_onmi(n, left, right, kind=measure, as_networkit=True)
        return 1.0 if found > 1 else found

    def is_above(n: int, left: Sets, right: Sets) -> bool:
        return score(n, left, right, measure, variant="mcdaid") > 1

    def has_ties(n: int, left: Sets, right: Sets) -> bool:
        strict, networkit = (
            [entropies(n, *pair, as_networkit=choice) for pair in ((left, right), (right, left))]
            for choice in (False, True)
        )
        return strict != networkit

    return [
        differing("scores above 1 become 1", is_above, value),
        differing("h(a) + h(d) = h(b) + h(c) informs", has_ties, value),
    ]


# SpikeInterface


def spikeinterface(number: int) -> Peer:
    """Return the agreement of every unit with its best match, which is its Jaccard similarity."""
    import pandas as pd
    from spikeinterface.comparison import comparisontools

    def theirs(_: int, left: Sets, right: Sets) -> tuple[float, ...]:
        shared = pd.DataFrame([[len(one & two) for two in right] for one in left])
        sizes = (pd.Series([len(c) for c in side]) for side in (left, right))
        scores = comparisontools.make_agreement_scores_from_count(shared, *sizes)
        there, back = comparisontools.make_best_match(scores, 0.0)
        return (
            *(scores.loc[one, two] for one, two in there.items()),
            *(scores.loc[one, two] for two, one in back.items()),
        )

    def ours(n: int, left: Sets, right: Sets) -> tuple[float, ...]:
        result = cv.compare(over(left, n), over(right, n), outliers=False)
        return tuple(result.columns()["similarity"])

    return Peer(
        "SpikeInterface", [Function("make_best_match", theirs, ours)], inputs=disjoint(number)
    )
