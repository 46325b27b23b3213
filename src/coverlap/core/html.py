"""Paragraphs and tables as HTML for notebooks: without scripts, on light and dark backgrounds."""

from collections.abc import Iterable, Sequence
from html import escape

from coverlap.core.wording import cut, one_line, quantity

N_ROWS = 20
"""Number of rows to show of a table of many clusters or objects."""

LONGEST_TEXT = 200
"""The middle of the text of a cell is left out if it is longer."""

# Notebooks have styles of their own. That of JupyterLab has rules for cells with the specificity
# (0, 2, 1), so the rules for cells name two classes. The other classes of the division keep MathJax
# from reading names with dollar signs as formulas.
_BEGIN = (
    '<div class="coverlap tex2jax_ignore mathjax_ignore"><style>'
    ".coverlap{color:inherit;max-width:100%;overflow-x:auto}"
    ".coverlap p{margin:.5em 0;overflow-wrap:break-word}"
    ".coverlap table{margin:.5em 0;border-collapse:collapse;table-layout:auto;"
    "font-variant-numeric:tabular-nums}"
    ".coverlap tr{border-bottom:1px solid rgba(128,128,128,.3)}"
    ".coverlap thead tr{border-bottom-color:currentColor}"
    ".coverlap td[class],.coverlap th[class]{padding:.2em .8em;vertical-align:top;text-align:left;"
    "font-weight:normal;white-space:pre-wrap;max-width:20em;overflow-wrap:break-word}"
    ".coverlap th[scope=col]{font-weight:bold}"
    ".coverlap td.word,.coverlap th.word{white-space:pre}"
    ".coverlap td.number,.coverlap th.number{white-space:pre;text-align:right}"
    "</style>"
)
_TAGS = {"bold": "strong", "italic": "em"}


def document(parts: Iterable[str]) -> str:
    """Return paragraphs and tables as one piece of HTML with its style."""
    return f"{_BEGIN}{''.join(parts)}</div>"


def paragraph(pieces: Iterable[str | tuple[str, str]]) -> str:
    """Return pieces of text, some with the style "bold" or "italic", as one paragraph.

    Empty lines around the text are left out, and so is a paragraph without text.

    Examples
    --------
    >>> paragraph([("A & B", "bold"), ": 2 objects"])
    '<p><strong>A &amp; B</strong>: 2 objects</p>'
    """
    inside = "".join(map(_inline, pieces)).strip("\n").replace("\n", "<br>")
    return f"<p>{inside}</p>" if inside else ""


def table(
    columns: Sequence[tuple[str, str]],
    rows: Sequence[Sequence[str]],
    more_rows: int = 0,
    more_columns: int = 0,
) -> str:
    """Return a table whose rows begin with their header.

    Parameters
    ----------
    columns : sequence of (str, str)
        The title of each column and its kind: "word" (never broken), "name" or "text" (broken if
        they are long), or "number" (aligned to the right).
    rows : sequence of sequences of str
        The text of every cell.
    more_rows, more_columns : int
        Numbers of further rows and columns, which are not shown.
    """
    titles, kinds = zip(*columns, strict=True)
    header = _row(titles, kinds, ["col"] * len(kinds))
    scopes = ["row", *[""] * (len(kinds) - 1)]
    body = "".join(_row(row, kinds, scopes) for row in rows)
    left_out = {"more row": more_rows, "more column": more_columns}
    more = " and ".join(quantity(number, noun) for noun, number in left_out.items() if number)
    return f"<table><thead>{header}</thead><tbody>{body}</tbody></table>" + (
        paragraph([f"… {more}"]) if more else ""
    )


def _row(texts: Sequence[str], kinds: Sequence[str], scopes: Sequence[str]) -> str:
    return f"<tr>{''.join(map(_cell, texts, kinds, scopes))}</tr>"


def _cell(text: str, kind: str, scope: str) -> str:
    """Return a cell, which is a header if it has a scope and a text."""
    name, attribute = ("th", f' scope="{scope}"') if scope and text else ("td", "")
    return f'<{name} class="{kind}"{attribute}>{escape(one_line(cut(text, LONGEST_TEXT)))}</{name}>'


def _inline(piece: str | tuple[str, str]) -> str:
    """Return a piece of a paragraph with its lines separated by newlines."""
    text, style = (piece, "") if isinstance(piece, str) else piece
    tag = _TAGS.get(style)
    lines = (text.strip("\n") if tag else text).split("\n")
    inside = "\n".join(escape(one_line(line)) for line in lines)
    return f"<{tag}>{inside}</{tag}>" if tag else inside
