"""Number the ids of many rows: texts in UTF-8, in chunks, by first appearance.

The ids are distributed over several tables by their hashes, so that each thread fills one table.
A table has, for each id, its bytes in ``arena[spans[i]:spans[i + 1]]`` and a slot of 8 bytes: half
of its hash, and its number plus one. Ids are compared byte by byte.
"""

from coverlap._kernels._jit import Array, U
from coverlap._kernels._jit import heavy_kernel as kernel

BATCH = 64
"""Number of ids whose entries are loaded into the cache before they are looked up."""

LOW_HALF = 0xFFFFFFFF


@kernel
def hash_text(data: Array, begin: int, end: int, secret: Array) -> int:
    """Return the hash of a text; see `coverlap._kernels.coding`."""
    at, last = U(begin), U(end)
    mixed = secret[0] + (last - at)
    while at < last:
        word = U(0)
        for place in range(at, min(at + U(8), last)):
            word = (word << U(8)) | U(data[place])
        mixed = (mixed ^ (mixed >> U(32))) * secret[1] + word * secret[2]
        at += U(8)
    return (mixed ^ (mixed >> U(32))) * secret[1]


@kernel
def hash_texts(
    begin: int, end: int, data: Array, offsets: Array, secret: Array, hashes: Array
) -> None:
    """Hash a range of texts, each from an offset to the next one."""
    for i in range(U(begin), U(end)):
        hashes[i] = hash_text(data, U(offsets[i]), U(offsets[i + U(1)]), secret)


@kernel
def part_of(hashed: int, n_parts: int) -> int:
    """Return the table that a hash belongs to."""
    return ((U(hashed) & U(0xFFFF)) * U(n_parts)) >> U(16)


@kernel
def load_entries(
    chosen: Array, n_chosen: int, hashes: Array, shift: int, slots: Array, spans: Array,
    arena: Array,
) -> int:  # fmt: skip
    """Read the entries of a batch of ids, so that they are in the cache."""
    seen = U(0)
    for j in range(U(n_chosen)):
        seen ^= slots[hashes[U(chosen[j])] >> U(shift)]
    for j in range(U(n_chosen)):
        seen ^= U(spans[slots[hashes[U(chosen[j])] >> U(shift)] & U(LOW_HALF)])
    for j in range(U(n_chosen)):
        seen ^= U(arena[U(spans[slots[hashes[U(chosen[j])] >> U(shift)] & U(LOW_HALF)])])
    return seen


@kernel
def has_bytes(data: Array, begin: int, end: int, arena: Array, first: int, last: int) -> bool:
    """Return whether a text equals one in the arena."""
    if U(end) - U(begin) != U(last) - U(first):
        return False
    for i in range(U(end) - U(begin)):
        if data[U(begin) + i] != arena[U(first) + i]:
            return False
    return True


@kernel
def number_ids(
    begin: int, part: int, n_parts: int, data: Array, offsets: Array, hashes: Array, shift: int,
    slots: Array, spans: Array, arena: Array, known: Array, chosen: Array, codes: Array,
) -> int:  # fmt: skip
    """Write the codes of those texts whose hashes belong to one table.

    The code of number i in this table is ``i * n_parts + part``. Stops before the table is too
    full, or the arrays have no room for another id, and returns the first text without a code.
    ``known`` is the number of ids, and a number without meaning.
    """
    n_texts, n_known, mask = U(hashes.shape[0]), U(known[0]), U(slots.shape[0] - 1)
    most = min(U(spans.shape[0] - 2), (U(slots.shape[0]) * U(11)) >> U(4))
    i = U(begin)
    while i < n_texts:
        n_chosen = U(0)
        while i < n_texts and n_chosen < U(BATCH):
            chosen[n_chosen] = i
            n_chosen += U(part_of(hashes[i], n_parts) == U(part))
            i += U(1)
        known[1] ^= load_entries(chosen, n_chosen, hashes, shift, slots, spans, arena)
        for j in range(n_chosen):
            row = U(chosen[j])
            hashed, first, last = hashes[row], U(offsets[row]), U(offsets[row + U(1)])
            slot, tag = hashed >> U(shift), U(hashed) & U(LOW_HALF)
            while True:
                number = slots[slot] & U(LOW_HALF)
                if number == U(0):
                    break
                if slots[slot] >> U(32) == tag and has_bytes(
                    data, first, last, arena, spans[number - U(1)], spans[number]
                ):
                    break
                slot = (slot + U(1)) & mask
            if number == U(0):
                place = U(spans[n_known])
                if n_known >= most or place + (last - first) >= U(arena.shape[0]):
                    known[0] = n_known
                    return row
                for at in range(first, last):
                    arena[place] = data[at]
                    place += U(1)
                n_known += U(1)
                spans[n_known] = place
                slots[slot] = (tag << U(32)) | n_known
                number = n_known
            codes[row] = (number - U(1)) * U(n_parts) + U(part)
    known[0] = n_known
    return n_texts


@kernel
def fill_slots(
    n_known: int, spans: Array, arena: Array, secret: Array, shift: int, slots: Array
) -> None:
    """Enter the known ids into a new, larger table."""
    mask = U(slots.shape[0] - 1)
    for i in range(U(n_known)):
        hashed = hash_text(arena, U(spans[i]), U(spans[i + U(1)]), secret)
        slot = hashed >> U(shift)
        while slots[slot] != U(0):
            slot = (slot + U(1)) & mask
        slots[slot] = ((hashed & U(LOW_HALF)) << U(32)) | (i + U(1))
