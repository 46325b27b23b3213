"""Time comparisons of growing tables by every engine, with their peak memory and temporary files.

Run it with ``make scaling``, or name sections: ``python benchmarks/scaling.py memory duckdb plain
spark text``; add ``--tiny`` for small tables, and ``--picture FILE`` for a picture of the times.
Tables are generated in a temporary folder (``TMPDIR``): 1 to 4 draws of a cluster for each object,
large clusters more often than small ones, 30 % of the memberships moved, 5 % outliers on each side.
Each comparison runs in a process of its own, after some of a few rows. The first of these is the
start: it loads what the engine needs. The time of the others is taken off before the slope is
computed. Comparisons are repeated, short ones more often, and the fastest one counts. Spark runs
with 6 GB for its driver, once for each size, and is left out where Java or PySpark is missing.
"""

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

import duckdb
from data import TINY
from rich.table import Table
from timing import console, optional

SIZES = [10**3, 10**4] if TINY else [10**6, 10**7, 10**8]
LIMITS = [1] if TINY else [1, 2, 4]
EMPTY = 10**4
"""The number of memberships of a comparison that loads what larger ones need, and does little."""
FEW, REPEATS, REPEATS_OF_MANY = 10**6, 1 if TINY else 5, 1 if TINY else 2
"""How often comparisons of few memberships, up to the first number, and of many are repeated."""

START = """
import json, sys, time
import coverlap as cv
*paths, temp, repeats = sys.argv[1:]
"""

END = """
def timed(left, right):
    start = time.perf_counter()
    score = compare(left, right)
    return time.perf_counter() - start, score.hex()

start, _ = timed(*paths[:2])
empty, _ = min(timed(*paths[:2]) for _ in range(int(repeats)))
seconds, score = min(timed(*paths[2:]) for _ in range(int(repeats)))
print(json.dumps({"start": start, "empty": empty, "seconds": seconds, "score": score}))
"""

MEMORY = "compare = lambda left, right: cv.compare(left, right, engine='memory').score\n"

DUCKDB = """
compare = lambda left, right: cv.compare(
    left, right, engine="duckdb", memory_limit="{limit}", temp_dir=temp).score
"""

PLAIN = """
import duckdb

STATEMENT = '''{statement}'''

def compare(left, right):
    options = {{"memory_limit": "{limit}", "temp_directory": temp}}
    with duckdb.connect(config=options) as database:
        database.execute("SET enable_progress_bar = false")
        database.execute("CREATE VIEW left_rows AS SELECT * FROM '" + left + "'")
        database.execute("CREATE VIEW right_rows AS SELECT * FROM '" + right + "'")
        return float(len(database.execute(STATEMENT).fetchnumpy()["cluster"]))
"""

STATEMENT = """
WITH l AS (SELECT DISTINCT object, cluster FROM left_rows WHERE cluster IS NOT NULL),
r AS (SELECT DISTINCT object, cluster FROM right_rows WHERE cluster IS NOT NULL),
ls AS (SELECT cluster, COUNT(*) AS size FROM l GROUP BY cluster),
rs AS (SELECT cluster, COUNT(*) AS size FROM r GROUP BY cluster),
p AS (SELECT l.cluster AS lc, r.cluster AS rc, COUNT(*) AS shared
  FROM l JOIN r ON l.object = r.object GROUP BY l.cluster, r.cluster),
s AS (SELECT lc, rc, shared,
    CAST(shared AS DOUBLE) / CAST(ls.size + rs.size - shared AS DOUBLE) AS similarity
  FROM p JOIN ls ON lc = ls.cluster JOIN rs ON rc = rs.cluster),
lm AS (SELECT lc, MAX(similarity) AS similarity FROM s GROUP BY lc),
lb AS (SELECT s.lc, MIN(rc) AS partner, MAX_BY(shared, -rc) AS shared
  FROM s JOIN lm ON s.lc = lm.lc AND s.similarity = lm.similarity GROUP BY s.lc),
rm AS (SELECT rc, MAX(similarity) AS similarity FROM s GROUP BY rc),
rb AS (SELECT s.rc, MIN(lc) AS partner, MAX_BY(shared, -lc) AS shared
  FROM s JOIN rm ON s.rc = rm.rc AND s.similarity = rm.similarity GROUP BY s.rc)
SELECT 0 AS side, ls.cluster, ls.size, lb.partner, COALESCE(lb.shared, 0) AS shared
FROM ls LEFT JOIN lb ON ls.cluster = lb.lc
UNION ALL
SELECT 1, rs.cluster, rs.size, rb.partner, COALESCE(rb.shared, 0)
FROM rs LEFT JOIN rb ON rs.cluster = rb.rc
"""
"""The best matches by the statement that one would write first: clusters must be integers, and
objects, outliers, equal clusters and names are not counted."""

SPARK = """
from pyspark.sql import SparkSession
session = (
    SparkSession.builder.master("local[2]").config("spark.driver.memory", "6g")
    .config("spark.ui.enabled", "false").config("spark.local.dir", temp)
    .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    .config("spark.log.level", "OFF").getOrCreate())
compare = lambda *paths: cv.compare(*map(session.read.parquet, paths)).score
"""

ENGINES = {
    "memory": {"memory": MEMORY},
    "duckdb": {f"duckdb, {n} GB": DUCKDB.format(limit=f"{n}GB") for n in LIMITS},
    "plain": {"plain SQL, 2 GB": PLAIN.format(limit="2GB", statement=STATEMENT)},
    "spark": {"Spark local[2], 6 GB": SPARK},
}


class Run(NamedTuple):
    """What a comparison took: seconds, peak memory and temporary files in MB, and its score.

    The start is not part of the seconds, and ``empty`` is what a comparison of a few rows took.
    """

    start: float
    empty: float
    seconds: float
    memory: float
    temporary: float
    score: str


def generate(folder: Path, n_memberships: int, *, text: bool = False) -> list[str]:
    """Write two tables with about so many memberships in all; return their paths."""
    n_objects = max(n_memberships // 5, 1)
    n_clusters = max(n_objects // 100, 2)
    item, name = ("'object-' || o", "'cluster ' || c") if text else ("o", "c")
    paths = []
    with duckdb.connect(config={"memory_limit": "4GB", "temp_directory": str(folder)}) as database:
        for side, moved in (("left", 0), ("right", 3)):
            paths.append(str(folder / f"{side}.parquet"))
            database.execute(
                f"""
                COPY (
                    SELECT {item} AS object,
                        CASE WHEN hash(o, 'outlier', {moved}) % 20 > 0 THEN {name} END AS cluster
                    FROM (
                        SELECT o, CAST(floor({n_clusters} * pow(u, 3)) AS INTEGER) AS c
                        FROM (
                            SELECT o, hash(o, CASE WHEN hash(o, j, 'moved') % 10 < {moved}
                                THEN j + 8 ELSE j END) % 1000003 / 1000003.0 AS u
                            FROM (
                                SELECT CAST((i * 2654435761) % {n_objects} AS INTEGER) AS o, j
                                FROM range({n_objects}) AS objects(i), range(4) AS draws(j)
                            ) WHERE j <= hash(o, 'draws') % 4
                        )
                    )
                ) TO '{paths[-1]}' (FORMAT parquet, COMPRESSION zstd)
                """
            )
    return paths


def peak_memory(pid: int) -> float:
    """Return the peak memory of a process and its children so far, in MB."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            facts = dict(line.split(":", 1) for line in status.read_text().splitlines())
        except OSError:  # it has ended
            continue
        if str(pid) in (facts["Pid"].strip(), facts["PPid"].strip()) and "VmHWM" in facts:
            total += int(facts["VmHWM"].split()[0])
    return total / 1024


def repeats_of(label: str, n_memberships: int) -> int:
    """Return how often an engine repeats a comparison; Spark takes minutes for each."""
    if label in ENGINES["spark"]:
        return 1
    return REPEATS if n_memberships <= FEW else REPEATS_OF_MANY


def measure(code: str, paths: list[str], temp: Path, repeats: int = 1) -> Run:
    """Compare two tables in a process of its own, after others that have a few rows."""
    program = START + code + END
    command = [sys.executable, "-W", "ignore", "-c", program, *paths, str(temp), str(repeats)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    memory = temporary = 0.0
    ended = threading.Event()

    def watch() -> None:
        nonlocal memory, temporary
        while not ended.wait(0.2):
            memory = max(memory, peak_memory(process.pid))
            sizes = [size_of(path) for path in temp.rglob("*")]
            temporary = max(temporary, sum(sizes) / 2**20)

    watcher = threading.Thread(target=watch)
    watcher.start()
    output, errors = process.communicate()
    ended.set()
    watcher.join()
    if process.returncode:
        raise RuntimeError(errors.strip().splitlines()[-1])
    facts = json.loads(output.splitlines()[-1])
    return Run(**facts, memory=memory, temporary=temporary)


def size_of(path: Path) -> int:
    """Return the size of a file, 0 if it is none or gone."""
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0


def slope(runs: dict[int, Run]) -> str:
    """Return the exponent of the growth; none if no time is left without that of a few rows."""
    few, many = min(runs), max(runs)
    work = [runs[n].seconds - runs[n].empty for n in (few, many)]
    return f"{math.log(work[1] / work[0], many / few):.2f}" if min(work) > 0 else ""


def study(names: list[str], *, text: bool = False) -> dict[str, dict[int, Run]]:
    """Compare tables of all sizes by the engines that are named, and print a table."""
    chosen = {label: code for name in names for label, code in ENGINES[name].items()}
    found: dict[str, dict[int, Run]] = {label: {} for label in chosen}
    with tempfile.TemporaryDirectory(prefix="coverlap-scaling-") as folder:
        small, large, temp = (Path(folder, name) for name in ("small", "large", "temp"))
        for path in (small, large, temp):
            path.mkdir()
        few_rows = generate(small, EMPTY, text=text)
        for n in SIZES:
            paths = few_rows + generate(large, n, text=text)
            for label, code in chosen.items():
                found[label][n] = measure(code, paths, temp, repeats_of(label, n))
            scored = [label for label in found if label not in ENGINES["plain"]]
            if len({found[label][n].score for label in scored}) > 1:
                raise ValueError(f"the engines disagree at {n:,} memberships")
    kind = "text" if text else "integer"
    table = Table(title=f"Parquet files with {kind} ids", title_justify="left")
    for column in ("memberships", "engine", "start s", "s", "peak MB", "temporary MB", "slope"):
        table.add_column(column, justify="left" if column == "engine" else "right")
    for n in SIZES:
        for label, runs in found.items():
            run = runs[n]
            table.add_row(
                f"{n:,}", label, f"{run.start:.2f}", f"{run.seconds:.2f}", f"{run.memory:,.0f}",
                f"{run.temporary:,.0f}", slope(runs) if n == SIZES[-1] else "",
            )  # fmt: skip
    console.print(table)
    return found


def draw(found: dict[str, dict[int, Run]], target: str) -> None:
    """Draw the times and the peak memory by the number of memberships, one colour an engine."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, NullLocator

    engines = list(dict.fromkeys(label.split(",")[0] for label in found))
    figure = Figure(figsize=(9, 3.4), layout="constrained")
    axes = figure.subplots(1, 2)
    for ax, field, title in (
        (axes[0], "seconds", "seconds after the start"),
        (axes[1], "memory", "peak MB"),
    ):
        for label, runs in found.items():
            engine = label.split(",")[0]
            limits = [other for other in found if other.split(",")[0] == engine]
            values = [getattr(run, field) for run in runs.values()]
            style = ("-", "--", ":")[limits.index(label) % 3]
            colour = f"C{engines.index(engine)}"
            ax.plot(list(runs), values, style, color=colour, marker="o", markersize=4, label=label)
        ax.set(xscale="log", yscale="log", xlabel="memberships", title=title)
        ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
        ax.yaxis.set_minor_locator(NullLocator())
        ax.grid(alpha=0.3)
    axes[1].set_ylim(bottom=50)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", fontsize=8, frameon=False)
    figure.savefig(target, metadata={"Date": None})


def has_java() -> bool:
    """Return whether Spark can start here."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        console.print("Java is not installed, and Spark is left out")
        return False
    return optional("pyspark") is not None


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help=", ".join([*ENGINES, "text"]))
    parser.add_argument("--tiny", action="store_true", help="small tables, to see that it runs")
    parser.add_argument("--picture", metavar="FILE", help="also draw the times")
    arguments = parser.parse_args()
    names = arguments.engines or [*ENGINES, "text"]
    if unknown := set(names) - {*ENGINES, "text"}:
        parser.error(f"unknown engine {min(unknown)!r}")
    start = time.perf_counter()
    engines = [name for name in ENGINES if name in names and (name != "spark" or has_java())]
    found = study(engines) if engines else {}
    if "text" in names:
        study(["memory", "duckdb"], text=True)
    if arguments.picture:
        draw(found, arguments.picture)
    console.print(f"{time.perf_counter() - start:,.0f} s in all")


if __name__ == "__main__":
    main()
