"""The loss, 1 - score, by cluster, by reason and by object.

A cluster C of weight w with best match D loses w (1 - similarity). For each built-in similarity,
this is a fixed cost for each object of C that D lacks, and one for each object of D that C lacks.
So the loss can be attributed to objects exactly.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.counting.matching import Side, SimilarityFormula
from coverlap.explain.difference import Difference
from coverlap.measures.fstar import Direction

Floats = NDArray[np.float64]

ROUNDED = 2.0**-50
"""Differences of rounded sums below this share of the larger one are taken for 0."""

REASONS = (
    "gone to other clusters", "gone to outliers", "come from other clusters", "come from outliers",
    "sets of outliers", "side without clusters",
)  # fmt: skip
"""Why something is lost.

An object has gone if it is in the left one of two matched clusters only, and has come if it is in
the right one only.
"""


class Costs(NamedTuple):
    """What a cluster costs each object that only it has, and each that only its match has."""

    own: Floats
    other: Floats


def weights(direction: Direction, sizes: NDArray[Any], average: str) -> Floats:
    """Return the weight of each cluster of one side in the score."""
    by_cluster = np.ones(len(sizes)) if average == "equal" else sizes.astype(np.float64)
    by_cluster *= unit_weight(direction, sizes, average)
    return by_cluster


def unit_weight(direction: Direction, sizes: NDArray[Any], average: str) -> float:
    """Return the weight of each object in a cluster of one side, or that of each cluster."""
    total = len(sizes) if average == "equal" else float(sizes.sum())
    return direction.weight * direction.cluster_share / (total or 1)


def cluster_losses(direction: Direction, side: Side, average: str) -> Floats:
    """Return the loss of each cluster of one side."""
    return weights(direction, side.sizes, average) * (1 - side.similarity)


def _costs(
    weight: Floats, own: NDArray[Any], other: NDArray[Any], shared: NDArray[Any],
    form: SimilarityFormula,
) -> Costs:  # fmt: skip
    """Return the costs of sets of some sizes, given those of their matches, 0 without a match.

    The formula's denominator is the number of objects over which the weight is spread.
    """
    own_counts = form.own > 0
    other_counts = form.other > 0
    below = form.own * own + form.other * other + form.both * shared
    matched = other > 0
    spread = np.where(matched, below, own)
    unit = weight / np.where(spread > 0, spread, 1)
    return Costs(
        np.where(matched, unit * own_counts, unit), np.where(matched, unit * other_counts, 0.0)
    )


class LossRows(NamedTuple):
    """The costs of the clusters of one side, of its outliers, and the loss without clusters."""

    clusters: Costs
    outliers: Costs
    without_clusters: float


def loss_rows(
    difference: Difference, directions: tuple[Direction, Direction], average: str,
    form: SimilarityFormula,
) -> tuple[LossRows, LossRows]:  # fmt: skip
    """Return what each cluster and each set of outliers costs each object, on both sides."""
    matching = difference.matching
    sides = matching.left, matching.right
    n_outliers = matching.n_left_outliers, matching.n_right_outliers
    rows = []
    for direction, own, other, n_own, n_other in zip(
        directions, sides, sides[::-1], n_outliers, n_outliers[::-1], strict=True
    ):
        clusters = _costs(
            weights(direction, own.sizes, average), own.sizes, match_sizes(own, other), own.shared,
            form,
        )  # fmt: skip
        outliers = _costs(
            np.array([direction.weight * direction.outlier_share]), np.array([n_own]),
            np.array([n_other]), np.array([matching.n_shared_outliers]), form,
        )  # fmt: skip
        without = 0.0 if len(own.sizes) else direction.weight * direction.cluster_share
        rows.append(LossRows(clusters, outliers, without))
    return rows[0], rows[1]


def match_sizes(own: Side, other: Side) -> NDArray[Any]:
    """Return the size of the best match of each cluster, 0 if it has none."""
    sizes = np.append(other.sizes, 0)
    return np.asarray(sizes[own.match])


def losses_by_reason(difference: Difference, rows: tuple[LossRows, LossRows]) -> dict[str, float]:
    """Return the loss for each of the reasons."""
    matching, n_outliers = difference.matching, difference.n_outliers
    (left, right), shared = rows, matching.n_shared_outliers
    out_left, out_right = matching.n_left_outliers - shared, matching.n_right_outliers - shared
    # Left to right, own objects have gone and those of the match have come; the reverse otherwise.
    gone = _by_place(left.clusters.own, matching.left, matching.left.sizes, n_outliers.left)
    come = _by_place(right.clusters.own, matching.right, matching.right.sizes, n_outliers.right)
    more_come = _by_place(
        left.clusters.other, matching.left, match_sizes(matching.left, matching.right),
        _of_match(n_outliers.right, matching.left),
    )  # fmt: skip
    more_gone = _by_place(
        right.clusters.other, matching.right, match_sizes(matching.right, matching.left),
        _of_match(n_outliers.left, matching.right),
    )  # fmt: skip
    of_outliers = (
        left.outliers.own * out_left + left.outliers.other * out_right
        + right.outliers.own * out_right + right.outliers.other * out_left
    )  # fmt: skip
    values = (
        gone[0] + more_gone[0], gone[1] + more_gone[1], come[0] + more_come[0],
        come[1] + more_come[1], float(of_outliers[0]),
        left.without_clusters + right.without_clusters,
    )  # fmt: skip
    return dict(zip(REASONS, values, strict=True))


def _by_place(
    cost: Floats, side: Side, sizes: NDArray[Any], n_outliers: NDArray[Any]
) -> tuple[float, float]:
    """Return the cost of objects in other clusters, and of outliers, that the match lacks."""
    rest = sizes - side.shared - n_outliers
    # Sums of weights are rounded, so nothing may look like a very small difference.
    rest = np.where(rest > sizes * ROUNDED, rest, 0)
    return float((cost * rest).sum()), float((cost * n_outliers).sum())


def _of_match(values: NDArray[Any], side: Side) -> NDArray[Any]:
    return np.asarray(np.append(values, 0)[side.match])
