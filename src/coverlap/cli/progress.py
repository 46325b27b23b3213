"""A bar on standard error for files that take more than a moment to read."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from coverlap.files.source import Progress

PATIENCE = 0.7
"""Seconds that pass without a bar."""


@contextmanager
def reading_bar() -> Iterator[Progress | None]:
    """Give the function that readers tell their progress to, or None without a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar()
    try:
        yield bar.move
    finally:
        bar.stop()


class _Bar:
    def __init__(self) -> None:
        self._begin = monotonic()
        self._shown: Any = None
        self._task: Any = None

    def move(self, done: int, total: int | None) -> None:
        """Show how far a file is read, a new one if it is not as far as before."""
        if self._shown is None:
            if monotonic() - self._begin < PATIENCE:
                return
            self._start()
        self._shown.update(self._task, completed=done, total=total)

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        columns = (TextColumn("reading"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        self._shown = Progress(*columns, console=Console(stderr=True), transient=True)
        self._shown.start()
        self._task = self._shown.add_task("reading")

    def stop(self) -> None:
        """Take the bar away."""
        if self._shown is not None:
            self._shown.stop()
