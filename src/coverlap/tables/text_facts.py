"""What DuckDB does not tell about text files: found in one pass over their bytes."""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from coverlap.core.errors import InputError
from coverlap.files.formats.pairs import Table as PairsTable
from coverlap.files.formats.pairs import find_table, split_line
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.text.lines import Block, count_lines, whole_lines
from coverlap.files.text.split import SPACES

USE_MEMORY = "use engine='memory' (--engine memory)"
"""The end of messages about files that only the engine in memory can read."""

COMPRESSIONS = {"": "none", ".gz": "gzip", ".zst": "zstd"}
"""The compressions that DuckDB reads, by the suffix of a file, and how it calls them."""


class TextFacts(NamedTuple):
    """The layout of a text file, the fields of its first line, and what else was found.

    ``line_end`` is how its lines end, ``n_lines`` their number without a header and blank lines at
    the end. ``has_quotes`` and ``has_spaces`` are whether there are any in the file.
    """

    table: PairsTable
    first: list[str]
    compression: str
    line_end: str
    n_lines: int
    has_quotes: bool
    has_spaces: bool


class _Ends:
    """Counts of line ends, while blocks of bytes pass by."""

    def __init__(self) -> None:
        self.n_returns = self.n_newlines = self.n_both = 0
        self.has_returns = False

    def counted(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Return the blocks, whose line ends are counted from the first carriage return on."""
        carried = b""
        for block in blocks:
            if b"\r" in block or self.has_returns:
                self._count(carried + block)
                carried = block[-1:] if block.endswith(b"\r") else b""
                self.n_returns -= len(carried)  # counted with the next block
            else:
                self.n_newlines = max(self.n_newlines, int(b"\n" in block))
            yield block
        self.n_returns += len(carried)

    def _count(self, data: bytes) -> None:
        self.has_returns = True
        self.n_returns += data.count(b"\r")
        self.n_newlines += data.count(b"\n")
        self.n_both += data.count(b"\r\n")

    def line_end(self) -> str | None:
        """Return how all lines end, None if they end in different ways."""
        if not self.n_returns:
            return "\n"
        if not self.n_newlines:
            return "\r"
        return "\r\n" if self.n_returns == self.n_newlines == self.n_both else None


class _Lines:
    """What the lines of a file are: how many, which is blank, whether any has quotes or spaces.

    Blank lines at the end are not counted. ``blank`` is the first one before others, or 0.
    """

    def __init__(self, spaces: bytes) -> None:
        self.n_lines = self.blank = 0
        self.has_quotes = self.has_spaces = False
        self._spaces = [bytes([space]) for space in spaces]
        self._last_blank = 0

    def look_at(self, block: Block) -> None:
        """Look at the next block of lines."""
        self.has_quotes = self.has_quotes or b'"' in block.data
        self.has_spaces = self.has_spaces or any(space in block.data for space in self._spaces)
        data = block.data.rstrip(b"\n")
        n_blank = len(block.data) - len(data) - bool(data)
        self.n_lines += count_lines(block.data) - n_blank
        if data and not self.blank:
            place = 0 if data.startswith(b"\n") else data.find(b"\n\n") + 1
            found = block.line_of(place) if place or data.startswith(b"\n") else 0
            self.blank = self._last_blank or found
        if n_blank and not self._last_blank:
            self._last_blank = block.line_of(len(data) + bool(data))


def text_facts(source: Source, options: ReadOptions) -> TextFacts:
    """Read a text file once, and reject what DuckDB would read in another way."""
    with source:
        compression = _compression(source)
        ends = _Ends()
        blocks = whole_lines(source, ends.counted(source.blocks()))
        start = next(blocks)
        table = find_table(source, start, options)
        delimiter = table.layout.delimiter
        if delimiter == " ":
            raise InputError(f"{source}: columns that spaces part need memory; {USE_MEMORY}")
        lines = _Lines(spaces_around(delimiter))
        for block in chain([start], blocks):
            lines.look_at(block)
        line_end = ends.line_end()
        if line_end is None:
            raise InputError(f"{source}: its lines end in different ways; {USE_MEMORY}")
        if lines.blank:
            more = f", unless it is inside quotes; then {USE_MEMORY}" if lines.has_quotes else ""
            raise InputError(f"{source}, line {lines.blank}: a blank line{more}")
        first = split_line(start.data.partition(b"\n")[0].decode(), delimiter)
        n_lines = lines.n_lines - (table.header is not None)
        return TextFacts(
            table, first, compression, line_end, n_lines, lines.has_quotes, lines.has_spaces
        )


def spaces_around(delimiter: str) -> bytes:
    """Return the characters that are no part of a field where they are around it."""
    return SPACES.replace(delimiter.encode(), b"")


def _compression(source: Source) -> str:
    """Return the compression of a file as DuckDB calls it."""
    if source.path is None or (source.path.exists() and not source.path.is_file()):
        raise InputError(f"{source}: text that can be read only once needs memory; {USE_MEMORY}")
    suffix = source.stored_compression
    if suffix not in COMPRESSIONS:
        raise InputError(f"{source}: DuckDB reads no text in {suffix} files; {USE_MEMORY}")
    return COMPRESSIONS[suffix]
