"""Tables of pairs of clusters: those that share objects, and one-to-one matches."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.frames import AnyColumn, CodedColumn, Column, number_column
from coverlap.core.wording import amount, quantity, text_of
from coverlap.counting.assignment import match_one_to_one
from coverlap.explain.difference import outlier_cells
from coverlap.explain.tables import TableDifference
from coverlap.results.table import SHOWN, TableResult, more_rows, side_names
from coverlap.results.text import NAME, WORD, Block, Table, numbers

if TYPE_CHECKING:
    from coverlap.results.comparison import Comparison

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ContingencyTable(TableResult):
    """The result of `Comparison.contingency`: the clusters that share objects, largest first."""

    names: tuple[str, str]

    def _blocks(self) -> list[Block]:
        rows = list(zip(*(column.tolist()[:SHOWN] for column in self.table), strict=True))
        table = Table(
            [(self.names[0], NAME), *numbers("size", rank=2), (self.names[1], NAME),
             *numbers("size", rank=2), *numbers("shared", "similarity")],
            [
                [_name(kind, name), amount(size), _name(other_kind, other), amount(other_size),
                 amount(shared), "-" if similarity is None else f"{similarity:.4f}"]
                for kind, name, size, other_kind, other, other_size, shared, _, _, similarity
                in rows
            ],
        )  # fmt: skip
        title = f"{quantity(len(self), 'pair')} of clusters, or outliers, that share objects"
        return [[(title, "bold")], table, *more_rows(self)]

    def __repr__(self) -> str:
        return f"ContingencyTable({quantity(len(self), 'pair')})"


def contingency_table(comparison: "Comparison") -> ContingencyTable:
    """Return the contingency table of a comparison, with the sets of outliers."""
    cells = comparison.difference.contingency
    one, other, n = outlier_cells(comparison.difference)
    left = np.concatenate((cells.rows(), one))
    right = np.concatenate((cells.columns.astype(np.int64), other))
    kind = np.float64 if cells.shared.dtype.kind == "f" else np.int64
    shared: NDArray[Any] = np.concatenate((cells.shared, n)).astype(kind)
    order = np.lexsort((right, left, -shared))
    table = _pair_columns(comparison, left[order], right[order], shared[order])
    return ContingencyTable(table, side_names(comparison.names, "shared", "similarity"))


def contingency_parts(comparison: "Comparison") -> Iterator[tuple[AnyColumn, ...]]:
    """Yield the contingency table in parts, which are not all in memory if it is one of tables."""
    difference = comparison.difference
    if difference.is_in_memory or not isinstance(difference, TableDifference):
        yield contingency_table(comparison).table
        return
    for left, right, shared in difference.ordered_cells():
        yield _pair_columns(comparison, left, right, shared)


def _pair_columns(
    comparison: "Comparison", left: Integers, right: Integers, shared: NDArray[Any]
) -> tuple[AnyColumn, ...]:
    """Return the columns of pairs of clusters, -1 for outliers, and of how much these share."""
    matching, form = comparison.matching, comparison.difference.form
    left_sizes = np.append(matching.left.sizes, matching.n_left_outliers)[left]
    right_sizes = np.append(matching.right.sizes, matching.n_right_outliers)[right]
    similarity: Any = [None] * len(shared)
    if form is not None:
        below = form.own * left_sizes + form.other * right_sizes + form.both * shared
        similarity = form.factor * shared / below
    one, other = side_names(comparison.names, "shared", "similarity")
    left_names, right_names = comparison.cluster_names
    return (
        Column(f"{one}_kind", _kinds(left), "text"),
        CodedColumn(one, left_names, left),
        number_column(f"{one}_size", left_sizes),
        Column(f"{other}_kind", _kinds(right), "text"),
        CodedColumn(other, right_names, right),
        number_column(f"{other}_size", right_sizes),
        number_column("shared", shared),
        Column(f"{one}_share", shared / left_sizes, "float"),
        Column(f"{other}_share", shared / right_sizes, "float"),
        Column("similarity", similarity, "float"),
    )


@dataclass(frozen=True, eq=False)
class OneToOne(TableResult):
    """The result of `Comparison.one_to_one`: each cluster with at most one of the other side."""

    names: tuple[str, str]

    def _blocks(self) -> list[Block]:
        rows = zip(*(column.tolist()[:SHOWN] for column in self.table), strict=True)
        table = Table(
            [(self.names[0], NAME), *numbers("size", rank=1), (self.names[1], NAME),
             *numbers("size", rank=1), *numbers("shared"), ("best match", WORD)],
            [
                [_name_or_dash(name), _name_or_dash(size), _name_or_dash(match),
                 _name_or_dash(match_size), f"{shared:,}", "yes" if best else "no"]
                for name, size, match, match_size, shared, best in rows
            ],
        )  # fmt: skip
        return [table, *more_rows(self)] if len(self) else [["no clusters"]]

    def __repr__(self) -> str:
        return f"OneToOne({quantity(len(self), 'row')})"


def find_one_to_one(comparison: "Comparison") -> OneToOne:
    """Return the one-to-one matches; see `Comparison.one_to_one`."""
    cells, partner = comparison.difference.contingency, comparison.difference.partners.left
    match = match_one_to_one(cells, *comparison.cluster_names)
    alone = np.setdiff1d(np.arange(len(cells.right_sizes)), match)
    left = np.concatenate((np.arange(len(match)), np.full(len(alone), -1)))
    right = np.concatenate((match, alone))
    rows = cells.rows()
    matched = match[rows] == cells.columns
    shared = np.zeros(len(left), np.int64)
    shared[rows[matched]] = cells.shared[matched]
    order = np.lexsort((right, left, -shared))
    left, right, shared = left[order], right[order], shared[order]
    one, other = side_names(comparison.names, "shared", "best")
    left_names, right_names = comparison.cluster_names
    best = (left >= 0) & (right >= 0) & (np.append(partner, -1)[left] == right)
    return OneToOne(
        (
            CodedColumn(one, left_names, left),
            CodedColumn(f"{one}_size", cells.left_sizes.tolist(), left, None, "integer"),
            CodedColumn(other, right_names, right),
            CodedColumn(f"{other}_size", cells.right_sizes.tolist(), right, None, "integer"),
            Column("shared", shared, "integer"),
            Column("best", best, "boolean"),
        ),
        (one, other),
    )


def _kinds(clusters: NDArray[np.int64]) -> list[str]:
    return ["cluster" if cluster >= 0 else "outliers" for cluster in clusters.tolist()]


def _name(kind: str, name: Any) -> str:
    return "(outliers)" if kind == "outliers" else text_of(name)


def _name_or_dash(name: Any) -> str:
    return "-" if name is None else text_of(name)
