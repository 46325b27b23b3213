"""Regular, random and shuffled clusterings, to evaluate measures on."""

from dataclasses import replace
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.clustering.clustering import Clustering
from coverlap.clustering.recognise import recognise
from coverlap.core.checks import check_integer, check_number, check_share
from coverlap.core.errors import OptionError
from coverlap.core.incidence import Codes, Runs, frozen, move, narrowest, transposed
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.core.wording import shown

__all__ = ["equal_partition", "random_clustering", "shuffled"]

Generator = np.random.Generator

MOST = 2**32 - 1
"""Maximum number of objects, and of clusters."""

BLOCK = 1 << 18
"""Number of objects for which random numbers are drawn at once."""


def __dir__() -> list[str]:
    return __all__


def generator_of(seed: Any) -> Generator:
    """Return the generator of a seed: an integer, a generator (returned as it is) or None."""
    if seed is None or isinstance(seed, Generator):
        return np.random.default_rng(seed)
    try:
        number = -1 if isinstance(seed, bool) else index(seed)
    except TypeError:
        number = -1
    if number < 0:
        allowed = "an integer of at least 0, a numpy.random.Generator or None"
        raise OptionError(f"seed must be {allowed}, not {shown(seed)}")
    return np.random.default_rng(number)


def equal_partition(n_objects: int, n_clusters: int) -> Clustering:
    """Return clusters of almost equal sizes: object i is in cluster i mod n_clusters.

    Parameters
    ----------
    n_objects : int
        The objects are 0..n_objects-1.
    n_clusters : int
        From 1 to ``n_objects``; sizes differ by at most one.

    Examples
    --------
    >>> from coverlap import generate
    >>> generate.equal_partition(5, 2).to_clusters()
    [{0, 2, 4}, {1, 3}]
    """
    n_objects = check_integer("n_objects", n_objects, 0, MOST)
    n_clusters = check_integer(
        "n_clusters", n_clusters, min(1, n_objects), n_objects, why="n_objects"
    )
    codes = np.arange(n_objects) % max(n_clusters, 1)
    incidence = Codes(frozen(codes.astype(narrowest(n_clusters))), n_clusters)
    return Clustering(Memberships(incidence, Objects(n_objects)))


def shuffled(clustering: Any, share: float = 1.0, *, seed: Any = None) -> Clustering:
    """Exchange the memberships of some objects at random.

    Of n objects, ``int(share * n)`` are chosen at random and their memberships are permuted among
    them; each permutation is equally likely. Outliers take part like any other object. Names and
    sizes of clusters and the number of outliers do not change.

    Parameters
    ----------
    clustering : clustering
        Any input of `coverlap.as_clustering`.
    share : float
        Share of the objects that take part, from 0 to 1.
    seed : int, numpy.random.Generator or None
        The same integer gives the same clustering.

    Examples
    --------
    >>> from coverlap import generate
    >>> given = generate.equal_partition(1000, 10)
    >>> mixed = generate.shuffled(given, 0.3, seed=0)
    >>> mixed.sizes.tolist() == given.sizes.tolist()
    True
    >>> moved = int((mixed.to_labels() != given.to_labels()).sum())
    >>> 200 < moved < 300  # some of the 300 are back in their own cluster
    True
    """
    share = check_share("share", share)
    rng = generator_of(seed)
    given = recognise(clustering, "clustering")
    n = given.n_objects
    place = np.arange(n)
    chosen = _choose(n, int(round(share * n, 9)), rng)
    place[chosen] = rng.permutation(chosen)
    return Clustering(replace(given, origin="").rearranged(move(given.incidence, place, n)))


def random_clustering(
    n_objects: int,
    n_clusters: int,
    *,
    memberships: float = 1.0,
    outliers: float = 0.0,
    seed: Any = None,
) -> Clustering:
    """Draw a random clustering, which may have overlaps and outliers.

    Empty clusters are dropped and equal ones merged, as in any clustering; ``n_dropped`` and
    ``n_merged`` of the result count them.

    Parameters
    ----------
    n_objects : int
        The objects are 0..n_objects-1.
    n_clusters : int
        Number of clusters to draw from.
    memberships : float
        Mean number of clusters of an object that is not an outlier, from 1 to ``n_clusters``. If
        it is not an integer, it is rounded up or down at random for each object.
    outliers : float
        Share of the objects that are in no cluster, from 0 to 1: ``round(outliers * n_objects)``
        objects.
    seed : int, numpy.random.Generator or None
        The same integer gives the same clustering.

    Examples
    --------
    >>> from coverlap import generate
    >>> generate.random_clustering(1000, 20, memberships=3, outliers=0.1, seed=0)
    Clustering(1,000 objects, 20 clusters, 2,700 memberships, 100 outliers, overlapping)
    >>> generate.random_clustering(1000, 20, seed=0)
    Clustering(1,000 objects, 20 clusters)
    """
    n_objects = check_integer("n_objects", n_objects, 0, MOST)
    n_clusters = check_integer("n_clusters", n_clusters, 1, MOST)
    memberships = check_number("memberships", memberships, 1, n_clusters, why="n_clusters")
    n_outliers = round(check_share("outliers", outliers) * n_objects)
    rng = generator_of(seed)
    degrees = np.full(n_objects, int(memberships))
    if memberships > int(memberships):
        degrees += rng.random(n_objects) < memberships - int(memberships)
    degrees[_choose(n_objects, n_outliers, rng)] = 0
    by_object = _draw_memberships(degrees, n_clusters, rng)
    if memberships > 1:
        return Clustering(Memberships(transposed(by_object, n_clusters), Objects(n_objects)))
    codes = np.full(n_objects, -1, by_object.members.dtype)
    codes[degrees > 0] = by_object.members
    n_used = np.count_nonzero(np.bincount(by_object.members))
    drawn = Codes(frozen(codes), n_clusters)
    return Clustering(Memberships(drawn, Objects(n_objects), n_dropped=int(n_clusters - n_used)))


def _choose(n: int, wanted: int, rng: Generator) -> NDArray[np.int64]:
    """Choose some of 0..n-1, each set equally likely."""
    return rng.choice(n, wanted, replace=False, shuffle=False) if n else np.arange(0)


def _draw_memberships(degrees: NDArray[np.int64], n_clusters: int, rng: Generator) -> Runs:
    """Draw the given number of distinct clusters for each object; return them by object."""
    pointers = frozen(np.concatenate(([0], np.cumsum(degrees))))
    joined = np.empty(int(pointers[-1]), narrowest(n_clusters))
    deck = np.arange(n_clusters, dtype=joined.dtype)
    for begin in range(0, len(degrees), BLOCK):
        end = min(begin + BLOCK, len(degrees))
        draws = rng.random(int(pointers[end] - pointers[begin]))
        _kernels.sampling.draw_clusters(pointers, begin, end, deck, frozen(draws), joined)
    return Runs(pointers, frozen(joined))
