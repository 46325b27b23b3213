"""Count the objects that clusters share with the clusters of a side that does not overlap.

Left clusters are runs of places, and each place holds the right number of a member, 0 for outliers.
One left cluster is counted at a time, so the scratch is one count per right cluster and stays in
the cache.
"""

from coverlap._kernels._jit import Array, I, U, heavy_kernel, kernel


@kernel
def gather(members: Array, numbers: Array, laid: Array) -> None:
    """Write the number of each member to its place."""
    for place in range(U(members.shape[0])):
        laid[place] = numbers[U(members[place])]


@kernel
def cells(
    begin: int, end: int, pointers: Array, laid: Array, column: Array, counts: Array,
    touched: Array, columns: Array, shared: Array, lengths: Array,
) -> None:  # fmt: skip
    """List the right clusters of each left cluster in a range, and how many objects they share.

    Number j is the right cluster ``column[j]``. A left cluster has at most as many cells as
    members, so its cells are written to the places of its members, and ``lengths`` is the number
    of places used.
    """
    for own in range(U(begin), U(end)):
        first, last = U(pointers[own]), U(pointers[own + U(1)])
        n_touched = U(0)
        for place in range(first, last):
            other = U(laid[place])
            before = counts[other]
            counts[other] = before + U(1)
            touched[n_touched] = other
            n_touched += U(before == 0)
        counts[U(0)] = U(0)
        n_cells = U(0)
        for j in range(n_touched):
            other = U(touched[j])
            if other > U(0):
                columns[first + n_cells] = column[other]
                shared[first + n_cells] = counts[other]
                counts[other] = U(0)
                n_cells += U(1)
        lengths[own] = n_cells


@kernel
def squeeze(
    pointers: Array, ends: Array, columns: Array, shared: Array, out_columns: Array,
    out_shared: Array,
) -> None:  # fmt: skip
    """Copy the cells of left clusters from the places of their members to adjacent places.

    The cells of cluster i are copied to the places from ``ends[i]`` to ``ends[i + 1]``.
    """
    for own in range(U(ends.shape[0] - 1)):
        first, free = U(pointers[own]), U(ends[own])
        for i in range(U(ends[own + U(1)]) - free):
            out_columns[free + i] = columns[first + i]
            out_shared[free + i] = shared[first + i]


@kernel
def joined(begin: int, end: int, pointers: Array, laid: Array, counts: Array) -> int:
    """Count the pairs of objects that share a left cluster of a range and a right cluster.

    Each object adds the number of earlier ones in the same cell. Counts are not cleared between
    left clusters: they start at the place of the first member, which no earlier count exceeds.
    """
    total = I(0)
    for own in range(U(begin), U(end)):
        first, last = U(pointers[own]), U(pointers[own + U(1)])
        base = I(first)
        counts[U(0)] = base
        for place in range(first, last):
            other = U(laid[place])
            before = I(counts[other]) - base
            before &= ~(before >> I(63))  # max(before, 0) without a branch
            counts[other] = base + before + I(1)
            total += before
        outliers = I(counts[U(0)]) - base
        total -= outliers * (outliers - I(1)) // I(2)
    return total


@kernel
def count_equal(pointers: Array, columns: Array, shared: Array, left: Array, right: Array) -> int:
    """Count the left clusters that are equal to a right cluster."""
    total = I(0)
    for own in range(U(pointers.shape[0] - 1)):
        for place in range(U(pointers[own]), U(pointers[own + U(1)])):
            count = I(shared[place])
            total += I(count == I(left[own])) * I(count == I(right[U(columns[place])]))
    return total


@heavy_kernel
def best_of_members(
    pointers: Array, members: Array, n_left: int, of_object: Array, right: Array,
    right_sizes: Array, n_right: int, counts: Array, totals: Array,
) -> None:  # fmt: skip
    """Add to each object, for each of its left clusters, the best Jaccard similarity.

    The candidates are its right clusters, ``right[of_object[i]:of_object[i + 1]]``. From ``n_left``
    and ``n_right`` on, clusters are sets of outliers, which have no similarity to other clusters.
    """
    for own in range(U(len(pointers) - 1)):
        first, last = U(pointers[own]), U(pointers[own + U(1)])
        size = I(last) - I(first)
        outliers = I(own) >= I(n_left)
        for place in range(first, last):
            member = U(members[place])
            for at in range(U(of_object[member]), U(of_object[member + U(1)])):
                counts[U(right[at])] += I(1)
        for place in range(first, last):
            member = U(members[place])
            best = 0.0
            for at in range(U(of_object[member]), U(of_object[member + U(1)])):
                other = U(right[at])
                shared = I(counts[other])
                if (I(other) >= I(n_right)) == outliers:
                    best = max(best, float(shared) / float(size + I(right_sizes[other]) - shared))
            totals[member] += best
        for place in range(first, last):
            member = U(members[place])
            for at in range(U(of_object[member]), U(of_object[member + U(1)])):
                counts[U(right[at])] = I(0)
