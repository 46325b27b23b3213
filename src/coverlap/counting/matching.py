"""Matching: the best match of every cluster on both sides, which is all that F* needs."""

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.errors import InputError, OptionError
from coverlap.core.wording import shown

Similarity = Callable[[NDArray[Any], NDArray[Any], NDArray[Any]], Any]
"""A user-defined similarity: arrays (shared, own size, other size) -> values in [0, 1]."""

BELOW_ONE = math.nextafter(1.0, 0.0)
"""The largest score of clusterings that differ."""

SimilarityName = Literal["jaccard", "f1", "precision", "recall"]


class SimilarityFormula(NamedTuple):
    """The similarity factor * shared / (own * own size + other * other size + both * shared).

    All built-in similarities have this form, so one kernel computes all of them.
    """

    own: int
    other: int
    both: int
    factor: int
    symmetric: int

    def of(self, shared: int, own: int, other: int) -> float:
        """Return the similarity of two sets that share at least one object; 1.0 only if exact."""
        above = self.factor * shared
        below = self.own * own + self.other * other + self.both * shared
        similarity = above / below
        return similarity if similarity < 1 or above == below else BELOW_ONE

    def of_arrays(
        self, shared: NDArray[Any], own: NDArray[Any], other: NDArray[Any]
    ) -> NDArray[np.float64]:
        """Return the similarity of each pair of sets, as `of` does.

        The arrays hold integers: of 64 bits if no size exceeds 2**51, or else of Python.
        """
        above = self.factor * shared
        below = self.own * own + self.other * other + self.both * shared
        similarity: NDArray[np.float64] = np.asarray(above / below, np.float64)
        similarity[(similarity == 1) & (above != below)] = BELOW_ONE
        return similarity


SIMILARITIES: dict[SimilarityName, SimilarityFormula] = {
    "jaccard": SimilarityFormula(1, 1, -1, 1, 1),
    "f1": SimilarityFormula(1, 1, 0, 2, 1),
    "precision": SimilarityFormula(1, 0, 0, 1, 0),
    "recall": SimilarityFormula(0, 1, 0, 1, 0),
}


class Side(NamedTuple):
    """One side's clusters: their sizes and best matches, in cluster order.

    ``match`` is a position on the other side, -1 for a cluster that shares no object with any.
    With weights, sizes and shared objects are sums of weights; see `Matching`.
    """

    sizes: NDArray[Any]
    match: NDArray[np.int64]
    shared: NDArray[Any]
    similarity: NDArray[np.float64]


class Sum(NamedTuple):
    """The exact sum of the similarities of one side; see `coverlap._kernels.matching.add_up`."""

    n_clusters: int
    weight: int
    high: int
    middle: int
    low: int

    def mean(self) -> float:
        """Return the weighted mean, rounded once; 0 without clusters, and 1.0 only if exact."""
        if self.weight == 0:
            return 0.0
        total = (int(self.high) << 52) + (int(self.middle) << 26) + int(self.low)
        most = int(self.weight) << 78
        mean = total / most
        return mean if mean < 1 or total == most else BELOW_ONE


class Totals(NamedTuple):
    """The totals of a matching, which a score needs: sums over the clusters, counts of outliers."""

    left: Sum
    right: Sum
    n_objects: int
    n_left_outliers: int
    n_right_outliers: int
    n_shared_outliers: int


class Matching(NamedTuple):
    """The clusters of both sides with their best matches, and the counts of outliers.

    With weights, all counts are sums of the weights of objects: exact integers in a unit of their
    own as engines return them (Python's if they are large), or in the unit of the user; see
    `coverlap.counting.memory.in_given_unit`.
    """

    left: Side
    right: Side
    n_objects: int
    n_left_outliers: int
    n_right_outliers: int
    n_shared_outliers: int

    def with_outliers(self, n: int) -> "Matching":
        """Add objects that are outliers on both sides."""
        return self._replace(
            n_objects=self.n_objects + n,
            n_left_outliers=self.n_left_outliers + n,
            n_right_outliers=self.n_right_outliers + n,
            n_shared_outliers=self.n_shared_outliers + n,
        )

    def totals(self, average: str) -> Totals:
        """Add up the similarities, weighted by size or equally."""
        left, right = (_add_up(side, average == "equal") for side in (self.left, self.right))
        return Totals(
            left, right, self.n_objects, self.n_left_outliers, self.n_right_outliers,
            self.n_shared_outliers,
        )  # fmt: skip


def _add_up(side: Side, equal: bool) -> Sum:
    if side.sizes.dtype != object:
        return Sum(*_kernels.matching.add_up(side.sizes, side.similarity, equal))
    sizes = [1] * len(side.sizes) if equal else side.sizes.tolist()
    similarities = (int(similarity * 2.0**78) for similarity in side.similarity.tolist())
    total = sum(size * similarity for size, similarity in zip(sizes, similarities, strict=True))
    return Sum(len(sizes), sum(sizes), 0, 0, total)


def find_similarity(similarity: str | Similarity) -> SimilarityFormula | Similarity:
    """Return the built-in similarity of a name, or a user-defined function as it is."""
    if isinstance(similarity, str) and similarity in SIMILARITIES:
        return SIMILARITIES[similarity]
    if callable(similarity):
        return similarity
    names = ", ".join(repr(name) for name in SIMILARITIES)
    raise OptionError(f"similarity must be one of {names} or a function, not {shown(similarity)}")


def apply_similarity(
    function: Similarity, shared: NDArray[Any], own: NDArray[Any], other: NDArray[Any]
) -> NDArray[np.float64]:
    """Call a user-defined similarity, and check the values that it returns."""
    returned = function(
        shared.copy(), own.copy(), other.copy()
    )  # the function may change its arguments
    try:
        values = np.asarray(np.ma.filled(returned, np.nan))
    except (TypeError, ValueError):
        raise InputError("similarity must return an array of one number per pair") from None
    if values.shape != shared.shape or values.dtype.kind not in "fiub":
        raise InputError(
            f"similarity must return one number for each of {len(shared)} pairs, not "
            f"{values.dtype} of shape {values.shape}"
        )
    values = values.astype(np.float64)
    wrong = ~((values >= 0) & (values <= 1))
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        raise InputError(
            f"similarity must be in [0, 1], but is {values[at]} for shared={shared[at]}, "
            f"own={own[at]}, other={other[at]}"
        )
    return values
