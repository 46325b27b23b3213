"""Signals, and standard streams that are closed or full."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.runner import error_line, run
from tests.marks import slow_after

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals and shells")

COVERLAP = f"{sys.executable} -m coverlap"
START = """
import sys
print(flush=True)
try:
    from coverlap.__main__ import main
except KeyboardInterrupt:
    sys.exit(130)
sys.argv = ["coverlap", *sys.argv[1:]]
main()
"""
"""Ctrl-C before the command line gets control is not its affair."""


@pytest.fixture(autouse=True)
def files() -> None:
    Path("a.txt").write_text("0\n0\n1\n-1\n")
    Path("b.txt").write_text("1\n1\n2\n2\n")


def shell(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/bash", "-c", command.replace("coverlap", COVERLAP, 1)], capture_output=True,
        text=True, check=False, timeout=120,
    )  # fmt: skip


def python(code: str, *args: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, check=False, timeout=120
    )


@pytest.mark.slow
@pytest.mark.parametrize("stderr", ["2>&-", "2>/dev/full", "2> >(true)"])
@pytest.mark.parametrize(
    ("args", "code"),
    [("a.txt b.txt", 0), ("a.txt b.txt --fail-below 0.9", 1), ("a.txt none.txt", 2)],
)
def test_the_exit_code_is_true_if_messages_cannot_be_written(args: str, code: int, stderr: str):
    result = shell(f"coverlap compare {args} {stderr}")
    assert (result.returncode, result.stderr) == (code, "")
    assert result.stdout.startswith("F*_wo = 0.6875" if code < 2 else "")


@pytest.mark.parametrize(
    "command",
    slow_after(1, ["convert a.txt - --to json -q | true", "--help | true", "--version | true",
                   "demo | true", "compare many.txt many.txt --json -q | head -1"]),
)  # fmt: skip
def test_a_reader_that_stops_early_or_does_not_read_is_not_an_error(command: str):
    Path("many.txt").write_text("".join(f"{i}\n" for i in range(5_000)))
    result = shell(f"coverlap {command}; exit ${{PIPESTATUS[0]}}")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(
    "command",
    ["demo >/dev/full", "compare a.txt b.txt -q >&-",
     *(pytest.param(line, marks=pytest.mark.slow) for line in (
         "--help >/dev/full", "convert a.txt - --to json >/dev/full",
         "convert a.txt - --to json >&-"))],
)  # fmt: skip
def test_a_result_that_cannot_be_written_is_an_error_in_one_line(command: str):
    result = shell(f"coverlap {command}")
    assert result.returncode == 2
    assert result.stderr.startswith("coverlap: error: ")
    assert "standard output" in result.stderr or "--help" in command
    assert result.stderr.count("\n") == 1


def test_a_file_does_not_get_the_number_of_a_closed_stream():
    code = "os.close(2); protect_streams(); print(os.open('a.txt', os.O_RDONLY) > 2)"
    code = f"import os; from coverlap.cli.process import protect_streams; {code}"
    assert python(code).stdout == b"True\n"


def test_several_commands_run_in_one_process():
    code = """
import sys
from coverlap.cli import main
for _ in range(3):
    sys.argv = ["coverlap", "convert", "no.such.file", "-"]
    try:
        main()
    except SystemExit as ended:
        print(ended.code)
"""
    result = python(code)
    assert result.stdout == b"2\n2\n2\n"
    assert result.stderr.count(b"coverlap: error: ") == 3


@pytest.mark.slow
def test_ctrl_c_gives_no_traceback_at_any_time():
    for step in range(40):
        with subprocess.Popen(
            [sys.executable, "-c", START, "compare", "a.txt", "b.txt"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as child:  # fmt: skip
            child.stdout.readline()
            time.sleep(0.03 * step)
            child.send_signal(signal.SIGINT)
            _, messages = child.communicate(timeout=120)
        assert child.returncode in {0, 130, -signal.SIGINT}, step
        assert b"Traceback" not in messages, step
        assert b"Error" not in messages, step


WRITER = """
import os, sys
from coverlap.cli import main
from coverlap.files.formats import json_text

def write(memberships, file, options):
    file.write(b"half")
    assert len([name for name in os.listdir() if name.endswith(".part")]) == 1
    os.kill(os.getpid(), number)
    file.write(b" and the rest")

json_text.write = write
number = int(sys.argv.pop())
sys.argv = ["coverlap", "convert", "a.txt", "new.json", "--force", "-q"]
main()
"""
"""A command that gets a signal in the middle of writing."""


def test_ctrl_c_inside_a_callback_of_a_library_is_not_lost():
    """An exception in a callback of ctypes is reported and ignored, as in Numba's compiler."""
    code = """
import ctypes, os, signal, time
from coverlap.cli.process import stoppable
received = []
try:
    with stoppable(received):
        ctypes.CFUNCTYPE(None)(lambda: os.kill(os.getpid(), signal.SIGTERM))()
        time.sleep(60)
except KeyboardInterrupt:
    print(*received)
"""
    result = python(code)
    assert (result.stdout, result.stderr) == (b"15 15\n", b"")


@pytest.mark.parametrize(
    "name", ["SIGTERM", *(pytest.param(n, marks=pytest.mark.slow) for n in ("SIGINT", "SIGHUP"))]
)
def test_a_signal_leaves_no_part_of_a_file_behind(name: str):
    number = signal.Signals[name]
    Path("new.json").write_text("old")
    heeded = "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL)"  # nohup ignores it
    result = python(heeded + WRITER, str(int(number)))
    assert (result.returncode, result.stdout, result.stderr.strip()) == (128 + number, b"", b"")
    assert sorted(path.name for path in Path().iterdir()) == ["a.txt", "b.txt", "new.json"]
    assert Path("new.json").read_text() == "old"


def test_a_signal_that_is_ignored_stays_so():
    ignored = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    result = python(ignored + WRITER, str(int(signal.SIGHUP)))
    assert (result.returncode, Path("new.json").read_text()) == (0, "half and the rest")


@pytest.mark.slow
def test_the_library_handles_no_signals():
    code = (
        "import signal; signals = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]\n"
        "before = [signal.getsignal(s) for s in signals]\n"
        "import coverlap, coverlap.cli\n"
        "coverlap.compare([0, 1], [0, 0]); coverlap.write_clustering(\n"
        "    coverlap.Clustering.from_labels([0, 1]), 'c.json')\n"
        "assert [signal.getsignal(s) for s in signals] == before"
    )
    assert python(code).returncode == 0


# Files that the commands write


@pytest.mark.slow
@pytest.mark.parametrize(
    "args",
    [
        ["compare", "a.txt", "b.txt", "--matches", "old.csv", "-q"],
        ["convert", "a.txt", "old.csv", "--force", "-q", "--to-object", "x" * 99],
    ],
)
def test_the_old_file_stays_if_the_disk_is_full(args: list[str]):
    Path("old.csv").write_text("old")
    code = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from coverlap.cli import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)); main()"
    )
    result = python(code, *args)
    assert result.returncode == 2
    assert result.stderr.startswith(b"coverlap: error: old.csv: ")
    assert result.stderr.count(b"\n") == 1
    assert Path("old.csv").read_text() == "old"
    assert sorted(path.name for path in Path().iterdir()) == ["a.txt", "b.txt", "old.csv"]


def test_convert_replaces_a_file_only_by_force():
    Path("c.json").write_text("old")
    assert error_line("convert", "a.txt", "c.json") == "c.json exists; use --force to replace it"
    assert Path("c.json").read_text() == "old"
    assert run("convert", "a.txt", "c.json", "--force").exit_code == 0
    assert Path("c.json").read_text() != "old"
    assert run("convert", "a.txt", os.devnull, "--to", "json").exit_code == 0


# Names of files that are not UTF-8


@pytest.mark.skipif(sys.platform != "linux", reason="needs file names of any bytes")
def test_names_of_files_that_are_no_utf_8_are_told_apart():
    names = [os.fsdecode(name) for name in (b"\xfe.txt", b"\xff.txt")]
    for name in names:
        Path(name).write_text("0\n0\n1\n-1\n")
    result = run("matrix", *names, "--csv", "--reference", names[0])
    assert result.exit_code == 0
    assert result.stdout == "clustering,\\xfe.txt,\\xff.txt\n\\xfe.txt,1.0,1.0\n"
    assert "\\xff.txt read as: " in result.stderr
    assert run("compare", *names, "--matches", names[0] + ".csv").exit_code == 0
    assert run("scores", *names).exit_code == run("describe", names[0]).exit_code == 0
    for args in (["matrix", names[0], names[0]], ["matrix", names[0], r"\xfe.txt"]):
        assert error_line(*args).startswith(r"\xfe.txt is given twice.")
    assert "would overwrite an input file" in error_line("convert", names[0], names[0])
