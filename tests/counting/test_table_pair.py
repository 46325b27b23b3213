"""Tables that DuckDB compared are explained as clusterings in memory are, to the bit."""

import json
import pickle
import random

import duckdb
import pyarrow as pa
import pytest

import coverlap as cv
from coverlap.counting import table_pair
from coverlap.tables import labels as table_labels
from tests.counting.test_streaming import (
    IDS,
    LABELS,
    compared,
    limit_room,
    random_rules,
    random_side,
    write,
)

N_CASES, N_QUICK = 12, 6
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 15))]
TABLES = ("changes", "losses", "fates", "one_to_one", "contingency")


def random_tables(rng, paths):
    """Write two tables, and return options to compare them by."""
    n_objects, ids = rng.choice([0, 1, 4, 12, 25]), rng.choice(list(IDS))
    overlap = rng.random() < 0.7
    for path in paths:
        rows = random_side(rng, n_objects)
        if not overlap:
            rows = [(item, cluster) for item, cluster in dict(rows).items()]
        write(path, rows, ids, rng.choice(list(LABELS)))
    options = random_rules(rng, ids, n_objects) if n_objects else {}
    options["similarity"] = rng.choice(["jaccard", "f1", "precision", "recall"])
    options["outliers"], options["names"] = rng.random() < 0.8, ("old 'n'", 'new "n"')
    return options


def both(rng, paths, **more):
    """Return a comparison in memory and one by DuckDB; None if both are errors."""
    options = random_tables(rng, paths) | more
    wanted = compared(*paths, **options)
    found = compared(*paths, engine="duckdb", memory_limit="500MB", **options)
    if isinstance(wanted, Exception):
        assert str(found) == str(wanted)
        return None
    return wanted, found


@pytest.fixture(autouse=True)
def number_all_integers(request):
    """Number also the integers that do not occur as labels, except for odd seeds."""
    seed = request.node.callspec.params["seed"] if hasattr(request.node, "callspec") else 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_labels, "ROWS_PER_INTEGER", 64 * (seed % 2))
        yield


@pytest.fixture
def paths(tmp_path):
    return tmp_path / "le'ft; DROP.parquet", tmp_path / "right.parquet"


@pytest.mark.parametrize("seed", SEEDS)
def test_tables_that_explain_equal_memory(paths, monkeypatch, seed):
    rng, n_compared, n_cases = random.Random(seed), 0, N_CASES if seed else N_QUICK
    for _ in range(n_cases):
        limit_room(monkeypatch, rng.choice([0, 10**6]))
        result = both(rng, paths)
        monkeypatch.undo()
        if result is None:
            continue
        wanted, found = result
        threshold, n_compared = rng.choice([0, 0.3, 0.5, 1]), n_compared + 1
        for same in (True, False):
            one, other = (side.changes(threshold, same=same) for side in result)
            assert one.columns() == other.columns()
            assert one.counts == other.counts
        for name in TABLES[1:]:
            assert getattr(found, name)().columns() == getattr(wanted, name)().columns(), name
        assert found.n_moved == wanted.n_moved == wanted.objects().n_moved
        assert not found.difference.is_in_memory
    assert n_compared > n_cases / 2


def rows_of_file(path):
    if path.suffix == ".json":
        return json.loads(path.read_text())
    if path.suffix == ".arrow":
        return pa.ipc.open_file(path).read_all().to_pylist()
    if path.suffix == ".csv":
        return path.read_text().splitlines()
    with duckdb.connect() as connection:
        found = connection.execute("SELECT * FROM read_parquet(?)", [str(path)])
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


@pytest.mark.parametrize("seed", SEEDS)
def test_large_tables_are_written_in_parts_as_in_memory(paths, monkeypatch, seed):
    rng = random.Random(100 + seed)
    for suffix in ("csv", "json", "parquet", "arrow"):
        monkeypatch.setattr(table_pair, "ROWS_PER_PART", rng.choice([1, 4]))
        result = None
        while result is None:
            result = both(rng, paths)
        targets = [paths[0].with_name(f"{name}.{suffix}") for name in ("wanted", "found")]
        for name in ("contingency", "moved", "changes"):
            for comparison, target in zip(result, targets, strict=True):
                comparison.write_table(name, target)
            wanted, found = map(rows_of_file, targets)
            if name == "moved":  # rows of objects are in another order
                wanted, found = (sorted(rows, key=str) for rows in (wanted, found))
            assert found == wanted, (name, suffix)
    assert not result[1].difference.is_in_memory


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
    connection = duckdb.connect()
    sides: list = []
    for number, memberships in enumerate(rows):
        connection.execute(f"CREATE TABLE t{number} (object VARCHAR, cluster VARCHAR)")
        connection.executemany(f"INSERT INTO t{number} VALUES (?, ?)", memberships)  # noqa: S608
        sides.append(cv.Clustering.from_memberships(memberships))
    table = pa.table(dict(zip(("object", "cluster"), zip(*rows[1], strict=True), strict=True)))
    with pa.ipc.new_file(tmp_path / "right.arrow", table.schema) as writer:
        writer.write_table(table)
    universe = [*items, "new"]
    wanted = cv.compare(*sides, universe=universe)
    left, other = connection.table("t0"), tmp_path / "right.arrow"
    for right in (connection.table("t1"), other):
        found = cv.compare(left, right, engine="duckdb", universe=iter(universe))
        for name in TABLES:
            assert getattr(found, name)().columns() == getattr(wanted, name)().columns(), name
        assert found.n_moved == wanted.n_moved
        found.write_table("moved", tmp_path / "found.json")
        wanted.write_table("moved", tmp_path / "wanted.json")
        one, other_rows = (
            json.loads((tmp_path / f"{n}.json").read_text()) for n in ("found", "wanted")
        )
        assert sorted(one, key=str) == sorted(other_rows, key=str)
    connection.close()


def test_a_report_reads_the_tables_once(paths, monkeypatch):
    write(paths[0], [(0, 1), (1, 1), (2, 2), (2, 1)], "dense", "dense")
    found = cv.compare(paths[0], paths[0], engine="duckdb")
    monkeypatch.setattr(table_pair, "open_tables", None)
    assert "<!DOCTYPE html>" in found.to_html()


def test_a_pickled_comparison_explains_its_tables(paths):
    write(paths[0], [(0, 1), (1, 1), (2, 2), (2, 1)], "dense", "dense")
    write(paths[1], [(0, 1), (1, 2), (2, 2), (3, 1)], "dense", "dense")
    found = pickle.loads(pickle.dumps(cv.compare(*paths, engine="duckdb")))  # noqa: S301
    wanted = cv.compare(*paths)
    for name in TABLES:
        assert getattr(found, name)().columns() == getattr(wanted, name)().columns()


def test_tables_that_do_not_fit_are_refused_and_can_be_written(paths, monkeypatch, tmp_path):
    write(paths[0], [(item, item % 5) for item in range(25)], "dense", "dense")
    write(paths[1], [(item, item // 5) for item in range(25)], "dense", "dense")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    found = cv.compare(*paths, engine="duckdb", memory_limit="300MB", temp_dir=scratch)
    monkeypatch.setattr(table_pair, "BYTES_PER_CELL", 10**7)
    with pytest.raises(cv.ResourceError, match=r"write_table\('contingency', path\)"):
        found.contingency()
    found.write_table("contingency", tmp_path / "cells.parquet")
    assert len(rows_of_file(tmp_path / "cells.parquet")) == 25
    assert list(scratch.iterdir()) == []


def test_objects_of_tables_still_need_memory(paths, monkeypatch):
    write(paths[0], [(0, 0)], "dense", "dense")
    found = cv.compare(paths[0], paths[0], engine="duckdb")
    monkeypatch.setattr("coverlap.counting.engines.memory_of", lambda _: 10**12)
    with pytest.raises(cv.ResourceError, match="needs both clusterings in memory"):
        found.objects()
    assert found.n_moved == 0


def test_files_of_other_formats_and_unknown_tables_are_refused(tmp_path):
    result = cv.compare([0, 0, 1], [0, 1, 1])
    with pytest.raises(cv.OptionError, match=r"path must be a file whose name ends in .csv"):
        result.write_table("moved", tmp_path / "moved.xlsx")
    with pytest.raises(cv.OptionError, match="name must be one of"):
        result.write_table("clusters", tmp_path / "clusters.csv")
