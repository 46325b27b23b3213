"""Blocks of lines cut into tokens or fields."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.errors import InputError
from coverlap.core.incidence import frozen
from coverlap.core.wording import shown
from coverlap.files.source import Source
from coverlap.files.text.lines import Block
from coverlap.files.text.tokens import DECIMAL, Dictionary, is_whole, token_value

NO_BYTE = 0
"""Stands for no comment sign and no quote: the text has no null characters."""

SPACES = b"\t\v\f "


class Tokens(NamedTuple):
    """Tokens of a block: where each begins and ends, and how many there are up to each line."""

    data: NDArray[np.uint8]
    begins: NDArray[np.int64]
    ends: NDArray[np.int64]
    line_ends: NDArray[np.int64]
    lines: NDArray[np.int64]
    n_comments: int

    def counts(self) -> NDArray[np.int64]:
        """Return the number of tokens on each line."""
        return np.diff(self.line_ends, prepend=0)


class Fields(NamedTuple):
    """Fields of a block's records, a column for each that was wanted, and the lines they are on."""

    data: NDArray[np.uint8]
    begins: NDArray[np.int64]
    ends: NDArray[np.int64]
    lines: NDArray[np.int64]


def byte_classes(delimiter: str | None) -> NDArray[np.uint8]:
    """Say which bytes part tokens: the delimiter, any spaces and tabs (None), or none ('')."""
    kernels = _kernels.text
    classes = np.full(256, kernels.PLAIN, np.uint8)
    spaces = kernels.SEPARATOR if delimiter in (None, " ") else kernels.SPACE
    classes[np.frombuffer(SPACES, np.uint8)] = spaces
    if delimiter:
        classes[ord(delimiter)] = kernels.SEPARATOR
    classes[ord("\n")] = kernels.NEWLINE
    return frozen(classes)


def cut_lines(block: Block, classes: NDArray[np.uint8], comment: int = NO_BYTE) -> Tokens:
    """Cut a block into tokens."""
    data = frozen(np.frombuffer(block.data, np.uint8))
    most = len(data) // 2 + 1
    begins, ends = np.empty(most, np.int64), np.empty(most, np.int64)
    line_ends = np.empty(block.data.count(b"\n"), np.int64)
    lines = np.empty_like(line_ends)
    n_tokens, n_lines, n_comments = map(
        int, _kernels.text.cut_lines(data, classes, comment, begins, ends, line_ends, lines)
    )
    return Tokens(
        data, begins[:n_tokens], ends[:n_tokens], line_ends[:n_lines],
        lines[:n_lines] + block.line, n_comments,
    )  # fmt: skip


def check_counts(source: Source, tokens: Tokens, n_fields: int) -> None:
    """Refuse a line that has another number of tokens than the first, unless it is blank."""
    counts = tokens.counts()
    wrong = (counts > 0) & (counts != n_fields)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InputError(
            f"{source}, line {tokens.lines[at]}: {n_fields} fields were expected, as on the first "
            f"line, but this line has {counts[at]}"
        )


def columns_of(tokens: Tokens, n_fields: int, wanted: Sequence[int]) -> Fields:
    """Take some of the fields of lines that all have as many, but for blank ones."""
    columns, shape = list(wanted), (-1, n_fields)
    begins, ends = tokens.begins.reshape(shape), tokens.ends.reshape(shape)
    lines = tokens.lines[tokens.counts() > 0]
    return Fields(tokens.data, begins[:, columns], ends[:, columns], lines)


class Layout(NamedTuple):
    """How the fields of a record are parted and quoted, how many there are, and which to keep."""

    classes: NDArray[np.uint8]
    quote: int
    n_fields: int
    wanted: tuple[int, ...]


def cut_fields(source: Source, blocks: Iterable[Block], layout: Layout) -> Iterator[Fields]:
    """Cut blocks of records into fields; each record must have as many as the others."""
    waiting: list[bytes] = []
    line, size, enough = 1, 0, 0
    state = np.zeros(4, np.int64)
    for block in blocks:
        line = line if waiting else block.line
        waiting.append(block.data)
        size += len(block.data)
        if size < enough:
            continue
        fields, held = _cut_records(source, Block(b"".join(waiting), line), layout, state)
        waiting = [held.data] if held.data else []
        line, size = held.line, len(held.data)
        enough = 2 * size  # a quoted field goes on: this keeps the work in proportion
        yield fields
    if waiting:
        fields, held = _cut_records(source, Block(b"".join(waiting), line), layout, state)
        if held.data:
            raise InputError(f"{source}, line {held.line}: a quote is opened and never closed")
        yield fields


def _cut_records(
    source: Source, block: Block, layout: Layout, state: NDArray[np.int64]
) -> tuple[Fields, Block]:
    """Cut a block; return its fields, and the record at its end that is not complete."""
    kernels = _kernels.text
    data = np.frombuffer(bytearray(block.data), np.uint8)  # quotes are taken off in place
    columns = np.full(layout.n_fields, -1)
    columns[list(layout.wanted)] = np.arange(len(layout.wanted))
    shape = (block.data.count(b"\n"), len(layout.wanted))
    begins, ends = np.empty(shape, np.int64), np.empty(shape, np.int64)
    lines = np.empty(shape[0], np.int64)
    state[kernels.LINE] = block.line
    status, n = map(int, kernels.cut_fields(
        data, layout.classes, layout.quote, frozen(columns), begins, ends, lines,
        state,
    ))  # fmt: skip
    fields = Fields(frozen(data), begins[:n], ends[:n], lines[:n])
    if status == kernels.DONE:
        return fields, Block(b"", 1)
    if status == kernels.OPEN_QUOTE:
        return fields, block.after(int(state[kernels.AT]))
    line = int(state[kernels.BLANK if status == kernels.BLANK_LINE else kernels.LINE])
    reason = {
        kernels.BLANK_LINE: "a blank line",
        kernels.STRAY_QUOTE: "text after a closing quote",
        kernels.WRONG_FIELDS: f"{layout.n_fields} fields were expected, as on the first line, but "
        f"this line has {state[kernels.FIELDS]}",
    }[status]
    raise InputError(f"{source}, line {line}: {reason}")


class Labels:
    """The distinct labels of a file; one that cannot be a label is refused where it stands.

    ``problem`` says what is wrong with a label, or nothing.
    """

    def __init__(self, source: Source, problem: Callable[[str], str] | None = None) -> None:
        self._source = source
        self._problem = problem or continuous
        self.tokens = Dictionary()

    def number(
        self,
        data: NDArray[np.uint8],
        begins: NDArray[np.int64],
        ends: NDArray[np.int64],
        lines: NDArray[np.int64],
    ) -> NDArray[np.int32]:
        """Return the number of each label, given by where it begins and ends and by its line."""
        known = len(self.tokens)
        numbers = self.tokens.number(data, begins, ends)
        for new, label in self.tokens.texts(known).items():
            if problem := self._problem(label):
                line = lines[np.flatnonzero(numbers == new)[0]]
                raise InputError(f"{self._source}, line {line}: {problem}")
        return numbers


def refuse_signs(source: Source, block: Block, signs: str) -> None:
    """Refuse signs that part fields in other files, unless the delimiter was said."""
    if not any(sign.encode() in block.data for sign in signs):
        return
    found = re.search(rf"^(?!#)[^\n]*?([{re.escape(signs)}])".encode(), block.data, re.MULTILINE)
    if found:
        sign = found[1].decode()
        line = block.line + block.data.count(b"\n", 0, found.start(1))
        raise InputError(
            f"{source}, line {line}: {sign!r} where only spaces and tabs part fields; say "
            f"delimiter={sign!r} (--delimiter) if it does, too, or delimiter=' ' (--delimiter "
            "space) if it is part of a name"
        )


def refuse_header(source: Source, tokens: Dictionary, n_first: int, line: int) -> None:
    """Refuse a first line of text where only integers follow: the names of columns, no doubt."""
    texts = tokens.texts()
    if list(texts) == list(range(n_first)) and looks_like_header(texts.values(), len(tokens)):
        raise InputError(
            f"{source}, line {line}: {shown(texts[0])} looks like a header, since only integers "
            "follow, and there can be none here"
        )


def looks_like_header(first: Collection[str], n_tokens: int) -> bool:
    """Tell whether tokens of a first line are no integers, where at least two integers follow."""
    are_names = all(isinstance(token_value(token), str) for token in first)
    return bool(first) and are_names and n_tokens >= len(first) + 2


def continuous(label: str) -> str:
    """Say what is wrong with a label that is a number but no integer."""
    if DECIMAL.fullmatch(label) and not is_whole(label):
        return f"labels must name clusters, but this one is {label}, a continuous number"
    return ""
