"""Results to standard output or a file, messages to standard error, and the exit codes."""

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from coverlap.core.errors import FileError, OptionError
from coverlap.files.parts import files_of

BELOW_THRESHOLD = 1
BAD_INPUT = 2
INTERRUPTED = 130


def write_result(result: Any, *, as_json: bool, text: Any = None) -> None:
    """Write a result as JSON, or as text that fits the terminal, in colour if it is one.

    ``text`` is what rich prints instead of the result.
    """
    if as_json:
        write_text(result.to_json(indent=2) + "\n")
        return
    from rich.console import Console

    console = Console()
    with output_errors(), console.capture() as capture:
        console.print(result if text is None else text)
    printed = capture.get()
    if not console.is_terminal:
        printed = "".join(f"{line.rstrip()}\n" for line in printed.splitlines())
    write_text(printed)


def write_text(text: str) -> None:
    """Write text to standard output; characters that it cannot encode are replaced."""
    if sys.stdout is None:
        raise FileError("standard output is closed")
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    with output_errors():
        click.echo(text.encode(encoding, "replace").decode(encoding), nl=False)


def write_message(message: str) -> None:
    """Write one line to standard error."""
    click.echo(f"coverlap: {' '.join(message.splitlines())}", err=True)


@contextmanager
def output_errors() -> Iterator[None]:
    """Raise `FileError` if standard output fails; a reader that stops early is not an error."""
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        # Python would fail again at exit, when it writes what is still buffered.
        with Path(os.devnull).open("wb") as nothing:
            os.dup2(nothing.fileno(), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise FileError(f"standard output: {error.strerror or error}") from None


def flush_output() -> None:
    """Write what is still buffered to standard output."""
    if sys.stdout is not None:
        sys.stdout.flush()


def file_name(path: str | Path) -> str:
    """Return a path as text in which bytes that are not UTF-8 are escaped."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def csv_text(header: Iterable[Any], rows: Iterable[Iterable[Any]], delimiter: str = ",") -> str:
    """Return a table as CSV."""
    from coverlap.results.table_files import csv_writer

    text = io.StringIO()
    writer = csv_writer(text, delimiter)
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def check_target(option: str, target: str, *inputs: str | Path | None) -> None:
    """Raise an error if the file to write is an input file, or its folder does not exist."""
    path = Path(target)
    if target == "-":
        return
    if not path.parent.is_dir():
        raise FileError(f"{file_name(target)}: No such file or directory")
    for other in inputs:
        for file in files_of(other) if other and path.exists() else ():
            if Path(file).exists() and path.samefile(file):
                raise OptionError(f"{option} {file_name(path)} would overwrite an input file")
