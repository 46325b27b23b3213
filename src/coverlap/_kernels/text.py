"""Split text into tokens, and number the distinct ones.

A block of text is split first and its tokens are numbered afterwards, because every lookup in a
large dictionary is a cache miss: in a loop of their own many such misses overlap, which is four
times as fast.

A dictionary of tokens consists of the arrays of `Entries`. An integer has an odd key, which is its
value, and takes no bytes; any other token has an even key, which is a hash of its bytes, and a
head, its first eight bytes. No two short tokens have the same key and head, since their other bytes
could be computed from these; so bytes are compared of long tokens only. Hashes depend on a secret,
the key of `coverlap.core.hashing`.
"""

from typing import NamedTuple

from coverlap._kernels._jit import Array, I, U, kernel

PLAIN, SEPARATOR, SPACE, NEWLINE = range(4)
"""Classes of bytes. Spaces may be inside a token, but are removed from both of its ends."""

DONE, WRONG_FIELDS, STRAY_QUOTE, OPEN_QUOTE, BLANK_LINE = range(5)
"""Why `cut_fields` stopped."""

AT, LINE, FIELDS, BLANK = range(4)
"""State of `cut_fields`: where the record begins, its line, its number of fields, and the first
blank line or 0."""

MISSING = -(2**31)
"""Value of an empty field among integers."""

BATCH = 128
"""Number of tokens whose entries are loaded into the cache before they are looked up."""

SHORT = 15
"""Maximum number of bytes of a short token; the second of its words has seven at most."""

LONG = 2**64 - 1
"""The head of all longer tokens. No token of UTF-8 begins so."""


class Entries(NamedTuple):
    """The distinct tokens of a dictionary.

    ``table`` is an open-addressing hash table of (key, number plus one), ``keys`` and ``heads`` are
    those of each token, and ``spans`` where its bytes begin in ``arena``. ``counts[0]`` is the
    number of tokens, and ``secret`` makes the hashes hard to predict. A hash shifted by ``shift``
    bits is a slot.
    """

    table: Array
    keys: Array
    heads: Array
    spans: Array
    arena: Array
    counts: Array
    secret: Array
    shift: int


@kernel
def line_end(data: Array, begin: int) -> int:
    """Return the place of the newline that ends a line."""
    at = U(begin)
    while data[at] != U(10):
        at += U(1)
    return at


@kernel
def cut_lines(
    data: Array, classes: Array, comment: int, begins: Array, ends: Array, line_ends: Array,
    line_numbers: Array,
) -> tuple[int, ...]:  # fmt: skip
    """Split whole lines into tokens.

    Writes where each token begins and ends and, for each line that is not a comment, the number of
    tokens so far and the number of the line. Returns the numbers of tokens, lines and comments.
    """
    size = U(data.shape[0])
    at, n_tokens, n_lines, n_comments = U(0), U(0), U(0), U(0)
    while at < size:
        if U(data[at]) == U(comment):
            at = line_end(data, at) + U(1)
            n_comments += U(1)
            continue
        while classes[data[at]] != NEWLINE:
            if classes[data[at]] == PLAIN:
                begins[n_tokens] = at
                end = at
                while classes[data[at]] == PLAIN or classes[data[at]] == SPACE:
                    at += U(1)
                    if classes[data[at - U(1)]] == PLAIN:
                        end = at
                ends[n_tokens] = end
                n_tokens += U(1)
            else:
                at += U(1)
        line_ends[n_lines] = n_tokens
        line_numbers[n_lines] = n_lines + n_comments
        n_lines += U(1)
        at += U(1)
    return n_tokens, n_lines, n_comments


@kernel
def unquote(data: Array, begin: int, quote: int) -> tuple[int, ...]:
    """Replace doubled quotes in a quoted field by single ones, in place.

    Returns where the field ends now, the place after the closing quote, and the number of newlines
    inside. If the quote is never closed, that place is past the end of the data.
    """
    at = U(begin)
    kept = at
    n_newlines = U(0)
    while at < U(data.shape[0]):
        byte = U(data[at])
        if byte == U(quote):
            at += U(1)
            if U(data[at]) != U(quote):
                return kept, at, n_newlines
        elif byte == U(10):
            n_newlines += U(1)
        data[kept] = byte
        kept += U(1)
        at += U(1)
    return kept, at + U(1), n_newlines


@kernel
def cut_fields(
    data: Array, classes: Array, quote: int, columns: Array, begins: Array, ends: Array,
    line_numbers: Array, state: Array,
) -> tuple[int, ...]:  # fmt: skip
    """Split whole lines into fields, and keep some of them.

    ``columns`` has an item for each field of a record: the column to write it to, or -1. Blank
    lines are allowed only at the end. The number of the first line is read from the state. Returns
    why the kernel stopped and the number of records.
    """
    size = U(data.shape[0])
    n_fields = U(columns.shape[0])
    at, line, n_records = U(0), U(state[LINE]), U(0)
    while at < size:
        record, record_line = at, line
        while classes[data[at]] == SPACE:
            at += U(1)
        if classes[data[at]] == NEWLINE:
            if state[BLANK] == 0:
                state[BLANK] = line
            at += U(1)
            line += U(1)
            continue
        state[AT], state[LINE] = record, record_line
        if state[BLANK] > 0:
            return BLANK_LINE, n_records
        field = U(0)
        while True:
            while classes[data[at]] == SPACE:
                at += U(1)
            begin = at
            if U(data[at]) == U(quote):
                begin += U(1)
                end, at, n_newlines = unquote(data, begin, quote)
                if at > size:
                    return OPEN_QUOTE, n_records
                line += n_newlines
                while classes[data[at]] == SPACE:
                    at += U(1)
                if classes[data[at]] == PLAIN:
                    return STRAY_QUOTE, n_records
            else:
                end = at
                while classes[data[at]] == PLAIN or classes[data[at]] == SPACE:
                    at += U(1)
                    if classes[data[at - U(1)]] == PLAIN:
                        end = at
            if field < n_fields and columns[field] >= 0:
                begins[n_records, columns[field]] = begin
                ends[n_records, columns[field]] = end
            field += U(1)
            at += U(1)
            if classes[data[at - U(1)]] == NEWLINE:
                break
        if field != n_fields:
            state[FIELDS] = field
            return WRONG_FIELDS, n_records
        line_numbers[n_records] = record_line
        n_records += U(1)
        line += U(1)
    return DONE, n_records


@kernel
def cut_integers(
    data: Array, separator: int, quote: int, columns: Array, values: Array
) -> tuple[int, ...]:  # fmt: skip
    """Read integers from whole lines, up to the first line that is not as simple as most are.

    ``columns`` is that of `cut_fields`. A field to keep must be a canonical integer of at most nine
    digits, or empty if its column is not the first; `MISSING` stands for an empty one. Other fields
    must have no quotes. Returns the number of lines read and where the next line begins.
    """
    size, n_fields = U(data.shape[0]), U(columns.shape[0])
    record, n_records = U(0), U(0)
    while record < size:
        at = record
        for field in range(n_fields):
            column = columns[field]
            end = U(separator) if field + U(1) < n_fields else U(10)
            if column < 0:
                while U(data[at]) != U(separator) and U(data[at]) != U(10):
                    if U(data[at]) == U(quote):
                        return n_records, record
                    at += U(1)
            else:
                sign = I(1)
                if U(data[at]) == U(45):
                    sign = I(-1)
                    at += U(1)
                first = at
                value = I(0)
                digit = U(data[at]) - U(48)
                while digit < U(10):
                    value = value * I(10) + I(digit)
                    at += U(1)
                    digit = U(data[at]) - U(48)
                if at == first:
                    if column == 0 or sign < 0:
                        return n_records, record
                    value = I(MISSING)
                elif at - first > U(9) or (
                    U(data[first]) == U(48) and (at - first > U(1) or sign < 0)
                ):
                    return n_records, record
                values[n_records, column] = sign * value
            if U(data[at]) != end:
                return n_records, record
            at += U(1)
        record = at
        n_records += U(1)
    return n_records, record


@kernel
def mark_integers(values: Array, low: int, marks: Array) -> None:
    """Mark the integers that occur, by their distance from the lowest."""
    for i in range(U(values.shape[0])):
        marks[U(I(values[i]) - I(low))] = 1


@kernel
def rank_integers(values: Array, low: int, ranks: Array) -> None:
    """Replace integers by their ranks, in place."""
    for i in range(U(values.shape[0])):
        values[i] = ranks[U(I(values[i]) - I(low))]


@kernel
def cut_shares(data: Array, begins: Array, ends: Array) -> None:
    """Cut off the last colon of each token and the text after it."""
    for token in range(U(begins.shape[0])):
        at = U(ends[token])
        while at > U(begins[token]) + U(1):
            at -= U(1)
            if U(data[at]) == U(58):
                ends[token] = at
                break


@kernel
def text_key(data: Array, begin: int, end: int, secret: Array) -> tuple[int, ...]:
    """Hash the bytes of a token to an even number; return this key and the head.

    For a given head, each step from the second word of a short token to the key can be undone: only
    the first bit of the sum is lost, but the secret is odd and the word is less than 2**56. As no
    byte is null, words tell their lengths; a token of eight bytes has a second word, which is 0.
    Longer tokens have the head `LONG`.
    """
    size = U(end) - U(begin)
    mixed, head = secret[0], U(0)
    if size > U(SHORT):
        mixed += size
    at = U(begin)
    while at <= end:
        word = U(0)
        for place in range(at, min(at + U(8), U(end))):
            word = (word << U(8)) | U(data[place])
        if at == begin:
            head = word
        mixed = (mixed ^ (mixed >> U(32))) * secret[1] + word * secret[2]
        at += U(8)
    if size > U(SHORT):
        head = U(LONG)
    key = mixed << U(1)
    return key ^ (key >> U(33) << U(1)), head


@kernel
def write_keys(
    data: Array, begins: Array, ends: Array, secret: Array, keys: Array, heads: Array
) -> tuple[int, ...]:  # fmt: skip
    """Write the key and head of each token; return how many are not integers, and how many long.

    Only canonical integers count as integers: no plus sign, no leading zeros, at most 18 digits.
    """
    n_texts, n_long = U(0), U(0)
    for token in range(U(begins.shape[0])):
        begin, end = U(begins[token]), U(ends[token])
        digits = begin
        if end - begin > U(1) and U(data[begin]) == U(45):
            digits += U(1)
        whole = end > digits and end - digits <= U(18)
        if whole and U(data[digits]) == U(48):
            whole = end - begin == U(1)
        value = U(0)
        if whole:
            for at in range(digits, end):
                digit = U(data[at]) - U(48)
                if digit > U(9):
                    whole = False
                    break
                value = value * U(10) + digit
        if whole:
            if digits > begin:
                value = U(0) - value
            keys[token], heads[token] = (value << U(1)) | U(1), U(0)
        else:
            keys[token], heads[token] = text_key(data, begin, end, secret)
            n_texts += U(1)
            if end - begin > U(SHORT):
                n_long += U(1)
    return n_texts, n_long


@kernel
def slot_of(key: int, shift: int, secret: Array) -> int:
    """Return the first slot in which a key may be."""
    return (U(key) * secret[1]) >> U(shift)


@kernel
def prefetch(
    wanted: Array, begin: int, end: int, entries: Entries, n_texts: int, n_long: int
) -> int:  # fmt: skip
    """Read the entries of a batch of tokens, so that they are in the cache."""
    table, _, heads, spans, arena, _, secret, shift = entries
    seen = U(0)
    for i in range(U(begin), U(end)):
        seen ^= table[slot_of(wanted[i], shift, secret), 0]
    if n_texts:
        for i in range(U(begin), U(end)):
            seen ^= heads[table[slot_of(wanted[i], shift, secret), 1]]
    if n_long:
        for i in range(U(begin), U(end)):
            seen ^= U(spans[table[slot_of(wanted[i], shift, secret), 1]])
        for i in range(U(begin), U(end)):
            seen ^= U(arena[U(spans[table[slot_of(wanted[i], shift, secret), 1]])])
    return seen


@kernel
def same_bytes(data: Array, begin: int, end: int, arena: Array, first: int, last: int) -> bool:
    """Return whether two tokens have the same bytes."""
    if end - begin != last - first:
        return False
    for i in range(end - begin):
        if data[begin + i] != arena[first + i]:
            return False
    return True


@kernel
def number_tokens(
    data: Array, begins: Array, ends: Array, wanted: Array, own_heads: Array, n_texts: int,
    n_long: int, begin: int, entries: Entries, numbers: Array,
) -> int:  # fmt: skip
    """Write the number of each token, by first appearance.

    ``wanted`` holds their keys, and the counts are those that `write_keys` returned. Stops before
    the table is half full, and returns the first token without a number. The arena must have room
    for all of ``data``.
    """
    table, keys, heads, spans, arena, counts, secret, shift = entries
    mask = U(table.shape[0] - 1)
    n_wanted = U(wanted.shape[0])
    n_known = U(counts[0])
    for i in range(U(begin), n_wanted):
        if (i - U(begin)) % U(BATCH) == U(0):
            batch_end = min(i + U(BATCH), n_wanted)
            counts[1] ^= I(prefetch(wanted, i, batch_end, entries, n_texts, n_long))
        key, head = wanted[i], own_heads[i]
        first, last = U(begins[i]), U(ends[i])
        if i > U(begin) and key == wanted[i - U(1)] and head == own_heads[i - U(1)]:
            own, own_end = U(begins[i - U(1)]), U(ends[i - U(1)])  # often in a sorted column
            if head != U(LONG) or same_bytes(data, first, last, data, own, own_end):
                numbers[i] = numbers[i - U(1)]
                continue
        slot = slot_of(key, shift, secret)
        while True:
            found = table[slot, 1]
            if found == U(0):
                break
            if table[slot, 0] == key and (key & U(1) or heads[found - U(1)] == head):
                if head != U(LONG):
                    break
                own, own_end = U(spans[found - U(1)]), U(spans[found])
                if same_bytes(data, first, last, arena, own, own_end):
                    break
            slot = (slot + U(1)) & mask
        if found == U(0):
            if U(2) * n_known >= U(table.shape[0]):
                counts[0] = n_known
                return i
            place = U(spans[n_known])
            if not key & U(1):
                for at in range(first, last):
                    arena[place] = data[at]
                    place += U(1)
            keys[n_known], heads[n_known] = key, head
            n_known += U(1)
            spans[n_known] = place
            table[slot, 0], table[slot, 1] = key, n_known
            found = n_known
        numbers[i] = found - U(1)
    counts[0] = n_known
    return n_wanted


@kernel
def rehash(table: Array, keys: Array, secret: Array, shift: int, n_known: int) -> None:
    """Insert the tokens known so far into a new, larger table."""
    mask = U(table.shape[0] - 1)
    for number in range(U(n_known)):
        slot = slot_of(keys[number], shift, secret)
        while table[slot, 1] != U(0):
            slot = (slot + U(1)) & mask
        table[slot, 0], table[slot, 1] = keys[number], number + U(1)
