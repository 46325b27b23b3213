"""What only Spark does: its frames, its sessions, and what it refuses."""

import datetime as dt
import subprocess
import sys

import pytest

import coverlap as cv
from coverlap.tables.table import Table

pytestmark = pytest.mark.spark


@pytest.fixture
def frame(session):
    """Return a frame of one object in one cluster."""
    return session.createDataFrame([(1, 1)], "object int, cluster int")


@pytest.mark.slow
def test_a_universe_may_be_a_frame(session):
    rows = [[(0, 0), (1, 0), (2, -1)], [(0, 5), (1, 6), (7, -1)]]
    frames = [session.createDataFrame(side, "object int, cluster int") for side in rows]
    wanted = cv.compare({0: 0, 1: 0}, {0: 5, 1: 6}, universe=[0, 1, 3]).columns()
    ids = session.createDataFrame([(0,), (1,), (3,)], "any long")
    wide = session.createDataFrame([(0, 9), (1, 9), (3, 9)], "node long, other long")
    for universe in (ids, wide, Table(wide, object="node")):
        assert cv.compare(*frames, universe=universe).columns() == wanted
    for name in (7, "zz"):
        with pytest.raises(cv.InputError, match=f"universe: Spark frame: no column '?{name}'?"):
            cv.compare(*frames, universe=Table(ids, object=name))


def test_nan_names_no_cluster(session):
    rows = [(1, 0.0), (2, float("nan"))]
    frame = session.createDataFrame(rows, "object int, cluster double")
    assert cv.compare(frame, frame).columns()["cluster"] == [0, None, 0, None]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("left", "right", "message"),
    [
        (("int", 1), ("string", "a"), "so they share no object"),
        (("int", 1), ("date", dt.date(2020, 1, 1)), "ids are of different types"),
        (("int", None), ("int", 1), "has nulls"),
        (("double", 0.5), ("int", 1), "continuous number 0.5"),
        (("double", float("inf")), ("int", 1), "number inf, which is too large"),
        (("binary", b"a"), ("int", 1), "which names nothing"),
        (("int", 1), ("string", "1.0"), "'1.0'"),
    ],
)
def test_ids_that_cannot_be_compared_are_an_error(session, left, right, message):
    frames = [
        session.createDataFrame([(value, 0)], f"object {kind}, cluster int")
        for kind, value in (left, right)
    ]
    with pytest.raises((cv.InputError, cv.UniverseError), match=message) as caught:
        cv.compare(*frames)
    assert "\n" not in str(caught.value)
    assert not session.catalog.listTables()


def test_a_universe_of_integers_beyond_64_bits_is_rejected(frame):
    with pytest.raises(cv.InputError, match="integer 18446744073709551616, which is too large"):
        cv.compare(frame, frame, universe=[1, 2**64])


@pytest.mark.slow
def test_frames_of_two_sessions_are_an_error(session, frame):
    other = session.newSession().createDataFrame([(1, 1)], "object int, cluster int")
    with pytest.raises(cv.InputError, match="must be of one session"):
        cv.compare(frame, other)


def test_files_beside_frames_are_an_error(frame, tmp_path):
    files = Table([tmp_path / "a.parquet", tmp_path / "b.parquet"], object="x")
    for left, right, universe, side in (
        (tmp_path / "a.parquet", frame, "union", "left"),
        (frame, str(tmp_path), "union", "right"),
        (frame, files, "union", "right"),
        (frame, frame, files, "universe"),
    ):
        with pytest.raises(cv.OptionError, match=rf"{side} is .*session\.read\.parquet"):
            cv.compare(left, right, universe=universe)


def test_frames_that_must_be_read_are_an_error(frame, capfd):
    for call in (
        lambda: cv.compare(frame, [0, 1]), lambda: cv.fstar_score(frame, frame),
        cv.compare(frame, frame).objects,
    ):  # fmt: skip
        with pytest.raises(cv.InputTypeError, match=r"left is a frame .* pass \.toArrow\(\)"):
            call()
    assert "Plan" not in capfd.readouterr().out
    assert cv.fstar_score(frame.toArrow(), {1: 1}) == 1
    with pytest.raises(cv.InputTypeError, match="compares frames of Spark, but left is list"):
        cv.compare([0, 1], frame, engine="spark")


def test_frames_without_pyarrow_are_an_error(frame, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(cv.MissingDependencyError, match=r"pip install 'coverlap\[spark\]'"):
        cv.compare(frame, frame)


AFTER_STOP = """
from pyspark.sql import SparkSession
import coverlap as cv
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
for name in ("spark.driver.bindAddress", "spark.driver.host"):
    builder = builder.config(name, "127.0.0.1")
session = builder.config("spark.sql.warehouse.dir", {folder!r}).getOrCreate()
frame = session.range(3).selectExpr("id AS object", "0 AS cluster")
process = session.sparkContext._gateway.proc
session.stop()
for attempt in ("stopped", "killed"):
    try:
        cv.compare(frame, frame)
    except cv.InputError as error:
        print(error)
    process.kill()
    process.wait()
"""


@pytest.mark.slow
@pytest.mark.usefixtures("session")  # which finds Java
def test_a_session_that_is_gone_is_an_error(tmp_path):
    code = AFTER_STOP.format(folder=str(tmp_path / "warehouse"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    message = "the session of Spark has stopped or cannot be reached; start a new one and pass "
    assert [line.startswith(message) for line in done.stdout.splitlines()] == [True, True]
