"""Patterns, components and groups of objects: which scores are equal or need no walk.

Objects in the same clusters of one side have the same *pattern* there, and their walks have the
same distribution. Clusters that overlap, directly or through others, form a *component*, which no
walk leaves. A component of one cluster is *simple*: a walk is uniform on it.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import Runs, fingerprints, first_equal, frozen, narrowest, transposed

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class Components(NamedTuple):
    """The patterns and components of one side.

    Pattern p is ``members[bounds[p]:bounds[p + 1]]``, clusters numbered within their component,
    and ``weights[p]`` objects have it. Component c has the patterns
    ``rows[first_row[c]:first_row[c + 1]]`` and the clusters
    ``clusters[first_cluster[c]:first_cluster[c + 1]]``, with ``sizes`` in the same order.
    ``pattern`` is that of each object, ``component`` that of each pattern (-1: outliers). The
    inverse matrix of component c begins at ``inverses[offsets[c]]``, if that is not -1.
    """

    pattern: Integers
    component: Integers
    bounds: Integers
    members: NDArray[Any]
    weights: Floats
    first_row: Integers
    rows: Integers
    first_cluster: Integers
    clusters: Integers
    sizes: Floats
    offsets: Integers
    inverses: Floats


class Groups(NamedTuple):
    """Objects that have the same patterns on both sides, in order of their two components.

    ``group`` is that of each object. ``left`` and ``right`` are the patterns of each group,
    ``weights`` its number of objects; ``begin`` and ``end`` is the range of the groups in the
    same two components.
    """

    group: Integers
    left: Integers
    right: Integers
    weights: Floats
    begin: Integers
    end: Integers


def sort_clusters(runs: Runs) -> Runs:
    """Sort clusters by their members only.

    This makes scores independent, to the bit, of the order of the clusters. Clusters with the same
    or a close first member often share more members, so they are stored near each other.
    """
    sizes = np.diff(runs.pointers)
    order = np.lexsort((fingerprints(runs), sizes, runs.members[runs.pointers[:-1]]))
    return select_runs(runs, order, sizes)


def select_runs(runs: Runs, chosen: Integers, sizes: Integers) -> Runs:
    """Return some runs, in the given order."""
    pointers = np.concatenate(([0], np.cumsum(sizes[chosen])))
    places = np.repeat(runs.pointers[chosen] - pointers[:-1], sizes[chosen])
    places += np.arange(len(places))
    return Runs(frozen(pointers), frozen(runs.members[places]))


def find_components(runs: Runs, n_objects: int) -> Components:
    """Find the patterns and components of one side."""
    n_clusters = len(runs.pointers) - 1
    by_object = transposed(runs, n_objects)
    first = first_equal(by_object)
    found, pattern, weights = np.unique(first, return_inverse=True, return_counts=True)
    bounds, members = select_runs(by_object, found, np.diff(by_object.pointers))
    root = np.arange(n_clusters)
    _kernels.ecs.join_clusters(bounds, members, root)
    _, component, widths = np.unique(root, return_inverse=True, return_counts=True)
    clusters = np.argsort(component, kind="stable")
    first_cluster = np.concatenate(([0], np.cumsum(widths)))
    local = np.empty(n_clusters, narrowest(n_clusters))
    local[clusters] = np.arange(n_clusters) - first_cluster[component[clusters]]
    of_pattern = np.full(len(found), -1)
    used = np.diff(bounds) > 0
    of_pattern[used] = component[members[bounds[:-1][used]]]
    rows = np.argsort(of_pattern, kind="stable")
    first_row = np.searchsorted(of_pattern[rows], np.arange(len(widths) + 1))
    sizes = np.diff(runs.pointers)[clusters].astype(np.float64)
    arrays = (
        pattern, of_pattern, bounds, local[members], weights.astype(np.float64),
        first_row, rows, first_cluster, clusters, sizes, np.full(len(widths), -1), np.empty(0),
    )  # fmt: skip
    return Components(*map(frozen, arrays))


def group_objects(left: Components, right: Components) -> Groups:
    """Group the objects by their patterns on both sides.

    Groups of the same two components are sorted by their first objects, so that sums are the same
    if the sides are swapped.
    """
    both = left.pattern * len(right.component) + right.pattern
    _, found, group, weights = np.unique(
        both, return_index=True, return_inverse=True, return_counts=True
    )
    one, other = left.pattern[found], right.pattern[found]
    order = np.lexsort((found, right.component[other], left.component[one]))
    one, other = one[order], other[order]
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    components = left.component[one], right.component[other]
    changes = np.flatnonzero(np.any(np.diff(components, axis=1) != 0, axis=0)) + 1
    cuts = np.concatenate(([0], changes, [len(order)]))
    widths = np.diff(cuts)
    begin, end = np.repeat(cuts[:-1], widths), np.repeat(cuts[1:], widths)
    arrays = place[group], one, other, weights[order].astype(np.float64), begin, end
    return Groups(*map(frozen, arrays))


def scores_without_walks(
    groups: Groups, left: Components, right: Components, equal: Integers
) -> Floats:
    """Score the groups that need no walk; the others get NaN.

    Walks are the same in equal components (see `equal_components`). Where both components are
    simple, the objects of a group are all that the two clusters share, and the score is their
    number over the larger size; an outlier counts as a cluster of its own.
    """
    one, other = left.component[groups.left], right.component[groups.right]
    shared = np.where((one < 0) | (other < 0), 1.0, groups.weights)
    scores = shared / np.maximum(_simple_sizes(left, one), _simple_sizes(right, other))
    scores[(one >= 0) & (np.append(equal, -1)[one] == other)] = 1.0
    return scores


def _simple_sizes(side: Components, component: Integers) -> Floats:
    """Return the sizes of simple components, 1 for outliers and NaN for others."""
    simple = np.diff(side.first_cluster) == 1
    sizes = np.full(len(simple) + 1, np.nan)
    sizes[:-1][simple] = side.sizes[side.first_cluster[:-1][simple]]
    sizes[-1] = 1.0
    return np.asarray(sizes[component])


def equal_components(left: Runs, right: Runs, one: Components, other: Components) -> Integers:
    """Return the right component with the same clusters as each left one, -2 if there is none."""
    n_left, n_right = len(left.pointers) - 1, len(right.pointers) - 1
    both = Runs(
        frozen(np.concatenate((left.pointers, right.pointers[1:] + left.pointers[-1]))),
        frozen(np.concatenate((left.members, right.members))),
    )
    first = first_equal(both)
    component = np.full(n_left + n_right, -2)
    component[first[n_left:][other.clusters]] = np.repeat(
        np.arange(len(other.first_row) - 1), np.diff(other.first_cluster)
    )
    copies, copies_right = (
        np.bincount(side, minlength=len(first)) for side in (first[:n_left], first[n_left:])
    )
    component[copies != copies_right] = -2
    of_equal_cluster = component[first[:n_left]]
    equal = np.full(len(one.first_row) - 1, -2)
    if len(equal):
        # Clusters that overlap on the left do so on the right, where they are in one component.
        candidate = np.minimum.reduceat(of_equal_cluster[one.clusters], one.first_cluster[:-1])
        widths = np.append(np.diff(other.first_cluster), [0, 0])  # index -2 finds a width of 0
        same = np.diff(one.first_cluster) == widths[candidate]
        equal[same] = candidate[same]
    return equal
