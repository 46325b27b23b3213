"""The readable form of results: paragraphs and tables, printed by rich.

Results describe their readable form as plain values, so only `render` and `plain` need rich, which
is slow to import.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from typing import Any

Paragraph = list[str | tuple[str, str]]
"""Pieces of text; a tuple is a text with its style."""

WORD, NAME, NUMBER, TEXT = "word", "name", "number", "text"
"""Kinds of columns: never broken, broken anywhere, aligned to the right, broken at spaces."""

_STYLES: dict[str, dict[str, Any]] = {
    WORD: {"no_wrap": True},
    NAME: {"overflow": "fold"},
    NUMBER: {"justify": "right", "no_wrap": True},
    TEXT: {},
}


@dataclass(frozen=True)
class Table:
    """A table: its columns as pairs of title and kind, and the text of every cell.

    If the terminal has fewer than ``least_width`` columns, the text ``if_narrower`` is shown
    instead.
    """

    columns: list[tuple[str, str]]
    rows: list[list[str]]
    least_width: int = 0
    if_narrower: str = ""

    def __rich_console__(self, _: Any, options: Any) -> Iterator[Any]:
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        if options.max_width < self.least_width:
            yield Text(self.if_narrower)
            return
        table = RichTable(
            box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True
        )
        for title, kind in self.columns:
            table.add_column(Text(title), **_STYLES[kind])
        for row in self.rows:
            table.add_row(*map(Text, row))
        yield table


Block = Paragraph | Table


def render(blocks: list[Block]) -> Any:
    """Return what rich prints for some paragraphs and tables."""
    from rich.console import Group
    from rich.text import Text

    return Group(
        *(block if isinstance(block, Table) else Text.assemble(*block) for block in blocks)
    )


def plain(renderable: Any, width: int = 80) -> str:
    """Return a text without colours of anything that rich can print."""
    from rich.console import Console

    console = Console(file=StringIO(), width=width, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(renderable)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def heading(title: str) -> Paragraph:
    """Return a heading with an empty line above it."""
    return [(f"\n{title}", "italic")]


def numbers(*titles: str) -> list[tuple[str, str]]:
    """Return columns of numbers with these titles."""
    return [(title, NUMBER) for title in titles]


def format_score(score: float) -> str:
    """Write a score with six digits, but counts as integers and no number below 1 as 1.000000."""
    if abs(score) > 1 and score.is_integer():
        return f"{int(score):,}"
    return f"{score:.6f}" if score == 1 or not 0.999_999_5 <= score < 1 else repr(score)


def format_loss(loss: float) -> str:
    """Write a loss with six digits after the point, or a very small one with three digits."""
    return f"{loss:.6f}" if loss >= 1e-4 else f"{loss:.2e}"
