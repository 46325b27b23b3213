"""Read blocks, and call functions of them, in threads before the consumer asks for them."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue
from threading import Semaphore, Thread
from typing import TypeVar

from coverlap.core.errors import CoverlapError
from coverlap.core.threads import allowed_threads

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_THREADS = 4
"""More threads than this would wait for the consumer, and what they made would take memory."""

STOP_TIMEOUT = 1.0
"""Seconds to wait for the thread to end; it may be blocked by a pipe that nobody writes to."""


class ReadAhead:
    """Iterate over blocks that a thread reads in advance.

    The caller must call `stop` when it needs no more blocks.

    Parameters
    ----------
    blocks : iterator of bytes
        The blocks to read. An error that it raises is raised again in the consumer.
    limit : int
        The number of blocks to read in advance.
    """

    def __init__(self, blocks: Iterator[bytes], limit: int) -> None:
        self._blocks = blocks
        self._free = Semaphore(limit)
        self._queue: SimpleQueue[bytes | BaseException | None] = SimpleQueue()
        self._stopped = False
        self._thread = Thread(target=self._fill, daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[bytes]:
        while isinstance(block := self._queue.get(), bytes):
            self._free.release()
            yield block
        if block is not None:
            raise block

    def stop(self) -> None:
        """Stop reading, and wait for the thread to end."""
        self._stopped = True
        self._free.release()
        self._thread.join(STOP_TIMEOUT)

    def _fill(self) -> None:
        error = None
        try:
            for block in self._blocks:
                self._free.acquire()
                if self._stopped:
                    return
                self._queue.put(block)
        except BaseException as raised:  # noqa: BLE001 - raised again in the consumer
            error = raised
        self._queue.put(error)


def map_ahead(
    function: Callable[[Item], Result], items: Iterable[Item]
) -> Iterator[tuple[Item, Result]]:
    """Yield each item and the function of it, in order; threads call the function in advance.

    An error that the items raise is raised after the results of all earlier items. If the call may
    use one thread only, nothing is done in advance.
    """
    n_threads = min(allowed_threads(), MOST_THREADS)
    if n_threads == 1:
        yield from ((item, function(item)) for item in items)
        return
    waiting: deque[tuple[Item, Callable[[], Result]]] = deque()
    pool = ThreadPoolExecutor(n_threads)
    try:
        for item in items:
            waiting.append((item, started(pool, partial(function, item))))
            if len(waiting) > 2 * n_threads:
                first, result = waiting.popleft()
                yield first, result()
    except CoverlapError:
        yield from ((item, result()) for item, result in waiting)
        raise
    else:
        yield from ((item, result()) for item, result in waiting)
    finally:  # without waiting, since the garbage collector may run this while a thread starts
        pool.shutdown(wait=False)


def started(pool: ThreadPoolExecutor, call: Callable[[], Result]) -> Callable[[], Result]:
    """Return a function that returns the result of a call, made in a thread if possible."""
    try:
        task = pool.submit(call)
    except RuntimeError:  # the system has too many threads, or Python exits
        return call
    return task.result
