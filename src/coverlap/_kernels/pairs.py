"""Count pairs of objects by how many clusters they share on either side, without visiting all.

Objects with the same clusters on both sides form one group (see
`coverlap._kernels.object_groups`), and ``weights`` holds the number of objects in each. There are
two strategies to find the pairs of groups.

`visit_neighbors` visits the members of all clusters of a group, and counts how often it visits
each. Its time is the sum of the squares of the sizes of the clusters.

`visit_intersections` visits only pairs that share two or more clusters of a side: they are in the
intersection of these clusters. All other pairs share at most one cluster of either side, so that
their number follows from sums over clusters (`add_shared` and `sum_values`). These sums count a
pair as often as it shares clusters, so a pair that is visited subtracts what they counted too
much: ``presummed`` is 1 there, and 0 for `visit_neighbors`.

`coverlap._kernels.pair_records` describes the records. ``rows`` has no rows if nothing is computed
for single objects. The innermost loops do not call functions that take several arrays, because
these are not inlined, and the calls would take most of the time.
"""

from coverlap._kernels._jit import Array, I, U
from coverlap._kernels._jit import heavy_kernel as kernel
from coverlap._kernels.pair_records import (
    HALF,
    LEFT_LOSS,
    LOW,
    N_BOTH,
    N_LEFT,
    N_RIGHT,
    RIGHT_LOSS,
    Intersections,
    Lists,
    Neighbors,
    Sides,
    Tally,
)


@kernel
def loss(own: int, other: int, reciprocals: Array) -> int:
    """Return max(own - other, 0) / own if other is positive, else 0, in fixed point.

    ``reciprocals[1]`` is the scale, and ``reciprocals[own]`` is the scale divided by own and
    rounded down. The result is rounded to half a unit where the division leaves a remainder.
    """
    missing = max(own - other, I(0)) * I(other > I(0))
    reciprocal = I(reciprocals[U(own)])
    remainder = (I(reciprocals[1]) - reciprocal * own) * missing
    if remainder == I(0):
        return reciprocal * missing
    return reciprocal * missing + (remainder + own // I(2)) // own


@kernel
def add_to_row(
    group: int, n_others: int, n_left: int, n_right: int, presummed: int, reciprocals: Sides,
    rows: Array,
) -> None:  # fmt: skip
    """Add what an object of a group shares with each of some others to the row of the group.

    There are no branches, because they would often be mispredicted.
    """
    left, right = I(n_left > I(0)), I(n_right > I(0))
    rows[group, U(N_LEFT)] += n_others * (left - presummed * n_left)
    rows[group, U(N_RIGHT)] += n_others * (right - presummed * n_right)
    rows[group, U(N_BOTH)] += n_others * (left * right - presummed * n_left * n_right)
    rows[group, U(LEFT_LOSS)] += n_others * loss(n_left, n_right, reciprocals.left)
    rows[group, U(RIGHT_LOSS)] += n_others * loss(n_right, n_left, reciprocals.right)


@kernel
def add_pairs(n_pairs: int, n_left: int, n_right: int, presummed: int, tally: Tally) -> None:
    """Count pairs that share these numbers of clusters."""
    both = I(n_left > I(0)) * I(n_right > I(0))
    tally.left[U(n_left)] += n_pairs
    tally.right[U(n_right)] += n_pairs
    tally.n_equal[0] += n_pairs * (both * I(n_left == n_right) - presummed * n_left * n_right)
    tally.n_both[0] += n_pairs * (both - presummed * n_left * n_right)


@kernel
def add_pairs_within_groups(
    begin: int, end: int, left: Lists, right: Lists, presummed: int, weights: Array,
    reciprocals: Sides, tally: Tally, rows: Array,
) -> None:  # fmt: skip
    """Count the pairs within each group of a range, in the rows also each object with itself."""
    for group in range(U(begin), U(end)):
        n_left = I(left.ends[group + U(1)]) - I(left.ends[group])
        n_right = I(right.ends[group + U(1)]) - I(right.ends[group])
        if presummed == I(1) and n_left < I(2) and n_right < I(2):
            continue
        weight = I(weights[group])
        add_pairs(weight * (weight - I(1)) // I(2), n_left, n_right, presummed, tally)
        if rows.shape[0] > 0:
            add_to_row(group, weight, n_left, n_right, presummed, reciprocals, rows)


@kernel
def add_others(
    group: int, weight: int, n_others: int, n_left: int, n_right: int, reciprocals: Sides,
    tally: Tally, rows: Array,
) -> None:  # fmt: skip
    """Count some objects that share these numbers of clusters with each object of a group."""
    add_pairs(weight * n_others, n_left, n_right, I(0), tally)
    if rows.shape[0] > 0:
        add_to_row(group, n_others, n_left, n_right, I(0), reciprocals, rows)


@kernel
def add_listed(
    group: int, n_listed: int, neighbors: Neighbors, weights: Array, reciprocals: Sides,
    tally: Tally, rows: Array,
) -> None:  # fmt: skip
    """Count the objects of the groups listed, and set what these share to 0.

    Groups are added to cells first, because adding to the tally and to the row takes longer.
    """
    listed, n_shared = neighbors.listed, neighbors.n_shared
    listed_cells, cells = neighbors.listed_cells, neighbors.cells
    width, weight = U(tally.right.shape[0]), I(weights[group])
    n_cells = U(0)
    for i in range(n_listed):
        other = U(listed[i])
        shared = U(n_shared[other])
        n_shared[other] = U(0)
        n_left, n_right, n_others = shared & LOW, shared >> HALF, I(weights[other])
        cell = n_left * width + n_right
        if other == group:
            continue
        if cell < U(cells.shape[0]):
            before = I(cells[cell])
            cells[cell] = before + n_others
            listed_cells[n_cells] = cell
            n_cells += U(before == I(0))
        else:
            add_others(group, weight, n_others, I(n_left), I(n_right), reciprocals, tally, rows)
    for i in range(n_cells):
        cell = U(listed_cells[i])
        n_left, n_right, n_others = cell // width, cell % width, I(cells[cell])
        cells[cell] = I(0)
        add_others(group, weight, n_others, I(n_left), I(n_right), reciprocals, tally, rows)


# All pairs that share a cluster.


@kernel
def place_after(members: Array, begin: int, end: int, member: int) -> int:
    """Return the first place in a range of ascending members that holds a larger one."""
    while begin < end:
        middle = (begin + end) >> U(1)
        if U(members[middle]) <= member:
            begin = middle + U(1)
        else:
            end = middle
    return begin


@kernel
def count_shared(
    group: int, all_groups: bool, lists: Lists, clusters: Lists, one: int, n_listed: int,
    neighbors: Neighbors,
) -> int:  # fmt: skip
    """Count the clusters that a group shares with later groups or with all, and list these groups.

    ``one`` is added for each cluster. Returns the number of groups listed so far.
    """
    listed, n_shared = neighbors.listed, neighbors.n_shared
    members = clusters.items
    for at in range(U(lists.ends[group]), U(lists.ends[group + U(1)])):
        cluster = U(lists.items[at])
        begin, end = U(clusters.ends[cluster]), U(clusters.ends[cluster + U(1)])
        if not all_groups:
            begin = place_after(members, begin, end, group)
        for place in range(begin, end):
            member = U(members[place])
            before = U(n_shared[member])
            n_shared[member] = before + one
            listed[n_listed] = member
            n_listed += U(before == U(0))
    return n_listed


@kernel
def visit_neighbors(
    begin: int, step: int, left: Lists, left_clusters: Lists, right: Lists, right_clusters: Lists,
    weights: Array, reciprocals: Sides, neighbors: Neighbors, tally: Tally, rows: Array,
) -> None:  # fmt: skip
    """Count every step-th group with all later groups that it shares a cluster with.

    If there are rows, with earlier groups too: then no two threads write to the same row.
    """
    all_groups = rows.shape[0] > 0
    for group in range(U(begin), U(weights.shape[0]), U(step)):
        n = count_shared(group, all_groups, left, left_clusters, U(1), U(0), neighbors)
        n = count_shared(group, all_groups, right, right_clusters, U(1) << HALF, n, neighbors)
        add_listed(group, n, neighbors, weights, reciprocals, tally, rows)


# Only pairs that share two clusters of a side.


@kernel
def sum_values(begin: int, end: int, lists: Lists, values: Array, totals: Array) -> None:
    """Sum the values of the items of each list in a range."""
    for i in range(U(begin), U(end)):
        total = I(0)
        for at in range(U(lists.ends[i]), U(lists.ends[i + U(1)])):
            total += I(values[U(lists.items[at])])
        totals[i] = total


@kernel
def add_shared(
    begin: int, step: int, clusters: Lists, lists: Lists, weights: Array, counts: Array,
    listed: Array, tally: Tally, rows: Array,
) -> None:  # fmt: skip
    """Sum, over all pairs, the number of shared left clusters times that of shared right clusters.

    This is the sum, over left and right clusters, of the pairs among the objects they share; here
    for every step-th left cluster. A row gets the same sum for its object, itself included.
    """
    members = clusters.items
    total = I(0)
    for cluster in range(U(begin), U(clusters.ends.shape[0] - 1), U(step)):
        first, last = U(clusters.ends[cluster]), U(clusters.ends[cluster + U(1)])
        n_listed = U(0)
        for place in range(first, last):
            group = U(members[place])
            for at in range(U(lists.ends[group]), U(lists.ends[group + U(1)])):
                other = U(lists.items[at])
                before = U(counts[other])
                counts[other] = before + U(weights[group])
                listed[n_listed] = other
                n_listed += U(before == U(0))
        if rows.shape[0] > 0:
            for place in range(first, last):
                group = U(members[place])
                for at in range(U(lists.ends[group]), U(lists.ends[group + U(1)])):
                    rows[group, U(N_BOTH)] += I(counts[U(lists.items[at])])
        for i in range(n_listed):
            shared = I(counts[U(listed[i])])
            counts[U(listed[i])] = U(0)
            total += shared * (shared - I(1)) // I(2)
    tally.n_equal[0] += total
    tally.n_both[0] += total


@kernel
def count_intersections(
    begin: int, step: int, clusters: Lists, lists: Lists, counts: Array, listed: Array,
    n_groups: Array, n_pairs: Array,
) -> None:  # fmt: skip
    """Count the groups, and the pairs of groups, in the intersections of every step-th cluster."""
    for cluster in range(U(begin), U(clusters.ends.shape[0] - 1), U(step)):
        n_listed = U(0)
        for place in range(U(clusters.ends[cluster]), U(clusters.ends[cluster + U(1)])):
            at = U(lists.ends[U(clusters.items[place]) + U(1)]) - U(1)
            while U(lists.items[at]) > cluster:  # ends, as the cluster itself is in the list
                later = U(lists.items[at])
                before = U(counts[later])
                counts[later] = before + U(1)
                listed[n_listed] = later
                n_listed += U(before == U(0))
                at -= U(1)
        for i in range(n_listed):
            size = I(counts[U(listed[i])])
            counts[U(listed[i])] = U(0)
            n_groups[cluster] += size
            n_pairs[cluster] += size * (size - I(1)) // I(2)


@kernel
def intersect(cluster: int, clusters: Lists, lists: Lists, scratch: Intersections) -> int:
    """List the groups that a cluster shares with each later cluster; return how many of these.

    ``scratch.bounds`` must be 0 for every cluster.
    """
    later_clusters, bounds, found = scratch.clusters, scratch.bounds, scratch.found
    n_clusters = U(0)
    n_found = U(0)
    for place in range(U(clusters.ends[cluster]), U(clusters.ends[cluster + U(1)])):
        group = U(clusters.items[place])
        at = U(lists.ends[group + U(1)]) - U(1)
        while U(lists.items[at]) > cluster:  # ends, as the cluster itself is in the list
            later = U(lists.items[at])
            before = U(bounds[later])
            bounds[later] = before + U(1)
            later_clusters[n_clusters] = later
            n_clusters += U(before == U(0))
            found[n_found, 0] = later
            found[n_found, 1] = group
            n_found += U(1)
            at -= U(1)
    free = U(0)
    for i in range(n_clusters):
        size = U(bounds[U(later_clusters[i])])
        bounds[U(later_clusters[i])] = free
        free += size
    for i in range(n_found):
        later = U(found[i, 0])
        scratch.groups[U(bounds[later])] = found[i, 1]
        bounds[later] += U(1)
    return n_clusters


@kernel
def set_marks(items: Array, begin: int, end: int, marks: Array, value: int) -> None:
    """Set the marks of the items in a range."""
    for at in range(begin, end):
        marks[U(items[at])] = value


@kernel
def begins_with(first: int, second: int, items: Array, begin: int, marks: Array) -> bool:
    """Return whether the first two marked items are these; at least two must be marked."""
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
def copy_lists(begin: int, end: int, own: Lists, other: Lists, scratch: Intersections) -> None:
    """Copy the own and other lists of the groups of an intersection next to each other."""
    ends, items = scratch.list_ends, scratch.list_items
    free = U(0)
    ends[U(0)] = U(0)
    for i in range(end - begin):
        group = U(scratch.groups[begin + i])
        for at in range(U(own.ends[group]), U(own.ends[group + U(1)])):
            items[free] = own.items[at]
            free += U(1)
        ends[U(2) * i + U(1)] = free
        for at in range(U(other.ends[group]), U(other.ends[group + U(1)])):
            items[free] = other.items[at]
            free += U(1)
        ends[U(2) * i + U(2)] = free


@kernel
def visit_intersections(  # noqa: PLR0915 - see the docstring of the module
    order: Array, side: int, clusters: Lists, own: Lists, other: Lists, weights: Array,
    reciprocals: Sides, scratch: Intersections, tally: Tally, rows: Array,
) -> None:  # fmt: skip
    """Count the pairs that share two or more clusters of a side (0 is the left).

    ``order`` lists clusters of this side. A pair is counted in the intersection of the first two
    clusters it shares. Pairs that share two clusters of either side are counted on the left.
    """
    by_own, by_other = (tally.left, tally.right) if side == 0 else (tally.right, tally.left)
    own_reciprocals, other_reciprocals = reciprocals.left, reciprocals.right
    if side == 1:
        own_reciprocals, other_reciprocals = reciprocals.right, reciprocals.left
    groups, ends, items = scratch.groups, scratch.list_ends, scratch.list_items
    own_marks, other_marks = scratch.own_marks, scratch.other_marks
    near, far = U(side), U(1) - U(side)
    by_object = rows.shape[0] > 0
    n_equal, n_both = I(0), I(0)
    for i in range(U(order.shape[0])):
        first = U(order[i])
        n_later = intersect(first, clusters, own, scratch)
        end = U(0)
        for later in range(n_later):
            second = U(scratch.clusters[later])
            begin, end = end, U(scratch.bounds[second])
            scratch.bounds[second] = U(0)
            if end - begin < U(2):
                continue
            copy_lists(begin, end, own, other, scratch)
            for x in range(U(1), end - begin):
                one = U(groups[begin + x])
                weight = I(weights[one])
                start, middle = U(ends[U(2) * x]), U(ends[U(2) * x + U(1)])
                stop = U(ends[U(2) * x + U(2)])
                set_marks(items, start, middle, own_marks, U(1))
                set_marks(items, middle, stop, other_marks, U(1))
                at = U(0)
                for y in range(x):
                    two = U(groups[begin + y])
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
                    expected, is_both = I(n_own * n_other), I(n_other > U(0))
                    n_equal += n_pairs * (I(n_own == n_other) - expected)
                    n_both += n_pairs * (is_both - expected)
                    if by_object:
                        own_loss = loss(I(n_own), I(n_other), own_reciprocals)
                        other_loss = loss(I(n_other), I(n_own), other_reciprocals)
                        for group, times in ((one, other_weight), (two, weight)):
                            rows[group, U(N_BOTH)] += times * (is_both - expected)
                            rows[group, U(N_LEFT) + near] += times * (I(1) - I(n_own))
                            rows[group, U(N_LEFT) + far] += times * (is_both - I(n_other))
                            rows[group, U(LEFT_LOSS) + near] += times * own_loss
                            rows[group, U(LEFT_LOSS) + far] += times * other_loss
                set_marks(items, start, middle, own_marks, U(0))
                set_marks(items, middle, stop, other_marks, U(0))
    tally.n_equal[0] += n_equal
    tally.n_both[0] += n_both
