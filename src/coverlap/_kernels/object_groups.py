"""Group the objects that have the same clusters on both sides."""

from coverlap._kernels._jit import Array, I, U
from coverlap._kernels._jit import heavy_kernel as kernel
from coverlap._kernels.pair_records import Lists


@kernel
def copy_lists(order: Array, ends: Array, items: Array, copied_ends: Array, copied: Array) -> None:
    """Copy lists in the given order to the places that begin at ``copied_ends``."""
    for i in range(U(order.shape[0])):
        place = U(copied_ends[i])
        for at in range(U(ends[U(order[i])]), U(ends[U(order[i]) + U(1)])):
            copied[place] = items[at]
            place += U(1)


@kernel
def hash_list(mixed: int, lists: Lists, i: int, key: Array) -> int:
    """Return a hash with a list mixed into it, as in `coverlap._kernels.coding`."""
    for at in range(U(lists.ends[i]), U(lists.ends[i + U(1)])):
        mixed = (mixed ^ (mixed >> U(32))) * key[1] + U(lists.items[at]) * key[2]
    return mixed


@kernel
def are_equal(lists: Lists, one: int, other: int) -> bool:
    """Return whether two lists are equal."""
    first, second = U(lists.ends[one]), U(lists.ends[other])
    length = U(lists.ends[one + U(1)]) - first
    if length != U(lists.ends[other + U(1)]) - second:
        return False
    for i in range(length):
        if lists.items[first + i] != lists.items[second + i]:
            return False
    return True


@kernel
def part_of(mixed: int, n_parts: int) -> int:
    """Return the part of a hash table that a hash belongs to."""
    return ((mixed >> U(32)) * U(n_parts)) >> U(32)


@kernel
def hash_objects(
    begin: int, end: int, left: Lists, right: Lists, key: Array, hashes: Array, counts: Array
) -> None:
    """Hash the clusters of each object in a range, 0 if there are none.

    ``counts`` is the number of objects in each part of the hash table.
    """
    for i in range(U(begin), U(end)):
        n_left = U(left.ends[i + U(1)]) - U(left.ends[i])
        hashes[i] = U(0)
        if n_left > U(0) or right.ends[i] != right.ends[i + U(1)]:
            mixed = hash_list(hash_list(n_left + key[0], left, i, key), right, i, key)
            mixed = max(mixed, U(1))
            hashes[i] = mixed
            counts[part_of(mixed, U(counts.shape[0]))] += I(1)


@kernel
def find_groups(
    part: int, n_parts: int, left: Lists, right: Lists, hashes: Array, key: Array, shift: int,
    table: Array, weights: Array,
) -> int:  # fmt: skip
    """Count the objects of each group in one part of the hash table; return how many groups.

    The weight of the first object of a group is the number of its objects, and the other weights
    stay 0. The number of slots of ``table`` is a power of two, at least twice the number of objects
    of this part. A slot holds the first object plus one and half of its hash; where the hashes are
    equal, the lists are compared.
    """
    mask = U(table.shape[0] - 1)
    half = U(0xFFFFFFFF)
    n_groups = I(0)
    for i in range(U(hashes.shape[0])):
        mixed = U(hashes[i])
        if mixed == U(0) or part_of(mixed, n_parts) != U(part):
            continue
        slot = (mixed * key[1]) >> U(shift)
        first = i
        while True:
            entry = U(table[slot])
            if entry == U(0):
                table[slot] = (mixed & ~half) | (i + U(1))
                n_groups += I(1)
                break
            if (entry ^ mixed) <= half:
                first = (entry & half) - U(1)
                if are_equal(left, first, i) and are_equal(right, first, i):
                    break
                first = i
            slot = (slot + U(1)) & mask
        weights[first] += I(1)
    return n_groups
