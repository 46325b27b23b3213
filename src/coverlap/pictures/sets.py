"""The sets of objects that a picture shows of one side: some clusters, the others, outliers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.memberships import Memberships


def set_matrix(side: Memberships, clusters: NDArray[np.int64]) -> Any:
    """Return the sparse matrix of sets x objects that is 1 where an object is in a set.

    The sets are the given clusters, all other clusters together, and the outliers.
    """
    from scipy.sparse import coo_array

    n = len(clusters)
    set_of_cluster = np.full(side.n_clusters, n)
    set_of_cluster[clusters] = np.arange(n)
    pointers, members = side.runs
    sets = np.repeat(set_of_cluster, np.diff(pointers))
    outliers = np.flatnonzero(side.outlier_mask())
    rows = np.concatenate((sets, np.full(len(outliers), n + 1)))
    columns = np.concatenate((members, outliers))
    matrix = coo_array((np.ones(len(rows)), (rows, columns)), (n + 2, side.n_objects)).tocsr()
    matrix.data[:] = 1  # an object in several of the other clusters counts once
    return matrix
