"""Kernels run even if they cannot be cached, or if the cache is damaged."""

import os
import pickle
import subprocess
import sys

import numba
import pytest

from coverlap._kernels._jit import compiled

SCORE = """
import coverlap
from coverlap._kernels import _jit
_jit.PLAIN_SECONDS = 0
print(coverlap.fstar_score([0, 0, 1], [0, 1, 1]))
"""
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


def spoil(folder, suffix, change):
    for path in folder.rglob(f"*.{suffix}"):
        path.write_bytes(change(path.read_bytes()))


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize(
    "change",
    [lambda _: b"", lambda data: data[: len(data) // 2], lambda data: data[:-1], lambda _: b"\x80",
     lambda _: pickle.dumps("0.0.1") + pickle.dumps(({}, {}))],
    ids=["empty", "half", "all but a byte", "no pickle", "of another version"],
)  # fmt: skip
def test_a_damaged_cache_is_made_anew(tmp_path, monkeypatch, suffix, change):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    assert compiled(increment)(1) == 2
    spoil(tmp_path, suffix, change)
    assert compiled(increment)(1) == 2
    again = compiled(increment)
    assert again(1) == 2
    assert sum(again.stats.cache_hits.values()) == 1


def increment(number):
    return number + 1


def test_a_cache_that_cannot_be_opened_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    assert compiled(increment)(1) == 2
    for path in tmp_path.rglob("*.nbi"):
        path.unlink()
        path.mkdir()
    assert compiled(increment)(1) == 2
