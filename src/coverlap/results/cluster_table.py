"""The table of clusters: what each cluster, and each set of outliers, adds to the loss."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.frames import AnyColumn, CodedColumn, Column, number_column
from coverlap.counting.matching import Side
from coverlap.explain.difference import partners
from coverlap.explain.losses import match_sizes, weights
from coverlap.measures.fstar import Direction

if TYPE_CHECKING:
    from coverlap.results.comparison import Comparison

KINDS = ["cluster", "outliers", "none"]
"""Kinds of rows; the last one is that of a side without clusters, if only clusters count."""

Arrays = dict[str, NDArray[Any]]


def cluster_table(comparison: "Comparison") -> tuple[AnyColumn, ...]:
    """Return the columns of the table: the clusters of each side, followed by its outliers."""
    matching, average = comparison.matching, comparison.options.average
    left, right = matching.left, matching.right
    left_names, right_names = comparison.cluster_names
    outliers = matching.n_left_outliers, matching.n_right_outliers
    n_shared = matching.n_shared_outliers
    parts = [
        _rows(comparison.left, left, right, outliers, n_shared, average),
        _rows(comparison.right, right, left, outliers[::-1], n_shared, average),
    ]
    side = np.repeat([0, 1], [len(part["size"]) for part in parts])
    rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    # The names of both sides are in one list, those of the right side last.
    names, offset = left_names + right_names, len(left_names)
    cluster = np.where((side == 1) & (rows["cluster"] >= 0), offset, 0) + rows["cluster"]
    match = np.where((side == 0) & (rows["match"] >= 0), offset, 0) + rows["match"]
    size, match_size, shared = (rows[name] for name in ("size", "match_size", "shared"))
    return (
        CodedColumn("side", list(comparison.sides), side, None, "text"),
        CodedColumn("kind", KINDS, rows["kind"], None, "text"),
        CodedColumn("cluster", names, cluster),
        number_column("size", size),
        CodedColumn("match", names, match),
        number_column("match_size", match_size),
        number_column("shared", shared),
        Column("similarity", rows["similarity"], "float"),
        Column("share", shared / np.where(size > 0, size, 1), "float"),
        Column("match_share", shared / np.where(match_size > 0, match_size, 1), "float"),
        Column("mutual", rows["mutual"], "boolean"),
        Column("weight", rows["weight"], "float"),
        Column("loss", rows["weight"] * (1 - rows["similarity"]), "float"),
    )


def _rows(
    direction: Direction, own: Side, other: Side, n_outliers: tuple[int, int], n_shared: int,
    average: str,
) -> Arrays:  # fmt: skip
    """Return the rows of one side: its clusters, a row for none if these count, its outliers."""
    k = len(own.sizes)
    rows: Arrays = {
        "kind": np.zeros(k, np.int64),
        "cluster": np.arange(k),
        "match": own.match,
        "size": own.sizes,
        "match_size": match_sizes(own, other),
        "shared": own.shared,
        "similarity": own.similarity,
        "mutual": partners(own, other) >= 0,
        "weight": weights(direction, own.sizes, average),
    }
    more = []
    if k == 0 and direction.cluster_share > 0:
        more.append((2, -1, -1, 0, 0, 0, 0.0, False, direction.weight * direction.cluster_share))
    if direction.outlier_share > 0:
        weight = direction.weight * direction.outlier_share
        more.append((1, -1, -1, *n_outliers, n_shared, direction.outliers, n_shared > 0, weight))
    for name, values in zip(rows, zip(*more, strict=True), strict=False):
        rows[name] = np.concatenate((rows[name], values))
    return rows
