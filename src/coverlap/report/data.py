"""Tables of a report: the first rows as HTML, and all rows as compressed columns for the script."""

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.wording import cut, format_loss, one_line, text_of

SHOWN, PRINTED = 40, 100
"""Number of rows on the screen and on paper."""

MOST_LISTED = 8
"""Number of names that are written of a list of clusters."""

LONGEST = 200
"""Number of characters that are kept of a name."""

N_DIGITS = 12
"""Number of digits after the point that are stored of a loss; the smallest keep six digits."""

Integers = NDArray[Any]


class Numbers(NamedTuple):
    """A column of numbers, written as an "integer", a "ratio" or a "loss".

    ``derived`` columns are not stored: the script computes them.
    """

    title: str
    values: NDArray[Any]
    write: str
    key: str = ""
    derived: bool = False


class Words(NamedTuple):
    """A column of text."""

    title: str
    values: Sequence[str]
    kind: str = "word"


class Names(NamedTuple):
    """A column of positions in a list of names of the page; lists of them with ``pointers``."""

    title: str
    names: str
    codes: Integers
    pointers: Integers | None = None
    missing: str = ""


Column = Numbers | Words | Names


@dataclass(frozen=True)
class DataTable:
    """A table with many rows, whose last column, ``loss``, orders them at first, the largest first.

    ``facts`` are what the script needs to compute derived columns, and ``row_facts`` has more of
    it for each row.
    """

    id: str
    caption: str
    others: Sequence[Column]
    loss: Numbers
    facts: Mapping[str, Any] = field(default_factory=dict)
    row_facts: Mapping[str, Integers] = field(default_factory=dict)

    @property
    def columns(self) -> list[Column]:
        """All columns, the loss last."""
        return [*self.others, self.loss]

    def __len__(self) -> int:
        return len(self.loss.values)

    def taken(self, rows: Integers) -> "DataTable":
        """Return some rows."""
        others = [_taken(column, rows) for column in self.others]
        loss = self.loss._replace(values=self.loss.values[rows])
        row_facts = {name: values[rows] for name, values in self.row_facts.items()}
        return replace(self, others=others, loss=loss, row_facts=row_facts)

    def ranked(self) -> Integers:
        """Return the rows from the largest loss on."""
        return np.argsort(-_kept(self.loss), kind="stable")


def _kept(column: Numbers) -> NDArray[Any]:
    """Return numbers as the script has them: those that are stored are rounded.

    Six digits are shown; a few more keep the order of rows, and those that are left out are noise
    that would make another order here than there.
    """
    values = column.values
    if column.derived or values.dtype.kind != "f":
        return values
    rounded = np.round(values, N_DIGITS)
    small = np.flatnonzero((values < 10.0 ** (6 - N_DIGITS)) & (values > 0))
    rounded[small] = [float(f"{value:.6g}") for value in values[small].tolist()]
    return rounded


def _taken(column: Column, rows: Integers) -> Column:
    if isinstance(column, Words):
        return column._replace(values=[column.values[row] for row in rows.tolist()])
    if isinstance(column, Numbers):
        return column._replace(values=column.values[rows])
    if column.pointers is None:
        return column._replace(codes=column.codes[rows])
    begins, lengths = column.pointers[rows], np.diff(column.pointers)[rows]
    pointers = np.concatenate(([0], np.cumsum(lengths)))
    at = np.arange(pointers[-1]) + np.repeat(begins - pointers[:-1], lengths)
    return column._replace(codes=column.codes[at], pointers=pointers)


def name_texts(names: Sequence[Any]) -> list[str]:
    """Return names as the page shows them: on one line, and not longer than a paragraph."""
    return [cut(one_line(text_of(name)), LONGEST) for name in names]


def compressed(value: Any) -> str:
    """Return a value as JSON that is compressed and can stand in HTML."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    packed = gzip.compress(text.encode(errors="replace"), 6, mtime=0)
    return base64.b64encode(packed).decode()


NAMELESS = "…"
"""Stands for the names that are left out of a page because they are too many."""


def fit_names(
    names: Mapping[str, Sequence[str]], loss: Mapping[str, NDArray[Any]], most_bytes: float
) -> tuple[dict[str, list[str]], str, NDArray[np.bool_]]:
    """Leave out the names of the clusters that cost least, until the compressed names fit.

    Also return which names of all sides are kept.
    """
    losses = np.concatenate([loss[side] for side in names])
    ranked, kept = np.argsort(-losses, kind="stable"), np.ones(len(losses), bool)
    while True:
        marks = iter(kept.tolist())
        fitted = {
            side: [text if next(marks) else NAMELESS for text in texts]
            for side, texts in names.items()
        }
        packed = compressed(fitted)
        if len(packed) <= most_bytes or not kept.any():
            return fitted, packed, kept
        n_kept = int(0.9 * np.count_nonzero(kept) * most_bytes / len(packed))
        kept[:] = False
        kept[ranked[:n_kept]] = True


def fit(table: DataTable, most_bytes: float) -> tuple[DataTable, str]:
    """Return a table with as many of the first ranked rows as fit, and its compressed columns."""
    packed = compressed(_stored(table))
    ranked, n_rows = table.ranked(), len(table)
    while len(packed) > most_bytes and n_rows > PRINTED:
        n_rows = max(PRINTED, min(int(0.95 * n_rows * most_bytes / len(packed)), n_rows - 1))
        table = table.taken(np.sort(ranked[:n_rows]))
        ranked = table.ranked()
        packed = compressed(_stored(table))
    return table, packed


def _stored(table: DataTable) -> dict[str, Any]:
    return {
        "n_rows": len(table),
        "columns": [_stored_column(column) for column in table.columns],
        **table.facts,
        **{name: values.tolist() for name, values in table.row_facts.items()},
    }


def _stored_column(column: Column) -> dict[str, Any]:
    if isinstance(column, Words):
        return {"values": [one_line(text) for text in column.values]}
    if isinstance(column, Numbers):
        facts = {"key": column.key, "write": column.write}
        return facts if column.derived else {**facts, "values": _kept(column).tolist()}
    facts = {"names": column.names, "missing": column.missing, "codes": column.codes.tolist()}
    return facts if column.pointers is None else {**facts, "pointers": column.pointers.tolist()}


def table_html(
    table: DataTable, n_rows: int, names: Mapping[str, Sequence[str]], if_cut: str
) -> str:
    """Return the first ranked rows of a table, with the controls that the script makes work.

    Of ``n_rows`` rows, the table may have the first ranked ones only; then ``if_cut`` says where
    the others are.
    """
    first = table.taken(table.ranked()[:PRINTED])
    cells = [_cells(column, names) for column in first.columns]
    kinds = [_kind(column) for column in table.columns]
    head = "".join(
        f'<th scope="col" class="{kind}"{" aria-sort=descending" if column is table.loss else ""}>'
        f'<button type="button">{escape(column.title)}</button></th>'
        for column, kind in zip(table.columns, kinds, strict=True)
    )
    body = "".join(_row(i, row, kinds) for i, row in enumerate(zip(*cells, strict=True)))
    n, shown = len(table), min(SHOWN, len(table))
    caption = table.caption
    if n < n_rows:
        caption += f" The file has the {n:,} costliest of {n_rows:,} rows; {if_cut}."
    on_paper = f"The first {PRINTED} of {n:,} rows." if n > PRINTED else ""
    return (
        f'<div data-table="{table.id}"><div class="controls" hidden>'
        f'<input type="search" placeholder="filter by name" aria-label="filter {table.id} by name">'
        '<button type="button" disabled>previous</button>'
        f'<button type="button"{" disabled" if n <= SHOWN else ""}>next</button>'
        f'<span role="status">rows 1 to {shown:,} of {n:,}</span></div>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.id)}">'
        f'<table aria-rowcount="{n + 1}"><caption><span>{escape(caption)} '
        f'<span class="print">{on_paper}</span></span></caption>'
        f'<thead><tr aria-rowindex="1">{head}</tr></thead><tbody>{body}</tbody></table></div></div>'
    )


def _row(i: int, texts: Sequence[str], kinds: Sequence[str]) -> str:
    more = ' class="more"' if i >= SHOWN else ""
    head, *others = (escape(text) for text in texts)
    cells = "".join(
        f'<td class="{kind}">{text}</td>' for kind, text in zip(kinds[1:], others, strict=True)
    )
    first = f'<th scope="row" class="{kinds[0]}">{head}</th>'
    return f'<tr aria-rowindex="{i + 2}"{more}>{first}{cells}</tr>'


def _kind(column: Column) -> str:
    if isinstance(column, Numbers):
        return "number"
    return column.kind if isinstance(column, Words) else "name"


def _cells(column: Column, names: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the text of each cell, as the script writes it."""
    if isinstance(column, Numbers):
        return [FORMATS[column.write](value) for value in _kept(column).tolist()]
    if isinstance(column, Words):
        return [one_line(text) for text in column.values]
    known = [*names[column.names], column.missing]
    codes = column.codes.tolist()
    if column.pointers is None:
        return [known[code] for code in codes]
    bounds = column.pointers.tolist()
    return [
        listed([known[code] for code in codes[begin:end]]) if begin < end else column.missing
        for begin, end in pairwise(bounds)
    ]


def listed(texts: Sequence[str]) -> str:
    """Return the first names of a list, and how many more there are."""
    more = len(texts) - MOST_LISTED
    return ", ".join([*texts[:MOST_LISTED], *([f"{more:,} more"] if more > 0 else [])])


FORMATS = {"integer": "{:,}".format, "ratio": "{:.4f}".format, "loss": format_loss}
