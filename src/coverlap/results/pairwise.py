"""PairwiseScores: a matrix of scores, its medoid, and which clusters are stable."""

import json
from collections import Counter
from collections.abc import Hashable
from math import fsum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError, OptionError
from coverlap.core.frames import Column, name_column, write_frame
from coverlap.core.wording import shown, some
from coverlap.counting.collection import Collection, best_similarities
from coverlap.measures.registry import MEASURES


class Stability(NamedTuple):
    """How well each cluster of one clustering is found again in the others.

    ``similarity[i, j]`` is the Jaccard similarity of cluster i to its best match in run j.
    """

    clustering: Any
    clusters: list[Any]
    sizes: list[int]
    runs: list[Any]
    similarity: NDArray[np.float64]

    def __repr__(self) -> str:
        clusters, runs = len(self.clusters), len(self.runs)
        return f"Stability({clusters:,} clusters of {self.clustering!r} in {runs:,} runs)"

    def columns(self) -> dict[str, list[Any]]:
        """Return one row a cluster: its size, and mean, least, median and largest similarity."""
        return {
            "cluster": list(self.clusters),
            "size": list(self.sizes),
            "mean": self.similarity.mean(axis=1).tolist(),
            "min": self.similarity.min(axis=1).tolist(),
            "median": np.median(self.similarity, axis=1).tolist(),
            "max": self.similarity.max(axis=1).tolist(),
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return the table as a frame; see `columns`."""
        columns = self.columns()
        kinds = dict.fromkeys(columns, "float") | {"size": "integer"}
        frame = [Column(name, values, kinds[name]) for name, values in columns.items()]
        return write_frame([name_column("cluster", columns["cluster"]), *frame[1:]], library)


class PairwiseScores:
    """The result of `pairwise`: a score for each row (left) and column (right).

    Attributes
    ----------
    measure : str
    rows, names : list
        What the rows and the columns are called. There is one row for each column, or the
        reference alone.
    matrix : array of float
        Scores, a row for each left clustering and a column for each right one.
    """

    def __init__(self, measure: str, rows: list[Any], many: Collection, matrix: Any) -> None:
        self.measure = measure
        self.rows = rows
        self.names = many.names
        self.matrix: NDArray[np.float64] = matrix
        self.matrix.setflags(write=False)
        self._many = many

    def mean_to_others(self) -> dict[Any, float]:
        """Return the mean score of each clustering with all others, both ways."""
        self._need_others("mean_to_others")
        n_others = len(self.names) - 1
        both = (self.matrix + self.matrix.T) / 2
        # Rounded once, so that the same scores in another order are a tie.
        sums = [fsum(np.delete(row, i).tolist()) for i, row in enumerate(both)]
        return dict(zip(self.names, (total / n_others for total in sums), strict=True))

    def medoid(self) -> Any:
        """Return the name of the clustering most similar to the others, the first of ties."""
        self._need_others("medoid")
        sign = -1 if MEASURES[self.measure].identical == 0 else 1
        means = self.mean_to_others()
        return max(means, key=lambda name: sign * means[name])

    def stability(self, of: Any = None) -> Stability:
        """Tell how well each cluster of one clustering is found again in the others.

        All its objects count, and those of each other clustering, whatever `pairwise` was told.

        Parameters
        ----------
        of : name, optional
            Which clustering; by default the medoid.

        Returns
        -------
        Stability
        """
        self._need_others("stability")
        name = self.medoid() if of is None else of
        if not isinstance(name, Hashable) or name not in self.names:
            raise OptionError(f"of must be the name of a clustering, not {shown(name)}")
        own = self.names.index(name)
        others = [i for i in range(len(self.names)) if i != own]
        chosen = self._many.sides[own]
        columns = [best_similarities(chosen, self._many.sides[other]) for other in others]
        return Stability(
            name, chosen.names, chosen.sizes.tolist(), [self.names[i] for i in others],
            np.stack(columns, axis=1),
        )  # fmt: skip

    def _need_others(self, method: str) -> None:
        if len(self.rows) != len(self.names):
            raise OptionError(f"{method} needs the scores of all pairs; leave out reference=")
        if len(self.names) == 1:
            raise InputError(f"{method} needs another clustering to compare with")

    def __array__(self, *arguments: Any, **options: Any) -> NDArray[Any]:
        return np.array(self.matrix, *arguments, **options)

    def to_frame(self, library: str | None = None, *, long: bool = False) -> Any:
        """Return the scores as a frame.

        Parameters
        ----------
        library : {"pandas", "polars", "arrow"}, optional
            By default the first of these that is imported, or else installed.
        long : bool
            Whether to make one row a score, with the columns left, right and score, instead of
            one row a clustering, with its name and a column for each other one.
        """
        rows = [str(name) for name in self.rows]
        names = [str(name) for name in self.names]
        if not long:
            _check_distinct(["clustering", *names])
            scores = [
                Column(name, values, "float")
                for name, values in zip(names, self.matrix.T.tolist(), strict=True)
            ]
            return write_frame([Column("clustering", rows, "text"), *scores], library)
        columns = [
            Column("left", [row for row in rows for _ in names], "text"),
            Column("right", names * len(rows), "text"),
            Column("score", self.matrix.ravel().tolist(), "float"),
        ]
        return write_frame(columns, library)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists and numbers."""
        return {
            "measure": self.measure, "rows": list(self.rows), "columns": list(self.names),
            "scores": self.matrix.tolist(),
        }  # fmt: skip

    def to_json(self, indent: int | None = None) -> str:
        """Return everything as JSON; names that are neither integers nor strings become text."""
        facts = self.to_dict()
        for key in ("rows", "columns"):
            facts[key] = [
                name if isinstance(name, (int, str)) else str(name) for name in facts[key]
            ]
        return json.dumps(facts, indent=indent, allow_nan=False)

    def __repr__(self) -> str:
        return f"PairwiseScores({self.measure}, {len(self.rows)} x {len(self.names)})"

    def __str__(self) -> str:
        from coverlap.results.text import plain  # rich is slow to import

        return plain(self)

    def __rich__(self) -> Any:
        from coverlap.results.text.pairwise import MatrixText

        return MatrixText(self)


def _check_distinct(columns: list[str]) -> None:
    repeated = [name for name, times in Counter(columns).items() if times > 1]
    if repeated:
        raise InputError(
            f"a frame would have several columns called {some([*repeated])}; say long=True, or "
            "give the clusterings other names"
        )
