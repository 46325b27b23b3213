"""What Infomap's files have in common: a comment that names the columns, nodes and modules."""

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
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
from coverlap.files.text.lines import BYTE_ORDER_MARK
from coverlap.files.text.split import Fields
from coverlap.files.text.tokens import INTEGER, Labels

HEAD = 1 << 16
"""Bytes in which the first line that is no comment is looked for."""

NAMES = {
    "node": "node", "node_id": "node", "module": "module", "cluster": "module",
    "state_id": "state", "state_node": "state", "layer": "layer", "layer_id": "layer",
    "flow": "flow", "path": "path", "name": "name",
}  # fmt: skip
"""What the columns are called, by the names that versions of Infomap gave them."""

NODE = re.compile(r"[nf]?(0|[1-9][0-9]*)")
"""A node; older versions write n and f in front of the two kinds of a bipartite network."""


class Start(NamedTuple):
    """How a file begins: the names of its columns, if given, and the first line of its own."""

    columns: list[str] | None
    first: str
    line: int


def read_start(source: Source) -> Start:
    """Look at the comments in front, and at the line after them."""
    text = source.peek(HEAD).removeprefix(BYTE_ORDER_MARK).decode("utf-8", "replace")
    columns = None
    for line, content in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        if content.strip() and not content.startswith("#"):
            return Start(columns, content, line)
        names = [NAMES.get(name) for name in content.strip("#: \t").split()]
        known = [name for name in names if name is not None]
        if "node" in known and len(known) == len(names):
            columns = known
    return Start(columns, "", 1)


class Modules:
    """Nodes and their modules, a block of lines at a time."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._nodes = Labels(source, _not_a_node)
        self._modules = Labels(source, not_a_module)
        self._places: list[NDArray[np.int32]] = []
        self._numbers: list[NDArray[np.int32]] = []

    def add(self, fields: Fields) -> None:
        """Add the nodes of the first column, each in the module of the second."""
        data, (nodes, modules), (node_ends, module_ends), lines = (
            fields.data, fields.begins.T, fields.ends.T, fields.lines
        )  # fmt: skip
        self._places.append(self._nodes.number(data, nodes, node_ends, lines))
        self._numbers.append(self._modules.number(data, modules, module_ends, lines))

    def content(self, options: ReadOptions, title: str) -> Content:
        """Make a clustering of all that was added."""
        if len(self._nodes.tokens) == 0:
            raise InputError(f"{self._source}, line 1: no line has a node")
        places = concatenate_and_clear(self._places)
        ids = sort_integer_ids(self._nodes.tokens.values(), places)
        labels = self._modules.tokens.labels()
        rank, names, met = number_labels(labels, options, f"{self._source}: modules")
        parts = memberships_of_pairs(places, rank[concatenate_and_clear(self._numbers)], ids, names)
        return Content(parts, title, outlier_labels=met)


def _not_a_node(token: str) -> str:
    return "" if NODE.fullmatch(token) else f"{shown(token)} is no node: nodes are numbers"


def not_a_module(token: str) -> str:
    """Say what is wrong with the number of a module."""
    return "" if INTEGER.fullmatch(token) else f"{shown(token)} is no module: modules are numbers"
