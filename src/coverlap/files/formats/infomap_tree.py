"""Read the tree of Infomap (.tree, .ftree): the modules of its top level."""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.core.wording import quantity
from coverlap.files.content import Content
from coverlap.files.formats.infomap_clu import FileStart, content_of_modules, peek_start
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.text.lines import Block, read_lines
from coverlap.files.text.split import Fields, Tokens, byte_classes, split_lines

FIRST_COLUMNS = ["path", "flow", "name"]
LINKS = re.compile(rb"^\*", re.MULTILINE)
QUOTE, COLON = b'":'


def read(source: Source, options: ReadOptions) -> Content:
    """Read a node and its path from each line; objects are the nodes.

    Clusters are the modules of the top level, as in the .clu file of the same run: the first
    number of each path. A state network has a line for each state of a node, so a node may be in
    several modules. The links of an .ftree file are ignored.
    """
    columns = _columns_after_name(source, peek_start(source))
    fields = (
        _nodes_and_modules(source, split_lines(block, byte_classes(None), ord("#")), columns)
        for block in _before_links(read_lines(source))
    )
    lines = "state of a node" if "state" in columns else "node"
    title = f"the top modules of Infomap's tree, one {lines} per line"
    return content_of_modules(source, options, fields, title)


def _columns_after_name(source: Source, start: FileStart) -> list[str]:
    if start.columns and start.columns[:3] == FIRST_COLUMNS:
        return start.columns[3:]
    if not start.text or len(start.text.rpartition('"')[2].split()) == 1:
        return ["node"]
    raise InputError(
        f"{source}, line {start.line}: no node alone behind the name, and no comment before it "
        "names the columns, such as '# path flow name node_id'"
    )


def _before_links(blocks: Iterator[Block]) -> Iterator[Block]:
    """Yield the lines before the first that begins with '*', but read the file to its end."""
    links = None
    for block in blocks:
        if links is None:
            links = LINKS.search(block.data)
            yield Block(block.data[: links.start()], block.line) if links else block


def _nodes_and_modules(source: Source, tokens: Tokens, columns: list[str]) -> Fields:
    """Return the node of each line, and the first number of its path."""
    counts = tokens.counts()
    ends = tokens.line_ends[counts > 0]
    firsts = ends - counts[counts > 0]
    lines = tokens.lines[counts > 0]
    has_name = _has_name(tokens, firsts + 2, ends - len(columns))
    if not has_name.all():
        example = "1:2 0.025 " + '"name"' + " 7" * len(columns)
        raise InputError(
            f"{source}, line {lines[np.argmin(has_name)]}: not a path, a flow, a name in quotes "
            f"and {quantity(len(columns), 'number')}, such as {example}"
        )
    nodes = ends - len(columns) + columns.index("node")
    paths = tokens.begins[firsts]
    colons = np.append(np.flatnonzero(tokens.data == COLON), len(tokens.data))
    path_ends = np.minimum(colons[np.searchsorted(colons, paths)], tokens.ends[firsts])
    return Fields(
        tokens.data,
        np.column_stack((tokens.begins[nodes], paths)),
        np.column_stack((tokens.ends[nodes], path_ends)),
        lines,
    )


def _has_name(
    tokens: Tokens, firsts: NDArray[np.int64], stops: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return whether the tokens of each range form a name in quotes, with anything inside."""
    is_name = firsts < stops
    begins = tokens.begins[np.where(is_name, firsts, 0)]
    ends = tokens.ends[np.where(is_name, stops - 1, 0)]
    is_quoted = (tokens.data[begins] == QUOTE) & (tokens.data[ends - 1] == QUOTE)
    is_name &= is_quoted & (ends - begins > 1)
    return is_name
