"""Strings as UTF-8 bytes: text i is ``data[begins[i]:ends[i]]``."""

import numpy as np

from coverlap._kernels._jit import Array, I, U, kernel

MINUS, ZERO, NINE = (ord(sign) for sign in "-09")
INT64_MAX = 2**63 - 1
BATCH = 64
"""Number of texts that are loaded into the cache before they are compared."""


@kernel
def hash_texts(data: Array, begins: Array, ends: Array, secret: Array, keys: Array) -> None:
    """Hash each text, as `coverlap._kernels.coding` hashes rows."""
    start, one, two = secret[0], secret[1], secret[2]
    for i in range(U(begins.shape[0])):
        at, end = U(begins[i]), U(ends[i])
        mixed = start + (end - at)
        while at < end:
            word = U(0)
            for place in range(at, min(at + U(8), end)):
                word = (word << U(8)) | U(data[place])
            mixed = (mixed ^ (mixed >> U(32))) * one + word * two
            at += U(8)
        keys[i] = mixed ^ (mixed >> U(32))


@kernel
def compare(data: Array, begin: int, end: int, others: Array, first: int, last: int) -> int:
    """Return 0, 1 or 2 if a text equals another one, comes before it or comes after it."""
    length, other_length = U(end) - U(begin), U(last) - U(first)
    for i in range(min(length, other_length)):
        own, other = data[U(begin) + i], others[U(first) + i]
        if own != other:
            return U(1) if own < other else U(2)
    if length == other_length:
        return U(0)
    return U(1) if length < other_length else U(2)


@kernel
def load(data: Array, begins: Array, chosen: Array, begin: int, end: int) -> int:
    """Read the first byte of some texts, so that they are in the cache.

    The texts are those at ``chosen[begin:end]``, or at these positions if nothing is chosen.
    """
    seen = U(0)
    last = U(data.shape[0])
    for i in range(U(begin), U(end)):
        place = U(begins[U(chosen[i]) if chosen.shape[0] else i])
        if place < last:
            seen ^= U(data[place])
    return seen


@kernel
def n_equal(
    data: Array, begins: Array, ends: Array, others: Array, firsts: Array, lasts: Array,
    chosen: Array, seen: Array,
) -> int:  # fmt: skip
    """Return how many texts, from the first one on, equal the other texts chosen for them.

    Text i is compared with the other text ``chosen[i]``, or i if nothing is chosen. ``seen``
    receives a number without meaning.
    """
    n_texts = U(begins.shape[0])
    for i in range(n_texts):
        if i % U(BATCH) == U(0):
            seen[0] ^= load(others, firsts, chosen, i, min(i + U(BATCH), n_texts))
            seen[0] ^= load(data, begins, chosen[:0], i, min(i + U(BATCH), n_texts))
        j = U(chosen[i]) if chosen.shape[0] else i
        if compare(data, begins[i], ends[i], others, firsts[j], lasts[j]) != U(0):
            return i
    return n_texts


@kernel
def find_integers(
    data: Array, begins: Array, ends: Array, most_digits: int, are_integers: Array
) -> None:
    """Write which texts are integers of a limited number of digits, as Python writes them."""
    for i in range(U(begins.shape[0])):
        begin, end = U(begins[i]), U(ends[i])
        first = begin + U(begin < end and data[begin] == MINUS)
        at = first
        while at < end and data[at] >= ZERO and data[at] <= NINE:
            at += U(1)
        is_zero = first + U(1) == at and first == begin
        begins_well = first < at and at - first <= U(most_digits) and data[first] != ZERO
        are_integers[i] = at == end and (begins_well or (is_zero and data[first] == ZERO))


@kernel
def parse_integers(data: Array, begins: Array, ends: Array, integers: Array) -> bool:
    """Write the integers that texts spell, and return whether all have less than 64 bits."""
    for i in range(U(begins.shape[0])):
        begin, end = U(begins[i]), U(ends[i])
        is_negative = data[begin] == MINUS
        first = begin + U(is_negative)
        if end - first > U(19):
            return False
        value = U(0)
        for at in range(first, end):
            value = value * U(10) + U(data[at] - ZERO)
        if value > U(INT64_MAX):
            return False
        integers[i] = -I(value) if is_negative else I(value)
    return True


@kernel
def ascending(data: Array, begins: Array, ends: Array) -> bool:
    """Return whether no text comes before the previous one."""
    for i in range(U(1), U(begins.shape[0])):
        j = i - U(1)
        if compare(data, begins[j], ends[j], data, begins[i], ends[i]) == U(2):
            return False
    return True


@kernel
def shared_prefix(data: Array, begins: Array, ends: Array) -> int:
    """Return the number of bytes with which all texts begin; there must be a text."""
    first = U(begins[0])
    length = U(ends[0]) - first
    for i in range(U(begins.shape[0])):
        begin = U(begins[i])
        length = min(length, U(ends[i]) - begin)
        for at in range(length):
            if data[begin + at] != data[first + at]:
                length = at
                break
    return length


@kernel
def words_at(
    data: Array, begins: Array, ends: Array, chosen: Array, offset: int, words: Array
) -> None:
    """Write eight bytes of each chosen text, from an offset on, as a number; zeros follow its end.

    Numbers compare as these bytes do.
    """
    for i in range(U(chosen.shape[0])):
        text = U(chosen[i])
        at, end = U(begins[text]) + U(offset), U(ends[text])
        word = U(0)
        for place in range(at, at + U(8)):
            word <<= U(8)
            if place < end:
                word |= U(data[place])
        words[i] = word


@kernel
def sort_words(words: Array, order: Array, more_words: Array, more_order: Array) -> bool:
    """Sort numbers and their positions byte by byte, from the last byte to the first.

    Returns whether the result is in ``words`` and ``order``, and not in the other two arrays.
    """
    n_words = U(words.shape[0])
    counts = np.zeros((8, 256), np.uint64)
    for i in range(n_words):
        for byte in range(U(8)):
            counts[byte, (words[i] >> (U(8) * byte)) & U(255)] += U(1)
    in_place = True
    for byte in range(U(8)):
        place, most = U(0), U(0)
        for value in range(U(256)):
            count = counts[byte, value]
            counts[byte, value] = place
            place += count
            most = max(most, count)
        if most == n_words:
            continue
        for i in range(n_words):
            word = words[i]
            value = (word >> (U(8) * byte)) & U(255)
            place = counts[byte, value]
            counts[byte, value] = place + U(1)
            more_words[place], more_order[place] = word, order[i]
        words, more_words, order, more_order = more_words, words, more_order, order
        in_place = not in_place
    return in_place


@kernel
def copy_short_views(inline: Array, begins: Array, ends: Array, data: Array) -> None:
    """Copy texts of up to 12 bytes of Arrow's type string view, which are in the views."""
    for i in range(U(begins.shape[0])):
        begin = U(begins[i])
        length = U(ends[i]) - begin
        if length <= U(12):
            for at in range(length):
                data[begin + at] = inline[i, U(4) + at]


@kernel
def find_long_views(views: Array, ends: Array, bounds: Array) -> None:
    """Write the first and the last text that each buffer of Arrow's type string view has.

    The third number of a view is that of the buffer, the last one where the text begins there.
    """
    begin = I(0)
    for i in range(I(ends.shape[0])):
        if I(ends[i]) - begin > I(12):
            buffer = U(views[i, 2])
            if bounds[buffer, 1] == I(0):
                bounds[buffer, 0] = i
            bounds[buffer, 1] = i + I(1)
        begin = I(ends[i])


@kernel
def copy_long_views(
    views: Array, buffer: int, text: Array, first: int, last: int, begins: Array, ends: Array,
    data: Array,
) -> None:  # fmt: skip
    """Copy the texts of more than 12 bytes that are in one buffer, between two texts."""
    for i in range(U(first), U(last)):
        begin = U(begins[i])
        length = U(ends[i]) - begin
        if length > U(12) and U(views[i, 2]) == U(buffer):
            start = U(views[i, 3])
            for at in range(length):
                data[begin + at] = text[start + at]
