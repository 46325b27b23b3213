"""Labels that are written as text: numbers and missing values."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

MAX_DIGITS = 4001
"""Longer integers are text; Python parses at most 4300 digits."""

INTEGER = re.compile(rf"(0|-?[1-9][0-9]{{0,{MAX_DIGITS - 1}}})")
DECIMAL = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+)(e[+-]?[0-9]{1,9})?", re.IGNORECASE)

MISSING = frozenset({"", "nan", "NaN", "NaT", "None", "<NA>", "NA", "NULL", "null"})
"""How Python, NumPy, pandas, R and databases write a missing value."""

FIRST_OF_OUTLIERS = "-" + "".join(sorted({token[:1] for token in MISSING}))
"""The first characters of text that spells a negative number or a missing value."""


def token_value(token: str) -> int | str | None:
    """Return the value of a label: an integer if it is written as one, None if it is missing.

    Examples
    --------
    >>> [token_value(token) for token in ("-1", "7", "007", "T cell", "")]
    [-1, 7, '007', 'T cell', None]
    >>> [token_value(token) for token in ("-1.0", "2.000e+00", "nan")]
    [-1, 2, None]
    """
    if token[:1] in "+-.0123456789":
        if INTEGER.fullmatch(token):
            return int(token)
        value = integral_value(token)
        if value is not None:
            return value
    return None if token in MISSING else token


def integral_value(token: str) -> int | None:
    """Return the integer that is written as a float, if floats are exact there; None otherwise."""
    number = float(token) if DECIMAL.fullmatch(token) else 0.5
    is_integral = number.is_integer() and abs(number) < 2**53 and Decimal(token) == number
    return int(number) if is_integral else None


def label_value(label: Any) -> Any:
    """Return what a label means: the value that a text spells, and any other value as it is.

    Examples
    --------
    >>> [label_value(label) for label in ("-1", b"-1", " -1", "0", "B", 3)]
    [-1, -1, ' -1', 0, 'B', 3]
    """
    if isinstance(label, bytes):
        label = label.decode("latin-1")
    return token_value(label) if isinstance(label, str) else label


def spelled_values(labels: Iterable[Any]) -> tuple[Any, ...]:
    """Return the labels that are text and spell a number or a missing value, in order."""
    spelled = (
        label
        for label in labels
        if isinstance(label, (str, bytes)) and not isinstance(label_value(label), str)
    )
    return tuple(sorted(spelled, key=str))
