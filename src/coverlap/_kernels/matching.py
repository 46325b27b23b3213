"""Best matches between the clusters of two clusterings, for both sides in one pass.

`match_partitions` and its parts are for clusterings in which every object has at most one cluster:
the right codes are sorted by left cluster (a counting sort), and those of each left cluster are
counted. `match_clusters` is for clusterings that overlap: the right side is transposed once (object
-> its right clusters), and for each left cluster the right clusters of its members are counted.
Both count one left cluster at a time in one scratch array, so the table of shared counts is never
stored, and `update_best` keeps the best matches of both sides.

Time is linear in the objects for partitions, and the sum over objects of (left memberships x
right memberships) otherwise. Memory is one small code per object, or the transposed right side,
and a few numbers per cluster and thread.
"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap._kernels._jit import PLAIN_WORK, Array, I, U, heavy_kernel, kernel

SimilarityFormula = tuple[int, ...]
Best = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


BLOCK = 256
"""Number of members whose right clusters are counted at a time; see `count_shared`."""


@kernel
def update_best(
    cluster: int, own_size: int, n_touched: int, touched: Array, counts: Array, sizes: Array,
    form: SimilarityFormula, left_best: Best, right_best: Best,
) -> None:  # fmt: skip
    """Compare one left cluster with the right clusters it shares objects with; clear the counts.

    ``form`` holds a similarity as integers (a, b, c, d, symmetric): its value is
    ``d * shared / (a * own + b * other + c * shared)``. ``left_best`` and ``right_best`` are
    (match, shared, similarity) arrays. Ties go to the lowest cluster, in whatever order clusters
    are compared. Counts are exact as floats, and need no conversion where they are divided.
    """
    left_match, left_shared, left_similarity = left_best
    right_match, right_shared, right_similarity = right_best
    a, b, c, d, is_symmetric = form
    own_factor, other_factor, shared_factor, factor = float(a), float(b), float(c), float(d)
    symmetric = is_symmetric != 0
    own = float(own_size)
    best_match = U(0)
    best_shared = I(0)
    best = 0.0
    for j in range(n_touched):
        other = U(touched[j])
        shared = I(counts[other])
        counts[other] = U(0)
        other_size = float(sizes[other])
        part = float(shared)
        both = shared_factor * part
        forth = factor * part / (own_factor * own + other_factor * other_size + both)
        back = forth
        if not symmetric:
            back = factor * part / (own_factor * other_size + other_factor * own + both)
        if forth >= best and (forth > best or other < best_match):
            best_match = other
            best_shared = shared
            best = forth
        seen = right_similarity[other]
        if back >= seen and (back > seen or cluster < U(right_match[other])):
            right_match[other] = cluster
            right_shared[other] = shared
            right_similarity[other] = back
    left_match[cluster] = best_match
    left_shared[cluster] = best_shared
    left_similarity[cluster] = best


@kernel
def add_up(sizes: Array, similarities: Array, equal: bool) -> tuple[int, ...]:
    """Add up the similarities of the clusters, weighted by size or equally, without rounding.

    Each similarity is split into three 26-bit integers in units of 2**-26, 2**-52 and 2**-78, and
    these are summed as integers, so the sum does not depend on the order of the clusters. Bits
    below 2**-78 are dropped; sums stay below 2**63 for total weights below 2**37. Returns the
    number of clusters that are not empty, the total weight, and the sums of the three pieces.
    """
    scale = 67108864.0
    n_clusters = total = high = middle = low = I(0)
    for i in range(U(sizes.shape[0])):
        weight = I(sizes[i])
        n_clusters += I(weight > 0)
        if equal:
            weight = I(weight > 0)
        total += weight
        rest = similarities[i] * scale
        piece = I(rest)
        high += weight * piece
        rest = (rest - float(piece)) * scale
        piece = I(rest)
        middle += weight * piece
        rest = (rest - float(piece)) * scale
        low += weight * I(rest)
    return n_clusters, total, high, middle, low


# Partitions. Codes are shifted by one: 0 means outlier, so no loop needs a branch.


@kernel
def histogram(codes: Array, begin: int, end: int, sizes: Array) -> None:
    """Count the objects of a range by shifted code."""
    for i in range(U(begin), U(end)):
        sizes[U(max(I(codes[i]), I(-1)) + I(1))] += U(1)


@kernel
def sort_by_left(
    left: Array, right: Array, begin: int, end: int, free: Array, sorted_codes: Array, sizes: Array
) -> None:
    """Write the shifted right code of each object to the next free place of its left cluster.

    ``sizes`` counts the right codes.
    """
    for i in range(U(begin), U(end)):
        own = U(max(I(left[i]), I(-1)) + I(1))
        other = U(max(I(right[i]), I(-1)) + I(1))
        place = U(free[own])
        sorted_codes[place] = other
        free[own] = place + U(1)
        sizes[other] += U(1)


@kernel
def match_sorted(
    begin: int, end: int, sorted_codes: Array, starts: Array, sizes: Array, form: SimilarityFormula,
    counts: Array, touched: Array, left_best: Best, right_best: Best,
) -> None:  # fmt: skip
    """Match the left clusters of a range, and the right clusters with those of this range."""
    for own in range(U(begin), U(end)):
        first, last = U(starts[own]), U(starts[own + U(1)])
        n_touched = U(0)
        for place in range(first, last):
            other = U(sorted_codes[place])
            before = counts[other]
            counts[other] = before + U(1)
            touched[n_touched] = other
            n_touched += U(before == 0)
        counts[U(0)] = U(0)
        own_size = I(last) - I(first)
        update_best(own, own_size, n_touched, touched, counts, sizes, form, left_best, right_best)


@kernel
def count_outliers(codes: Array) -> int:
    """Count the outliers among objects with these shifted codes."""
    total = I(0)
    for place in range(U(codes.shape[0])):
        total += I(codes[place] == 0)
    return total


@kernel
def merge_best(begin: int, end: int, bests: Best) -> None:
    """Merge the rows of best matches into the first one, for a range of clusters.

    Each row has the best matches that one thread found. Ties go to the lowest cluster.
    """
    match, shared, similarity = bests
    for row in range(U(1), U(match.shape[0])):
        for own in range(U(begin), U(end)):
            new, old = similarity[row, own], similarity[U(0), own]
            tie = new == old and shared[row, own] > 0 and match[row, own] < match[U(0), own]
            if new > old or tie:
                match[U(0), own] = match[row, own]
                shared[U(0), own] = shared[row, own]
                similarity[U(0), own] = new


@kernel
def sort_codes(left: Array, right: Array, n_left: int, n_right: int) -> Any:
    """Sort the right codes by left code in one thread and one call, for fewer than 2**32 objects.

    ``n_left`` and ``n_right`` are one more than the largest codes. Returns where the objects of
    each shifted left code begin, their shifted right codes, and the sizes of both sides.
    """
    n_objects = left.shape[0]
    width, other_width = I(n_left) + I(1), I(n_right) + I(1)
    left_sizes, right_sizes = np.zeros(width, np.int64), np.zeros(other_width, np.int64)
    starts, free = np.empty(width + I(1), np.int64), np.empty(width, np.uint32)
    sorted_codes = np.empty(n_objects, np.uint32)
    histogram(left, 0, n_objects, left_sizes)
    place = U(0)
    for code in range(U(width)):
        starts[code] = place
        free[code] = place
        place += U(left_sizes[code])
    starts[U(width)] = place
    sort_by_left(left, right, 0, n_objects, free, sorted_codes, right_sizes)
    return starts, sorted_codes, left_sizes, right_sizes


@kernel
def match_partitions(
    left: Array, right: Array, form: SimilarityFormula, n_left: int, n_right: int
) -> Any:
    """Match two partitions in one thread and one call; see `sort_codes`.

    Returns the sizes and the best matches of both sides by shifted code, and the number of shared
    outliers.
    """
    starts, sorted_codes, left_sizes, right_sizes = sort_codes(left, right, n_left, n_right)
    width, other_width = I(n_left) + I(1), I(n_right) + I(1)
    left_best = np.zeros(width, np.int64), np.zeros(width, np.int64), np.zeros(width, np.float64)
    right_best = (
        np.zeros(other_width, np.int64),
        np.zeros(other_width, np.int64),
        np.zeros(other_width, np.float64),
    )
    counts, touched = np.zeros(other_width, np.uint32), np.empty(other_width + I(1), np.uint32)
    match_sorted(
        1, width, sorted_codes, starts, right_sizes, form, counts, touched, left_best, right_best
    )  # fmt: skip
    n_shared = count_outliers(sorted_codes[: left_sizes[U(0)]])
    return left_sizes, right_sizes, left_best, right_best, n_shared


@kernel
def largest(codes: Array) -> int:
    """Return the largest code, -1 if all are negative."""
    top = I(-1)
    for i in range(U(codes.shape[0])):
        top = max(top, I(codes[i]))
    return top


@kernel
def total_partitions(
    left: Array, right: Array, form: SimilarityFormula, equal: bool, limit: int
) -> Any:
    """Match two arrays of labels and add up the similarities, in one thread and one call.

    Returns the `add_up` of each side (without outliers), and the numbers of left, right and shared
    outliers. The first number is -1 if a label is not below the limit.
    """
    top_left, top_right = largest(left), largest(right)
    if max(top_left, top_right) >= I(limit):
        nothing = I(-1), I(0), I(0), I(0), I(0)
        return nothing, nothing, (I(0), I(0), I(0))
    left_sizes, right_sizes, left_best, right_best, n_shared = match_partitions(
        left, right, form, top_left + I(1), top_right + I(1)
    )
    _, _, left_similarity = left_best
    _, _, right_similarity = right_best
    return (
        add_up(left_sizes[1:], left_similarity[1:], equal),
        add_up(right_sizes[1:], right_similarity[1:], equal),
        (left_sizes[0], right_sizes[0], n_shared),
    )


# Covers. Clusters are runs of sorted members: members[pointers[c]:pointers[c + 1]].


@kernel
def first_at_least(members: Array, begin: int, end: int, bound: int) -> int:
    """Return the place of the first of the sorted members that is not below the bound."""
    while begin < end:
        middle = (begin + end) >> U(1)
        if U(members[middle]) < bound:
            begin = middle + U(1)
        else:
            end = middle
    return begin


@kernel
def total_and_largest(values: Array) -> tuple[int, ...]:
    """Return the sum of some values, and the largest one."""
    most = total = U(0)
    for i in range(U(values.shape[0])):
        most = max(most, U(values[i]))
        total += U(values[i])
    return total, most


@kernel
def accumulate(values: Array, start: int) -> None:
    """Replace each value by a start plus the sum of the earlier values."""
    total = U(start)
    for i in range(U(values.shape[0])):
        value = U(values[i])
        values[i] = total
        total += value


@kernel
def transpose_range(
    pointers: Array, members: Array, lowest: int, highest: int, free: Array, clusters: Array
) -> None:
    """Write each cluster to the next free place of its members, for a range of objects.

    If ``clusters`` is empty, the clusters of each object are only counted in ``free``. Unlike
    `incidence.transpose`, threads share the objects and not the clusters. This needs sorted
    members, but is up to three times as fast with two threads.
    """
    writes = clusters.shape[0] > 0
    for cluster in range(U(pointers.shape[0] - 1)):
        end = U(pointers[cluster + U(1)])
        place = first_at_least(members, U(pointers[cluster]), end, U(lowest))
        while place < end:
            member = U(members[place])
            if member >= U(highest):
                break
            spot = U(free[member])
            if writes:
                clusters[spot] = cluster
            free[member] = spot + U(1)
            place += U(1)


@kernel
def count_all_outliers(begin: int, end: int, is_outlier: Array, ends: Array) -> tuple[int, ...]:
    """Count the left, right and shared outliers in a range; objects with no clusters in ``ends``.

    ``is_outlier`` is for the left side; the right side is transposed.
    """
    n_left = n_right = n_shared = I(0)
    for i in range(U(begin), U(end)):
        left, right = I(is_outlier[i]), I(ends[i] == ends[i + U(1)])
        n_left += left
        n_right += right
        n_shared += left * right
    return n_left, n_right, n_shared


@kernel
def count_shared(
    begin: int, end: int, members: Array, ends: Array, clusters: Array, gathered: Array,
    counts: Array, touched: Array,
) -> int:  # fmt: skip
    """Count the members of one left cluster that are in each right cluster.

    Object i is in the right clusters ``clusters[ends[i]:ends[i + 1]]``. Memory is read in random
    places, which takes most of the time unless several reads overlap. So the first cluster of each
    of some members is gathered without branches, before the other clusters, which are then in the
    cache, are counted: a third less time than member by member if there are 20 million objects.
    """
    n_touched = U(0)
    if clusters.shape[0] == 0:
        return n_touched
    place, top = U(begin), U(clusters.shape[0]) - U(1)
    while place < U(end):
        stop = min(U(end), place + U(BLOCK))
        n_gathered = U(0)
        for i in range(place, stop):
            member = U(members[i])
            first = U(ends[member])
            gathered[n_gathered] = clusters[min(first, top)]
            n_gathered += U(first < U(ends[member + U(1)]))
        for j in range(n_gathered):
            other = U(gathered[j])
            before = counts[other]
            counts[other] = before + U(1)
            touched[n_touched] = other
            n_touched += U(before == 0)
        for i in range(place, stop):
            member = U(members[i])
            for spot in range(U(ends[member]) + U(1), U(ends[member + U(1)])):
                other = U(clusters[spot])
                before = counts[other]
                counts[other] = before + U(1)
                touched[n_touched] = other
                n_touched += U(before == 0)
        place = stop
    return n_touched


def _visits(order: Array, _pointers: Array, members: Array, ends: Array, *_: Any) -> int:
    """Return an upper bound of the pairs of memberships that `match_clusters` visits."""
    n_least = len(order) + len(members)
    if n_least > PLAIN_WORK:
        return n_least
    return n_least + int((ends[1:][members] - ends[members]).sum())


@partial(kernel, work=_visits)
def match_clusters(
    order: Array, pointers: Array, members: Array, ends: Array, clusters: Array, sizes: Array,
    form: SimilarityFormula, gathered: Array, counts: Array, touched: Array, left_best: Best,
    right_best: Best,
) -> None:  # fmt: skip
    """Match the left clusters listed in ``order``, and the right clusters with these.

    The order only matters for speed: if small clusters come first, a later cluster is seldom a
    better match than an earlier one, so the branches in `update_best` are predictable.
    """
    for i in range(U(order.shape[0])):
        own = U(order[i])
        begin, end = U(pointers[own]), U(pointers[own + U(1)])
        n_touched = count_shared(begin, end, members, ends, clusters, gathered, counts, touched)
        own_size = I(end) - I(begin)
        update_best(own, own_size, n_touched, touched, counts, sizes, form, left_best, right_best)


@heavy_kernel
def list_shared(
    begin: int, end: int, pointers: Array, members: Array, ends: Array, clusters: Array,
    gathered: Array, counts: Array, touched: Array, lefts: Array, rights: Array, shared: Array,
) -> tuple[int, ...]:  # fmt: skip
    """List the pairs of clusters that share objects, by left cluster, while the arrays have room.

    Returns the first left cluster that was not listed and the number of pairs.
    """
    n_pairs = U(0)
    room = U(lefts.shape[0])
    own = U(begin)
    while own < U(end):
        first, last = U(pointers[own]), U(pointers[own + U(1)])
        if n_pairs + U(counts.shape[0]) > room:
            break
        n_touched = count_shared(first, last, members, ends, clusters, gathered, counts, touched)
        for j in range(n_touched):
            other = U(touched[j])
            lefts[n_pairs] = own
            rights[n_pairs] = other
            shared[n_pairs] = counts[other]
            counts[other] = U(0)
            n_pairs += U(1)
        own += U(1)
    return own, n_pairs
