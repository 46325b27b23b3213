"""Examples in docstrings run in folders of their own; Hypothesis draws the same cases every time.

It has no deadline, because the first case of a test may compile kernels.
"""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("coverlap", derandomize=True, deadline=None)
settings.load_profile("coverlap")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        monkeypatch.chdir(tmp_path)
