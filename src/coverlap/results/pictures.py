"""What the pictures of a comparison show, for `coverlap.plot` and for reports."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from coverlap.counting.matching import SIMILARITIES
from coverlap.explain.losses import cluster_losses
from coverlap.pictures.alluvial import Alluvial, lay_out_alluvial
from coverlap.pictures.heat_map import HeatMap, Overview, lay_out_heat_map, lay_out_overview
from coverlap.pictures.order import Order, choose_clusters, order_clusters
from coverlap.results.weights import reject_weights

if TYPE_CHECKING:
    from coverlap.results.comparison import Comparison


def heat_map_of(comparison: "Comparison", most: int) -> HeatMap:
    """Return the heat map of the costliest clusters, at most so many of each side."""
    reject_weights(comparison, "a heat map")
    return lay_out_heat_map(comparison.difference.pair, _chosen(comparison, most))


def overview_of(comparison: "Comparison", most: int) -> Overview:
    """Return the heat map of all clusters, in a grid of at most so many rows and columns."""
    difference = comparison.difference
    form = difference.form or SIMILARITIES["jaccard"]
    return lay_out_overview(difference.contingency, comparison.cluster_order, form, most)


def alluvial_of(comparison: "Comparison", most: int) -> Alluvial:
    """Return the alluvial picture of the costliest clusters, at most so many of each side."""
    reject_weights(comparison, "an alluvial picture")
    pair, order = comparison.difference.pair, _chosen(comparison, most)
    return lay_out_alluvial([pair.left, pair.right], [order.left, order.right], pair.n_unmentioned)


def order_of(comparison: "Comparison") -> Order:
    """Return all clusters in the order of pictures."""
    reject_weights(comparison, "cluster_order")
    matching = comparison.difference.by_jaccard
    return order_clusters(
        matching, comparison.difference.contingency, *cluster_losses_of(comparison)
    )


def _chosen(comparison: "Comparison", most: int) -> Order:
    matching, losses = comparison.difference.by_jaccard, cluster_losses_of(comparison)
    return choose_clusters(comparison.cluster_order, matching, *losses, most)


def cluster_losses_of(
    comparison: "Comparison",
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the loss of each cluster of the left side, and of the right side."""
    matching, average = comparison.matching, comparison.options.average
    return (
        cluster_losses(comparison.left, matching.left, average),
        cluster_losses(comparison.right, matching.right, average),
    )
