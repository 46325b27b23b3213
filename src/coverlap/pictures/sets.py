"""The sets of objects that a picture shows of one side: some clusters, the others, outliers."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.memberships import Memberships

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class Sets(NamedTuple):
    """The shown clusters of one side, all its other clusters together, and its outliers.

    ``of_object`` is the set of each object; if clusters overlap it is None, and ``matrix`` is a
    sparse matrix of sets x objects that is 1 where an object is in a set.
    """

    n_sets: int
    of_object: NDArray[np.int32] | None
    matrix: Any = None

    def sizes(self) -> Integers:
        """Return the number of objects of each set."""
        if self.of_object is not None:
            return np.bincount(self.of_object, minlength=self.n_sets)
        return np.asarray(self.matrix.sum(axis=1)).ravel().astype(np.int64)

    def as_matrix(self) -> Any:
        """Return the matrix, also if clusters do not overlap."""
        from scipy.sparse import csc_array

        if self.of_object is None:
            return self.matrix
        n = len(self.of_object)
        return csc_array((np.ones(n), self.of_object, np.arange(n + 1)), (self.n_sets, n))


class Shared(NamedTuple):
    """The number of objects that two sets share, and how many of them each side has of a band.

    An object in several sets of the other side is divided among these.
    """

    n: Integers
    left: Floats
    right: Floats


def shown_sets(side: Memberships, clusters: Integers) -> Sets:
    """Return the sets of a side of which these clusters are shown."""
    n = len(clusters)
    set_of_cluster = np.full(side.n_clusters, n, np.int32)
    set_of_cluster[clusters] = np.arange(n)
    if not side.has_overlaps:
        return Sets(n + 2, np.append(np.int32(n + 1), set_of_cluster)[side.numbers])
    from scipy.sparse import coo_array

    pointers, members = side.runs
    outliers = np.flatnonzero(side.outlier_mask())
    rows = np.repeat(set_of_cluster, np.diff(pointers))
    rows = np.concatenate((rows, np.full(len(outliers), n + 1, np.int32)))
    columns = np.concatenate((members, outliers))
    matrix = coo_array((np.ones(len(rows)), (rows, columns)), (n + 2, side.n_objects)).tocsr()
    matrix.data[:] = 1  # an object in several of the other clusters counts once
    return Sets(n + 2, None, matrix)


def count_shared(left: Sets, right: Sets) -> Integers:
    """Return the number of objects that each left set shares with each right one."""
    if left.of_object is None or right.of_object is None:
        shared = left.as_matrix() @ right.as_matrix().T
        return np.asarray(shared.toarray()).astype(np.int64)
    pairs = left.of_object.astype(np.int64) * right.n_sets + right.of_object
    counts = np.bincount(pairs, minlength=left.n_sets * right.n_sets)
    return counts.reshape(left.n_sets, right.n_sets)


def divide_shared(left: Sets, right: Sets) -> Shared:
    """Count the shared objects, and divide those that are in several sets of the other side."""
    shared = count_shared(left, right)
    if left.of_object is not None and right.of_object is not None:
        return Shared(shared, shared.astype(np.float64), shared.astype(np.float64))
    one, other = left.as_matrix(), right.as_matrix()
    per_left, per_right = (np.asarray(side.sum(axis=0)).ravel() for side in (one, other))
    return Shared(
        shared, (one @ (other / per_right).T).toarray(), ((one / per_left) @ other.T).toarray()
    )
