"""Distinct values as tokens, and blocks of text that are made of them."""

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import Runs, frozen, narrowest
from coverlap.core.texts import Ids

BLOCK = 1 << 20
"""Number of bytes to write at once; a long token is written as a whole."""


class TokenColumn:
    """Distinct values of a clustering as they are written: an array of integers, or texts."""

    def __init__(self, values: NDArray[Any] | list[str]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, index: int) -> str:
        return str(self.values[index])

    @cached_property
    def tokens(self) -> Any:
        """The tokens for kernels; texts must have no null characters."""
        if isinstance(self.values, np.ndarray):
            return integer_tokens(self.values)
        return tokens_of("\0".join([*self.values, ""]))

    def find(self, classes: NDArray[np.uint8]) -> list[int]:
        """Return which tokens are empty or have a byte where its class says, except integers.

        All are returned if some text has a null character.
        """
        if isinstance(self.values, np.ndarray):
            return []
        if len(self.tokens.spans) != len(self) + 1:
            return list(range(len(self)))
        found = np.empty(len(self), bool)
        _kernels.writing.find_bytes(self.tokens, classes, found)
        return np.flatnonzero(found).tolist()


def tokens_of(text: str) -> Any:
    """Return tokens that are given with a null character after each."""
    encoded = text.encode()
    data = np.frombuffer(encoded + bytes(_kernels.writing.WORD), np.uint8)
    spans = np.concatenate(([0], np.flatnonzero(data[: len(encoded)] == 0) + 1))
    return _kernels.writing.Tokens(frozen(data), frozen(spans))


def integer_tokens(values: NDArray[Any]) -> Any:
    """Return the tokens of integers."""
    values = frozen(values.astype(np.int64, copy=False))
    bounds = (values.min(), values.max()) if len(values) else ()
    width = max((len(str(bound)) for bound in bounds), default=0) + 1
    data = np.empty(len(values) * width + _kernels.writing.WORD, np.uint8)
    spans = np.empty(len(values) + 1, np.int64)
    _kernels.writing.write_integers(values, data, spans)
    return _kernels.writing.Tokens(frozen(data), frozen(spans))


def json_tokens(values: Ids) -> Any:
    """Return the tokens of integers and texts as JSON writes them."""
    if isinstance(values, np.ndarray) and values.dtype.kind == "i":
        return integer_tokens(values)
    items = values.tolist()
    text = json.dumps(items, ensure_ascii=False, separators=("\0", ":"))  # escapes null characters
    return tokens_of(f"{text[1:-1]}\0" if items else "")


def one_run(members: NDArray[Any]) -> Runs:
    """Return one run of members in any order."""
    kind = narrowest(int(members.max(initial=0)))
    return Runs(frozen(np.array([0, len(members)])), frozen(members.astype(kind, copy=False)))


def write_runs(
    file: BinaryIO,
    runs: Runs,
    items: Any,
    *,
    heads: Any = None,
    tails: Any = None,
    marks: Sequence[str],
) -> None:
    """Write runs of tokens in blocks of bytes.

    ``marks`` are written before the first token of a run, before each other one, between a token
    and the tail of its run, and after the run. Runs without a head or tail of their own have the
    last one.
    """
    kernels = _kernels.writing
    nothing = tokens_of("\0")
    texts = (heads or nothing, items, tails or nothing, tokens_of("\0".join([*marks, ""])))
    longest = sum(int(np.diff(tokens.spans).max(initial=0)) for tokens in texts)
    block = np.empty(BLOCK + 4 * longest + kernels.WORD, np.uint8)
    state = np.zeros(3, np.int64)
    while state[kernels.RUN] < len(runs.pointers) - 1:
        size = kernels.write_runs(*runs, *texts, BLOCK, state, block)
        file.write(block[:size].data)
