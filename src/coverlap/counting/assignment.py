"""The one-to-one matching of clusters, beside the best matches that F* is made of."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import frozen
from coverlap.counting.contingency import Contingency


def match_one_to_one(
    table: Contingency, left_names: Sequence[Any] = (), right_names: Sequence[Any] = ()
) -> NDArray[np.int64]:
    """Match left and right clusters one-to-one; return the match of each left cluster, -1 for none.

    No other one-to-one matching has a larger sum of shared objects. Clusters that share no object
    are not matched. Of matchings that are equally good, one with the most pairs of equal names is
    returned; which of these depends on the order of the clusters only, and not on that of the
    objects.
    """
    n_left, n_right, n_cells = len(table.left_sizes), len(table.right_sizes), len(table.columns)
    rows = table.rows()
    order = np.lexsort((table.columns, rows))
    columns, shared = (part[order].astype(np.int64) for part in (table.columns, table.shared))
    position = {name: at for at, name in enumerate(right_names)}
    namesakes = np.array([position.get(name, -1) for name in left_names] or [-1] * n_left, np.int64)
    # Equal names count less than a single object, even if all clusters have them.
    shared = shared * (min(n_left, n_right) + 1) + (columns == namesakes[rows[order]])
    columns, shared = frozen(columns), frozen(shared)
    left, right = np.full(n_left, -1), np.full(n_right, -1)
    kernel = _kernels.assignment
    kernel.match_one_to_one(
        frozen(table.pointers), columns, shared, left, right,
        np.zeros(n_left, np.int64), np.zeros(n_right, np.int64),
        np.full(n_right, kernel.NOT_FOUND), *(np.empty(n_right, np.int64) for _ in range(2)),
        *(np.empty(n_cells, np.int64) for _ in range(2)),
    )  # fmt: skip
    return left
