import io
import sys

import pytest

from coverlap.cli import progress
from coverlap.cli.progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def replace_stderr(stderr: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Replace standard error. This is no fixture, because pytest sets it after fixtures."""
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setenv("TERM", "xterm")
    return stderr


def test_there_is_no_bar_without_a_terminal(monkeypatch: pytest.MonkeyPatch):
    replace_stderr(io.StringIO(), monkeypatch)
    with progress_bar("reading") as update:
        assert update is None


def test_short_work_shows_no_bar(monkeypatch: pytest.MonkeyPatch):
    terminal = replace_stderr(Terminal(), monkeypatch)
    with progress_bar("reading") as update:
        update(1, 2)
    assert terminal.getvalue() == ""


@pytest.mark.parametrize(
    ("in_bytes", "total", "amount"),
    [(False, 900, "500/900"), (True, 900, "500/900 bytes"), (True, None, "500/? bytes")],
)
def test_long_work_shows_how_much_is_done(
    monkeypatch: pytest.MonkeyPatch, in_bytes: bool, total: int | None, amount: str
):
    terminal = replace_stderr(Terminal(), monkeypatch)
    monkeypatch.setattr(progress, "DELAY", 0)
    with progress_bar("reading", in_bytes=in_bytes) as update:
        update(500, total)
    assert "reading" in terminal.getvalue()
    assert amount in terminal.getvalue()
