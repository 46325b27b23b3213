"""Measures of partitions that compare which pairs of objects are in the same cluster.

All counts are integers of any size, and each score is rounded only once, by the division. Where a
score would be 0/0, every cluster of both sides is a singleton, so the partitions are equal.
"""

from math import sqrt

from coverlap.counting.contingency import PairCounts
from coverlap.counting.counts import Counts


def ratio(numerator: int, denominator: int, otherwise: float = 1.0) -> float:
    """Return the quotient, or ``otherwise`` if the denominator is 0."""
    return numerator / denominator if denominator else otherwise


def rand(counts: Counts) -> float:
    """Return the share of pairs that are together on both sides or on neither."""
    pairs = counts.pairs
    return ratio(pairs.n_pairs - _n_disagreements(pairs), pairs.n_pairs)


def adjusted_rand(counts: Counts) -> float:
    """Return the Rand index adjusted for chance, as defined by Hubert and Arabie.

    That is (S - E) / (M - E): S pairs are together on both sides, E = AB / N is the expected number
    and M = (A + B) / 2 the largest possible number. It is computed as a ratio of integers.
    """
    pairs = counts.pairs
    left, right, n_pairs = pairs.n_left, pairs.n_right, pairs.n_pairs
    expected = 2 * left * right
    return ratio(2 * n_pairs * pairs.n_both - expected, n_pairs * (left + right) - expected)


def fowlkes_mallows(counts: Counts) -> float:
    """Return the geometric mean of the precision and the recall of pairs."""
    return sqrt(pair_precision(counts)) * sqrt(pair_recall(counts))


def pair_jaccard(counts: Counts) -> float:
    """Return, of the pairs that are together on either side, the share together on both."""
    pairs = counts.pairs
    return ratio(pairs.n_both, pairs.n_left + pairs.n_right - pairs.n_both)


def rogers_tanimoto(counts: Counts) -> float:
    """Return agreements / (agreements + 2 * disagreements)."""
    pairs = counts.pairs
    n_disagreements = _n_disagreements(pairs)
    return ratio(pairs.n_pairs - n_disagreements, pairs.n_pairs + n_disagreements)


def pair_precision(counts: Counts) -> float:
    """Return, of the pairs that are together on the right, the share together on the left too."""
    pairs = counts.pairs
    return ratio(pairs.n_both, pairs.n_right, float(pairs.n_left == 0))


def pair_recall(counts: Counts) -> float:
    """Return, of the pairs that are together on the left, the share together on the right too."""
    pairs = counts.pairs
    return ratio(pairs.n_both, pairs.n_left, float(pairs.n_right == 0))


def pair_f1(counts: Counts) -> float:
    """Return the harmonic mean of the precision and the recall of pairs."""
    pairs = counts.pairs
    return ratio(2 * pairs.n_both, pairs.n_left + pairs.n_right)


def _n_disagreements(pairs: PairCounts) -> int:
    """Return the number of pairs that are together on exactly one side."""
    return pairs.n_left + pairs.n_right - 2 * pairs.n_both
