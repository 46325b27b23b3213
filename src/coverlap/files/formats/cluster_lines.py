"""One cluster per line: SNAP's communities, and the cluster-node lists of many programs."""

import re
from functools import partial
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.errors import InputError
from coverlap.core.incidence import Runs, frozen, runs_of_pairs, turned
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.files.options import (
    Content,
    Reading,
    counted,
    drop_outlier_cluster,
    joined,
    sorted_ids,
)
from coverlap.files.source import Source
from coverlap.files.text.cutting import (
    Tokens,
    byte_classes,
    cut_lines,
    refuse_header,
    refuse_signs,
)
from coverlap.files.text.lines import Block, first_line, read_lines
from coverlap.files.text.tokens import Dictionary
from coverlap.files.writing import (
    Writing,
    lists,
    refuse_false_header,
    refuse_outliers,
    would_be_cut,
)

HEADER = re.compile(r"#\s*clusters\s*:\s*(\d{1,18})?\b.*", re.IGNORECASE)
"""How a cluster-node list may begin: '# Clusters: 12, Nodes: 34, Fuzzy: 0, Numbered: 0'."""

FUZZY = re.compile(r".*fuzzy\s*:\s*[1-9]", re.IGNORECASE)

TITLE = "one cluster per line"


def read(source: Source, reading: Reading) -> Content:
    """Read a cluster from each line. Lines that begin with '#' are comments.

    A number and '>' in front of a line is the cluster's name. Where the header of a cluster-node
    list says that it is fuzzy, the share after a member's colon is left out.
    """
    header = first_line(source)
    blocks = read_lines(source)
    has_shares = bool(HEADER.fullmatch(header) and FUZZY.match(header))
    classes = byte_classes(reading.delimiter)
    objects = Dictionary()
    members: list[NDArray[np.int32]] = []
    sizes: list[NDArray[np.int64]] = []
    names: list[NDArray[np.int64]] = []
    lines: list[NDArray[np.int64]] = []
    n_comments = 0
    numbered: bool | None = None
    for block in blocks:
        if reading.delimiter is None:
            refuse_signs(source, block, ",;")
        tokens = cut_lines(block, classes, ord("#"))
        n_comments += tokens.n_comments
        numbers, numbered = _line_numbers(source, block, tokens, numbered)
        names.append(numbers)
        lines.append(tokens.lines)
        if numbered:
            tokens = _without_first(tokens)
        if has_shares:
            _kernels.text.cut_shares(tokens.data, tokens.begins, tokens.ends)
        members.append(objects.number(tokens.data, tokens.begins, tokens.ends))
        sizes.append(tokens.counts())
    if numbered:
        _refuse_repeated(source, np.concatenate(names), np.concatenate(lines))
    n_first = next((int(size) for block in sizes for size in block if size), 0)
    refuse_header(source, objects, n_first, n_comments + 1)
    _check_header(source, header, sizes)
    values = objects.values()
    del objects  # larger than what is known by now
    parts = _parts(values, members, sizes, np.concatenate(names) if numbered else None)
    notes = counted(n_comments, "comment line", "skipped")
    return Content(drop_outlier_cluster(parts, reading.outlier_cluster), TITLE, notes=notes)


def _check_header(source: Source, header: str, sizes: list[NDArray[np.int64]]) -> None:
    """Refuse a file of fewer clusters than its header says: most likely its end is missing."""
    n_clusters = sum(int(np.count_nonzero(block)) for block in sizes)
    said = HEADER.fullmatch(header)
    if said and int(said[1] or 0) > n_clusters:
        raise InputError(
            f"{source}, line 1: the header says {int(said[1]):,} clusters, but there are "
            f"{n_clusters:,}"
        )


def _parts(
    values: NDArray[Any],
    members: list[NDArray[np.int32]],
    sizes: list[NDArray[np.int64]],
    names: NDArray[np.int64] | None,
) -> Memberships:
    places = joined(members)
    ids = sorted_ids(values, places)
    ends = np.cumsum(np.concatenate(sizes))
    n_clusters = int(np.searchsorted(ends, len(places))) + 1 if len(places) else 0
    pointers = np.concatenate(([0], ends[:n_clusters]))  # blank lines at the end are no clusters
    known = Objects(len(ids), ids, "id")
    if names is None:
        by_object = turned(Runs(frozen(pointers), frozen(places)), len(ids))
        del places  # as large as what is made of it
        return Memberships(turned(by_object, n_clusters), known)
    order = np.argsort(names[:n_clusters], kind="stable")
    rank = np.empty(n_clusters, np.int32)
    rank[order] = np.arange(n_clusters)
    numbers = np.repeat(rank, np.diff(pointers))
    return Memberships(runs_of_pairs(places, numbers, len(ids), n_clusters), known, names[order])


def _line_numbers(
    source: Source, block: Block, tokens: Tokens, expected: bool | None
) -> tuple[NDArray[np.int64], bool | None]:
    """Read the numbers in front of lines ('7>'): of all lines that are not blank, or of none.

    Returns them, -1 where there is none, and whether lines have numbers, if that is known.
    """
    counts = tokens.counts()
    numbers = np.full(len(counts), -1)
    if not expected and b">" not in block.data:
        return numbers, False if len(tokens.begins) else expected
    filled = np.flatnonzero(counts)
    firsts = tokens.line_ends[filled] - counts[filled]
    begins, ends = tokens.begins[firsts], tokens.ends[firsts]
    numbered = (tokens.data[ends - 1] == ord(">")) & (ends - begins > 1)
    for i in np.flatnonzero(numbered).tolist():
        digits = tokens.data[begins[i] : ends[i] - 1].tobytes()
        numbered[i] = digits.isdigit() and len(digits) <= 18
        numbers[filled[i]] = int(digits) if numbered[i] else -1
    if len(filled) == 0:
        return numbers, expected
    wrong = numbered != (numbered[0] if expected is None else expected)
    if wrong.any():
        raise InputError(
            f"{source}, line {tokens.lines[filled[np.argmax(wrong)]]}: some lines begin with a "
            "cluster's number and '>', and some do not"
        )
    return numbers, bool(numbered[0])


def _refuse_repeated(source: Source, names: NDArray[np.int64], lines: NDArray[np.int64]) -> None:
    """Refuse a cluster's number that is there twice."""
    order = np.argsort(names, kind="stable")
    again = order[1:][(np.diff(names[order]) == 0) & (names[order[1:]] >= 0)]
    if len(again):
        at = again.min()
        raise InputError(f"{source}, line {lines[at]}: cluster {names[at]} is there twice")


def _without_first(tokens: Tokens) -> Tokens:
    """Leave out the first token of each line that has one."""
    counts = tokens.counts()
    filled = counts > 0
    keep = np.ones(len(tokens.begins), bool)
    keep[(tokens.line_ends - counts)[filled]] = False
    line_ends = np.cumsum(counts - filled)
    return tokens._replace(begins=tokens.begins[keep], ends=tokens.ends[keep], line_ends=line_ends)


def write(clustering: Memberships, file: BinaryIO, writing: Writing) -> None:
    """Write the members of each cluster on a line; names of clusters are not kept."""
    text = lists(clustering, "cluster-lines", partial(_is_cut, writing.delimiter), named=False)
    refuse_outliers(text, "cluster-lines")
    if not text.members:
        raise InputError("no clusters, and cluster-lines has nothing to write for that")
    first = [text.objects[member] for member in text.rows()[0]]
    refuse_false_header(first, text.objects, "cluster-lines")
    for row in text.rows():
        line = (writing.delimiter or "\t").join([text.objects[member] for member in row])
        file.write(f"{line}\n".encode())


def _is_cut(delimiter: str | None, token: str) -> bool:
    """Tell whether a token would not be read as it was written."""
    return (
        would_be_cut(token, delimiter)
        or token.startswith("#")
        or (token.endswith(">") and token[:-1].isdigit())
        or (delimiter is None and ("," in token or ";" in token))
    )
