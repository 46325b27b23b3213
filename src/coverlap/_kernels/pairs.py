"""Pairs of objects by how many clusters they share on either side, without looking at all pairs.

Objects with the same clusters on both sides are one *kind* (see `coverlap._kernels.kinds`), and
``weights`` tells how many they are. There are three ways to come by the pairs of kinds.

`walk` goes over the members of all clusters of a kind and counts how often it meets which. Its
time is the sum of the squares of the sizes of the clusters.

`compare_bits` compares every kind with every other, 64 clusters at a time. It serves clusters
that hold much of the universe each.

`visit_buckets` visits only pairs that share two or more clusters of a side: these are together in
the intersection of two clusters. Every other pair shares at most one cluster of either side, so
the rest follows from sums over clusters (`add_shared` and `add_reach`). In these sums a pair
counts as often as it shares clusters, so a pair that is visited takes that out again: ``closed``
is 1 there, and 0 where all pairs are visited.

A tally is (left, right, sums): how many pairs share how many clusters of either side (1 and 0 are
not counted by all ways); how many share equally many, and how many share some of both sides. A
row belongs to an object of a kind, and says how many objects share left clusters with it, right
clusters, and both; then the sums of its left and right losses (see `loss`). Rows are written only
if there are any. Lists are (ends, items): kind or cluster i has items[ends[i]:ends[i + 1]],
ascending. What is done for each pair is written out in the loops: calls with many arrays are not
inlined, and cost more than all the rest.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap._kernels._jit import kernel

Array = NDArray[Any]
Lists = tuple[NDArray[Any], NDArray[Any]]
Tally = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]

U: Any = np.uint64
I: Any = np.int64

SHIFT = 32
"""The left clusters that two kinds share are counted below this bit, the right ones above."""


@kernel
def loss(own: int, other: int, parts: Array) -> int:
    """Return the share of the own clusters that has no like among the other ones, times a scale.

    It is 0 if nothing is shared on the other side. ``parts[own]`` is the scale divided by own, and
    most often there is no rest; ``parts[1]`` is the scale.
    """
    missing = max(own - other, I(0)) * I(other > I(0))
    part = I(parts[U(own)])
    rest = (I(parts[1]) - part * own) * missing
    if rest == I(0):
        return part * missing
    return part * missing + (rest + own // I(2)) // own


@kernel
def note_object(
    kind: int, weight: int, n_left: int, n_right: int, closed: int, left_parts: Array,
    right_parts: Array, rows: Array,
) -> None:  # fmt: skip
    """Add to the row of a kind what its object shares with each of so many others.

    There are no branches, since none of them could be foretold.
    """
    left, right = I(n_left > I(0)), I(n_right > I(0))
    rows[kind, U(0)] += weight * (left - closed * n_left)
    rows[kind, U(1)] += weight * (right - closed * n_right)
    rows[kind, U(2)] += weight * (left * right - closed * n_left * n_right)
    rows[kind, U(3)] += weight * loss(n_left, n_right, left_parts)
    rows[kind, U(4)] += weight * loss(n_right, n_left, right_parts)


@kernel
def note_pairs(
    n_pairs: int, n_left: int, n_right: int, closed: int, by_left: Array, by_right: Array,
    sums: Array,
) -> None:  # fmt: skip
    """Count so many pairs that share so many clusters."""
    both = I(n_left > I(0)) * I(n_right > I(0))
    by_left[U(n_left)] += n_pairs
    by_right[U(n_right)] += n_pairs
    sums[0] += n_pairs * (both * I(n_left == n_right) - closed * n_left * n_right)
    sums[1] += n_pairs * (both - closed * n_left * n_right)


@kernel
def note_kinds(
    begin: int, end: int, left: Lists, right: Lists, closed: int, weights: Array, parts: Lists,
    tally: Tally, rows: Array,
) -> None:  # fmt: skip
    """Note the pairs within each kind of a range, and in the rows also each object with itself."""
    by_left, by_right, sums = tally
    left_parts, right_parts = parts
    for kind in range(U(begin), U(end)):
        n_left = I(left[0][kind + U(1)]) - I(left[0][kind])
        n_right = I(right[0][kind + U(1)]) - I(right[0][kind])
        if closed == I(1) and n_left < I(2) and n_right < I(2):
            continue
        weight = I(weights[kind])
        n_pairs = weight * (weight - I(1)) // I(2)
        note_pairs(n_pairs, n_left, n_right, closed, by_left, by_right, sums)
        if rows.shape[0] > 0:
            note_object(kind, weight, n_left, n_right, closed, left_parts, right_parts, rows)


@kernel
def note_others(
    kind: int, weight: int, n_others: int, n_left: int, n_right: int, by_left: Array,
    by_right: Array, sums: Array, left_parts: Array, right_parts: Array, rows: Array,
) -> None:  # fmt: skip
    """Note so many objects that share so many clusters with an object of a kind."""
    note_pairs(weight * n_others, n_left, n_right, I(0), by_left, by_right, sums)
    if rows.shape[0] > 0:
        note_object(kind, n_others, n_left, n_right, I(0), left_parts, right_parts, rows)


@kernel
def note_joint(
    kind: int, weight: int, width: int, n_cells: int, cells: Array, joint: Array, by_left: Array,
    by_right: Array, sums: Array, left_parts: Array, right_parts: Array, rows: Array,
) -> None:  # fmt: skip
    """Note objects that were counted first, those that share equally much together.

    ``joint[width * left + right]`` objects share so many clusters with an object of the kind, and
    ``cells`` lists where that is not 0. It becomes 0.
    """
    for i in range(n_cells):
        cell = U(cells[i])
        n_others = I(joint[cell])
        joint[cell] = I(0)
        note_others(
            kind, weight, n_others, I(cell // width), I(cell % width), by_left, by_right, sums,
            left_parts, right_parts, rows,
        )  # fmt: skip


# All pairs that share a cluster.


@kernel
def after(members: Array, begin: int, end: int, member: int) -> int:
    """Return the place after a member."""
    while begin < end:
        middle = (begin + end) >> U(1)
        if U(members[middle]) <= member:
            begin = middle + U(1)
        else:
            end = middle
    return begin


@kernel
def meet(
    kind: int, everyone: bool, lists: Lists, clusters: Lists, one: int, counts: Array, met: Array,
    n_met: int,
) -> int:  # fmt: skip
    """Count the clusters that this kind shares with later ones or all, and list whom it meets.

    ``one`` is what counts for one cluster.
    """
    ends, items = lists
    pointers, members = clusters
    for at in range(U(ends[kind]), U(ends[kind + U(1)])):
        begin, end = U(pointers[U(items[at])]), U(pointers[U(items[at]) + U(1)])
        if not everyone:
            begin = after(members, begin, end, kind)
        for place in range(begin, end):
            member = U(members[place])
            before = U(counts[member])
            counts[member] = before + one
            met[n_met] = member
            n_met += U(before == U(0))
    return n_met


@kernel
def walk(
    begin: int, step: int, left: Lists, left_clusters: Lists, right: Lists, right_clusters: Lists,
    weights: Array, parts: Lists, counts: Array, met: Array, joint: Array, cells: Array,
    tally: Tally, rows: Array,
) -> None:  # fmt: skip
    """Note every step-th kind with all later kinds that it shares a cluster with.

    If there are rows, with earlier kinds too: then no two threads write to the same row.
    """
    by_left, by_right, sums = tally
    left_parts, right_parts = parts
    by_object = rows.shape[0] > 0
    width, room = U(by_right.shape[0]), U(joint.shape[0])
    for kind in range(U(begin), U(weights.shape[0]), U(step)):
        n_met = meet(kind, by_object, left, left_clusters, U(1), counts, met, U(0))
        n_met = meet(
            kind, by_object, right, right_clusters, U(1) << U(SHIFT), counts, met, n_met
        )  # fmt: skip
        weight = I(weights[kind])
        n_cells = U(0)
        for i in range(n_met):
            other = U(met[i])
            count = U(counts[other])
            counts[other] = U(0)
            if other != kind:
                n_left, n_right = count & ((U(1) << U(SHIFT)) - U(1)), count >> U(SHIFT)
                cell = n_left * width + n_right
                if cell < room:
                    before = I(joint[cell])
                    joint[cell] = before + I(weights[other])
                    cells[n_cells] = cell
                    n_cells += U(before == I(0))
                else:
                    note_others(
                        kind, weight, I(weights[other]), I(n_left), I(n_right), by_left,
                        by_right, sums, left_parts, right_parts, rows,
                    )  # fmt: skip
        note_joint(
            kind, weight, width, n_cells, cells, joint, by_left, by_right, sums, left_parts,
            right_parts, rows,
        )  # fmt: skip


@kernel
def set_bits(lists: Lists, bits: Array) -> None:
    """Write the clusters of each kind as bits."""
    ends, items = lists
    for kind in range(U(bits.shape[0])):
        for at in range(U(ends[kind]), U(ends[kind + U(1)])):
            bits[kind, U(items[at]) >> U(6)] |= U(1) << (U(items[at]) & U(63))


@kernel
def shared_bits(bits: Array, one: int, other: int) -> int:
    """Count the bits that two rows share, in a form that compilers know to count bits."""
    total = U(0)
    for word in range(U(bits.shape[1])):
        x = bits[one, word] & bits[other, word]
        x -= (x >> U(1)) & U(0x5555555555555555)
        x = (x & U(0x3333333333333333)) + ((x >> U(2)) & U(0x3333333333333333))
        x = (x + (x >> U(4))) & U(0x0F0F0F0F0F0F0F0F)
        total += (x * U(0x0101010101010101)) >> U(56)
    return total


@kernel
def compare_bits(
    begin: int, step: int, left: Array, right: Array, weights: Array, parts: Lists, joint: Array,
    cells: Array, tally: Tally, rows: Array,
) -> None:  # fmt: skip
    """Note every step-th kind with all later kinds; if there are rows, with earlier ones too."""
    by_left, by_right, sums = tally
    left_parts, right_parts = parts
    by_object = rows.shape[0] > 0
    width, room = U(by_right.shape[0]), U(joint.shape[0])
    for kind in range(U(begin), U(weights.shape[0]), U(step)):
        weight = I(weights[kind])
        n_cells = U(0)
        for other in range(U(0) if by_object else kind + U(1), U(weights.shape[0])):
            if other != kind:
                n_left, n_right = shared_bits(left, kind, other), shared_bits(right, kind, other)
                cell = n_left * width + n_right
                if cell < room:
                    before = I(joint[cell])
                    joint[cell] = before + I(weights[other])
                    cells[n_cells] = cell
                    n_cells += U(before == I(0))
                else:
                    note_others(
                        kind, weight, I(weights[other]), I(n_left), I(n_right), by_left,
                        by_right, sums, left_parts, right_parts, rows,
                    )  # fmt: skip
        note_joint(
            kind, weight, width, n_cells, cells, joint, by_left, by_right, sums, left_parts,
            right_parts, rows,
        )  # fmt: skip


# Only pairs that share two clusters of a side.


@kernel
def add_reach(begin: int, end: int, lists: Lists, sizes: Array, reach: Array) -> None:
    """Add up the sizes of the clusters of each kind of a range."""
    ends, items = lists
    for kind in range(U(begin), U(end)):
        total = I(0)
        for at in range(U(ends[kind]), U(ends[kind + U(1)])):
            total += I(sizes[U(items[at])])
        reach[kind] = total


@kernel
def add_shared(
    begin: int, step: int, clusters: Lists, lists: Lists, weights: Array, counts: Array,
    met: Array, sums: Array, rows: Array,
) -> None:  # fmt: skip
    """Add up, over all pairs, the left clusters shared times the right clusters shared.

    That is the sum, over left and right clusters, of the pairs among the objects they share; here
    for every step-th left cluster. A row gets the same sum for its object, itself included.
    """
    pointers, members = clusters
    ends, items = lists
    total = I(0)
    for cluster in range(U(begin), U(pointers.shape[0] - 1), U(step)):
        first, last = U(pointers[cluster]), U(pointers[cluster + U(1)])
        n_met = U(0)
        for place in range(first, last):
            kind = U(members[place])
            for at in range(U(ends[kind]), U(ends[kind + U(1)])):
                other = U(items[at])
                before = U(counts[other])
                counts[other] = before + U(weights[kind])
                met[n_met] = other
                n_met += U(before == U(0))
        if rows.shape[0] > 0:
            for place in range(first, last):
                kind = U(members[place])
                for at in range(U(ends[kind]), U(ends[kind + U(1)])):
                    rows[kind, U(2)] += I(counts[U(items[at])])
        for i in range(n_met):
            shared = I(counts[U(met[i])])
            counts[U(met[i])] = U(0)
            total += shared * (shared - I(1)) // I(2)
    sums[0] += total
    sums[1] += total


@kernel
def weigh_buckets(
    begin: int, step: int, clusters: Lists, lists: Lists, counts: Array, met: Array,
    n_entries: Array, n_pairs: Array,
) -> None:  # fmt: skip
    """Tell how many entries the buckets of every step-th cluster have, and how many pairs."""
    pointers, members = clusters
    ends, items = lists
    for cluster in range(U(begin), U(pointers.shape[0] - 1), U(step)):
        n_met = U(0)
        for place in range(U(pointers[cluster]), U(pointers[cluster + U(1)])):
            at = U(ends[U(members[place]) + U(1)]) - U(1)
            while U(items[at]) > cluster:  # the cluster itself is in the list
                later = U(items[at])
                before = U(counts[later])
                counts[later] = before + U(1)
                met[n_met] = later
                n_met += U(before == U(0))
                at -= U(1)
        for i in range(n_met):
            size = I(counts[U(met[i])])
            counts[U(met[i])] = U(0)
            n_entries[cluster] += size
            n_pairs[cluster] += size * (size - I(1)) // I(2)


@kernel
def fill_buckets(
    cluster: int, clusters: Lists, lists: Lists, counts: Array, met: Array, found: Array,
    entries: Array,
) -> int:  # fmt: skip
    """Sort the members of a cluster into buckets, one for each later cluster that they are in.

    ``met`` receives the later clusters and ``counts`` where their buckets end; the first one begins
    at 0. Returns the number of buckets. ``found`` is room for the entries before they are sorted.
    """
    pointers, members = clusters
    ends, items = lists
    n_met = U(0)
    n_found = U(0)
    for place in range(U(pointers[cluster]), U(pointers[cluster + U(1)])):
        kind = U(members[place])
        at = U(ends[kind + U(1)]) - U(1)
        while U(items[at]) > cluster:  # the cluster itself is in the list
            later = U(items[at])
            before = U(counts[later])
            counts[later] = before + U(1)
            met[n_met] = later
            n_met += U(before == U(0))
            found[n_found, 0] = later
            found[n_found, 1] = kind
            n_found += U(1)
            at -= U(1)
    free = U(0)
    for i in range(n_met):
        size = U(counts[U(met[i])])
        counts[U(met[i])] = free
        free += size
    for i in range(n_found):
        later = U(found[i, 0])
        entries[U(counts[later])] = found[i, 1]
        counts[later] += U(1)
    return n_met


@kernel
def set_marks(items: Array, begin: int, end: int, marks: Array, value: int) -> None:
    """Set the marks of some items."""
    for at in range(begin, end):
        marks[U(items[at])] = value


@kernel
def begins_with(first: int, second: int, items: Array, begin: int, marks: Array) -> bool:
    """Tell whether the first two marked items are these; two at least are marked."""
    at = begin
    while not marks[U(items[at])]:
        at += U(1)
    if U(items[at]) != first:
        return False
    at += U(1)
    while not marks[U(items[at])]:
        at += U(1)
    return U(items[at]) == second


@kernel
def pack(
    begin: int, end: int, entries: Array, own_ends: Array, own_items: Array, other_ends: Array,
    other_items: Array, ends: Array, items: Array,
) -> None:  # fmt: skip
    """Copy the lists of the kinds of a bucket next to each other, own and other in turn."""
    free = U(0)
    ends[U(0)] = U(0)
    for i in range(end - begin):
        kind = U(entries[begin + i])
        for at in range(U(own_ends[kind]), U(own_ends[kind + U(1)])):
            items[free] = own_items[at]
            free += U(1)
        ends[U(2) * i + U(1)] = free
        for at in range(U(other_ends[kind]), U(other_ends[kind + U(1)])):
            items[free] = other_items[at]
            free += U(1)
        ends[U(2) * i + U(2)] = free


@kernel
def visit_buckets(  # noqa: PLR0915 - see above
    order: Array, side: int, clusters: Lists, own: Lists, other: Lists, weights: Array,
    parts: Lists, counts: Array, met: Array, found: Array, entries: Array, ends: Array,
    items: Array, own_marks: Array, other_marks: Array, tally: Tally, rows: Array,
) -> None:  # fmt: skip
    """Note the pairs that share two or more clusters of a side (0 is the left).

    ``order`` lists clusters of this side. The bucket of a cluster and of a later one holds the
    kinds that are in both. A pair is noted in the bucket of the first two clusters it shares.
    Pairs that share two clusters of either side are noted when the left is visited. ``counts``,
    ``met``, ``found``, ``entries``, ``ends``, ``items`` and the marks are scratch.
    """
    own_ends, own_items = own
    other_ends, other_items = other
    by_own, by_other, sums = tally
    own_parts, other_parts = parts
    near, far = U(side), U(1) - U(side)
    by_object = rows.shape[0] > 0
    n_equal, n_both = I(0), I(0)
    for i in range(U(order.shape[0])):
        first = U(order[i])
        n_buckets = fill_buckets(first, clusters, own, counts, met, found, entries)
        end = U(0)
        for bucket in range(n_buckets):
            second = U(met[bucket])
            begin, end = end, U(counts[second])
            counts[second] = U(0)
            if end - begin < U(2):
                continue
            pack(begin, end, entries, own_ends, own_items, other_ends, other_items, ends, items)
            for x in range(U(1), end - begin):
                one = U(entries[begin + x])
                weight = I(weights[one])
                start, middle, stop = (
                    U(ends[U(2) * x]), U(ends[U(2) * x + U(1)]), U(ends[U(2) * x + U(2)])
                )  # fmt: skip
                set_marks(items, start, middle, own_marks, U(1))
                set_marks(items, middle, stop, other_marks, U(1))
                at = U(0)
                for y in range(x):
                    two = U(entries[begin + y])
                    head, half, last = at, U(ends[U(2) * y + U(1)]), U(ends[U(2) * y + U(2)])
                    n_own, n_other = U(0), U(0)
                    while at < half:
                        n_own += U(own_marks[U(items[at])])
                        at += U(1)
                    while at < last:
                        n_other += U(other_marks[U(items[at])])
                        at += U(1)
                    if side == 1 and n_other > U(1):
                        continue
                    if n_own > U(2) and not begins_with(first, second, items, head, own_marks):
                        continue
                    other_weight = I(weights[two])
                    n_pairs = weight * other_weight
                    by_own[n_own] += n_pairs
                    by_other[n_other] += n_pairs
                    expected = I(n_own * n_other)
                    gain = I(n_other > U(0)) - expected
                    n_equal += n_pairs * (I(n_own == n_other) - expected)
                    n_both += n_pairs * gain
                    if by_object:
                        rows[one, U(2)] += other_weight * gain
                        rows[two, U(2)] += weight * gain
                        gain = I(1) - I(n_own)
                        rows[one, near] += other_weight * gain
                        rows[two, near] += weight * gain
                        gain = I(n_other > U(0)) - I(n_other)
                        rows[one, far] += other_weight * gain
                        rows[two, far] += weight * gain
                        lost = loss(I(n_own), I(n_other), own_parts)
                        rows[one, U(3) + near] += other_weight * lost
                        rows[two, U(3) + near] += weight * lost
                        lost = loss(I(n_other), I(n_own), other_parts)
                        rows[one, U(3) + far] += other_weight * lost
                        rows[two, U(3) + far] += weight * lost
                set_marks(items, start, middle, own_marks, U(0))
                set_marks(items, middle, stop, other_marks, U(0))
    sums[0] += n_equal
    sums[1] += n_both
