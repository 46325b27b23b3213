"""The HTML form of results, which notebooks show: the readable form, or a table of the columns."""

from collections.abc import Mapping
from typing import Any

from coverlap.core.html import N_ROWS, document, paragraph, table
from coverlap.core.wording import text_of
from coverlap.results.text import NAME, NUMBER, WORD, Block, Table, format_score

MOST = 40
"""Number of rows and of columns to show of a printed table; one of all measures has fewer."""


def html_of_blocks(blocks: list[Block]) -> str:
    """Return paragraphs and tables as HTML."""
    return document(
        _table(block) if isinstance(block, Table) else paragraph(block) for block in blocks
    )


def _table(block: Table) -> str:
    columns = [(title, kind) for title, kind, *_ in block.columns[:MOST]]
    rows = [row[:MOST] for row in block.rows[:MOST]]
    return table(columns, rows, len(block.rows) - len(rows), len(block.columns) - len(columns))


def html_of_columns(title: str, columns: Mapping[str, list[Any]], kinds: Mapping[str, str]) -> str:
    """Return a table as HTML; one with a single row is shown with one line for each column."""
    n_rows = max(map(len, columns.values()))
    cells = [
        [_cell(value, kinds.get(name)) for value in values[:N_ROWS]]
        for name, values in columns.items()
    ]
    if n_rows == 1:
        facts = [[name, text] for name, (text,) in zip(columns, cells, strict=True)]
        content = table([("", WORD), ("value", NUMBER)], facts)
    else:
        titles = [
            (name, NAME if kinds.get(name) in {"text", "name"} else NUMBER) for name in columns
        ]
        rows = [*zip(*cells, strict=True)]
        content = table(titles, rows, n_rows - len(rows))
    return document([paragraph([(title, "bold")]), content])


def _cell(value: Any, kind: str | None) -> str:
    """Return the text of a value: names as they are, tiny numbers with an exponent."""
    if value is None:
        return "-"
    if isinstance(value, float) and kind != "name":
        return f"{value:.2e}" if 0 < abs(value) < 1e-4 else format_score(value)
    return f"{value:,}" if kind == "integer" else text_of(value)
