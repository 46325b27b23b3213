"""One label per line: line i is object i."""

from functools import partial
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from coverlap.core.column_names import USUAL_NAMES
from coverlap.core.errors import InputError
from coverlap.core.incidence import Codes, frozen
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.core.spelling import INTEGER, token_value
from coverlap.core.wording import shown
from coverlap.files.content import Content, number_labels
from coverlap.files.options import ReadOptions, WriteOptions
from coverlap.files.output import (
    OTHER_FORMATS,
    as_text,
    needs_quotes,
    reject_named_objects,
    reject_overlaps,
)
from coverlap.files.source import Source
from coverlap.files.text.lines import read_lines
from coverlap.files.text.split import NO_BYTE, Layout, split_records
from coverlap.files.text.tokens import Labels
from coverlap.files.text.writing import TokenColumn, one_run, write_runs

HEADERS = {*USUAL_NAMES["cluster"], "clusters", "labels"}
TITLE = "one label per line"
SUFFIX = ".labels"


def read(source: Source, options: ReadOptions) -> Content:
    """Read a label from each line; a blank line is an error, except at the end."""
    labels = Labels(source)
    layout = Layout("", 1, (0,), quote=NO_BYTE)
    codes = np.concatenate([
        labels.number_hashed(records.columns[0], records.lines)
        for records in split_records(source, read_lines(source), layout)
    ])  # fmt: skip
    texts = labels.tokens.texts()
    is_header = len(codes) >= 3 and not np.any(codes[1:] == 0) and _looks_like_header(texts)
    if options.guessed:
        _check_guess(source, texts, codes, len(labels.tokens), is_header=is_header)
    numbered = number_labels(labels.tokens.labels(), options, str(source))
    clusters = Codes(frozen(numbered.numbers[codes]), len(numbered.names))
    memberships = Memberships(clusters, Objects(len(codes)), numbered.names)
    notes: tuple[str, ...] = ()
    if is_header:
        notes = (f"line 1, {shown(texts[0])}, was read as a label but looks like a header",)
    return Content(memberships, TITLE, notes, numbered.outlier_labels)


def _check_guess(
    source: Source, texts: dict[int, str], codes: NDArray[np.int32], n_labels: int, *,
    is_header: bool,
) -> None:  # fmt: skip
    """Reject a file that may not be one of labels; the user must give the format then."""
    if_label = f"if it is a label, say format='labels' ({source.flag('format')} labels)"
    for number, token in texts.items():
        if token.startswith("#"):  # read as a label, a comment would move all objects by one
            line = int(np.argmax(codes == number)) + 1
            raise InputError(
                f"{source}, line {line}: {shown(token)} may be a comment, and a file of labels has "
                f"none; {if_label}"
            )
    if is_header:
        raise InputError(
            f"{source}, line 1: {shown(texts[0])} looks like a header, and a file of labels has "
            f"none; {if_label}"
        )
    several = [number for number, token in texts.items() if len(token.split()) > 1]
    if several and not source.name.endswith(SUFFIX) and len(codes) < 2 * n_labels:
        line = int(np.argmax(np.isin(codes, several))) + 1
        raise InputError(
            f"{source}, line {line}: this could be one label or several fields; "
            f"{source.hint('format')}: labels, cluster-lines, object-lines or pairs"
        )


def _looks_like_header(texts: dict[int, str]) -> bool:
    """Return whether label 0 is the usual name of a column, or text while others are integers.

    ``texts`` are the labels that are not written as integers, by their numbers.
    """
    first, *others = (token_value(texts[i]) for i in sorted(texts)) if 0 in texts else (None,)
    if not isinstance(first, str):
        return False
    return first.lower() in HEADERS or all(isinstance(other, int) for other in others)


def write(memberships: Memberships, file: BinaryIO, options: WriteOptions) -> None:  # noqa: ARG001
    """Write the label of each object 0..n-1 on a line, -1 for an outlier."""
    reject_overlaps(memberships, "labels")
    reject_named_objects(memberships, "labels")
    names = as_text(memberships, "labels", "", partial(needs_quotes, delimiter="")).names.values
    is_text = isinstance(names, list)
    labels = TokenColumn(["-1", *names] if is_text else np.append(-1, names))
    numbers = np.empty_like(memberships.numbers)
    numbers[memberships.ids()] = memberships.numbers
    if is_text and len(numbers) >= 3 and np.count_nonzero(numbers == numbers[0]) == 1:
        _reject_false_header(labels, int(numbers[0]))
    write_runs(file, one_run(numbers), labels.tokens, marks=("", "\n", "", "\n"))


def _reject_false_header(labels: TokenColumn, first: int) -> None:
    tokens = list(labels.values)
    tokens[0], tokens[first] = tokens[first], tokens[0]
    texts = {i: token for i, token in enumerate(tokens) if not INTEGER.fullmatch(token)}
    if _looks_like_header(texts):
        raise InputError(f"{tokens[0]!r} would look like a header in labels; {OTHER_FORMATS}")
