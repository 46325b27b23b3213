"""Experiments that are interrupted, fail or are killed leave no process behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIMIT = 60
"""Seconds until a process that does not react counts as hanging."""

IGNORED_IN_BACKGROUND = (signal.SIGINT, signal.SIGHUP)

SCRIPT = """
import os, sys, time
from pathlib import Path
from paper.experiments.experiment import SCALES, Experiment
from paper.experiments.runner import run_experiments

def sample(rng, scale):
    Path(f"started-{os.getpid()}").touch()
    if sys.argv[1] == "fails" and len(list(Path().glob("started-*"))) == 2:
        raise ValueError("this sample fails")
    if sys.argv[1] == "dies" and len(list(Path().glob("started-*"))) == 2:
        os._exit(3)
    time.sleep(600)

if __name__ == "__main__":
    endless = Experiment(
        name="endless", title="", figure=1, x_name="", measures=(), n_stated=50, n_stored=50,
        authors_seconds=None, sample=sample,
    )
    run_experiments([endless], SCALES["paper"], n_workers=2)
"""

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


def session_of(process: Path) -> int:
    """Return the session of a process in /proc, -1 if it has ended."""
    try:
        state, _, _, session = (process / "stat").read_text().rpartition(")")[2].split()[:4]
    except OSError:
        return -1
    return -1 if state in "ZX" else int(session)


def processes_of(session: int) -> list[int]:
    found = [path for path in Path("/proc").iterdir() if path.name.isdecimal()]
    return [int(path.name) for path in found if session_of(path) == session]


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < deadline, "nothing happened"
        time.sleep(0.02)


class Run:
    """A process in a session of its own, with all that it starts."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.folder = folder
        self.main = subprocess.Popen(
            command, cwd=folder, start_new_session=True, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])},
        )  # fmt: skip

    def wait_for_workers(self) -> None:
        wait_until(lambda: len(list(self.folder.glob("started-*"))) == 2)

    def finish(self) -> tuple[int, str]:
        """Return the exit code and standard error, once no process is left."""
        _, errors = self.main.communicate(timeout=LIMIT)
        wait_until(lambda: not processes_of(self.main.pid))
        return self.main.returncode, errors


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Run]]:
    """Start commands, and end what is left of them after the test."""
    runs = []

    def run(*command: str) -> Run:
        runs.append(Run([sys.executable, *command], tmp_path))
        return runs[-1]

    # A process in the background of a shell, or under nohup, like this one perhaps, ignores these
    # signals, and so would those that it starts.
    before = {number: signal.signal(number, signal.SIG_DFL) for number in IGNORED_IN_BACKGROUND}
    yield run
    for number, handler in before.items():
        signal.signal(number, handler)
    for one in runs:
        for process in processes_of(one.main.pid):
            os.kill(process, signal.SIGKILL)
        one.main.communicate()


@pytest.fixture
def endless(start: Callable[..., Run], tmp_path: Path) -> Callable[[str], Run]:
    def run(kind: str) -> Run:
        (tmp_path / "endless.py").write_text(SCRIPT)
        process = start("endless.py", kind)
        process.wait_for_workers()
        return process

    return run


@pytest.mark.parametrize("to_all", [True, False], ids=["a terminal", "kill"])
def test_an_interrupt_ends_the_workers(endless, to_all):
    run = endless("sleeps")
    (os.killpg if to_all else os.kill)(run.main.pid, signal.SIGINT)
    code, errors = run.finish()
    assert code == -signal.SIGINT
    assert errors.count("Traceback") == 1  # that of the script, none of the workers


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_workers_end_with_a_process_that_is_killed(endless, number):
    run = endless("sleeps")
    os.kill(run.main.pid, number)
    assert run.finish()[0] == -number


@pytest.mark.parametrize(("kind", "error"), [("fails", "ValueError: this sample fails"),
                                             ("dies", "BrokenProcessPool: ")])  # fmt: skip
def test_an_error_in_one_sample_ends_the_others(endless, kind, error):
    code, errors = endless(kind).finish()
    assert code == 1
    assert error in errors.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.0, 0.3, 1.0, 3.0])
def test_an_interrupt_of_the_command_line_is_one_line(start, delay):
    run = start("-m", "paper", "reproduce", "figure1", "--workers", "2", "-o", "out")
    wait_until(lambda: len(processes_of(run.main.pid)) >= 3)  # itself, a tracker, a worker
    time.sleep(delay)
    os.killpg(run.main.pid, signal.SIGINT)
    code, errors = run.finish()
    assert code == 130
    assert errors.split("\n")[-2:] == ["paper: interrupted", ""]
    assert "Traceback" not in errors
    assert not list((run.folder / "out").iterdir())
