"""Count memberships that arrive in chunks: objects and clusters as codes, in any order.

``numbers`` gives the cluster of each code of a chunk, `NO_CLUSTER` for outliers. ``flags`` has a
byte of the bits below for each object. The side that is held in memory is listed by object; of the
other side, some clusters at a time are listed, and matched by `coverlap._kernels.matching`.
"""

from coverlap._kernels._jit import Array, I, U
from coverlap._kernels._jit import heavy_kernel as kernel

NO_CLUSTER = 0xFFFFFFFF

KNOWN, MEMBER = 1, 4
"""Whether the left side knows an object, and has it in a cluster; twice as much on the right."""

GIVEN, KEPT = 16, 32
"""Whether an object is in the given universe, and whether it is compared."""

SHORT = 24
"""Lists up to this length are sorted by insertion."""


@kernel
def mark(objects: Array, bit: int, flags: Array) -> None:
    """Set a bit of some objects."""
    for i in range(U(objects.shape[0])):
        flags[U(objects[i])] |= U(bit)


@kernel
def count_rows(clusters: Array, numbers: Array, counts: Array) -> None:
    """Count the rows of each cluster."""
    for i in range(U(clusters.shape[0])):
        cluster = U(numbers[U(clusters[i])])
        if cluster != U(NO_CLUSTER):
            counts[cluster] += I(1)


@kernel
def count_by_object(
    objects: Array, clusters: Array, numbers: Array, low: int, high: int, known: int, flags: Array,
    counts: Array, occurs: Array,
) -> None:  # fmt: skip
    """Count the clusters of each object of a range; only objects without one are marked here.

    Also mark the clusters that occur.
    """
    for i in range(U(objects.shape[0])):
        item = U(objects[i])
        if item < U(low) or item >= U(high):
            continue
        cluster = U(numbers[U(clusters[i])])
        if cluster == U(NO_CLUSTER):
            flags[item] |= U(known)
        else:
            counts[item] += U(1)
            occurs[cluster] = True


@kernel
def mark_members(begin: int, end: int, counts: Array, known: int, flags: Array) -> None:
    """Mark the objects of a range that are in some cluster."""
    member = U(known * MEMBER) | U(known)
    for i in range(U(begin), U(end)):
        if counts[i] > 0:
            flags[i] |= member


@kernel
def count_by_cluster(
    objects: Array, clusters: Array, numbers: Array, low: int, high: int, known: int, flags: Array,
    counts: Array,
) -> None:  # fmt: skip
    """Count the rows of each cluster, and mark the objects, for a range of objects."""
    is_member = U(known * MEMBER)
    for i in range(U(objects.shape[0])):
        item = U(objects[i])
        if item < U(low) or item >= U(high):
            continue
        cluster = U(numbers[U(clusters[i])])
        flag = U(flags[item]) | U(known)
        if cluster != U(NO_CLUSTER):
            counts[cluster] += I(1)
            flag |= is_member
        flags[item] = flag


@kernel
def count_flags(begin: int, end: int, flags: Array, counts: Array) -> None:
    """Count the objects of a range by their flags."""
    for i in range(U(begin), U(end)):
        counts[U(flags[i])] += I(1)


@kernel
def replace_flags(begin: int, end: int, flags: Array, new: Array) -> None:
    """Replace the flags of a range of objects."""
    for i in range(U(begin), U(end)):
        flags[i] = new[U(flags[i])]


@kernel
def begin_lists(counts: Array, flags: Array) -> int:
    """Replace the counts of kept objects by the places where their lists begin; return the end."""
    total = U(0)
    for i in range(U(counts.shape[0])):
        count = U(counts[i])
        counts[i] = total
        if U(flags[i]) & U(KEPT):
            total += count
    return total


@kernel
def list_by_object(
    objects: Array, clusters: Array, numbers: Array, low: int, high: int, flags: Array,
    wanted: int, free: Array, lists: Array,
) -> None:  # fmt: skip
    """Write each cluster to the next free place of its object, for a range of objects.

    Objects must have the wanted flags, which are not looked at if these are 0. Rows that appear in
    a later scan only, because a file changed, are not written out of bounds.
    """
    room, every = U(lists.shape[0]), U(wanted) == U(0)
    for i in range(U(objects.shape[0])):
        item = U(objects[i])
        if item < U(low) or item >= U(high):
            continue
        cluster = U(numbers[U(clusters[i])])
        if cluster == U(NO_CLUSTER):
            continue
        place = U(free[item])
        if (every or U(flags[item]) & U(wanted)) and place < room:
            lists[place] = cluster
            free[item] = place + U(1)


@kernel
def sink(items: Array, first: int, length: int, root: int) -> None:
    """Restore the order of a heap after its root was replaced."""
    parent = root
    while True:
        child = U(2) * parent + U(1)
        if child >= length:
            return
        if child + U(1) < length and items[first + child] < items[first + child + U(1)]:
            child += U(1)
        if items[first + parent] >= items[first + child]:
            return
        items[first + parent], items[first + child] = items[first + child], items[first + parent]
        parent = child


@kernel
def sort_items(items: Array, begin: int, end: int) -> None:
    """Sort a part of an array in place."""
    first, length = U(begin), U(end) - U(begin)
    if length <= U(SHORT):
        for at in range(first + U(1), U(end)):
            item = items[at]
            place = at
            while place > first and items[place - U(1)] > item:
                items[place] = items[place - U(1)]
                place -= U(1)
            items[place] = item
        return
    for i in range(length // U(2)):
        sink(items, first, length, length // U(2) - U(1) - i)
    for i in range(U(1), length):
        last = length - i
        items[first], items[first + last] = items[first + last], items[first]
        sink(items, first, last, U(0))


@kernel
def sort_lists(begin: int, end: int, ends: Array, lists: Array) -> int:
    """Sort the list of each object of a range; return how many items repeat the one before."""
    n_repeated = I(0)
    for i in range(U(begin), U(end)):
        first, last = U(ends[i]), U(ends[i + U(1)])
        sort_items(lists, first, last)
        for place in range(first + U(1), last):
            n_repeated += I(lists[place] == lists[place - U(1)])
    return n_repeated


@kernel
def squeeze_lists(ends: Array, lists: Array) -> int:
    """Remove repeated items from sorted lists; return the number of items that are left."""
    free = first = U(0)
    for i in range(U(ends.shape[0] - 1)):
        last = U(ends[i + U(1)])
        for place in range(first, last):
            if place == first or lists[place] != lists[place - U(1)]:
                item = lists[place]
                lists[free] = item
                free += U(1)
        first = last
        ends[i + U(1)] = free
    return free


@kernel
def mixed(item: int, key: Array) -> int:
    """Return a hash of an object."""
    one = (U(item) + key[0]) * key[1]
    two = (one ^ (one >> U(32))) * key[2]
    return two ^ (two >> U(29))


@kernel
def sum_lists(
    begin: int, end: int, ends: Array, lists: Array, skipped: Array, key: Array, sizes: Array,
    sums: Array,
) -> int:  # fmt: skip
    """Count the members of each cluster, and sum their hashes; return the objects in several.

    Only the lists of a range of objects are looked at. Clusters that are skipped are neither
    counted nor summed.
    """
    n_several = I(0)
    for i in range(U(begin), U(end)):
        n_own = I(0)
        first, last = U(ends[i]), U(ends[i + U(1)])
        if first < last:
            one = mixed(i, key)
            two = mixed(one, key)
            for place in range(first, last):
                cluster = U(lists[place])
                if not skipped[cluster]:
                    sizes[cluster] += I(1)
                    sums[cluster, U(0)] ^= one
                    sums[cluster, U(1)] += two
                    n_own += I(1)
        n_several += I(n_own > I(1))
    return n_several


@kernel
def list_by_cluster(
    objects: Array, clusters: Array, numbers: Array, low: int, high: int, flags: Array,
    wanted: int, free: Array, members: Array,
) -> None:  # fmt: skip
    """Write each object to the next free place of its cluster, for a range of clusters.

    Objects must have the wanted flags, which are not looked at if these are 0.
    """
    room, every = U(members.shape[0]), U(wanted) == U(0)
    for i in range(U(objects.shape[0])):
        cluster = U(numbers[U(clusters[i])])
        if cluster < U(low) or cluster >= U(high):
            continue
        item, place = U(objects[i]), U(free[cluster])
        if (every or U(flags[item]) & U(wanted) == U(wanted)) and place < room:
            members[place] = item
            free[cluster] = place + U(1)


@kernel
def distinct_members(
    begin: int, end: int, begins: Array, ends: Array, key: Array, seen: Array, once: Array,
    twice: Array, members: Array, sums: Array,
) -> None:  # fmt: skip
    """Keep each member of a cluster once, for a range of clusters, and sum their hashes.

    ``seen``, ``once`` and ``twice`` have a bit for each object. Those of ``seen`` are 0 before and
    after; those of the others tell which objects are in some cluster, and in several.
    ``ends`` becomes the end of the members that stay.
    """
    for cluster in range(U(begin), U(end)):
        first = U(begins[cluster])
        free = first
        one = two = U(0)
        for place in range(first, U(ends[cluster])):
            item = U(members[place])
            word, bit = item >> U(6), U(1) << (item & U(63))
            if not seen[word] & bit:
                seen[word] |= bit
                twice[word] |= once[word] & bit
                once[word] |= bit
                members[free] = item
                free += U(1)
                hashed = mixed(item, key)
                one ^= hashed
                two += mixed(hashed, key)
        for place in range(first, free):
            seen[U(members[place]) >> U(6)] = U(0)
        ends[cluster] = free
        sums[cluster, U(0)] = one
        sums[cluster, U(1)] = two


@kernel
def count_bits(once: Array, twice: Array) -> int:
    """Count the objects that are in several clusters, by the bits of all threads.

    There is one row for each thread.
    """
    n_objects = I(0)
    for word in range(U(once.shape[1])):
        known = several = U(0)
        for row in range(U(once.shape[0])):
            several |= twice[row, word] | (known & once[row, word])
            known |= once[row, word]
        while several:
            several &= several - U(1)
            n_objects += I(1)
    return n_objects


@kernel
def close_gaps(begins: Array, ends: Array, members: Array) -> int:
    """Move the members of all clusters together, in place; return their number."""
    free = U(0)
    for cluster in range(U(ends.shape[0])):
        first, last = U(begins[cluster]), U(ends[cluster])
        begins[cluster] = free
        for place in range(first, last):
            item = members[place]
            members[free] = item
            free += U(1)
    begins[U(ends.shape[0])] = free
    return free


@kernel
def are_equal(one: int, other: int, pointers: Array, members: Array) -> bool:
    """Return whether two clusters of sorted members are equal."""
    first, second = U(pointers[one]), U(pointers[other])
    length = U(pointers[U(one) + U(1)]) - first
    if length != U(pointers[U(other) + U(1)]) - second:
        return False
    for i in range(length):
        if members[first + i] != members[second + i]:
            return False
    return True


@kernel
def find_equal(starts: Array, pointers: Array, members: Array, first_equal: Array) -> None:
    """Find the first cluster of the same group that each cluster is equal to, perhaps itself.

    Clusters of one group follow each other, from ``starts`` on. Members are sorted here.
    """
    for cluster in range(U(starts.shape[0])):
        sort_items(members, U(pointers[cluster]), U(pointers[cluster + U(1)]))
        first_equal[cluster] = cluster
        for earlier in range(U(starts[cluster]), cluster):
            if first_equal[earlier] == earlier and are_equal(earlier, cluster, pointers, members):
                first_equal[cluster] = earlier
                break
