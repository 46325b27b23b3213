"""The rows that the relational engine gets from a database: one for each cluster of a side."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.counting.relational.runner import Columns

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Stage:
    """The sizes of clusters after one step of the rules, and fingerprints of their members."""

    sizes: Integers
    fingerprints: NDArray[Any]


@dataclass(frozen=True, eq=False)
class Rows:
    """The clusters of one side in cluster order, empty and equal ones included.

    ``partners`` are the numbers of their best matches, -1 for none.
    """

    clusters: Integers
    stages: list[Stage]
    partners: Integers
    shared: Integers


def rows_of_sides(columns: Columns, n_stages: int) -> tuple[Rows, Rows]:
    """Return the rows of `ClusterStatements.matches` as those of left and right."""
    sides = np.asarray(columns["side"])
    order = np.lexsort((np.asarray(columns["cluster"]), sides))
    cut = int(np.count_nonzero(sides == 0))

    def rows(chosen: Integers) -> Rows:
        def column(name: str, missing: int = 0) -> NDArray[Any]:
            return np.ma.filled(columns[name][chosen], missing)

        return Rows(
            column("cluster").astype(np.int64),
            [Stage(column(f"size_{i}"), column(f"fingerprint_{i}")) for i in range(n_stages)],
            column("partner", -1).astype(np.int64),
            column("shared").astype(np.int64),
        )

    return rows(order[:cut]), rows(order[cut:])
