"""The one-to-one matching of clusters, beside the best matches that F* is made of."""

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import frozen
from coverlap.counting.contingency import Contingency


def match_one_to_one(table: Contingency) -> NDArray[np.int64]:
    """Match left and right clusters one-to-one; return the match of each left cluster, -1 for none.

    No other one-to-one matching has a larger sum of shared objects. Clusters that share no object
    are not matched. If several matchings are equally good, which of them is returned depends on
    the order of the clusters only, and not on that of the objects.
    """
    n_left, n_right, n_cells = len(table.left_sizes), len(table.right_sizes), len(table.columns)
    order = np.lexsort((table.columns, table.rows()))
    columns, shared = (
        frozen(part[order].astype(np.int64)) for part in (table.columns, table.shared)
    )
    left, right = np.full(n_left, -1), np.full(n_right, -1)
    kernel = _kernels.assignment
    kernel.match_one_to_one(
        frozen(table.pointers), columns, shared, left, right,
        np.zeros(n_left, np.int64), np.zeros(n_right, np.int64),
        np.full(n_right, kernel.NOT_FOUND), *(np.empty(n_right, np.int64) for _ in range(2)),
        *(np.empty(n_cells, np.int64) for _ in range(2)),
    )  # fmt: skip
    return left
