"""Read blocks in a thread, before the consumer asks for them."""

from collections.abc import Iterator
from queue import SimpleQueue
from threading import Semaphore, Thread

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
