"""Run random cases in child processes, which may crash, hang or run out of memory."""

import json
import os
import resource
import select
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Lock, Thread
from typing import Any, NamedTuple

from tests.fuzz import commands, files, inputs

Case = Callable[[Random, Path], str]
"""Runs one random case in an empty folder, and returns its outcome; raises an error if it fails."""

KINDS: dict[str, Case] = {
    "inputs": inputs.run,
    "files": files.run,
    "commands": commands.run,
}

SECONDS = 60
"""A case that takes longer than this hangs."""

BATCH = 5000
"""A child process is replaced after this many cases, so that leaks stay small."""

MEMORY = 4 << 30
"""Bytes of memory that a case may use, beyond what the child process has at its start."""

MOST_SHOWN = 30


class Failure(NamedTuple):
    """A case that failed, and how."""

    number: int
    kind: str
    what: str


def run_case(seed: str, number: int, kinds: list[str], folder: Path) -> str:
    """Run the case with a number, which depends on nothing but the seed, and return its outcome."""
    kind = kinds[number % len(kinds)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return KINDS[kind](Random(f"{seed}-{number}"), folder)


def work(seed: str, kinds: list[str], first: int, step: int, n_cases: int) -> None:
    """Run every ``step``-th case, and report the beginning and the outcome of each."""
    report = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    _limit_memory()
    for number in range(first, first + step * n_cases, step):
        report.write(json.dumps(["begin", number]) + "\n")
        with tempfile.TemporaryDirectory(prefix="coverlap-fuzz-") as folder:
            try:
                outcome = run_case(seed, number, kinds, Path(folder))
            except BaseException:  # noqa: BLE001 - any exception is a finding
                report.write(json.dumps(["failed", traceback.format_exc(limit=-6)]) + "\n")
            else:
                report.write(json.dumps(["done", outcome]) + "\n")


def _limit_memory() -> None:
    for line in Path("/proc/self/status").read_text("ascii", "replace").splitlines():
        if line.startswith("VmSize:"):
            limit = int(line.split()[1]) * 1024 + MEMORY
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


class Team:
    """Child processes that run cases until the time is over, and what they found."""

    def __init__(self, seed: str, kinds: list[str], end: float, size: int) -> None:
        self.seed, self.kinds, self.end, self.size = seed, kinds, end, size
        self.outcomes: Counter[tuple[str, str]] = Counter()
        self.failures: list[Failure] = []
        self._lock = Lock()

    def run(self) -> None:
        threads = [Thread(target=self._keep_working, args=(first,)) for first in range(self.size)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _keep_working(self, first: int) -> None:
        """Run the cases of one child process, in new processes when one ends or hangs."""
        following = first
        while time.monotonic() < self.end:
            command = [sys.executable, "-m", "tests.fuzz", "--seed", self.seed, "--kinds"]
            command += [*self.kinds, "--worker", str(following), str(self.size), str(BATCH)]
            errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed below
            child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
            last = self._watch(child)
            child.kill()
            code = child.wait()
            if last is not None and time.monotonic() < self.end:
                errors.seek(0)
                self._fail(last, f"the process ended with {code}\n{errors.read().decode()[-2000:]}")
            errors.close()
            following = (following if last is None else last) + self.size

    def _watch(self, child: "subprocess.Popen[bytes]") -> int | None:
        """Record outcomes until the child ends; return the case that it was at, if any."""
        assert child.stdout is not None
        number: int | None = None
        pipe, text = child.stdout.fileno(), b""
        while time.monotonic() < self.end:
            if not select.select([pipe], [], [], SECONDS)[0]:
                if number is not None:
                    self._fail(number, f"took more than {SECONDS} seconds")
                return None
            block = os.read(pipe, 1 << 16)
            if not block:
                return number
            *lines, text = (text + block).split(b"\n")
            for line in lines:
                what, value = json.loads(line)
                if what == "begin":
                    number = int(value)
                    continue
                self._record(number or 0, what, value)
                number = None
        return None

    def _record(self, number: int, what: str, value: Any) -> None:
        if what == "failed":
            self._fail(number, str(value))
            return
        with self._lock:
            self.outcomes[self.kinds[number % len(self.kinds)], str(value)] += 1

    def _fail(self, number: int, what: str) -> None:
        with self._lock:
            self.failures.append(Failure(number, self.kinds[number % len(self.kinds)], what))


def run_campaign(seed: str, seconds: float, kinds: list[str]) -> int:
    """Run cases for some time, print what was found, and return the exit code."""
    team = Team(seed, kinds, time.monotonic() + seconds, os.cpu_count() or 1)
    _say(f"seed {seed}, {seconds / 60:g} minutes, {team.size} processes")
    team.run()
    for (kind, outcome), times in sorted(team.outcomes.items()):
        _say(f"{kind:10} {outcome:12} {times:>9,}")
    _say(f"{sum(team.outcomes.values()) + len(team.failures):,} cases, {len(team.failures)} failed")
    for failure in team.failures[:MOST_SHOWN]:
        again = f"python -m tests.fuzz --seed {seed} --kinds {' '.join(kinds)}"
        _say(f"\n{failure.kind}: {again} --case {failure.number}\n{failure.what}")
    return 1 if team.failures else 0


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
