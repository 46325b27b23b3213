"""Progress on standard error: a bar per experiment in a terminal, else a line at its end."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from paper.experiments import runner


@contextmanager
def show_progress() -> Iterator[runner.Progress]:
    """Yield the function to call with a name, the number of finished steps, and of all steps."""
    if not sys.stderr.isatty():
        yield _write_line_at_end
        return
    columns = (
        TextColumn("{task.description:14}"), BarColumn(), MofNCompleteColumn(),
        TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True)) as bars:
        tasks: dict[str, TaskID] = {}

        def update(name: str, n_done: int, n_all: int) -> None:
            if name not in tasks:
                tasks[name] = bars.add_task(name, total=n_all)
            bars.update(tasks[name], completed=n_done)

        yield update


def _write_line_at_end(name: str, n_done: int, n_all: int) -> None:
    if n_done == n_all:
        sys.stderr.write(f"paper: {name}: all {n_all} done\n")
