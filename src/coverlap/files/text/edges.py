"""Edges of a graph: two vertices on each line, and perhaps a weight."""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.core.texts import Ids
from coverlap.files.source import Source
from coverlap.files.text.lines import first_line, read_lines
from coverlap.files.text.split import (
    Fields,
    Tokens,
    byte_classes,
    check_counts,
    delimiter_of_name,
    select_columns,
    split_lines,
)
from coverlap.files.text.tokens import FileTokens, reject_header

COLUMN_PAIRS = (("source", "target"), ("from", "to"), ("src", "dst"), ("node1", "node2"))
"""Names of the two columns of vertices in a table of edges."""

COLUMNS = frozenset({*chain.from_iterable(COLUMN_PAIRS), "node", "id"})
"""Names of columns that are never ids."""


class EdgeList(NamedTuple):
    """Distinct vertices in order of appearance, and the positions of the two ends of each edge."""

    vertices: Ids
    ends: NDArray[np.int32]


def read_edges(source: Source) -> EdgeList:
    """Read two vertices from each line; a weight after them is ignored."""
    vertices = FileTokens()
    blocks: list[NDArray[np.int32]] = [np.empty((0, 2), np.int32)]
    first = 0
    for fields in edge_fields(source):
        blocks.append(number_ends(vertices, fields))
        first = first or int(fields.lines[0])
    reject_header(source, vertices, min(2, len(vertices)), first)
    return EdgeList(vertices.values(), np.concatenate(blocks))


def number_ends(vertices: FileTokens, fields: Fields) -> NDArray[np.int32]:
    """Return the numbers of the two vertices of each row."""
    begins, ends = fields.begins[:, :2], fields.ends[:, :2]
    return vertices.number(fields.data, begins.ravel(), ends.ravel()).reshape(-1, 2)


def edge_fields(source: Source) -> Iterator[Fields]:
    """Yield the fields of a file without its header; the first two of each line are vertices.

    Lines that begin with '#' are comments, or with '%' if the first line does.
    """
    if first_line(source).startswith("%%MatrixMarket"):
        raise InputError(f"{source}, line 1: a matrix; read it by scipy.io.mmread and pass that")
    columns: list[int] = []
    for tokens, n_fields, line in tokens_of_ids(source):
        if n_fields == 1:
            raise InputError(f"{source}, line {line}: one field, but an edge has two ends")
        has_header = False
        if not columns:
            names = _first_row(select_columns(tokens, n_fields, range(n_fields)))
            named = _columns_of_header(source, names)
            columns = named or list(range(n_fields))
            has_header = bool(named) or are_columns(names[:2])
        fields = select_columns(tokens, n_fields, columns)
        if has_header:
            fields = Fields(fields.data, fields.begins[1:], fields.ends[1:], fields.lines[1:])
        if len(fields.lines):
            yield fields


def tokens_of_ids(source: Source) -> Iterator[tuple[Tokens, int, int]]:
    """Split a file of ids or edges; yield tokens, their number per line, and the first line."""
    delimiter = delimiter_of_name(source.name)
    classes = byte_classes(delimiter)
    comment = ord("%" if first_line(source).startswith("%") else "#")
    n_fields, first = 0, 0
    for block in read_lines(source):
        tokens = split_lines(block, classes, comment)
        if delimiter:
            _reject_quotes(source, tokens)
        if not n_fields:
            n_fields, first = _count_fields(source, tokens)
        check_counts(source, tokens, n_fields)
        if len(tokens.begins):
            yield tokens, n_fields, first
    if not n_fields:
        raise InputError(f"{source}, line 1: there are only comments, and no ids")


def are_columns(names: list[str]) -> bool:
    """Return whether all names are names of columns and not ids."""
    return COLUMNS.issuperset(name.lower() for name in names)


def _first_row(fields: Fields) -> list[str]:
    first = zip(fields.begins[0].tolist(), fields.ends[0].tolist(), strict=True)
    return [fields.data[begin:end].tobytes().decode() for begin, end in first]


def _columns_of_header(source: Source, names: list[str]) -> list[int]:
    """Return the positions of the two columns of vertices, then of others; [] if not named."""
    lower = [name.lower() for name in names]
    if {"object", "cluster"} <= set(lower):
        raise InputError(f"{source}: object and cluster are the columns of a clustering, not edges")
    for pair in COLUMN_PAIRS:
        if set(pair) <= set(lower):
            ends = [lower.index(name) for name in pair]
            return ends + [i for i in range(len(names)) if i not in ends]
    return []


def _reject_quotes(source: Source, tokens: Tokens) -> None:
    """Reject quotes in a table, since they would become part of the ids."""
    quoted = tokens.data[tokens.begins] == ord('"')
    if quoted.any():
        line = tokens.lines[np.searchsorted(tokens.line_ends, np.argmax(quoted), side="right")]
        raise InputError(f"{source}, line {line}: ids of a universe or a graph cannot be in quotes")


def _count_fields(source: Source, tokens: Tokens) -> tuple[int, int]:
    """Return the number of fields on the first line that is not blank, and its line number."""
    counts = tokens.counts()
    is_filled = counts > 0
    if not is_filled.any():
        return 0, 0
    n_fields, line = int(counts[is_filled][0]), int(tokens.lines[is_filled][0])
    if n_fields > 3:
        raise InputError(
            f"{source}, line {line}: {n_fields} fields; a file of ids has one on each line, and "
            "one of a graph's edges has two and perhaps a weight"
        )
    return n_fields, line
