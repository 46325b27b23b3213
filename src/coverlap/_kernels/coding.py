"""Number the distinct rows of an array by hashing.

The key of `coverlap.core.hashing` is mixed into the hashes: if one word of a row changes, the hash
changes by an amount that depends on the key, so nobody can choose another word to undo it. The
hashing is written out in each loop, because a call to a function takes longer.
"""

from coverlap._kernels._jit import Array, U, kernel


@kernel
def rows_equal(words: Array, one: int, other: int) -> bool:
    """Return whether two rows are equal."""
    for column in range(U(words.shape[1])):
        if words[one, column] != words[other, column]:
            return False
    return True


@kernel
def encode(
    words: Array, key: Array, shift: int, table: Array, firsts: Array, codes: Array, begin: int,
    n_distinct: int,
) -> tuple[int, ...]:  # fmt: skip
    """Write a code for each row, numbered by first appearance.

    ``table`` is an open-addressing hash table of codes plus one; its length is a power of two.
    ``firsts`` receives the first row with each code. Stops before the table is half full; returns
    the first row without a code and the number of codes so far.
    """
    mask = U(table.shape[0] - 1)
    start, one, two = key[0], key[1], key[2]
    row = U(begin)
    found = U(n_distinct)
    while row < U(words.shape[0]):
        mixed = start
        for column in range(U(words.shape[1])):
            mixed = (mixed ^ (mixed >> U(32))) * one + U(words[row, column]) * two
        slot = mixed >> U(shift)
        while True:
            number = U(table[slot])
            if number == U(0):
                if U(2) * (found + U(1)) > U(table.shape[0]) or found == U(firsts.shape[0]):
                    return row, found
                firsts[found] = row
                found += U(1)
                table[slot] = found
                codes[row] = found - U(1)
                break
            if rows_equal(words, U(firsts[number - U(1)]), row):
                codes[row] = number - U(1)
                break
            slot = (slot + U(1)) & mask
        row += U(1)
    return row, found


@kernel
def rehash(
    words: Array, key: Array, shift: int, table: Array, firsts: Array, n_distinct: int
) -> None:
    """Insert the rows found so far into a new, larger table."""
    mask = U(table.shape[0] - 1)
    start, one, two = key[0], key[1], key[2]
    for number in range(U(n_distinct)):
        mixed, row = start, U(firsts[number])
        for column in range(U(words.shape[1])):
            mixed = (mixed ^ (mixed >> U(32))) * one + U(words[row, column]) * two
        slot = mixed >> U(shift)
        while U(table[slot]) != U(0):
            slot = (slot + U(1)) & mask
        table[slot] = number + U(1)


@kernel
def rename(codes: Array, names: Array) -> None:
    """Replace each code by its new name, in place."""
    for i in range(U(codes.shape[0])):
        codes[i] = names[U(codes[i])]
