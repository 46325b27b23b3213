"""Measure what the tests catch: change the source in one place at a time, and run the tests.

Run it with ``make mutants SEED=1 N=100``. A mutant has one other operator, comparison, number,
condition or returned value; docstrings, annotations and error messages stay. First the tests that
reach the line are run, up to the first failure, and `make test` if all of them pass. Survivors are
printed with their lines. Lines of kernels are reached by the tests of the lines that call them.

mutmut 3.8 leaves out functions with decorators, as all kernels are, and cosmic-ray 8.7 runs the
same tests for each change of a whole folder.
"""

import argparse
import ast
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import deepcopy
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from coverage import CoverageData

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "coverlap"
REACHED = ROOT / ".coverage.mutants"
"""Which tests reach a line; recorded if it is older than a source or a test."""

WORKERS = 2
MANY_TESTS = 1500
"""If more tests reach a line, all are run at once, by several processes."""

SECONDS, SECONDS_OF_ALL = 400, 900
"""A mutant that takes longer is caught."""

MEMORY = 16 << 30

SWAPPED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.Mod: ast.Add,
    ast.FloorDiv: ast.Mult, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr, ast.And: ast.Or,
    ast.Or: ast.And,
}  # fmt: skip


class Mutant(NamedTuple):
    """A file in which the bytes from ``start`` to ``stop`` are replaced."""

    path: Path
    line: int
    last_line: int
    function: str
    start: int
    stop: int
    new: str

    def __str__(self) -> str:
        old = self.path.read_bytes()[self.start : self.stop].decode()
        shown = " ".join(old.split())
        return f"{self.path.relative_to(ROOT)}:{self.line}: {shown}  ->  {self.new}"

    def text(self) -> bytes:
        """Return the content of the changed file."""
        old = self.path.read_bytes()
        return old[: self.start] + self.new.encode() + old[self.stop :]


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield all mutants of a file."""
    text = path.read_bytes()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def visit(node: ast.AST, line: int, function: str) -> Iterator[Mutant]:
        if isinstance(node, ast.stmt):
            line = node.lineno
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            function = function or node.name
        for target, new in changes(node):
            yield Mutant(
                path, line, target.end_lineno, function,
                starts[target.lineno - 1] + target.col_offset,
                starts[target.end_lineno - 1] + target.end_col_offset, new,
            )  # fmt: skip
        for child in changed_children(node):
            yield from visit(child, line, function)

    yield from visit(ast.parse(text), 1, "")


def changed_children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that are no annotations, decorators or messages of errors."""
    if isinstance(node, (ast.Raise, ast.JoinedStr, ast.Assert)):
        return
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list"):
            children = value if isinstance(value, list) else [value]
            yield from (child for child in children if isinstance(child, ast.AST))


def changes(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield a part of a node and what it is replaced by."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            other = deepcopy(node)
            other.ops[place] = SWAPPED[type(operator)]()
            yield node, f"({ast.unparse(other)})"
    elif isinstance(node, (ast.BinOp, ast.BoolOp, ast.AugAssign)):
        if type(node.op) in SWAPPED and not _is_text(node):
            other = deepcopy(node)
            other.op = SWAPPED[type(node.op)]()
            written = ast.unparse(other)
            yield node, written if isinstance(node, ast.AugAssign) else f"({written})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield node, f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float)):
        value = node.value
        yield node, repr(not value if isinstance(value, bool) else value + 1)
    elif isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield node.value, "None"
    if isinstance(node, (ast.If, ast.While, ast.IfExp)) and not isinstance(node.test, ast.Compare):
        yield node.test, f"(not ({ast.unparse(node.test)}))"


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_text(node: ast.AST) -> bool:
    """Return whether a sum is one of strings, as messages are."""
    return any(
        isinstance(part, ast.JoinedStr)
        or (isinstance(part, ast.Constant) and isinstance(part.value, str))
        for part in ast.iter_child_nodes(node)
    )


def record() -> None:
    """Run the quick tests once, and record which of them reach each line."""
    files = [path for folder in ("src", "tests") for path in (ROOT / folder).rglob("*.py")]
    if REACHED.exists() and REACHED.stat().st_mtime > max(path.stat().st_mtime for path in files):
        return
    REACHED.unlink(missing_ok=True)
    options = ["--cov", "--cov-context=test", "--cov-report=", "--cov-fail-under=0"]
    environment = os.environ | {"COVERAGE_FILE": str(REACHED)}
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *all_tests(), *options],
        cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip


def all_tests() -> list[str]:
    """Return the arguments of pytest for the quick tests, by several processes."""
    return ["-m", "not slow and not spark", "--numprocesses", "auto", "--dist", "worksteal"]


@cache
def reached() -> dict[str, dict[int, list[str]]]:
    """Return the tests that reach each line of each file."""
    data = CoverageData(str(REACHED))
    data.read()
    return {name: data.contexts_by_lineno(name) for name in data.measured_files()}


def tests_of(mutant: Mutant) -> set[str]:
    """Return the quick tests that reach a line, or that call a kernel."""
    places = [(mutant.path, range(mutant.line, mutant.last_line + 1))]
    if mutant.path.parent.name == "_kernels":
        names = _with_callers(mutant)
        places = [
            (path, [n for name in names for n in lines.get(name, [])]) for path, lines in _uses()
        ]
    found = {
        context.split("|")[0]
        for path, lines in places
        for line in lines
        for context in reached().get(str(path), {}).get(line, [])
    }
    return found - {""}


def _with_callers(mutant: Mutant) -> set[str]:
    """Return the name of a kernel and of those in its file that call it."""
    names = {mutant.function}
    functions = [node for node in ast.parse(mutant.path.read_text()).body if hasattr(node, "name")]
    for _ in functions:
        names |= {
            one.name
            for one in functions
            if any(isinstance(node, ast.Name) and node.id in names for node in ast.walk(one))
        }
    return names


@cache
def _uses() -> list[tuple[Path, dict[str, list[int]]]]:
    """Return, for each file, the lines on which names are used."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        lines = defaultdict(list)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.Name, ast.Attribute)):
                lines[node.id if isinstance(node, ast.Name) else node.attr].append(node.lineno)
        if path.parent.name != "_kernels":
            found.append((path, dict(lines)))
    return found


class Copy:
    """A copy of the project in which one file at a time is changed."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        for name in filter(None, listed.stdout.split("\0")):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / name).exists():
                shutil.copy2(ROOT / name, target)
        self._copy_cache()

    def _copy_cache(self) -> None:
        """Copy what Numba compiled, which holds for files with the same times."""
        kept = Path("src", "coverlap", "_kernels", "__pycache__")
        shutil.rmtree(self.root / kept, ignore_errors=True)
        if (ROOT / kept).exists():
            shutil.copytree(ROOT / kept, self.root / kept)

    def survives(self, mutant: Mutant, arguments: list[str], seconds: float) -> bool:
        """Return whether all tests pass with a change."""
        target = self.root / mutant.path.relative_to(ROOT)
        target.write_bytes(mutant.text())
        path = os.pathsep.join(map(str, (self.root / "src", self.root)))
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *arguments],
            cwd=self.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
            start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),  # noqa: PLW1509
        )  # fmt: skip
        try:
            return process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            _end(process)
            shutil.copy2(mutant.path, target)
            if mutant.path.parent.name == "_kernels":
                self._copy_cache()


def _end(process: subprocess.Popen) -> None:
    """End a process and all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def survivors_of(mutants: list[Mutant], folder: Path) -> Iterator[Mutant]:
    """Yield the mutants that no quick test catches."""
    copies: SimpleQueue[Copy] = SimpleQueue()
    for number in range(WORKERS):
        copies.put(Copy(folder / str(number)))

    def passes_tests_of_line(mutant: Mutant) -> bool:
        tests = tests_of(mutant)
        if not 0 < len(tests) <= MANY_TESTS:
            return True  # all tests are next
        copy = copies.get()
        try:
            arguments = folder / f"{copy.root.name}.txt"
            arguments.write_text("\n".join(sorted(tests)))
            return copy.survives(mutant, [f"@{arguments}"], SECONDS)
        finally:
            copies.put(copy)

    with ThreadPoolExecutor(WORKERS) as pool:
        left = [
            mutant
            for mutant, passes in zip(mutants, pool.map(passes_tests_of_line, mutants), strict=True)
            if passes
        ]
    print(f"{len(mutants) - len(left)} caught by tests that reach the line", flush=True)
    copy = copies.get()
    for mutant in left:
        if copy.survives(mutant, all_tests(), SECONDS_OF_ALL):
            print(f"survived: {mutant}", flush=True)
            yield mutant


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=100)
    arguments = parser.parse_args()
    every = [mutant for path in sorted(SOURCE.rglob("*.py")) for mutant in mutants_of(path)]
    chosen = random.Random(arguments.seed).sample(every, arguments.number)
    record()
    with tempfile.TemporaryDirectory(prefix="coverlap-mutants-") as folder:
        survived = set(survivors_of(chosen, Path(folder)))
    total: Counter[str] = Counter()
    alive: Counter[str] = Counter()
    for mutant in chosen:
        package = mutant.path.relative_to(SOURCE).parts[0]
        total[package] += 1
        alive[package] += mutant in survived
    for package in sorted(total):
        print(f"{package:16}{total[package] - alive[package]:4} caught{alive[package]:4} survived")
    print(f"{len(chosen) - len(survived)} of {len(chosen)} caught")


if __name__ == "__main__":
    main()
