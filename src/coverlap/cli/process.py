"""The process of a command: its signals, and its standard streams."""

import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Timer
from types import FrameType
from typing import Any

STOPPED = 128
"""Exit code of a command that a signal stops, without the number of the signal."""

SIGNALS = [signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP")
           if hasattr(signal, name)]  # fmt: skip


class Messages(io.TextIOWrapper):
    """Standard error that drops what cannot be written."""

    def write(self, text: str, /) -> int:
        """Write text if possible."""
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        """Flush the stream if possible."""
        with suppress(OSError):
            super().flush()


def protect_streams() -> None:
    """Drop messages that cannot be written, and keep files off the numbers of closed streams."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
    stream = sys.stderr
    if isinstance(stream, io.TextIOWrapper) and not isinstance(stream, Messages):
        with suppress(OSError):
            stream.flush()
        sys.stderr = Messages(stream.buffer, stream.encoding, stream.errors, line_buffering=True)


@contextmanager
def stoppable(received: list[int]) -> Iterator[None]:
    """Raise KeyboardInterrupt at signals that stop the command, so that it cleans up.

    Their numbers are appended to a list. After the first one, only Ctrl-C has an effect, and ends
    the process at once; so does every signal at the end. Signals that are ignored, as by nohup,
    stay so.
    """
    handled = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]

    def stop(number: int, _: FrameType | None) -> None:
        received.append(number)
        for other in handled:
            signal.signal(other, signal.SIG_DFL if other == signal.SIGINT else signal.SIG_IGN)
        raise KeyboardInterrupt

    def send_again(ignored: Any) -> None:
        """Repeat a signal that came inside a callback of a library, where exceptions are lost."""
        if not isinstance(ignored.exc_value, KeyboardInterrupt):
            sys.__unraisablehook__(ignored)
            return
        signal.signal(received[-1], stop)
        Timer(0.01, os.kill, (os.getpid(), received[-1])).start()

    hook = sys.unraisablehook
    try:
        sys.unraisablehook = send_again
        for number in handled:
            signal.signal(number, stop)
        yield
    finally:
        sys.unraisablehook = hook
        for number in handled:
            signal.signal(number, signal.SIG_DFL)
