"""The readable form of results: paragraphs and tables, printed by rich.

Results describe their readable form as plain values, so only `render` and `plain` need rich, which
is slow to import.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import accumulate, dropwhile, takewhile
from math import ceil
from shutil import get_terminal_size
from typing import Any

from coverlap.core.wording import one_line

Paragraph = list[str | tuple[str, str]]
"""Pieces of text; a tuple is a text with its style."""

WORD, NAME, NUMBER, TEXT, LIST = "word", "name", "number", "text", "list"
"""Kinds of columns: never broken, broken anywhere, aligned to the right, broken at spaces.

On a terminal, names that do not fit are shortened instead. Lists are broken at spaces, too, before
columns are left out.
"""

_STYLES: dict[str, dict[str, Any]] = {
    WORD: {"no_wrap": True},
    NAME: {"overflow": "fold"},
    NUMBER: {"justify": "right", "no_wrap": True},
    TEXT: {},
    LIST: {},
}
GAP = 2
"""Number of spaces between two columns."""

LEAST_SHORTENED, LEAST_BROKEN, LEAST_LIST = 12, 8, 20
"""Columns are left out before those of names, and of lists, become narrower than this.

Names that would then look the same are shortened less.
"""

Column = tuple[str, str] | tuple[str, str, int]
"""The title and the kind of a column, and its rank if it may be left out."""


@dataclass(frozen=True)
class Table:
    """A table: its columns, and the text of every cell.

    If the table is too wide, the columns with the highest rank are left out, then those with the
    next rank. Below the table, ``if_left_out`` is printed, by default the titles of these columns.
    """

    columns: Sequence[Column]
    rows: list[list[str]]
    if_left_out: str = ""

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Any]:
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        cells = [
            [one_line(cell) for cell in row] for row in ([c[0] for c in self.columns], *self.rows)
        ]
        fitted = self._fit([*zip(*cells, strict=True)], options.max_width, console.is_terminal)
        header, *rows = [
            [
                " ".join(shortened(word, width) for word in row[i].split(" "))
                if self.columns[i][1] == LIST
                else shortened(row[i], width)
                for i, width in fitted.items()
            ]
            for row in cells
        ]
        table = RichTable(
            box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True
        )
        for title, i in zip(header, fitted, strict=True):
            table.add_column(Text(title), **_STYLES[self.columns[i][1]])
        for row in rows:
            table.add_row(*map(Text, row))
        yield table
        left_out = [title for i, title in enumerate(cells[0]) if i not in fitted]
        if left_out:
            titles = ", ".join(dict.fromkeys(left_out))
            yield Text(self.if_left_out or f"(too narrow to show: {titles})", "dim")

    def _fit(self, cells: list[tuple[str, ...]], room: int, shorten: bool) -> dict[int, int]:
        """Return the positions of the columns that fit, and the width of each."""
        widths = [max(map(_width, column)) for column in cells]
        ranks = [column[2] if len(column) == 3 else 0 for column in self.columns]
        least = LEAST_SHORTENED if shorten else LEAST_BROKEN
        floors = [
            _distinct_width(column, least, room) if shorten and kind == NAME else least
            for column, (_, kind, *_) in zip(cells, self.columns, strict=True)
        ]

        def width(i: int, limit: int) -> int:
            if self.columns[i][1] == LIST:
                return min(widths[i], LEAST_LIST)
            if self.columns[i][1] != NAME:
                return widths[i]
            return min(widths[i], max(limit, floors[i]) if limit >= least else limit)

        def total(limit: int) -> int:
            return sum(width(i, limit) for i in chosen) + GAP * (len(chosen) - 1)

        chosen = list(range(len(widths)))
        for rank in sorted({*ranks} - {0}, reverse=True):
            if total(least) > room:
                chosen = [i for i in chosen if ranks[i] != rank]
        limit = min(max(widths), room) if shorten else max(widths)
        lists = [i for i in chosen if self.columns[i][1] == LIST]  # these can still be broken
        while shorten and limit > (least if lists else 1) and total(limit) > room:
            limit -= 1
        fitted = {i: width(i, limit) for i in chosen}
        for i in lists:
            excess = max(total(limit) - room, 0)
            fitted[i] = max(fitted[i] - ceil(excess / len(lists)), LEAST_BROKEN)
        return fitted


def _distinct_width(texts: Sequence[str], least: int, most: int) -> int:
    """Return a width from least to most at which different texts differ when shortened."""
    different = {*texts}
    for width in range(least, most, 4):
        if len({shortened(text, width) for text in different}) == len(different):
            return width
    return most


def shortened(text: str, width: int) -> str:
    """Replace the middle of a text by an ellipsis if it takes more columns of a terminal.

    Examples
    --------
    >>> shortened("runs/2026/leiden_0.5_seed_1.csv", 16)
    'runs/20…ed_1.csv'
    """
    if _width(text) <= width:
        return text
    first, last = _first(text, (width - 1) // 2), _first(text[::-1], width // 2)[::-1]
    # A mark on a character that was cut off would be drawn on the ellipsis.
    return first + "…" + "".join(dropwhile(lambda char: _width(char) == 0, last))


def _first(text: str, width: int) -> str:
    """Return the first characters that fit into some columns of a terminal."""
    used = accumulate(map(_width, text))
    return text[: sum(1 for _ in takewhile(lambda columns: columns <= width, used))]


def _width(text: str) -> int:
    """Return the number of columns of a terminal; Chinese characters take two."""
    from rich.cells import cell_len

    return cell_len(text)


Block = Paragraph | Table


def render(blocks: list[Block]) -> Any:
    """Return what rich prints for some paragraphs and tables."""
    from rich.console import Group
    from rich.text import Text

    return Group(
        *(
            block
            if isinstance(block, Table)
            else Text.assemble(*(_without_controls(piece) for piece in block))
            for block in blocks
        )
    )


def _without_controls(piece: str | tuple[str, str]) -> str | tuple[str, str]:
    """Return a piece of a paragraph in which names of the user cannot control a terminal."""
    if isinstance(piece, tuple):
        return "\n".join(map(one_line, piece[0].split("\n"))), piece[1]
    return "\n".join(map(one_line, piece.split("\n")))


def plain(renderable: Any, width: int | None = None) -> str:
    """Return a text without colours of anything that rich can print.

    The text fits a terminal of this width; by default that of `terminal_width`, and if there is
    none, the text is that for a file, 80 columns wide.
    """
    from rich.console import Console

    width = width or terminal_width()
    console = Console(
        file=StringIO(), width=width or 80, color_system=None, legacy_windows=False,
        force_terminal=width is not None,
    )  # fmt: skip
    with console.capture() as capture:
        console.print(renderable)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def terminal_width() -> int | None:
    """Return the number of columns of standard output if it is a terminal, and otherwise None."""
    try:
        return get_terminal_size().columns if sys.stdout.isatty() else None
    except (AttributeError, ValueError):  # it is None, closed, or another object
        return None


def heading(title: str) -> Paragraph:
    """Return a heading with an empty line above it."""
    return [(f"\n{title}", "italic")]


def numbers(*titles: str, rank: int = 0) -> list[Column]:
    """Return columns of numbers with these titles; those of a high rank are left out first."""
    return [(title, NUMBER, rank) for title in titles]


def format_score(score: float) -> str:
    """Write a score with six digits, but counts as integers and no number below 1 as 1.000000."""
    if abs(score) > 1 and score.is_integer():
        return f"{int(score):,}"
    return f"{score:.6f}" if score == 1 or not 0.999_999_5 <= score < 1 else repr(score)
