"""Kernels run as plain Python on small inputs, until Numba pays; both give the same bits."""

import json
import os
import subprocess
import sys
from itertools import product

import numpy as np
import pytest

import coverlap as cv
from coverlap._kernels import _jit
from tests import naive

PLAIN = """
import json, sys
import coverlap as cv
from coverlap._kernels import _jit
_jit.PLAIN_SECONDS = _jit.PLAIN_WORK = float("inf")
for *sides, kind, options in json.loads(sys.argv[1]):
    if kind == "sets":
        sides = [[set(members) for members in side] for side in sides]
    score, result = cv.fstar_score(*sides, **options), cv.compare(*sides, **options)
    print(json.dumps([score, result.to_dict()]))
assert "numba" not in sys.modules
"""

START = """
import sys
import numpy as np
import coverlap as cv
"""

SWITCH = """
labels = np.arange(500) % 7, np.arange(500) % 11
scores = {cv.fstar_score(*labels)}
assert "numba" not in sys.modules
while "numba" not in sys.modules:
    scores.add(cv.fstar_score(*labels))
scores.add(cv.fstar_score(*labels))
print(len(scores))
"""

THREADS = """
from concurrent.futures import ThreadPoolExecutor
from coverlap._kernels import _jit
_jit.PLAIN_SECONDS = 0.02
labels = np.arange(300) % 7, np.arange(300) % 11
covers = [set(range(i, i + 5)) for i in range(40)], [set(range(i, i + 4)) for i in range(40)]

def score(i):
    return cv.fstar_score(*(covers if i % 2 else labels), threads=1 + i % 3)

with ThreadPoolExecutor(8) as pool:
    print(len(set(pool.map(score, range(64)))), "numba" in sys.modules)
"""

HUB = "[{0, i} for i in range(1, 600)]"
"""Clusters that share one object, so that 600 x 600 pairs of memberships are visited."""


def child(script, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def random_sides(seed):
    rng = np.random.default_rng(seed)
    n_objects = int(rng.integers(1, 12))
    return [
        [rng.choice(n_objects, rng.integers(1, n_objects + 1)).tolist()
         for _ in range(rng.integers(0, 6))]
        for _ in range(2)
    ]  # fmt: skip


def check_plain(cases):
    """Assert that plain kernels give what compiled ones give; return the scores."""
    lines = [json.loads(line) for line in child(PLAIN, json.dumps(cases))]
    for (*given, kind, options), (score, table) in zip(cases, lines, strict=True):
        sides = [list(map(set, side)) for side in given] if kind == "sets" else given
        assert score == cv.fstar_score(*sides, **options)
        assert table == json.loads(json.dumps(cv.compare(*sides, **options).to_dict()))
    return [score for score, _ in lines]


@pytest.fixture
def compiles(monkeypatch):
    monkeypatch.setattr(_jit, "PLAIN_SECONDS", 0)


@pytest.mark.usefixtures("compiles")
def test_plain_kernels_equal_compiled_ones_and_the_definition():
    names = "similarity", "average"
    options = [dict(zip(names, values, strict=True))
               for values in product(naive.SIMILARITIES, ("size", "equal"))]  # fmt: skip
    cases = [(*random_sides(seed), "sets", options[seed % 8]) for seed in range(80)]
    for score, (left, right, _, chosen) in zip(check_plain(cases), cases, strict=True):
        sides = [set(members) for members in left], [set(members) for members in right]
        exact = naive.fstar(*sides, set().union(*sides[0], *sides[1]), **chosen)
        assert score == pytest.approx(float(exact), abs=1e-12)


@pytest.mark.usefixtures("compiles")
def test_plain_kernels_equal_compiled_ones_on_labels_and_files(tmp_path):
    rng, cases = np.random.default_rng(0), []
    for i in range(12):
        sides = rng.integers(-1, 6, (2, 30)).tolist()
        cases += [(*sides, "labels", {}), (*([f"c{x}" for x in side] for side in sides), "", {})]
        paths = [tmp_path / f"{i}{side}.csv" for side in "lr"]
        for path, side in zip(paths, sides, strict=True):
            rows = (f'"object, ""{j}""",{x}\n' for j, x in enumerate(side))
            path.write_text("object,cluster\n" + "".join(rows))
        cases.append((*map(str, paths), "files", {}))
    scores = check_plain(cases)
    assert scores[::3] == scores[2::3]


@pytest.mark.parametrize("script", [
    "cv.fstar_score([0, 0, 1], [0, 1, 1])",
    "cv.compare([{1, 2}, {2, 3}], [{1, 2}, {3}])",
    "from click.testing import CliRunner; from coverlap.cli import program; "
    "assert CliRunner().invoke(program, ['compare', *sys.argv[1:]]).exit_code == 0",
])  # fmt: skip
def test_small_inputs_need_no_numba(tmp_path, script):
    paths = [tmp_path / "left.csv", tmp_path / "right.csv"]
    for path in paths:
        path.write_text("object,cluster\na,1\nb,1\nc,2\n")
    done = child(f"{START}{script}\nprint('numba' in sys.modules)", *map(str, paths))
    assert done == ["False"]


@pytest.mark.slow
@pytest.mark.parametrize("side", ["np.zeros(40_000, int)", HUB])
def test_large_inputs_are_compiled_at_once(side):
    script = f"{START}side = {side}\ncv.fstar_score(side, side)\nprint('numba' in sys.modules)"
    assert child(script) == ["True"]


@pytest.mark.slow
def test_repeated_small_calls_are_compiled_soon_and_keep_their_score():
    assert child(START + SWITCH) == ["1"]


@pytest.mark.slow
def test_threads_may_switch_to_compiled_kernels_at_once():
    assert child(START + THREADS) == ["2 True"]


def test_kernels_return_python_numbers():
    script = START + (
        "from coverlap._kernels import matching\n"
        "print(repr(matching.largest(np.array([3, 1]))), 'numba' in sys.modules)"
    )
    assert child(script) == ["3 False"]


def test_results_are_the_same_if_the_user_disables_the_compiler():
    code = """
import sys
import coverlap as cv
result = cv.compare([i % 7 for i in range(3000)], [i % 11 for i in range(3000)])
print(result.to_json(), cv.scores([{1, 2}, {2, 3}], [{1, 2, 3}]).to_json())
"""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], text=True, capture_output=True, check=True,
            env=os.environ | {"NUMBA_DISABLE_JIT": off},
        ).stdout
        for off in "01"
    }  # fmt: skip
    assert len(outputs) == 1
