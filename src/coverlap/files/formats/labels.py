"""One label per line: line i is object i."""

from functools import partial
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.core.incidence import Codes, frozen
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.core.spelling import token_value
from coverlap.core.wording import shown
from coverlap.files.content import Content, number_labels
from coverlap.files.options import ReadOptions, WriteOptions
from coverlap.files.output import as_text, needs_quotes, reject_named_objects, reject_overlaps
from coverlap.files.source import Source
from coverlap.files.text.lines import read_lines
from coverlap.files.text.split import NO_BYTE, Layout, split_records
from coverlap.files.text.tokens import FileTokens, Labels

TITLE = "one label per line"
SUFFIX = ".labels"


def read(source: Source, options: ReadOptions) -> Content:
    """Read a label from each line; a blank line is an error, except at the end."""
    labels = Labels(source)
    layout = Layout("", 1, (0,), quote=NO_BYTE)
    codes = np.concatenate([
        labels.number(*fields.column(0), fields.lines)
        for fields in split_records(source, read_lines(source), layout)
    ])  # fmt: skip
    if options.guessed:
        _check_guess(source, labels.tokens, codes)
    numbered = number_labels(labels.tokens.labels(), options, str(source))
    clusters = Codes(frozen(numbered.numbers[codes]), len(numbered.names))
    memberships = Memberships(clusters, Objects(len(codes)), numbered.names)
    return Content(memberships, TITLE, outlier_labels=numbered.outlier_labels)


def _check_guess(source: Source, tokens: FileTokens, codes: NDArray[np.int32]) -> None:
    """Reject a file that may not be one of labels; the user must give the format then."""
    texts = tokens.texts()
    for number, token in texts.items():
        if token.startswith("#"):  # read as a label, a comment would move all objects by one
            line = int(np.argmax(codes == number)) + 1
            raise InputError(
                f"{source}, line {line}: {shown(token)} may be a comment, and a file of labels has "
                "none; if it is a label, say format='labels' (--format labels)"
            )
    _reject_header(source, texts, codes)
    several = [number for number, token in texts.items() if len(token.split()) > 1]
    if several and not source.name.endswith(SUFFIX) and len(codes) < 2 * len(tokens):
        line = int(np.argmax(np.isin(codes, several))) + 1
        raise InputError(
            f"{source}, line {line}: this could be one label or several fields; say which by "
            "format= (--format): labels, cluster-lines, object-lines or pairs"
        )


def _reject_header(source: Source, texts: dict[int, str], codes: NDArray[np.int32]) -> None:
    """Reject a first label that is text if all other labels are integers."""
    if len(codes) < 3 or 0 not in texts or np.any(codes[1:] == 0):
        return
    values = map(token_value, texts.values())
    first = next(values)
    if isinstance(first, str) and all(isinstance(value, int) for value in values):
        raise InputError(
            f"{source}, line 1: {shown(first)} looks like a header, since only integers follow; "
            "a file of labels has none"
        )


def write(memberships: Memberships, file: BinaryIO, options: WriteOptions) -> None:  # noqa: ARG001
    """Write the label of each object 0..n-1 on a line, -1 for an outlier."""
    reject_overlaps(memberships, "labels")
    reject_named_objects(memberships, "labels")
    text = as_text(memberships, "labels", partial(needs_quotes, delimiter=""))
    labels = ["-1"] * memberships.n_objects
    for name, members in zip(text.names, text.clusters, strict=True):
        for member in members:
            labels[int(text.objects[member])] = name
    file.write("".join(f"{label}\n" for label in labels).encode())
