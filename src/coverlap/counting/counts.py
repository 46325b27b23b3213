"""Counts: what measures count in two clusterings, each thing once."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from coverlap.clustering.recognise import recognise_pair, recognise_universe
from coverlap.core.align import DEFAULT_RULES, Pair, Rules, align
from coverlap.core.lazy import lazy_property
from coverlap.core.threads import SMALL, all_threads, check_threads
from coverlap.core.weights import GivenWeights, align_weighted, check_rules
from coverlap.counting import memory
from coverlap.counting.contingency import BCubed, Contingency, PairCounts
from coverlap.counting.matching import Matching, Similarity, SimilarityFormula, Totals
from coverlap.inputs.object_weights import read_object_weights

Known = TypeVar("Known")
Labels = tuple[NDArray[np.int64], NDArray[np.int64]]
INT64 = np.dtype(np.int64)


def counts_of(
    left: Any, right: Any, rules: Rules = DEFAULT_RULES, threads: int | None = None, *,
    with_bcubed: bool = False, weights: Any = None,
) -> "Counts":  # fmt: skip
    """Read two clusterings and put them on one universe, ready to be counted.

    Verbs that compare two inputs come through here; `bootstrap` and comparisons on a graph align by
    themselves. Small arrays of labels are not turned into memberships before these are needed: that
    would take longer than computing F* from the arrays. Only F* knows ``weights`` of objects.
    """
    if threads is not None:
        check_threads(threads)
    given = None if weights is None else _read_weights(weights, rules)

    def read_pair() -> Pair:
        with all_threads(threads):
            sides = recognise_pair(left, right, threads)
            universe, (one, other) = recognise_universe(rules.universe, sides, ("left", "right"))
            followed = rules._replace(universe=universe)
            if given is not None:
                return align_weighted(one, other, followed, given)
            return align(one, other, followed)

    labels = small_labels(left, right) if given is None else None
    if labels is not None and rules.outliers_as is None and rules.keep_all_objects:
        return Counts(None, threads, read_pair=read_pair, labels=labels)
    rules.check()
    return Counts(read_pair(), threads, with_bcubed=with_bcubed)


def _read_weights(weights: Any, rules: Rules) -> GivenWeights:
    check_rules(rules)
    return read_object_weights(weights)


def small_labels(left: Any, right: Any) -> Labels | None:
    """Return two arrays of integer labels as 64-bit integers if they are small; None otherwise."""
    if not (
        type(left) is np.ndarray and type(right) is np.ndarray and left.ndim == right.ndim == 1
        and 0 < left.size == right.size < SMALL
    ):  # fmt: skip
        return None
    if left.dtype == right.dtype == INT64:
        return left, right
    if left.dtype.kind not in "iub" or right.dtype.kind not in "iub":
        return None
    if any(side.dtype == np.uint64 and int(side.max()) >> 63 for side in (left, right)):
        return None
    return left.astype(np.int64), right.astype(np.int64)


class Counts:
    """What can be counted in a pair of clusterings; each thing is counted on first use, and once.

    Measures are functions of this, so a table of all measures costs little more than the most
    expensive one.

    Parameters
    ----------
    pair : Pair, optional
        The two clusterings on one universe.
    threads : int, optional
    with_bcubed : bool
        Whether B-cubed will be needed: with overlaps, one pass then counts it with the pairs.
    read_pair, labels : function, tuple of arrays
        In place of ``pair``: a function that returns it, and the clusterings as small arrays of
        labels, from which F* is computed directly.
    """

    def __init__(
        self,
        pair: Pair | None,
        threads: int | None = None,
        *,
        with_bcubed: bool = False,
        read_pair: Callable[[], Pair] | None = None,
        labels: Labels | None = None,
    ) -> None:
        self.threads = threads
        self._with_bcubed = with_bcubed
        self._read_pair = read_pair
        self._labels = labels
        self._known: dict[tuple[Any, ...], Any] = {}
        if pair is not None:
            self.__dict__["pair"] = pair

    @lazy_property
    def pair(self) -> Pair:
        """The two clusterings on one universe."""
        assert self._read_pair is not None, "counts need a pair, or a function that reads it"  # noqa: S101
        return self._read_pair()

    @property
    def of_sets(self) -> "Counts":
        """The counts of the sets of clusters, without the duplicates that a side may keep."""
        if self._labels is not None:
            return self
        if not (self.pair.left.keeps_duplicates or self.pair.right.keeps_duplicates):
            return self
        return self.once(_of_sets)

    @property
    def n_objects(self) -> int:
        """Number of objects of the universe."""
        return self.pair.n_objects

    @lazy_property
    def overlapping(self) -> tuple[bool, bool]:
        """Whether clusters overlap, on the left and on the right."""
        with all_threads(self.threads):
            return self.pair.left.has_overlaps, self.pair.right.has_overlaps

    @lazy_property
    def n_outliers(self) -> tuple[int, int]:
        """Number of outliers on the left and on the right."""
        more = self.pair.n_unmentioned
        with all_threads(self.threads):
            return self.pair.left.n_outliers + more, self.pair.right.n_outliers + more

    @lazy_property
    def contingency(self) -> Contingency:
        """Number of objects that each left cluster shares with each right one."""
        return memory.contingency(self.pair, self.threads)

    @lazy_property
    def pair_counts(self) -> PairCounts:
        """Pairs of objects by the number of clusters they share on either side."""
        if not any(self.overlapping):
            return memory.joined_pairs(self.pair, self.threads)
        if self._with_bcubed:
            return self._pairs_and_bcubed[0]
        return memory.count_pairs(self.pair, self.threads)

    @property
    def bcubed(self) -> BCubed:
        """Extended B-cubed; requires that every object is in some cluster."""
        return self._pairs_and_bcubed[1]

    @lazy_property
    def _pairs_and_bcubed(self) -> tuple[PairCounts, BCubed]:
        return memory.count_pairs_and_bcubed(self.pair, self.threads)

    def matching(self, similarity: SimilarityFormula | Similarity) -> Matching:
        """Return the best matches by a similarity."""
        if not isinstance(similarity, Hashable):
            return _match(self, similarity)
        return self.once(_match, similarity)

    def totals(self, similarity: SimilarityFormula | Similarity, average: str) -> Totals:
        """Return the sums over the best matches by a similarity."""
        if isinstance(similarity, SimilarityFormula):
            codes = self._labels or memory.small_codes(self.pair)
            totals = codes and memory.total_codes(*codes, similarity, average)
            if totals:
                return totals
        return self.matching(similarity).totals(average)

    def once(self, function: Callable[..., Known], *arguments: Any) -> Known:
        """Return the value of a function of these counts and its arguments, computed once."""
        key = (function, *arguments)
        if key not in self._known:
            self._known[key] = function(self, *arguments)
        known: Known = self._known[key]
        return known


def _of_sets(counts: Counts) -> Counts:
    left, right = counts.pair.left.as_set(), counts.pair.right.as_set()
    return Counts(counts.pair._replace(left=left, right=right), counts.threads)


def _match(counts: Counts, similarity: SimilarityFormula | Similarity) -> Matching:
    return memory.match(counts.pair, similarity, counts.threads)
