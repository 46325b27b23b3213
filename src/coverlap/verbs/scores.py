"""Many measures of two clusterings at once."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from coverlap.core.errors import OptionError
from coverlap.core.frames import Column, write_frame
from coverlap.core.universe import Rules
from coverlap.core.wording import quantity, shown
from coverlap.counting.counts import Counts, count
from coverlap.measures.measure import Measure
from coverlap.measures.registry import MEASURES, find_measure
from coverlap.results.comparison import Universe

QUICK = 2_000_000_000
"""Objects x memberships up to which a table of all measures includes ECS on overlaps."""


class Scores(Mapping[str, float | None]):
    """The result of `scores`: a score by the name of each measure, None where it has none.

    Attributes
    ----------
    reasons : dict
        By name, why a measure has no score.
    universe : Universe
        Number of objects, the rule that chose them, and how many only one side knew.
    outliers_as : str or None
        What was made of outliers.
    n_clusters, n_outliers : tuple of int
        On the left and on the right, after that.

    Examples
    --------
    >>> import coverlap as cv
    >>> table = cv.scores([{0, 1}, {1, 2}], [{0, 1, 2}], measures=["omega", "ari"])
    >>> table["omega"]
    0.0
    >>> table.reasons
    {'ari': 'not defined for clusters that overlap, as on the left; use omega, ecs or fstar_wo'}
    """

    def __init__(
        self,
        counts: Counts,
        values: dict[str, float | None],
        reasons: dict[str, str],
        outliers_as: str | None,
    ) -> None:
        pair = counts.pair
        self._values = values
        self.reasons = reasons
        self.outliers_as = outliers_as
        self.n_clusters = pair.left.n_clusters, pair.right.n_clusters
        self.n_outliers = counts.n_outliers
        self.universe = Universe.of(pair)

    def __getitem__(self, name: str) -> float | None:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def columns(self) -> dict[str, list[Any]]:
        """Return the table as columns: measure, title, score (None if undefined) and why."""
        return {
            "measure": list(self),
            "title": [MEASURES[name].title for name in self],
            "score": list(self.values()),
            "why": [self.reasons.get(name) for name in self],
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return the table as a frame; see `columns` and `Comparison.to_frame`."""
        columns = self.columns()
        kinds = {"measure": "text", "title": "text", "score": "float", "why": "text"}
        return write_frame([Column(name, columns[name], kinds[name]) for name in kinds], library)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists and numbers."""
        return {
            "scores": dict(self),
            "reasons": dict(self.reasons),
            "outliers_as": self.outliers_as,
            "n_clusters": list(self.n_clusters),
            "n_outliers": list(self.n_outliers),
            "universe": self.universe._asdict(),
        }

    def to_json(self, indent: int | None = None) -> str:
        """Return everything as JSON."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

    def __repr__(self) -> str:
        defined, objects = len(self) - len(self.reasons), self.universe.n_objects
        return f"Scores({defined} of {len(self)} measures, {quantity(objects, 'object')})"

    def __str__(self) -> str:
        from coverlap.results.text import plain  # rich is slow to import

        return plain(self)

    def __rich__(self) -> Any:
        from coverlap.results.text.scores import scores_table

        return scores_table(self)


def scores(
    left: Any,
    right: Any,
    measures: Iterable[str] | None = None,
    *,
    universe: Any = "union",
    n_objects: int | None = None,
    drop_outliers: str | None = None,
    outliers_as: str | None = None,
    threads: int | None = None,
) -> Scores:
    """Score two clusterings by many measures, counting once.

    Parameters
    ----------
    left, right, universe, n_objects, drop_outliers, threads
        As in `fstar_score`. Measures that are not symmetric take left for the truth.
    measures : iterable of str, optional
        Names in `MEASURES`; by default all. ECS of many objects with overlaps takes longer than
        all others together, so that by default it is then left out, with this reason.
    outliers_as : {None, "singletons", "cluster", "drop"}
        What to make of outliers first, for all measures; see `score`.

    Returns
    -------
    Scores
        A mapping from names to scores, with the reasons where there is none.

    Examples
    --------
    >>> import coverlap as cv
    >>> table = cv.scores([0, 0, 1, 1, 2, -1], [0, 0, 1, 1, 1, 1], ["fstar_wo", "omega", "ari"])
    >>> dict(table)
    {'fstar_wo': 0.6041666666666666, 'omega': 0.29906542056074764, 'ari': None}
    """
    chosen = find_measures(MEASURES if measures is None else measures)
    rules = Rules(universe, n_objects, drop_outliers, outliers_as)
    needed = any(measure.needs == "memberships" for measure in chosen)
    counts = count(left, right, rules, threads, with_bcubed=needed)
    values: dict[str, float | None] = {measure.name: None for measure in chosen}
    reasons: dict[str, str] = {}
    for measure in chosen:
        why = measure.why_undefined(counts)
        if why is None and measures is None:
            why = _why_too_slow(measure, counts)
        if why is None:
            values[measure.name] = measure.score(counts)
        else:
            reasons[measure.name] = why
    return Scores(counts, values, reasons, outliers_as)


def find_measures(names: Any) -> list[Measure]:
    """Look up measures, each once."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise OptionError(f"measures must be a list of names, not {shown(names)}")
    return list({measure.name: measure for measure in map(find_measure, names)}.values())


def _why_too_slow(measure: Measure, counts: Counts) -> str | None:
    """Say why a measure is left out of a table of all, if it is."""
    if measure.name != "ecs" or not any(counts.overlapping):
        return None
    left, right = counts.pair.left, counts.pair.right
    if counts.pair.objects.n * (left.n_memberships + right.n_memberships) <= QUICK:
        return None
    return "left out because it takes long with overlaps; ask for it by name, or use ecs_estimate"
