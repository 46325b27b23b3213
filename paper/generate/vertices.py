"""The vertices of an ABCD graph: their degrees and clusters."""

import math

import numpy as np
from numpy.typing import NDArray

import coverlap as cv
from paper.generate import kernels
from paper.generate.checks import quantity
from paper.generate.parameters import Parameters, PowerLaw, share_inside

Integers = NDArray[np.int64]
Generator = np.random.Generator

FIT_ATTEMPTS = 100
"""How often degrees and sizes are drawn until all vertices fit into clusters."""

DEGREE_ATTEMPTS = 100
"""How often degrees are drawn until their sum is even."""

SIZE_ATTEMPTS = 1000
"""How often sizes are drawn until they add up; the probability is about 1 / mean size."""


def draw_vertices(parameters: Parameters, generator: Generator) -> tuple[Integers, Integers]:
    """Draw degrees and sizes that fit, and assign each vertex to a random cluster large enough.

    Clusters that are large enough for a vertex are so for all later ones, so every vertex finds a
    place if there is any way to place all of them. Return the degree and the cluster of each
    vertex, largest degrees and clusters first.
    """
    n = parameters.n_vertices
    for _ in range(FIT_ATTEMPTS):
        degrees = draw_degrees(parameters.degrees, n, generator)
        sizes = draw_sizes(parameters.sizes, n, generator)
        needed = needed_sizes(degrees, sizes, parameters.xi)
        places = places_in(sizes, needed)
        if np.all(places > np.arange(n)):
            break
    else:
        raise _misfit(degrees, sizes, needed, places)
    labels = np.repeat(np.arange(len(sizes)), sizes)
    kernels.assign(labels, places, generator.integers(2**64, size=1, dtype=np.uint64))
    return degrees, labels


def draw_degrees(law: PowerLaw, n: int, generator: Generator) -> Integers:
    """Draw n degrees, largest first, with an even sum.

    If the sum is odd in all attempts, as with n and all degrees odd, the largest degree is changed
    by one: within the law if it allows another value.
    """
    degrees = np.empty(0, np.int64)
    for _ in range(DEGREE_ATTEMPTS if law.greatest > law.least else 1):
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


def draw_sizes(law: PowerLaw, n: int, generator: Generator) -> Integers:
    """Draw sizes, largest first, that add up to n; the bounds of the law must allow this.

    Sizes are drawn until they reach n, and again if they exceed it. If they do in all attempts, the
    nearest ones are changed by as little as possible.
    """
    nearest, least_off = np.empty(0, np.int64), math.inf
    for _ in range(SIZE_ATTEMPTS):
        sizes = _draw_up_to(law, n, generator)
        if len(sizes) * law.least > n:
            sizes = sizes[:-1]
        off = abs(int(sizes.sum()) - n)
        if off < least_off:
            nearest, least_off = sizes, off
        if off == 0:
            break
    else:
        nearest = _adjust(generator.permutation(nearest), law, n)
    return np.sort(nearest)[::-1]


def _draw_up_to(law: PowerLaw, n: int, generator: Generator) -> Integers:
    """Draw sizes until they add up to at least n."""
    at_once = int(n / law.mean * 1.2) + 8
    sizes = law.draw(at_once, generator)
    while (total := np.cumsum(sizes))[-1] < n:
        sizes = np.concatenate((sizes, law.draw(at_once, generator)))
    return sizes[: int(np.searchsorted(total, n)) + 1]


def _adjust(sizes: Integers, law: PowerLaw, n: int) -> Integers:
    """Change sizes by one, in turn and within the law, until they add up to n."""
    missing = n - int(sizes.sum())
    sign = 1 if missing > 0 else -1
    missing = abs(missing)
    while missing > 0:
        margin = law.greatest - sizes if sign > 0 else sizes - law.least
        movable = np.flatnonzero(margin)
        rounds = min(missing // len(movable), int(margin[movable].min()))
        if rounds == 0:  # less than one round is left
            movable, rounds = movable[:missing], 1
        sizes[movable] += sign * rounds
        missing -= rounds * len(movable)
    return sizes


def needed_sizes(degrees: Integers, sizes: Integers, xi: float) -> NDArray[np.float64]:
    """Return how large the cluster of each vertex must be to hold its neighbours and itself."""
    squared_shares = int(sizes @ sizes) / int(sizes.sum()) ** 2
    return share_inside(xi, squared_shares) * degrees.astype(np.float64) + 1


def places_in(sizes: Integers, needed: NDArray[np.float64]) -> Integers:
    """Count the places in all clusters that are at least as large as needed; sizes descend."""
    n_large = np.searchsorted(-sizes, -needed, side="right")
    return np.concatenate(([0], np.cumsum(sizes)))[n_large]


def _misfit(
    degrees: Integers, sizes: Integers, needed: NDArray[np.float64], places: Integers
) -> cv.OptionError:
    """Return an error that names the vertices of the last attempt that found no place."""
    first = int(np.argmin(places > np.arange(len(places))))
    degree = int(degrees[first])
    n_such = int(np.count_nonzero(degrees >= degree))
    hint = "lower max_degree or raise max_size"
    if places[first] > 0:
        hint = "raise min_size or lower the degrees"
    return cv.OptionError(
        f"degrees and sizes of clusters did not fit in {FIT_ATTEMPTS} draws: in the last one, "
        f"{quantity(n_such, 'vertex', 'vertices')} of degree {degree:,} or more needed clusters of "
        f"at least {math.ceil(needed[first]):,} vertices, which had room for "
        f"{int(places[first]):,} (the largest had {int(sizes[0]):,}); {hint}"
    )


def split_degrees(
    degrees: Integers, labels: Integers, xi: float, generator: Generator
) -> tuple[Integers, Integers]:
    """Split degrees, largest first, into those inside clusters and those in the background.

    A share of xi goes to the background. Inner degrees are rounded at random, except that the one
    of the first vertex of each cluster makes their sum even; it may exceed the degree by 1.
    """
    inside = np.round(degrees - xi * degrees, 9)  # products that should be integers are
    inner = np.floor(inside).astype(np.int64)
    first = np.empty(int(labels.max()) + 1, np.int64)
    first[labels[::-1]] = np.arange(len(labels))[::-1]
    up = generator.random(len(degrees)) < inside - inner
    up[first] = False
    inner += up
    odd = np.bincount(labels, weights=inner % 2).astype(np.int64) % 2
    inner[first] += odd
    return inner, np.maximum(degrees - inner, 0)
