"""Outliers turned into clusters, for measures that are not defined for outliers."""

from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from coverlap.core.incidence import Codes, Incidence, Runs, frozen, narrowest
from coverlap.core.memberships import Memberships
from coverlap.core.universe import Pair, write_out_unmentioned

Treatment = Literal["singletons", "cluster"]
TREATMENTS: tuple[str | None, ...] = (None, *get_args(Treatment))
"""What outliers become: nothing else, a cluster each, or one cluster per side."""


def cluster_outliers(pair: Pair, outliers_as: str | None) -> Pair:
    """Put the outliers of both sides into clusters; None leaves them as they are."""
    if outliers_as is None:
        return pair
    whole = write_out_unmentioned(pair)
    left, right = (with_outliers_as(side, outliers_as) for side in (whole.left, whole.right))
    return whole._replace(left=left, right=right)


def with_outliers_as(side: Memberships, outliers_as: str) -> Memberships:
    """Put the outliers of one side into one cluster, or into a cluster each."""
    outliers = np.flatnonzero(side.outlier_mask())
    if len(outliers) == 0:
        return side
    sizes = np.ones(len(outliers), np.int64) if outliers_as == "singletons" else [len(outliers)]
    incidence = _extended(side.incidence, outliers, np.asarray(sizes))
    return replace(side, incidence=incidence, code_names=None).distinct()


def _extended(
    incidence: Incidence, outliers: NDArray[np.int64], sizes: NDArray[np.int64]
) -> Incidence:
    """Add clusters of the given sizes, whose members are the outliers in order."""
    if isinstance(incidence, Runs):
        ends = incidence.pointers[-1] + np.cumsum(sizes)
        members = np.concatenate((incidence.members, outliers.astype(incidence.members.dtype)))
        return Runs(frozen(np.concatenate((incidence.pointers, ends))), frozen(members))
    n_codes = incidence.n_codes + len(sizes)
    codes: NDArray[Any] = incidence.codes.astype(narrowest(n_codes))
    codes[outliers] = np.repeat(np.arange(incidence.n_codes, n_codes), sizes)
    return Codes(frozen(codes), n_codes)
