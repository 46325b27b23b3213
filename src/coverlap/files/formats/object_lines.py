"""One object per line with its clusters: LFR and ABCD, bracketed lists included."""

import re
from functools import partial
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.core.incidence import transposed
from coverlap.core.memberships import Memberships
from coverlap.files.content import Content, comment_notes
from coverlap.files.options import ReadOptions, WriteOptions
from coverlap.files.output import as_text, needs_quotes, reject_false_header
from coverlap.files.source import Source
from coverlap.files.text.lines import Block, read_lines
from coverlap.files.text.memberships import NO_LABEL, MembershipCollector
from coverlap.files.text.split import Tokens, byte_classes, reject_delimiters, split_lines
from coverlap.files.text.writing import write_runs

TITLE = "one object per line with its clusters"
TITLE_WITH_LISTS = "one object per line with a bracketed list of its clusters"


def read(source: Source, options: ReadOptions) -> Content:
    """Read an object and its clusters from each line; an object without clusters is an outlier.

    Clusters are separated as the object is, or are in a list as in ``7 [2, 5]``. Lines that begin
    with '#' are comments; blank lines are ignored.
    """
    collector = MembershipCollector(source)
    n_comments = 0
    lists: bool | None = None
    for block in read_lines(source):
        if lists is None:
            lists = has_list(block.data, options.delimiter)
        if lists:
            _check_lists(source, block, options.delimiter)
        elif options.delimiter is None:
            reject_delimiters(source, block, ",;[]")
        tokens = split_lines(block, _byte_classes(options.delimiter, bool(lists)), ord("#"))
        n_comments += tokens.n_comments
        _add(collector, tokens)
    collector.reject_header(n_comments + 1)
    title = TITLE_WITH_LISTS if lists else TITLE
    return collector.content(options, title, comment_notes(n_comments))


def has_list(data: bytes, delimiter: str | None) -> bool | None:
    """Return whether the first line that is not a comment has a bracketed list after its object.

    Returns None if there is no such line.
    """
    separator = None if delimiter in (None, " ") else str(delimiter).encode()
    for line in data.split(b"\n"):
        if line.strip() and not line.startswith(b"#"):
            _, *others = line.split(separator, 1)
            return bool(others) and others[0].lstrip().startswith(b"[")
    return None


def _byte_classes(delimiter: str | None, lists: bool) -> NDArray[np.uint8]:
    classes = byte_classes(delimiter).copy()
    if lists:
        classes[np.frombuffer(b"[], \t", np.uint8)] = classes[ord(delimiter or " ")]
    return classes


def _check_lists(source: Source, block: Block, delimiter: str | None) -> None:
    """Reject a line that is not an object and one list, such as the last line of a damaged file."""
    separators = " \t," + re.escape("\v\f" if delimiter in (None, " ") else delimiter or "")
    blank = rf"[{separators}\v\f]*+"
    name = rf"[^{separators}\v\f\[\]\n][^{separators}\[\]\n]*+"
    line = rf"#[^\n]*+|{blank}(?:{name}{blank}\[[^\[\]\n]*+\]{blank})?+"
    good = re.match(rf"(?:(?:{line})\n)*+".encode(), block.data)
    end = good.end() if good else 0
    if end < len(block.data):
        number = block.line_of(end)
        raise InputError(f"{source}, line {number}: not an object and a list, like 7 [2, 5]")


def _add(collector: MembershipCollector, tokens: Tokens) -> None:
    """Add the memberships of a block, and the objects that are alone on their line."""
    counts = tokens.counts()
    is_filled = counts > 0
    n_labels, lines = counts[is_filled] - 1, tokens.lines[is_filled]
    firsts = tokens.first_tokens()
    is_label = np.ones(len(tokens.begins), bool)
    is_label[firsts] = False
    objects = collector.objects.number(tokens.data, tokens.begins[firsts], tokens.ends[firsts])
    labels = collector.labels.number(
        tokens.data, tokens.begins[is_label], tokens.ends[is_label], np.repeat(lines, n_labels)
    )
    collector.add(np.repeat(objects, n_labels), labels)
    alone = objects[n_labels == 0]
    collector.add(alone, np.full(len(alone), NO_LABEL, np.int32))


def write(memberships: Memberships, file: BinaryIO, options: WriteOptions) -> None:
    """Write each object on a line, with the names of its clusters if it has any."""
    delimiter = options.delimiter
    text = as_text(memberships, "object-lines", delimiter, partial(_is_misread, delimiter))
    if len(text.objects) == 0:
        raise InputError("no objects, and object-lines has nothing to write for that")
    reject_false_header([0], text.objects, "object-lines")
    by_object = transposed(text.runs, len(text.objects))
    reject_false_header(by_object.members[:1].tolist(), text.names, "object-lines")
    marks = (delimiter or "\t", delimiter or " ", "", "\n")
    write_runs(file, by_object, text.names.tokens, heads=text.objects.tokens, marks=marks)


def _is_misread(delimiter: str | None, token: str) -> bool:
    """Return whether a token would not be read as it was written."""
    signs = ",;[]" if delimiter is None else ""
    return (
        needs_quotes(token, delimiter)
        or token.startswith(("#", "["))
        or any(sign in token for sign in signs)
    )
