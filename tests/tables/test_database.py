"""Temporary files and memory of comparisons by DuckDB: nothing is left, and errors are clear."""

import shutil
import signal
import subprocess
import sys
import time

import duckdb
import pytest

import coverlap as cv
from coverlap.core.errors import ResourceError
from coverlap.core.threads import MOST
from coverlap.tables import database as databases
from coverlap.tables.database import LOCK, PREFIX, open_database
from coverlap.tables.limits import limits_of
from tests.files.support import arrow_bytes

LIMITS = {"engine": "duckdb", "memory_limit": "400MB", "threads": 2}

ENDLESS = """
import sys, duckdb, coverlap as cv
endless = "SELECT i AS object, i AS cluster FROM range(1000000000000000) AS t(i) WHERE hash(i) = 0"
with duckdb.connect(config={"threads": 1}) as connection:
    print("ready", flush=True)
    cv.compare(connection.sql(endless), sys.argv[2], engine="duckdb", temp_dir=sys.argv[1])
"""
"""A comparison that does not end; its temporary files are in the folder that is given."""

ENDLESS_SCAN = """
import sys, coverlap as cv
from coverlap.tables.database import open_database
from coverlap.tables.limits import limits_of
with open_database(limits_of("400MB", sys.argv[1], 2)) as database:
    print("ready", flush=True)
    database.row("SELECT count(*) FROM range(1000000000000000) AS t(i) WHERE hash(i) = 0")
"""
"""A query of the database itself that does not end."""

FULL = """
import sys, coverlap as cv
try:
    cv.compare(sys.argv[2], sys.argv[3], engine="duckdb", memory_limit="400MB",
               temp_dir=sys.argv[1])
except cv.CoverlapError as error:
    print(type(error).__name__, error)
"""


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("object,cluster\n1,x\n2,y\n")
    return path


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "temporary").mkdir()
    return tmp_path / "temporary"


@pytest.fixture
def started(folder, csv):
    """Start comparisons that do not end, and kill them in the end."""
    running, known = [], []

    def is_new(item):
        return item not in known and (item / LOCK).exists()

    def start(script=ENDLESS):
        process = subprocess.Popen(
            [sys.executable, "-c", script, str(folder), str(csv)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        running.append(process)
        assert process.stdout.readline() == "ready\n"
        wait_for(lambda: [*map(is_new, left_in(folder))] == [True])
        known.extend(left_in(folder))
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()


def left_in(folder):
    return sorted(folder.glob(f"{PREFIX}*"))


def wait_for(is_true, seconds=30):
    end = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_nothing_is_left_after_a_comparison_or_an_error(folder, csv):
    cv.compare(csv, csv, temp_dir=folder, **LIMITS)
    assert left_in(folder) == []
    csv.write_text("object,cluster\n1,x\n2,y\nann,0.5\n")
    with pytest.raises(cv.InputError, match="continuous"):
        cv.compare(csv, csv, temp_dir=folder, **LIMITS)
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path, csv):
    with pytest.raises(cv.OptionError, match="temp_dir"):
        cv.compare(csv, csv, temp_dir=tmp_path / "none", **LIMITS)


def test_a_huge_number_of_threads_is_not_started(csv):
    assert limits_of("400MB", None, 10**6).threads == MOST
    many = LIMITS | {"threads": 10**6}
    assert cv.compare(csv, csv, **many).score == 1.0


@pytest.mark.parametrize("size", ["99999999999TB", "9" * 400 + "GB", 2**70])
def test_more_memory_than_any_machine_has_is_no_limit(csv, size):
    assert cv.compare(csv, csv, **(LIMITS | {"memory_limit": size})).score == 1.0


@pytest.mark.slow
def test_folders_of_killed_processes_are_removed_and_others_are_not(folder, csv, started):
    killed = started()
    (left,) = left_in(folder)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert left_in(folder) == [left]
    started()
    (running,) = left_in(folder)
    assert running != left
    assert cv.compare(csv, csv, temp_dir=folder, **LIMITS).score == 1.0
    assert left_in(folder) == [running]


@pytest.mark.slow
@pytest.mark.parametrize("script", [ENDLESS, ENDLESS_SCAN], ids=["relation", "scan"])
def test_an_interrupt_leaves_nothing(folder, started, script):
    process = started(script)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert "KeyboardInterrupt" in errors
    assert list(folder.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("source", ["text.csv", "text.parquet", "integers.csv", "text.arrow"])
def test_a_full_disk_is_one_clear_error(tmp_path, folder, source):
    unshare = shutil.which("unshare")
    mount = f"mount -t tmpfs -o size=300k tmpfs {folder}"
    tried = [unshare or "false", "-rm", "sh", "-c", mount]
    if subprocess.run(tried, capture_output=True, check=False).returncode:
        pytest.skip("a small disk cannot be mounted here")
    path = tmp_path / source
    prefix = "object " if "text" in source else ""
    n_rows = 4_000_000 if path.suffix == ".parquet" else 100_000  # the others are always copied
    with duckdb.connect() as connection:
        rows = connection.sql(
            f"SELECT '{prefix}' || (hash(i) // 1000) AS object, i // 5 AS cluster "
            f"FROM range({n_rows}) AS t(i)"
        )
        if path.suffix == ".csv":
            rows.write_csv(str(path), header=True)
        elif path.suffix == ".parquet":
            rows.write_parquet(str(path))
        else:
            path.write_bytes(arrow_bytes(rows.to_arrow_table()))
    script = f'{mount} && exec "$0" -c "$@"'
    found = subprocess.run(
        [unshare, "-rm", "sh", "-c", script, sys.executable, FULL, folder, path, path],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith("ResourceError the disk of the temporary files is full (")
    assert found.stdout.count("\n") == 1


@pytest.mark.slow
def test_too_little_memory_is_one_clear_error(tmp_path, folder):
    path = tmp_path / "a.parquet"
    with duckdb.connect() as connection:
        connection.sql(
            "SELECT hash(i)::VARCHAR || repeat('x', 80) AS object, i AS cluster "
            "FROM range(3000000) AS t(i)"
        ).write_parquet(str(path))
    with pytest.raises(ResourceError, match="memory") as caught:
        cv.compare(path, path, engine="duckdb", memory_limit="256MB", temp_dir=folder, threads=16)
    assert "memory_limit" in str(caught.value)
    assert list(folder.iterdir()) == []


def test_the_progress_of_a_query_is_reported_and_not_printed(monkeypatch, folder):
    monkeypatch.setattr(databases, "BETWEEN_REPORTS", 0.001)
    reports = []
    with open_database(limits_of("400MB", folder, 2), lambda *at: reports.append(at)) as database:
        database.row("SELECT max(hash(i)) FROM range(50000000) AS t(i)")
        assert database.row("SELECT current_setting('enable_progress_bar_print')") == (False,)
    assert reports
    assert all(0 <= done <= total == 100 for done, total in reports)
