"""Run a reader of files in a process of its own, with limits of memory and time."""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import CoverlapError, FileError, InputError
from coverlap.core.wording import quantity
from coverlap.files.source import MAX_BYTES, Source, limit_of, opening, physical_memory

MAX_SECONDS = "COVERLAP_MAX_SECONDS"
"""The environment variable for the time that a child process may take."""

PROGRAM = "import sys; sys.path[:] = {path!r}; import {module} as reader; reader.main()"

FAILED = b"!"
"""What a child writes before an error message; an archive of arrays begins with another byte."""

GRACE = 10
"""Seconds for the start of the child, and for its own alarm to end it."""


def run_limited(module: str, options: list[Any], path: Path, source: Source) -> list[NDArray[Any]]:
    """Return the arrays that the function ``main`` of a module sends from a child process.

    Standard input of the child is the file. By default, it may take 2 GiB of memory and 64 times
    the size of the file, and a minute and a second for each 10 MB.
    """
    with opening(source), path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        memory = limit_of(MAX_BYTES) or min((2 << 30) + 64 * size, physical_memory())
        seconds = limit_of(MAX_SECONDS) or 60 + size // 10_000_000
        program = PROGRAM.format(path=sys.path, module=module)
        arguments = [json.dumps(options), str(memory), str(seconds)]
        try:
            done = subprocess.run(  # noqa: S603 - the options are passed as data
                [sys.executable, "-c", program, *arguments],
                stdin=file, capture_output=True, check=False, timeout=seconds + GRACE,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise _slow(source, seconds) from None
        except OSError as error:
            raise FileError(f"{source}: no process can be started to read it: {error}") from None
    if done.returncode == 0 and done.stdout.startswith(FAILED):
        raise InputError(f"{source}: {done.stdout[1:].decode(errors='replace')}")
    if done.returncode == 0:
        return _unpacked(done.stdout)
    if done.returncode == -getattr(signal, "SIGALRM", 0):
        raise _slow(source, seconds)
    raise InputError(f"{source}: the file is damaged: its reader ended with {done.returncode}")


def _slow(source: Source, seconds: int) -> InputError:
    most = quantity(seconds, "second")
    return InputError(
        f"{source}: reading must take at most {most}, but took more, so the file is probably "
        f"damaged; {MAX_SECONDS} sets this limit"
    )


def send_arrays(read: Callable[[], list[NDArray[Any]]]) -> None:
    """Write arrays of numbers or text, or the message of an error, to standard output."""
    memory, seconds = map(int, sys.argv[2:])
    _limit(memory, seconds)
    try:
        data = _packed(read())
    except MemoryError:
        reason = f"reading must take at most {memory:,} bytes of memory, but takes more"
        data = FAILED + f"{reason}; {MAX_BYTES} sets this limit".encode()
    except CoverlapError as error:
        data = FAILED + str(error).encode(errors="replace")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _limit(memory: int, seconds: int) -> None:
    """Limit this process, so that it ends even if nobody waits for it."""
    if sys.platform == "win32":  # only the parent can end it
        return
    import resource

    in_use = _address_space()
    for kind, limit in ((resource.RLIMIT_AS, in_use + memory), (resource.RLIMIT_CORE, 0)):
        most = resource.getrlimit(kind)[1]
        soft = limit if most == resource.RLIM_INFINITY else min(limit, most)
        resource.setrlimit(kind, (soft, most))
    signal.alarm(seconds)


def _address_space() -> int:
    """Return the number of bytes that Python and its libraries have mapped, 0 if unknown."""
    try:
        pages = Path("/proc/self/statm").read_text("ascii").split()[0]
    except OSError:  # not Linux
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _packed(arrays: list[NDArray[Any]]) -> bytes:
    """Return arrays as an archive of NumPy, without pickles: text as its bytes and lengths."""
    parts: dict[str, NDArray[Any]] = {}
    for i, array in enumerate(arrays):
        parts[str(i)] = array
        if array.dtype == object:
            texts = array.tolist()
            parts[f"lengths{i}"] = np.fromiter(map(len, texts), np.int64, len(texts))
            text = "".join(texts).encode("utf-8", "surrogatepass")
            parts[str(i)] = np.frombuffer(text, np.uint8)
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **parts)
    return file.getvalue()


def _unpacked(data: bytes) -> list[NDArray[Any]]:
    arrays = []
    with np.load(io.BytesIO(data), allow_pickle=False) as parts:
        for i in range(sum(name.isdigit() for name in parts.files)):
            array = parts[str(i)]
            if f"lengths{i}" in parts.files:
                text = array.tobytes().decode("utf-8", "surrogatepass")
                ends = np.cumsum(parts[f"lengths{i}"]).tolist()
                pieces = (text[a:b] for a, b in zip([0, *ends], ends, strict=False))
                array = np.fromiter(pieces, object, len(ends))
            arrays.append(array)
    return arrays
