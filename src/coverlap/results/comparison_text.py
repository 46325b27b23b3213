"""The readable form of a comparison: the score, its parts, why it is not 1, and what changed."""

from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.wording import amount, format_loss, quantity, text_of
from coverlap.measures.registry import MEASURES
from coverlap.results.changes import change_table
from coverlap.results.losses import loss_table
from coverlap.results.text import (
    NAME,
    TEXT,
    WORD,
    Block,
    Paragraph,
    Table,
    format_score,
    heading,
    numbers,
)

if TYPE_CHECKING:
    from coverlap.results.comparison import Comparison

N_CHANGES = 5
"""Number of changes that are printed."""

LONGEST_NAME = 10
"""Sides with longer names are called left and right in the tables, to fit 80 columns."""


def blocks(comparison: "Comparison", n_clusters: int = 0) -> list[Block]:
    """Return the readable form of a comparison, and of that of its edges if it has one.

    It ends with a table of the ``n_clusters`` clusters that cost most.
    """
    (left, right), edges = comparison.names, comparison.edges
    fit = left != right and max(len(left), len(right)) <= LONGEST_NAME
    sides = (left, right) if fit else ("left", "right")
    named = zip(comparison.names, sides, strict=True)
    title = " and ".join(name if name == side else f"{name} ({side})" for name, side in named)
    text: list[Block] = [[_score(comparison), f"   {title}"]]
    if edges is not None:
        text.append([_score(edges), "   of the graph's edges"])
    text += [[f"note: {note}"] for note in comparison.notes]
    text += [_facts(comparison, sides), *_tables(comparison, sides, n_clusters)]
    if edges is not None:
        text.append([("\nThe edges of the graph", "bold")])
        text += [_facts(edges, sides, of_edges=True), *_tables(edges, sides, n_clusters)]
    return text


def _score(comparison: "Comparison") -> tuple[str, str]:
    return f"{MEASURES[comparison.measure].title} = {format_score(comparison.score)}", "bold"


def _facts(
    comparison: "Comparison", sides: tuple[str, str], *, of_edges: bool = False
) -> Paragraph:
    """Return the numbers of objects, clusters and outliers, and what was merged or dropped."""
    universe, outliers = comparison.universe, comparison.outliers
    first = f"{quantity(universe.n_objects, 'object')} ({universe.rule})"
    if not of_edges:
        first += (
            f"; known to one side only: {universe.n_only_left:,} to {sides[0]}, "
            f"{universe.n_only_right:,} to {sides[1]}"
        )
        if universe.n_outliers_dropped:
            first += f"; {quantity(universe.n_outliers_dropped, 'outlier')} dropped"
    left, right = comparison.n_clusters
    several, several_right = (side.n_in_several for side in comparison.clusterings)
    lines = [
        first,
        f"{quantity(left, 'cluster')} in {sides[0]}, {right:,} in {sides[1]}",
        f"{quantity(outliers.n_left, 'outlier')} in {sides[0]}, {outliers.n_right:,} in "
        f"{sides[1]}, {outliers.n_shared:,} in both",
        f"{quantity(several, 'object')} in several clusters in {sides[0]}, {several_right:,} in "
        f"{sides[1]}",
    ]
    if comparison.weights is not None:
        lines.append(comparison.weights.text(sides))
    for name, clustering in zip(sides, comparison.clusterings, strict=True):
        merged, dropped = clustering.n_merged, clustering.n_dropped
        if merged or dropped:
            lines.append(
                f"{name}: {quantity(dropped, 'cluster')} without edges dropped, "
                f"{merged:,} with equal edges merged"
                if of_edges
                else f"{name}: {quantity(merged, 'duplicate cluster')} merged, "
                f"{quantity(dropped, 'empty cluster')} dropped"
            )
    return ["\n".join(lines)]


def _tables(comparison: "Comparison", sides: tuple[str, str], n_clusters: int) -> list[Block]:
    """Return the tables of the parts of the score, the reasons, the changes and the clusters."""
    text: list[Block] = [heading("What the score is made of"), parts(comparison, sides)]
    loss = np.asarray(comparison.table[-1].tolist())
    costly = np.argsort(-loss, kind="stable")
    costly = costly[loss[costly] > 0]
    if not len(costly):
        return [*text, heading("Nothing is lost: all that counts has a perfect match")]
    if not comparison.difference.is_in_memory:
        left_out = "since the tables would be read again; see changes() or `coverlap diff`"
        text.append([f"\nWhat changed is not shown, {left_out}"])
    else:
        text += _explanation(comparison)
    if n_clusters == 0:
        return text
    title = "The clusters that cost most"
    if len(costly) > n_clusters:
        share = fsum(loss[costly[:n_clusters]].tolist()) / fsum(loss.tolist())
        title += f" ({n_clusters:,} of {len(costly):,}: {share:.1%} of the loss)"
    return [*text, heading(title), _costliest(comparison, costly[:n_clusters], sides)]


def _explanation(comparison: "Comparison") -> list[Block]:
    """Return the tables of the reasons and of the changes."""
    text: list[Block] = []
    lost = format_loss(1 - comparison.score)
    if comparison.difference.form is not None:
        text += [heading(f"Why the score is {lost} below 1"), loss_table(comparison.losses())]
    if comparison.weights is not None:
        return [*text, ["\nWhat changed is not shown, since that counts objects without weights"]]
    changes = comparison.changes()
    if len(changes):
        title = f"What changed: {changes.summary} (threshold {changes.threshold:g})"
        if len(changes) > N_CHANGES:
            title += f"; the {N_CHANGES} largest of {len(changes):,}"
        text += [heading(title), change_table(changes, N_CHANGES)]
    return text


def parts(comparison: "Comparison", sides: tuple[str, str]) -> Table:
    """Return the table of the two directions, each with the parts of its score."""
    arrows = (" → ".join(sides), " → ".join(reversed(sides)))
    return Table(
        [("direction", TEXT),
         *numbers("weight", rank=2), *numbers("score"), *numbers("clusters", rank=1),
         *numbers("share", rank=3), *numbers("outliers", rank=1), *numbers("share", rank=3)],
        [
            [arrow, f"{part.weight:.2f}", f"{part.score:.4f}", f"{part.clusters:.4f}",
             f"{part.cluster_share:.1%}",
             f"{part.outliers:.4f}" if part.outlier_share else "-", f"{part.outlier_share:.1%}"]
            for arrow, part in zip(arrows, (comparison.left, comparison.right), strict=True)
        ],
    )  # fmt: skip


def _costliest(
    comparison: "Comparison", chosen: NDArray[np.int64], sides: tuple[str, str]
) -> Table:
    columns = {column.name: column.taken(chosen).tolist() for column in comparison.table}
    side_names = dict(zip(comparison.sides, sides, strict=True))
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return Table(
        [("side", WORD), ("cluster", NAME), *numbers("size", rank=2), ("best match", NAME),
         *numbers("size", rank=2), *numbers("shared", rank=3), *numbers("similarity", rank=1),
         *numbers("loss")],
        [
            [side_names[row["side"]], _name(row, "cluster"), amount(row["size"]),
             _name(row, "match"), amount(row["match_size"]), amount(row["shared"]),
             f"{row['similarity']:.4f}", format_loss(row["loss"])]
            for row in rows
        ],
    )  # fmt: skip


def _name(row: dict[str, Any], column: str) -> str:
    if row["kind"] == "outliers":
        return "(outliers)"
    return "-" if row[column] is None else text_of(row[column])
