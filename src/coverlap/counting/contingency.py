"""Counts of shared objects by pairs of clusters, and of shared clusters by pairs of objects."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels


class Contingency(NamedTuple):
    """The number of objects that each left cluster shares with each right one, if not zero.

    Left cluster i shares ``shared[pointers[i]:pointers[i + 1]]`` objects with the right clusters
    at the same positions of ``columns``, which are not sorted. The universe may have outliers that
    are never mentioned, so ``n_objects`` can be larger than any array.
    """

    pointers: NDArray[np.int64]
    columns: NDArray[Any]
    shared: NDArray[Any]
    left_sizes: NDArray[np.int64]
    right_sizes: NDArray[np.int64]
    n_objects: int

    def rows(self) -> NDArray[np.int64]:
        """Return the left cluster of each cell."""
        return np.repeat(np.arange(len(self.left_sizes)), np.diff(self.pointers))

    def n_equal_clusters(self) -> int:
        """Return the number of clusters that are equal to a cluster of the other side."""
        return int(
            _kernels.contingency.count_equal(
                self.pointers, self.columns, self.shared, self.left_sizes, self.right_sizes
            )
        )


class PairCounts(NamedTuple):
    """The number of unordered pairs of objects, by how many clusters they share on either side.

    ``left[j]`` is the number of pairs that share exactly j left clusters, for j from 1 on;
    ``left[0]`` is always 0. ``n_both`` pairs share some cluster on each side, and ``n_equal`` of
    them the same number of clusters.
    """

    n_objects: int
    left: tuple[int, ...]
    right: tuple[int, ...]
    n_equal: int
    n_both: int

    @property
    def n_pairs(self) -> int:
        """Number of pairs of objects."""
        return self.n_objects * (self.n_objects - 1) // 2

    @property
    def n_left(self) -> int:
        """Number of pairs that share some left cluster."""
        return sum(self.left)

    @property
    def n_right(self) -> int:
        """Number of pairs that share some right cluster."""
        return sum(self.right)


class BCubed(NamedTuple):
    """Extended B-cubed precision and recall, as means over all objects."""

    precision: float
    recall: float


def n_pairs_within(sizes: NDArray[np.int64]) -> int:
    """Return the exact number of pairs of objects within clusters, summed over the clusters."""
    if len(sizes) == 0 or int(sizes.max()) < 2**31:  # then no sum of squares overflows
        return int((sizes * (sizes - 1) // 2).sum())
    return sum(size * (size - 1) // 2 for size in sizes.tolist())
