"""Read the modules of Infomap (.clu), and partitions of Pajek, which have the same suffix."""

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.core.incidence import Codes, frozen
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.core.spelling import INTEGER
from coverlap.core.wording import shown
from coverlap.files.content import (
    Content,
    concatenate_and_clear,
    memberships_of_pairs,
    number_labels,
    sort_integer_ids,
)
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.text.lines import BYTE_ORDER_MARK, Block, read_lines
from coverlap.files.text.split import (
    Fields,
    byte_classes,
    check_counts,
    select_columns,
    split_lines,
)
from coverlap.files.text.tokens import Labels

START = 1 << 16
"""Number of bytes to search for the first line that is not a comment."""

COLUMNS = {
    "node": "node", "node_id": "node", "module": "module", "cluster": "module",
    "state_id": "state", "state_node": "state", "layer": "layer", "layer_id": "layer",
    "flow": "flow", "path": "path", "name": "name",
}  # fmt: skip
"""The meaning of columns, by the names that versions of Infomap give them."""

UNNAMED_COLUMNS = {2: ["node", "module"], 3: ["node", "module", "flow"]}
"""The columns of a file that does not name them, by their number."""

NODE = re.compile(r"[nf]?(0|[1-9][0-9]*)")
"""A node; old versions of Infomap write n or f before the nodes of a bipartite network."""

VERTICES = re.compile(r"\s*\*vertices\s+([0-9]{1,18})\s*", re.IGNORECASE)


class FileStart(NamedTuple):
    """The columns named by the comments of a file, if any, and the first line after them."""

    columns: list[str] | None
    text: str
    line: int


def read(source: Source, options: ReadOptions) -> Content:
    """Read a node and its module from each line; objects are the nodes.

    A state network has a line for each state of a node, so a node may be in several modules. A
    comment at the start of the file names the columns. A file that begins with ``*Vertices n`` is
    a partition of Pajek: line i holds the cluster of object i, starting from 1.
    """
    start = peek_start(source)
    vertices = VERTICES.fullmatch(start.text)
    if vertices:
        return _read_partition(source, options, start.line, int(vertices[1]))
    n_fields = len(start.text.split())
    columns = start.columns or UNNAMED_COLUMNS.get(n_fields or 2, [])
    if "module" not in columns:
        raise InputError(
            f"{source}, line {start.line}: {n_fields} fields, and no comment before them says "
            "which hold the nodes and the modules, such as '# node_id module flow'"
        )
    fields = (_nodes_and_modules(source, block, columns) for block in read_lines(source))
    lines = "state of a node" if "state" in columns else "node"
    return content_of_modules(source, options, fields, f"Infomap's modules, one {lines} per line")


def peek_start(source: Source) -> FileStart:
    """Return how a file begins, without consuming it."""
    text = source.peek(START).removeprefix(BYTE_ORDER_MARK).decode("utf-8", "replace")
    columns = None
    for line, content in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        if content.strip() and not content.startswith("#"):
            return FileStart(columns, content, line)
        names = [COLUMNS.get(name, "") for name in content.strip("#: \t").split()]
        if "node" in names and all(names):
            columns = names
    return FileStart(columns, "", 1)


def _nodes_and_modules(source: Source, block: Block, columns: list[str]) -> Fields:
    """Cut lines into fields, of which only nodes and modules are kept; skip blank lines."""
    tokens = split_lines(block, byte_classes(None), ord("#"))
    check_counts(source, tokens, len(columns))
    return select_columns(tokens, len(columns), [columns.index("node"), columns.index("module")])


def content_of_modules(
    source: Source, options: ReadOptions, blocks: Iterable[Fields], title: str
) -> Content:
    """Return the clustering of nodes in the first column, and modules in the second."""
    nodes, modules = Labels(source, _node_problem), Labels(source, _module_problem)
    places: list[NDArray[np.int32]] = []
    numbers: list[NDArray[np.int32]] = []
    for data, begins, ends, lines in blocks:
        places.append(nodes.number(data, begins[:, 0], ends[:, 0], lines))
        numbers.append(modules.number(data, begins[:, 1], ends[:, 1], lines))
    if len(nodes.tokens) == 0:
        raise InputError(f"{source}, line 1: no line has a node")
    objects = concatenate_and_clear(places)
    ids = sort_integer_ids(nodes.tokens.values(), objects)
    rank, names, met = number_labels(modules.tokens.labels(), options, f"{source}: modules")
    parts = memberships_of_pairs(objects, rank[concatenate_and_clear(numbers)], ids, names)
    return Content(parts, title, outlier_labels=met)


def _read_partition(source: Source, options: ReadOptions, line: int, n_vertices: int) -> Content:
    labels = Labels(source, _module_problem)
    blocks: list[NDArray[np.int32]] = []
    n_parts = 0
    for block in read_lines(source):
        tokens = split_lines(block, byte_classes(""), ord("*"))
        n_parts += tokens.n_comments
        lines = tokens.lines[tokens.counts() > 0]
        blocks.append(labels.number(tokens.data, tokens.begins, tokens.ends, lines))
    numbers = concatenate_and_clear(blocks)
    if len(numbers) != n_vertices or n_parts != 1:
        raise InputError(
            f"{source}, line {line}: {n_vertices:,} vertices are announced, but "
            f"{len(numbers):,} follow, in {n_parts} parts"
        )
    rank, names, met = number_labels(labels.tokens.labels(), options, f"{source}: clusters")
    objects = Objects(n_vertices, np.arange(1, n_vertices + 1), "id")
    parts = Memberships(Codes(frozen(rank[numbers]), len(names)), objects, names)
    return Content(parts, "a partition of Pajek, one vertex per line", outlier_labels=met)


def _node_problem(token: str) -> str:
    return "" if NODE.fullmatch(token) else f"{shown(token)} is no node: nodes are numbers"


def _module_problem(token: str) -> str:
    return "" if INTEGER.fullmatch(token) else f"{shown(token)} is no module: modules are numbers"
