"""Where a file's bytes come from: a path or standard input, compressed or not."""

import bz2
import re
import sys
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from itertools import chain
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, Self

from coverlap.core.errors import FileError, InputError, InputTypeError
from coverlap.files.ahead import Ahead

READ = 1 << 18
"""Bytes taken from a file at once."""

BLOCK = 1 << 20
"""Bytes that one step of decompression gives at most."""

AHEAD = 32
"""Blocks that may wait to be read: the first ones do while the kernels are loaded."""

COMPRESSIONS = {
    ".gz": re.compile(rb"\x1f\x8b"),
    ".bz2": re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"),
    ".zst": re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),  # pzstd skips a frame first
}
"""What a compressed file is called, and how it begins."""

Progress = Callable[[int, int | None], None]
"""Is told how many bytes were read, and of how many if that is known."""


class DamagedError(Exception):
    """Compressed data that breaks off or is not what it says."""


class Source:
    """A file that is read once, from its beginning; written as messages name it.

    It is a context: leaving it ends what reads ahead.

    Parameters
    ----------
    path : str or Path
        A file, or ``-`` for standard input.
    side : str
        The argument it came from, for messages.
    progress : callable, optional
        See `Progress`.
    """

    def __init__(self, path: str | Path, side: str = "", progress: Progress | None = None) -> None:
        if not isinstance(path, str | Path):
            raise InputTypeError(f"path must be a str or a Path, not {type(path).__name__}")
        if not str(path):
            raise FileError(f"{side or 'path'} is empty, and no file is called so")
        self.path = None if str(path) == "-" else Path(path)
        self.side = side
        self._progress = progress
        self._head = b""
        self._rest: Iterator[bytes] | None = None
        self._ahead: Ahead[bytes] | None = None

    def __str__(self) -> str:
        name = "standard input" if self.path is None else str(self.path)
        name = name if name.isprintable() else repr(name)
        return f"{self.side}: {name}" if self.side else name

    @property
    def compression(self) -> str:
        """The suffix that names a compression, or nothing."""
        suffix = PurePath(self.path or "").suffix.lower()
        return suffix if suffix in COMPRESSIONS else ""

    @property
    def name(self) -> str:
        """The file's name in small letters, without the suffix of a compression."""
        name = PurePath(self.path or "").name.lower()
        return name.removesuffix(self.compression)

    def peek(self, size: int) -> bytes:
        """Return the first bytes, which will be read again; fewer only if there are no more."""
        try:
            while len(self._head) < size and (block := next(self._opened(), b"")):
                self._head += block
        except DamagedError as error:
            self._rest = _raising(error)  # the reader will know on which line it is
        return self._head[:size]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Stop reading ahead and close the file, whether all of it was read or not."""
        if self._ahead is not None:
            self._ahead.stop()
        if isinstance(self._rest, Generator):
            with suppress(ValueError):  # a pipe that has nothing to say holds its reader up
                self._rest.close()

    def blocks(self) -> Iterator[bytes]:
        """Yield the bytes, decompressed ahead in a thread of their own from now on."""
        self._ahead = Ahead(chain([self._head] if self._head else [], self._opened()), AHEAD)
        return iter(self._ahead)

    def read(self) -> bytes:
        """Return all bytes."""
        try:
            return b"".join(self.blocks())
        except DamagedError as error:
            raise InputError(f"{self}: {error}") from None

    @contextmanager
    def as_path(self) -> Iterator[Path]:
        """Give a path for a library that must open the file itself: a copy if it cannot."""
        if self.path is not None and self._is_plain(self.path):
            yield self.path.absolute()
            return
        with TemporaryDirectory(prefix="coverlap-") as folder:
            copy = Path(folder) / "copy"
            self._copy(copy)
            yield copy

    def _copy(self, path: Path) -> None:
        try:
            with path.open("wb") as file:
                file.writelines(self.blocks())
        except DamagedError as error:
            raise InputError(f"{self}: {error}") from None

    def _is_plain(self, path: Path) -> bool:
        with opening(self):
            if not path.is_file():  # a pipe can be read only once
                return False
            with path.open("rb") as file:
                return not _compression_of(file.read(READ)) and is_unicode(str(path.absolute()))

    def _opened(self) -> Iterator[bytes]:
        if self._rest is None:
            self._rest = self._decompressed()
        return self._rest

    def _decompressed(self) -> Iterator[bytes]:
        raw = self._raw()
        start = next(raw, b"")
        kind = _compression_of(start)
        if self.compression and start and kind != self.compression:
            raise InputError(f"{self}: the name ends in {self.compression}, but the data is not")
        raw = chain([start] if start else [], raw)
        yield from _decompress(raw, kind) if kind else raw

    def _raw(self) -> Iterator[bytes]:
        with opening(self):
            file = _standard_input() if self.path is None else self.path.open("rb")
        try:
            total = self._size(file)
            done = 0
            while True:
                with opening(self):
                    data = file.read(READ)
                done += len(data)
                if self._progress:
                    self._progress(done, total)
                if not data:
                    return
                yield data
        finally:
            if self.path is not None:
                file.close()

    def _size(self, file: BinaryIO) -> int | None:
        if self.path is None or not self.path.is_file():
            return None
        size = file.seek(0, 2)
        file.seek(0)
        return size


@contextmanager
def opening(source: Source) -> Iterator[None]:
    """Turn what goes wrong with a path into an error of ours."""
    try:
        yield
    except OSError as error:
        raise FileError(f"{source}: {error.strerror or error}") from None
    except (ValueError, RuntimeError):  # a null character, or links in a circle
        raise FileError(f"{source} cannot be the path of a file") from None


def _standard_input() -> Any:
    """Open standard input without a buffer, which a thread could not give up when Python ends."""
    if sys.stdin is None:
        raise OSError("it is closed")
    try:
        return FileIO(sys.stdin.fileno(), closefd=False)
    except (OSError, AttributeError):  # not a real one
        return sys.stdin.buffer


def is_unicode(text: str) -> bool:
    """Tell whether a text can be written: names of files may be any bytes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _raising(error: Exception) -> Iterator[bytes]:
    raise error
    yield


def _compression_of(start: bytes) -> str:
    return next((kind for kind, magic in COMPRESSIONS.items() if magic.match(start)), "")


def _decompress(raw: Iterator[bytes], kind: str) -> Iterator[bytes]:
    """Decompress one stream after another, each to its proper end."""
    start, failure = _decompressor(kind)
    stream = start()
    try:
        for data in raw:
            left = data
            while left:
                if stream.eof:
                    left = left.lstrip(b"\0")  # some tools pad with zeros
                    stream = start() if left else stream
                    continue
                left = yield from _decompress_part(stream, left)
    except failure as error:
        raise DamagedError(f"the compressed data is damaged ({error})") from None
    if not stream.eof:
        raise DamagedError("the compressed data breaks off")


def _decompressor(kind: str) -> tuple[Callable[[], Any], type[Exception]]:
    """Return what makes a decompressor, and the error that it raises."""
    if kind == ".gz":
        return lambda: zlib.decompressobj(wbits=31), zlib.error
    if kind == ".bz2":
        return bz2.BZ2Decompressor, OSError
    zstd = zstd_module()
    return zstd.ZstdDecompressor, zstd.ZstdError


def zstd_module() -> Any:
    """Import zstandard, which Python itself has from 3.14 on."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


def _decompress_part(stream: Any, data: bytes) -> Generator[bytes, None, bytes]:
    """Yield what data decompresses to, and return what follows the end of the stream."""
    while True:
        block = stream.decompress(data, BLOCK)
        if block:
            yield block
        if stream.eof:
            return bytes(stream.unused_data)
        data = getattr(stream, "unconsumed_tail", b"")
        if not data and getattr(stream, "needs_input", len(block) < BLOCK):
            return b""
