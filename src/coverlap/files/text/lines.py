"""Text as blocks of whole lines: UTF-8, with newlines as line ends, and numbered."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from coverlap.core.errors import InputError
from coverlap.files.source import DamagedError, Source

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

LONGEST_LINE = 1 << 31
"""Maximum number of bytes of a line, which is held in memory as a whole."""


class Block(NamedTuple):
    """Whole lines of UTF-8, each ended by a newline, and the number of the first line."""

    data: bytes
    line: int

    def line_of(self, place: int) -> int:
        """Return the number of the line that a byte is on."""
        return self.line + self.data.count(b"\n", 0, place)

    def after(self, place: int) -> "Block":
        """Return the part of the block from a place on."""
        return Block(self.data[place:], self.line_of(place))


def read_lines(source: Source) -> Iterator[Block]:
    """Yield the lines of a file, and raise an error if it is empty.

    A thread starts to read ahead at once, before the first block is asked for.
    """
    return whole_lines(source, source.blocks())


def whole_lines(source: Source, blocks: Iterator[bytes]) -> Iterator[Block]:
    """Yield the lines of the bytes of a file, and raise an error if it is empty."""
    line = 1
    is_empty = True
    carry: list[bytes] = []
    n_carried = 0
    try:
        for data in _with_newlines(_without_mark(blocks)):
            if b"\0" in data:  # checked at once, since a device may return zeros without end
                line += b"".join([*carry, data.partition(b"\0")[0]]).count(b"\n")
                reason = "a null character, so this is no UTF-8 text"
                raise InputError(f"{source}, line {line}: {reason}")
            is_empty = is_empty and not data.strip()
            end = data.rfind(b"\n") + 1
            if end == 0 or is_empty:
                carry.append(data)
                n_carried += len(data)
                if n_carried > LONGEST_LINE:
                    reason = f"a line must have at most {LONGEST_LINE:,} bytes, but has more"
                    raise InputError(f"{source}, line {line}: {reason}")
                continue
            block = Block(b"".join([*carry, memoryview(data)[:end]]), line)
            carry = [data[end:]]
            n_carried = len(data) - end
            _check_text(source, block)
            yield block
            line += count_lines(block.data)
    except DamagedError as error:
        raise InputError(f"{source}, line {line}: {error}") from None
    if is_empty:
        raise InputError(f"{source}, line 1: the file is empty")
    last = Block(b"".join([*carry, b"\n"]), line)
    _check_text(source, last)
    if len(last.data) > 1:
        yield last


def count_lines(data: bytes) -> int:
    """Return the number of newlines; several times as fast as `bytes.count` for short lines."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == ord("\n")))


def first_line(source: Source) -> str:
    """Return the first line, or the beginning of a long one, without consuming it."""
    start = source.peek(1 << 12).removeprefix(BYTE_ORDER_MARK).replace(b"\r", b"\n")
    return start.partition(b"\n")[0].decode("utf-8", "replace")


def _without_mark(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Remove a byte-order mark."""
    start = b""
    for block in blocks:
        start += block
        if len(start) >= len(BYTE_ORDER_MARK):
            break
    yield start.removeprefix(BYTE_ORDER_MARK)
    yield from blocks


def _with_newlines(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Replace the line ends of Windows and of old Macs by newlines."""
    held = b""
    for block in blocks:
        data = held + block
        held = b"\r" if data.endswith(b"\r") else b""  # a newline may follow in the next block
        if b"\r" in data:
            data = data.removesuffix(held).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        yield data
    if held:
        yield b"\n"


def _check_text(source: Source, block: Block) -> None:
    data = block.data
    if data.isascii():
        return
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = block.line_of(error.start)
        raise InputError(f"{source}, line {line}: not UTF-8 text") from None
