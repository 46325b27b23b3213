"""Write tokens as text: integers as digits, and runs of tokens with marks between them.

Tokens are stored as `Tokens`, one after another, each followed by a null character.
"""

from typing import NamedTuple

from coverlap._kernels._jit import Array, I, U, kernel

ANYWHERE, AT_ENDS = 1, 2
"""Bits of a class of bytes: where in a token the byte is looked for."""

WORD = 8
"""Number of bytes that are copied at once."""

OPENING, BETWEEN, MIDDLE, CLOSING = range(4)
"""Marks: before the first token of a run, before each other one, between a token and its tail, and
after the last token."""

RUN, PLACE, SEEN = range(3)
"""State of `write_runs`: the current run, the next of its members, and a result of `prefetch`."""

BATCH = 128
"""Number of tokens that are loaded into the cache before they are written."""


class Tokens(NamedTuple):
    """Bytes of tokens, and `WORD` more; token i is ``data[spans[i] : spans[i + 1] - 1]``."""

    data: Array
    spans: Array


@kernel
def write_integers(values: Array, data: Array, spans: Array) -> None:
    """Write integers as tokens."""
    at = U(0)
    for i in range(U(values.shape[0])):
        spans[i] = at
        value = I(values[i])
        rest = U(value)
        if value < 0:
            data[at] = 45
            at += U(1)
            rest = U(0) - rest
        end = at + U(1)
        bound = U(10)
        while rest >= bound:
            end += U(1)
            if end - at == U(20):
                break
            bound *= U(10)
        data[end] = 0
        place = end
        while place > at:
            place -= U(1)
            data[place] = U(48) + rest % U(10)
            rest //= U(10)
        at = end + U(1)
    spans[U(values.shape[0])] = at


@kernel
def find_bytes(tokens: Tokens, classes: Array, found: Array) -> None:
    """Write whether each token is empty or has a byte where its class says."""
    data, spans = tokens
    for i in range(U(spans.shape[0] - 1)):
        begin, end = U(spans[i]), U(spans[i + U(1)]) - U(1)
        seen = U(AT_ENDS)
        if end > begin:
            seen = U(classes[data[begin]] | classes[data[end - U(1)]]) & U(AT_ENDS)
        for at in range(begin, end):
            seen |= U(classes[data[at]]) & U(ANYWHERE)
        found[i] = seen != U(0)


@kernel
def write_token(tokens: Tokens, number: int, out: Array, place: int) -> int:
    """Write a token, or the last one if there are fewer; return the place after it.

    Eight bytes at a time are loaded and then stored, which the compiler does in one instruction
    each. Bytes beyond the token are overwritten later.
    """
    data, spans = tokens
    number = min(U(number), U(spans.shape[0] - 2))
    at, end = U(spans[number]), U(spans[number + U(1)]) - U(1)
    after = U(place) + end - at
    to = U(place)
    while at < end:
        b0, b1, b2, b3 = data[at], data[at + U(1)], data[at + U(2)], data[at + U(3)]
        b4, b5, b6, b7 = data[at + U(4)], data[at + U(5)], data[at + U(6)], data[at + U(7)]
        out[to], out[to + U(1)], out[to + U(2)], out[to + U(3)] = b0, b1, b2, b3
        out[to + U(4)], out[to + U(5)], out[to + U(6)], out[to + U(7)] = b4, b5, b6, b7
        at += U(8)
        to += U(8)
    return after


@kernel
def prefetch(tokens: Tokens, members: Array, begin: int) -> int:
    """Read a batch of tokens, so that they are in the cache when they are written."""
    data, spans = tokens
    seen = U(0)
    end = min(U(begin) + U(BATCH), U(members.shape[0]))
    for at in range(U(begin), end):
        seen ^= U(spans[U(members[at])])
    for at in range(U(begin), end):
        seen ^= U(data[U(spans[U(members[at])])])
    return seen


@kernel
def write_runs(
    pointers: Array, members: Array, heads: Tokens, items: Tokens, tails: Tokens, marks: Tokens,
    limit: int, state: Array, out: Array,
) -> int:  # fmt: skip
    """Write the head of each run, and its members, each followed by the tail of the run.

    Stops after the first token beyond the limit. Returns the number of bytes written.
    """
    n_runs = U(pointers.shape[0] - 1)
    run, at, place = U(state[RUN]), U(state[PLACE]), U(0)
    known = at
    while run < n_runs and place <= U(limit):
        first, end = U(pointers[run]), U(pointers[run + U(1)])
        if at == first:
            place = write_token(heads, run, out, place)
        while at < end:
            if at >= known:
                state[SEEN] ^= I(prefetch(items, members, at))
                known = at + U(BATCH)
            place = write_token(marks, OPENING if at == first else BETWEEN, out, place)
            place = write_token(items, members[at], out, place)
            place = write_token(marks, MIDDLE, out, place)
            place = write_token(tails, run, out, place)
            at += U(1)
            if place > U(limit):
                break
        if at == end:
            place = write_token(marks, CLOSING, out, place)
            run += U(1)
    state[RUN], state[PLACE] = run, at
    return place
