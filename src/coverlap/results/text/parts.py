"""What the readable forms of all results are made of."""

from io import StringIO
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text


def plain(renderable: Any, width: int = 80) -> str:
    """Render what rich can print as text without colours."""
    console = Console(file=StringIO(), width=width, color_system=None, legacy_windows=False)
    console.print(renderable)
    output: StringIO = console.file  # type: ignore[assignment]
    return "\n".join(line.rstrip() for line in output.getvalue().splitlines())


def heading(title: str) -> Text:
    """Make a heading with an empty line before it."""
    return Text(f"\n{title}", style="italic")


def open_table() -> Table:
    """Make a table without a frame."""
    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)


def written(score: float) -> str:
    """Write a score with six digits, but never 1.000000 for less than 1; counts as they are."""
    if abs(score) > 1 and score.is_integer():
        return f"{int(score):,}"
    return f"{score:.6f}" if score == 1 or not 0.999_999_5 <= score < 1 else repr(score)


def small(loss: float) -> str:
    """Write a loss with six digits, or with three that are not zeros."""
    return f"{loss:.6f}" if loss >= 1e-4 else f"{loss:.2e}"
