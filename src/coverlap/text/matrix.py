"""The readable form of a matrix of scores."""

from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from coverlap.clustering import quantity
from coverlap.text.parts import heading, open_table, written

if TYPE_CHECKING:
    from coverlap.matrix import PairwiseScores

WIDEST = 8
"""So many clusterings fit a table of 80 columns; of more, the mean scores are shown alone."""


def matrix_table(scores: "PairwiseScores") -> Any:
    """Make what rich prints for a matrix of scores."""
    title = Text(f"{scores.measure} of {quantity(len(scores.names), 'clustering')}")
    if len(scores.rows) < len(scores.names):
        return Group(title, heading("Scores with the reference"), _against_reference(scores))
    parts: list[Any] = [heading("Mean score with the others"), _means(scores)]
    if len(scores.names) <= WIDEST:
        parts = [heading("Scores, by number"), _matrix(scores), *parts]
    return Group(title, *parts)


def _against_reference(scores: "PairwiseScores") -> Table:
    table = open_table()
    table.add_column("clustering", overflow="fold")
    table.add_column("score", justify="right", no_wrap=True)
    for name, score in zip(scores.names, scores.matrix[0].tolist(), strict=True):
        if name != scores.rows[0]:
            table.add_row(Text(str(name)), written(score))
    return table


def _matrix(scores: "PairwiseScores") -> Table:
    table = open_table()
    table.add_column("", justify="right")
    for number in range(1, len(scores.names) + 1):
        table.add_column(str(number), justify="right", no_wrap=True)
    for number, values in enumerate(scores.matrix.tolist(), 1):
        table.add_row(str(number), *(f"{value:.4f}" for value in values))
    return table


def _means(scores: "PairwiseScores") -> Table:
    table = open_table()
    table.add_column("", justify="right")
    table.add_column("clustering", overflow="fold")
    table.add_column("mean", justify="right", no_wrap=True)
    table.add_column("")
    medoid = scores.medoid()
    for number, (name, mean) in enumerate(scores.mean_to_others().items(), 1):
        note = "most similar to the others" if name == medoid else ""
        table.add_row(str(number), Text(str(name)), written(mean), note)
    return table
