"""Text as blocks of whole lines: decoded, with one kind of line end, and numbered."""

from collections.abc import Iterator
from typing import NamedTuple

from coverlap.core.errors import InputError
from coverlap.files.source import DamagedError, Source

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Block(NamedTuple):
    """Whole lines of UTF-8, each ended by a newline, and the number of the first one."""

    data: bytes
    line: int

    def after(self, place: int) -> "Block":
        """Return what follows a place."""
        return Block(self.data[place:], self.line + self.data.count(b"\n", 0, place))


def read_lines(source: Source) -> Iterator[Block]:
    """Yield the lines of a file that is not empty; they are read ahead from now on."""
    return _whole_lines(source, source.blocks())


def _whole_lines(source: Source, blocks: Iterator[bytes]) -> Iterator[Block]:
    line = 1
    is_empty = True
    carry: list[bytes] = []
    try:
        for data in _one_line_end(_without_mark(blocks)):
            is_empty = is_empty and not data.strip()
            cut = data.rfind(b"\n") + 1
            if cut == 0 or is_empty:
                carry.append(data)
                continue
            block = Block(b"".join([*carry, data[:cut]]), line)
            carry = [data[cut:]]
            _check_text(source, block)
            yield block
            line += block.data.count(b"\n")
    except DamagedError as error:
        raise InputError(f"{source}, line {line}: {error}") from None
    if is_empty:
        raise InputError(f"{source}, line 1: the file is empty")
    last = Block(b"".join([*carry, b"\n"]), line)
    _check_text(source, last)
    if len(last.data) > 1:
        yield last


def first_line(source: Source) -> str:
    """Return the first line, which will be read again."""
    size = 1 << 12
    while True:
        start = source.peek(size)
        text = start.removeprefix(BYTE_ORDER_MARK).replace(b"\r", b"\n")
        if b"\n" in text or len(start) < size:
            return text.partition(b"\n")[0].decode("utf-8", "replace")
        size *= 4


def _without_mark(blocks: Iterator[bytes]) -> Iterator[bytes]:
    start = b""
    for block in blocks:
        start += block
        if len(start) >= len(BYTE_ORDER_MARK):
            break
    yield start.removeprefix(BYTE_ORDER_MARK)
    yield from blocks


def _one_line_end(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Turn Windows' and old Mac's line ends into newlines."""
    held = b""
    for block in blocks:
        data = held + block
        held = b"\r" if data.endswith(b"\r") else b""  # perhaps a newline follows
        if b"\r" in data:
            data = data.removesuffix(held).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        yield data
    if held:
        yield b"\n"


def _check_text(source: Source, block: Block) -> None:
    data = block.data
    if b"\0" in data:
        line = block.line + data.count(b"\n", 0, data.index(b"\0"))
        raise InputError(f"{source}, line {line}: a null character, so this is no UTF-8 text")
    if data.isascii():
        return
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = block.line + data.count(b"\n", 0, error.start)
        raise InputError(f"{source}, line {line}: not UTF-8 text") from None
