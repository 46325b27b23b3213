"""Kernels run even if they cannot be cached."""

import os
import subprocess
import sys

import pytest

SCORE = "import coverlap; print(coverlap.fstar_score([0, 0, 1], [0, 1, 1]))"
NO_FILES = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); "


@pytest.mark.slow
@pytest.mark.parametrize("obstacle", ["no room on the disk", "no folder"])
def test_a_score_needs_no_cache(tmp_path, obstacle):
    script = NO_FILES + SCORE if obstacle == "no room on the disk" else SCORE
    folder = tmp_path if obstacle == "no room on the disk" else "/proc/no/such/folder"
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder)},
    )  # fmt: skip
    assert (result.stdout, result.stderr) == ("0.5\n", "")
