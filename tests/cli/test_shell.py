"""Exit codes, errors and standard output of the program in a shell."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.runner import error_line, run


@pytest.fixture(autouse=True)
def files() -> None:
    Path("a.txt").write_text("0\n0\n1\n-1\n")
    Path("b.txt").write_text("1\n1\n2\n2\n")


def in_shell(*args: str, encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "coverlap", *args], capture_output=True, check=False,
        encoding="utf-8", env={**os.environ, "PYTHONIOENCODING": encoding},
    )  # fmt: skip


def test_exit_codes():
    good = in_shell("compare", "a.txt", "b.txt", "--json", "--quiet")
    assert (good.returncode, good.stderr, json.loads(good.stdout)["score"]) == (0, "", 0.6875)
    below = in_shell("compare", "a.txt", "b.txt", "--fail-below", "0.9", "-q")
    assert (below.returncode, below.stderr) == (1, "coverlap: score 0.6875 is below 0.9\n")
    bad = in_shell("compare", "a.txt", "none.txt")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr == "coverlap: error: none.txt: No such file or directory\n"


def test_an_unknown_command_is_reported_in_one_line():
    assert "No such command" in error_line("nonsense")


def test_the_program_alone_prints_its_help():
    result = run()
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == run("--help").stdout


def test_version_and_help():
    assert run("--version").stdout == "coverlap, version 0.1.0\n"
    for args in ([], ["compare"], ["demo"]):
        text = run(*args, "--help").stdout
        assert text.startswith("Usage: coverlap ")
        assert "Example: coverlap " in text


def test_an_output_that_is_not_unicode_is_not_an_error():
    result = in_shell("compare", "a.txt", "b.txt", encoding="ascii")
    assert result.stdout.startswith("F*_wo = 0.687500")
