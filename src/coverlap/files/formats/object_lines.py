"""One object per line with its clusters: LFR and ABCD, bracketed lists included."""

from functools import partial
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.core.memberships import Memberships
from coverlap.files.options import (
    Content,
    Reading,
    counted,
    joined,
    membership_parts,
    rank_labels,
    sorted_ids,
)
from coverlap.files.source import Source
from coverlap.files.text.cutting import (
    Labels,
    Tokens,
    byte_classes,
    cut_lines,
    refuse_header,
    refuse_signs,
)
from coverlap.files.text.lines import Block, read_lines
from coverlap.files.text.tokens import Dictionary
from coverlap.files.writing import Writing, lists, refuse_false_header, would_be_cut

TITLE = "one object per line with its clusters"
BRACKETED = "one object per line with a bracketed list of its clusters"

NO_LABEL = -1


def read(source: Source, reading: Reading) -> Content:
    """Read an object and its clusters from each line; one with none is an outlier.

    Clusters are parted as the object is, or stand in a list as in ``7 [2, 5]``. Lines that begin
    with '#' are comments, and blank lines mean nothing.
    """
    objects, labels = Dictionary(), Labels(source)
    places: list[NDArray[np.int32]] = []
    clusters: list[NDArray[np.int32]] = []
    n_comments = 0
    bracketed: bool | None = None
    for block in read_lines(source):
        if bracketed is None:
            bracketed = has_list(block.data, reading.delimiter)
        if reading.delimiter is None:
            refuse_signs(source, block, "" if bracketed else ",;[]")
        tokens = cut_lines(block, _classes(reading, bool(bracketed)), ord("#"))
        n_comments += tokens.n_comments
        if bracketed:
            _check_brackets(source, block, tokens)
        own, others = _numbers(tokens, objects, labels)
        places.append(own)
        clusters.append(others)
    for first in (objects, labels.tokens):
        refuse_header(source, first, 1, n_comments + 1)
    numbers = joined(places)
    ids = sorted_ids(objects.values(), numbers)
    values = labels.tokens.labels()
    rank, names, met = rank_labels(values, reading, f"{source}: clusters")
    codes = np.append(rank, np.int32(NO_LABEL))[joined(clusters)]
    parts = membership_parts(numbers, codes, ids, names)
    title = BRACKETED if bracketed else TITLE
    notes = counted(n_comments, "comment line", "skipped")
    return Content(parts, title, notes, met)


def has_list(data: bytes, delimiter: str | None) -> bool | None:
    """Tell whether the first line that is no comment has a list in brackets after its object.

    Returns None if there is no such line.
    """
    parted = None if delimiter in (None, " ") else str(delimiter).encode()
    for line in data.split(b"\n"):
        if line.strip() and not line.startswith(b"#"):
            _, *others = line.split(parted, 1)
            return bool(others) and others[0].lstrip().startswith(b"[")
    return None


def _classes(reading: Reading, bracketed: bool) -> NDArray[np.uint8]:
    classes = byte_classes(reading.delimiter).copy()
    if bracketed:
        separator = classes[ord(reading.delimiter or " ")]
        classes[np.frombuffer(b"[], \t", np.uint8)] = separator
    return classes


def _check_brackets(source: Source, block: Block, tokens: Tokens) -> None:
    """Refuse lines that are not an object and one list, as a file that was cut off has."""
    newlines = np.flatnonzero(tokens.data == ord("\n"))
    counts = tokens.counts()
    filled = counts > 0
    lines = tokens.lines - block.line
    places = [np.flatnonzero(tokens.data == ord(byte)) for byte in "[]"]
    on_lines = [np.searchsorted(newlines, place) for place in places]
    good = np.logical_and(*(_times(on, newlines)[lines] == filled for on in on_lines))
    if good.all():
        lasts = tokens.line_ends[filled] - 1
        firsts = lasts - counts[filled] + 1
        seconds = np.minimum(firsts + 1, lasts)  # the object itself, if the list is empty
        opened, closed = (
            place[np.isin(on, lines)] for place, on in zip(places, on_lines, strict=True)
        )
        good[filled] = (
            (tokens.ends[firsts] <= opened)
            & ((tokens.begins[seconds] > opened) | (firsts == lasts))
            & (opened < closed)
            & (tokens.ends[lasts] <= closed)
        )
    if not good.all():
        line = tokens.lines[np.argmin(good)]
        raise InputError(f"{source}, line {line}: not an object and a list, like 7 [2, 5]")


def _times(lines: NDArray[np.int64], newlines: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.bincount(lines, minlength=len(newlines))


def _numbers(
    tokens: Tokens, objects: Dictionary, labels: Labels
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Number the memberships of a block: object and label, or no label for an object alone."""
    counts = tokens.counts()
    filled = counts > 0
    counts, lines = counts[filled], tokens.lines[filled]
    firsts = np.cumsum(counts) - counts
    is_label = np.ones(len(tokens.begins), bool)
    is_label[firsts] = False
    own = objects.number(tokens.data, tokens.begins[firsts], tokens.ends[firsts])
    others = labels.number(
        tokens.data, tokens.begins[is_label], tokens.ends[is_label], np.repeat(lines, counts - 1)
    )
    alone = own[counts == 1]
    return (
        np.concatenate((np.repeat(own, counts - 1), alone)),
        np.concatenate((others, np.full(len(alone), NO_LABEL, np.int32))),
    )


def write(clustering: Memberships, file: BinaryIO, writing: Writing) -> None:
    """Write each object on a line, with the names of its clusters if it has any."""
    delimiter = writing.delimiter
    text = lists(clustering, "object-lines", partial(_is_cut, delimiter))
    if not text.objects:
        raise InputError("no objects, and object-lines has nothing to write for that")
    refuse_false_header(text.objects[:1], text.objects, "object-lines")
    clusters: list[list[str]] = [[] for _ in text.objects]
    for name, row in zip(text.clusters, text.rows(), strict=True):
        for member in row:
            clusters[member].append(name)
    refuse_false_header(next(filter(None, clusters), [])[:1], text.clusters, "object-lines")
    for item, names in zip(text.objects, clusters, strict=True):
        line = item if not names else item + (delimiter or "\t") + (delimiter or " ").join(names)
        file.write(f"{line}\n".encode())


def _is_cut(delimiter: str | None, token: str) -> bool:
    """Tell whether a token would not be read as it was written."""
    signs = ",;[]" if delimiter is None else ""
    return (
        would_be_cut(token, delimiter)
        or token.startswith(("#", "["))
        or any(sign in token for sign in signs)
    )
