"""Infomap's modules (.clu), and the partitions of Pajek that have the same suffix."""

import re

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.core.incidence import Codes, frozen
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.files.content import Content, number_labels
from coverlap.files.formats.infomap import Modules, Start, not_a_module, read_start
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.text.lines import Block, read_lines
from coverlap.files.text.split import (
    Fields,
    byte_classes,
    check_counts,
    select_columns,
    split_lines,
)
from coverlap.files.text.tokens import Labels

TITLE = "Infomap's modules, one node per line"
STATES = "Infomap's modules, one state of a node per line"
PARTITION = "a partition of Pajek, one vertex per line"

VERTICES = re.compile(r"\s*\*vertices\s+([0-9]{1,18})\s*", re.IGNORECASE)

WITHOUT_COMMENT = {2: ["node", "module"], 3: ["node", "module", "flow"]}
"""The columns of a file that does not name them, by their number."""


def read(source: Source, options: ReadOptions) -> Content:
    """Read a node and its module from each line; objects are the nodes.

    A state network has a line for each state of a node, so a node may be in several modules. The
    comment in front says in which columns they are. A file that begins with ``*Vertices n`` is a
    partition as Pajek writes it: line i is the cluster of object i, from 1 on.
    """
    start = read_start(source)
    vertices = VERTICES.fullmatch(start.first)
    if vertices:
        return _read_partition(source, options, start, int(vertices[1]))
    columns = _columns(source, start)
    modules = Modules(source)
    for block in read_lines(source):
        modules.add(_cut(source, block, columns))
    return modules.content(options, STATES if "state" in columns else TITLE)


def _columns(source: Source, start: Start) -> list[str]:
    n_fields = len(start.first.split())
    columns = start.columns or WITHOUT_COMMENT.get(n_fields or 2)
    if columns and "module" in columns:
        return columns
    raise InputError(
        f"{source}, line {start.line}: {n_fields} fields, and no comment before them says which "
        "hold the nodes and the modules, such as '# node_id module flow'"
    )


def _cut(source: Source, block: Block, columns: list[str]) -> Fields:
    """Cut lines into fields, and keep those of nodes and modules; blank lines mean nothing."""
    tokens = split_lines(block, byte_classes(None), ord("#"))
    check_counts(source, tokens, len(columns))
    return select_columns(tokens, len(columns), [columns.index("node"), columns.index("module")])


def _read_partition(source: Source, options: ReadOptions, start: Start, n_vertices: int) -> Content:
    labels = Labels(source, not_a_module)
    codes: list[NDArray[np.int32]] = []
    n_starred = 0
    for block in read_lines(source):
        tokens = split_lines(block, byte_classes(""), ord("*"))
        n_starred += tokens.n_comments
        lines = tokens.lines[tokens.counts() > 0]
        codes.append(labels.number(tokens.data, tokens.begins, tokens.ends, lines))
    numbers = np.concatenate(codes)
    if len(numbers) != n_vertices or n_starred != 1:
        raise InputError(
            f"{source}, line {start.line}: {n_vertices:,} vertices are announced, but "
            f"{len(numbers):,} follow, in {n_starred} parts"
        )
    values = labels.tokens.labels()
    rank, names, met = number_labels(values, options, f"{source}: clusters")
    objects = Objects(n_vertices, np.arange(1, n_vertices + 1), "id")
    parts = Memberships(Codes(frozen(rank[numbers]), len(names)), objects, names)
    return Content(parts, PARTITION, outlier_labels=met)
