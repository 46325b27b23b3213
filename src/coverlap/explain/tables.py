"""The difference of two tables that were compared where they are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.align import Pair
from coverlap.core.incidence import Runs, frozen, narrowest
from coverlap.core.lazy import lazy_property
from coverlap.core.texts import Ids
from coverlap.counting.contingency import Contingency
from coverlap.counting.matching import Matching, SimilarityFormula
from coverlap.counting.table_pair import Moved, TablePair
from coverlap.explain.difference import Difference, Sides, outlier_cells, without_partners
from coverlap.explain.memory import MemoryDifference

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TableDifference(Difference):
    """The difference of two tables, which are read again for each count that is needed."""

    tables: TablePair

    @lazy_property
    def pair(self) -> Pair:
        """The two clusterings, which are read into memory."""
        return self.tables.read()

    @property
    def is_in_memory(self) -> bool:
        """Whether the clusterings are read."""
        return "pair" in self.__dict__

    @property
    def has_overlaps(self) -> bool:
        """Whether clusters of some side overlap."""
        return self.tables.has_overlaps

    @lazy_property
    def contingency(self) -> Contingency:
        """Number of objects that each left cluster shares with each right one."""
        return self.tables.contingency()

    @lazy_property
    def n_outliers(self) -> Sides:
        """Number of members of each cluster that are outliers on the other side."""
        known = self.__dict__
        if "contingency" in known and not self.has_overlaps:
            cells = self.contingency
            rows, columns = cells.rows(), cells.columns
            common = (
                _sums(rows, cells.shared, len(cells.left_sizes)),
                _sums(columns, cells.shared, len(cells.right_sizes)),
            )
        elif "_moved" in known:
            common = self._moved.n_common
        else:
            common = self.tables.n_common()
        matching = self.matching
        return Sides(matching.left.sizes - common[0], matching.right.sizes - common[1])

    @lazy_property
    def _moved(self) -> Moved:
        return self.tables.moved(self.partners)

    @lazy_property
    def moved_objects(self) -> Contingency:
        """Number of moved objects that each left cluster shares with each right one."""
        if self.has_overlaps:
            return self._moved.cells
        return without_partners(self.contingency, self.partners.left)

    @property
    def n_moved(self) -> int:
        """Number of objects in some cluster whose partner lacks them."""
        if self.has_overlaps:
            return self._moved.n_moved + self.n_in_one_side
        return int(self.moved_objects.shared.sum()) + self.n_in_one_side

    def read(self) -> MemoryDifference:
        """Return the same difference with both clusterings in memory."""
        return MemoryDifference(self.matching, self.form, self.threads, self.pair)

    def match(self, form: SimilarityFormula) -> Matching:
        """Return the best matches by another similarity."""
        return self.tables.match(form)

    def count_unions(self, n_groups: int, left: Integers, right: Integers) -> tuple[Integers, ...]:
        """Count the objects of each group of clusters; see the base class.

        Only groups of which the sizes of clusters do not tell everything are counted in the tables.
        """
        partner, matching = self.partners.left, self.matching
        paired = np.flatnonzero(partner >= 0)
        paired = paired[left[paired] == right[partner[paired]]]
        shared = self.by_jaccard.left.shared[paired]
        known = (
            _sums(left, matching.left.sizes, n_groups),
            _sums(right, matching.right.sizes, n_groups),
            _sums(left[paired], shared, n_groups),
            _sums(left, self.n_outliers.left, n_groups),
            _sums(right, self.n_outliers.right, n_groups),
        )
        n_left, n_right, n_paired = (
            np.bincount(groups, minlength=n_groups) for groups in (left, right, left[paired])
        )
        is_known = (n_left + n_right == 1) | ((n_left == 1) & (n_right == 1) & (n_paired == 1))
        if is_known.all():
            return known
        left, right = (np.where(is_known[groups], -1, groups) for groups in (left, right))
        counted = self.tables.count_unions((left, right), n_groups)
        return tuple(np.where(is_known, *counts) for counts in zip(known, counted, strict=True))

    def ordered_cells(self) -> Iterator[tuple[Integers, ...]]:
        """Yield the pairs of clusters that share objects in parts, those of outliers included.

        The parts are left clusters, right ones (-1 for outliers), and how much each pair shares.
        """
        left, right, shared = outlier_cells(self)
        for one, other, n in self.tables.ordered_cells((left + 1, right + 1, shared)):
            yield one - 1, other - 1, n

    def moved_parts(self) -> Iterator[tuple[Ids, tuple["SomeObjects", "SomeObjects"]]]:
        """Yield the ids of the objects that moved in parts, in their order, and their clusters."""
        n_clusters = len(self.matching.left.sizes), len(self.matching.right.sizes)
        overlaps = [n > 0 for n in self.tables.n_in_several]
        for ids, side, cluster in self.tables.moved_members(self.partners):
            is_first = np.ones(len(ids), bool)
            is_first[1:] = ids[1:] != ids[:-1]
            place, n_objects = np.cumsum(is_first) - 1, int(is_first.sum())
            one, other = (
                SomeObjects.of(place[own], cluster[own], n_objects, n_clusters[i], overlaps[i])
                for i, own in enumerate((side == 0, side == 1))
            )
            yield ids[is_first], (one, other)

    def __reduce__(self) -> tuple[Callable[..., "TableDifference"], tuple[Any, ...]]:
        # What can be counted again is not pickled.
        return TableDifference, (self.matching, self.form, self.threads, self.tables)


@dataclass(frozen=True, eq=False)
class SomeObjects:
    """The clusters of some objects on one side; see `ByObject`."""

    by_object: Runs
    n_clusters: int
    has_overlaps: bool

    @classmethod
    def of(
        cls, places: Integers, clusters: NDArray[Any], n_objects: int, n_clusters: int,
        has_overlaps: bool,
    ) -> "SomeObjects":  # fmt: skip
        """Return memberships that are in the order of the objects."""
        pointers = np.concatenate(([0], np.cumsum(np.bincount(places, minlength=n_objects))))
        members = clusters.astype(narrowest(n_clusters))
        return cls(Runs(frozen(pointers), frozen(members)), n_clusters, has_overlaps)

    @property
    def numbers(self) -> NDArray[Any]:
        """Cluster of each object as a number from 1 on, 0 for outliers; requires no overlaps."""
        pointers, members = self.by_object
        numbers = np.zeros(len(pointers) - 1, narrowest(self.n_clusters + 1))
        numbers[np.diff(pointers) > 0] = members + 1
        return frozen(numbers)

    def outlier_mask(self) -> NDArray[np.bool_]:
        """Return whether each object is an outlier."""
        return np.asarray(np.diff(self.by_object.pointers) == 0)


def _sums(groups: NDArray[Any], counts: NDArray[Any], n_groups: int) -> Integers:
    # The sums are of integers below 2**53, which floats hold exactly.
    return np.bincount(groups, counts, minlength=n_groups).astype(np.int64)
