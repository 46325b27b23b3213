"""Measures that compare which pairs of objects are in the same clusters.

All are defined for partitions, and those of Omega for overlapping clusters, too. All counts are
integers of any size, and each score is rounded only once, by the division. Where a score would be
0/0, no two objects share a cluster on either side, so the partitions are equal.
"""

from itertools import zip_longest
from math import sqrt

from coverlap.counting.contingency import PairCounts
from coverlap.counting.counts import Counts


def ratio(numerator: int, denominator: int, otherwise: float = 1.0) -> float:
    """Return the quotient, or ``otherwise`` if the denominator is 0."""
    return numerator / denominator if denominator else otherwise


def omega_raw(counts: Counts) -> float:
    """Return the share of pairs that share the same number of clusters on both sides.

    For partitions this is the Rand index.
    """
    return ratio(_n_agreements(counts.pair_counts), counts.pair_counts.n_pairs)


def omega(counts: Counts) -> float:
    """Return that share adjusted for chance, (observed - expected) / (1 - expected).

    The expected share is that of pairs drawn independently on the two sides. If it is 1, the
    observed share is 1 too, and so is the score. For partitions this is the adjusted Rand index,
    as defined by Hubert and Arabie.
    """
    pairs, n_pairs = counts.pair_counts, counts.pair_counts.n_pairs
    histograms = [(n_pairs - sum(side), *side[1:]) for side in (pairs.left, pairs.right)]
    expected = sum(left * right for left, right in zip_longest(*histograms, fillvalue=0))
    return ratio(_n_agreements(pairs) * n_pairs - expected, n_pairs * n_pairs - expected)


def _n_agreements(pairs: PairCounts) -> int:
    """Return the number of pairs that share equally many clusters on both sides, none included."""
    n_apart = pairs.n_pairs - pairs.n_left - pairs.n_right + pairs.n_both
    return n_apart + pairs.n_equal


def fowlkes_mallows(counts: Counts) -> float:
    """Return the geometric mean of the precision and the recall of pairs."""
    return sqrt(pair_precision(counts)) * sqrt(pair_recall(counts))


def pair_jaccard(counts: Counts) -> float:
    """Return, of the pairs that are together on either side, the share together on both."""
    pairs = counts.pair_counts
    return ratio(pairs.n_both, pairs.n_left + pairs.n_right - pairs.n_both)


def rogers_tanimoto(counts: Counts) -> float:
    """Return agreements / (agreements + 2 * disagreements)."""
    n_agreements, n_pairs = _n_agreements(counts.pair_counts), counts.pair_counts.n_pairs
    return ratio(n_agreements, 2 * n_pairs - n_agreements)


def pair_precision(counts: Counts) -> float:
    """Return, of the pairs that are together on the right, the share together on the left too."""
    pairs = counts.pair_counts
    return ratio(pairs.n_both, pairs.n_right, float(pairs.n_left == 0))


def pair_recall(counts: Counts) -> float:
    """Return, of the pairs that are together on the left, the share together on the right too."""
    pairs = counts.pair_counts
    return ratio(pairs.n_both, pairs.n_left, float(pairs.n_right == 0))


def pair_f1(counts: Counts) -> float:
    """Return the harmonic mean of the precision and the recall of pairs."""
    pairs = counts.pair_counts
    return ratio(2 * pairs.n_both, pairs.n_left + pairs.n_right)
