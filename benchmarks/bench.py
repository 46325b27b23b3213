"""Time fstar_score beside SciPy and scikit-learn on the same data, and print the ratios.

Run it with ``make bench``, or name sections: ``python benchmarks/bench.py labels large``; add
``--tiny`` for small data. The SciPy method is the one of the paper, see `scipy_method`. Every time
is the best of several runs after a first one; every ratio comes from one process.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from data import TINY, Labels, covers, partitions, size
from rich.table import Table
from scipy_method import scipy_fstar, scipy_fstar_of_labels, scipy_fstar_transposed
from timing import best, best_of_many, console, once, optional, peak_memory, report, run

import coverlap as cv
from coverlap.core.threads import Workers, number_of_cores

OURS = "coverlap.fstar_score"


SCORE = "import coverlap; coverlap.fstar_score([0, 0, 1], [0, 1, 1])"
COMPILED_SCORE = (
    "import coverlap, numpy; labels = numpy.arange(100_000) % 7; "
    "coverlap.fstar_score(labels, labels)"
)
COMMAND = "from coverlap.__main__ import main; main()"


def start() -> None:
    """Time new processes: imports, a first score, and the command line on two small files.

    They read bytecode, as after an installation, and compiled kernels from the cache, but for the
    last row.
    """
    with tempfile.TemporaryDirectory() as folder:
        files = [f"{folder}/{side}.csv" for side in ("left", "right")]
        for file, step in zip(files, (10, 7), strict=True):
            rows = [f"object{i},cluster{i // step}\n" for i in range(50)]
            Path(file).write_text("object,cluster\n" + "".join(rows))
        peers = {"import sklearn.metrics"} if optional("sklearn.metrics") else set()
        imports = ("import numpy", *peers, "import coverlap")
        others = {"Python alone": _process(folder, "pass")}
        others |= {script: _process(folder, script) for script in imports}
        for command in ("--help", "compare", "scores"):
            arguments = [command] if command == "--help" else [command, *files]
            title = " ".join(["coverlap", command, *map(os.path.basename, arguments[1:])])
            others[title] = _process(folder, COMMAND, *arguments)
        others["first score of 100,000 objects"] = _process(folder, COMPILED_SCORE)
        cold = {"NUMBA_CACHE_DIR": f"{folder}/cache"}
        others["the same with a cold cache"] = _process(folder, COMPILED_SCORE, runs=1, **cold)
        report("New processes", "first score of 3 objects", _process(folder, SCORE), others)


def _process(
    bytecode: str, script: str, *arguments: str, runs: int = size(5, 1), **more: str
) -> float:
    """Return the seconds of a new process; unless it runs once, after one that does not count."""
    command = [sys.executable, "-c", script, *arguments]
    variables = {**os.environ, **more}
    if not TINY:
        variables["PYTHONPYCACHEPREFIX"] = bytecode
        variables.pop("PYTHONDONTWRITEBYTECODE", None)

    def call() -> None:
        subprocess.run(command, check=True, env=variables, capture_output=True)

    return once(call) if runs == 1 else best(call, runs)


def small() -> None:
    left, right = partitions(1024, 32, outliers=0.0)
    report(
        "1,024 objects, 32 clusters, int64 labels",
        OURS,
        best_of_many(lambda: cv.fstar_score(left, right)),
        {
            "SciPy method": best(lambda: scipy_fstar_of_labels(left, right)),
            **_scikit_learn(left, right, runs=7),
            "copy of both arrays": best_of_many(lambda: (left.copy(), right.copy())),
        },
        "µs",
    )


def _scikit_learn(left: Any, right: Any, runs: int = 1) -> dict[str, float]:
    """Return the time of scikit-learn's ARI, if it is installed."""
    metrics = optional("sklearn.metrics")
    if metrics is None:
        return {}
    return {"scikit-learn ARI": best(lambda: metrics.adjusted_rand_score(left, right), runs)}


def labels() -> None:
    left, right = partitions(size(1_000_000, 10_000), size(10_000, 100))
    n_codes = int(max(left.max(), right.max())) + 2
    hashes = np.random.default_rng(1).integers(0, 2**62, n_codes)
    texts = np.array([f"cluster {i}" for i in range(n_codes)])
    _labels("int64", left, right)
    _labels("hashed int64", hashes[left], hashes[right])
    _labels("strings (NumPy)", texts[left], texts[right])
    _labels("strings (list)", texts[left].tolist(), texts[right].tolist())


def _labels(kind: str, left: Any, right: Any) -> None:
    report(
        f"{len(left):,} objects, {size(10_000, 100):,} clusters, labels: {kind}",
        OURS,
        best(lambda: cv.fstar_score(left, right, threads=2), 3),
        {
            "SciPy method after np.unique": best(
                lambda: scipy_fstar_of_labels(_codes(left), _codes(right)), 1
            ),
            **_scikit_learn(left, right),
        },
    )


def _codes(values: Any) -> Labels:
    return np.unique(values, return_inverse=True)[1]


def overlapping() -> None:
    n_objects, n_clusters = size(1_000_000, 1_000), size(50_000, 50)
    left, right = covers(n_objects, n_clusters)
    report(
        f"{n_objects:,} objects x 3 memberships, {n_clusters:,} clusters of popularity rank^-0.8, "
        "as matrices",
        OURS,
        best(lambda: cv.fstar_score(left, right, threads=2), 7),
        {
            "coverlap, 1 thread": best(lambda: cv.fstar_score(left, right, threads=1), 7),
            "SciPy method": best(lambda: scipy_fstar(left, right), 3),
            "copy of both matrices": best(lambda: (left.copy(), right.copy()), 7),
        },
    )
    both = sum(m.data.nbytes + m.indices.nbytes + m.indptr.nbytes for m in (left, right))
    _report_memory(left, right, both)


def large() -> None:
    for moved, description in ((0.3, "30 % moved"), (1.0, "independent")):
        left, right = partitions(size(10_000_000, 10_000), size(10_000, 100), moved=moved)
        _large(description, left, right)


def _large(description: str, left: Labels, right: Labels) -> None:
    report(
        f"{len(left):,} objects, {size(10_000, 100):,} clusters, 2 % outliers, int64 labels, "
        f"{description}, 2 threads",
        OURS,
        best(lambda: cv.fstar_score(left, right, threads=2), 7),
        {
            "coverlap, 1 thread": best(lambda: cv.fstar_score(left, right, threads=1), 7),
            "SciPy method": best(lambda: scipy_fstar_of_labels(left, right), 2),
            "SciPy method, right side transposed": best(
                lambda: scipy_fstar_transposed(left, right), 2
            ),
            **_scikit_learn(left, right),
            "copy of both arrays": best(lambda: (left.copy(), right.copy()), 7),
        },
    )
    _report_memory(left, right, left.nbytes + right.nbytes)


def _report_memory(left: Any, right: Any, inputs: int) -> None:
    """Print the peak memory of a score, beside the size of its inputs."""
    extra = peak_memory(lambda: cv.fstar_score(left, right, threads=2))
    console.print(f"peak extra memory {extra / 1e6:,.0f} MB, {extra / inputs:.2f} of the inputs\n")


def growth() -> None:
    """Print the time per object for more and more objects in 10,000 clusters."""
    per_object = {}
    for full, tiny in ((1_000_000, 1_000), (10_000_000, 2_000), (100_000_000, 4_000)):
        n_objects = size(full, tiny)
        per_object[f"{n_objects:,} objects"] = _seconds(n_objects) / n_objects
    name, first = next(iter(per_object.items()))
    report("Microseconds per object: 10,000 clusters, 2 threads", name, first, per_object, "µs")


def _seconds(n_objects: int) -> float:
    left, right = partitions(n_objects, size(10_000, 100))
    return best(lambda: cv.fstar_score(left, right, threads=2))


def cores() -> None:
    """Print how much of a call runs in one thread, and what this allows on 16 cores."""
    table = Table(title="One thread and all cores", title_justify="left")
    for column in ("", "1 thread, ms", f"{number_of_cores()} cores, ms", "serial", "16 cores"):
        table.add_column(column, justify="right" if column else "left")
    n_objects, n_clusters = size(10_000_000, 10_000), size(10_000, 100)
    pair: Any = partitions(n_objects, n_clusters)
    table.add_row(f"F*, {n_objects:,} labels", *_scaling(pair, "fstar_wo"))
    pair = partitions(n_objects, n_clusters, outliers=0.0)
    for measure in ("ari", "nmi"):
        table.add_row(f"{measure.upper()}, {n_objects:,} labels", *_scaling(pair, measure))
    for n_objects, names in ((3_000_000, ["fstar_wo"]), (1_000_000, ["omega", "bcubed_f1"])):
        pair = covers(size(n_objects, 1_000), size(50_000, 50))
        for measure in names:
            title = f"{cv.MEASURES[measure].title}, {pair[0].shape[1]:,} objects x 3"
            table.add_row(title, *_scaling(pair, measure))
    console.print(table)
    console.print(
        "serial: the share of the time with one thread that is not spent in steps for all threads;"
        "\n16 cores: how many times as fast the call can be at most, by Amdahl's law\n"
    )


def _scaling(pair: Any, measure: str) -> tuple[str, ...]:
    """Return the times of a measure with one thread and with all cores, and its serial share."""
    alone, share = _serial_share(lambda: cv.score(*pair, measure, threads=1))
    together = best(lambda: cv.score(*pair, measure), 3)
    allowed = 1 / (share + (1 - share) / 16)
    return f"{alone * 1e3:,.1f}", f"{together * 1e3:,.1f}", f"{share:.1%}", f"{allowed:.1f} x"


def _serial_share(call: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds of the fastest call, and the share of them outside `Workers.map`."""
    inside = 0.0
    run_in_threads = Workers.map

    def timed(team: Workers, *arguments: Any) -> list[Any]:
        nonlocal inside
        begin = time.perf_counter()
        results = run_in_threads(team, *arguments)
        inside += time.perf_counter() - begin
        return results

    def once_with_share() -> tuple[float, float]:
        nonlocal inside
        inside = 0.0
        seconds = once(call)
        return seconds, 1 - inside / seconds

    call()
    with mock.patch.object(Workers, "map", timed):
        return min(once_with_share() for _ in range(size(5, 1)))


if __name__ == "__main__":
    run(start, small, labels, overlapping, large, growth, cores)
