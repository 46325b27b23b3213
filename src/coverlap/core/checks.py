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
    """Refuse what is no integer, and integers out of bounds; ``why`` names the upper one."""
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
    """Refuse what is no number, and numbers out of bounds; ``why`` names the upper one."""
    number = isinstance(value, (float, Real)) and not isinstance(value, bool)
    if not number or not least <= value <= most:
        allowed = f"from {least:,} to {most:,} ({why})" if why else f"of at least {least:,}"
        raise OptionError(f"{name} must be a number {allowed}, not {shown(value)}")
    return float(value)


def check_share(name: str, value: Any, *, inside: bool = False) -> float:
    """Refuse what is no number from 0 to 1, or if only those inside will do, also 0 and 1."""
    number = isinstance(value, (float, Real)) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1 or (inside and float(value) in {0.0, 1.0}):
        allowed = "above 0 and below 1" if inside else "from 0 to 1"
        raise OptionError(f"{name} must be a number {allowed}, not {shown(value)}")
    return float(value)


def check_option(name: str, value: object, allowed: tuple[object, ...]) -> None:
    """Refuse a value that an option cannot take, naming those that it can."""
    for choice in allowed:
        if value is choice or (isinstance(value, str) and value == choice):
            return
    choices = ", ".join(repr(choice) for choice in allowed)
    raise OptionError(f"{name} must be one of {choices}, not {shown(value)}")
