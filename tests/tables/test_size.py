"""The memory that tables take is estimated, and compared with what a process takes at most."""

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import coverlap as cv
from coverlap.tables.limits import limits_of
from coverlap.tables.size import OWN, memory_of
from tests.marks import SEED

N_ROWS = 2 * 10**6
IDS = {
    "integers from a dense range": "i",
    "hashes": "CAST(hash(i) // 4 AS BIGINT)",
    "text": "'object ' || i",
    "long text": "md5(CAST(i AS VARCHAR))",
    "hashes of each side": "CAST(hash(i, {seed}) // 4 AS BIGINT)",
    "decimals": "CAST(i AS DECIMAL(18, 0))",
    "floats": "CAST(i AS DOUBLE)",
}
KINDS = {"parquet": [1, 4], "csv": [1], "relation": [1]}
CASES = [(ids, kind, n) for kind, numbers in KINDS.items() for ids in IDS for n in numbers]
PEAK = """
import sys
import coverlap as cv
import duckdb
sides = sys.argv[1:]
if sides[0].startswith("SELECT"):
    sides = map(duckdb.connect(config={"threads": 2}).sql, sides)
cv.compare(*map(cv.Table, sides), engine="memory")
status = open("/proc/self/status").read()
print(int(status.split("VmHWM:")[1].split()[0]) * 1024)
"""


def write(path: Path, ids: str, per_object: int, seed: int) -> Path:
    n_objects = N_ROWS // per_object
    sql = f"""
        SELECT {ids.format(seed=seed)} AS object,
            CAST(hash(i, j, {seed}) % 5000 AS INTEGER) AS cluster
        FROM range({n_objects}) AS t(i), range({per_object}) AS u(j) ORDER BY hash(i, j)
    """
    kind = "parquet" if path.suffix == ".parquet" else "csv"
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute(f"COPY ({sql}) TO '{path}' (FORMAT {kind})")
    return path


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is not known")
@pytest.mark.parametrize(("ids", "kind", "per_object"), CASES if SEED else CASES[::3])
def test_the_estimate_is_near_the_peak(ids, kind, per_object, tmp_path):
    suffix = "csv" if kind == "csv" else "parquet"
    paths = [write(tmp_path / f"{seed}.{suffix}", IDS[ids], per_object, seed) for seed in range(2)]
    sides = list(map(str, paths))
    if kind == "relation":
        sides = [f"SELECT * FROM '{path}'" for path in paths]
        paths = map(duckdb.sql, sides)
    command = [sys.executable, "-c", PEAK, *sides]
    environment = os.environ | {"COVERLAP_THREADS": "2"}
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    limits = limits_of("256MB", None, 2)
    tables = dict(zip(("left", "right"), map(cv.Table, paths), strict=True))
    needed = memory_of(tables, limits)
    assert 0.8 < needed / int(run.stdout) < 1.5
    assert needed <= memory_of(tables, limits._replace(memory=10**15))  # without a scan


def test_tables_that_surely_fit_are_not_scanned(tmp_path, monkeypatch):
    monkeypatch.setattr("coverlap.tables.size.scan", None)
    path = tmp_path / "a.csv"
    path.write_text("object,cluster\n" + "1,2\n" * 1000)
    with duckdb.connect() as connection:
        relation = connection.sql("SELECT i AS object, 1 AS cluster FROM range(1000) AS t(i)")
        limits = limits_of(None, None, None)
        assert (
            memory_of({"left": cv.Table(path), "right": cv.Table(relation)}, limits) < OWN + 10**6
        )


def test_relations_of_streams_are_read_once():
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"object": [1, 2, 3], "cluster": [1, 1, 2]})
    with duckdb.connect() as connection:
        relations = [connection.from_arrow(table.to_reader()) for _ in range(2)]
        assert cv.compare(*map(cv.Table, relations)).universe.n_objects == 3


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Return the path of a table that takes more than 256 MB."""
    return write(tmp_path_factory.mktemp("large") / "a.parquet", "'object ' || i", 1, 0)


def test_tables_of_any_kind_beside_one_that_does_not_fit(large, tmp_path):
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"object": ["object 1", "object 2"], "cluster": [1, 1]})
    broken = tmp_path / "a.csv"
    broken.write_text(f"object,cluster\nobject 1,1\nobject 2,{'1' * (3 << 20)}\n")
    with duckdb.connect() as connection:
        ids = cv.Table(connection.sql("SELECT 'object ' || i AS object FROM range(2000000) t(i)"))
        (note, *_) = cv.compare(large, large, universe=ids, memory_limit="256MB").notes
        assert "compared by DuckDB" in note
        stream = cv.Table(connection.from_arrow(table.to_reader()))
        assert cv.compare(large, stream, memory_limit="256MB").universe.n_objects == N_ROWS
        fails = cv.Table(connection.sql(
            "SELECT 'object 1' AS object, CAST(c AS INT) AS cluster FROM (VALUES ('1'), ('x')) t(c)"
        ))  # fmt: skip
        with pytest.raises(cv.InputError, match=r"^right"):
            cv.compare(large, fails, memory_limit="256MB")
    with pytest.raises(cv.InputError, match=f"^(right: )?{broken}"):
        cv.compare(large, broken, memory_limit="256MB")
