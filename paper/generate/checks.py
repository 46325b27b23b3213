"""Checks of the arguments of generators, and the wording of numbers."""

from numbers import Real
from operator import index
from sys import float_info
from typing import Any

import numpy as np

import coverlap as cv

MOST = 2**32 - 1
"""Maximum number of objects."""


def check_integer(name: str, value: Any, least: int, most: int | None = None) -> int:
    """Return an integer, or raise an error for other types and for values out of bounds."""
    try:
        number = None if isinstance(value, bool) else index(value)
    except TypeError:  # arrays, too, although they have an __index__
        number = None
    if number is None or number < least or (most is not None and number > most):
        allowed = f"of at least {least}" if most is None else f"from {least:,} to {most:,}"
        raise cv.OptionError(f"{name} must be an integer {allowed}, not {value!r}")
    return number


def check_number(name: str, value: Any, least: float) -> float:
    """Return a float, or raise an error for other types and for values out of bounds."""
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not number or not least <= value <= float_info.max:
        raise cv.OptionError(f"{name} must be a number of at least {least:,}, not {value!r}")
    return float(value)


def check_share(name: str, value: Any) -> float:
    """Return a float from 0 to 1, or raise an error."""
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        raise cv.OptionError(f"{name} must be a number from 0 to 1, not {value!r}")
    return float(value)


def generator_of(seed: Any) -> np.random.Generator:
    """Return the generator of a seed: an integer, a generator (returned as it is) or None."""
    if seed is None or isinstance(seed, np.random.Generator):
        return np.random.default_rng(seed)
    try:
        number = -1 if isinstance(seed, bool) else index(seed)
    except TypeError:
        number = -1
    if number < 0:
        allowed = "an integer of at least 0, a numpy.random.Generator or None"
        raise cv.OptionError(f"seed must be {allowed}, not {seed!r}")
    return np.random.default_rng(number)


def quantity(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
