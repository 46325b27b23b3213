"""Omega: whether pairs of objects share the same number of clusters on either side."""

from itertools import zip_longest

from coverlap.counting.contingency import PairCounts
from coverlap.measures.pair_counting import ratio


def omega_raw(pairs: PairCounts) -> float:
    """Return the share of pairs that share the same number of clusters on both sides."""
    return ratio(_n_agreeing(pairs), pairs.n_pairs)


def omega(pairs: PairCounts) -> float:
    """Return that share adjusted for chance, (observed - expected) / (1 - expected).

    The expected share is that of pairs drawn independently on the two sides. If it is 1, so is
    the observed one, and the score is 1. For partitions this is the adjusted Rand index.
    """
    n_pairs = pairs.n_pairs
    histograms = [(n_pairs - sum(side), *side[1:]) for side in (pairs.left, pairs.right)]
    expected = sum(one * other for one, other in zip_longest(*histograms, fillvalue=0))
    return ratio(_n_agreeing(pairs) * n_pairs - expected, n_pairs * n_pairs - expected)


def _n_agreeing(pairs: PairCounts) -> int:
    """Count the pairs that share equally many clusters on both sides, none included."""
    n_apart = pairs.n_pairs - pairs.n_left - pairs.n_right + pairs.n_both
    return n_apart + pairs.n_equal
