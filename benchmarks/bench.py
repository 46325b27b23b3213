"""Time coverlap beside SciPy and scikit-learn on the same data, and print the ratios.

Run it with ``make bench``, or name sections: ``python benchmarks/bench.py small large``.
Every time is the best of several runs after a first one; every ratio comes from one process.
"""

import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
from data import Labels, covers, partitions
from opponents import scipy_fstar, scipy_fstar_of_labels, scipy_fstar_turned
from rich.console import Console
from rich.table import Table
from sklearn.metrics import adjusted_rand_score

import coverlap as cv

console = Console()


def best(call: Callable[[], object], runs: int = 7) -> float:
    """Return the seconds of the fastest of several runs, after one that does not count."""
    call()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def report(title: str, ours: float, others: dict[str, float], unit: float, name: str) -> None:
    """Print our time, and the others' with how many times as long they take."""
    table = Table(title=title, title_justify="left")
    table.add_column("")
    table.add_column(name, justify="right")
    table.add_column("times ours", justify="right")
    table.add_row("coverlap.fstar_score", f"{ours / unit:,.1f}", "1.0")
    for other, seconds in others.items():
        table.add_row(other, f"{seconds / unit:,.1f}", f"{seconds / ours:,.2f}")
    console.print(table)


def report_memory(call: Callable[[], object], inputs: int) -> None:
    """Print how much memory a call takes at its peak, beside the size of its inputs."""
    tracemalloc.start()
    call()
    extra = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    console.print(f"peak extra memory {extra / 1e6:,.0f} MB, {extra / inputs:.2f} of the inputs\n")


def small() -> None:
    left, right = partitions(1024, 32, outliers=0.0)
    many = 1000
    ours = best(lambda: [cv.fstar_score(left, right) for _ in range(many)]) / many
    report(
        "1,024 objects, 32 clusters, int64 labels",
        ours,
        {
            "SciPy method": best(lambda: scipy_fstar_of_labels(left, right)),
            "scikit-learn ARI": best(lambda: adjusted_rand_score(left, right)),
            "copy of both arrays": best(
                lambda: [(left.copy(), right.copy()) for _ in range(many)]
            ) / many,
        },
        1e-6,
        "µs",
    )  # fmt: skip


def large() -> None:
    for moved, what in ((0.3, "30 % moved"), (1.0, "independent")):
        _large(what, *partitions(10_000_000, 10_000, moved=moved))


def _large(what: str, left: Labels, right: Labels) -> None:
    report(
        f"10 million objects, 10,000 clusters, 2 % outliers, int64 labels, {what}, 2 threads",
        best(lambda: cv.fstar_score(left, right, threads=2)),
        {
            "coverlap, 1 thread": best(lambda: cv.fstar_score(left, right, threads=1)),
            "SciPy method": best(lambda: scipy_fstar_of_labels(left, right), 2),
            "SciPy method, right side turned": best(lambda: scipy_fstar_turned(left, right), 2),
            "scikit-learn ARI": best(lambda: adjusted_rand_score(left, right), 1),
            "copy of both arrays": best(lambda: (left.copy(), right.copy())),
        },
        1e-3,
        "ms",
    )
    report_memory(lambda: cv.fstar_score(left, right, threads=2), left.nbytes + right.nbytes)


def overlapping() -> None:
    left, right = covers(1_000_000, 50_000)
    both = sum(m.data.nbytes + m.indices.nbytes + m.indptr.nbytes for m in (left, right))
    report(
        "1 million objects x 3 memberships, 50,000 clusters of popularity rank^-0.8, as matrices",
        best(lambda: cv.fstar_score(left, right, threads=2)),
        {
            "coverlap, 1 thread": best(lambda: cv.fstar_score(left, right, threads=1)),
            "SciPy method": best(lambda: scipy_fstar(left, right), 3),
            "copy of both matrices": best(lambda: (left.copy(), right.copy())),
        },
        1e-3,
        "ms",
    )
    report_memory(lambda: cv.fstar_score(left, right, threads=2), both)


def growth() -> None:
    table = Table(title="Growth: 10,000 clusters, 2 threads", title_justify="left")
    for column in ("objects", "ms", "ns per object", "against 1 million"):
        table.add_column(column, justify="right")
    first = 0.0
    for n_objects in (1_000_000, 10_000_000, 100_000_000):
        seconds = _grown(*partitions(n_objects, 10_000))
        per_object = seconds / n_objects
        first = first or per_object
        table.add_row(
            f"{n_objects:,}", f"{seconds * 1e3:,.1f}", f"{per_object * 1e9:.2f}",
            f"{per_object / first:.2f}",
        )  # fmt: skip
    console.print(table)


def _grown(left: Labels, right: Labels) -> float:
    return best(lambda: cv.fstar_score(left, right, threads=2), 5)


def labels() -> None:
    left, right = partitions(1_000_000, 10_000)
    hashes = np.random.default_rng(1).integers(0, 2**62, 10_001)
    texts = np.array([f"cluster {i}" for i in range(10_001)])
    _labels("int64", left, right)
    _labels("hashed int64", hashes[left], hashes[right])
    _labels("strings (NumPy)", texts[left], texts[right])
    _labels("strings (list)", texts[left].tolist(), texts[right].tolist())


def _labels(kind: str, left: Any, right: Any) -> None:
    report(
        f"1 million objects, 10,000 clusters, labels: {kind}",
        best(lambda: cv.fstar_score(left, right, threads=2), 3),
        {
            "SciPy method after np.unique": best(
                lambda: scipy_fstar_of_labels(_codes(left), _codes(right)), 1
            ),
            "scikit-learn ARI": best(lambda: adjusted_rand_score(left, right), 1),
        },
        1e-3,
        "ms",
    )


def _codes(values: Any) -> Labels:
    return np.unique(values, return_inverse=True)[1]


def start() -> None:
    """Time new processes: the import, and a first score with a warm and with a cold cache."""
    bare = _process("pass")
    imported = _process("import coverlap") - bare
    script = "import coverlap; coverlap.fstar_score([0, 0, 1], [0, 1, 1])"
    _process(script)
    warm = _process(script)
    with tempfile.TemporaryDirectory() as empty:
        cold = _process(script, NUMBA_CACHE_DIR=empty)
    console.print(
        f"import coverlap {imported:.2f} s; first score in a new process {warm:.2f} s with a warm "
        f"cache, {cold:.2f} s with a cold one\n"
    )


def _process(script: str, **environment: str) -> float:
    command = [sys.executable, "-c", script]
    times = []
    for _ in range(1 if environment else 5):
        begin = time.perf_counter()
        subprocess.run(command, check=True, env={**os.environ, **environment})
        times.append(time.perf_counter() - begin)
    return min(times)


SECTIONS = {
    section.__name__: section for section in (start, small, labels, overlapping, large, growth)
}

if __name__ == "__main__":
    for section in sys.argv[1:] or SECTIONS:
        SECTIONS[section]()
