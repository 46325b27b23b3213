"""Omega: the share of pairs of objects that share equally many clusters on both sides."""

from itertools import zip_longest

from coverlap.counting.contingency import PairCounts
from coverlap.counting.counts import Counts
from coverlap.measures.pair_counting import ratio


def omega_raw(counts: Counts) -> float:
    """Return the share of pairs that share the same number of clusters on both sides."""
    return ratio(_n_agreements(counts.pairs), counts.pairs.n_pairs)


def omega(counts: Counts) -> float:
    """Return that share adjusted for chance, (observed - expected) / (1 - expected).

    The expected share is that of pairs drawn independently on the two sides. If it is 1, the
    observed share is 1 too, and so is the score. For partitions this is the adjusted Rand index.
    """
    pairs, n_pairs = counts.pairs, counts.pairs.n_pairs
    histograms = [(n_pairs - sum(side), *side[1:]) for side in (pairs.left, pairs.right)]
    expected = sum(left * right for left, right in zip_longest(*histograms, fillvalue=0))
    return ratio(_n_agreements(pairs) * n_pairs - expected, n_pairs * n_pairs - expected)


def _n_agreements(pairs: PairCounts) -> int:
    """Return the number of pairs that share equally many clusters on both sides, none included."""
    n_apart = pairs.n_pairs - pairs.n_left - pairs.n_right + pairs.n_both
    return n_apart + pairs.n_equal
