"""Exit codes, errors and standard output of the program in a shell."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("0\n0\n1\n-1\n")
    Path("b.txt").write_text("1\n1\n2\n2\n")


def in_shell(*args: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "coverlap", *args], capture_output=True, text=True, check=False,
        encoding="utf-8", env={**os.environ, "PYTHONIOENCODING": "utf-8"}, **options,
    )  # fmt: skip


def test_exit_codes():
    good = in_shell("compare", "a.txt", "b.txt", "--json", "--quiet")
    assert (good.returncode, good.stderr, json.loads(good.stdout)["score"]) == (0, "", 0.6875)
    below = in_shell("compare", "a.txt", "b.txt", "--fail-below", "0.9", "-q")
    assert (below.returncode, below.stderr) == (1, "coverlap: score 0.6875 is below 0.9\n")
    bad = in_shell("compare", "a.txt", "none.txt")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr == "coverlap: error: none.txt: No such file or directory\n"


@pytest.mark.parametrize("args", [["compare"], ["--nonsense"], ["nonsense"]])
def test_misuse_is_reported_in_one_line(args: list[str]):
    result = in_shell(*args)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("coverlap: error: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.slow
def test_the_program_alone_prints_its_help():
    result = in_shell()
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == in_shell("--help").stdout


def test_version_and_help():
    assert in_shell("--version").stdout == "coverlap, version 0.1.0\n"
    for args in ([], ["compare"], ["demo"]):
        result = in_shell(*args, "--help")
        assert result.returncode == 0
        assert result.stdout.startswith("Usage: coverlap ")
        assert "Example: coverlap " in result.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_reader_that_stops_early_is_not_an_error():
    Path("many.txt").write_text("".join(f"{i}\n" for i in range(5_000)))
    code = "import sys; sys.stdin.readline()"
    with subprocess.Popen(
        [sys.executable, "-m", "coverlap", "compare", "many.txt", "many.txt", "--json", "-q"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as writer:  # fmt: skip
        subprocess.run([sys.executable, "-c", code], stdin=writer.stdout, check=True)
        writer.stdout.close()
        assert (writer.stderr.read(), writer.wait()) == (b"", 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_reported_in_one_line():
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [sys.executable, "-m", "coverlap", "compare", "a.txt", "b.txt", "-q"], stdout=full,
            stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert result.returncode == 2
    assert result.stderr.startswith(b"coverlap: error: standard output: ")
    assert result.stderr.count(b"\n") == 1


def test_an_output_that_is_not_unicode_is_not_an_error():
    result = subprocess.run(
        [sys.executable, "-m", "coverlap", "compare", "a.txt", "b.txt"], capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=True,
    )  # fmt: skip
    assert result.stdout.startswith(b"F*_wo = 0.687500")
