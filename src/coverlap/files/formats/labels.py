"""One label per line: line i is object i."""

from functools import partial
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.core.memberships import Memberships
from coverlap.core.wording import shown
from coverlap.files.options import Content, Reading, label_parts, rank_labels
from coverlap.files.source import Source
from coverlap.files.text.cutting import NO_BYTE, Labels, Layout, byte_classes, cut_fields
from coverlap.files.text.lines import read_lines
from coverlap.files.text.tokens import token_value
from coverlap.files.writing import (
    Writing,
    lists,
    refuse_named_objects,
    refuse_overlaps,
    would_be_cut,
)

TITLE = "one label per line"
SUFFIX = ".labels"


def read(source: Source, reading: Reading) -> Content:
    """Read a label from each line; a blank line is an error, except at the end."""
    labels = Labels(source)
    layout = Layout(byte_classes(""), NO_BYTE, 1, (0,))
    codes = np.concatenate([
        labels.number(fields.data, fields.begins[:, 0], fields.ends[:, 0], fields.lines)
        for fields in cut_fields(source, read_lines(source), layout)
    ])  # fmt: skip
    if reading.guessed:
        _refuse_comments(source, labels, codes)
        _refuse_header(source, labels, codes)
    if reading.guessed and not source.name.endswith(SUFFIX):
        _refuse_fields(source, labels, codes)
    values = labels.tokens.labels()
    rank, names, met = rank_labels(values, reading, str(source))
    return Content(label_parts(rank[codes], names), TITLE, outlier_labels=met)


def _refuse_comments(source: Source, labels: Labels, codes: NDArray[np.int32]) -> None:
    """Refuse what is a comment in other formats: as a label it would shift all objects by one."""
    for number, token in labels.tokens.texts().items():
        if token.startswith("#"):
            line = int(np.argmax(codes == number)) + 1
            raise InputError(
                f"{source}, line {line}: {shown(token)} may be a comment, and a file of labels has "
                "none; if it is a label, say format='labels' (--format labels)"
            )


def _refuse_header(source: Source, labels: Labels, codes: NDArray[np.int32]) -> None:
    """Refuse a first label that is text if only integers follow, and never the same text."""
    texts = labels.tokens.texts()
    if len(codes) < 3 or 0 not in texts or np.any(codes[1:] == 0):
        return
    first, *others = texts.values()
    if isinstance(token_value(first), str) and all(
        isinstance(token_value(token), int) for token in others
    ):
        raise InputError(
            f"{source}, line 1: {shown(first)} looks like a header, since only integers follow; "
            "a file of labels has none"
        )


def _refuse_fields(source: Source, labels: Labels, codes: NDArray[np.int32]) -> None:
    """Refuse what could also be several fields on a line, unless most labels come again."""
    several = [number for number, token in labels.tokens.texts().items() if len(token.split()) > 1]
    if several and len(codes) < 2 * len(labels.tokens):
        line = int(np.argmax(np.isin(codes, several))) + 1
        raise InputError(
            f"{source}, line {line}: this could be one label or several fields; say which by "
            "format= (--format): labels, cluster-lines, object-lines or pairs"
        )


def write(clustering: Memberships, file: BinaryIO, writing: Writing) -> None:  # noqa: ARG001
    """Write the label of each object 0..n-1 on a line, -1 for an outlier."""
    refuse_overlaps(clustering, "labels")
    refuse_named_objects(clustering, "labels")
    text = lists(clustering, "labels", partial(would_be_cut, delimiter=""))
    labels = ["-1"] * clustering.n_objects
    for name, row in zip(text.clusters, text.rows(), strict=True):
        for member in row:
            labels[int(text.objects[member])] = name
    file.write("".join(f"{label}\n" for label in labels).encode())
