"""The oracle of all measures, directly from the definitions: sets, exact fractions, all pairs.

`score` takes the names of the registry, and clusterings of ``range(n)``. Rational measures are
``Fraction``, measures with logarithms and roots are ``Decimal`` with fifty digits, and ECS is a
float from a dense solver (`ecs_exact` returns fractions). It uses no code of the package, and is
slow.
"""

from collections import Counter
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from tests import naive
from tests import naive_information as info
from tests.naive import Cluster, Clusters, SetsIn
from tests.naive_chance import fstar_adjusted

Value = Fraction | Decimal | float
ONE, ZERO = Fraction(1), Fraction(0)


class NotDefinedError(ValueError):
    """The measure is not defined for these clusterings."""


# What is compared


def compared(
    left: SetsIn,
    right: SetsIn,
    n: int,
    *,
    drop_outliers: str | None = None,
    outliers_as: str | None = None,
    duplicates: str = "merge",
) -> tuple[Clusters, Clusters, Cluster]:
    """Return both sides and the universe after all steps that precede a measure."""
    left, right = list(left), list(right)
    objects = naive._kept(left, right, frozenset(range(n)), drop_outliers)
    left, right = (naive.normalise(side, objects, duplicates=duplicates) for side in (left, right))
    if outliers_as is not None:
        left, right = (_placed(side, objects, outliers_as) for side in (left, right))
    return left, right, objects


def _placed(clusters: Clusters, objects: Cluster, outliers_as: str) -> Clusters:
    """Put each outlier of one side into its own cluster, or all of them into one cluster."""
    free = naive.outliers(clusters, objects)
    if outliers_as == "cluster":
        return clusters + ([free] if free else [])
    return clusters + [frozenset({item}) for item in sorted(free)]


def has_overlaps(clusters: Clusters) -> bool:
    """Return whether an object is in two clusters."""
    return sum(map(len, clusters)) > len(frozenset().union(*clusters))


def memberships(clusters: Clusters, objects: Cluster) -> dict[Any, frozenset[int]]:
    """Return the numbers of the clusters of every object."""
    return {
        item: frozenset(i for i, cluster in enumerate(clusters) if item in cluster)
        for item in objects
    }


def ratio(top: int, bottom: int, *, same: bool) -> Fraction:
    """Return a quotient; 0/0 is 1 for equal clusterings and 0 for others."""
    if bottom:
        return Fraction(top, bottom)
    return ONE if same else ZERO


def harmonic(one: Fraction, other: Fraction) -> Fraction:
    """Return the harmonic mean, 0 if both are 0."""
    return 2 * one * other / (one + other) if one + other else ZERO


# Pairs of objects


def shared_clusters(left: Clusters, right: Clusters, objects: Cluster) -> list[tuple[int, int]]:
    """Return the numbers of left and of right clusters that each pair of objects shares."""
    of_left, of_right = memberships(left, objects), memberships(right, objects)
    return [
        (len(of_left[one] & of_left[two]), len(of_right[one] & of_right[two]))
        for one, two in combinations(sorted(objects), 2)
    ]


def omega_raw(left: Clusters, right: Clusters, objects: Cluster) -> Fraction:
    """Return the share of pairs that share as many clusters on the left as on the right."""
    pairs = shared_clusters(left, right, objects)
    return Fraction(sum(one == other for one, other in pairs), len(pairs)) if pairs else ONE


def omega(left: Clusters, right: Clusters, objects: Cluster) -> Fraction:
    """Return the share of such pairs, adjusted for chance."""
    pairs = shared_clusters(left, right, objects)
    if not pairs:
        return ONE
    lefts, rights = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    expected = Fraction(sum(lefts[j] * rights[j] for j in lefts), len(pairs) ** 2)
    if expected == 1:
        return ONE
    return (omega_raw(left, right, objects) - expected) / (1 - expected)


def _pair_counts(left: Clusters, right: Clusters, objects: Cluster) -> tuple[int, int, int, int]:
    """Return the numbers of pairs joined on both sides, on the left, on the right, and of all."""
    pairs = shared_clusters(left, right, objects)
    both = sum(1 for one, other in pairs if one and other)
    return both, sum(1 for one, _ in pairs if one), sum(1 for _, two in pairs if two), len(pairs)


def pair_jaccard(left: Clusters, right: Clusters, objects: Cluster) -> Fraction:
    both, lefts, rights, _ = _pair_counts(left, right, objects)
    return ratio(both, lefts + rights - both, same=set(left) == set(right))


def rogers_tanimoto(left: Clusters, right: Clusters, objects: Cluster) -> Fraction:
    both, lefts, rights, pairs = _pair_counts(left, right, objects)
    differing = lefts + rights - 2 * both
    return Fraction(pairs - differing, pairs + differing) if pairs else ONE


def pair_recall(left: Clusters, right: Clusters, objects: Cluster) -> Fraction:
    both, lefts, _, _ = _pair_counts(left, right, objects)
    return ratio(both, lefts, same=set(left) == set(right))


def pair_precision(left: Clusters, right: Clusters, objects: Cluster) -> Fraction:
    return pair_recall(right, left, objects)


def pair_f1(left: Clusters, right: Clusters, objects: Cluster) -> Fraction:
    return harmonic(pair_precision(left, right, objects), pair_recall(left, right, objects))


def fowlkes_mallows(left: Clusters, right: Clusters, objects: Cluster) -> Decimal:
    """Return the geometric mean of pair precision and pair recall."""
    product = pair_precision(left, right, objects) * pair_recall(left, right, objects)
    return info.decimal(product).sqrt()


# Objects and clusters


def bcubed_precision(left: Clusters, right: Clusters, objects: Cluster) -> Fraction:
    """Return the extended B-cubed precision."""
    if not objects:
        return ONE
    of_left, of_right = memberships(left, objects), memberships(right, objects)
    total = ZERO
    for one in objects:
        parts = []
        for two in objects:
            found, true = len(of_right[one] & of_right[two]), len(of_left[one] & of_left[two])
            if found:
                parts.append(Fraction(min(found, true), found))
        total += sum(parts, ZERO) / len(parts)
    return total / len(objects)


def bcubed_recall(left: Clusters, right: Clusters, objects: Cluster) -> Fraction:
    return bcubed_precision(right, left, objects)


def bcubed_f1(left: Clusters, right: Clusters, objects: Cluster) -> Fraction:
    return harmonic(bcubed_precision(left, right, objects), bcubed_recall(left, right, objects))


def _largest_shared(own: Clusters, other: Clusters) -> int:
    """Sum, over the clusters of one side, the most objects shared with one other cluster."""
    return sum(max(len(cluster & candidate) for candidate in other) for cluster in own)


def purity(left: Clusters, right: Clusters, objects: Cluster) -> Fraction:
    return Fraction(_largest_shared(right, left), len(objects)) if objects else ONE


def split_join(left: Clusters, right: Clusters, objects: Cluster) -> Fraction:
    """Return 2n minus the largest shared counts of all clusters of both sides."""
    moved = 2 * len(objects) - _largest_shared(left, right) - _largest_shared(right, left)
    return Fraction(moved)


def exact_recall(left: Clusters, right: Clusters, objects: Cluster) -> Fraction:  # noqa: ARG001
    return ratio(len(set(left) & set(right)), len(left), same=set(left) == set(right))


def exact_precision(left: Clusters, right: Clusters, objects: Cluster) -> Fraction:
    return exact_recall(right, left, objects)


def exact_f1(left: Clusters, right: Clusters, objects: Cluster) -> Fraction:  # noqa: ARG001
    return ratio(2 * len(set(left) & set(right)), len(left) + len(right), same=not left + right)


# Element-centric similarity


def _walk(clusters: Clusters, objects: Cluster) -> list[list[Fraction]]:
    """Return the probabilities to step from object to object, by way of a random cluster."""
    order = sorted(objects)
    of = memberships(clusters, objects)
    return [
        [
            sum((Fraction(1, len(of[one]) * len(clusters[c])) for c in of[one] & of[two]), ZERO)
            for two in order
        ]
        for one in order
    ]


def ecs(left: Clusters, right: Clusters, objects: Cluster, *, alpha: float = 0.9) -> float:
    """Return the mean of 1 - |P - Q| / (2 alpha), where P and Q are personalised PageRanks."""
    if not objects:
        return 1.0
    ranks = []
    for side in (left, right):
        clusters = _placed(side, objects, "singletons")
        members = np.array([[item in cluster for cluster in clusters] for item in sorted(objects)])
        walk = members / members.sum(axis=1, keepdims=True) @ (members / members.sum(axis=0)).T
        identity = np.eye(len(objects))
        ranks.append((1 - alpha) * np.linalg.solve(identity - alpha * walk, identity))
    gaps = np.abs(ranks[0] - ranks[1]).sum(axis=1)
    return float(np.mean(1 - gaps / (2 * alpha)))


def ecs_exact(
    left: Clusters, right: Clusters, objects: Cluster, *, alpha: Fraction = Fraction(9, 10)
) -> Fraction:
    """Return ECS as a fraction, by Gaussian elimination, which is feasible for few objects."""
    if not objects:
        return ONE
    ranks = [
        _page_rank(_walk(_placed(side, objects, "singletons"), objects), alpha)
        for side in (left, right)
    ]
    n = len(objects)
    gap = sum((abs(ranks[0][i][j] - ranks[1][i][j]) for i in range(n) for j in range(n)), ZERO)
    return 1 - gap / (2 * alpha * n)


def _page_rank(walk: list[list[Fraction]], alpha: Fraction) -> list[list[Fraction]]:
    """Return (1 - alpha) (I - alpha W)^-1."""
    n = len(walk)
    rows = [
        [(i == j) - alpha * walk[i][j] for j in range(n)]
        + [(1 - alpha) * (i == j) for j in range(n)]
        for i in range(n)
    ]
    for pivot in range(n):
        rows[pivot] = [value / rows[pivot][pivot] for value in rows[pivot]]
        for i in range(n):
            if i != pivot and rows[i][pivot]:
                factor = rows[i][pivot]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[pivot], strict=True)]
    return [row[n:] for row in rows]


# The names of the registry

Measure = Callable[..., Value]


def _fstar(*, outliers: bool) -> Measure:
    def measure(left: Clusters, right: Clusters, objects: Cluster, **options: Any) -> Fraction:
        return naive.fstar(left, right, objects, outliers=outliers, **options)

    return measure


def _onmi(formula: Callable[..., Decimal], *kind: str) -> Measure:
    def measure(
        left: Clusters, right: Clusters, objects: Cluster, *, variant: str = "definition"
    ) -> Value:
        if not left or not right:
            return ONE if not left and not right else ZERO
        return formula(left, right, len(objects), *kind, variant)

    return measure


def _informational(formula: Callable[..., Decimal], *kind: str, of_nothing: int = 1) -> Measure:
    def measure(left: Clusters, right: Clusters, objects: Cluster) -> Value:
        return formula(left, right, len(objects), *kind) if objects else Fraction(of_nothing)

    return measure


def _completeness(left: Clusters, right: Clusters, n: int) -> Decimal:
    return info.homogeneity(right, left, n)


MEASURES: dict[str, Measure] = {
    "fstar_wo": _fstar(outliers=True),
    "fstar_w": _fstar(outliers=False),
    "fstar_adjusted": fstar_adjusted,
    "omega": omega,
    "omega_raw": omega_raw,
    "onmi_lfk": _onmi(info.lfk),
    "onmi_lfk_total": _onmi(info.lfk_total),
    "onmi_mgh": _onmi(info.mgh, "max"),
    "onmi_min": _onmi(info.mgh, "min"),
    "onmi_sqrt": _onmi(info.mgh, "sqrt"),
    "onmi_mean": _onmi(info.mgh, "mean"),
    "onmi_joint": _onmi(info.mgh, "joint"),
    "ecs": ecs,
    "rand": omega_raw,
    "ari": omega,
    "mi": _informational(info.mutual_information, of_nothing=0),
    "nmi": _informational(info.nmi, "mean"),
    "nmi_min": _informational(info.nmi, "min"),
    "nmi_sqrt": _informational(info.nmi, "sqrt"),
    "nmi_max": _informational(info.nmi, "max"),
    "nmi_joint": _informational(info.nmi, "joint"),
    "ami": _informational(info.ami, "mean"),
    "ami_min": _informational(info.ami, "min"),
    "ami_sqrt": _informational(info.ami, "sqrt"),
    "ami_max": _informational(info.ami, "max"),
    "homogeneity": _informational(info.homogeneity),
    "completeness": _informational(_completeness),
    "v": _informational(info.v_measure),
    "vi": _informational(info.variation, of_nothing=0),
    "fowlkes_mallows": fowlkes_mallows,
    "pair_jaccard": pair_jaccard,
    "rogers_tanimoto": rogers_tanimoto,
    "pair_precision": pair_precision,
    "pair_recall": pair_recall,
    "pair_f1": pair_f1,
    "bcubed_precision": bcubed_precision,
    "bcubed_recall": bcubed_recall,
    "bcubed_f1": bcubed_f1,
    "purity": purity,
    "split_join": split_join,
    "exact_precision": exact_precision,
    "exact_recall": exact_recall,
    "exact_f1": exact_f1,
}

OVERLAPS = {
    name
    for name in MEASURES
    if name.startswith(("fstar_w", "omega", "onmi", "ecs", "bcubed", "exact"))
}
"""The measures that are defined for overlaps."""

COUNTING_DUPLICATES = {
    name for name in OVERLAPS if name.startswith(("omega", "onmi", "ecs", "bcubed"))
}
"""The measures that count a cluster as often as it is there, if duplicates are kept."""

OUTLIERS = {
    **dict.fromkeys(MEASURES, "undefined"),
    **{name: "native" for name in MEASURES if name.startswith(("fstar", "onmi"))},
    **dict.fromkeys(("omega", "omega_raw", "ecs"), "singletons"),
    **dict.fromkeys(("fstar_w", "exact_precision", "exact_recall", "exact_f1"), "ignored"),
}
"""How each measure treats outliers."""

MIRRORED = {
    "homogeneity": "completeness",
    "pair_precision": "pair_recall",
    "bcubed_precision": "bcubed_recall",
    "exact_precision": "exact_recall",
}
"""Pairs of measures that are equal if the sides of one of them are swapped."""

ASYMMETRIC = {*MIRRORED, *MIRRORED.values(), "purity"}

IDENTICAL = {**dict.fromkeys(MEASURES, 1.0), "vi": 0.0, "split_join": 0.0, "mi": None}
"""The score of equal clusterings; None if it depends on the clusterings."""

RATIONAL = {
    name
    for name in MEASURES
    if name in {"rand", "ari", "purity", "split_join", "rogers_tanimoto"}
    or name.startswith(("fstar", "omega", "pair", "bcubed", "exact"))
}
"""The measures whose values are fractions."""


def score(
    left: SetsIn,
    right: SetsIn,
    n: int,
    measure: str = "fstar_wo",
    *,
    drop_outliers: str | None = None,
    outliers_as: str | None = None,
    duplicates: str = "merge",
    **options: Any,
) -> Value:
    """Return the score of two clusterings of ``range(n)``, or raise `NotDefinedError`."""
    kept = duplicates if measure in COUNTING_DUPLICATES else "merge"
    left, right, objects = compared(
        left, right, n, drop_outliers=drop_outliers, outliers_as=outliers_as, duplicates=kept
    )
    if measure not in OVERLAPS and (has_overlaps(left) or has_overlaps(right)):
        raise NotDefinedError("overlaps")
    free = naive.outliers(left, objects) | naive.outliers(right, objects)
    if OUTLIERS[measure] == "undefined" and free:
        raise NotDefinedError("outliers")
    with localcontext(prec=info.DIGITS):
        return MEASURES[measure](left, right, objects, **options)
