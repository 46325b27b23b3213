"""Read the bytes of a file or of standard input, decompressed if necessary."""

import bz2
import os
import re
import shutil
import sys
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from itertools import chain
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory, TemporaryFile, gettempdir
from typing import IO, Any, Self

from coverlap.core.errors import CoverlapError, FileError, InputError, InputTypeError, OptionError
from coverlap.files.read_ahead import ReadAhead

READ = 1 << 19
"""Number of bytes to read from a file at once."""

BLOCK = 1 << 20
"""Maximum number of bytes that one step of decompression returns."""

AHEAD = 16
"""Number of blocks to read in advance; the first ones are read while Numba loads the kernels."""

COMPRESSIONS = {
    ".gz": re.compile(rb"\x1f\x8b"),
    ".bz2": re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"),
    ".zst": re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),  # or a skippable frame
}
"""The first bytes of compressed files, by the suffix of their names."""

MAX_BYTES = "COVERLAP_MAX_BYTES"
"""The environment variable for the largest size of data that is copied or held in memory."""

MAX_COPY = 16 << 30
"""The largest temporary copy, unless the user sets another limit."""

DESCRIPTORS = Path("/dev/fd")
"""The folder of the open files of this process; Windows has none."""

Progress = Callable[[int, int | None], None]
"""A function of the number of bytes read so far and of their total number, None if unknown."""


class DamagedError(Exception):
    """Compressed data is truncated or corrupt."""


class Source:
    """A file that is read once, from its beginning.

    Use it as a context manager: leaving the context closes the file. ``str(source)`` is the name
    of the file in error messages.

    Parameters
    ----------
    path : str or Path
        A file, or ``-`` for standard input.
    side : str
        The argument that named the file, for error messages.
    progress : callable, optional
        See `Progress`.
    flags : str
        The pattern of the options of the command line that apply to this file, for hints.
    """

    def __init__(
        self,
        path: str | Path,
        side: str = "",
        progress: Progress | None = None,
        flags: str = "--{}",
    ) -> None:
        if not isinstance(path, str | Path):
            raise InputTypeError(f"path must be a str or a Path, not {type(path).__name__}")
        if not str(path):
            raise FileError(f"{side or 'path'} is empty, but must be the name of a file")
        self.path = None if str(path) == "-" else Path(path)
        self.side = side
        self.flags = flags
        self._progress = progress
        self._head = b""
        self._rest: Iterator[bytes] = self._decompressed()
        self._ahead: ReadAhead | None = None

    def __str__(self) -> str:
        name = "standard input" if self.path is None else str(self.path)
        name = name if name.isprintable() else repr(name)
        return f"{self.side}: {name}" if self.side else name

    def again(self) -> "Source":
        """Return the same file, which is not opened yet."""
        return Source(self.path or "-", self.side, self._progress, self.flags)

    def flag(self, option: str) -> str:
        """Return the option of the command line for this file, such as ``--format-left``."""
        return self.flags.format(option)

    def hint(self, option: str) -> str:
        """Return which option to use, for the end of an error message."""
        return f"say which by {option}= ({self.flag(option)})"

    @property
    def compression(self) -> str:
        """The suffix of the name that stands for a compression, or an empty string."""
        suffix = PurePath(self.path or "").suffix.lower()
        return suffix if suffix in COMPRESSIONS else ""

    @property
    def name(self) -> str:
        """The name of the file in lower case, without the suffix of a compression."""
        name = PurePath(self.path or "").name.lower()
        return name.removesuffix(self.compression)

    def peek(self, size: int) -> bytes:
        """Return the first ``size`` bytes without consuming them; fewer if the file is shorter."""
        try:
            while len(self._head) < size and (block := next(self._rest, b"")):
                self._head += block
        except DamagedError as error:
            self._rest = _raising(error)  # report it later, when the line number is known
        return self._head[:size]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Stop reading ahead and close the file."""
        if self._ahead is not None:
            self._ahead.stop()
        if isinstance(self._rest, Generator):
            with suppress(ValueError):  # the thread is still waiting for a pipe
                self._rest.close()

    def blocks(self, most: int | None = None) -> Iterator[bytes]:
        """Iterate over the decompressed bytes, which a thread reads ahead from now on.

        There may be at most ``most`` bytes, or as many as the environment variable allows.
        """
        self._ahead = ReadAhead(chain([self._head] if self._head else [], self._rest), AHEAD)
        limit = limit_of(MAX_BYTES) or most
        return iter(self._ahead) if limit is None else self._limited(iter(self._ahead), limit)

    def check_start(self, pattern: re.Pattern[bytes], message: str) -> None:
        """Reject a file that does not begin as its format does, before it is read or copied."""
        start = self.peek(16)
        if start and not pattern.match(start):
            raise InputError(f"{self}: {message}: it begins with {start[:8]!r}")

    def read(self) -> bytes:
        """Return all bytes."""
        with self._damage_reported():
            return b"".join(self.blocks(physical_memory()))

    @contextmanager
    def as_path(self) -> Iterator[Path]:
        """Return a path that other libraries can open: of the file, or of a temporary copy."""
        path = self.path
        if path is None or not self._is_plain_file(path):
            with scratch_file() as (copy, name):
                with self._damage_reported(), opening(self):
                    free = shutil.disk_usage(gettempdir()).free
                    copy.writelines(self.blocks(min(MAX_COPY, free)))
                    copy.flush()
                yield name
        else:
            with self.stored_path() as stored:
                yield stored

    @contextmanager
    def stored_path(self) -> Iterator[Path]:
        """Return a path by which other libraries can open a file as it is stored."""
        path = self.path
        if path is None:
            raise FileError(f"{self} is no file that can be opened again")
        if _has_plain_name(path):
            yield path.absolute()
        else:
            with opening(self):
                file = path.open("rb")
            with file:
                yield DESCRIPTORS / str(file.fileno())

    @property
    def stored_compression(self) -> str:
        """The suffix of the compression that the first bytes tell, or an empty string."""
        if self.path is None or not self.path.is_file():
            return ""
        with opening(self), self.path.open("rb") as file:
            return _compression_of(file.read(READ))

    def _is_plain_file(self, path: Path) -> bool:
        """Return whether a file is not compressed, and no pipe, which can be read only once."""
        with opening(self):
            if not path.is_file():
                return False
            with path.open("rb") as file:
                return not _compression_of(file.read(READ))

    def _limited(self, blocks: Iterator[bytes], limit: int) -> Iterator[bytes]:
        size = 0
        for block in blocks:
            size += len(block)
            if size > limit:
                raise InputError(
                    f"{self}: the data must have at most {limit:,} bytes, but has more; "
                    f"{MAX_BYTES} sets this limit"
                )
            yield block

    @contextmanager
    def _damage_reported(self) -> Iterator[None]:
        try:
            yield
        except DamagedError as error:
            raise InputError(f"{self}: {error}") from None

    def _decompressed(self) -> Iterator[bytes]:
        raw = self._raw()
        start = next(raw, b"")
        kind = _compression_of(start)
        if self.compression and start and kind != self.compression:
            raise InputError(f"{self}: the name ends in {self.compression}, but the data is not")
        raw = chain([start] if start else [], raw)
        yield from _decompress(raw, kind) if kind else raw

    def _raw(self) -> Iterator[bytes]:
        """Iterate over the bytes of the file as they are stored."""
        path = self.path
        with opening(self):
            total = path.stat().st_size if path is not None and path.is_file() else None
            file = _standard_input() if path is None else path.open("rb")
        try:
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
            if path is not None:
                file.close()


@contextmanager
def opening(source: Source) -> Iterator[None]:
    """Convert errors of the operating system to a `FileError` that names the file."""
    try:
        yield
    except CoverlapError:
        raise
    except OSError as error:
        raise FileError(f"{source}: {error.strerror or error}") from None
    except (ValueError, RuntimeError):  # a null character, or a loop of symbolic links
        raise FileError(f"{source} cannot be the path of a file") from None


@contextmanager
def scratch_file() -> Iterator[tuple[IO[bytes], Path]]:
    """Open an empty temporary file; return it, and a path by which libraries can open it.

    The file has no name in a folder, so nothing is left behind even if the process is killed.
    """
    if not DESCRIPTORS.exists():
        with TemporaryDirectory(prefix="coverlap-") as folder:
            path = Path(folder) / "copy"
            with path.open("w+b") as file:
                yield file, path
        return
    try:
        file = TemporaryFile(prefix="coverlap-")  # noqa: SIM115 - closed below
    except OSError as error:
        raise FileError(
            f"no temporary file can be created ({error.strerror}); TMPDIR names a folder for it"
        ) from None
    with file:
        yield file, DESCRIPTORS / str(file.fileno())


def in_memory_limit() -> int:
    """Return the number of bytes that the data of a file may take in memory."""
    return limit_of(MAX_BYTES) or physical_memory()


def limit_of(variable: str) -> int | None:
    """Return the positive integer in an environment variable, or None if it is not set."""
    text = os.environ.get(variable, "")
    if not text:
        return None
    if not re.fullmatch("0*[1-9][0-9]{0,17}", text, re.ASCII):
        raise OptionError(f"{variable} must be a positive integer, not {text!r}")
    return int(text)


def physical_memory() -> int:
    """Return the size of the memory of this machine in bytes."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows
        return MAX_COPY


def _has_plain_name(path: Path) -> bool:
    """Return whether libraries can open a file by its name: UTF-8 without a backslash."""
    name = path.absolute().as_posix()
    return "\\" not in name and name == name.encode(errors="ignore").decode()


def zstd_module() -> Any:
    """Import the module for Zstandard, which is in Python's standard library since 3.14."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


def _standard_input() -> Any:
    """Open standard input without a buffer, whose lock would block the exit of Python."""
    if sys.stdin is None:
        raise OSError("it is closed")
    try:
        return FileIO(sys.stdin.fileno(), closefd=False)
    except (OSError, AttributeError):  # an object that replaces standard input, as in tests
        return sys.stdin.buffer


def _raising(error: Exception) -> Iterator[bytes]:
    raise error
    yield


def _compression_of(start: bytes) -> str:
    return next((kind for kind, magic in COMPRESSIONS.items() if magic.match(start)), "")


def _decompress(raw: Iterator[bytes], kind: str) -> Iterator[bytes]:
    """Decompress data that consists of one or more complete streams.

    The file objects of Python's standard library are not used: ``BZ2File`` ignores garbage after
    the last stream, and ``ZstdFile`` rejects padding.
    """
    new_stream, failure = _decompressor(kind)
    stream = new_stream()
    for data in raw:
        rest, block = data, b""
        while rest or len(block) == BLOCK:
            if stream.eof:
                rest = rest.lstrip(b"\0")  # some programs pad files with zeros
                if not rest:
                    break
                stream = new_stream()
            try:
                block = stream.decompress(rest, BLOCK)
            except failure as error:
                raise DamagedError(f"the compressed data is damaged ({error})") from None
            if block:
                yield block
            rest = stream.unused_data if stream.eof else getattr(stream, "unconsumed_tail", b"")
    if not stream.eof:
        raise DamagedError("the compressed data breaks off")


def _decompressor(kind: str) -> tuple[Callable[[], Any], type[Exception]]:
    """Return a function that creates a decompressor, and the error that it raises."""
    if kind == ".gz":
        return lambda: zlib.decompressobj(wbits=31), zlib.error
    if kind == ".bz2":
        return bz2.BZ2Decompressor, OSError
    zstd = zstd_module()
    return zstd.ZstdDecompressor, zstd.ZstdError
