"""The table of clusters: what each cluster, and each set of outliers, adds to the loss."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.values import value_array
from coverlap.counting.matching import Matching, Side
from coverlap.measures.fstar import Direction, FStar

FIELDS = {
    "side": "text", "kind": "text", "cluster": "name", "size": "integer", "match": "name",
    "match_size": "integer", "shared": "integer", "similarity": "float", "precision": "float",
    "recall": "float", "mutual": "boolean", "weight": "float", "loss": "float",
}  # fmt: skip
"""The columns of the table, and what they hold."""


class _Seen(NamedTuple):
    """One side as it is seen from itself: its own clusters, and the other's."""

    name: str
    direction: Direction
    own: Side
    other: Side
    own_names: NDArray[Any]
    other_names: NDArray[Any]
    n_outliers: int
    n_other_outliers: int
    n_shared_outliers: int


def cluster_table(
    matching: Matching, parts: FStar, names: tuple[list[Any], list[Any]], average: str
) -> dict[str, list[Any]]:
    """Make the table: the clusters of both sides, each side's followed by its outliers."""
    left, right = map(value_array, names)
    _, _, _, n_left, n_right, n_shared = matching
    sides = (
        _Seen(
            "left", parts.left, matching.left, matching.right, left, right,
            n_left, n_right, n_shared,
        ),
        _Seen(
            "right", parts.right, matching.right, matching.left, right, left,
            n_right, n_left, n_shared,
        ),
    )  # fmt: skip
    table: dict[str, list[Any]] = {field: [] for field in FIELDS}
    for seen in sides:
        for field, values in _cluster_rows(seen, average).items():
            table[field].extend(values)
        for row in _other_rows(seen):
            for field, value in row.items():
                table[field].append(value)
    return table


def _cluster_rows(seen: _Seen, average: str) -> dict[str, list[Any]]:
    own, k = seen.own, len(seen.own.sizes)
    weight = np.ones(k) if average == "equal" else own.sizes.astype(np.float64)
    weight *= seen.direction.weight * seen.direction.cluster_share / max(weight.sum(), 1)
    found = own.match >= 0
    match_size, mutual = np.zeros(k, np.int64), np.zeros(k, bool)
    match_size[found] = seen.other.sizes[own.match[found]]
    mutual[found] = seen.other.match[own.match[found]] == np.flatnonzero(found)
    names = [*seen.other_names.tolist(), None]  # -1, no match, takes the last
    return {
        "side": [seen.name] * k,
        "kind": ["cluster"] * k,
        "cluster": seen.own_names.tolist(),
        "size": own.sizes.tolist(),
        "match": [names[i] for i in own.match.tolist()],
        "match_size": match_size.tolist(),
        "shared": own.shared.tolist(),
        "similarity": own.similarity.tolist(),
        "precision": (own.shared / own.sizes).tolist(),
        "recall": (own.shared / np.maximum(match_size, 1)).tolist(),
        "mutual": mutual.tolist(),
        "weight": weight.tolist(),
        "loss": (weight * (1 - own.similarity)).tolist(),
    }


def _other_rows(seen: _Seen) -> list[dict[str, Any]]:
    """Make the row of a side that has no clusters to count, and the row of the outliers."""
    empty = {
        "side": seen.name, "kind": "none", "cluster": None, "size": 0, "match": None,
        "match_size": 0, "shared": 0, "similarity": 0.0, "precision": 0.0, "recall": 0.0,
        "mutual": False,
    }  # fmt: skip
    rows, direction, shared = [], seen.direction, seen.n_shared_outliers
    if not len(seen.own.sizes) and direction.cluster_share > 0:
        weight = direction.weight * direction.cluster_share
        rows.append({**empty, "weight": weight, "loss": weight})
    if direction.outlier_share > 0:
        weight = direction.weight * direction.outlier_share
        rows.append({
            **empty, "kind": "outliers", "size": seen.n_outliers,
            "match_size": seen.n_other_outliers, "shared": shared,
            "similarity": direction.outliers, "precision": shared / seen.n_outliers,
            "recall": shared / max(seen.n_other_outliers, 1), "mutual": shared > 0,
            "weight": weight, "loss": weight * (1 - direction.outliers),
        })  # fmt: skip
    return rows
