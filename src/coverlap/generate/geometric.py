"""Clusters of points in the plane, that grow into one another or leave points out."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.clustering.clustering import Clustering
from coverlap.core.checks import check_integer, check_number, check_share
from coverlap.core.errors import InputTypeError
from coverlap.core.incidence import Codes, Runs, frozen, narrowest, turned
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.core.wording import quantity, shown
from coverlap.generate.clusterings import MOST
from coverlap.generate.seeds import generator_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class GeometricClusters:
    """The result of `geometric_clusters`: points in the unit disc, and parts that they fall into.

    Object i is the point in row i of ``points``, and ``primary`` is the partition into parts.
    """

    points: Floats
    primary: Clustering

    def grown(self, factor: float) -> Clustering:
        """Let each part take in the points around it, so that parts overlap.

        Parameters
        ----------
        factor : float
            At least 1. A part of some size gets the points nearest to its mean that are not in it
            until it has ``int(size * factor)``, or all there are.

        Returns
        -------
        Clustering
            Memberships that become equal are merged.

        Examples
        --------
        >>> from coverlap import generate
        >>> generate.geometric_clusters([8] * 4, seed=0).grown(1.5)
        Clustering(32 objects, 4 clusters, 48 memberships, overlapping)
        """
        factor = check_number("factor", factor, 1)
        sizes, n = self.primary.sizes, len(self.points)
        wanted = np.minimum(np.round(sizes * min(factor, n), 9), n).astype(np.int64)
        pointers = frozen(np.concatenate(([0], np.cumsum(wanted))))
        members = np.empty(int(pointers[-1]), narrowest(n))
        _kernels.geometry.grow(
            frozen(self.points), self._parts(), self._centres(), pointers, members,
            *_scratch(n, int((wanted - sizes).max(initial=0))),
        )  # fmt: skip
        unsorted = Runs(pointers, frozen(members))
        runs = turned(turned(unsorted, n), len(sizes))
        return Clustering(Memberships(runs, Objects(n)))

    def shrunk(self, share: float) -> Clustering:
        """Let each part lose the points furthest from its mean, which become outliers.

        Parameters
        ----------
        share : float
            From 0 to 1. A part of some size keeps the ``int(size * (1 - share))`` points nearest
            to its mean.

        Returns
        -------
        Clustering
            Memberships that keep nothing are dropped; the others keep their numbers as names.

        Examples
        --------
        >>> from coverlap import generate
        >>> generate.geometric_clusters([8] * 4, seed=0).shrunk(0.25)
        Clustering(32 objects, 4 clusters, 8 outliers)
        """
        share = check_share("share", share)
        sizes, n = self.primary.sizes, len(self.points)
        wanted = np.round(sizes * (1 - share), 9).astype(np.int64)  # what should be whole is whole
        parts = np.full(n, -1, narrowest(n))
        _, *heap = _scratch(n, int(wanted.max(initial=0)))
        _kernels.geometry.shrink(
            frozen(self.points), *self.primary.runs, self._centres(), frozen(wanted), parts, *heap
        )
        pieces = Memberships(Codes(frozen(parts), len(sizes)), Objects(n))
        return Clustering(pieces, int(np.count_nonzero(wanted == 0)))

    def _parts(self) -> NDArray[Any]:
        return cast(Codes, self.primary.incidence).codes

    def _centres(self) -> Floats:
        """Return the mean of the points of each part."""
        columns = self.points.T
        sums = [np.bincount(self._parts(), column, len(self.primary.sizes)) for column in columns]
        return frozen(np.column_stack(sums) / self.primary.sizes[:, np.newaxis])

    def __repr__(self) -> str:
        parts = quantity(self.primary.n_clusters, "part")
        return f"GeometricClusters({quantity(len(self.points), 'point')}, {parts})"


def geometric_clusters(sizes: Iterable[int], *, seed: Any = None) -> GeometricClusters:
    """Cut random points into parts of given sizes, whose points lie close together.

    Points are drawn uniformly from the unit disc. For one size after another, the point furthest
    from the centre of the disc that is still free becomes a part, together with the free points
    nearest to it. These are the primary clusters of the ABCD+o2 model of graphs. The time it takes
    grows with the number of points times the number of parts.

    Parameters
    ----------
    sizes : sequence of int
        Size of each part; their sum is the number of points.
    seed : int, numpy.random.Generator or None
        The same integer gives the same points.

    Returns
    -------
    GeometricClusters
        Whose ``grown`` makes clusters that overlap, and ``shrunk`` such that leave out points.

    Examples
    --------
    >>> import coverlap as cv
    >>> from coverlap import generate
    >>> geometry = generate.geometric_clusters([32] * 32, seed=0)
    >>> geometry
    GeometricClusters(1,024 points, 32 parts)
    >>> cv.fstar_score(geometry.grown(2), geometry.grown(4))
    0.5
    """
    counts = _check_sizes(sizes)
    rng = generator_of(seed)
    n = int(counts.sum())
    angles = rng.random(n) * 2 * np.pi
    radii = np.sqrt(rng.random(n))
    return carved(np.column_stack((radii * np.cos(angles), radii * np.sin(angles))), counts)


def carved(points: Floats, sizes: NDArray[np.int64]) -> GeometricClusters:
    """Cut given points into parts; what ties is decided by position."""
    points = frozen(points)
    n = len(points)
    outermost = np.argsort(-(points**2).sum(axis=1), kind="stable")
    parts = np.full(n, -1, narrowest(n))
    candidates, *heap = _scratch(n, int(sizes.max(initial=0)))
    candidates[:] = np.arange(n)
    _kernels.geometry.carve(
        points, frozen(outermost), frozen(sizes), parts, candidates, *heap
    )  # fmt: skip
    codes = Codes(frozen(parts), len(sizes))
    return GeometricClusters(points, Clustering(Memberships(codes, Objects(n))))


def _scratch(n: int, most: int) -> tuple[NDArray[Any], Floats, NDArray[Any]]:
    """Make room for n candidates, and for the distances and places of the nearest of them."""
    index = narrowest(n)
    return np.empty(n, index), np.empty(most), np.empty(most, index)


def _check_sizes(sizes: Any) -> NDArray[np.int64]:
    unordered = isinstance(sizes, (str, bytes, AbstractSet, Mapping))
    if unordered or not isinstance(sizes, Iterable) or getattr(sizes, "ndim", 1) != 1:
        raise InputTypeError(f"sizes must be a sequence of integers, not {shown(sizes)}")
    counts = [check_integer(f"sizes[{i}]", size, 1, MOST) for i, size in enumerate(sizes)]
    check_integer("the sum of sizes", sum(counts), 0, MOST)
    return np.array(counts, np.int64)
