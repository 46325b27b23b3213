"""What became of the clusters: split, merged, dissolved, new, and so on."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import Runs, frozen
from coverlap.explain.difference import Difference

Integers = NDArray[np.int64]

WORDS = (
    "split", "merged", "mixed", "dissolved", "scattered", "new", "gathered", "kept", "same",
)  # fmt: skip
"""What can become of clusters; a group of clusters has the position of its word."""

SPLIT, MERGED, MIXED, DISSOLVED, SCATTERED, NEW, GATHERED, KEPT, SAME = range(len(WORDS))


class Groups(NamedTuple):
    """Groups of linked clusters, each cluster of either side in one group, and their changes.

    ``left`` and ``right`` list the clusters of each group. ``n_left`` and ``n_right`` are the
    numbers of objects in these clusters, and ``n_shared`` that of the objects in both.
    """

    word: Integers
    left: Runs
    right: Runs
    n_left: Integers
    n_right: Integers
    n_shared: Integers


def find_groups(difference: Difference, threshold: float) -> Groups:
    """Group the clusters of both sides by their links, and name the change of each group.

    A left and a right cluster are linked if they share at least ``threshold`` times as many
    objects as the smaller of them has. Of clusters that are not partners, only the objects
    count that are in neither partner.
    """
    n_groups, left, right = _components(difference, threshold)
    left_runs, right_runs = _members(left, n_groups), _members(right, n_groups)
    if difference.has_overlaps:
        counts = difference.count_unions(n_groups, left, right)
    else:
        counts = _add_up_cells(difference, n_groups, left, right)
    word = _words(threshold, np.diff(left_runs.pointers), np.diff(right_runs.pointers), *counts)
    n_left, n_right, n_shared, *_ = counts
    return Groups(word, left_runs, right_runs, n_left, n_right, n_shared)


def _add_up_cells(
    difference: Difference, n_groups: int, left: Integers, right: Integers
) -> tuple[Integers, ...]:
    """Return what `count_unions` does, from the sizes of clusters that do not overlap."""
    cells, n_outliers = difference.contingency, difference.n_outliers
    groups = left[cells.rows()]
    inside = groups == right[cells.columns]
    return (
        _sums(left, cells.left_sizes, n_groups),
        _sums(right, cells.right_sizes, n_groups),
        _sums(groups[inside], cells.shared[inside], n_groups),
        _sums(left, n_outliers.left, n_groups),
        _sums(right, n_outliers.right, n_groups),
    )


def _sums(groups: Integers, counts: NDArray[Any], n_groups: int) -> Integers:
    # The sums are of integers below 2**53, which floats hold exactly.
    return np.bincount(groups, counts, minlength=n_groups).astype(np.int64)


def _components(difference: Difference, threshold: float) -> tuple[int, Integers, Integers]:
    """Return the number of connected components, and that of each left and right cluster."""
    cells, partner = difference.moved_objects, difference.partners.left
    with_partner = np.flatnonzero(partner >= 0)
    left = np.concatenate((cells.rows(), with_partner))
    right = np.concatenate((cells.columns.astype(np.int64), partner[with_partner]))
    shared = np.concatenate((cells.shared, difference.by_jaccard.left.shared[with_partner]))
    smaller = np.minimum(cells.left_sizes[left], cells.right_sizes[right])
    linked = shared / smaller >= threshold
    n_left = len(cells.left_sizes)
    parent = np.arange(n_left + len(cells.right_sizes))
    group = np.empty_like(parent)
    n_groups = _kernels.moves.number_groups(
        frozen(left[linked]), frozen(right[linked] + n_left), parent, group
    )
    return int(n_groups), frozen(group[:n_left]), frozen(group[n_left:])


def _members(group: Integers, n_groups: int) -> Runs:
    sizes = np.bincount(group, minlength=n_groups)
    return Runs(np.concatenate(([0], np.cumsum(sizes))), np.argsort(group, kind="stable"))


def _words(
    threshold: float,
    n_left_clusters: Integers,
    n_right_clusters: Integers,
    n_left: Integers,
    n_right: Integers,
    n_shared: Integers,
    n_to_outliers: Integers,
    n_from_outliers: Integers,
) -> Integers:
    several_left, several_right = n_left_clusters > 1, n_right_clusters > 1
    equal = (n_left == n_shared) & (n_right == n_shared)
    # An empty union has no share that is large or small enough.
    left_stays = n_shared / np.maximum(n_left, 1) >= threshold
    right_stays = n_shared / np.maximum(n_right, 1) >= threshold
    ends = (n_right_clusters == 0) | (~left_stays & right_stays & (n_left_clusters > 0))
    begins = (n_left_clusters == 0) | (~right_stays & left_stays & (n_right_clusters > 0))
    to_outliers = 2 * n_to_outliers >= n_left - n_shared
    from_outliers = 2 * n_from_outliers >= n_right - n_shared
    return np.select(
        [
            ends & to_outliers, ends, begins & from_outliers, begins,
            several_left & several_right, several_left, several_right, equal,
        ],
        [DISSOLVED, SCATTERED, NEW, GATHERED, MIXED, MERGED, SPLIT, SAME],
        KEPT,
    )  # fmt: skip
