"""Marks of tests."""

from collections.abc import Iterable
from typing import Any

import pytest


def slow_after(n_quick: int, values: Iterable[Any]) -> list[Any]:
    """Mark all but the first values of a parameter, or tuples of several ones, as slow."""
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=() if number < n_quick else pytest.mark.slow,
        )
        for number, value in enumerate(values)
    ]
