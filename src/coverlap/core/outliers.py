"""Outliers made into something that a measure of partitions knows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.clustering.clustering import Clustering
from coverlap.core.checks import check_option
from coverlap.core.incidence import Codes, Incidence, Runs, frozen, narrowest
from coverlap.core.universe import Pair, drop, lay_out
from coverlap.inputs.parts import Parts

TREATMENTS = (None, "singletons", "cluster", "drop")
"""What outliers may be taken for: a cluster each, one cluster per side, or nothing at all."""


def treat(pair: Pair, outliers_as: str | None) -> Pair:
    """Return a pair without outliers, or the pair itself if they are to stay what they are.

    "singletons" makes a cluster of each outlier, "cluster" makes one cluster of all outliers of a
    side, and "drop" takes the objects that are outliers on either side out of the universe.
    """
    check_option("outliers_as", outliers_as, TREATMENTS)
    if outliers_as is None:
        return pair
    if outliers_as == "drop":
        return drop(pair, "either")
    whole = lay_out(pair)
    left, right = (clustered(side, outliers_as) for side in (whole.left, whole.right))
    return whole._replace(left=left, right=right)


def clustered(side: Clustering, outliers_as: str) -> Clustering:
    """Put the outliers of one side into one cluster, or into a cluster each."""
    outliers = np.flatnonzero(side._outlier_mask())
    if len(outliers) == 0:
        return side
    sizes = np.ones(len(outliers), np.int64) if outliers_as == "singletons" else [len(outliers)]
    incidence = _extended(side._incidence, outliers, np.asarray(sizes))
    return Clustering._make(Parts(incidence, side._objects))


def _extended(
    incidence: Incidence, outliers: NDArray[np.int64], sizes: NDArray[np.int64]
) -> Incidence:
    """Add clusters of the given sizes, which have the outliers for members."""
    if isinstance(incidence, Runs):
        pointers, members = incidence
        more = pointers[-1] + np.cumsum(sizes)
        members = np.concatenate((members, outliers.astype(members.dtype)))
        return Runs(frozen(np.concatenate((pointers, more))), frozen(members))
    n_codes = incidence.n_codes + len(sizes)
    codes: NDArray[Any] = incidence.codes.astype(narrowest(n_codes))
    codes[outliers] = np.repeat(np.arange(incidence.n_codes, n_codes), sizes)
    return Codes(frozen(codes), n_codes)
