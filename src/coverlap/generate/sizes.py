"""Sizes of clusters that follow a power law and add up to a given number."""

import math

import numpy as np
from numpy.typing import NDArray

from coverlap.generate.power_laws import PowerLaw

ATTEMPTS = 1000
"""So often sizes are drawn until they add up; the sum is right about once in their mean."""


def draw_sizes(law: PowerLaw, n: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """Draw sizes, largest first, that add up to n; some number of them within the law must.

    They are drawn until they reach n, and all again if they exceed it. If they always do, the
    nearest ones are changed by as little as possible.
    """
    nearest, least_off = np.empty(0, np.int64), math.inf
    for _ in range(ATTEMPTS):
        sizes = _until(law, n, generator)
        if len(sizes) * law.least > n:
            sizes = sizes[:-1]
        off = abs(int(sizes.sum()) - n)
        if off < least_off:
            nearest, least_off = sizes, off
        if off == 0:
            break
    else:
        nearest = _adjusted(generator.permutation(nearest), law, n)
    return np.sort(nearest)[::-1]


def _until(law: PowerLaw, n: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """Draw sizes until they add up to at least n."""
    at_once = int(n / law.mean * 1.2) + 8
    sizes = law.draw(at_once, generator)
    while (total := np.cumsum(sizes))[-1] < n:
        sizes = np.concatenate((sizes, law.draw(at_once, generator)))
    return sizes[: int(np.searchsorted(total, n)) + 1]


def _adjusted(sizes: NDArray[np.int64], law: PowerLaw, n: int) -> NDArray[np.int64]:
    """Change sizes by one, in turn and within the law, until they add up to n."""
    left = n - int(sizes.sum())
    sign = 1 if left > 0 else -1
    left = abs(left)
    while left > 0:
        room = law.greatest - sizes if sign > 0 else sizes - law.least
        able = np.flatnonzero(room)
        rounds = min(left // len(able), int(room[able].min()))
        if rounds == 0:  # less than one round is left
            able, rounds = able[:left], 1
        sizes[able] += sign * rounds
        left -= rounds * len(able)
    return sizes
