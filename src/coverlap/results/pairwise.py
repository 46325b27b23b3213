"""PairwiseScores: a matrix of scores, its medoid, and the stability of clusters."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from math import fsum
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError, OptionError
from coverlap.core.wording import shown, some, text_of
from coverlap.counting.many import Collection, best_similarities
from coverlap.measures.registry import MEASURES
from coverlap.results.result import NameWriter, Result, frame_of
from coverlap.results.text import NAME, TEXT, WORD, Block, Table, format_score, heading, numbers

COLUMN_WIDTH = 8
"""Characters per column of scores; clusterings with longer names are numbered."""


@dataclass(frozen=True, eq=False)
class Stability(Result):
    """How similar each cluster of one clustering is to its best matches in the others.

    ``similarity[i, j]`` is the Jaccard similarity of cluster i to its best match in run j.
    """

    KINDS: ClassVar = {"cluster": "name", "size": "integer"}

    clustering: Any
    clusters: list[Any]
    sizes: list[int]
    runs: list[Any]
    similarity: NDArray[np.float64]

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per cluster: size, and mean, min, median and max of its similarities."""
        return {
            "cluster": list(self.clusters),
            "size": list(self.sizes),
            "mean": self.similarity.mean(axis=1).tolist(),
            "min": self.similarity.min(axis=1).tolist(),
            "median": np.median(self.similarity, axis=1).tolist(),
            "max": self.similarity.max(axis=1).tolist(),
        }

    def _facts(self, write_name: NameWriter) -> dict[str, Any]:
        return {
            "clustering": write_name(self.clustering),
            "clusters": list(map(write_name, self.clusters)),
            "sizes": list(self.sizes),
            "runs": list(map(write_name, self.runs)),
            "similarity": self.similarity.tolist(),
        }

    def __repr__(self) -> str:
        clusters, runs = len(self.clusters), len(self.runs)
        return f"Stability({clusters:,} clusters of {self.clustering!r} in {runs:,} runs)"


@dataclass(frozen=True, eq=False)
class PairwiseScores(Result):
    """The result of `pairwise`: a score for each row (left) and column (right).

    Attributes
    ----------
    measure : str
        Name of the measure.
    rows, names : list
        Names of the rows and of the columns. There is one row for each column, or only the row
        of the reference.
    matrix : array of float
        Scores, with a row for each left clustering and a column for each right one.
    clusterings : Collection
        The clusterings compared; `stability` needs them.
    """

    KINDS: ClassVar = {"clustering": "text"}

    measure: str
    rows: list[Any]
    names: list[Any]
    matrix: NDArray[np.float64]
    clusterings: Collection = field(compare=False, repr=False)

    def mean_to_others(self) -> dict[Any, float]:
        """Return the mean score of each clustering with all others, in both directions."""
        self._check_others("mean_to_others")
        n_others = len(self.names) - 1
        both = (self.matrix + self.matrix.T) / 2
        # Rounded once, so that the same scores in another order are a tie.
        sums = [fsum(np.delete(row, i).tolist()) for i, row in enumerate(both)]
        return dict(zip(self.names, (total / n_others for total in sums), strict=True))

    def medoid(self) -> Any:
        """Return the name of the clustering most similar to the others, the first of ties."""
        self._check_others("medoid")
        sign = -1 if MEASURES[self.measure].identical == 0 else 1
        means = self.mean_to_others()
        return max(means, key=lambda name: sign * means[name])

    def stability(self, of: Any = None) -> Stability:
        """Return how similar each cluster of one clustering is to its best match in each other.

        Every two clusterings are compared on all of their objects, whatever the options of
        `pairwise` were.

        Parameters
        ----------
        of : name, optional
            Name of the clustering; by default the medoid.
        """
        self._check_others("stability")
        name = self.medoid() if of is None else of
        if not isinstance(name, Hashable) or name not in self.names:
            raise OptionError(f"of must be the name of a clustering, not {shown(name)}")
        own = self.names.index(name)
        others = [i for i in range(len(self.names)) if i != own]
        sides = self.clusterings.sides
        columns = [best_similarities(sides[own], sides[other]) for other in others]
        return Stability(
            name, sides[own].names, sides[own].sizes.tolist(), [self.names[i] for i in others],
            np.stack(columns, axis=1),
        )  # fmt: skip

    def _check_others(self, method: str) -> None:
        """Raise an error if there are not the scores of all pairs of several clusterings."""
        if len(self.rows) != len(self.names):
            raise OptionError(f"{method} needs the scores of all pairs; leave out reference=")
        if len(self.names) == 1:
            raise InputError(f"{method} needs another clustering to compare with")

    def __array__(self, *arguments: Any, **options: Any) -> NDArray[Any]:
        return np.array(self.matrix, *arguments, **options)

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per row of the matrix: its name, and a column for each clustering."""
        names = [text_of(name) for name in self.names]
        repeated = [n for n, times in Counter(["clustering", *names]).items() if times > 1]
        if repeated:
            raise InputError(
                f"a frame would have several columns called {some([*repeated])}; say long=True, or "
                "give the clusterings other names"
            )
        scores = zip(names, self.matrix.T.tolist(), strict=True)
        return {"clustering": [text_of(name) for name in self.rows], **dict(scores)}

    def to_frame(self, library: str | None = None, *, long: bool = False) -> Any:
        """Return the scores as a frame.

        Parameters
        ----------
        library : {"pandas", "polars", "arrow"}, optional
            By default the first of these that is imported, or else installed.
        long : bool
            Whether to return one row per score, with the columns left, right and score, instead
            of one row per clustering, with its name and a column for each other one.
        """
        if not long:
            return super().to_frame(library)
        rows, names = ([text_of(name) for name in names] for names in (self.rows, self.names))
        columns: dict[str, list[Any]] = {
            "left": [row for row in rows for _ in names],
            "right": names * len(rows),
            "score": self.matrix.ravel().tolist(),
        }
        return frame_of(columns, {"left": "text", "right": "text"}, library)

    def _facts(self, write_name: NameWriter) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "rows": list(map(write_name, self.rows)),
            "columns": list(map(write_name, self.names)),
            "scores": self.matrix.tolist(),
        }

    def _blocks(self) -> list[Block]:
        if len(self.rows) < len(self.names):
            return [[f"{self.measure} with ", (str(self.rows[0]), "bold"), "\n"], self._row_table()]
        title = f"{self.measure} of {len(self.names):,} clusterings\n"
        text: list[Block] = [[title], self._matrix_table()]
        if len(self.names) > 1:
            text += [heading("Mean score with the others (*: most similar to them)"),
                     self._means_table()]  # fmt: skip
        return text

    def _row_table(self) -> Table:
        """Return the scores with the reference."""
        scores = zip(self.names, self.matrix[0].tolist(), strict=True)
        return Table(
            [("clustering", NAME), *numbers("score")],
            [
                [text_of(name), format_score(score)]
                for name, score in scores
                if name != self.rows[0]
            ],
        )

    def _matrix_table(self) -> Table:
        labels, width = self._labels(), COLUMN_WIDTH * (len(self.names) + 1)
        scores = zip(labels, self.matrix.tolist(), strict=True)
        return Table(
            [("", TEXT), *numbers(*labels)],
            [[label, *(f"{value:.4f}" for value in values)] for label, values in scores],
            least_width=width,
            if_narrower=f"All scores would take {width} columns: see --csv, or to_frame() in "
            "Python.",
        )

    def _means_table(self) -> Table:
        medoid = self.medoid()
        means = zip(self._labels(), self.mean_to_others().items(), strict=True)
        return Table(
            [("", WORD), *numbers("mean"), ("clustering", NAME)],
            [[f"{'*' if name == medoid else ' '} {label}", format_score(mean), text_of(name)]
             for label, (name, mean) in means],
        )  # fmt: skip

    def _labels(self) -> list[str]:
        """Return the names of the clusterings, or numbers if these are too long for a column."""
        names = [text_of(name) for name in self.names]
        if max(map(len, names)) < COLUMN_WIDTH:
            return names
        return [f"#{number}" for number in range(1, len(names) + 1)]

    def __repr__(self) -> str:
        return f"PairwiseScores({self.measure}, {len(self.rows)} x {len(self.names)})"
