"""Degrees that follow a power law, and their split into an inner part and a background part."""

import numpy as np
from numpy.typing import NDArray

from coverlap.generate.power_laws import PowerLaw

ATTEMPTS = 100
"""So often degrees are drawn until their sum is even."""


def draw_degrees(law: PowerLaw, n: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """Draw n degrees, largest first, with an even sum.

    If the sum is odd all are drawn again. If it always is, as with n and all degrees odd, the
    largest is changed by one: within the law if there is another number in it.
    """
    degrees = np.empty(0, np.int64)
    for _ in range(ATTEMPTS if law.greatest > law.least else 1):
        counts = np.bincount(law.draw(n, generator) - law.least)
        values = np.arange(law.least, law.least + len(counts))
        degrees = np.repeat(values[::-1], counts[::-1])
        if degrees.sum() % 2 == 0:
            return degrees
    if degrees[0] == law.least < law.greatest:
        degrees[0] += 1
    else:
        degrees[np.count_nonzero(degrees == degrees[0]) - 1] -= 1
    return degrees


def split_degrees(
    degrees: NDArray[np.int64],
    labels: NDArray[np.int32 | np.int64],
    xi: float,
    generator: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Split degrees, largest first, into those inside of the clusters and in the background.

    A share of xi goes to the background. Memberships are rounded at random, but that of the first vertex
    of each cluster so that those of a cluster have an even sum, even if it exceeds the degree by 1.
    """
    inside = np.round(degrees - xi * degrees, 9)  # what should be whole is whole
    inner = np.floor(inside).astype(np.int64)
    first = np.empty(int(labels.max()) + 1, np.int64)
    first[labels[::-1]] = np.arange(len(labels))[::-1]
    up = generator.random(len(degrees)) < inside - inner
    up[first] = False
    inner += up
    odd = np.bincount(labels, weights=inner % 2).astype(np.int64) % 2
    inner[first] += odd
    return inner, np.maximum(degrees - inner, 0)
