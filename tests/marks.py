"""Marks of tests, and the seeds of random ones."""

import os
import random
from collections.abc import Iterable
from typing import Any

import pytest

SEED = os.environ.get("COVERLAP_SEED", "")
"""The seed of `make nightly`; otherwise there is none, and random tests are always the same."""

MORE = 20
"""How many times as many seeds a random test has in `make nightly`."""


def seeds(n: int) -> list[int]:
    """Return the seeds of a random test: ``range(n)``, and others in `make nightly`."""
    more = random.Random(SEED).sample(range(n, 10**6), MORE * n) if SEED else []
    return [*range(n), *more]


def slow_after(n_quick: int, values: Iterable[Any]) -> list[Any]:
    """Mark all but the first values of a parameter, or tuples of several ones, as slow."""
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=() if number < n_quick else pytest.mark.slow,
        )
        for number, value in enumerate(values)
    ]
