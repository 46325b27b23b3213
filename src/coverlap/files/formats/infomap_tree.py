"""Infomap's tree (.tree): the modules of its top level."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.files.content import Content
from coverlap.files.formats.infomap import Modules, Start, read_start
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.text.lines import Block, read_lines
from coverlap.files.text.split import Fields, Tokens, byte_classes, split_lines

TITLE = "the top modules of Infomap's tree, one node per line"
STATES = "the top modules of Infomap's tree, one state of a node per line"

FRONT = ["path", "flow", "name"]
LINKS = re.compile(rb"^\*", re.MULTILINE)
QUOTE, COLON = b'":'


class Words(NamedTuple):
    """The first and the last word of each line that has any, and the number of the line."""

    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    lines: NDArray[np.int64]


def read(source: Source, options: ReadOptions) -> Content:
    """Read a node and its path from each line; objects are the nodes.

    Clusters are the modules of the top level, so that they agree with the .clu file of the same
    run: the first number of the path. A state network has a line for each state of a node, so a
    node may be in several modules. The links of an .ftree file mean nothing here.
    """
    behind = _columns_behind(source, read_start(source))
    classes = byte_classes(None)
    modules = Modules(source)
    for block in _without_links(read_lines(source)):
        tokens = split_lines(block, classes, ord("#"))
        modules.add(_fields(source, tokens, behind))
    return modules.content(options, STATES if "state" in behind else TITLE)


def _columns_behind(source: Source, start: Start) -> list[str]:
    """Name the columns behind the name of a node."""
    if start.columns and start.columns[:3] == FRONT:
        return start.columns[3:]
    if not start.first or len(start.first.rpartition('"')[2].split()) == 1:
        return ["node"]
    raise InputError(
        f"{source}, line {start.line}: no node alone behind the name, and no comment before it "
        "names the columns, such as '# path flow name node_id'"
    )


def _without_links(blocks: Iterator[Block]) -> Iterator[Block]:
    """Yield the lines before the first that begins with '*'; read the others to their end."""
    links = None
    for block in blocks:
        if links is None:
            links = LINKS.search(block.data)
            yield Block(block.data[: links.start()], block.line) if links else block


def _fields(source: Source, tokens: Tokens, behind: list[str]) -> Fields:
    """Keep the node of each line and the first number of its path."""
    counts = tokens.counts()
    filled = counts > 0
    lasts = tokens.line_ends[filled] - 1
    words = Words(lasts - counts[filled] + 1, lasts, tokens.lines[filled])
    _check_names(source, tokens, words, len(behind))
    nodes = lasts - len(behind) + 1 + behind.index("node")
    paths = tokens.begins[words.firsts]
    colons = np.append(np.flatnonzero(tokens.data == COLON), len(tokens.data))
    ends = np.minimum(colons[np.searchsorted(colons, paths)], tokens.ends[words.firsts])
    return Fields(
        tokens.data,
        np.column_stack((tokens.begins[nodes], paths)),
        np.column_stack((tokens.ends[nodes], ends)),
        words.lines,
    )


def _check_names(source: Source, tokens: Tokens, words: Words, n_behind: int) -> None:
    """Refuse lines whose name is not in quotes; there may be spaces and quotes inside."""
    good = words.lasts - words.firsts >= len(FRONT) + n_behind - 1
    begins = tokens.begins[np.where(good, words.firsts + 2, 0)]
    ends = tokens.ends[np.where(good, words.lasts - n_behind, 0)]
    good &= (tokens.data[begins] == QUOTE) & (tokens.data[ends - 1] == QUOTE) & (ends - begins > 1)
    if not good.all():
        line = words.lines[np.argmin(good)]
        example = "1:2 0.025 " + '"name"' + " 7" * n_behind
        raise InputError(
            f"{source}, line {line}: not a path, a flow, a name in quotes and {n_behind} "
            f"number{'' if n_behind == 1 else 's'}, such as {example}"
        )
