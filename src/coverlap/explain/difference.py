"""Difference: two clusterings and the best matches of their clusters, kept to explain a score."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.align import Pair
from coverlap.core.incidence import Runs, frozen, runs_of_pairs
from coverlap.core.lazy import lazy_property
from coverlap.core.memberships import Memberships
from coverlap.core.threads import workers_for
from coverlap.counting import memory
from coverlap.counting.contingency import Contingency
from coverlap.counting.counts import Counts
from coverlap.counting.matching import (
    SIMILARITIES,
    Matching,
    Side,
    Similarity,
    SimilarityFormula,
)

Mask = NDArray[np.bool_]


class Sides(NamedTuple):
    """The same fact of the left and of the right side, one value for each cluster."""

    left: NDArray[Any]
    right: NDArray[Any]


@dataclass(frozen=True, eq=False)
class Difference:
    """Two clusterings on one universe, and the best match of each cluster.

    Comparisons keep this, to explain their score on demand. It shares no memory with the input.
    Tables that other engines compared are read when they are needed.
    """

    source: Pair | Callable[[], Pair]
    """The clusterings, or a function that reads them when they are first needed."""
    matching: Matching
    form: SimilarityFormula | None
    """The similarity of the matches; None if it is a function of the user."""
    threads: int | None = None

    @classmethod
    def of(
        cls, counts: Counts, matching: Matching, similarity: SimilarityFormula | Similarity
    ) -> "Difference":
        """Return the difference of two clusterings, which are copied."""
        pair, objects = counts.pair, counts.pair.objects
        if isinstance(objects.ids, np.ndarray):
            objects = objects._replace(ids=frozen(objects.ids.copy()))
        left, right = pair.left.copied(objects), pair.right.copied(objects)
        kept = pair._replace(left=left, right=right, objects=objects)
        form = similarity if isinstance(similarity, SimilarityFormula) else None
        return cls(kept, matching, form, counts.threads)

    @lazy_property
    def pair(self) -> Pair:
        """The two clusterings."""
        return self.source if isinstance(self.source, Pair) else self.source()

    @property
    def is_in_memory(self) -> bool:
        """Whether the clusterings are read."""
        return isinstance(self.source, Pair) or "pair" in self.__dict__

    @property
    def has_overlaps(self) -> bool:
        """Whether clusters of some side overlap."""
        return self.pair.left.has_overlaps or self.pair.right.has_overlaps

    @lazy_property
    def contingency(self) -> Contingency:
        """Number or weight of the objects that each left cluster shares with each right one."""
        if self.pair.weights is not None:
            return memory.weighted_contingency(self.pair)
        return memory.contingency(self.pair)

    @lazy_property
    def n_outliers(self) -> Sides:
        """Number or weight of members of each cluster that are outliers on the other side."""
        pair, left, right = self.pair, self.pair.left, self.pair.right
        masks = right.outlier_mask(), left.outlier_mask()
        if pair.weights is not None:
            weigh = memory.weigh_members
            return Sides(weigh(pair, left, masks[0]), weigh(pair, right, masks[1]))
        return Sides(_count_members(left, masks[0]), _count_members(right, masks[1]))

    @lazy_property
    def by_jaccard(self) -> Matching:
        """Best matches by Jaccard similarity; those by F1 are the same."""
        if self.form in (SIMILARITIES["jaccard"], SIMILARITIES["f1"]):
            return self.matching
        matching = memory.match(self.pair, SIMILARITIES["jaccard"])
        return memory.in_given_unit(matching, self.pair)

    @lazy_property
    def partners(self) -> Sides:
        """Partner of each cluster, -1 if it has none.

        Two clusters are partners if each is the best match of the other by Jaccard similarity. By
        one that is 1 for nested clusters, a clustering would differ from itself.
        """
        left, right = self.by_jaccard.left, self.by_jaccard.right
        return Sides(partners(left, right), partners(right, left))

    @lazy_property
    def moved(self) -> tuple[Mask, Mask]:
        """Whether each membership, by object, is in a cluster whose partner lacks the object."""
        one, other = self.pair.left.by_object, self.pair.right.by_object
        return _moved(one, self.partners.left, other), _moved(other, self.partners.right, one)

    @lazy_property
    def moved_objects(self) -> Contingency:
        """Number of moved objects that each left cluster shares with each right one.

        Both memberships of the object are moved: these are the shared objects without those that
        the partner of either cluster holds.
        """
        if not self.has_overlaps:
            return _without_partners(self.contingency, self.partners.left)
        left, right = self.pair.left, self.pair.right
        moved_left, moved_right = self.moved
        cells = memory.count_shared(
            _moved_runs(left, moved_left), _moved_runs(right, moved_right), self.pair.objects.n
        )
        return Contingency(*cells, left.sizes, right.sizes, self.pair.n_objects)

    def __reduce__(self) -> tuple[Callable[..., "Difference"], tuple[Any, ...]]:
        # What can be computed again is not pickled.
        return Difference, (self.source, self.matching, self.form, self.threads)


def _count_members(side: Memberships, mask: Mask) -> NDArray[np.int64]:
    """Return the number of members of each cluster that are marked."""
    if not side.has_overlaps:
        return np.bincount(side.numbers[mask], minlength=side.n_clusters + 1)[1:]
    pointers, members = side.runs
    return np.add.reduceat(mask[members], pointers[:-1], dtype=np.int64)


def partners(own: Side, other: Side) -> NDArray[np.int64]:
    """Return the match of each cluster if each is the best match of the other, and else -1."""
    partner = np.full(len(own.match), -1)
    found = np.flatnonzero(own.match >= 0)
    mutual = found[other.match[own.match[found]] == found]
    partner[mutual] = own.match[mutual]
    return frozen(partner)


def _moved(own: Runs, partner: NDArray[np.int64], other: Runs) -> Mask:
    moved = np.empty(len(own.members), bool)
    with workers_for(len(own.members)) as team:
        ranges = team.ranges(len(own.pointers) - 1)
        team.run(_kernels.moves.mark_moves, *ranges, *own, partner, *other, moved)
    return moved


def _without_partners(cells: Contingency, partner: NDArray[np.int64]) -> Contingency:
    rows = cells.rows()
    stays = partner[rows] != cells.columns
    lengths = np.bincount(rows[stays], minlength=len(partner))
    pointers = np.concatenate(([0], np.cumsum(lengths)))
    return cells._replace(
        pointers=pointers, columns=cells.columns[stays], shared=cells.shared[stays]
    )


def _moved_runs(side: Memberships, moved: Mask) -> Runs:
    """Return the moved members of each cluster, which may be none."""
    pointers, clusters = side.by_object
    objects = np.repeat(np.arange(side.n_objects), np.diff(pointers))[moved]
    return runs_of_pairs(objects, clusters[moved], side.n_objects, side.n_clusters)
