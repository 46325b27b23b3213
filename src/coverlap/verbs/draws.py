"""Scores of many random variations of the same clusterings."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.threads import number_of_threads

Draw = Callable[[Any], Any]


def mean_of(draws: NDArray[np.float64]) -> float:
    """Return the mean; of draws that are all the same, that number and not one beside it."""
    first = draws[0]
    return float(first if (draws == first).all() else draws.mean())


def deviation_of(draws: NDArray[np.float64]) -> float:
    """Return the standard deviation, which is exactly 0 if the draws are all the same."""
    return 0.0 if (draws == draws[0]).all() else float(draws.std(ddof=1))


def draw_all(
    draw: Draw, seeds: list[Any], n_memberships: int, threads: int | None
) -> NDArray[np.float64]:
    """Call a function for each seed, in parallel; the number of threads changes nothing."""
    n_threads = number_of_threads(threads, n_memberships * len(seeds), 1)
    with ThreadPoolExecutor(n_threads) as pool:
        return np.array(list(pool.map(draw, seeds)), np.float64)
