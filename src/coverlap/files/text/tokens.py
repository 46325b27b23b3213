"""What the tokens of a text file stand for."""

import re
from collections.abc import Iterable
from typing import Any

from numpy.typing import NDArray

from coverlap.core import token_table
from coverlap.core.values import object_array, value_array

INTEGER = re.compile(r"(0|-?[1-9][0-9]{0,4000})")  # Python reads no more than 4300 digits
DECIMAL = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)
MISSING = frozenset({"", "nan", "NaN", "NaT", "None", "<NA>", "NA", "NULL", "null"})
"""How Python, NumPy, pandas, R and databases write a missing value."""


def token_value(token: str) -> int | str | None:
    """Read a label: an integer where it is written as one, nothing where it is missing.

    Examples
    --------
    >>> [token_value(token) for token in ("-1", "7", "007", "T cell", "")]
    [-1, 7, '007', 'T cell', None]
    >>> [token_value(token) for token in ("-1.0", "2.000e+00", "nan")]
    [-1, 2, None]
    """
    if INTEGER.fullmatch(token):
        return int(token)
    if is_whole(token):
        return int(float(token))
    return None if token in MISSING else token


def is_whole(token: str) -> bool:
    """Tell whether a token is an integer written as a float, and one that floats are exact for."""
    number = float(token) if DECIMAL.fullmatch(token) else 0.5
    return number.is_integer() and abs(number) < 2**53


def text_ids(texts: Iterable[str]) -> NDArray[Any]:
    """Read ids: integers if every one is written as such, text otherwise.

    Examples
    --------
    >>> text_ids(["7", "11"]).tolist(), text_ids(["7", "011"]).tolist()
    ([7, 11], ['7', '011'])
    """
    tokens = list(texts)
    if all(map(INTEGER.fullmatch, tokens)):
        return value_array([int(token) for token in tokens])
    return object_array(tokens)


class Dictionary(token_table.Dictionary):
    """The distinct tokens of a file, as ids or as labels."""

    def values(self) -> NDArray[Any]:
        """Return ids: integers if every token is one, text otherwise."""
        return text_ids(self.strings()) if self.has_texts() else self.integers()

    def labels(self) -> NDArray[Any] | list[int | str | None]:
        """Return names of clusters, each token for itself; see `token_value`."""
        return list(map(token_value, self.strings())) if self.has_texts() else self.integers()
