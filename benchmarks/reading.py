"""Time how coverlap reads files, beside programs that only count the words in them.

Run it with ``make bench``, or ``python benchmarks/reading.py [MEMBERSHIPS]`` (10 million by
default). Files are generated in a temporary folder. Every reader runs in a process of its own,
which reads a small file first, so that neither start-up nor compilation counts; memory is what
the process takes at its peak beyond what it held before.
"""

import gzip
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

console = Console()

RUNS = 3

COVERLAP = """
def read(path):
    return coverlap.read_clustering(path)
def arrays(c):
    runs = c._as_runs()
    return runs.pointers.nbytes + runs.members.nbytes + c._ids().nbytes
import coverlap
"""

DUCKDB = r"""
import duckdb
def read(path):
    connection = duckdb.connect()
    return connection.execute(
        "WITH lines AS (SELECT row_number() OVER () AS i, line FROM read_csv(?, delim = '\x01', "
        "columns = {'line': 'VARCHAR'}, quote = '', escape = '', header = false, "
        "auto_detect = false, max_line_size = 100000000)) "
        "SELECT CAST(i AS INTEGER) AS cluster, "
        "CAST(unnest(string_split(line, chr(9))) AS BIGINT) AS object FROM lines", [path],
    ).fetchnumpy()
"""

PYTHON = """
import gzip
def read(path):
    with gzip.open(path, "rt") as file:
        return [set(line.split()) for line in file]
"""

POLARS = """
import coverlap, polars
def read(path):
    return coverlap.Clustering.from_frame(polars.read_csv(path))
"""

PANDAS = """
import coverlap, pandas
def read(path):
    return coverlap.Clustering.from_frame(pandas.read_csv(path))
"""

MEASURE = """
import gc, json, resource, sys, threading, time

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()

small, path, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
for _ in range(2):
    read(small)
gc.collect()
before, peak, done = resident(), 0, False

def watch():
    global peak
    while not done:
        peak = max(peak, resident())
        time.sleep(0.001)

watcher = threading.Thread(target=watch)
watcher.start()
times = []
for _ in range(runs):
    result = None
    start = time.perf_counter()
    result = read(path)
    times.append(time.perf_counter() - start)
done = True
watcher.join()
size = arrays(result) if "arrays" in globals() else None
print(json.dumps({"seconds": min(times), "extra": peak - before, "arrays": size}))
"""


def generate(folder: Path, n_memberships: int) -> None:
    """Write communities as SNAP does: gzip, tabs, ids with gaps; and the same ids as text."""
    rng = np.random.default_rng(1)
    n_objects, n_clusters = n_memberships // 10, n_memberships * 3 // 100
    ids = rng.choice(5 * n_objects, n_objects, replace=False)
    shares = np.minimum(rng.zipf(1.8, n_clusters), 20_000)
    sizes = np.maximum(2, shares * n_memberships // shares.sum())
    members = ids[rng.integers(0, n_objects, sizes.sum())]
    ends = np.cumsum(sizes)
    rows = [members[end - size : end].tolist() for end, size in zip(ends, sizes, strict=True)]
    for name, prefix in (("numbers", ""), ("text", "node_")):
        with gzip.open(folder / f"{name}.cmty.txt.gz", "wt", compresslevel=6) as file:
            file.writelines("\t".join(f"{prefix}{item}" for item in row) + "\n" for row in rows)
        with gzip.open(folder / f"{name}.small.cmty.txt.gz", "wt") as file:
            file.writelines("\t".join(f"{prefix}{item}" for item in row) + "\n" for row in rows[:9])
    for name, some in (("pairs.csv", rows), ("pairs.small.csv", rows[:9])):
        with (folder / name).open("w") as file:
            file.write("object,cluster\n")
            for number, row in enumerate(some):
                file.writelines(f"{item},{number}\n" for item in row)


def measured(reader: str, small: Path, path: Path) -> dict[str, Any]:
    """Run a reader in a process of its own."""
    command = [sys.executable, "-c", reader + MEASURE, str(small), str(path), str(RUNS)]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    return dict(json.loads(result.stdout))


def counted(path: Path) -> float:
    """Time the shell that decompresses a file and counts its words."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run(
            f"gzip -dc '{path}' | LC_ALL=C wc -w", shell=True, check=True, capture_output=True
        )
        times.append(time.perf_counter() - start)
    return min(times)


def report(title: str, rows: dict[str, dict[str, Any]], unit: float) -> None:
    """Print the time and memory of each reader, and how its time compares."""
    table = Table(title=title, title_justify="left")
    for column in ("", "s", "times the first", "extra MB", "of the arrays"):
        table.add_column(column, justify="right" if column else "left")
    for name, row in rows.items():
        extra, arrays = row.get("extra"), row.get("arrays")
        table.add_row(
            name, f"{row['seconds']:.2f}", f"{row['seconds'] / unit:.2f}",
            f"{extra / 1e6:,.0f}" if extra else "",
            f"{extra / arrays:.1f}" if extra and arrays else "",
        )  # fmt: skip
    console.print(table)


def main() -> None:
    """Generate the files and print the tables."""
    n_memberships = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        generate(folder, n_memberships)
        for kind, others in (("numbers", {"DuckDB, arrays only": DUCKDB}), ("text", {})):
            path, small = folder / f"{kind}.cmty.txt.gz", folder / f"{kind}.small.cmty.txt.gz"
            words = counted(path)
            rows = {"gzip -dc | wc -w": {"seconds": words}}
            readers = {"coverlap.read_clustering": COVERLAP, **others, "Python, sets": PYTHON}
            rows |= {label: measured(code, small, path) for label, code in readers.items()}
            report(f"{n_memberships:,} memberships, one cluster per line, {kind}", rows, words)
        readers = {
            "coverlap.read_clustering": COVERLAP,
            "polars.read_csv, from_frame": POLARS,
            "pandas.read_csv, from_frame": PANDAS,
        }
        path, small = folder / "pairs.csv", folder / "pairs.small.csv"
        rows = {label: measured(code, small, path) for label, code in readers.items()}
        first = next(iter(rows.values()))["seconds"]
        report(f"{n_memberships:,} memberships, comma-separated pairs", rows, first)


if __name__ == "__main__":
    main()
