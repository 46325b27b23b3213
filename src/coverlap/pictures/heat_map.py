"""HeatMap: the objects that clusters of two sides share, for some clusters in full, or for all."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.align import Pair
from coverlap.counting.contingency import Contingency
from coverlap.counting.matching import SimilarityFormula
from coverlap.pictures.order import Order
from coverlap.pictures.sets import count_shared, shown_sets

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class HeatMap(NamedTuple):
    """The number of objects that sets of two sides share.

    The sets are the clusters of ``order`` and, in the last two rows and columns, the objects of
    all other clusters of that side, and its outliers. ``n_other_left`` and ``n_other_right`` are
    the numbers of other clusters.
    """

    order: Order
    shared: Integers
    left_sizes: Integers
    right_sizes: Integers
    n_other_left: int
    n_other_right: int

    def shares(self) -> Floats:
        """Return the share of each left set that is in each right set."""
        return self.shared / np.maximum(self.left_sizes, 1)[:, None]

    def similarities(self, form: SimilarityFormula) -> Floats:
        """Return the similarity of each left set to each right set."""
        return _similarities(form, self.shared, self.left_sizes[:, None], self.right_sizes)


def lay_out_heat_map(pair: Pair, order: Order) -> HeatMap:
    """Count the objects that the clusters of a (chosen) order share."""
    left, right = shown_sets(pair.left, order.left), shown_sets(pair.right, order.right)
    shared, left_sizes, right_sizes = count_shared(left, right), left.sizes(), right.sizes()
    for counts in (shared[-1], left_sizes, right_sizes):
        counts[-1] += pair.n_unmentioned
    return HeatMap(
        order, shared, left_sizes, right_sizes, pair.left.n_clusters - len(order.left),
        pair.right.n_clusters - len(order.right),
    )  # fmt: skip


class Overview(NamedTuple):
    """All clusters in a grid of at most some hundred rows and columns.

    Each pixel that is not empty has the position of its row and column, and the pair of clusters
    with the highest similarity of all that fall into it.
    """

    n_rows: int
    n_columns: int
    row: Integers
    column: Integers
    left: Integers
    right: Integers
    shared: Integers
    similarity: Floats


def lay_out_overview(
    cells: Contingency, order: Order, form: SimilarityFormula, most: int
) -> Overview:
    """Put the pairs of clusters that share objects into a grid of at most ``most`` a side."""
    left, shared = cells.rows(), cells.shared.astype(np.int64)
    right = cells.columns.astype(np.int64)
    similarity = _similarities(form, shared, cells.left_sizes[left], cells.right_sizes[right])
    n_rows, row = _places(order.left, left, most)
    n_columns, column = _places(order.right, right, most)
    pixel = row * n_columns + column
    by_pixel = np.lexsort((right, left, -similarity, pixel))
    _, first = np.unique(pixel[by_pixel], return_index=True)
    best = by_pixel[first]
    return Overview(
        n_rows, n_columns, row[best], column[best], left[best], right[best], shared[best],
        similarity[best],
    )  # fmt: skip


def _places(order: Integers, clusters: Integers, most: int) -> tuple[int, Integers]:
    """Return the number of places on an axis, and the place of each of these clusters."""
    n_places = min(len(order), most)
    position = np.empty(len(order), np.int64)
    position[order] = np.arange(len(order))
    return n_places, position[clusters] * n_places // max(len(order), 1)


def _similarities(
    form: SimilarityFormula, shared: Integers | Floats, own: Integers | Floats,
    other: Integers | Floats,
) -> Floats:  # fmt: skip
    # Sums of integers could be beyond 2**63 for outliers that nobody mentions.
    shared, own, other = (np.asarray(n, np.float64) for n in (shared, own, other))
    below = form.own * own + form.other * other + form.both * shared
    return np.asarray(form.factor * shared / np.maximum(below, 1))
