"""Scores by many measures, and scores by the treatment of outliers."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from coverlap.core.wording import quantity
from coverlap.measures.registry import MEASURES
from coverlap.results.comparison import Universe
from coverlap.results.result import NameWriter, Result
from coverlap.results.text import NAME, WORD, Block, Table, format_score, numbers

TREATMENTS = {
    None: "as they are",
    "singletons": "singletons",
    "cluster": "one cluster",
    "drop": "dropped",
}
"""How the text describes each value of ``outliers_as=``."""


@dataclass(frozen=True, eq=False)
class Scores(Result, Mapping[str, float | None]):
    """The result of `scores`: a mapping from the name of each measure to its score.

    The score is None if a measure is not defined or was left out.

    Attributes
    ----------
    by_measure : dict
        The scores by the name of the measure.
    reasons : dict
        By name, why a measure has no score.
    outliers_as : str or None
        How outliers were treated.
    n_clusters, n_outliers, n_in_several : tuple of int
        Numbers of clusters, outliers and objects in several clusters on the left and on the right
        after that treatment.
    universe : Universe
        Number of objects, the rule that selected them, and how many only one side had.
    notes : tuple of str
        As in `Comparison`.
    edges : Scores or None
        With a graph, the scores of the clusterings of its edges; else None.
    """

    KINDS: ClassVar = {"measure": "text", "title": "text", "why": "text"}

    by_measure: dict[str, float | None]
    reasons: dict[str, str]
    outliers_as: str | None
    n_clusters: tuple[int, int]
    n_outliers: tuple[int, int]
    n_in_several: tuple[int, int]
    universe: Universe
    notes: tuple[str, ...] = ()
    edges: "Scores | None" = None

    def __getitem__(self, name: str) -> float | None:
        return self.by_measure[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_measure)

    def __len__(self) -> int:
        return len(self.by_measure)

    def __eq__(self, other: object) -> bool:
        return Result.__eq__(self, other) if isinstance(other, Scores) else dict(self) == other

    __hash__ = None  # type: ignore[assignment]

    def columns(self) -> dict[str, list[Any]]:
        """Return the table as columns: measure, title, score (None if undefined) and why."""
        return {
            "measure": list(self),
            "title": [MEASURES[name].title for name in self],
            "score": list(self.values()),
            "why": [self.reasons.get(name) for name in self],
        }

    def _facts(self, _write_name: NameWriter) -> dict[str, Any]:
        return {
            "scores": dict(self),
            "reasons": dict(self.reasons),
            "outliers_as": self.outliers_as,
            "n_clusters": list(self.n_clusters),
            "n_outliers": list(self.n_outliers),
            "n_in_several": list(self.n_in_several),
            "universe": asdict(self.universe),
            "notes": list(self.notes),
            "edges": None if self.edges is None else self.edges.to_dict(),
        }

    def _blocks(self) -> list[Block]:
        left, right = self.n_clusters
        outliers_left, outliers_right = self.n_outliers
        several_left, several_right = self.n_in_several
        treated = f"; outliers: {TREATMENTS[self.outliers_as]}" if self.outliers_as else ""
        n_dropped = self.universe.n_outliers_dropped
        treated += f"; {quantity(n_dropped, 'outlier')} dropped" if n_dropped else ""
        text: list[Block] = [[
            f"{quantity(self.universe.n_objects, 'object')} ({self.universe.rule}){treated}\n"
            f"{quantity(left, 'cluster')} on the left, {right:,} on the right\n"
            f"{quantity(outliers_left, 'outlier')} on the left, {outliers_right:,} on the right\n"
            f"{quantity(several_left, 'object')} in several clusters on the left, "
            f"{several_right:,} on the right"
        ]]  # fmt: skip
        text += [[f"note: {note}"] for note in self.notes]
        scores = [
            [name, format_score(score), MEASURES[name].title]
            for name, score in self.items()
            if score is not None
        ]
        if scores:
            columns = [("name", WORD), *numbers("score"), ("measure", NAME)]
            text += [[""], Table(columns, scores)]
        by_reason: dict[str, list[str]] = {}
        for name, reason in self.reasons.items():
            by_reason.setdefault(reason, []).append(name)
        text += [[f"\n{', '.join(names)}: {reason}"] for reason, names in by_reason.items()]
        if self.edges is not None:
            text += [[("\nThe edges of the graph", "bold")], *Scores._blocks(self.edges)]
        return text

    def __repr__(self) -> str:
        defined, objects = len(self) - len(self.reasons), self.universe.n_objects
        return f"Scores({defined} of {len(self)} measures, {quantity(objects, 'object')})"


@dataclass(frozen=True, eq=False)
class OutlierSensitivity(Result):
    """The result of `outlier_sensitivity`: scores by measure and by treatment of outliers.

    ``scores[measure][treatment]`` is None if a measure is not defined, and ``reasons[measure]``
    says why. The treatments are None (outliers are left as they are), the values of
    ``outliers_as=``, and "drop" for ``drop_outliers="either"``.
    """

    KINDS: ClassVar = {"measure": "text", "treatment": "text"}

    scores: dict[str, dict[str | None, float | None]]
    reasons: dict[str, str]
    n_objects: int
    n_outliers: tuple[int, int]

    def spread(self, measure: str) -> float | None:
        """Return the largest minus the smallest score of a measure; None if it has no score."""
        values = [value for value in self.scores[measure].values() if value is not None]
        return max(values) - min(values) if values else None

    def columns(self) -> dict[str, list[Any]]:
        """Return the columns measure, treatment and score, with one row per score."""
        return {
            "measure": [name for name, scores in self.scores.items() for _ in scores],
            "treatment": [key for scores in self.scores.values() for key in scores],
            "score": [value for scores in self.scores.values() for value in scores.values()],
        }

    def _facts(self, _write_name: NameWriter) -> dict[str, Any]:
        return asdict(self) | {"n_outliers": list(self.n_outliers)}

    def _blocks(self) -> list[Block]:
        left, right = self.n_outliers
        rows = [
            [name, *("-" if value is None else format_score(value) for value in scores.values())]
            for name, scores in self.scores.items()
        ]
        return [
            [f"{quantity(self.n_objects, 'object')}; {quantity(left, 'outlier')} on the left, "
             f"{right:,} on the right\n"],
            Table(
                [("outliers:", WORD), *numbers(TREATMENTS[None]),
                 *numbers(TREATMENTS["singletons"], rank=1), *numbers(TREATMENTS["cluster"]),
                 *numbers(TREATMENTS["drop"], rank=2)],
                rows,
            ),
        ]  # fmt: skip

    def __repr__(self) -> str:
        left, right = self.n_outliers
        return f"OutlierSensitivity({', '.join(self.scores)}; {left:,} and {right:,} outliers)"
