"""Constants and records of arrays that the kernels for pairs of objects share.

Numba's cache does not notice a change in this file: change `coverlap._kernels.pairs` and
`.object_groups` together with it.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

HALF: Any = np.uint64(32)
"""Shared left clusters are counted below this bit, shared right clusters above."""

LOW: Any = np.uint64(0xFFFFFFFF)
"""The bits below."""

N_LEFT, N_RIGHT, N_BOTH, LEFT_LOSS, RIGHT_LOSS = range(5)
"""Columns of the rows of objects.

They count the objects that share left clusters, right clusters, and clusters of both sides with an
object, and sum up the left and right losses of its pairs (see `coverlap._kernels.pairs.loss`).
"""


class Lists(NamedTuple):
    """Several lists in one array: list i is ``items[ends[i]:ends[i + 1]]``, ascending."""

    ends: NDArray[np.int64]
    items: NDArray[np.uint32]


class Sides(NamedTuple):
    """An array for each side."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]


class Tally(NamedTuple):
    """The counts of pairs that one thread makes.

    ``left[j]`` and ``right[j]`` count the pairs that share j clusters of that side, for j from 2
    on; `visit_intersections` does not count smaller j. ``n_equal[0]`` counts the pairs that share
    equally many clusters on both sides, ``n_both[0]`` those that share some on both.
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    n_equal: NDArray[np.int64]
    n_both: NDArray[np.int64]


class Neighbors(NamedTuple):
    """Scratch to count the objects that share clusters with one group.

    ``cells[width * left + right]`` counts objects by the numbers of left and right clusters that
    they share, and ``listed_cells`` lists the cells that are not 0. ``listed`` lists groups that
    have to be counted, and ``n_shared`` holds the number of left clusters that each of them shares
    in its low half, of right clusters in its high half, and else 0.
    """

    listed: NDArray[np.uint32]
    n_shared: NDArray[np.uint64]
    listed_cells: NDArray[np.int64]
    cells: NDArray[np.int64]


class Intersections(NamedTuple):
    """Scratch to list the groups in the intersections of one cluster with later ones.

    ``clusters`` lists the later clusters, and ``bounds`` says for each where its groups end in
    ``groups``. ``found`` holds the pairs (later cluster, group) before they are sorted.
    ``list_ends`` and ``list_items`` hold the lists of the groups of one intersection, and the
    marks are set for the clusters of one group.
    """

    clusters: NDArray[np.uint32]
    bounds: NDArray[np.uint32]
    found: NDArray[np.uint32]
    groups: NDArray[np.uint32]
    list_ends: NDArray[np.uint32]
    list_items: NDArray[np.uint32]
    own_marks: NDArray[np.uint8]
    other_marks: NDArray[np.uint8]
