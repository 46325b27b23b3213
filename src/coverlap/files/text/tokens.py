"""The tokens of a text file: their values, and the distinct ones with numbers."""

import re
from collections.abc import Callable, Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.core.spelling import DECIMAL, FIRST_OF_OUTLIERS, INTEGER, integral_value, token_value
from coverlap.core.texts import Ids, Texts
from coverlap.core.token_table import HashedTokens, TokenTable, hash_tokens
from coverlap.core.values import value_array
from coverlap.core.wording import shown
from coverlap.files.source import Source

NUMERIC = "+-.0123456789"
"""The first characters of text that may be a number."""

PLAIN_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,4000})(\.[0-9]+)?(e[+-]?[0-9]{1,3})?", re.IGNORECASE)
"""A number as JSON writes it; its digits without an exponent are a few thousand at most."""


def text_ids(texts: Iterable[str]) -> Ids:
    """Return ids as integers if every one is written as an integer, and as text otherwise.

    Examples
    --------
    >>> text_ids(["7", "11"]).tolist(), text_ids(["7", "011"]).tolist()
    ([7, 11], ['7', '011'])
    """
    tokens = list(texts)
    if all(map(INTEGER.fullmatch, tokens)):
        return value_array([int(token) for token in tokens])
    return value_array(tokens)


def continuous_problem(label: str) -> str:
    """Return an error message if a label is a number but not an integer, '' otherwise."""
    if label[:1] in NUMERIC and DECIMAL.fullmatch(label) and integral_value(label) is None:
        return f"labels must name clusters, but this one is {label:.60}, a continuous number"
    return ""


class FileTokens(TokenTable):
    """The distinct tokens of a file, as ids or as labels."""

    def values(self) -> Ids:
        """Return the tokens as ids: integers if every token is one, text otherwise."""
        integers = self.all_integers()
        if integers is not None:
            return integers
        texts = self.all_texts()
        if texts is None or texts.find_integers().all():  # integers of many digits
            return text_ids(self.strings())
        return texts

    def labels(self) -> Ids | list[int | str | None]:
        """Return the value of each token as a label; see `token_value`."""
        if not self.n_texts():
            return self.integers()
        texts = self.all_texts()
        return list(map(token_value, self.strings())) if texts is None else label_values(texts)


def label_values(texts: Texts) -> Texts | list[int | str | None]:
    """Return the value of each text as a label; see `token_value`."""
    suspects = texts[texts.begin_with(NUMERIC + FIRST_OF_OUTLIERS)]
    if all(isinstance(token_value(token), str) for token in suspects):
        return texts
    return list(map(token_value, texts))


class Labels:
    """The distinct labels of a file, each checked where it first occurs.

    ``problem`` returns an error message for a token that cannot be a label, '' for others.
    """

    def __init__(self, source: Source, problem: Callable[[str], str] = continuous_problem) -> None:
        self.source = source
        self._problem = problem
        self.tokens = FileTokens()

    def number(
        self,
        data: NDArray[np.uint8],
        begins: NDArray[np.int64],
        ends: NDArray[np.int64],
        lines: NDArray[np.int64],
    ) -> NDArray[np.int32]:
        """Return the number of each label, given where it begins and ends and its line."""
        return self.number_hashed(hash_tokens(data, begins, ends), lines)

    def number_hashed(self, tokens: HashedTokens, lines: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the number of each label, given its line."""
        n_known = len(self.tokens)
        numbers = self.tokens.number_hashed(tokens)
        for new, label in self.tokens.texts(n_known).items():
            if problem := self._problem(label):
                line = lines[np.flatnonzero(numbers == new)[0]]
                raise InputError(f"{self.source}, line {line}: {problem}")
        return numbers


def reject_header(source: Source, tokens: FileTokens, n_first: int, line: int) -> None:
    """Reject a first line of text if all other tokens are integers: it must be a header."""
    if tokens.n_texts() != n_first or len(tokens) < n_first + 2:
        return  # before any token is decoded, since the first line may be very long
    texts = tokens.texts()
    if list(texts) == list(range(n_first)) and looks_like_header(texts.values(), len(tokens)):
        raise InputError(
            f"{source}, line {line}: {shown(texts[0])} looks like a header, since only integers "
            "follow, and there can be none here"
        )


def looks_like_header(first: Collection[str], n_tokens: int) -> bool:
    """Return whether the tokens of a first line are text and at least two other tokens follow."""
    if not first or n_tokens < len(first) + 2:
        return False
    return all(isinstance(token_value(token), str) for token in first)
