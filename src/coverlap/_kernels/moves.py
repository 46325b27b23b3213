"""Follow each object from its left clusters to its right ones.

Both sides list the clusters of each object: those of object x are
``clusters[starts[x]:starts[x + 1]]``, in ascending order.
"""

from coverlap._kernels._jit import Array, I, U, kernel


@kernel
def is_listed(clusters: Array, first: int, last: int, wanted: int) -> bool:
    """Return whether a range of ascending clusters has a wanted one; -1 is never there."""
    while first < last:
        middle = (first + last) >> U(1)
        found = I(clusters[middle])
        if found == wanted:
            return True
        if found < wanted:
            first = middle + U(1)
        else:
            last = middle
    return False


@kernel
def mark_moves(
    begin: int, end: int, starts: Array, clusters: Array, partner: Array, other_starts: Array,
    other_clusters: Array, moved: Array,
) -> None:  # fmt: skip
    """Mark the memberships of a range of objects in clusters whose partner does not hold them."""
    for x in range(U(begin), U(end)):
        first, last = U(other_starts[x]), U(other_starts[x + U(1)])
        for at in range(U(starts[x]), U(starts[x + U(1)])):
            wanted = I(partner[U(clusters[at])])
            moved[at] = not is_listed(other_clusters, first, last, wanted)


@kernel
def root_of(parent: Array, node: int) -> int:
    """Return the root of the tree of a node, and shorten the way to it."""
    while U(parent[node]) != node:
        parent[node] = parent[U(parent[node])]
        node = U(parent[node])
    return node


@kernel
def number_groups(one: Array, other: Array, parent: Array, group: Array) -> int:
    """Number the connected components of a graph by their first nodes; return how many there are.

    Edge i joins the nodes ``one[i]`` and ``other[i]``. At first each node is its own parent.
    """
    for i in range(U(one.shape[0])):
        first, second = root_of(parent, U(one[i])), root_of(parent, U(other[i]))
        if first < second:
            parent[second] = first
        else:
            parent[first] = second
    n_groups = I(0)
    for node in range(U(parent.shape[0])):
        root = root_of(parent, node)
        if root == node:  # no node of a tree comes before its root
            group[node] = n_groups
            n_groups += I(1)
        else:
            group[node] = group[root]
    return n_groups


@kernel
def count_unions(
    left_starts: Array, left_clusters: Array, left_group: Array, right_starts: Array,
    right_clusters: Array, right_group: Array, last_left: Array, last_right: Array,
    n_left: Array, n_right: Array, n_both: Array, n_to_outliers: Array, n_from_outliers: Array,
) -> None:  # fmt: skip
    """Count the objects of each group of clusters: on the left, on the right, and on both.

    The last two counts are of objects on one side of the group that are outliers on the other.
    ``last_left`` and ``last_right`` are the last object counted in each group, -1 at first.
    """
    for x in range(U(left_starts.shape[0] - 1)):
        left_first, left_last = U(left_starts[x]), U(left_starts[x + U(1)])
        right_first, right_last = U(right_starts[x]), U(right_starts[x + U(1)])
        for at in range(left_first, left_last):
            group = U(left_group[U(left_clusters[at])])
            if last_left[group] != I(x):
                last_left[group] = I(x)
                n_left[group] += I(1)
                n_to_outliers[group] += I(right_first == right_last)
        for at in range(right_first, right_last):
            group = U(right_group[U(right_clusters[at])])
            if last_right[group] != I(x):
                last_right[group] = I(x)
                n_right[group] += I(1)
                n_both[group] += I(last_left[group] == I(x))
                n_from_outliers[group] += I(left_first == left_last)


@kernel
def add_losses(
    begin: int, end: int, starts: Array, clusters: Array, match: Array, own: Array,
    sought: Array, n_sought: Array, other_starts: Array, other_clusters: Array,
    other_match: Array, other: Array, losses: Array,
) -> None:  # fmt: skip
    """Add to each object of a range what it costs to be in its clusters, but not in their matches.

    A cluster puts ``own`` on each of its objects that its match does not have. A cluster of the
    other side puts ``other`` on each object of its match that it does not have itself;
    ``sought`` and ``n_sought`` are the sum and the number of the clusters whose match this is.
    """
    for x in range(U(begin), U(end)):
        first, last = U(starts[x]), U(starts[x + U(1)])
        other_first, other_last = U(other_starts[x]), U(other_starts[x + U(1)])
        total, n_open, seekers = 0.0, I(0), 0.0
        for at in range(first, last):
            cluster = U(clusters[at])
            if not is_listed(other_clusters, other_first, other_last, I(match[cluster])):
                total += own[cluster]
            seekers += sought[cluster]
            n_open += I(n_sought[cluster])
        for at in range(other_first, other_last):
            cluster = U(other_clusters[at])
            if is_listed(clusters, first, last, I(other_match[cluster])):
                seekers -= other[cluster]
                n_open -= I(1)
        if n_open > I(0):  # otherwise the difference is 0, up to rounding
            total += max(seekers, 0.0)
        losses[x] += total


@kernel
def follow_numbers(
    begin: int, end: int, own: Array, other: Array, matches: Array, costs: Array,
    other_matches: Array, other_costs: Array, only_own: float, moved: Array, losses: Array,
) -> None:  # fmt: skip
    """Find the moves from one side, and add the losses, if clusters of neither side overlap.

    ``own`` and ``other`` are the numbers of the clusters of each object, 0 for outliers. A row of
    matches has, for a number: its match, its partner (a number that is not used if there is none),
    and of how many clusters of the other side it is the match. A row of costs has what the cluster
    puts on an object that its match lacks, what those clusters of the other side put in all on an
    object that they lack, and what the cluster puts on an object that only its match has.
    ``only_own`` is the cost of an object that is an outlier on the other side only. The losses are
    those of `add_losses`.
    """
    for x in range(U(begin), U(end)):
        one, two = U(own[x]), U(other[x])
        moved[x] = I(-1)
        if one > U(0):
            total, seekers, n_seekers = 0.0, costs[one, 1], I(matches[one, 2])
            if U(matches[one, 0]) != two:
                total += costs[one, 0]
            if U(matches[one, 1]) != two:
                moved[x] = I(one) - I(1)
            if two == U(0):
                total += only_own
            elif U(other_matches[two, 0]) == one:
                seekers -= other_costs[two, 2]
                n_seekers -= I(1)
            if n_seekers > I(0):
                total += max(seekers, 0.0)
            losses[x] += total
