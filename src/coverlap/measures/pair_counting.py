"""Measures of partitions that ask whether pairs of objects are together on either side.

All counts are integers of any size, and each score is rounded once, when it is divided. Where a
score would be 0/0, no two objects are together on either side, and the partitions are equal.
"""

from math import sqrt

from coverlap.counting.contingency import PairCounts


def ratio(numerator: int, denominator: int, otherwise: float = 1.0) -> float:
    """Divide, or return what stands for 0/0."""
    return numerator / denominator if denominator else otherwise


def rand(pairs: PairCounts) -> float:
    """Return the share of pairs on which the two sides agree."""
    return ratio(pairs.n_pairs - _n_disputed(pairs), pairs.n_pairs)


def adjusted_rand(pairs: PairCounts) -> float:
    """Return Rand's index adjusted for chance, by Hubert and Arabie.

    That is (S - E) / (M - E) with S pairs together on both sides, E = AB / N of them expected and
    M = (A + B) / 2 of them at most; here as a ratio of integers.
    """
    left, right, n_pairs = pairs.n_left, pairs.n_right, pairs.n_pairs
    expected = 2 * left * right
    return ratio(
        2 * n_pairs * pairs.n_both - expected, n_pairs * (left + right) - expected
    )  # fmt: skip


def fowlkes_mallows(pairs: PairCounts) -> float:
    """Return the geometric mean of the pairs' precision and recall."""
    return sqrt(pair_precision(pairs)) * sqrt(pair_recall(pairs))


def pair_jaccard(pairs: PairCounts) -> float:
    """Return the share of the pairs together on some side that are together on both."""
    return ratio(pairs.n_both, pairs.n_left + pairs.n_right - pairs.n_both)


def rogers_tanimoto(pairs: PairCounts) -> float:
    """Return agreements / (agreements + twice the disagreements)."""
    disputed = _n_disputed(pairs)
    return ratio(pairs.n_pairs - disputed, pairs.n_pairs + disputed)


def pair_precision(pairs: PairCounts) -> float:
    """Return the share of the right side's pairs that the left side has too."""
    return ratio(pairs.n_both, pairs.n_right, float(pairs.n_left == 0))


def pair_recall(pairs: PairCounts) -> float:
    """Return the share of the left side's pairs that the right side has too."""
    return ratio(pairs.n_both, pairs.n_left, float(pairs.n_right == 0))


def pair_f1(pairs: PairCounts) -> float:
    """Return the harmonic mean of the pairs' precision and recall."""
    return ratio(2 * pairs.n_both, pairs.n_left + pairs.n_right)


def _n_disputed(pairs: PairCounts) -> int:
    """Count the pairs that are together on one side only."""
    return pairs.n_left + pairs.n_right - 2 * pairs.n_both
