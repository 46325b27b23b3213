"""A progress bar on standard error for work that takes longer than a moment."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from time import monotonic

DELAY = 0.7
"""Seconds before the bar appears."""


@contextmanager
def progress_bar(
    activity: str, *, in_bytes: bool = False
) -> Iterator[Callable[[int, int | None], None] | None]:
    """Return the function to call with the work done and the total, or None without a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    start = monotonic()
    update: Callable[..., None] | None = None

    def report(done: int, total: int | None) -> None:
        nonlocal update
        if update is None and monotonic() - start >= DELAY:
            update = stack.enter_context(_visible_bar(activity, in_bytes=in_bytes))
        if update is not None:
            update(completed=done, total=total)

    with ExitStack() as stack:
        yield report


@contextmanager
def _visible_bar(activity: str, *, in_bytes: bool) -> Iterator[Callable[..., None]]:
    from rich import progress
    from rich.console import Console

    amount = progress.DownloadColumn() if in_bytes else progress.MofNCompleteColumn()
    columns = progress.TextColumn(activity), progress.BarColumn(), amount
    with progress.Progress(
        *columns, progress.TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        yield partial(bar.update, bar.add_task(activity, total=None))
