"""Threads that run kernels in parallel, and threads of the caller that Python's exit waits for."""

import atexit
import os
from bisect import bisect_left
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import repeat
from threading import Condition, Event
from typing import Any, NamedTuple

from coverlap.core.checks import check_integer
from coverlap.core.errors import OptionError

SMALL = 200_000
"""Below this many memberships, starting threads costs more than it saves."""

MOST = 256
"""Upper limit of threads; results do not depend on their number."""


def number_of_threads(threads: int | None, n_memberships: int, n_clusters: int) -> int:
    """Return the number of threads to use: the given number, or one that fits the input.

    Each thread needs memory in proportion to the number of clusters, so small clusters get few
    threads.
    """
    if threads is not None:
        return min(int(threads), MOST)
    if n_memberships < SMALL:
        return 1
    return max(1, min(number_of_cores(), n_memberships // max(n_clusters, 1)))


def number_of_cores() -> int:
    """Return the number of cores that this process may use."""
    known = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1


def check_threads(threads: Any) -> None:
    """Raise an error if threads is neither None nor a positive integer."""
    if threads is not None:
        check_integer("threads", threads, 1)


class Workers(NamedTuple):
    """A pool of threads, in each of which a kernel can be called once."""

    threads: int
    pool: ThreadPoolExecutor | None

    def run(self, kernel: Callable[..., object], *arguments: Any) -> None:
        """Call a kernel once per thread.

        An argument that is a list has one item for each thread; other arguments are shared.
        """
        self.map(kernel, *arguments)

    def map(self, kernel: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Call a kernel as `run` does, and return its result in each thread."""
        columns = [
            argument if isinstance(argument, list) else repeat(argument, self.threads)
            for argument in arguments
        ]
        if self.pool is None:
            return [kernel(*(next(iter(column)) for column in columns))]
        try:
            tasks = [self.pool.submit(kernel, *row) for row in zip(*columns, strict=True)]
        except RuntimeError as error:  # the system has too many threads, or Python exits
            raise OptionError(f"threads cannot be started ({error}); use threads=1") from None
        return [task.result() for task in tasks]

    def ranges(self, length: int) -> tuple[list[int], list[int]]:
        """Split 0..length-1 into one range per thread; return the begins and the ends."""
        cuts = [length * i // self.threads for i in range(self.threads + 1)]
        return cuts[:-1], cuts[1:]

    def balanced(self, pointers: Any) -> tuple[list[int], list[int]]:
        """Split clusters into one range per thread, with about equal numbers of members.

        Cluster c has the members from ``pointers[c]`` to ``pointers[c + 1]``.
        """
        first, last = int(pointers[0]), int(pointers[-1])
        wanted = [first + (last - first) * i // self.threads for i in range(1, self.threads)]
        cuts = [0, *(bisect_left(pointers, place) for place in wanted), len(pointers) - 1]
        return cuts[:-1], cuts[1:]


@contextmanager
def workers(threads: int) -> Iterator[Workers]:
    """Start threads, and stop them at the end; a single thread is the calling one."""
    if threads == 1:
        yield Workers(1, None)
        return
    with ThreadPoolExecutor(threads) as pool:
        yield Workers(threads, pool)


class _OpenBlocks:
    """Blocks of code in any thread that must end before Python exits."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Start anew: after a fork, the threads that ran the blocks do not exist."""
        self.changed = Condition()
        self.n_open = 0
        self.exiting = False

    def wait(self) -> None:
        """Wait for the end of all blocks."""
        with self.changed:
            self.exiting = True
            self.changed.wait_for(lambda: self.n_open <= 0)

    def enter(self) -> None:
        """Begin a block; if Python exits already, a daemon thread stops here."""
        with self.changed:
            self.n_open += not self.exiting
            exiting = self.exiting
        if exiting:
            Event().wait()

    def leave(self) -> None:
        """End a block."""
        with self.changed:
            self.n_open -= 1
            self.changed.notify_all()


_open_blocks = _OpenBlocks()
atexit.register(_open_blocks.wait)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_open_blocks.forget)


@contextmanager
def finished_before_exit() -> Iterator[None]:
    """Let Python exit only after this block.

    A daemon thread ends when it returns from C++ code to a Python that exits, and DuckDB aborts
    the process then.
    """
    blocks = _open_blocks
    blocks.enter()
    try:
        yield
    finally:
        blocks.leave()
