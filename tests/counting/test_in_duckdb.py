"""What only DuckDB does: its limits, its tables outside memory, and what it refuses."""

import json
import pickle

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import coverlap as cv
from coverlap.core.align import Rules
from coverlap.counting import table_pair
from coverlap.counting.matching import SIMILARITIES
from coverlap.counting.relational.engine import count_relations
from coverlap.counting.relational.relations import Relations
from coverlap.counting.relational.runner import DuckDBRunner
from coverlap.tables.database import open_database
from coverlap.tables.labels import ClusterNames
from coverlap.tables.limits import limits_of
from tests.counting.tables import compared, explained, facts

__all__ = ["compared", "facts"]  # of tables.py; tests/tables imports them from here


@pytest.fixture
def write(tmp_path):
    """Write rows of integers as Parquet."""

    def write(name, *rows):
        path = tmp_path / f"{name}.parquet"
        objects, clusters = zip(*rows, strict=True)
        pa.parquet.write_table(pa.table({"object": objects, "cluster": clusters}), path)
        return path

    return write


@pytest.fixture
def path(write):
    """Return a file of overlapping clusters."""
    return write("left", (0, 1), (1, 1), (2, 2), (2, 1))


@pytest.mark.parametrize("kind", ["HUGEINT", "DECIMAL(9, 0)"])
def test_wide_integers_are_in_a_universe_that_is_a_number(kind):
    sql = f"SELECT CAST(i AS {kind}) AS object, i % 2 AS cluster FROM range(6) AS t(i)"
    with duckdb.connect() as connection:
        table = cv.Table(connection.sql(sql))
        found = cv.compare(table, table, universe=7, engine="duckdb")
        same = cv.Clustering.from_memberships([(i, i % 2) for i in range(6)])
        assert facts(found) == facts(cv.compare(same, same, universe=7))
        with pytest.raises(cv.UniverseError, match="left has objects outside the universe: 5"):
            cv.compare(table, table, universe=5, engine="duckdb")


def test_no_views_are_left():
    equal = "(SELECT * FROM (VALUES (0, 0), (0, 1), (1, 0), (1, 1), (1, 2)) AS t(object, cluster))"
    names = ClusterNames(np.arange(3))
    with open_database(limits_of("1GB", None, 1)) as database:
        counts = count_relations(
            DuckDBRunner(database), Relations(equal, equal), (names, names), Rules(),
            SIMILARITIES["jaccard"],
        )  # fmt: skip
        assert counts.left.n_merged == 1
        assert not database.rows("SELECT view_name FROM duckdb_views() WHERE NOT internal")


MEMORY = r"use engine='memory' \(--engine memory\)$"


@pytest.mark.parametrize(
    ("verb", "options", "message"),
    [
        (cv.compare, {"similarity": np.minimum.reduce}, "a user-defined similarity needs engine="),
        (cv.compare, {"graph": [(0, 1)]}, "a graph needs engine='memory'"),
        (cv.scores, {"graph": [(0, 1)]}, "a graph needs engine='memory'"),
        (cv.compare, {"memory_limit": "much"}, "memory_limit must be a number of bytes or text"),
        (cv.compare, {"temp_dir": "none"}, "temp_dir must be a folder, and"),
        (cv.compare, {"engine": "dask"}, "engine must be one of"),
        (cv.score, {"measure": "ecs"}, rf"ecs needs the memberships .*{MEMORY}"),
        (cv.score, {"measure": "omega"}, "omega needs .*clusters overlap; "),
        (cv.score, {"measure": "bcubed_f1"}, "bcubed_f1 needs .*clusters overlap; "),
        (cv.score, {"measure": "nmi", "outliers_as": "cluster"}, rf"outliers_as .*; {MEMORY}"),
    ],
)
def test_what_does_not_follow_from_tables_is_refused(path, verb, options, message):
    with pytest.raises(cv.OptionError, match=message):
        verb(path, path, **{"engine": "duckdb"} | options)


def test_labels_are_no_table(path):
    with pytest.raises(cv.InputTypeError, match="engine='duckdb' compares files and tables, but"):
        cv.compare([0, 1], path, engine="duckdb")


def test_scores_that_need_memory_say_so(path):
    reasons = cv.scores(path, path, engine="duckdb").reasons
    assert {"ecs", "omega", "omega_raw", "bcubed_precision", "bcubed_recall"} <= set(reasons)
    assert "memory" in reasons["ecs"]


def test_the_engine_is_chosen_by_size_and_the_note_says_so(path, monkeypatch):
    assert cv.compare(path, path, memory_limit="300MB").notes == ()
    monkeypatch.setattr("coverlap.counting.engines.memory_of", lambda *_: 2 * 10**12)
    found = cv.compare(path, path, memory_limit="300MB")
    assert found.notes == (
        "compared by DuckDB, since in memory, the files take about 2000.0 GB, and the limit is "
        "300 MB",
    )
    with pytest.raises(
        cv.ResourceError, match=r"needs both clusterings in memory, about 2000\.0 GB"
    ):
        found.objects()
    assert found.n_moved == 0


def test_spark_reads_no_files_and_the_error_says_how_to_read_them(tmp_path, path):
    relation = duckdb.sql("SELECT 1 AS object, 1 AS cluster")
    for left in (path, str(tmp_path), f"{tmp_path}/*.parquet", cv.Table([path, path]), relation):
        for verb in (cv.compare, cv.scores):
            with pytest.raises(cv.OptionError, match=r"left is .* session\.read\.parquet\(path\)"):
                verb(left, path, engine="spark")


def test_text_ids_that_are_integers_stay_integers(tmp_path):
    for name, labels in (("old", "aab"), ("new", "abb")):
        rows = "".join(f"{10**i},{label}\n" for i, label in enumerate(labels))
        (tmp_path / f"{name}.csv").write_text(f"object,cluster\n{rows}")
    found = cv.compare(tmp_path / "old.csv", tmp_path / "new.csv", engine="duckdb")
    found.write_table("moved", tmp_path / "moved.json")
    assert [row["object"] for row in json.loads((tmp_path / "moved.json").read_text())] == [10]


NAMES = ["a b", 'a"b', "'; DROP TABLE l; --", "é\n", "左", "NULL"]


def test_relations_files_and_universes_of_every_kind_are_read_again(tmp_path):
    items = [f"o '{i}'" for i in range(12)]
    rows = [
        [(item, NAMES[(i * step) % 6]) for i, item in enumerate(items)] + [(items[0], NAMES[1])]
        for step in (1, 5)
    ]
    left, right = (
        pa.table(dict(zip(("object", "cluster"), zip(*side, strict=True), strict=True)))
        for side in rows
    )
    with pa.ipc.new_file(tmp_path / "right.arrow", right.schema) as writer:
        writer.write_table(right)
    universe = [*items, "new"]
    wanted = cv.compare(*map(cv.Clustering.from_memberships, rows), universe=universe)
    with duckdb.connect() as connection:
        for name, table in (("t0", left), ("t1", right)):
            connection.from_arrow(table).create(name)
        for other in (connection.table("t1"), tmp_path / "right.arrow"):
            found = cv.compare(
                connection.table("t0"), other, engine="duckdb", universe=iter(universe)
            )
            assert explained(found) == explained(wanted)
            moved = []
            for result, name in ((found, "found"), (wanted, "wanted")):
                result.write_table("moved", tmp_path / f"{name}.json")
                moved.append(json.loads((tmp_path / f"{name}.json").read_text()))
            assert sorted(moved[0], key=str) == sorted(moved[1], key=str)


def test_a_report_reads_the_tables_once(path, monkeypatch):
    found = cv.compare(path, path, engine="duckdb")
    monkeypatch.setattr(table_pair, "open_tables", None)
    assert "<!DOCTYPE html>" in found.to_html()


def test_a_pickled_comparison_explains_its_tables(path, write):
    right = write("right", (0, 1), (1, 2), (2, 2), (3, 1))
    found = pickle.loads(pickle.dumps(cv.compare(path, right, engine="duckdb")))  # noqa: S301
    assert explained(found) == explained(cv.compare(path, right))
    assert not found.difference.is_in_memory


def test_tables_that_do_not_fit_are_refused_and_can_be_written(write, monkeypatch, tmp_path):
    left = write("left", *((item, item % 5) for item in range(25)))
    right = write("right", *((item, item // 5) for item in range(25)))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    found = cv.compare(left, right, engine="duckdb", memory_limit="300MB", temp_dir=scratch)
    monkeypatch.setattr(table_pair, "BYTES_PER_CELL", 10**7)
    with pytest.raises(cv.ResourceError, match=r"write_table\('contingency', path\)"):
        found.contingency()
    found.write_table("contingency", tmp_path / "cells.parquet")
    assert len(pa.parquet.read_table(tmp_path / "cells.parquet")) == 25
    assert list(scratch.iterdir()) == []


def test_files_of_other_formats_and_unknown_tables_are_refused(tmp_path):
    result = cv.compare([0, 0, 1], [0, 1, 1])
    with pytest.raises(cv.OptionError, match=r"path must be a file whose name ends in .csv"):
        result.write_table("moved", tmp_path / "moved.xlsx")
    with pytest.raises(cv.OptionError, match="name must be one of"):
        result.write_table("clusters", tmp_path / "clusters.csv")


@pytest.mark.parametrize("kind", ["TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "TIME", "DATE"])
def test_moved_objects_that_are_times_are_written_as_in_memory(kind, tmp_path):
    paths = [tmp_path / f"{side}.parquet" for side in range(2)]
    for side, path in enumerate(paths):
        duckdb.sql(
            "SELECT CAST(TIMESTAMP '2026-11-19 10:00:00.5' + INTERVAL (i) HOUR + INTERVAL (i) DAY "
            f"AS {kind}) AS object, i < {4 + side} AS cluster FROM range(9) AS t(i)"
        ).write_parquet(str(path))
    written = []
    for engine in ("memory", "duckdb"):
        cv.compare(*paths, engine=engine).write_table("moved", tmp_path / "moved.csv")
        written.append((tmp_path / "moved.csv").read_text())
    assert written[0] == written[1]
    assert written[0].count("\n") == 2
