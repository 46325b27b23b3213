"""One cluster per line: SNAP's communities, and the cluster-node lists of many programs."""

import re
from functools import partial
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.errors import InputError
from coverlap.core.incidence import Runs, frozen, runs_of_pairs, transposed
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.core.texts import Ids
from coverlap.files.content import (
    Content,
    comment_notes,
    concatenate_and_clear,
    drop_outliers,
    sort_integer_ids,
)
from coverlap.files.options import ReadOptions, WriteOptions
from coverlap.files.output import as_text, needs_quotes, reject_false_header
from coverlap.files.source import Source
from coverlap.files.text.lines import first_line, read_lines
from coverlap.files.text.split import Tokens, byte_classes, reject_delimiters, split_lines
from coverlap.files.text.tokens import FileTokens, reject_header
from coverlap.files.text.writing import write_runs

HEADER = re.compile(r"#\s*clusters\s*:\s*(\d{1,18})?\b.*", re.IGNORECASE)
"""First line of a cluster-node list, as in '# Clusters: 12, Nodes: 34, Fuzzy: 0, Numbered: 0'."""

FUZZY = re.compile(r".*fuzzy\s*:\s*[1-9]", re.IGNORECASE)

TITLE = "one cluster per line"
UNNUMBERED = -1


def read(source: Source, options: ReadOptions) -> Content:
    """Read a cluster from each line. Lines that begin with '#' are comments.

    A number and '>' at the beginning of a line is the name of the cluster. If the header of a
    cluster-node list says 'Fuzzy: 1', the colon and the share after each member are ignored.
    """
    header = first_line(source)
    blocks = read_lines(source)
    has_shares = bool(HEADER.fullmatch(header) and FUZZY.match(header))
    classes = byte_classes(options.delimiter)
    objects = FileTokens()
    members: list[NDArray[np.int32]] = []
    sizes: list[NDArray[np.int64]] = []
    names: list[NDArray[np.int64]] = []
    lines: list[NDArray[np.int64]] = []
    n_comments = 0
    for block in blocks:
        if options.delimiter is None:
            reject_delimiters(source, block, ",;")
        tokens = split_lines(block, classes, ord("#"))
        n_comments += tokens.n_comments
        names.append(_line_numbers(tokens, has_signs=b">" in block.data))
        lines.append(tokens.lines)
        tokens = _without_line_numbers(tokens, names[-1])
        if has_shares:
            _kernels.text.cut_shares(tokens.data, tokens.begins, tokens.ends)
        members.append(objects.number(tokens.data, tokens.begins, tokens.ends))
        sizes.append(tokens.counts())
    all_sizes, all_names = np.concatenate(sizes), np.concatenate(names)
    is_numbered = _check_line_numbers(source, all_names, all_sizes, np.concatenate(lines))
    filled = all_sizes[all_sizes > 0]
    reject_header(source, objects, int(filled[0]) if len(filled) else 0, n_comments + 1)
    _check_header(source, header, len(filled))
    ids = objects.values()
    del objects  # it takes more memory than the memberships
    memberships = _memberships(ids, members, all_sizes, all_names if is_numbered else None)
    memberships = drop_outliers(memberships, options)
    return Content(memberships, TITLE, comment_notes(n_comments))


def _check_header(source: Source, header: str, n_clusters: int) -> None:
    """Reject a file with fewer clusters than its header says: it is probably cut off."""
    found = HEADER.fullmatch(header)
    if found and int(found[1] or 0) > n_clusters:
        raise InputError(
            f"{source}, line 1: the header says {int(found[1]):,} clusters, but there are "
            f"{n_clusters:,}"
        )


def _memberships(
    ids: Ids,
    blocks: list[NDArray[np.int32]],
    sizes: NDArray[np.int64],
    names: NDArray[np.int64] | None,
) -> Memberships:
    members = concatenate_and_clear(blocks)
    ids = sort_integer_ids(ids, members)
    objects = Objects(len(ids), ids, "id")
    ends = np.cumsum(sizes)
    n_clusters = int(np.searchsorted(ends, len(members))) + 1 if len(members) else 0
    pointers = np.concatenate(([0], ends[:n_clusters]))  # blank lines at the end do not count
    if names is None:
        by_object = transposed(Runs(frozen(pointers), frozen(members)), len(ids))
        del members  # it takes as much memory as the result
        return Memberships(transposed(by_object, n_clusters), objects)
    order = np.argsort(names[:n_clusters], kind="stable")
    rank = np.empty(n_clusters, np.int32)
    rank[order] = np.arange(n_clusters)
    clusters = np.repeat(rank, np.diff(pointers))
    runs = runs_of_pairs(members, clusters, len(ids), n_clusters)
    return Memberships(runs, objects, names[order])


def _line_numbers(tokens: Tokens, *, has_signs: bool) -> NDArray[np.int64]:
    """Return the number at the beginning of each line ('7>'), -1 for lines without one."""
    numbers = np.full(len(tokens.lines), UNNUMBERED)
    if not has_signs:
        return numbers
    firsts = tokens.first_tokens()
    begins, ends = tokens.begins[firsts], tokens.ends[firsts] - 1
    lines = np.flatnonzero(tokens.counts())
    for i in np.flatnonzero(tokens.data[ends] == ord(">")).tolist():
        digits = tokens.data[begins[i] : ends[i]].tobytes()
        if digits.isdigit() and len(digits) <= 18:
            numbers[lines[i]] = int(digits)
    return numbers


def _without_line_numbers(tokens: Tokens, numbers: NDArray[np.int64]) -> Tokens:
    is_numbered = numbers != UNNUMBERED
    if not is_numbered.any():
        return tokens
    keep = np.ones(len(tokens.begins), bool)
    keep[(tokens.line_ends - tokens.counts())[is_numbered]] = False
    line_ends = tokens.line_ends - np.cumsum(is_numbered)
    return tokens._replace(begins=tokens.begins[keep], ends=tokens.ends[keep], line_ends=line_ends)


def _check_line_numbers(
    source: Source, numbers: NDArray[np.int64], sizes: NDArray[np.int64], lines: NDArray[np.int64]
) -> bool:
    """Return whether lines have numbers; reject repeated numbers, and lines without a number."""
    is_numbered = numbers != UNNUMBERED
    if not is_numbered.any():
        return False
    is_filled = is_numbered | (sizes > 0)
    wrong = is_filled & (is_numbered != is_numbered[is_filled][0])
    if wrong.any():
        raise InputError(
            f"{source}, line {lines[np.argmax(wrong)]}: some lines begin with a "
            "cluster's number and '>', and some do not"
        )
    filled = np.flatnonzero(is_filled)
    again = np.delete(filled, np.unique(numbers[filled], return_index=True)[1])
    if len(again):
        at = again[0]
        raise InputError(f"{source}, line {lines[at]}: cluster {numbers[at]} is there twice")
    return True


def write(memberships: Memberships, file: BinaryIO, options: WriteOptions) -> None:
    """Write the members of each cluster on a line; names of clusters are not kept."""
    is_bad = partial(_is_misread, options.delimiter)
    text = as_text(memberships, "cluster-lines", options.delimiter, is_bad, with_names=False)
    if len(text.outliers):
        raise InputError(
            f"outliers cannot be written to cluster-lines, and there are {len(text.outliers):,}; "
            "leave them out by outliers=False (--no-outliers), or write object-lines, pairs, json "
            "or parquet"
        )
    if len(text.runs.pointers) == 1:
        raise InputError("no clusters, and cluster-lines has nothing to write for that")
    first = text.runs.members[: text.runs.pointers[1]].tolist()
    reject_false_header(first, text.objects, "cluster-lines")
    marks = ("", options.delimiter or "\t", "", "\n")
    write_runs(file, text.runs, text.objects.tokens, marks=marks)


def _is_misread(delimiter: str | None, token: str) -> bool:
    """Return whether a token would not be read as it was written."""
    return (
        needs_quotes(token, delimiter)
        or token.startswith("#")
        or (token.endswith(">") and token[:-1].isdigit())
        or (delimiter is None and ("," in token or ";" in token))
    )
