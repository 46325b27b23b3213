"""What the engines for tables return: best matches, names of clusters, counts of objects."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.texts import Ids
from coverlap.counting.matching import Matching


class TableSide(NamedTuple):
    """The clusters of one side: their names in cluster order, and what was counted of them.

    The names are those of the clusters in the matching: without empty and equal ones, of which
    ``n_dropped`` and ``n_merged`` are the numbers. ``outlier_texts`` are the labels that are text
    and mean outliers because of the value that they spell. ``codes`` are the numbers of these
    clusters among all of the table, the empty and the equal ones included.
    """

    names: Ids
    n_memberships: int
    n_merged: int
    n_dropped: int
    n_in_several: int
    outlier_texts: tuple[Any, ...]
    codes: NDArray[np.int64]


class TableCounts(NamedTuple):
    """Two tables on one universe, counted; the counterpart of `coverlap.core.align.Pair`.

    ``rule`` is how the universe was chosen. ``n_only_left`` and ``n_only_right`` count the objects
    that only one side knew; ``disjoint`` says whether both sides knew objects, but none in common.
    """

    matching: Matching
    left: TableSide
    right: TableSide
    rule: str
    n_only_left: int
    n_only_right: int
    n_outliers_dropped: int
    disjoint: bool
