"""A bar on standard error for work that takes more than a moment."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

PATIENCE = 0.7
"""Seconds that pass without a bar."""

Move = Callable[[int, int | None], None]


@contextmanager
def reading_bar() -> Iterator[Move | None]:
    """Give the function that readers tell their progress to, or None without a terminal."""
    with _bar("reading", in_bytes=True) as move:
        yield move


@contextmanager
def comparing_bar() -> Iterator[Move | None]:
    """Give the function that is told how many comparisons are done, or None without a terminal."""
    with _bar("comparing", in_bytes=False) as move:
        yield move


@contextmanager
def _bar(verb: str, *, in_bytes: bool) -> Iterator[Move | None]:
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(verb, in_bytes=in_bytes)
    try:
        yield bar.move
    finally:
        bar.stop()


class _Bar:
    def __init__(self, verb: str, *, in_bytes: bool) -> None:
        self._begin = monotonic()
        self._verb = verb
        self._in_bytes = in_bytes
        self._shown: Any = None
        self._task: Any = None

    def move(self, done: int, total: int | None) -> None:
        """Show how far the work is, a new bar if it is not as far as before."""
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
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        amount = DownloadColumn() if self._in_bytes else MofNCompleteColumn()
        columns = (TextColumn(self._verb), BarColumn(), amount, TimeRemainingColumn())
        self._shown = Progress(*columns, console=Console(stderr=True), transient=True)
        self._shown.start()
        self._task = self._shown.add_task(self._verb)

    def stop(self) -> None:
        """Take the bar away."""
        if self._shown is not None:
            self._shown.stop()
