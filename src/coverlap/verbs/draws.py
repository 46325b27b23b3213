"""Scores of random variations of the same clusterings, in parallel."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.threads import number_of_threads

Draw = Callable[[Any], Any]


def draw_all(
    draw: Draw, seeds: list[Any], n_memberships: int, threads: int | None
) -> NDArray[np.float64]:
    """Return the values of a function for each seed; they do not depend on the threads."""
    n_threads = number_of_threads(threads, n_memberships * len(seeds), 1)
    with ThreadPoolExecutor(n_threads) as pool:
        return np.array(list(pool.map(draw, seeds)), np.float64)
