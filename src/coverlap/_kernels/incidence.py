"""Build and change index arrays: clusters as runs of sorted object positions."""

from coverlap._kernels._jit import Array, I, U, kernel


@kernel
def group(keys: Array, values: Array, begin: int, end: int, free: Array, out: Array) -> None:
    """Write each value of a range to the next free place of its key."""
    for i in range(U(begin), U(end)):
        key = U(keys[i])
        place = U(free[key])
        out[place] = values[i]
        free[key] = place + U(1)


@kernel
def keep_clustered(objects: Array, labels: Array, numbers: Array) -> int:
    """Replace labels by the numbers of their clusters, and drop the pairs without a cluster.

    Labels and numbers are negative where there is none. Return how many pairs remain, at the front.
    """
    free = U(0)
    for i in range(U(objects.shape[0])):
        label = I(labels[i])
        number = I(numbers[U(label)]) if label >= 0 else I(-1)
        if number >= 0:
            objects[free], labels[free] = objects[i], number
            free += U(1)
    return free


@kernel
def transpose(
    pointers: Array, members: Array, begin: int, end: int, free: Array, out: Array
) -> None:
    """Write the number of each run of a range to the next free place of each of its members."""
    for run in range(U(begin), U(end)):
        for at in range(U(pointers[run]), U(pointers[run + U(1)])):
            member = U(members[at])
            place = U(free[member])
            out[place] = run
            free[member] = place + U(1)


@kernel
def group_codes(codes: Array, begin: int, end: int, free: Array, out: Array) -> None:
    """Write the position of each object in a range to the next free place of its code, if any."""
    for i in range(U(begin), U(end)):
        code = I(codes[i])
        if code >= 0:
            place = U(free[U(code)])
            out[place] = i
            free[U(code)] = place + U(1)


@kernel
def renumber(codes: Array, number: Array, out: Array) -> None:
    """Write the number of the code of each object; ``number[0]`` is for all negative codes."""
    for i in range(U(codes.shape[0])):
        out[i] = number[U(max(I(codes[i]), I(-1)) + I(1))]


@kernel
def number_members(pointers: Array, members: Array, first: int, out: Array) -> None:
    """Write the number of the cluster of each member; the first cluster has the given number."""
    for cluster in range(U(pointers.shape[0] - 1)):
        for place in range(U(pointers[cluster]), U(pointers[cluster + U(1)])):
            out[U(members[place])] = cluster + U(first)


@kernel
def unmark_members(members: Array, is_outlier: Array) -> None:
    """Note that the members of clusters are not outliers."""
    for place in range(U(members.shape[0])):
        is_outlier[U(members[place])] = False


@kernel
def total_counts(counts: Array, begin: int, end: int) -> int:
    """Add up the counts of a range of keys over all threads; key k has the column k + 1."""
    total = I(0)
    for row in range(U(counts.shape[0])):
        for key in range(U(begin), U(end)):
            total += I(counts[row, key + U(1)])
    return total


@kernel
def lay_out(counts: Array, begin: int, end: int, start: int, pointers: Array) -> None:
    """Replace the counts of a range of keys by the places where each thread begins to write.

    ``pointers`` receives where the values of each key begin; the first ones begin at ``start``.
    """
    place = I(start)
    for key in range(U(begin), U(end)):
        pointers[key] = place
        for row in range(U(counts.shape[0])):
            count = I(counts[row, key + U(1)])
            counts[row, key + U(1)] = place
            place += count


@kernel
def ascending(pointers: Array, members: Array, bound: int) -> bool:
    """Return whether the members of every cluster ascend and are from 0 to below the bound."""
    for cluster in range(U(pointers.shape[0] - 1)):
        before = I(-1)
        for place in range(U(pointers[cluster]), U(pointers[cluster + U(1)])):
            member = I(members[place])
            if member <= before:
                return False
            before = member
        if before >= bound:
            return False
    return True


@kernel
def squeeze(pointers: Array, members: Array, squeezed: Array) -> int:
    """Drop repeated members of sorted clusters in place; return how many remain."""
    free = U(0)
    squeezed[U(0)] = U(0)
    for cluster in range(U(pointers.shape[0] - 1)):
        first = U(pointers[cluster])
        for place in range(first, U(pointers[cluster + U(1)])):
            if place == first or members[place] != members[place - U(1)]:
                members[free] = members[place]
                free += U(1)
        squeezed[cluster + U(1)] = free
    return free


@kernel
def keep(
    pointers: Array, members: Array, position: Array, kept_pointers: Array, kept: Array
) -> int:
    """Write the new positions of members that have one (not -1); return how many there are."""
    free = U(0)
    kept_pointers[U(0)] = U(0)
    for cluster in range(U(pointers.shape[0] - 1)):
        for place in range(U(pointers[cluster]), U(pointers[cluster + U(1)])):
            new = I(position[U(members[place])])
            if new >= 0:
                kept[free] = new
                free += U(1)
        kept_pointers[cluster + U(1)] = free
    return free


@kernel
def fingerprints(pointers: Array, members: Array, start: int, prints: Array) -> None:
    """Hash each cluster by its members, independent of their order."""
    for cluster in range(U(prints.shape[0])):
        total = U(0)
        for place in range(U(pointers[cluster]), U(pointers[cluster + U(1)])):
            x = U(members[place]) + U(start)
            x = (x ^ (x >> U(30))) * U(0xBF58476D1CE4E5B9)
            x = (x ^ (x >> U(27))) * U(0x94D049BB133111EB)
            total += x ^ (x >> U(31))
        prints[cluster] = total


@kernel
def same(pointers: Array, members: Array, one: int, other: int) -> bool:
    """Return whether two clusters with sorted members are equal."""
    first, second = U(pointers[one]), U(pointers[other])
    size = U(pointers[one + U(1)]) - first
    if size != U(pointers[other + U(1)]) - second:
        return False
    for i in range(size):
        if members[first + i] != members[second + i]:
            return False
    return True


@kernel
def first_equal(pointers: Array, members: Array, order: Array, prints: Array, first: Array) -> None:
    """Write the first cluster that is equal to each cluster, possibly itself.

    ``order`` sorts the fingerprints, earlier clusters first among equal ones. Clusters with equal
    fingerprints are compared by their members.
    """
    n_clusters = U(order.shape[0])
    begin = U(0)
    while begin < n_clusters:
        end = begin + U(1)
        while end < n_clusters and prints[U(order[end])] == prints[U(order[begin])]:
            end += U(1)
        for i in range(begin, end):
            cluster = U(order[i])
            first[cluster] = cluster
            for j in range(begin, i):
                earlier = U(order[j])
                if U(first[earlier]) == earlier and same(pointers, members, earlier, cluster):
                    first[cluster] = earlier
                    break
        begin = end
