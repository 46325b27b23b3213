"""Examples in docstrings run in folders of their own; Hypothesis draws the same cases every time.

It draws others in `make nightly`, and more. It has no deadline, because the first case of a test
may compile kernels.
"""

from pathlib import Path

import pytest
from hypothesis import settings

from tests.marks import SEED

settings.register_profile("coverlap", derandomize=True, deadline=None)
settings.register_profile("nightly", derandomize=False, deadline=None, max_examples=1000)
settings.load_profile("nightly" if SEED else "coverlap")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        monkeypatch.chdir(tmp_path)
