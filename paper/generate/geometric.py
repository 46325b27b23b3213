"""Clusters of points in the plane that overlap or leave points out."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import coverlap as cv
from paper.generate.checks import (
    MOST,
    check_integer,
    check_number,
    check_share,
    generator_of,
    quantity,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class GeometricClusters:
    """The result of `geometric_clusters`: points in the unit disc and a partition of them.

    Object i is the point in row i of ``points``; ``primary`` is the partition into parts. `grown`
    returns clusters that overlap, and `shrunk` returns clusters with outliers.
    """

    points: Floats
    primary: cv.Clustering

    def grown(self, factor: float) -> cv.Clustering:
        """Add nearby points to each part, so that parts overlap; equal parts are merged.

        Parameters
        ----------
        factor : float
            At least 1. Each part receives the points nearest to its mean that are not in it, until
            it has ``int(size * factor)`` points or all points.

        Examples
        --------
        >>> geometric_clusters([8] * 4, seed=0).grown(1.5)
        Clustering(32 objects, 4 clusters, 48 memberships, overlapping)
        """
        factor = check_number("factor", factor, 1)
        sizes, n = self.primary.sizes, len(self.points)
        wanted = np.minimum(np.round(sizes * min(factor, n), 9), n).astype(np.int64)
        x, y = np.ascontiguousarray(self.points.T)
        clusters = []
        for own, centre, count in zip(self._members(), self._centres(), wanted, strict=True):
            distances = _squared_distances(x, y, centre)
            distances[own] = -1.0  # its own points come first
            clusters.append(np.flatnonzero(_smallest(distances, count)))
        return cv.Clustering.from_clusters(clusters, universe=n)

    def shrunk(self, share: float) -> cv.Clustering:
        """Remove the points furthest from the mean of each part; they become outliers.

        Parts that keep no point are dropped; the others keep their numbers as names.

        Parameters
        ----------
        share : float
            From 0 to 1. Each part keeps the ``int(size * (1 - share))`` points nearest to its mean.

        Examples
        --------
        >>> geometric_clusters([8] * 4, seed=0).shrunk(0.25)
        Clustering(32 objects, 4 clusters, 24 memberships, 8 outliers)
        """
        share = check_share("share", share)
        sizes = self.primary.sizes
        # Rounding first keeps products that are integers in exact arithmetic.
        wanted = np.round(sizes * (1 - share), 9).astype(np.int64)
        x, y = self.points.T
        clusters = []
        for own, centre, count in zip(self._members(), self._centres(), wanted, strict=True):
            distances = _squared_distances(x[own], y[own], centre)
            if len(own) == 2:
                # Both are equally far from their mean; rounding must not choose between them.
                distances[:] = 0.0
            clusters.append(own[_smallest(distances, count)])
        return cv.Clustering.from_clusters(clusters, universe=len(self.points))

    def _members(self) -> list[Integers]:
        """Return the points of each part, in ascending order."""
        in_order = np.argsort(self.primary.to_labels(), kind="stable")
        return np.split(in_order, np.cumsum(self.primary.sizes)[:-1]) if len(in_order) else []

    def _centres(self) -> Floats:
        """Return the mean of the points of each part."""
        codes, sizes = self.primary.to_labels(), self.primary.sizes
        sums = [np.bincount(codes, column, len(sizes)) for column in self.points.T]
        return np.column_stack(sums) / sizes[:, np.newaxis]

    def __repr__(self) -> str:
        parts = quantity(self.primary.n_clusters, "part")
        return f"GeometricClusters({quantity(len(self.points), 'point')}, {parts})"


def geometric_clusters(sizes: Iterable[int], *, seed: Any = None) -> GeometricClusters:
    """Draw random points and divide them into parts of given sizes, each of nearby points.

    Points are drawn uniformly from the unit disc. For each size in turn, the free point furthest
    from the centre of the disc and the free points nearest to it form a part. These are the
    primary clusters of the ABCD+o2 model of graphs. The time is proportional to the number of
    points times the number of parts.

    Parameters
    ----------
    sizes : sequence of int
        Size of each part; their sum is the number of points.
    seed : int, numpy.random.Generator or None
        The same integer gives the same points.

    Examples
    --------
    >>> import coverlap as cv
    >>> geometry = geometric_clusters([32] * 32, seed=0)
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
    points = np.column_stack((radii * np.cos(angles), radii * np.sin(angles)))
    return divide_points(points, counts)


def divide_points(points: Floats, sizes: Integers) -> GeometricClusters:
    """Divide given points into parts; ties go to the first point."""
    n = len(points)
    codes = np.full(n, -1)
    free, x, y, from_origin = np.arange(n), *points.T, (points**2).sum(axis=1)
    for part, size in enumerate(sizes):
        outermost = np.argmax(from_origin)
        chosen = _smallest(_squared_distances(x, y, (x[outermost], y[outermost])), size)
        codes[free[chosen]] = part
        free, x, y, from_origin = (column[~chosen] for column in (free, x, y, from_origin))
    points = points.copy()
    points.setflags(write=False)
    return GeometricClusters(points, cv.Clustering.from_labels(codes))


def _squared_distances(x: Floats, y: Floats, centre: Any) -> Floats:
    return np.asarray((x - centre[0]) ** 2 + (y - centre[1]) ** 2)


def _smallest(values: Floats, count: int) -> NDArray[np.bool_]:
    """Return which values are the ``count`` smallest; ties go to the first."""
    if count == 0:
        return np.zeros(len(values), bool)
    limit = np.partition(values, count - 1)[count - 1]
    chosen = values < limit
    ties = np.flatnonzero(values == limit)
    chosen[ties[: count - np.count_nonzero(chosen)]] = True
    return np.asarray(chosen)


def _check_sizes(sizes: Any) -> Integers:
    unordered = isinstance(sizes, (str, bytes, AbstractSet, Mapping))
    if unordered or not isinstance(sizes, Iterable) or getattr(sizes, "ndim", 1) != 1:
        raise cv.InputTypeError(f"sizes must be a sequence of integers, not {sizes!r}")
    counts = [check_integer(f"sizes[{i}]", size, 1, MOST) for i, size in enumerate(sizes)]
    check_integer("the sum of sizes", sum(counts), 0, MOST)
    return np.array(counts, np.int64)
