"""PairwiseScores: a matrix of scores, its medoid, and the stability of clusters and objects."""

from collections import Counter
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from math import fsum, sqrt
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError, OptionError
from coverlap.core.threads import check_threads, number_of_threads, use_one_thread
from coverlap.core.wording import quantity, shown, some, text_of
from coverlap.counting.many import Collection, best_similarities, object_similarities
from coverlap.measures.registry import MEASURES
from coverlap.results.ecs import ObjectScores
from coverlap.results.result import NameWriter, Result, frame_of
from coverlap.results.stability import Stability
from coverlap.results.text import (
    NAME,
    WORD,
    Block,
    Column,
    Paragraph,
    Table,
    format_score,
    numbers,
)

LONGEST_TITLE = 7
"""Clusterings with longer names are numbered in the matrix of scores."""


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
    mean, sd : float or None
        Mean and standard deviation of the scores of all pairs of different clusterings.
    clusterings : Collection
        The clusterings compared; `stability` needs them.
    """

    KINDS: ClassVar = {"clustering": "text"}

    measure: str
    rows: list[Any]
    names: list[Any]
    matrix: NDArray[np.float64]
    clusterings: Collection = field(compare=False, repr=False)

    @property
    def mean(self) -> float | None:
        """Mean score of all pairs, or of all pairs with the reference; None if there is none.

        If left and right matter, the score of a pair is the mean of both directions.
        """
        scores = self._scores_of_pairs()
        if len(scores) == 0:
            return None
        return float(scores[0] if np.ptp(scores) == 0 else fsum(scores.tolist()) / len(scores))

    @property
    def sd(self) -> float | None:
        """Standard deviation of the scores of which `mean` is the mean; None for a single pair."""
        scores, mean = self._scores_of_pairs(), self.mean
        if mean is None or len(scores) == 1:
            return None
        return sqrt(fsum(((scores - mean) ** 2).tolist()) / (len(scores) - 1))

    def _scores_of_pairs(self) -> NDArray[np.float64]:
        if len(self.rows) < len(self.names):
            return np.delete(self.matrix[0], self.names.index(self.rows[0]))
        return self._both_directions()[np.triu_indices(len(self.names), 1)]

    def _both_directions(self) -> NDArray[np.float64]:
        """Return the mean of the score of two clusterings and of that with the sides swapped."""
        return (self.matrix + self.matrix.T) / 2

    def mean_to_others(self) -> dict[Any, float]:
        """Return the mean score of each clustering with all others, in both directions."""
        self._check_others("mean_to_others")
        n_others = len(self.names) - 1
        # Rounded once, so that the same scores in another order are a tie.
        sums = [fsum(np.delete(row, i).tolist()) for i, row in enumerate(self._both_directions())]
        return dict(zip(self.names, (total / n_others for total in sums), strict=True))

    def medoid(self) -> Any:
        """Return the name of the clustering most similar to the others, the first of ties."""
        self._check_others("medoid")
        sign = -1 if MEASURES[self.measure].identical == 0 else 1
        means = self.mean_to_others()
        return max(means, key=lambda name: sign * means[name])

    def stability(self, of: Any = None) -> Stability:
        """Return how similar each cluster of one clustering is to its best match in each other.

        Its outliers are compared with the outliers of each other. Every two clusterings are
        compared on all of their objects, whatever the options of `pairwise` were.

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
        found = [best_similarities(sides[own], sides[other]) for other in others]
        return Stability(
            name, sides[own].names, sides[own].sizes.tolist(), [self.names[i] for i in others],
            np.stack([similarity for similarity, _ in found], axis=1), sides[own].n_outliers,
            np.array([outliers for _, outliers in found]),
        )  # fmt: skip

    def object_stability(self, threads: int | None = None) -> ObjectScores:
        """Return how similar the clusters of each object are in all pairs of clusterings.

        If each object is in one cluster, its score is the Jaccard similarity of its clusters in two
        clusterings, averaged over all pairs of clusterings: 1.0 means that it is always with the
        same objects. In general, each cluster of the object counts with the most similar of its
        clusters in the other clustering. The mean over its clusters is taken in both directions,
        and these are averaged. The outliers of a clustering count as one cluster, which has
        similarity 0 to all but the outliers of another.

        All clusterings are compared on the union of their objects, whatever the options of
        `pairwise` were. An object that a clustering does not have is an outlier there.

        Parameters
        ----------
        threads : int, optional
            Number of pairs compared in parallel; by default one per core.

        Examples
        --------
        >>> import coverlap as cv
        >>> runs = cv.pairwise([{"a": 0, "b": 0, "c": 1}, {"a": 0, "b": 0, "c": 0}])
        >>> runs.object_stability().columns()["score"]
        [0.6666666666666666, 0.6666666666666666, 0.3333333333333333]
        """
        self._check_others("object_stability")
        check_threads(threads)
        sides = self.clusterings.on_all_objects()
        n_memberships = sum(side.n_memberships for side in sides) * len(sides)
        total = np.zeros(sides[0].n_objects)
        n_threads = number_of_threads(threads, n_memberships, 1)
        with ThreadPoolExecutor(n_threads, initializer=use_one_thread) as pool:
            for i, side in enumerate(sides):
                for similarities in pool.map(partial(object_similarities, side), sides[i + 1 :]):
                    total += similarities
        n_pairs = len(sides) * (len(sides) - 1) // 2
        return ObjectScores(np.asarray(sides[0].objects.id_array()), total / n_pairs)

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
            "mean": self.mean,
            "sd": self.sd,
        }

    def _blocks(self) -> list[Block]:
        title: Paragraph = [f"{self.measure} of {quantity(len(self.names), 'clustering')}"]
        if len(self.rows) < len(self.names):
            title = [f"{self.measure} with ", (text_of(self.rows[0]), "bold")]
        if self.mean is not None:
            title.append(f": {format_score(self.mean)}")
        if self.sd is not None:
            n_pairs = len(self._scores_of_pairs())
            title.append(f" ± {format_score(self.sd)} (mean ± sd of {n_pairs:,} pairs)")
        title.append("\n")
        if len(self.rows) < len(self.names):
            return [title, self._row_table()]
        if self.mean is None:
            return [title, self._matrix_table()]
        note = "mean: score with the others; *: most similar to them"
        return [title, self._matrix_table(), [note]]

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
        """Return a row for each clustering: its mean score with the others, and all scores."""
        names = [text_of(name) for name in self.names]
        short = max(map(len, names)) <= LONGEST_TITLE
        titles = names if short else [f"#{number}" for number in range(1, len(names) + 1)]
        means = [f"{mean:.4f}" for mean in self.mean_to_others().values()] if names[1:] else ["-"]
        medoid = self.names.index(self.medoid()) if names[1:] else -1
        rows = []
        for i, values in enumerate(self.matrix.tolist()):
            label = [f"{'*' if i == medoid else ' '} {titles[i]}", *([] if short else [names[i]])]
            rows.append([*label, means[i], *(f"{value:.4f}" for value in values)])
        first: list[Column] = [("", WORD), *([] if short else [("clustering", NAME)])]
        return Table(
            [*first, *numbers("mean"), *numbers(*titles, rank=1)], rows,
            if_left_out="(too narrow to show all scores: see --csv, or to_frame() in Python)",
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"PairwiseScores({self.measure}, {len(self.rows)} x {len(self.names)})"
