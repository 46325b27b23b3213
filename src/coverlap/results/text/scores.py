"""The readable form of many scores: one line a measure, and why some have none."""

from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.text import Text

from coverlap.core.wording import quantity
from coverlap.measures.registry import MEASURES
from coverlap.results.text.parts import open_table, written

if TYPE_CHECKING:
    from coverlap.verbs.scores import Scores
    from coverlap.verbs.sensitivity import NoiseSensitivity

TREATED = {
    None: "as they are",
    "singletons": "singletons",
    "cluster": "one cluster",
    "drop": "dropped",
}
"""What the columns of a table of treatments are called."""


def scores_table(scores: "Scores") -> Any:
    """Make what rich prints for a table of scores."""
    if len(scores.reasons) == len(scores):
        return Group(_facts(scores), *_undefined(scores.reasons))
    table = open_table()
    table.add_column("name", no_wrap=True)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("measure", overflow="fold")
    for name, score in scores.items():
        if score is not None:
            table.add_row(name, written(score), MEASURES[name].title)
    return Group(_facts(scores), Text(""), table, *_undefined(scores.reasons))


def sensitivity_table(result: "NoiseSensitivity") -> Any:
    """Make what rich prints for scores by the treatment of outliers."""
    left, right = result.n_outliers
    table = open_table()
    table.add_column("outliers:", no_wrap=True)
    for treatment in TREATED.values():
        table.add_column(treatment, justify="right", no_wrap=True)
    for name, values in result.scores.items():
        table.add_row(
            name, *("-" if value is None else written(value) for value in values.values())
        )
    return Group(
        Text(
            f"{quantity(result.n_objects, 'object')}; {quantity(left, 'outlier')} on the left, "
            f"{right:,} on the right\n"
        ),
        table,
    )


def _facts(scores: "Scores") -> Text:
    left, right = scores.n_clusters
    outliers = scores.n_outliers
    treated = f"; outliers: {TREATED[scores.outliers_as]}" if scores.outliers_as else ""
    return Text(
        f"{quantity(scores.universe.n_objects, 'object')} ({scores.universe.rule}){treated}\n"
        f"{quantity(left, 'cluster')} on the left, {right:,} on the right; "
        f"{quantity(outliers[0], 'outlier')} on the left, {outliers[1]:,} on the right"
    )


def _undefined(reasons: dict[str, str]) -> list[Text]:
    """Say once for each reason which measures have no score."""
    names: dict[str, list[str]] = {}
    for name, why in reasons.items():
        names.setdefault(why, []).append(name)
    return [Text(f"\n{', '.join(those)}: {why}") for why, those in names.items()]
