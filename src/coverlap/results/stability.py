"""Stability: how similar the clusters of one clustering are to those of others."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from coverlap.core.wording import quantity, text_of
from coverlap.results.result import NameWriter, Result
from coverlap.results.text import NAME, Block, Table, numbers

N_LEAST_STABLE = 10
"""Number of clusters in the printed form."""


@dataclass(frozen=True, eq=False)
class Stability(Result):
    """How similar each cluster of one clustering is to its best matches in the others.

    ``similarity[i, j]`` is the Jaccard similarity of cluster i to its best match in run j, and
    ``outliers[j]`` is that of the ``n_outliers`` outliers to those of run j.
    """

    KINDS: ClassVar = {"kind": "text", "cluster": "name", "size": "integer"}

    clustering: Any
    clusters: list[Any]
    sizes: list[int]
    runs: list[Any]
    similarity: NDArray[np.float64]
    n_outliers: int
    outliers: NDArray[np.float64]

    def columns(self) -> dict[str, list[Any]]:
        """Return the size, and the mean, min, median and max of the similarities, by cluster.

        There is one row for each cluster, of the kind "cluster", and one of the kind "outliers"
        if there are outliers.
        """
        some, similarity = int(self.n_outliers > 0), self.similarity
        if some:
            similarity = np.vstack((similarity, self.outliers))
        return {
            "kind": ["cluster"] * len(self.clusters) + ["outliers"] * some,
            "cluster": [*self.clusters, *[None] * some],
            "size": [*self.sizes, *[self.n_outliers] * some],
            "mean": similarity.mean(axis=1).tolist(),
            "min": similarity.min(axis=1).tolist(),
            "median": np.median(similarity, axis=1).tolist(),
            "max": similarity.max(axis=1).tolist(),
        }

    def _facts(self, write_name: NameWriter) -> dict[str, Any]:
        return {
            "clustering": write_name(self.clustering),
            "clusters": list(map(write_name, self.clusters)),
            "sizes": list(self.sizes),
            "runs": list(map(write_name, self.runs)),
            "similarity": self.similarity.tolist(),
            "n_outliers": self.n_outliers,
            "outliers": self.outliers.tolist(),
        }

    def _blocks(self) -> list[Block]:
        rows = sorted(zip(*self.columns().values(), strict=True), key=lambda row: row[3])
        title = (
            f"Clusters of {text_of(self.clustering)}: Jaccard similarity to the best match in "
            f"{quantity(len(self.runs), 'other clustering')}"
        )
        if len(rows) > N_LEAST_STABLE:
            title += f"; the {N_LEAST_STABLE} least stable of {len(rows):,}"
        columns = [("cluster", NAME), *numbers("size", rank=1), *numbers("mean"),
                   *numbers("min", rank=2), *numbers("median", "max", rank=3)]  # fmt: skip
        cells = [
            ["(outliers)" if kind == "outliers" else text_of(cluster), f"{size:,}",
             *(f"{value:.4f}" for value in values)]
            for kind, cluster, size, *values in rows[:N_LEAST_STABLE]
        ]  # fmt: skip
        return [[f"{title}\n"], Table(columns, cells)]

    def __repr__(self) -> str:
        clusters, runs = len(self.clusters), len(self.runs)
        return f"Stability({clusters:,} clusters of {self.clustering!r} in {runs:,} runs)"
