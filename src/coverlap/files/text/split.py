"""Splitting blocks of lines into tokens or into fields of records."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.errors import InputError
from coverlap.core.incidence import frozen
from coverlap.core.token_table import HashedTokens, hash_tokens
from coverlap.files.read_ahead import map_ahead
from coverlap.files.source import Source
from coverlap.files.text.lines import Block, count_lines

NO_BYTE = 0
"""In place of a comment sign or a quote: neither, since text has no null characters."""

SPACES = b"\t\v\f "

SUFFIX_DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}


class Tokens(NamedTuple):
    """The tokens of a block.

    ``begins`` and ``ends`` are places in ``data``. For each line that is not a comment,
    ``line_ends`` is the number of tokens up to its end and ``lines`` its line number.
    """

    data: NDArray[np.uint8]
    begins: NDArray[np.int64]
    ends: NDArray[np.int64]
    line_ends: NDArray[np.int64]
    lines: NDArray[np.int64]
    n_comments: int

    def counts(self) -> NDArray[np.int64]:
        """Return the number of tokens on each line."""
        return np.diff(self.line_ends, prepend=0)

    def first_tokens(self) -> NDArray[np.int64]:
        """Return the index of the first token of each line that is not blank."""
        counts = self.counts()
        return (self.line_ends - counts)[counts > 0]


class Fields(NamedTuple):
    """The fields of a block: one row per record, one column per field, and the line of each row."""

    data: NDArray[np.uint8]
    begins: NDArray[np.int64]
    ends: NDArray[np.int64]
    lines: NDArray[np.int64]

    def column(self, index: int) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
        """Return the data, and where each field of a column begins and ends."""
        return self.data, self.begins[:, index], self.ends[:, index]


def delimiter_of_name(name: str) -> str | None:
    """Return the delimiter that the suffix of a file name stands for, if any."""
    return SUFFIX_DELIMITERS.get(name[-4:])


def byte_classes(delimiter: str | None) -> NDArray[np.uint8]:
    """Return the class of each byte; fields are separated by the delimiter.

    None and ' ' stand for any spaces and tabs, '' for one field per line.
    """
    kernels = _kernels.text
    classes = np.full(256, kernels.PLAIN, np.uint8)
    spaces = kernels.SEPARATOR if delimiter in (None, " ") else kernels.SPACE
    classes[np.frombuffer(SPACES, np.uint8)] = spaces
    if delimiter:
        classes[ord(delimiter)] = kernels.SEPARATOR
    classes[ord("\n")] = kernels.NEWLINE
    return frozen(classes)


def split_lines(block: Block, classes: NDArray[np.uint8], comment: int = NO_BYTE) -> Tokens:
    """Split a block into tokens, without the lines that begin with the comment sign."""
    data = frozen(np.frombuffer(block.data, np.uint8))
    most = len(data) // 2 + 1
    begins, ends = np.empty(most, np.int64), np.empty(most, np.int64)
    line_ends = np.empty(count_lines(block.data), np.int64)
    lines = np.empty_like(line_ends)
    n_tokens, n_lines, n_comments = map(
        int, _kernels.text.cut_lines(data, classes, comment, begins, ends, line_ends, lines)
    )
    return Tokens(
        data, begins[:n_tokens], ends[:n_tokens], line_ends[:n_lines],
        lines[:n_lines] + block.line, n_comments,
    )  # fmt: skip


def check_counts(source: Source, tokens: Tokens, n_fields: int) -> None:
    """Reject a line that is not blank and has another number of tokens than the first one."""
    counts = tokens.counts()
    wrong = (counts > 0) & (counts != n_fields)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InputError(
            f"{source}, line {tokens.lines[at]}: {n_fields} fields were expected, as on the first "
            f"line, but this line has {counts[at]}"
        )


def select_columns(tokens: Tokens, n_fields: int, columns: Sequence[int]) -> Fields:
    """Return some columns of lines that have the same number of fields, blank lines left out."""
    wanted, shape = list(columns), (-1, n_fields)
    begins, ends = tokens.begins.reshape(shape), tokens.ends.reshape(shape)
    lines = tokens.lines[tokens.counts() > 0]
    return Fields(tokens.data, begins[:, wanted], ends[:, wanted], lines)


class Layout(NamedTuple):
    """The layout of records: delimiter, number of fields, columns to keep, and quote.

    The delimiter ' ' stands for any spaces and tabs; then there are no quotes.
    """

    delimiter: str
    n_fields: int
    columns: tuple[int, ...]
    quote: int = ord('"')


def split_integers(block: Block, layout: Layout) -> tuple[NDArray[np.int32], Block]:
    """Return the integers of each record, and the rest: from the first record with others on.

    An integer has at most nine digits; `MISSING` stands for no value, except in the first column.
    """
    kernels = _kernels.text
    data = frozen(np.frombuffer(block.data, np.uint8))
    most = len(data) // (layout.n_fields + 1) + 1  # the last one may be begun, but not complete
    values = np.empty((most, len(layout.columns)), np.int32)
    n_records, end = kernels.cut_integers(
        data, ord(layout.delimiter), layout.quote, _kept_columns(layout), values
    )
    return values[:n_records], Block(block.data[end:], block.line + n_records)


def _kept_columns(layout: Layout) -> NDArray[np.int64]:
    """Return for each field the column to write it to, or -1."""
    columns = np.full(layout.n_fields, -1)
    columns[list(layout.columns)] = np.arange(len(layout.columns))
    return frozen(columns)


class Records(NamedTuple):
    """The columns of a block that are kept, and the line of each record."""

    columns: tuple[HashedTokens, ...]
    lines: NDArray[np.int64]


def split_records(source: Source, blocks: Iterable[Block], layout: Layout) -> Iterator[Records]:
    """Split blocks of records into fields; all records must have the same number of fields.

    Threads split blocks in advance, as if none had a blank line or a record that ends in another
    block; a block for which this is wrong is split again.
    """
    if layout.delimiter == " ":
        yield from _split_at_spaces(source, blocks, layout)
        return
    classes = byte_classes(layout.delimiter)
    held, line, enough = bytearray(), 1, 0
    state = np.zeros(4, np.int64)
    for block, alone in _split_ahead(iter(blocks), layout, classes):
        if alone and not held and not state[_kernels.text.BLANK]:
            yield alone
            continue
        line = line if held else block.line
        held += block.data
        if len(held) >= enough:
            records, rest = _split_block(source, Block(bytes(held), line), layout, classes, state)
            yield records
            held, line = bytearray(rest.data), rest.line
            enough = 2 * len(held)  # otherwise a quote that is never closed takes quadratic time
    if held:
        records, rest = _split_block(source, Block(bytes(held), line), layout, classes, state)
        if rest.data:
            raise InputError(f"{source}, line {rest.line}: a quote is opened and never closed")
        yield records


def _split_at_spaces(source: Source, blocks: Iterable[Block], layout: Layout) -> Iterator[Records]:
    classes = byte_classes(layout.delimiter)
    for block in blocks:
        tokens = split_lines(block, classes)
        check_counts(source, tokens, layout.n_fields)
        yield _hashed(select_columns(tokens, layout.n_fields, layout.columns))


def _split_ahead(
    blocks: Iterator[Block], layout: Layout, classes: NDArray[np.uint8]
) -> Iterator[tuple[Block, Records | None]]:
    """Yield each block and its records, None if it must be split after those before it."""
    split = partial(_split_alone, layout=layout, classes=classes)
    for first in islice(blocks, 1):  # without threads, since most files are small
        yield from chain([(first, split(first))], map_ahead(split, blocks))


def _split_alone(block: Block, layout: Layout, classes: NDArray[np.uint8]) -> Records | None:
    state = np.zeros(4, np.int64)
    status, fields = _cut_fields(block, layout, classes, state)
    is_simple = status == _kernels.text.DONE and not state[_kernels.text.BLANK]
    return _hashed(fields) if is_simple else None


def _hashed(fields: Fields) -> Records:
    columns = range(fields.begins.shape[1])
    return Records(tuple(hash_tokens(*fields.column(i)) for i in columns), fields.lines)


def _cut_fields(
    block: Block, layout: Layout, classes: NDArray[np.uint8], state: NDArray[np.int64]
) -> tuple[int, Fields]:
    """Return why the kernel stopped, and the fields up to there."""
    kernels = _kernels.text
    data = np.frombuffer(bytearray(block.data), np.uint8)  # the kernel removes quotes in place
    shape = (len(layout.columns), count_lines(block.data))  # each column in one piece
    begins, ends = np.empty(shape, np.int64).T, np.empty(shape, np.int64).T
    lines = np.empty(shape[1], np.int64)
    state[kernels.LINE] = block.line
    status, n = map(int, kernels.cut_fields(
        data, classes, layout.quote, _kept_columns(layout), begins, ends, lines, state
    ))  # fmt: skip
    return status, Fields(frozen(data), begins[:n], ends[:n], lines[:n])


def _split_block(
    source: Source,
    block: Block,
    layout: Layout,
    classes: NDArray[np.uint8],
    state: NDArray[np.int64],
) -> tuple[Records, Block]:
    """Return the records of a block, and the rest: a record with a quote that is still open."""
    kernels = _kernels.text
    status, fields = _cut_fields(block, layout, classes, state)
    if status == kernels.DONE:
        return _hashed(fields), Block(b"", 1)
    if status == kernels.OPEN_QUOTE:
        return _hashed(fields), block.after(int(state[kernels.AT]))
    line = int(state[kernels.BLANK if status == kernels.BLANK_LINE else kernels.LINE])
    reason = {
        kernels.BLANK_LINE: "a blank line",
        kernels.STRAY_QUOTE: "text after a closing quote",
        kernels.WRONG_FIELDS: f"{layout.n_fields} fields were expected, as on the first line, but "
        f"this line has {state[kernels.FIELDS]}",
    }[status]
    raise InputError(f"{source}, line {line}: {reason}")


def reject_delimiters(source: Source, block: Block, signs: str) -> None:
    """Reject signs that separate fields in other files; the user must give the delimiter."""
    if not any(sign.encode() in block.data for sign in signs):
        return
    found = re.search(rf"^(?!#)[^\n]*?([{re.escape(signs)}])".encode(), block.data, re.MULTILINE)
    if found:
        sign = found[1].decode()
        raise InputError(
            f"{source}, line {block.line_of(found.start(1))}: {sign!r} where only spaces and tabs "
            f"part fields; say delimiter={sign!r} ({source.flag('delimiter')}) if it does, too, or "
            f"delimiter=' ' ({source.flag('delimiter')} space) if it is part of a name"
        )
