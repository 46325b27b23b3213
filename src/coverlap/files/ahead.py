"""Making things in a thread before they are asked for."""

from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import Generic, TypeVar

Item = TypeVar("Item")

PATIENCE = 0.05
"""Seconds after which a thread that waits for room looks whether it is still wanted."""


class _End:
    """What follows the last item: the error that came in place of another one, or None."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


class Ahead(Generic[Item]):
    """Items that a thread makes from now on, at most so many before they are asked for.

    Somebody must call `stop`: a thread pool that is left to the garbage collector can lock up.
    """

    def __init__(self, items: Iterator[Item], most: int) -> None:
        self._queue: Queue[Item | _End] = Queue(most)
        self._stopped = Event()
        self._thread = Thread(target=self._make, args=(items,), daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[Item]:
        while True:
            item = self._queue.get()
            if isinstance(item, _End):
                if item.error is not None:
                    raise item.error
                return
            yield item

    def stop(self) -> None:
        """Want no more items, and wait a moment for the thread to end."""
        self._stopped.set()
        with suppress(Empty):
            while True:
                self._queue.get_nowait()
        self._thread.join(20 * PATIENCE)

    def _make(self, items: Iterator[Item]) -> None:
        error = None
        try:
            for item in items:
                self._put(item)
                if self._stopped.is_set():
                    return
        except BaseException as raised:  # noqa: BLE001 - it is raised where items are asked for
            error = raised
        self._put(_End(error))

    def _put(self, item: Item | _End) -> None:
        while not self._stopped.is_set():
            with suppress(Full):
                self._queue.put(item, timeout=PATIENCE)
                return
