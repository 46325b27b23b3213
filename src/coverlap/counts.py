"""Counts: what measures count in two clusterings, each thing once."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from coverlap.contingency import BCubed, Contingency, PairCounts
from coverlap.engines import memory
from coverlap.matching import Form, Matching, Similarity
from coverlap.universe import Pair

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

    @cached_property
    def overlapping(self) -> tuple[bool, bool]:
        """Whether clusters overlap, on the left and on the right."""
        return self.pair.left.has_overlaps, self.pair.right.has_overlaps

    @cached_property
    def n_outliers(self) -> tuple[int, int]:
        """Number of outliers on the left and on the right."""
        more = self.pair.n_unmentioned
        return self.pair.left.n_outliers + more, self.pair.right.n_outliers + more

    @cached_property
    def contingency(self) -> Contingency:
        """What each left cluster shares with each right one."""
        return memory.contingency(self.pair, self.threads)

    @cached_property
    def pairs(self) -> PairCounts:
        """Pairs of objects by the number of clusters they share on either side."""
        if not any(self.overlapping):
            return memory.joined_pairs(self.pair, self.threads)
        return memory.count_pairs(self.pair, self.threads)

    @cached_property
    def bcubed(self) -> BCubed:
        """Extended B-cubed of objects that all have clusters; the pairs are counted on the way."""
        self.__dict__["pairs"], both = memory.count_pairs_and_bcubed(self.pair, self.threads)
        return both

    def matching(self, similarity: Form | Similarity) -> Matching:
        """Return the best matches by a similarity."""
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
