"""The oracle of the measures with logarithms: entropies to fifty digits.

Probabilities are exact fractions, and the condition of Lancichinetti, Fortunato and Kertesz is
decided by comparing integers, so only logarithms are inexact: ``decimal`` computes them to `DIGITS`
digits. Every 0/0 is recognised from the clusters, never from a small number.
"""

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from math import comb

from tests.naive import Cluster, Clusters

DIGITS = 50
ZERO, ONE, TWO = Decimal(0), Decimal(1), Decimal(2)


@cache
def ln(number: int) -> Decimal:
    """Return the natural logarithm of a positive integer."""
    with localcontext(prec=DIGITS):
        return Decimal(number).ln()


def decimal(fraction: Fraction) -> Decimal:
    """Return `fraction` to `DIGITS` digits."""
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


@cache
def h(count: int, n: int) -> Decimal:
    """Return -p ln p for p = count / n; 0 if p is 0."""
    if not count:
        return ZERO
    with localcontext(prec=DIGITS):
        return Decimal(count) / Decimal(n) * (ln(n) - ln(count))


# Partitions


def entropy(clusters: Clusters, n: int) -> Decimal:
    """Return the entropy, in nats, of the cluster of an object drawn at random."""
    return sum((h(len(cluster), n) for cluster in clusters), ZERO)


def mutual_information(left: Clusters, right: Clusters, n: int) -> Decimal:
    """Return sum p(c, d) ln(p(c, d) / (p(c) p(d))), exactly 0 if the sides are independent."""
    total = ZERO
    for one in left:
        for other in right:
            total += information(len(one & other), len(one), len(other), n)
    return total


def information(shared: int, own: int, other: int, n: int) -> Decimal:
    """Return one term of the mutual information; 0 for clusters that are independent."""
    if not shared or n * shared == own * other:
        return ZERO
    return Decimal(shared) / Decimal(n) * (ln(n) + ln(shared) - ln(own) - ln(other))


def expected_information(left: Clusters, right: Clusters, n: int) -> Decimal:
    """Return the mean mutual information over all permutations of the objects of one side.

    The number of objects that two clusters share then has a hypergeometric distribution.
    """
    total = ZERO
    lefts, rights = Counter(map(len, left)), Counter(map(len, right))
    for own, copies in lefts.items():
        for other, others in rights.items():
            total += copies * others * expected_term(own, other, n)
    return total


@cache
def expected_term(own: int, other: int, n: int) -> Decimal:
    """Return the mean of `information` of two clusters of given sizes."""
    with localcontext(prec=DIGITS):
        total = ZERO
        for shared in range(max(1, own + other - n), min(own, other) + 1):
            ways = comb(own, shared) * comb(n - own, other - shared)
            chance = decimal(Fraction(ways, comb(n, other)))
            total += chance * information(shared, own, other, n)
        return total


def mean_of(kind: str, one: Decimal, other: Decimal, mutual: Decimal) -> Decimal:
    """Return the mean of two entropies that divides the mutual information."""
    means = {
        "min": min(one, other),
        "sqrt": (one * other).sqrt(),
        "mean": (one + other) / 2,
        "max": max(one, other),
        "joint": one + other - mutual,
    }
    return means[kind]


def nmi(left: Clusters, right: Clusters, n: int, kind: str) -> Decimal:
    """Return the mutual information over a mean of the entropies."""
    one, other = entropy(left, n), entropy(right, n)
    mutual = mutual_information(left, right, n)
    if set(left) == set(right):
        return ONE
    if not mutual:
        return ZERO
    return mutual / mean_of(kind, one, other, mutual)


def ami(left: Clusters, right: Clusters, n: int, kind: str) -> Decimal:
    """Return the adjusted mutual information."""
    if set(left) == set(right):
        return ONE
    if any(len(side) in {1, n} for side in (left, right)):
        return ZERO
    mutual, expected = mutual_information(left, right, n), expected_information(left, right, n)
    largest = mean_of(kind, entropy(left, n), entropy(right, n), mutual)
    return (mutual - expected) / (largest - expected)


def homogeneity(left: Clusters, right: Clusters, n: int) -> Decimal:
    """Return the mutual information over the entropy of left; 1 if that is 0."""
    if len(left) <= 1:
        return ONE
    return mutual_information(left, right, n) / entropy(left, n)


def v_measure(left: Clusters, right: Clusters, n: int, beta: Decimal = ONE) -> Decimal:
    """Return (1 + beta) / (1 / homogeneity + beta / completeness), and 0 if one of them is 0."""
    one, other = homogeneity(left, right, n), homogeneity(right, left, n)
    return (1 + beta) / (1 / one + beta / other) if one and other else ZERO


def variation(left: Clusters, right: Clusters, n: int) -> Decimal:
    """Return H(left) + H(right) - 2 MI in nats."""
    if set(left) == set(right):
        return ZERO
    entropies = entropy(left, n) + entropy(right, n)
    return entropies - 2 * mutual_information(left, right, n)


# Overlapping clusters


def informative(counts: tuple[int, int, int, int], n: int) -> bool:
    """Return whether h(a) + h(d) > h(b) + h(c), where a and d are objects in neither and in both.

    The exponentials of n times both sides are integers over a common power; 0^0 is 1.
    """
    a, b, c, d = counts
    return n ** (a + d) * b**b * c**c > n ** (b + c) * a**a * d**d


def cluster_entropy(cluster: Cluster, n: int) -> Decimal:
    """Return the entropy of being a member; 0 for a cluster that holds all objects."""
    return h(len(cluster), n) + h(n - len(cluster), n)


def counts_of(x: Cluster, y: Cluster, n: int) -> tuple[int, int, int, int]:
    """Return the numbers of objects in neither, in y only, in x only and in both."""
    return n - len(x | y), len(y - x), len(x - y), len(x & y)


def conditional_entropy(x: Cluster, others: Clusters, n: int, variant: str) -> Decimal:
    """Return H(x | Y): the smallest conditional entropy of x given one cluster of Y.

    McDaid's program uses only clusters that share an object with x, and the definition uses all.
    """
    least = cluster_entropy(x, n)
    for y in others:
        counts = counts_of(x, y, n)
        if variant == "mcdaid" and not counts[3]:
            continue
        if informative(counts, n):
            least = min(least, sum(h(count, n) for count in counts) - cluster_entropy(y, n))
    return least


def lfk(left: Clusters, right: Clusters, n: int, variant: str) -> Decimal:
    """Return 1 minus the mean of H(x|Y)/H(x), averaged over both sides."""
    return 1 - (_mean_share(left, right, n, variant) + _mean_share(right, left, n, variant)) / 2


def _mean_share(own: Clusters, other: Clusters, n: int, variant: str) -> Decimal:
    shares = ZERO
    for x in own:
        if len(x) == n:
            shares += ZERO if x in other else ONE
        else:
            shares += conditional_entropy(x, other, n, variant) / cluster_entropy(x, n)
    return shares / len(own)


def _only_full(left: Clusters, right: Clusters, n: int) -> bool:
    """Return whether both sides have the cluster of all objects, perhaps repeated, and no other."""
    return set(left) == set(right) and all(len(cluster) == n for cluster in left)


def lfk_total(left: Clusters, right: Clusters, n: int, variant: str) -> Decimal:
    """Return 1 minus the mean of H(X|Y)/H(X) of both sides, where H are sums over clusters."""
    if Counter(left) == Counter(right) or _only_full(left, right, n):
        return ONE
    shares = ZERO
    for own, other in ((left, right), (right, left)):
        whole = sum((cluster_entropy(x, n) for x in own), ZERO)
        rest = sum((conditional_entropy(x, other, n, variant) for x in own), ZERO)
        shares += rest / whole if whole else ONE
    return 1 - shares / 2


def mgh(left: Clusters, right: Clusters, n: int, kind: str, variant: str) -> Decimal:
    """Return the mutual information over a mean of the entropies."""
    if Counter(left) == Counter(right) or _only_full(left, right, n):
        return ONE
    wholes, told = [], ZERO
    for own, other in ((left, right), (right, left)):
        whole = sum((cluster_entropy(x, n) for x in own), ZERO)
        rest = sum((conditional_entropy(x, other, n, variant) for x in own), ZERO)
        wholes.append(whole)
        told += (whole - rest) / 2
    divisor = mean_of(kind, *wholes, told)
    return told / divisor if divisor else ZERO
