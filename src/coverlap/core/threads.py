"""Threads that run kernels in parallel, and threads of the caller that Python's exit waits for."""

import atexit
import os
from bisect import bisect_left
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from itertools import repeat
from threading import Condition, Event, Lock
from typing import Any, NamedTuple

import numpy as np

from coverlap.core.checks import check_integer
from coverlap.core.errors import OptionError

SMALL = 200_000
"""Below this many memberships, starting threads costs more than it saves."""

MOST = 256
"""Upper limit of threads; results do not depend on their number."""


def number_of_threads(threads: int | None, n_memberships: int, n_clusters: int) -> int:
    """Return the number of threads to use: the given number, or one that fits the input.

    Each thread needs memory in proportion to the number of clusters, so small clusters get few
    threads. Inside a block of `workers` or `all_threads`, there are at most as many as it has.
    """
    if threads is not None:
        return min(int(threads), MOST)
    if n_memberships < SMALL:
        return 1
    return max(1, min(allowed_threads(), n_memberships // max(n_clusters, 1)))


def allowed_threads() -> int:
    """Return how many threads a step may use: those of the block around it, or one per core."""
    block = _block.get()
    return number_of_cores() if block is None else block.team().threads


def number_of_cores() -> int:
    """Return the number of cores that this process may use."""
    known = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1


def check_threads(threads: Any) -> None:
    """Raise an error if threads is neither None nor a positive integer."""
    if threads is not None:
        check_integer("threads", threads, 1)


class _Pool:
    """Threads that are started when they are first needed."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._lock = Lock()
        self._executor: ThreadPoolExecutor | None = None

    def submit(self, kernel: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Call a kernel in one of the threads."""
        with self._lock:
            if self._executor is None:
                self._executor = ThreadPoolExecutor(self._threads)
        return self._executor.submit(kernel, *arguments)

    def shutdown(self) -> None:
        """Wait for the threads, and stop them."""
        if self._executor is not None:
            self._executor.shutdown()


class Workers(NamedTuple):
    """Threads, in each of which a kernel can be called once: the calling one, and some others."""

    threads: int
    pool: _Pool | None

    def run(self, kernel: Callable[..., object], *arguments: Any) -> None:
        """Call a kernel once per thread.

        An argument that is a list has one item for each thread; other arguments are shared.
        """
        self.map(kernel, *arguments)

    def map(self, kernel: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Call a kernel as `run` does, and return its result in each thread."""
        if self.threads == 1 or self.pool is None:
            return [kernel(*[item[0] if isinstance(item, list) else item for item in arguments])]
        columns = [
            item if isinstance(item, list) else repeat(item, self.threads) for item in arguments
        ]
        first, *others = zip(*columns, strict=True)
        try:
            tasks = [self.pool.submit(kernel, *row) for row in others]
        except RuntimeError as error:  # the system has too many threads, or Python exits
            raise OptionError(f"threads cannot be started ({error}); use threads=1") from None
        return [kernel(*first), *(task.result() for task in tasks)]

    def for_items(self, n_items: int) -> "Workers":
        """Return the same threads, or only the calling one if there are few items."""
        return self if n_items >= SMALL else Workers(1, None)

    def ranges(self, length: int) -> tuple[list[int], list[int]]:
        """Split 0..length-1 into one range per thread; return the begins and the ends."""
        cuts = [length * i // self.threads for i in range(self.threads + 1)]
        return cuts[:-1], cuts[1:]

    def slices(self, array: Any) -> list[Any]:
        """Split an array into one part per thread, as in `ranges`."""
        if self.threads == 1:
            return [array]
        return [array[begin:end] for begin, end in zip(*self.ranges(len(array)), strict=True)]

    def balanced(self, pointers: Any) -> tuple[list[int], list[int]]:
        """Split clusters into one range per thread, with about equal numbers of members.

        Cluster c has the members from ``pointers[c]`` to ``pointers[c + 1]``.
        """
        if self.threads == 1:
            return [0], [len(pointers) - 1]
        first, last = int(pointers[0]), int(pointers[-1])
        wanted = [first + (last - first) * i // self.threads for i in range(1, self.threads)]
        cuts = [0, *(bisect_left(pointers, place) for place in wanted), len(pointers) - 1]
        return cuts[:-1], cuts[1:]

    def balanced_slices(self, pointers: Any, *by_cluster: Any) -> tuple[list[Any], ...]:
        """Split pointers, and arrays with one item per cluster, as in `balanced`."""
        if self.threads == 1:
            return [pointers], *([array] for array in by_cluster)
        bounds = list(zip(*self.balanced(pointers), strict=True))
        return (
            [pointers[begin : end + 1] for begin, end in bounds],
            *([array[begin:end] for begin, end in bounds] for array in by_cluster),
        )

    def dealt(self, order: Any) -> list[Any]:
        """Deal items that are sorted by cost, ascending, so that all threads cost about the same.

        The threads get the most expensive items one after another, then the next ones in reverse.
        """
        if self.threads == 1:
            return [order]
        turn = np.arange(len(order))[::-1] % (2 * self.threads)
        thread = np.minimum(turn, 2 * self.threads - 1 - turn)
        return [order[thread == i] for i in range(self.threads)]


class _Block:
    """A block of steps that share threads, which are made when a step asks for them.

    A block inside another one uses the threads of that one, and no others.
    """

    __slots__ = ("_made", "_outer", "_pool", "_threads", "_token")

    def __init__(self, threads: int | None) -> None:
        self._threads = threads
        self._outer: _Block | None = None
        self._pool: _Pool | None = None
        self._made: Workers | None = None

    def enter(self) -> None:
        """Let the steps that follow use these threads."""
        self._outer = _block.get()
        self._token = _block.set(self)

    def team(self) -> Workers:
        """Return the threads: at most as many as asked for, or as there are cores."""
        if self._made is None:
            most = number_of_cores() if self._threads is None else min(self._threads, MOST)
            if self._outer is not None:
                outer = self._outer.team()
                self._made = Workers(min(most, outer.threads), outer.pool)
            else:
                self._pool = _Pool(most - 1) if most > 1 else None
                self._made = Workers(most, self._pool)
        return self._made

    def __exit__(self, *_: object) -> None:
        _block.reset(self._token)
        if self._pool is not None:
            self._pool.shutdown()


_block: ContextVar[_Block | None] = ContextVar("block", default=None)
"""The innermost block that is entered."""


class workers(_Block):  # noqa: N801 - a context manager; one made by contextlib is slower
    """Provide threads, and stop them at the end; a single thread is the calling one."""

    __slots__ = ()

    def __enter__(self) -> Workers:
        self.enter()
        return self.team()


class all_threads(_Block):  # noqa: N801
    """Provide the threads of a call for all of its steps, each of which uses what it needs.

    So threads are started once for several steps, and none uses more than the call may use.
    """

    __slots__ = ()

    def __init__(self, threads: int | None) -> None:
        check_threads(threads)
        super().__init__(None if threads is None else int(threads))

    def __enter__(self) -> None:
        self.enter()


_alone = nullcontext(Workers(1, None))


def workers_for(n_items: int, n_keys: int = 1) -> AbstractContextManager[Workers]:
    """Provide as many threads as fit a step over some items, counted by some keys."""
    threads = number_of_threads(None, n_items, n_keys)
    return _alone if threads == 1 else workers(threads)


def use_one_thread() -> None:
    """Let all steps in this thread use no other ones: the initializer of pools of comparisons."""
    _block.set(_Block(1))


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
