"""Counts: what measures count in two clusterings, each thing once."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from coverlap.clustering.recognise import recognise_pair
from coverlap.core.checks import check_option
from coverlap.core.lazy import remembered
from coverlap.core.outliers import TREATMENTS, treat
from coverlap.core.threads import check_threads
from coverlap.core.universe import Pair, align
from coverlap.counting import memory
from coverlap.counting.contingency import BCubed, Contingency, PairCounts
from coverlap.counting.matching import Form, Matching, Similarity

Known = TypeVar("Known")


class Counts:
    """What can be counted in a pair of clusterings; nothing is counted before it is asked for.

    Measures are functions of this. What several of them need is counted once, so that a table of
    all measures costs little more than the dearest of them.
    """

    def __init__(self, pair: Pair, threads: int | None = None) -> None:
        self.pair = pair
        self.threads = threads
        self._known: dict[tuple[Any, ...], Any] = {}

    @property
    def n_objects(self) -> int:
        """Number of objects of the universe."""
        return self.pair.n_objects

    @remembered
    def overlapping(self) -> tuple[bool, bool]:
        """Whether clusters overlap, on the left and on the right."""
        return self.pair.left.has_overlaps, self.pair.right.has_overlaps

    @remembered
    def n_outliers(self) -> tuple[int, int]:
        """Number of outliers on the left and on the right."""
        more = self.pair.n_unmentioned
        return self.pair.left.n_outliers + more, self.pair.right.n_outliers + more

    @remembered
    def contingency(self) -> Contingency:
        """What each left cluster shares with each right one."""
        return memory.contingency(self.pair, self.threads)

    @remembered
    def pairs(self) -> PairCounts:
        """Pairs of objects by the number of clusters they share on either side."""
        if not any(self.overlapping):
            return memory.joined_pairs(self.pair, self.threads)
        return memory.count_pairs(self.pair, self.threads)

    @remembered
    def bcubed(self) -> BCubed:
        """Extended B-cubed of objects that all have clusters; the pairs are counted on the way."""
        self.__dict__["pairs"], both = memory.count_pairs_and_bcubed(self.pair, self.threads)
        return both

    def matching(self, similarity: Form | Similarity) -> Matching:
        """Return the best matches by a similarity."""
        if not isinstance(similarity, Hashable):
            return _match(self, similarity)
        return self.once(_match, similarity)

    def once(self, function: "Callable[..., Known]", *arguments: Any) -> Known:
        """Return what a function makes of these counts and its arguments, and remember it."""
        key = (function, *arguments)
        if key not in self._known:
            self._known[key] = function(self, *arguments)
        known: Known = self._known[key]
        return known


def _match(counts: Counts, similarity: Form | Similarity) -> Matching:
    return memory.match(counts.pair, similarity, counts.threads)


def count(
    left: Any,
    right: Any,
    *,
    universe: Any = "union",
    n_objects: int | None = None,
    drop_outliers: str | None = None,
    outliers_as: str | None = None,
    threads: int | None = None,
) -> Counts:
    """Read two clusterings and put them on one universe, ready to be counted."""
    check_threads(threads)
    check_option("outliers_as", outliers_as, TREATMENTS)
    pair = align(
        *recognise_pair(left, right, threads),
        universe=universe,
        n_objects=n_objects,
        drop_outliers=drop_outliers,
    )
    return Counts(treat(pair, outliers_as), threads)
