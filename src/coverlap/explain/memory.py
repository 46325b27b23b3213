"""The difference of two clusterings in memory."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.align import Pair
from coverlap.core.incidence import Runs, frozen, runs_of_pairs
from coverlap.core.lazy import lazy_property
from coverlap.core.memberships import Memberships
from coverlap.counting import memory
from coverlap.counting.contingency import Contingency
from coverlap.counting.counts import Counts
from coverlap.counting.matching import Matching, Similarity, SimilarityFormula
from coverlap.explain.difference import (
    Difference,
    Mask,
    Sides,
    moved_memberships,
    without_partners,
)


@dataclass(frozen=True, eq=False)
class MemoryDifference(Difference):
    """The difference of two clusterings in memory; it shares none with the input."""

    pair: Pair

    is_in_memory = True

    @property
    def weights(self) -> NDArray[Any] | None:
        """The weights of the objects, if the user gave some."""
        return self.pair.weights

    @classmethod
    def of(
        cls,
        counts: Counts,
        matching: Matching,
        similarity: SimilarityFormula | Similarity,
        *,
        is_from_files: bool = False,
    ) -> "MemoryDifference":
        """Return the difference of two clusterings.

        They are copied, since they may share memory with arrays that the user changes later. That
        cannot be if they are from files.
        """
        pair = counts.pair if is_from_files else _copied(counts.pair)
        form = similarity if isinstance(similarity, SimilarityFormula) else None
        return cls(matching, form, counts.threads, pair)

    @property
    def has_overlaps(self) -> bool:
        """Whether clusters of some side overlap."""
        return self.pair.left.has_overlaps or self.pair.right.has_overlaps

    @lazy_property
    def contingency(self) -> Contingency:
        """Number or weight of the objects that each left cluster shares with each right one."""
        if self.weights is not None:
            return memory.weighted_contingency(self.pair)
        return memory.contingency(self.pair)

    @lazy_property
    def n_outliers(self) -> Sides:
        """Number or weight of members of each cluster that are outliers on the other side."""
        pair, left, right = self.pair, self.pair.left, self.pair.right
        masks = right.outlier_mask(), left.outlier_mask()
        if self.weights is not None:
            weigh = memory.weigh_members
            return Sides(weigh(pair, left, masks[0]), weigh(pair, right, masks[1]))
        return Sides(_count_members(left, masks[0]), _count_members(right, masks[1]))

    @lazy_property
    def moved(self) -> tuple[Mask, Mask]:
        """Whether each membership, by object, is in a cluster whose partner lacks the object."""
        return moved_memberships((self.pair.left, self.pair.right), self.partners)

    @lazy_property
    def moved_objects(self) -> Contingency:
        """Number of moved objects that each left cluster shares with each right one."""
        if not self.has_overlaps:
            return without_partners(self.contingency, self.partners.left)
        left, right = self.pair.left, self.pair.right
        moved_left, moved_right = self.moved
        cells = memory.count_shared(
            _moved_runs(left, moved_left), _moved_runs(right, moved_right), self.pair.objects.n
        )
        return Contingency(*cells, left.sizes, right.sizes, self.pair.n_objects)

    @property
    def n_moved(self) -> int:
        """Number of objects in some cluster whose partner lacks them."""
        if not self.has_overlaps and self.weights is None:
            return int(self.moved_objects.shared.sum()) + self.n_in_one_side
        has_moved = np.zeros(self.pair.objects.n, bool)
        for side, moved in zip((self.pair.left, self.pair.right), self.moved, strict=True):
            lengths = np.diff(side.by_object.pointers)
            has_moved[np.repeat(np.arange(len(lengths)), lengths)[moved]] = True
        return int(np.count_nonzero(has_moved))

    def read(self) -> "MemoryDifference":
        """Return this difference, since both clusterings are in memory."""
        return self

    def match(self, form: SimilarityFormula) -> Matching:
        """Return the best matches by another similarity."""
        return memory.in_given_unit(memory.match(self.pair, form), self.pair)

    def count_unions(
        self, n_groups: int, left: NDArray[np.int64], right: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], ...]:
        """Count the objects of each group of clusters; see the base class."""
        sides = self.pair.left.by_object, self.pair.right.by_object
        last = np.full((2, n_groups), -1)
        counts = np.zeros((5, n_groups), np.int64)
        _kernels.moves.count_unions(*sides[0], left, *sides[1], right, *last, *counts)
        return tuple(counts)

    def __reduce__(self) -> tuple[Callable[..., "MemoryDifference"], tuple[Any, ...]]:
        # What can be computed again is not pickled.
        return MemoryDifference, (self.matching, self.form, self.threads, self.pair)


def _copied(pair: Pair) -> Pair:
    """Return an equal pair in arrays of its own."""
    objects = pair.objects
    if isinstance(objects.ids, np.ndarray):
        objects = objects._replace(ids=frozen(objects.ids.copy()))
    return pair._replace(
        left=pair.left.copied(objects), right=pair.right.copied(objects), objects=objects
    )


def _count_members(side: Memberships, mask: Mask) -> NDArray[np.int64]:
    """Return the number of members of each cluster that are marked."""
    if not side.has_overlaps:
        return np.bincount(side.numbers[mask], minlength=side.n_clusters + 1)[1:]
    pointers, members = side.runs
    return np.add.reduceat(mask[members], pointers[:-1], dtype=np.int64)


def _moved_runs(side: Memberships, moved: Mask) -> Runs:
    """Return the moved members of each cluster, which may be none."""
    pointers, clusters = side.by_object
    objects = np.repeat(np.arange(side.n_objects), np.diff(pointers))[moved]
    return runs_of_pairs(objects, clusters[moved], side.n_objects, side.n_clusters)
