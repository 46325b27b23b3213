"""TableResult: the base class of results that are one table, whose columns are arrays."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from coverlap.core.frames import AnyColumn, CodedColumn, Column, name_column, write_frame
from coverlap.core.wording import quantity, text_of
from coverlap.results.result import NameWriter, Result
from coverlap.results.text import Block, shortened

SHOWN = 10
"""Number of rows that are printed."""

MOST_NAMES, LONGEST_NAME = 4, 24
"""How many clusters of a list are printed, and how much of a name.

Each name is shortened by itself, so that the size of a cluster stays beside its name.
"""


class Tabular(Result):
    """A result with a table that is kept as arrays, so that many rows are quickly converted."""

    if TYPE_CHECKING:  # subclasses have a field, or compute it

        @property
        def table(self) -> tuple[AnyColumn, ...]:
            """The columns of the table."""

    def columns(self) -> dict[str, list[Any]]:
        """Return the table as columns."""
        return {column.name: column.tolist() for column in self.table}

    def to_frame(self, library: str | None = None) -> Any:
        """Return the table as a frame; see `columns`.

        Parameters
        ----------
        library : {"pandas", "polars", "arrow"}, optional
            By default the first of these that is imported, or else installed.
        """
        return write_frame(typed(self.table), library)


@dataclass(frozen=True, eq=False)
class TableResult(Tabular):
    """A result that is one table.

    Subclasses may have more fields; `to_dict` has these, and the rows of the table.
    """

    table: tuple[AnyColumn, ...]

    def __len__(self) -> int:
        first = self.table[0]
        if isinstance(first, CodedColumn):
            return len(first.codes) if first.pointers is None else len(first.pointers) - 1
        return len(first.items)

    def _facts(self, write_name: NameWriter) -> dict[str, Any]:
        others = [field.name for field in fields(self) if field.name != "table"]
        facts = {name: getattr(self, name) for name in others}
        return {**facts, "rows": rows_of(self.table, write_name)}


def typed(table: Iterable[AnyColumn]) -> list[AnyColumn]:
    """Return columns with types: the names of a side are all integers, or all text."""
    names: dict[int, Column] = {}  # several columns have the names of one side
    made: list[AnyColumn] = []
    for column in table:
        if column.kind != "object":
            made.append(column)
        elif isinstance(column, CodedColumn):
            if id(column.names) not in names:
                names[id(column.names)] = name_column("", column.names)
            own = names[id(column.names)]
            made.append(column._replace(names=own.tolist(), kind=own.kind))
        else:
            made.append(name_column(column.name, column.tolist()))
    return made


def rows_of(table: Iterable[AnyColumn], write_name: NameWriter) -> list[dict[str, Any]]:
    """Return the rows of a table, with every name converted by ``write_name``."""
    columns = {column.name: _written(column, write_name) for column in table}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _written(column: AnyColumn, write_name: NameWriter) -> list[Any]:
    if column.kind != "object":
        return column.tolist()
    if isinstance(column, CodedColumn):
        return column._replace(names=list(map(write_name, column.names))).tolist()
    return list(map(write_name, column.tolist()))


def side_names(names: tuple[str, str], *others: str) -> tuple[str, str]:
    """Return the names of the sides, or left and right if columns could not be told apart.

    ``others`` are the names of the other columns.
    """
    prefixes = tuple(f"{name}_" for name in names)
    known = [*names, *others]
    clash = len({*known}) < len(known) or any(name.startswith(prefixes) for name in known)
    return ("left", "right") if clash else names


def more_rows(result: TableResult) -> list[Block]:
    """Return a line that counts the rows that are not printed, if there are any."""
    more = len(result) - SHOWN
    return [[f"({quantity(more, 'more row')}: see to_frame)"]] if more > 0 else []


def list_names(names: Sequence[Any], sizes: Sequence[int] | None = None) -> str:
    """Return the first names of clusters as text, with their sizes, and how many more there are."""
    texts = [shortened(text_of(name), LONGEST_NAME) for name in names[:MOST_NAMES]]
    if sizes is not None:
        texts = [f"{text} ({size:,})" for text, size in zip(texts, sizes, strict=False)]
    more = len(names) - MOST_NAMES
    return ", ".join([*texts, f"{more:,} more"] if more > 0 else texts)
