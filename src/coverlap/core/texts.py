"""Texts: strings that become Python objects only where somebody needs them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.coding import in_order, locate_keys, number_hashables, number_keys
from coverlap.core.hashing import KEY
from coverlap.core.incidence import frozen
from coverlap.core.lazy import lazy_property
from coverlap.core.spelling import MAX_DIGITS

CHUNK = 1 << 11
"""Number of values that are converted together, while they are in the cache."""

MOST_BYTES = 512
"""Texts that differ only after this many bytes are sorted by Python."""

NONE = frozen(np.empty(0, np.int32))
"""No positions."""


class Utf8(NamedTuple):
    """Strings as bytes: text i is ``data[begins[i]:ends[i]]``."""

    data: NDArray[np.uint8]
    begins: NDArray[np.int64]
    ends: NDArray[np.int64]


class Texts:
    """Strings, as Python strings or as UTF-8, either made from the other on first use.

    An instance can be used like an array of strings, which `numpy.asarray` makes of it. Lone
    surrogates are encoded, too. The order of the bytes is that of the strings.
    """

    dtype = np.dtype(object)

    def __init__(self, strings: list[str] | None = None, utf8: Utf8 | None = None) -> None:
        if strings is not None:
            self.__dict__["strings"] = strings
        if utf8 is not None:
            self.__dict__["utf8"] = Utf8(*(frozen(part) for part in utf8))

    @lazy_property
    def strings(self) -> list[str]:
        """The texts as Python strings."""
        data, begins, ends = self.utf8
        if len(begins) == 0:
            return []
        low, high = int(begins.min()), int(ends.max())
        used = data[low:high].tobytes()
        bounds = zip((begins - low).tolist(), (ends - low).tolist(), strict=True)
        if used.isascii():
            text = used.decode("ascii")
            return [text[begin:end] for begin, end in bounds]
        return [used[begin:end].decode("utf-8", "surrogatepass") for begin, end in bounds]

    @lazy_property
    def utf8(self) -> Utf8:
        """The texts as bytes."""
        return encode(chunks_of(self.strings))

    def __len__(self) -> int:
        own = self.__dict__
        return len(own["strings"] if "strings" in own else own["utf8"].begins)

    def __getitem__(self, chosen: Any) -> Any:
        if isinstance(chosen, (int, np.integer)):
            return self[int(chosen) :][:1].strings[0]
        own = self.__dict__
        if "utf8" in own:
            data, begins, ends = self.utf8
            return Texts(utf8=Utf8(data, begins[chosen], ends[chosen]))
        if isinstance(chosen, slice):
            return Texts(self.strings[chosen])
        return Texts(np.asarray(self)[chosen].tolist())

    def __iter__(self) -> Iterator[str]:
        return iter(self.strings)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.fromiter(self.strings, object, count=len(self))

    def tolist(self) -> list[str]:
        """Return the texts as a new list of Python strings."""
        return list(self.strings)

    def begin_with(self, characters: str) -> NDArray[np.bool_]:
        """Return whether each text is empty or begins with one of some ASCII characters."""
        data, begins, ends = self.utf8
        first = np.zeros(len(begins), np.uint8)
        has_some = ends > begins
        first[has_some] = data[begins[has_some]]
        return np.isin(first, [0, *characters.encode("ascii")])

    def find_integers(self) -> NDArray[np.bool_]:
        """Return which texts are integers as Python writes them."""
        are_integers = np.empty(len(self), bool)
        _kernels.utf8.find_integers(*self.utf8, MAX_DIGITS, are_integers)
        return are_integers

    def as_integers(self) -> NDArray[np.int64] | None:
        """Return the integers that texts spell, None if one has 64 bits or more."""
        integers = np.empty(len(self), np.int64)
        return integers if _kernels.utf8.parse_integers(*self.utf8, integers) else None

    def equals(self, other: "Texts") -> bool:
        """Return whether both hold the same texts in the same order."""
        if len(self) != len(other):
            return False
        if "strings" in self.__dict__ and "strings" in other.__dict__:
            return self.strings == other.strings
        return self._equals_chosen(other, NONE)

    def _equals_chosen(self, others: "Texts", chosen: NDArray[Any]) -> bool:
        """Return whether each text equals the other text at the position that is chosen for it."""
        seen = np.zeros(1, np.uint64)
        n_equal = _kernels.utf8.n_equal(*self.utf8, *others.utf8, frozen(chosen), seen)
        return bool(n_equal == len(self))

    @lazy_property
    def keys(self) -> NDArray[np.uint64]:
        """A hash of each text."""
        keys = np.empty(len(self), np.uint64)
        _kernels.utf8.hash_texts(*self.utf8, KEY, keys)
        return keys

    def number(self) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Number the distinct texts by first appearance; return the codes and the first places."""
        codes, firsts = number_keys(self.keys)
        if len(firsts) == len(self) or self._equals_chosen(self[firsts], codes):
            return codes, firsts
        return number_hashables(self.strings)

    def code(self) -> "tuple[NDArray[Any], Texts]":
        """Number the distinct texts in ascending order; return the codes and these texts."""
        codes, firsts = self.number()
        distinct = self if len(firsts) == len(self) else self[firsts]
        if 4 * len(firsts) < len(self):
            distinct = distinct.compact()
        order = distinct.order()
        return (codes, distinct) if order is None else (in_order(codes, order), distinct[order])

    def compact(self) -> "Texts":
        """Return the same texts without the bytes of others, of which they may be a few."""
        data, begins, ends = self.utf8
        new_ends = np.cumsum(ends - begins)
        new_begins = new_ends - (ends - begins)
        places = np.arange(int(new_ends[-1]) if len(ends) else 0)
        places += np.repeat(begins - new_begins, ends - begins)
        return Texts(utf8=Utf8(data[places], new_begins, new_ends))

    def order(self) -> NDArray[np.int64] | None:
        """Return the positions that sort distinct texts; None if they are sorted.

        They are sorted by eight bytes after those that all share, then by the next eight bytes
        those that are equal so far, and so on.
        """
        if len(self) == 0 or _kernels.utf8.ascending(*self.utf8):
            return None
        offset = int(_kernels.utf8.shared_prefix(*self.utf8))
        last = min(offset + MOST_BYTES, int((self.utf8.ends - self.utf8.begins).max()))
        order, tied = np.arange(len(self)), np.arange(len(self))
        group = np.zeros(len(self), np.int64)
        while len(tied):
            if offset >= last:
                return np.array(sorted(range(len(self)), key=self.strings.__getitem__), np.int64)
            chosen, words = order[tied], np.empty(len(tied), np.uint64)
            _kernels.utf8.words_at(*self.utf8, frozen(chosen), offset, words)
            by_word = np.lexsort((words, group)) if group[-1] else _sorted_positions(words)
            order[tied], words = chosen[by_word], words[by_word]
            differs = (words[1:] != words[:-1]) | (group[1:] != group[:-1])
            begins = np.concatenate(([True], differs))
            alone = begins & np.concatenate((differs, [True]))
            tied, group = tied[~alone], np.cumsum(begins)[~alone]
            offset += 8
        return order


def _sorted_positions(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the positions that sort numbers; for these, NumPy takes three times as long."""
    words, order = words.copy(), np.arange(len(words))
    more_words, more_order = np.empty_like(words), np.empty_like(order)
    in_place = _kernels.utf8.sort_words(words, order, more_words, more_order)
    return order if in_place else more_order


def join_texts(parts: Sequence[Texts]) -> Texts:
    """Return the texts of all parts, one after the other."""
    if len(parts) <= 1:
        return parts[0] if parts else Texts([])
    data = [part.utf8.data for part in parts]
    bases = np.cumsum([0, *map(len, data[:-1])]).tolist()
    begins = [part.utf8.begins + base for part, base in zip(parts, bases, strict=True)]
    ends = [part.utf8.ends + base for part, base in zip(parts, bases, strict=True)]
    return Texts(utf8=Utf8(*map(np.concatenate, (data, begins, ends))))


def join_ids(one: "Ids", other: "Ids") -> "Ids":
    """Return the ids of both, one after the other."""
    if isinstance(one, Texts) and isinstance(other, Texts):
        return join_texts([one, other])
    return np.concatenate((np.asarray(one), np.asarray(other)))


def locate_texts(wanted: Texts, known: Texts) -> NDArray[np.int64]:
    """Return the position of each wanted text among known, distinct ones; -1 if there is none."""
    found = locate_keys(wanted.keys, known.keys)
    inside = found >= 0
    if wanted[inside].equals(known[found[inside]]):
        return found
    position = {text: i for i, text in enumerate(known.strings)}
    return np.fromiter((position.get(text, -1) for text in wanted.strings), np.int64, len(wanted))


def chunks_of(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Split a sequence into chunks that fit into the cache."""
    return (values[begin : begin + CHUNK] for begin in range(0, len(values), CHUNK))


def encode(chunks: Iterable[Collection[str]]) -> Utf8:
    """Encode the strings of all chunks."""
    parts, begins, ends, size = [], [np.empty(0, np.int64)], [np.empty(0, np.int64)], 0
    for chunk in chunks:
        encoded, own_begins, own_ends = _encode_chunk(chunk)
        parts.append(encoded)
        begins.append(own_begins + size)
        ends.append(own_ends + size)
        size += len(encoded)
    data = np.frombuffer(b"".join(parts), np.uint8)
    return Utf8(frozen(data), frozen(np.concatenate(begins)), frozen(np.concatenate(ends)))


def _encode_chunk(strings: Collection[str]) -> tuple[bytes, NDArray[np.int64], NDArray[np.int64]]:
    data = "\n".join(strings).encode("utf-8", "surrogatepass")
    breaks = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    if len(breaks) == len(strings) - 1:
        return data, np.concatenate(([0], breaks + 1)), np.concatenate((breaks, [len(data)]))
    encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
    ends = np.cumsum(np.fromiter(map(len, encoded), np.int64, count=len(encoded)))
    return b"".join(encoded), np.concatenate(([0], ends[:-1])), ends


Ids = NDArray[Any] | Texts
"""Ids or names: an array of integers or of any Python values, or texts."""
