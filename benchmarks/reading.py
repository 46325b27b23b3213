"""Time how coverlap reads and writes files, beside other libraries and programs that count words.

Run it with ``make bench``, or name sections: ``python benchmarks/reading.py lines pairs``; add
``--tiny`` for small files. The others are ``gzip -dc | wc -w``, DuckDB, plain Python, polars,
pandas and networkx; those that are not installed are left out. Files are generated in a temporary
folder. Every reader and writer runs in a process of its own, which handles a small file first, so
that neither start-up nor compilation counts; memory is what the process takes at its peak beyond
what it held before.
"""

import gzip
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from data import size
from rich.table import Table
from timing import console, once, optional, run

N_MEMBERSHIPS = size(10_000_000, 10_000)
N_NODES = size(20_000, 100)
RUNS = size(3, 1)

COVERLAP = """
import coverlap
def read(path):
    return coverlap.read_clustering(path)
def n_bytes(c):  # 8 for each id and each cluster, 4 for each membership
    return 8 * c.n_objects + 8 * c.n_clusters + 4 * c.n_memberships
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

COVERLAP_WRITE = """
import coverlap
def prepare(path):
    return coverlap.read_clustering(path), path + {suffix!r}
def read(job):
    coverlap.write_clustering(*job, {format!r})
"""

POLARS_ALONE = """
import polars
def read(path):
    return polars.read_csv(path)
"""

POLARS_WRITE = """
import polars
def prepare(path):
    return polars.read_csv(path), path + ".polars"
def read(job):
    job[0].write_csv(job[1])
"""

PANDAS_WRITE = """
import pandas
def prepare(path):
    return pandas.read_csv(path), path + ".pandas"
def read(job):
    job[0].to_csv(job[1], index=False)
"""

JSON_READ = """
import json
def read(path):
    with open(path) as file:
        return json.load(file)
"""

JSON_WRITE = """
import coverlap, json
def prepare(path):
    clusters = coverlap.read_clustering(path).to_clusters()
    return {"clusters": list(map(list, clusters))}, path + ".json"
def read(job):
    with open(job[1], "w") as file:
        json.dump(job[0], file)
"""

NETWORKX = """
import coverlap, networkx
def read(path):
    labels = networkx.read_graphml(path).nodes(data="cluster")
    return coverlap.Clustering.from_memberships(list(labels))
"""

MEASURE = """
import gc, json, resource, sys, threading, time

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()

prepare = globals().get("prepare", str)  # what is not timed
small, path, runs = prepare(sys.argv[1]), prepare(sys.argv[2]), int(sys.argv[3])
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
size = n_bytes(result) if "n_bytes" in globals() else None
print(json.dumps({"seconds": min(times), "extra": peak - before, "n_bytes": size}))
"""


@contextmanager
def generated() -> Iterator[Path]:
    """Write the files into a temporary folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = _draw_rows(N_MEMBERSHIPS)
        for kind, prefix in (("numbers", ""), ("text", "node_")):
            _write_lines(folder / f"{kind}.cmty.txt.gz", prefix, rows)
            _write_lines(folder / f"{kind}.small.cmty.txt.gz", prefix, rows[:9])
        for kind, prefix in (("pairs", ""), ("names", "node_")):
            _write_pairs(folder / f"{kind}.csv", prefix, rows)
            _write_pairs(folder / f"{kind}.small.csv", prefix, rows[:9])
        yield folder


def _draw_rows(n_memberships: int) -> list[list[int]]:
    """Draw clusters with sizes as in the community files of SNAP, and ids with gaps."""
    rng = np.random.default_rng(1)
    n_objects, n_clusters = n_memberships // 10, n_memberships * 3 // 100
    ids = rng.choice(5 * n_objects, n_objects, replace=False)
    shares = np.minimum(rng.zipf(1.8, n_clusters), 20_000)
    sizes = np.maximum(2, shares * n_memberships // shares.sum())
    members = ids[rng.integers(0, n_objects, sizes.sum())]
    ends = np.cumsum(sizes)
    return [members[end - size : end].tolist() for end, size in zip(ends, sizes, strict=True)]


def _write_lines(path: Path, prefix: str, rows: list[list[int]]) -> None:
    """Write one cluster per line, separated by tabs, compressed."""
    with gzip.open(path, "wt", compresslevel=6) as file:
        file.writelines("\t".join(f"{prefix}{item}" for item in row) + "\n" for row in rows)


def _write_pairs(path: Path, prefix: str, rows: list[list[int]]) -> None:
    """Write one membership per line, separated by a comma."""
    with path.open("w") as file:
        file.write("object,cluster\n")
        for number, row in enumerate(rows):
            file.writelines(f"{prefix}{item},{number}\n" for item in row)


def _write_graphml(path: Path, n_nodes: int) -> None:
    """Write a graph as networkx does, with a cluster for each node and a weight for each edge."""
    rng = np.random.default_rng(1)
    clusters, ends = rng.integers(0, 300, n_nodes), rng.integers(0, n_nodes, (5 * n_nodes, 2))
    with path.open("w") as file:
        file.write('<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        for key, kind, name in (("d0", "node", "cluster"), ("d1", "edge", "weight")):
            file.write(f'  <key id="{key}" for="{kind}" attr.name="{name}" attr.type="double"/>\n')
        file.write('  <graph edgedefault="undirected">\n')
        for node, cluster in enumerate(clusters.tolist()):
            file.write(f'    <node id="n{node}">\n      <data key="d0">{cluster}</data>\n')
            file.write("    </node>\n")
        for left, right in ends.tolist():
            file.write(f'    <edge source="n{left}" target="n{right}">\n')
            file.write('      <data key="d1">1.5</data>\n    </edge>\n')
        file.write("  </graph>\n</graphml>\n")


def measured(reader: str, small: Path, path: Path) -> dict[str, Any]:
    """Run a reader in a process of its own; return its seconds and its memory in bytes."""
    command = [sys.executable, "-c", reader + MEASURE, str(small), str(path), str(RUNS)]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    return dict(json.loads(result.stdout))


def count_words(path: Path) -> float:
    """Return the seconds that the shell takes to decompress a file and to count its words."""
    command = f"gzip -dc '{path}' | LC_ALL=C wc -w"
    return min(
        once(lambda: subprocess.run(command, shell=True, check=True, capture_output=True))
        for _ in range(RUNS)
    )


def print_readers(title: str, rows: dict[str, dict[str, Any]]) -> None:
    """Print the time and memory of each reader, and the ratio of its time to the first one."""
    table = Table(title=title, title_justify="left")
    for column in ("", "s", "times the first", "extra MB", "times the clustering"):
        table.add_column(column, justify="right" if column else "left")
    first = next(iter(rows.values()))["seconds"]
    for name, row in rows.items():
        extra, n_bytes = row.get("extra"), row.get("n_bytes")
        table.add_row(
            name, f"{row['seconds']:.2f}", f"{row['seconds'] / first:.2f}",
            f"{extra / 1e6:,.0f}" if extra else "",
            f"{extra / n_bytes:.1f}" if extra and n_bytes else "",
        )  # fmt: skip
    console.print(table)


def lines() -> None:
    with generated() as folder:
        for kind, others in (("numbers", {"DuckDB, arrays only": DUCKDB}), ("text", {})):
            path, small = folder / f"{kind}.cmty.txt.gz", folder / f"{kind}.small.cmty.txt.gz"
            readers = {"coverlap.read_clustering": COVERLAP, **others, "Python, sets": PYTHON}
            rows = {"gzip -dc | wc -w": {"seconds": count_words(path)}}
            rows |= {label: measured(code, small, path) for label, code in readers.items()}
            print_readers(f"{N_MEMBERSHIPS:,} memberships, one cluster per line, {kind}", rows)


def installed(codes: dict[str, tuple[str, str]]) -> dict[str, str]:
    """Return the labels and codes whose libraries are installed, given label: (library, code)."""
    return {label: code for label, (library, code) in codes.items() if optional(library)}


def pairs() -> None:
    readers = {"coverlap.read_clustering": COVERLAP} | installed({
        "polars.read_csv alone": ("polars", POLARS_ALONE),
        "polars.read_csv, from_frame": ("polars", POLARS),
        "pandas.read_csv, from_frame": ("pandas", PANDAS),
    })  # fmt: skip
    with generated() as folder:
        for kind, ids in (("pairs", "integers"), ("names", "text ids")):
            path, small = folder / f"{kind}.csv", folder / f"{kind}.small.csv"
            rows = {label: measured(code, small, path) for label, code in readers.items()}
            print_readers(f"{N_MEMBERSHIPS:,} memberships, comma-separated pairs, {ids}", rows)


def writing() -> None:
    """Write memberships in several formats, and read the files again."""
    formats = (
        ("pairs", "CSV", ".out.csv", "pairs", installed({
            "polars.write_csv": ("polars", POLARS_WRITE),
            "pandas.to_csv": ("pandas", PANDAS_WRITE),
        }), {}),
        ("pairs", "object-lines", ".out.txt", "object-lines", {}, {}),
        ("names", "JSON of text ids", ".out.json", "json",
         {"json.dump of the clusters": JSON_WRITE}, {"json.load": JSON_READ}),
    )  # fmt: skip
    with generated() as folder:
        for kind, title, suffix, form, writers, others in formats:
            path, small = folder / f"{kind}.csv", folder / f"{kind}.small.csv"
            own = {"coverlap.write_clustering": COVERLAP_WRITE.format(suffix=suffix, format=form)}
            rows = {label: measured(code, small, path) for label, code in (own | writers).items()}
            print_readers(f"{N_MEMBERSHIPS:,} memberships, write {title}", rows)
            path, small = (Path(f"{source}{suffix}") for source in (path, small))
            reader = COVERLAP.replace("(path)\ndef n", f"(path, {form!r})\ndef n")
            readers = {"coverlap.read_clustering": reader} | others
            rows = {label: measured(code, small, path) for label, code in readers.items()}
            print_readers(f"{N_MEMBERSHIPS:,} memberships, read {title}", rows)


def graphml() -> None:
    """Read the clusters of the nodes of a graph with five times as many edges as nodes."""
    readers = {"coverlap.read_clustering": COVERLAP} | installed({
        "networkx.read_graphml, from_memberships": ("networkx", NETWORKX),
    })  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for n_nodes in (10, N_NODES):
            paths.append(Path(folder, f"{n_nodes}.graphml"))
            _write_graphml(paths[-1], n_nodes)
        rows = {label: measured(code, *paths) for label, code in readers.items()}
        print_readers(f"{N_NODES:,} nodes, {5 * N_NODES:,} edges, GraphML", rows)


if __name__ == "__main__":
    run(lines, pairs, writing, graphml)
