"""Difference: two clusterings and the best matches of their clusters, kept to explain a score."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.align import Pair
from coverlap.core.incidence import Runs, frozen
from coverlap.core.lazy import lazy_property
from coverlap.core.threads import workers_for
from coverlap.counting.contingency import Contingency
from coverlap.counting.matching import (
    SIMILARITIES,
    Matching,
    Side,
    SimilarityFormula,
)

Mask = NDArray[np.bool_]


class Sides(NamedTuple):
    """The same fact of the left and of the right side, one value for each cluster."""

    left: NDArray[Any]
    right: NDArray[Any]


class ByObject(Protocol):
    """The clusters of each of some objects on one side, as `Memberships` has them.

    ``has_overlaps`` is about all objects of the side.
    """

    @property
    def has_overlaps(self) -> bool:
        """Whether some object is in two clusters."""

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""

    @property
    def by_object(self) -> Runs:
        """Clusters of each object, in cluster order."""

    @property
    def numbers(self) -> NDArray[Any]:
        """Cluster of each object as a number from 1 on, 0 for outliers; requires no overlaps."""

    def outlier_mask(self) -> Mask:
        """Return whether each object is an outlier."""


@dataclass(frozen=True, eq=False)
class Difference(ABC):
    """Two clusterings on one universe, and the best match of each cluster.

    Comparisons keep this, to explain their score on demand. There is one class for clusterings in
    memory, and one for tables: see `coverlap.explain.memory` and `coverlap.explain.tables`.
    """

    matching: Matching
    form: SimilarityFormula | None
    """The similarity of the matches; None if it is a function of the user."""
    threads: int | None

    @property
    def weights(self) -> NDArray[Any] | None:
        """The weights of the objects, which tables do not have."""
        return None

    if TYPE_CHECKING:  # subclasses have these as fields, or compute them once

        @property
        def pair(self) -> Pair:
            """The two clusterings."""

        @property
        def is_in_memory(self) -> bool:
            """Whether the clusterings are read."""

        @property
        def has_overlaps(self) -> bool:
            """Whether clusters of some side overlap."""

        @property
        def contingency(self) -> Contingency:
            """Number or weight of the objects that each left cluster shares with each right one."""

        @property
        def n_outliers(self) -> Sides:
            """Number or weight of members of each cluster that are outliers on the other side."""

        @property
        def moved_objects(self) -> Contingency:
            """Number of moved objects that each left cluster shares with each right one.

            Both memberships of the object are moved: these are the shared objects without those
            that the partner of either cluster holds.
            """

        @property
        def n_moved(self) -> int:
            """Number of objects in some cluster whose partner lacks them."""

    @abstractmethod
    def read(self) -> "Difference":
        """Return the same difference with both clusterings in memory."""

    @abstractmethod
    def match(self, form: SimilarityFormula) -> Matching:
        """Return the best matches by another similarity."""

    @abstractmethod
    def count_unions(
        self, n_groups: int, left: NDArray[np.int64], right: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], ...]:
        """Count the objects of each group of clusters on the left, on the right and on both sides.

        ``left`` and ``right`` are the group of each cluster. The last two counts are of the left
        objects that are outliers on the right, and the reverse.
        """

    @lazy_property
    def by_jaccard(self) -> Matching:
        """Best matches by Jaccard similarity; those by F1 are the same."""
        if self.form in (SIMILARITIES["jaccard"], SIMILARITIES["f1"]):
            return self.matching
        return self.match(SIMILARITIES["jaccard"])

    @lazy_property
    def partners(self) -> Sides:
        """Partner of each cluster, -1 if it has none.

        Two clusters are partners if each is the best match of the other by Jaccard similarity. By
        one that is 1 for nested clusters, a clustering would differ from itself.
        """
        left, right = self.by_jaccard.left, self.by_jaccard.right
        return Sides(partners(left, right), partners(right, left))

    @property
    def n_in_one_side(self) -> int:
        """Number of objects that are outliers on one side only."""
        matching = self.matching
        return matching.n_left_outliers + matching.n_right_outliers - 2 * matching.n_shared_outliers


def outlier_cells(difference: Difference) -> tuple[NDArray[Any], ...]:
    """Return the pairs of a cluster, or outliers (-1), and outliers that share objects.

    These are the left clusters, the right ones, and the number or weight of what each pair shares.
    """
    (to_outliers, from_outliers), n_shared = (
        difference.n_outliers, difference.matching.n_shared_outliers,
    )  # fmt: skip
    left, right = np.flatnonzero(to_outliers), np.flatnonzero(from_outliers)
    both = [-1] if n_shared else []
    shared = np.concatenate((to_outliers[left], from_outliers[right], [n_shared] * len(both)))
    return (
        np.concatenate((left, np.full(len(right), -1), both)).astype(np.int64),
        np.concatenate((np.full(len(left), -1), right, both)).astype(np.int64),
        shared.astype(to_outliers.dtype),
    )


def partners(own: Side, other: Side) -> NDArray[np.int64]:
    """Return the match of each cluster if each is the best match of the other, and else -1."""
    partner = np.full(len(own.match), -1)
    found = np.flatnonzero(own.match >= 0)
    mutual = found[other.match[own.match[found]] == found]
    partner[mutual] = own.match[mutual]
    return frozen(partner)


def moved_memberships(sides: tuple[ByObject, ByObject], partners: Sides) -> tuple[Mask, Mask]:
    """Return whether each membership, by object, is in a cluster whose partner lacks the object."""
    one, other = (side.by_object for side in sides)
    return _moved(one, partners.left, other), _moved(other, partners.right, one)


def _moved(own: Runs, partner: NDArray[np.int64], other: Runs) -> Mask:
    moved = np.empty(len(own.members), bool)
    with workers_for(len(own.members)) as team:
        ranges = team.ranges(len(own.pointers) - 1)
        team.run(_kernels.moves.mark_moves, *ranges, *own, partner, *other, moved)
    return moved


def without_partners(cells: Contingency, partner: NDArray[np.int64]) -> Contingency:
    """Return the cells of clusters that are not partners."""
    rows = cells.rows()
    stays = partner[rows] != cells.columns
    lengths = np.bincount(rows[stays], minlength=len(partner))
    pointers = np.concatenate(([0], np.cumsum(lengths)))
    return cells._replace(
        pointers=pointers, columns=cells.columns[stays], shared=cells.shared[stays]
    )
