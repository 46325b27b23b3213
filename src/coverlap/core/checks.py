"""Checks of options: each raises an OptionError that says what the option must be."""

from numbers import Real
from operator import index
from sys import float_info
from typing import Any

from coverlap.core.errors import OptionError
from coverlap.core.wording import shown


def check_integer(
    name: str, value: Any, least: int, most: int | None = None, *, why: str = ""
) -> int:
    """Return an integer, or raise an error for other types and for values out of bounds.

    ``why`` explains the upper bound in the message.
    """
    try:
        number = None if isinstance(value, bool) else index(value)
    except TypeError:  # arrays, too, although they have an __index__
        number = None
    if number is None or number < least or (most is not None and number > most):
        allowed = f"of at least {least}" if most is None else f"from {least:,} to {most:,}"
        allowed += f" ({why})" if why else ""
        raise OptionError(f"{name} must be an integer {allowed}, not {shown(value)}")
    return number


def check_number(
    name: str, value: Any, least: float, most: float = float_info.max, *, why: str = ""
) -> float:
    """Return a float, or raise an error for other types and for values out of bounds.

    ``why`` explains the upper bound in the message.
    """
    number = isinstance(value, (float, Real)) and not isinstance(value, bool)
    if not number or not least <= value <= most:
        allowed = f"from {least:,} to {most:,} ({why})" if why else f"of at least {least:,}"
        raise OptionError(f"{name} must be a number {allowed}, not {shown(value)}")
    return float(value)


def check_share(name: str, value: Any, *, inside: bool = False) -> float:
    """Return a float from 0 to 1, or strictly between them if ``inside``; otherwise raise."""
    number = isinstance(value, (float, Real)) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1 or (inside and float(value) in {0.0, 1.0}):
        allowed = "above 0 and below 1" if inside else "from 0 to 1"
        raise OptionError(f"{name} must be a number {allowed}, not {shown(value)}")
    return float(value)


def check_option(name: str, value: object, allowed: tuple[object, ...]) -> None:
    """Raise an error that lists the allowed values if the value is not one of them."""
    for choice in allowed:
        if value is choice or (isinstance(value, str) and value == choice):
            return
    choices = ", ".join(repr(choice) for choice in allowed)
    raise OptionError(f"{name} must be one of {choices}, not {shown(value)}")
