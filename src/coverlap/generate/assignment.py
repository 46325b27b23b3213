"""Which vertex is in which cluster, if vertices of high degree need large clusters."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.errors import OptionError
from coverlap.core.incidence import frozen, narrowest
from coverlap.core.wording import quantity
from coverlap.generate.abcd_parameters import Parameters, share_inside
from coverlap.generate.degrees import draw_degrees
from coverlap.generate.sizes import draw_sizes

ATTEMPTS = 100
"""So often degrees and sizes are drawn until they fit."""


class Assignment(NamedTuple):
    """Degree and cluster of each vertex, largest degrees and clusters first."""

    degrees: NDArray[np.int64]
    labels: NDArray[Any]
    n_clusters: int


def draw_assignment(parameters: Parameters, generator: np.random.Generator) -> Assignment:
    """Draw degrees and sizes that fit, and put each vertex into a random cluster that can take it.

    The clusters that can take a vertex can take all later ones, so all vertices find a place if
    there is any way to place them.
    """
    n = parameters.n_vertices
    for _ in range(ATTEMPTS):
        degrees = draw_degrees(parameters.degrees, n, generator)
        sizes = draw_sizes(parameters.sizes, n, generator)
        needed = needed_sizes(degrees, sizes, parameters.xi)
        places = places_in(sizes, needed)
        if np.all(places > np.arange(n)):
            break
    else:
        raise _misfit(degrees, sizes, needed, places)
    labels = np.repeat(np.arange(len(sizes), dtype=narrowest(len(sizes))), sizes)
    state = generator.integers(2**64, size=1, dtype=np.uint64)
    _kernels.abcd.assign(labels, frozen(places), state)
    return Assignment(degrees, labels, len(sizes))


def needed_sizes(
    degrees: NDArray[np.int64], sizes: NDArray[np.int64], xi: float
) -> NDArray[np.float64]:
    """Return how large a cluster each vertex needs: it has as many neighbours there, and itself."""
    squared_shares = int(sizes @ sizes) / int(sizes.sum()) ** 2
    return share_inside(xi, squared_shares) * degrees.astype(np.float64) + 1


def places_in(sizes: NDArray[np.int64], needed: NDArray[np.float64]) -> NDArray[np.int64]:
    """Count the vertices of all clusters that are at least as large as needed; sizes descend."""
    n_large = np.searchsorted(-sizes, -needed, side="right")
    return np.concatenate(([0], np.cumsum(sizes)))[n_large]


def _misfit(
    degrees: NDArray[np.int64],
    sizes: NDArray[np.int64],
    needed: NDArray[np.float64],
    places: NDArray[np.int64],
) -> OptionError:
    """Say which vertices of the last attempt found no place."""
    first = int(np.argmin(places > np.arange(len(places))))
    degree = int(degrees[first])
    n_such = int(np.count_nonzero(degrees >= degree))
    hint = "lower max_degree or raise max_size"
    if places[first] > 0:
        hint = "raise min_size or lower the degrees"
    return OptionError(
        f"degrees and sizes of clusters did not fit in {ATTEMPTS} draws: in the last one, "
        f"{quantity(n_such, 'vertex', 'vertices')} of degree {degree:,} or more needed clusters of "
        f"at least {math.ceil(needed[first]):,} vertices, which had room for "
        f"{int(places[first]):,} (the largest had {int(sizes[0]):,}); {hint}"
    )
