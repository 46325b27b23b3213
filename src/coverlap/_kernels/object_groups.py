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
def find_groups(
    left: Lists, right: Lists, key: Array, shift: int, table: Array, firsts: Array, weights: Array
) -> int:
    """Find the first object of each group, and count its objects; return the number of groups.

    Objects in no cluster are left out. The number of slots of ``table`` is a power of two, at
    least twice the number of objects. A slot holds the number of a group plus one and half of its
    hash; where the hashes are equal, the lists are compared.
    """
    mask = U(table.shape[0] - 1)
    half = U(0xFFFFFFFF)
    n_groups = U(0)
    for i in range(U(left.ends.shape[0] - 1)):
        n_left = U(left.ends[i + U(1)]) - U(left.ends[i])
        if n_left == U(0) and right.ends[i] == right.ends[i + U(1)]:
            continue
        mixed = hash_list(hash_list(n_left + key[0], left, i, key), right, i, key)
        slot = (mixed * key[1]) >> U(shift)
        while True:
            entry = U(table[slot])
            if entry == U(0):
                firsts[n_groups] = i
                weights[n_groups] = I(1)
                n_groups += U(1)
                table[slot] = (mixed & ~half) | n_groups
                break
            group = (entry & half) - U(1)
            if (entry ^ mixed) <= half:
                first = U(firsts[group])
                if are_equal(left, first, i) and are_equal(right, first, i):
                    weights[group] += I(1)
                    break
            slot = (slot + U(1)) & mask
    return n_groups
