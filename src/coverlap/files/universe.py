"""The ids of a universe: one a line, or the vertices of a graph."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.errors import InputError
from coverlap.files.cutting import Tokens, byte_classes, check_counts, cut_lines, refuse_header
from coverlap.files.lines import first_line, read_lines
from coverlap.files.pairs import delimiter_of_name
from coverlap.files.source import Source
from coverlap.files.tokens import Dictionary

COLUMNS = frozenset(
    {"source", "target", "from", "to", "src", "dst", "node", "node1", "node2", "id"}
)
"""What the columns of a table of edges are called."""


def read_universe(source: Source) -> NDArray[Any]:
    """Read ids: one on each line, or two and perhaps a weight, as a graph's edges are written.

    Lines that begin with '#' are comments, or with '%' if the first line does.
    """
    delimiter = delimiter_of_name(source.name)
    classes = byte_classes(delimiter)
    comment = ord("%" if first_line(source).startswith("%") else "#")
    ids = Dictionary()
    n_fields, first = 0, 0
    for block in read_lines(source):
        tokens = cut_lines(block, classes, comment)
        if delimiter:
            _refuse_quotes(source, tokens)
        if not n_fields:
            n_fields, first = _n_fields(source, tokens)
        check_counts(source, tokens, n_fields)
        wanted = np.arange(len(tokens.begins)) % max(n_fields, 1) < 2
        ids.number(tokens.data, tokens.begins[wanted], tokens.ends[wanted])
    if not n_fields:
        raise InputError(f"{source}, line 1: there are only comments, and no ids")
    _refuse_header(source, ids, n_fields, first)
    return ids.values()


def _refuse_quotes(source: Source, tokens: Tokens) -> None:
    """Refuse quotes in a table: they would be taken for a part of the ids."""
    quoted = tokens.data[tokens.begins] == ord('"')
    if quoted.any():
        line = tokens.lines[np.searchsorted(tokens.line_ends, np.argmax(quoted), side="right")]
        raise InputError(f"{source}, line {line}: ids of a universe cannot be in quotes")


def _n_fields(source: Source, tokens: Tokens) -> tuple[int, int]:
    """Return the number of fields on the first line that has any, and which line that is."""
    counts = tokens.counts()
    filled = counts > 0
    if not filled.any():
        return 0, 0
    n_fields, line = int(counts[filled][0]), int(tokens.lines[filled][0])
    if n_fields > 3:
        raise InputError(
            f"{source}, line {line}: {n_fields} fields; a file of ids has one on each line, and "
            "one of a graph's edges has two and perhaps a weight"
        )
    return n_fields, line


def _refuse_header(source: Source, ids: Dictionary, n_fields: int, line: int) -> None:
    """Refuse a first line of text where only integers follow, or that names a column of ours."""
    texts = ids.texts()
    if texts.get(0) == "object":
        raise InputError(f"{source}, line {line}: 'object' is the name of a column, and no id")
    n_first = 1 if n_fields == 1 else 2
    refuse_header(source, ids, min(n_first, len(ids)), line)
    first = [texts.get(number, "").lower() for number in range(n_first)]
    if n_fields > 1 and COLUMNS.issuperset(first):
        raise InputError(f"{source}, line {line}: {' and '.join(first)} are names of columns")
