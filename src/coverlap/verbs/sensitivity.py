"""How far the treatment of outliers decides a score."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from coverlap.core.frames import Column, write_frame
from coverlap.core.universe import TREATMENTS, Pair, Rules, cluster_outliers, drop
from coverlap.counting.counts import Counts, count
from coverlap.measures.registry import MEASURES
from coverlap.verbs.scores import find_measures


class NoiseSensitivity(NamedTuple):
    """The result of `noise_sensitivity`: scores by measure and by treatment of outliers.

    ``scores[measure][treatment]`` is None where a measure is not defined, and ``reasons`` says by
    measure why that is. The treatments are those of ``outliers_as=``, None first: outliers are
    taken as they are.
    """

    scores: dict[str, dict[str | None, float | None]]
    reasons: dict[str, str]
    n_objects: int
    n_outliers: tuple[int, int]

    def spread(self, measure: str) -> float | None:
        """Return how far the scores of a measure lie apart; None if it has none."""
        values = [value for value in self.scores[measure].values() if value is not None]
        return max(values) - min(values) if values else None

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with the columns measure, outliers_as and score, one row a score."""
        rows = [
            (measure, treatment, value)
            for measure, by_treatment in self.scores.items()
            for treatment, value in by_treatment.items()
        ]
        measures, treatments, values = (list(column) for column in zip(*rows, strict=True))
        return write_frame(
            [Column("measure", measures, "text"), Column("outliers_as", treatments, "text"),
             Column("score", values, "float")], library,
        )  # fmt: skip

    def __repr__(self) -> str:
        left, right = self.n_outliers
        return f"NoiseSensitivity({', '.join(self.scores)}; {left:,} and {right:,} outliers)"

    def __str__(self) -> str:
        from coverlap.results.text import plain

        return plain(self)

    def __rich__(self) -> Any:
        from coverlap.results.text.scores import sensitivity_table

        return sensitivity_table(self)


def noise_sensitivity(
    left: Any,
    right: Any,
    *,
    measures: Iterable[str] = ("ari", "ami", "nmi"),
    universe: Any = "union",
    n_objects: int | None = None,
    drop_outliers: str | None = None,
    threads: int | None = None,
) -> NoiseSensitivity:
    """Show how far the treatment of outliers decides a score.

    F*_wo takes outliers for what they are. Measures of partitions do not know any, and the usual
    ways around that give very different scores of the same clusterings.

    Parameters
    ----------
    left, right, universe, n_objects, drop_outliers, threads
        As in `fstar_score`.
    measures : iterable of str
        What to set beside F*_wo.

    Returns
    -------
    NoiseSensitivity

    Examples
    --------
    Of three clusters only the surest members are found; the rest is called outliers.

    >>> import coverlap as cv
    >>> truth = [0] * 6 + [1] * 6 + [2] * 6
    >>> found = [0, 0] + [-1] * 4 + [1, 1] + [-1] * 4 + [2, 2] + [-1] * 4
    >>> print(cv.noise_sensitivity(truth, found, measures=["ari"]))
    18 objects; 0 outliers on the left, 12 on the right
    <BLANKLINE>
    outliers:  as they are  singletons  one cluster   dropped
    ─────────────────────────────────────────────────────────
    fstar_wo      0.222222    0.277778     0.317460  1.000000
    ari                  -    0.091603     0.019231  1.000000
    """
    found = {measure.name: measure for measure in find_measures(measures)}
    chosen = list(({"fstar_wo": MEASURES["fstar_wo"]} | found).values())
    counts = count(left, right, Rules(universe, n_objects, drop_outliers), threads)
    table: dict[str, dict[str | None, float | None]] = {measure.name: {} for measure in chosen}
    reasons: dict[str, str] = {}
    treatments: dict[str | None, Pair] = {
        None: counts.pair,
        **{name: cluster_outliers(counts.pair, name) for name in TREATMENTS if name},
        "drop": drop(counts.pair, "either"),
    }
    for treatment, pair in treatments.items():
        treated = Counts(pair, threads)
        for measure in chosen:
            why = measure.why_undefined(treated)
            table[measure.name][treatment] = None if why else measure.score(treated)
            if why:
                reasons[measure.name] = why
    return NoiseSensitivity(table, reasons, counts.n_objects, counts.n_outliers)
