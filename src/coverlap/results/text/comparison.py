"""The readable form of a comparison: the score, its parts, and the clusters that cost most."""

from math import fsum
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from coverlap.core.wording import quantity
from coverlap.measures.registry import MEASURES
from coverlap.results.text.parts import heading, open_table, small, written

if TYPE_CHECKING:
    from coverlap.results.comparison import Comparison

COSTLIEST = 10
LONGEST_NAME = 10
"""Sides with longer names are called left and right in the tables, which then fit 80 columns."""


def renderable(comparison: "Comparison") -> Any:
    """Make what rich prints for a comparison, and for that of the edges if there is one."""
    sides, edges = _sides(comparison), comparison.edges
    title = _title(comparison, sides)
    notes = [Text(f"note: {note}") for note in comparison.notes]
    if edges is None:
        return Group(title, *notes, _facts(comparison, sides), *_body(comparison, sides))
    return Group(
        title,
        Text.assemble(_score(edges), "   of the graph's edges"),
        *notes,
        _facts(comparison, sides),
        *_body(comparison, sides),
        Text.assemble(("\nThe edges of the graph", "bold")),
        _edge_facts(edges, sides),
        *_body(edges, sides),
    )


def _body(comparison: "Comparison", sides: tuple[str, str]) -> list[Any]:
    """Make the tables of the parts of a score and of the clusters that cost most."""
    costly = _costly_rows(comparison)
    return [
        heading("What the score is made of"),
        _parts(comparison, sides),
        heading(_costly_title(comparison, costly)),
        *([_costliest(comparison, sides, costly[:COSTLIEST])] if costly else []),
    ]


def _sides(comparison: "Comparison") -> tuple[str, str]:
    """Return what the tables call the two sides."""
    one, other = comparison.names
    return (one, other) if one != other and _fit(one, other) else ("left", "right")


def _fit(*names: str) -> bool:
    return max(map(len, names)) <= LONGEST_NAME


def _title(comparison: "Comparison", sides: tuple[str, str]) -> Text:
    names = [
        name if name == side else f"{name} ({side})"
        for name, side in zip(comparison.names, sides, strict=True)
    ]
    return Text.assemble(_score(comparison), f"   {names[0]} and {names[1]}")


def _score(comparison: "Comparison") -> tuple[str, str]:
    return f"{MEASURES[comparison.measure].title} = {written(comparison.score)}", "bold"


def _facts(comparison: "Comparison", sides: tuple[str, str]) -> Text:
    universe = comparison.universe
    first = (
        f"{quantity(universe.n_objects, 'object')} ({universe.rule}); known to one side only: "
        f"{universe.n_only_left:,} to {sides[0]}, {universe.n_only_right:,} to {sides[1]}"
    )
    if universe.n_outliers_dropped:
        first += f"; {quantity(universe.n_outliers_dropped, 'outlier')} dropped"
    lines = [first, *_counts(comparison, sides)]
    for name, side in zip(sides, comparison._clusterings, strict=True):
        if side.n_merged or side.n_dropped:
            lines.append(
                f"{name}: {quantity(side.n_merged, 'duplicate cluster')} merged, "
                f"{quantity(side.n_dropped, 'empty cluster')} dropped"
            )
    return Text("\n".join(lines))


def _edge_facts(comparison: "Comparison", sides: tuple[str, str]) -> Text:
    universe = comparison.universe
    lines = [
        f"{quantity(universe.n_objects, 'object')} ({universe.rule})",
        *_counts(comparison, sides),
    ]
    for name, side in zip(sides, comparison._clusterings, strict=True):
        if side.n_merged or side.n_dropped:
            lines.append(
                f"{name}: {quantity(side.n_dropped, 'cluster')} without edges dropped, "
                f"{side.n_merged:,} with equal edges merged"
            )
    return Text("\n".join(lines))


def _counts(comparison: "Comparison", sides: tuple[str, str]) -> list[str]:
    left, right = comparison.n_clusters
    outliers = comparison.outliers
    return [
        f"{quantity(left, 'cluster')} in {sides[0]}, {right:,} in {sides[1]}",
        f"{quantity(outliers.n_left, 'outlier')} in {sides[0]}, {outliers.n_right:,} in "
        f"{sides[1]}, {outliers.n_shared:,} in both",
    ]


def _parts(comparison: "Comparison", sides: tuple[str, str]) -> Table:
    table = open_table()
    table.add_column("direction")
    for column in ("weight", "score", "clusters", "share", "outliers", "share"):
        table.add_column(column, justify="right", no_wrap=True)
    arrows = (" → ".join(sides), " → ".join(reversed(sides)))
    for arrow, part in zip(arrows, (comparison.left, comparison.right), strict=True):
        table.add_row(
            Text(arrow), f"{part.weight:.2f}", f"{part.score:.4f}", f"{part.clusters:.4f}",
            f"{part.cluster_share:.1%}", f"{part.outliers:.4f}" if part.outlier_share else "-",
            f"{part.outlier_share:.1%}",
        )  # fmt: skip
    return table


def _costly_rows(comparison: "Comparison") -> list[int]:
    """Return the rows of the table of clusters that cost something, the costliest first."""
    losses = comparison.columns()["loss"]
    return sorted((i for i, loss in enumerate(losses) if loss > 0), key=lambda i: -losses[i])


def _costly_title(comparison: "Comparison", rows: list[int]) -> str:
    if not rows:
        return "Nothing is lost: all that counts has a perfect match"
    title = f"Where the missing {small(1 - comparison.score)} went"
    if len(rows) <= COSTLIEST:
        return title
    losses = comparison.columns()["loss"]
    part = fsum(losses[i] for i in rows[:COSTLIEST]) / fsum(losses)
    return f"{title} (the {COSTLIEST} costliest of {len(rows):,}: {part:.1%} of it)"


def _costliest(comparison: "Comparison", sides: tuple[str, str], rows: list[int]) -> Table:
    table = open_table()
    table.add_column("side", no_wrap=True)
    table.add_column("cluster", overflow="fold")
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("best match", overflow="fold")
    for column in ("size", "shared", "similarity", "loss"):
        table.add_column(column, justify="right", no_wrap=True)
    columns = comparison.columns()
    names = dict(zip(("left", "right"), sides, strict=True))
    for i in rows:
        table.add_row(*_cells({name: values[i] for name, values in columns.items()}, names))
    return table


def _cells(row: dict[str, Any], names: dict[str, str]) -> list[str | Text]:
    outliers = row["kind"] == "outliers"
    return [
        Text(names[row["side"]]),
        Text("(outliers)" if outliers else _name(row["cluster"])),
        f"{row['size']:,}",
        Text("(outliers)" if outliers else _name(row["match"])),
        f"{row['match_size']:,}", f"{row['shared']:,}", f"{row['similarity']:.4f}",
        small(row["loss"]),
    ]  # fmt: skip


def _name(name: object) -> str:
    return "-" if name is None else str(name)
