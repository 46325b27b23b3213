"""TokenTable: distinct tokens, numbered as they appear."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.hashing import KEY, slot_shift
from coverlap.core.incidence import frozen
from coverlap.core.texts import Texts, Utf8
from coverlap.core.values import MANY

START = 1024
"""Initial capacity of a table, in tokens."""


class HashedTokens(NamedTuple):
    """Tokens, given by where they begin and end, with what `write_keys` writes and returns."""

    data: NDArray[np.uint8]
    begins: NDArray[Any]
    ends: NDArray[Any]
    keys: NDArray[np.uint64]
    heads: NDArray[np.uint64]
    n_texts: int
    n_long: int


def hash_tokens(data: NDArray[np.uint8], begins: NDArray[Any], ends: NDArray[Any]) -> HashedTokens:
    """Hash tokens of UTF-8 without null characters, for any table that numbers them."""
    begins, ends = frozen(begins), frozen(ends)
    keys, heads = np.empty(len(begins), np.uint64), np.empty(len(begins), np.uint64)
    counts = _kernels.text.write_keys(data, begins, ends, KEY, keys, heads)
    return HashedTokens(data, begins, ends, frozen(keys), frozen(heads), *map(int, counts))


def hash_texts(texts: Texts) -> HashedTokens:
    """Hash texts as `hash_tokens` does; they may have null characters.

    Those that have some count as long ones, of which all bytes are compared.
    """
    tokens = hash_tokens(*texts.utf8)
    if tokens.data.all():
        return tokens
    places = np.flatnonzero(tokens.data == 0)
    has_null = np.zeros(len(texts), bool)
    owners = np.searchsorted(tokens.begins, places, side="right") - 1
    inside = (owners >= 0) & (places < tokens.ends[owners])
    has_null[owners[inside]] = True
    heads = np.where(has_null, np.uint64(_kernels.text.LONG), tokens.heads)
    n_long = tokens.n_long + int(np.count_nonzero(has_null))
    return tokens._replace(heads=frozen(heads), n_long=n_long)


class TokenTable:
    """The distinct tokens of a file, numbered as they appear; see `coverlap._kernels.text`."""

    def __init__(self) -> None:
        self._entries = _kernels.text.Entries(
            table=np.zeros((2 * START, 2), np.uint64),
            keys=np.empty(START, np.uint64),
            heads=np.zeros(START + 1, np.uint64),
            spans=np.zeros(START + 1, np.int64),
            arena=np.empty(0, np.uint8),
            counts=np.zeros(2, np.int64),
            secret=KEY,
            shift=slot_shift(2 * START),
        )

    def __len__(self) -> int:
        return int(self._entries.counts[0])

    def number(
        self, data: NDArray[np.uint8], begins: NDArray[Any], ends: NDArray[Any]
    ) -> NDArray[np.int32]:
        """Return the number of each token, given by where it begins and ends."""
        return self.number_hashed(hash_tokens(data, begins, ends))

    def number_hashed(self, tokens: HashedTokens) -> NDArray[np.int32]:
        """Return the number of each token."""
        if tokens.n_texts:
            self._reserve(len(tokens.data))
        numbers = np.empty(len(tokens.begins), np.int32)
        at = 0
        while True:
            at = _kernels.text.number_tokens(*tokens, at, self._entries, numbers)
            if at == len(numbers):
                return numbers
            self._grow()

    def _reserve(self, size: int) -> None:
        """Make space for the bytes of more tokens."""
        used = int(self._entries.spans[len(self)])
        if len(self._entries.arena) <= used + size:
            arena = np.empty(2 * used + size + 1, np.uint8)
            arena[:used] = self._entries.arena[:used]
            self._entries = self._entries._replace(arena=arena)

    def _grow(self) -> None:
        """Double the capacity."""
        capacity = 2 * len(self._entries.keys)
        self._entries = self._entries._replace(
            table=np.zeros((2 * capacity, 2), np.uint64),
            keys=_enlarged(self._entries.keys, capacity),
            heads=_enlarged(self._entries.heads, capacity + 1),
            spans=_enlarged(self._entries.spans, capacity + 1),
            shift=slot_shift(2 * capacity),
        )
        made = self._entries
        _kernels.text.rehash(made.table, frozen(made.keys), made.secret, made.shift, len(self))

    def texts(self, begin: int = 0) -> dict[int, str]:
        """Return the tokens that are not integers, from a number on, by their numbers."""
        numbers = self._text_numbers(begin)
        return dict(zip(numbers.tolist(), self._decoded(numbers), strict=True))

    def integers(self) -> NDArray[np.int64]:
        """Return the value of each token that is an integer, and arbitrary numbers for others."""
        return self._entries.keys[: len(self)].view(np.int64) >> 1

    def strings(self) -> list[str]:
        """Return all tokens as they were written."""
        numbers = self._text_numbers()
        if len(numbers) == len(self):
            return self._decoded(numbers)
        strings = list(map(str, self.integers().tolist()))
        for number, token in zip(numbers.tolist(), self._decoded(numbers), strict=True):
            strings[number] = token
        return strings

    def all_texts(self) -> Texts | None:
        """Return all tokens if there are many and none is an integer, without decoding them."""
        if len(self) < MANY or self.n_texts() < len(self):
            return None
        return self._texts()

    def all_integers(self) -> NDArray[np.int64] | None:
        """Return the value of each token; None if one is no integer, or has 64 bits or more."""
        numbers = self._text_numbers()
        integers = self.integers()
        if len(numbers) == 0:
            return integers
        texts = self._texts()[numbers]
        parsed = texts.as_integers() if texts.find_integers().all() else None
        if parsed is None:
            return None
        integers[numbers] = parsed
        return integers

    def _texts(self) -> Texts:
        """Return all tokens as texts; those of integers are empty."""
        spans = self._entries.spans[: len(self) + 1]
        return Texts(utf8=Utf8(self._entries.arena[: spans[-1]], spans[:-1], spans[1:]))

    def n_texts(self) -> int:
        """Return the number of tokens that are not integers."""
        return int(np.count_nonzero(self._entries.keys[: len(self)] & np.uint64(1) == 0))

    def _text_numbers(self, begin: int = 0) -> NDArray[np.int64]:
        return begin + np.flatnonzero(self._entries.keys[begin : len(self)] & np.uint64(1) == 0)

    def _decoded(self, numbers: NDArray[np.int64]) -> list[str]:
        if len(numbers) == 0:
            return []
        spans = self._entries.spans
        first = spans[numbers[0]]
        data = self._entries.arena[first : spans[numbers[-1] + 1]].tobytes()
        begins, ends = spans[numbers] - first, spans[numbers + 1] - first
        bounds = zip(begins.tolist(), ends.tolist(), strict=True)
        if data.isascii():
            text = data.decode()
            return [text[a:b] for a, b in bounds]
        return [data[a:b].decode("utf-8", "surrogatepass") for a, b in bounds]


def _enlarged(array: NDArray[Any], length: int) -> NDArray[Any]:
    """Return a longer array that begins with the items of this one, and then has any."""
    longer = np.empty(length, array.dtype)
    longer[: len(array)] = array
    return longer
