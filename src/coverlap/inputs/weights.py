"""Which values of a membership matrix are memberships: ones, or all that reach a threshold."""

from collections.abc import Callable
from functools import partial
from math import inf
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError, InputTypeError, OptionError
from coverlap.core.wording import shown

MemberTest = Callable[[NDArray[Any]], NDArray[np.bool_]]


def check_threshold(threshold: Any) -> float | None:
    """Return a threshold as a float, or raise an error if it is not a number above 0."""
    if threshold is None:
        return None
    is_number = isinstance(threshold, Real) and not isinstance(threshold, bool)
    try:
        number = float(threshold) if is_number else 0.0
    except OverflowError:
        number = inf
    if not 0 < number < inf:
        raise OptionError(f"threshold must be a number above 0, not {shown(threshold)}")
    return number


def member_test(threshold: float | None, where: str, hint: str) -> MemberTest:
    """Return the function that tells which values are memberships, and rejects other values.

    ``hint`` is how to give a threshold, for the error about a value other than 0 and 1.
    """
    if threshold is None:
        return partial(_are_ones, where=where, hint=hint)
    return partial(_reach, threshold=threshold, where=where)


def _are_ones(values: NDArray[Any], where: str, hint: str) -> NDArray[np.bool_]:
    ones = values if values.dtype == bool else _compared(lambda: values == 1, where)
    if ones.all() or ones is values:
        return ones
    others = values[~ones & _compared(lambda: values != 0, where)]
    _reject_nan(others, where)
    if others.size:
        raise InputError(
            f"{where} has a value other than 0 and 1: {shown(others.tolist()[0])}; give the "
            f"smallest value that is a membership, as in {hint}"
        )
    return ones


def _reach(values: NDArray[Any], threshold: float, where: str) -> NDArray[np.bool_]:
    if values.dtype.kind == "c":  # NumPy orders complex numbers by their real parts
        raise InputTypeError(f"{where} must have real numbers to be compared with a threshold")
    _reject_nan(values, where)
    with np.errstate(over="ignore", under="ignore"):  # of a threshold in float32 or float16
        return _compared(lambda: (values >= threshold) & (values > 0), where)


def _compared(compare: Callable[[], Any], where: str) -> NDArray[np.bool_]:
    try:
        return np.asarray(compare(), bool)
    except (TypeError, ArithmeticError):  # objects such as complex numbers and Decimal("sNaN")
        raise InputTypeError(f"{where} must be a matrix of real numbers") from None


def _reject_nan(values: NDArray[Any], where: str) -> None:
    if np.any(_compared(lambda: values != values, where)):  # noqa: PLR0124
        raise InputError(f"{where} has NaN for a value; replace it, by 0 for no membership")
