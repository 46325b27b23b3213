"""The edges of a graph: two vertices on each line, and perhaps a weight."""

from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.files.formats.pairs import delimiter_of_name
from coverlap.files.source import Source
from coverlap.files.text.cutting import (
    Fields,
    Tokens,
    byte_classes,
    check_counts,
    columns_of,
    cut_lines,
    refuse_header,
)
from coverlap.files.text.lines import first_line, read_lines
from coverlap.files.text.tokens import Dictionary

COLUMN_PAIRS = (("source", "target"), ("from", "to"), ("src", "dst"), ("node1", "node2"))
"""What the columns of a table of edges are called."""

COLUMNS = frozenset({*chain.from_iterable(COLUMN_PAIRS), "node", "id"})
"""What is the name of a column, and no id."""


class EdgeList(NamedTuple):
    """Distinct vertices as they appeared, and the places of the two ends of each edge."""

    vertices: NDArray[Any]
    ends: NDArray[np.int32]


def read_edges(source: Source) -> EdgeList:
    """Read two vertices from each line; a weight after them means nothing."""
    vertices = Dictionary()
    blocks: list[NDArray[np.int32]] = [np.empty(0, np.int32)]
    first = 0
    for data, begins, ends, lines in edge_fields(source):
        blocks.append(vertices.number(data, begins[:, :2].ravel(), ends[:, :2].ravel()))
        first = first or int(lines[0])
    refuse_header(source, vertices, min(2, len(vertices)), first)
    return EdgeList(vertices.values(), np.concatenate(blocks).reshape(-1, 2))


def edge_fields(source: Source) -> Iterator[Fields]:
    """Cut a file into fields, the first two of each line vertices; a header is left out.

    Lines that begin with '#' are comments, or with '%' if the first line does.
    """
    if first_line(source).startswith("%%MatrixMarket"):
        raise InputError(f"{source}, line 1: a matrix; read it by scipy.io.mmread and pass that")
    columns: list[int] = []
    for tokens, n_fields, line in tokens_of_ids(source):
        if n_fields == 1:
            raise InputError(f"{source}, line {line}: one field, but an edge has two ends")
        fields = columns_of(tokens, n_fields, range(n_fields))
        if not columns:
            columns = _columns(source, _names(fields)) or list(range(n_fields))
            if are_columns(_names(fields)[:2]) or columns != list(range(n_fields)):
                fields = Fields(fields.data, *(part[1:] for part in fields[1:]))
        if len(fields.lines):
            yield fields._replace(begins=fields.begins[:, columns], ends=fields.ends[:, columns])


def tokens_of_ids(source: Source) -> Iterator[tuple[Tokens, int, int]]:
    """Cut a file of ids or edges; yield tokens, the number on each line, and the first line."""
    delimiter = delimiter_of_name(source.name)
    classes = byte_classes(delimiter)
    comment = ord("%" if first_line(source).startswith("%") else "#")
    n_fields, first = 0, 0
    for block in read_lines(source):
        tokens = cut_lines(block, classes, comment)
        if delimiter:
            _refuse_quotes(source, tokens)
        if not n_fields:
            n_fields, first = _n_fields(source, tokens)
        check_counts(source, tokens, n_fields)
        if len(tokens.begins):
            yield tokens, n_fields, first
    if not n_fields:
        raise InputError(f"{source}, line 1: there are only comments, and no ids")


def are_columns(names: list[str]) -> bool:
    """Tell whether names are those of columns, and no ids."""
    return COLUMNS.issuperset(name.lower() for name in names)


def _names(fields: Fields) -> list[str]:
    """Return the fields of the first line."""
    first = zip(fields.begins[0].tolist(), fields.ends[0].tolist(), strict=True)
    return [fields.data[begin:end].tobytes().decode() for begin, end in first]


def _columns(source: Source, names: list[str]) -> list[int]:
    """Find the columns of the ends of edges by their names; those of others follow."""
    called = [name.lower() for name in names]
    if {"object", "cluster"} <= set(called):
        raise InputError(f"{source}: object and cluster are the columns of a clustering, not edges")
    for pair in COLUMN_PAIRS:
        if set(pair) <= set(called):
            ends = [called.index(name) for name in pair]
            return ends + [i for i in range(len(names)) if i not in ends]
    return []


def _refuse_quotes(source: Source, tokens: Tokens) -> None:
    """Refuse quotes in a table: they would be taken for a part of the ids."""
    quoted = tokens.data[tokens.begins] == ord('"')
    if quoted.any():
        line = tokens.lines[np.searchsorted(tokens.line_ends, np.argmax(quoted), side="right")]
        raise InputError(f"{source}, line {line}: ids of a universe or a graph cannot be in quotes")


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
