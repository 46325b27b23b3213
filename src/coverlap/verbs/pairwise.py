"""Scores of many clusterings with each other, or with one reference."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from numbers import Real
from typing import Any

import numpy as np

from coverlap.core.align import DropRule, Rules, Treatment, UniverseOption
from coverlap.core.errors import UndefinedError, UniverseError
from coverlap.core.threads import all_threads, number_of_threads, use_one_thread
from coverlap.counting.counts import Counts
from coverlap.counting.many import cluster_outliers_once, collect
from coverlap.measures.registry import find_measure
from coverlap.results.pairwise import PairwiseScores

BATCH = 16
"""Largest number of comparisons between two reports of progress by one thread."""

SYMMETRIC = {"balance": 0.5, "beta": 1}
"""Options of measures and the only value of each that does not distinguish left from right."""

Cell = tuple[int, int]
Progress = Callable[[int, int], None]


def pairwise(
    clusterings: Any,
    measure: str = "fstar_wo",
    *,
    reference: Any = None,
    universe: UniverseOption = "union",
    n_objects: int | None = None,
    drop_outliers: DropRule | None = None,
    outliers_as: Treatment | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> PairwiseScores:
    """Score many clusterings with each other, or with one reference.

    Each clustering is read and coded once, and pairs are compared in parallel. Every score is the
    float that `score` returns for the same two clusterings.

    Parameters
    ----------
    clusterings : dict, list or frame
        Clusterings by name, in a sequence (then their names are 0, 1, ...), or one column of
        labels for each, as in ``adata.obs[["leiden_0.5", "leiden_1"]]``.
    measure, outliers_as, **options
        As in `score`.
    reference : name or clustering, optional
        Score all with this one only; it is the left side. By default all pairs are scored.
    universe, n_objects, drop_outliers
        As in `fstar_score`, applied to each pair separately.
    threads : int, optional
        Number of pairs compared in parallel; by default one per core.
    progress : function, optional
        Called as ``progress(done, total)`` with the number of comparisons done and of all.

    Examples
    --------
    >>> import coverlap as cv
    >>> runs = {"a": [0, 0, 1, 1], "b": [0, 0, 1, 2], "c": [0, 1, 2, 2]}
    >>> result = cv.pairwise(runs)
    >>> result.matrix.tolist()
    [[1.0, 0.75, 0.75], [0.75, 1.0, 0.5], [0.75, 0.5, 1.0]]
    >>> result.mean, round(result.sd, 4)
    (0.6666666666666666, 0.1443)
    >>> result.medoid()
    'a'
    >>> result.stability().columns()["mean"]
    [0.75, 0.75]
    >>> cv.pairwise(runs, "ari", reference="a").matrix.tolist()
    [[1.0, 0.5714285714285714, 0.5714285714285714]]
    >>> print(result)
    fstar_wo of 3 clusterings: 0.666667 ± 0.144338 (mean ± sd of 3 pairs)
    <BLANKLINE>
           mean       a       b       c
    ───────────────────────────────────
    * a  0.7500  1.0000  0.7500  0.7500
      b  0.6250  0.7500  1.0000  0.5000
      c  0.6250  0.7500  0.5000  1.0000
    mean: score with the others; *: most similar to them
    """
    chosen = find_measure(measure)
    chosen.check_options(options)
    rules = Rules(universe, n_objects, drop_outliers, outliers_as)
    with all_threads(threads):
        many = collect(clusterings, reference, rules)
        prepared, rows = cluster_outliers_once(many), many.rows

    def compare(cell: Cell) -> float:
        try:
            return chosen.score(Counts(prepared.pair(*cell), 1), **options)
        except (UndefinedError, UniverseError) as error:
            names = " and ".join(repr(many.names[i]) for i in cell)
            raise type(error)(f"{names}: {error}") from None

    columns = range(len(many.names))
    chosen_values = [(options.get(name, value), value) for name, value in SYMMETRIC.items()]
    mirrored = (
        reference is None and chosen.symmetric and rules.symmetric
        and all(isinstance(own, Real) and own == value for own, value in chosen_values)
    )  # fmt: skip
    cells = [(row, column) for row in rows for column in columns if column >= row or not mirrored]
    n_threads = number_of_threads(threads, len(cells) * many.n_memberships // len(rows), 1)
    values = _map(compare, cells, n_threads, progress)
    matrix = np.empty((len(rows), len(columns)))
    place = {row: i for i, row in enumerate(rows)}
    for (row, column), value in zip(cells, values, strict=True):
        matrix[place[row], column] = value
        if mirrored:
            matrix[column, row] = value
    matrix.setflags(write=False)
    return PairwiseScores(measure, [many.names[i] for i in rows], many.names, matrix, many)


def _map(
    compare: Callable[[Cell], float], cells: list[Cell], threads: int, progress: Progress | None
) -> list[float]:
    """Make all comparisons in batches, in parallel, and stop at the first error."""
    size = max(1, min(BATCH, len(cells) // (4 * threads)))
    batches = [cells[i : i + size] for i in range(0, len(cells), size)]
    values: list[float] = []
    with ThreadPoolExecutor(threads, initializer=use_one_thread) as pool:
        for found in pool.map(lambda batch: [compare(cell) for cell in batch], batches):
            values += found
            if progress is not None:
                progress(len(values), len(cells))
    return values
