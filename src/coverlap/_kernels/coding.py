"""Number distinct keys: integers, or hashes of the rows of an array.

Hashes depend on a secret, the key of `coverlap.core.hashing`: if one word of a row changes, its
hash changes by an amount that depends on the secret, so nobody can choose another word to undo it.
"""

from coverlap._kernels._jit import Array, U, kernel

BATCH = 128
"""Number of keys whose slots are loaded into the cache before they are looked up."""


@kernel
def hash_rows(words: Array, secret: Array, keys: Array) -> None:
    """Hash each row of a two-dimensional array."""
    start, one, two = secret[0], secret[1], secret[2]
    for row in range(U(words.shape[0])):
        mixed = start
        for column in range(U(words.shape[1])):
            mixed = (mixed ^ (mixed >> U(32))) * one + U(words[row, column]) * two
        keys[row] = mixed ^ (mixed >> U(32))


@kernel
def rows_agree(words: Array, firsts: Array, codes: Array) -> bool:
    """Return whether each row equals the first row that has its code."""
    for row in range(U(words.shape[0])):
        first = U(firsts[U(codes[row])])
        if first != row:
            for column in range(U(words.shape[1])):
                if words[row, column] != words[first, column]:
                    return False
    return True


@kernel
def load_slots(keys: Array, begin: int, end: int, factor: int, shift: int, table: Array) -> int:
    """Read the slots of a batch of keys, so that they are in the cache."""
    seen = U(0)
    for i in range(U(begin), U(end)):
        seen ^= table[(keys[i] * U(factor)) >> U(shift), 0]
    return seen


@kernel
def number_keys(
    keys: Array, factor: int, shift: int, table: Array, firsts: Array, codes: Array, begin: int,
    n_known: int,
) -> tuple[int, ...]:  # fmt: skip
    """Write a code for each key, numbered by first appearance.

    ``table`` is an open-addressing hash table of (key, code plus one); its length is a power of
    two. ``firsts`` receives the place of the first key with each code. Stops before the table is
    half full or ``firsts`` is full; returns the first key without a code, the number of codes so
    far, and a number without meaning.
    """
    mask = U(table.shape[0] - 1)
    most = U(min(table.shape[0] >> 1, firsts.shape[0]))
    found = U(n_known)
    n_keys = U(keys.shape[0])
    seen = U(0)
    for i in range(U(begin), n_keys):
        if (i - U(begin)) % U(BATCH) == U(0):
            seen ^= load_slots(keys, i, min(i + U(BATCH), n_keys), factor, shift, table)
        key = keys[i]
        slot = (key * U(factor)) >> U(shift)
        number = table[slot, 1]
        while number != U(0) and table[slot, 0] != key:
            slot = (slot + U(1)) & mask
            number = table[slot, 1]
        if number == U(0):
            if found == most:
                return i, found, seen
            firsts[found] = i
            found += U(1)
            number = found
            table[slot, 0], table[slot, 1] = key, number
        codes[i] = number - U(1)
    return n_keys, found, seen


@kernel
def rehash(keys: Array, factor: int, shift: int, table: Array, firsts: Array, n_known: int) -> None:
    """Insert the keys found so far into a new, larger table."""
    mask = U(table.shape[0] - 1)
    for number in range(U(n_known)):
        key = keys[U(firsts[number])]
        slot = (key * U(factor)) >> U(shift)
        while table[slot, 1] != U(0):
            slot = (slot + U(1)) & mask
        table[slot, 0], table[slot, 1] = key, number + U(1)


@kernel
def rename(codes: Array, names: Array) -> None:
    """Replace each code by its new name, in place."""
    for i in range(U(codes.shape[0])):
        codes[i] = names[U(codes[i])]
