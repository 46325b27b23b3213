"""The table of clusters: what each cluster, and each set of outliers, adds to the loss."""

from typing import TYPE_CHECKING, Any

import numpy as np

from coverlap.counting.matching import Side
from coverlap.explain.difference import partners
from coverlap.explain.losses import match_sizes, weights
from coverlap.measures.fstar import Direction

if TYPE_CHECKING:
    from coverlap.results.comparison import Comparison

KINDS = {
    "side": "text", "kind": "text", "cluster": "name", "size": "integer", "match": "name",
    "match_size": "integer", "shared": "integer", "similarity": "float", "share": "float",
    "match_share": "float", "mutual": "boolean", "weight": "float", "loss": "float",
}  # fmt: skip
"""The columns of the table, and what they hold."""


def cluster_table(comparison: "Comparison") -> dict[str, list[Any]]:
    """Return the table as columns: the clusters of each side, followed by its outliers."""
    left, right = comparison.matching.left, comparison.matching.right
    left_names, right_names = comparison.cluster_names
    outliers, average = comparison.outliers, comparison.options.average
    n_left, n_right, n_shared = outliers.n_left, outliers.n_right, outliers.n_shared
    one, two = comparison.sides
    tables = [
        _cluster_rows(one, comparison.left, left, right, left_names, right_names, average),
        _other_rows(one, comparison.left, left, n_left, n_right, n_shared),
        _cluster_rows(two, comparison.right, right, left, right_names, left_names, average),
        _other_rows(two, comparison.right, right, n_right, n_left, n_shared),
    ]
    return {name: [value for table in tables for value in table[name]] for name in KINDS}


def _cluster_rows(
    side: str,
    direction: Direction,
    own: Side,
    other: Side,
    own_names: list[Any],
    other_names: list[Any],
    average: str,
) -> dict[str, list[Any]]:
    k = len(own.sizes)
    weight, match_size = weights(direction, own.sizes, average), match_sizes(own, other)
    mutual = partners(own, other) >= 0
    match_names = [*other_names, None]  # position -1, no match, is the last
    return {
        "side": [side] * k,
        "kind": ["cluster"] * k,
        "cluster": own_names,
        "size": own.sizes.tolist(),
        "match": [match_names[i] for i in own.match.tolist()],
        "match_size": match_size.tolist(),
        "shared": own.shared.tolist(),
        "similarity": own.similarity.tolist(),
        "share": (own.shared / own.sizes).tolist(),
        "match_share": (own.shared / np.maximum(match_size, 1)).tolist(),
        "mutual": mutual.tolist(),
        "weight": weight.tolist(),
        "loss": (weight * (1 - own.similarity)).tolist(),
    }


def _other_rows(
    side: str, direction: Direction, own: Side, n_own: int, n_other: int, n_shared: int
) -> dict[str, list[Any]]:
    """Return a row for a side without clusters, if these count, and one for its outliers."""
    rows = []
    if not len(own.sizes) and direction.cluster_share > 0:
        rows.append(("none", 0, 0, 0, 0.0, direction.cluster_share))
    if direction.outlier_share > 0:
        outliers = n_own, n_other, n_shared, direction.outliers, direction.outlier_share
        rows.append(("outliers", *outliers))
    table = [
        {
            "side": side, "kind": kind, "cluster": None, "size": size, "match": None,
            "match_size": match_size, "shared": shared, "similarity": similarity,
            "share": shared / max(size, 1), "match_share": shared / max(match_size, 1),
            "mutual": shared > 0, "weight": direction.weight * share,
            "loss": direction.weight * share * (1 - similarity),
        }
        for kind, size, match_size, shared, similarity, share in rows
    ]  # fmt: skip
    return {name: [row[name] for row in table] for name in KINDS}
