"""ObjectChanges: the clusters of each object on both sides, whether it moved, and its loss."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from coverlap.core.frames import AnyColumn, CodedColumn, Column, write_frame
from coverlap.core.texts import Ids
from coverlap.core.wording import format_loss, quantity, text_of
from coverlap.explain.difference import ByObject
from coverlap.explain.objects import follow_objects
from coverlap.explain.tables import TableDifference
from coverlap.results.losses import loss_rows_of
from coverlap.results.table import (
    SHOWN,
    TableResult,
    list_names,
    more_rows,
    side_names,
    typed,
)
from coverlap.results.text import LIST, NAME, WORD, Block, Table, numbers

if TYPE_CHECKING:
    from coverlap.results.comparison import Comparison

FIXED = ("object", "moved", "moved_from", "moved_to", "loss")
"""The columns whose names do not depend on those of the sides."""

MOVED = 3
"""The position of the column that tells whether an object moved."""


@dataclass(frozen=True, eq=False)
class ObjectChanges(TableResult):
    """The result of `Comparison.objects`: the clusters of each object, and its part of the loss.

    Attributes
    ----------
    n_objects, n_moved : int
        Number of objects compared, and of those that moved.
    n_left_out : int
        Number of objects without a row: those that ``universe`` or ``drop_outliers`` leaves out,
        those of weight 0, and those of ``n_objects`` that neither side mentions.
    """

    n_objects: int
    n_moved: int
    n_left_out: int

    def to_frame(self, library: str | None = None) -> Any:
        """Return the table as a frame; a frame of pandas has the ids as its index.

        Parameters
        ----------
        library : {"pandas", "polars", "arrow"}, optional
            By default the first of these that is imported, or else installed.
        """
        ids = self._array(0)
        by_position = isinstance(ids, np.ndarray) and np.array_equal(ids, np.arange(len(ids)))
        return write_frame(typed(self.table), library, index=None if by_position else ids)

    def _blocks(self) -> list[Block]:
        title = f"{self.n_moved:,} of {quantity(self.n_objects, 'object')} moved"
        if self.n_left_out:
            title += f"; {self.n_left_out:,} more left out"
        if not len(self):
            return [[(title, "bold")]]
        costliest = np.argsort(-self._array(-1), kind="stable")[:SHOWN]
        rows = zip(*(column.taken(costliest).tolist() for column in self.table), strict=True)
        _, left, right, *_ = (column.name for column in self.table)
        table = Table(
            [("object", NAME), (left, LIST), (right, LIST), ("moved", WORD), *numbers("loss")],
            [
                [text_of(item), _listed(one), _listed(other), "yes" if moved else "no",
                 format_loss(loss)]
                for item, one, other, moved, _, _, loss in rows
            ],
        )  # fmt: skip
        return [[(title, "bold")], table, *more_rows(self)]

    def _array(self, position: int) -> Any:
        """Return a column of numbers as an array, and one of other values as a list."""
        column = self.table[position]
        return column.tolist() if column.kind == "object" else column[1]

    def __repr__(self) -> str:
        return f"ObjectChanges({self.n_moved:,} of {quantity(self.n_objects, 'object')} moved)"


def moved_parts(comparison: "Comparison") -> Iterator[tuple[AnyColumn, ...]]:
    """Yield the table of objects that moved in parts, not all in memory if it is one of tables.

    Objects of tables are in the order of their ids.
    """
    difference = comparison.difference
    if difference.is_in_memory or not isinstance(difference, TableDifference):
        yield find_object_changes(comparison, moved_only=True).table
        return
    for ids, sides in difference.moved_parts():
        yield _object_columns(comparison, ids, sides)


def find_object_changes(comparison: "Comparison", *, moved_only: bool) -> ObjectChanges:
    """Return the clusters and the loss of each object; see `Comparison.objects`."""
    pair, universe = comparison.difference.pair, comparison.universe
    table = _object_columns(comparison, pair.objects.id_array(), (pair.left, pair.right))
    moved = np.asarray(table[MOVED][1])
    if moved_only:
        chosen = np.flatnonzero(moved)
        table = tuple(column.taken(chosen) for column in table)
    n_left_out = universe.n_outliers_dropped + pair.n_unmentioned + pair.n_weightless
    if universe.rule in ("intersection", "right"):
        n_left_out += universe.n_only_left
    if universe.rule in ("intersection", "left"):
        n_left_out += universe.n_only_right
    return ObjectChanges(table, pair.objects.n, int(np.count_nonzero(moved)), n_left_out)


def _object_columns(
    comparison: "Comparison", ids: Ids, sides: tuple[ByObject, ByObject]
) -> tuple[AnyColumn, ...]:
    """Return the columns of all objects, or of some of them."""
    moves = follow_objects(comparison.difference, loss_rows_of(comparison), sides)
    left, right = side_names(comparison.names, *FIXED)
    left_names, right_names = comparison.cluster_names
    is_integer = isinstance(ids, np.ndarray) and ids.dtype != object
    return (
        Column("object", ids, "integer" if is_integer else "object"),
        CodedColumn(left, left_names, *moves.left),
        CodedColumn(right, right_names, *moves.right),
        Column("moved", moves.moved_from.found() | moves.moved_to.found(), "boolean"),
        CodedColumn("moved_from", left_names, *moves.moved_from),
        CodedColumn("moved_to", right_names, *moves.moved_to),
        Column("loss", moves.loss, "float"),
    )


def _listed(clusters: Any) -> str:
    """Return the name of a cluster, or the names of several, as text."""
    found = clusters if isinstance(clusters, list) else [clusters]
    return list_names([name for name in found if name is not None]) or "(outlier)"
