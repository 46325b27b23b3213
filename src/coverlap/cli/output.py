"""Writing to standard output, which may be a terminal, a file or a pipe that closes early."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from coverlap.core.errors import FileError


def show(renderable: Any) -> None:
    """Write what rich can render, as wide as the terminal and in colour if it is one."""
    from rich.console import Console

    console = Console()
    with writing(), console.capture() as capture:
        console.print(renderable)
    text = capture.get()
    if not console.is_terminal:
        text = "".join(f"{line.rstrip()}\n" for line in text.splitlines())
    emit(text)


def emit(text: str) -> None:
    """Write text at once. A reader that wants no more of it (``| head``) is no error."""
    with writing():
        click.echo(_encodable(text), nl=False)


@contextmanager
def writing() -> Iterator[None]:
    """Turn what goes wrong with standard output into one line, or nothing if nobody reads it."""
    try:
        yield
    except FileError:
        raise
    except BrokenPipeError:
        _discard_output()
    except OSError as error:
        _discard_output()
        raise FileError(f"standard output: {error.strerror or error}") from None


def _encodable(text: str) -> str:
    """Replace the characters that standard output cannot write."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, "replace").decode(encoding)


def _discard_output() -> None:
    """Send what is still buffered nowhere, or Python would fail on it again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
