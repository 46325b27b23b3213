"""The readable form of a matrix of scores."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.console import Console, ConsoleOptions
from rich.table import Table
from rich.text import Text

from coverlap.results.text.parts import heading, open_table, written

if TYPE_CHECKING:
    from coverlap.results.pairwise import PairwiseScores

PER_COLUMN = 8
"""Characters that a column of scores takes; longer names are replaced by numbers."""


class MatrixText:
    """A matrix of scores as rich prints it: whole if it fits, else only the means."""

    def __init__(self, scores: "PairwiseScores") -> None:
        self._scores = scores

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> Iterator[Any]:
        scores = self._scores
        if len(scores.rows) < len(scores.names):
            yield Text.assemble(f"{scores.measure} with ", (str(scores.rows[0]), "bold"), "\n")
            yield _against_reference(scores)
            return
        yield Text(f"{scores.measure} of {len(scores.names):,} clusterings\n")
        width = PER_COLUMN * (len(scores.names) + 1)
        if width <= options.max_width:
            yield _matrix(scores)
        else:
            yield Text(
                f"All scores would take {width} columns: see --csv, or to_frame() in Python."
            )
        if len(scores.names) > 1:
            yield heading("Mean score with the others (*: most similar to them)")
            yield _means(scores)


def _against_reference(scores: "PairwiseScores") -> Table:
    table = open_table()
    table.add_column("clustering", overflow="fold")
    table.add_column("score", justify="right", no_wrap=True)
    for name, score in zip(scores.names, scores.matrix[0].tolist(), strict=True):
        if name != scores.rows[0]:
            table.add_row(Text(str(name)), written(score))
    return table


def _labels(scores: "PairwiseScores") -> list[str]:
    """Return what rows and columns are called: by name if that is short, else by number."""
    names = [str(name) for name in scores.names]
    if max(map(len, names)) < PER_COLUMN:
        return names
    return [f"#{number}" for number in range(1, len(names) + 1)]


def _matrix(scores: "PairwiseScores") -> Table:
    table = open_table()
    table.add_column("")
    labels = _labels(scores)
    for label in labels:
        table.add_column(Text(label), justify="right", no_wrap=True)
    for label, values in zip(labels, scores.matrix.tolist(), strict=True):
        table.add_row(Text(label), *(f"{value:.4f}" for value in values))
    return table


def _means(scores: "PairwiseScores") -> Table:
    table = open_table()
    table.add_column("", no_wrap=True)
    table.add_column("mean", justify="right", no_wrap=True)
    table.add_column("clustering", overflow="fold")
    medoid = scores.medoid()
    for label, (name, mean) in zip(_labels(scores), scores.mean_to_others().items(), strict=True):
        mark = "*" if name == medoid else " "
        table.add_row(Text(f"{mark} {label}"), written(mean), Text(str(name)))
    return table
