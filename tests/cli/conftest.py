"""Every test of the command line runs in an empty folder."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
