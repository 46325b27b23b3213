"""Every engine compares, explains and scores tables as clusterings of their rows, to the bit."""

import datetime as dt
import json
import re

import pyarrow as pa
import pytest
from pyarrow.parquet import write_table

import coverlap as cv
from coverlap.counting import table_pair
from coverlap.counting.matching import SIMILARITIES
from coverlap.counting.relational.runner import DuckDBRunner
from coverlap.counting.relational.spark_session import SparkRunner
from tests.counting.tables import UNIVERSES, explained, facts

MORE = pytest.mark.parametrize("n", [20, pytest.param(60, marks=pytest.mark.slow)])
FEW = pytest.mark.parametrize("n", [6, pytest.param(36, marks=pytest.mark.slow)])
NEEDING_MEMORY = ("ecs", "omega", "omega_raw", "bcubed_precision", "bcubed_recall", "bcubed_f1")


@MORE
@pytest.mark.parametrize("universe", UNIVERSES)
def test_random_tables_are_compared_as_their_rows(engine, tmp_path, universe, n):
    errors = []

    def check(case):
        wanted, found = case.both(engine, tmp_path, cv.compare, **case.options)
        assert facts(found) == facts(wanted)
        errors.append(isinstance(wanted, Exception))

    engine.for_random_tables(check, n, universe)
    assert errors.count(False) >= len(errors) / 3  # text is no number below 10 or so


@MORE
def test_fingerprints_that_collide_do_not_merge_different_clusters(
    engine, tmp_path, n, monkeypatch
):
    for runner in (DuckDBRunner, SparkRunner):
        monkeypatch.setattr(runner, "hash", "CAST(0 AS BIGINT)")

    def check(case):
        wanted, found = case.both(engine, tmp_path, cv.compare, **case.options)
        assert facts(found) == facts(wanted)

    engine.for_random_tables(check, n, "intersection")


@FEW
def test_random_tables_are_explained_as_their_rows(engine, tmp_path, n):
    def check(case):
        wanted, found = case.both(engine, tmp_path, cv.compare, **case.options)
        assert explained(found) == explained(wanted)
        assert found.n_moved == wanted.objects().n_moved

    engine.for_random_tables(check, n)


@FEW
def test_random_tables_have_the_scores_of_their_rows(engine, tmp_path, n):
    scored = []

    def check(case):
        wanted, found = case.both(engine, tmp_path, cv.scores)
        refused = []
        if engine.name != "memory":
            refused = NEEDING_MEMORY if any(wanted.n_in_several) else ["ecs"]
        expected = {name: None if name in refused else wanted[name] for name in wanted}
        assert dict(found) == expected
        assert [found.universe, found.n_clusters, found.n_outliers, found.n_in_several] == [
            wanted.universe, wanted.n_clusters, wanted.n_outliers, wanted.n_in_several,
        ]  # fmt: skip
        assert found.notes == wanted.notes
        scored.extend(name for name, value in found.items() if value is not None)

    engine.for_random_tables(check, n)
    assert len(set(scored)) > 20


def rows_of_file(path):
    if path.suffix == ".json":
        return json.loads(path.read_text())
    if path.suffix == ".arrow":
        return pa.ipc.open_file(path).read_all().to_pylist()
    if path.suffix == ".csv":
        return path.read_text().splitlines()
    return pa.parquet.read_table(path).to_pylist()


@pytest.mark.parametrize(
    ("suffix", "rows_per_part"), [("csv", 1), ("json", 4), ("parquet", 1), ("arrow", 4)]
)
def test_tables_are_written_in_parts_as_in_memory(
    engine, tmp_path, monkeypatch, suffix, rows_per_part
):
    monkeypatch.setattr(table_pair, "ROWS_PER_PART", rows_per_part)
    whole = DuckDBRunner.objects

    def one_by_one(runner, sql):  # as DuckDB gives very many rows
        for chunk in whole(runner, sql):
            for at in range(len(chunk[0])):
                yield [column[at : at + 1] for column in chunk]

    monkeypatch.setattr(DuckDBRunner, "objects", one_by_one)
    targets = [tmp_path / f"{name}.{suffix}" for name in ("wanted", "found")]

    def check(case):
        comparisons = case.both(engine, tmp_path, cv.compare)
        names = ["contingency", "moved", "changes"]
        if engine.session and not comparisons[0].n_moved:
            names.remove("moved")  # which is not written if a frame of Spark has nothing that moved
        for name in names:
            for comparison, target in zip(comparisons, targets, strict=True):
                comparison.write_table(name, target)
            wanted, found = map(rows_of_file, targets)
            if name == "moved":  # rows of objects are in another order
                wanted, found = (sorted(rows, key=str) for rows in (wanted, found))
            assert found == wanted

    engine.for_random_tables(check, 6)


@pytest.mark.parametrize(
    ("n_objects", "n_clusters"), [(100, 35), pytest.param(100_000, 3000, marks=pytest.mark.slow)]
)
def test_larger_tables_are_compared_as_their_rows(engine, tmp_path, n_objects, n_clusters):
    if engine.session:
        n_objects, n_clusters = 1000, 35  # more takes minutes in Spark
    paths, sides = [tmp_path / "left.parquet", tmp_path / "right.parquet"], []
    for seed, path in enumerate(paths):
        drawn = cv.generate.random_clustering(
            n_objects, n_clusters, memberships=4, outliers=0.1, seed=seed
        )
        sides.append(drawn)
        write_table(drawn.to_frame("arrow"), path)
    for similarity in SIMILARITIES:
        options = {"similarity": similarity, "drop_outliers": "either"}
        found = engine.call(cv.compare, *map(engine.read, paths), **options)
        assert facts(found) == facts(cv.compare(*sides, **options))


def tables_of(engine, folder, *sides, **columns):
    """Return what the engine compares: columns of objects and clusters of each side."""
    names = list(columns.values()) or ["object", "cluster"]
    paths = [folder / "left.parquet", folder / "right.parquet"]
    for path, side in zip(paths, sides, strict=True):
        write_table(pa.table([pa.array(column) for column in side], names=names), path)
    return [engine.read(path, **columns) for path in paths], paths


ODD = "o`d\"d'.ob ject; DROP VIEW x --ü"
DAYS = [dt.date(2020, 1, day) for day in (1, 2, 3, 4)]
TIMES = [dt.datetime(2020, 1, 1, 12, 0, second, 7, dt.UTC) for second in range(4)]
KINDS = {
    "integers": ([1, 2, 3, 4, 4], [0, 0, -1, 5, 5], [1, 2, 3, 9], [7, 7, 7, None]),
    "text": (
        ["a", "ü'`\"", "a", "c"], ["-1", "x", "NA", "y"],
        ["a", "ü'`\"", "é"], ["z`'\"", "z`'\"", "10"],
    ),
    "integers beside text": ([1, 2, 3], ["b", "a", "b"], ["1", "2", "x"], [1, 1, 2]),
    "integral floats": ([1.0, 2.0, 3.0], [0.0, -1.0, None], [1, 2, 4], [0, 0, 1]),
    "booleans": ([True, False], [True, True], [1, 0, 2], [0, 0, 1]),
    "days": (DAYS, DAYS, DAYS[::-1], DAYS[:2] * 2),
    "times": (TIMES, TIMES[:1] * 4, TIMES[1:], TIMES[1:]),
    "lists": ([1, 2, 3, 4], [[0, 1], [], None, [1, 1]], [1, 2, 3, 4], [[5], [5], [-1, 6], [6]]),
    "no rows beside text": ([], [], ["a", "b"], [0, 0]),
    "text that looks like numbers": (
        ["007", "8", "9"], ["1", "2.0", "-1"], ["1", "8", "3"], ["p", "p", "q"],
    ),
    "quotes and spaces": (["1", "2", "3"], ['a "b" c', None, "x y"], ["1", "8"], ["p", "p"]),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_columns_of_every_kind_are_read_as_in_memory(engine, tmp_path, kind):
    columns = {"object": ODD, "cluster": "cl`us.ter"}
    tables, paths = tables_of(engine, tmp_path, KINDS[kind][:2], KINDS[kind][2:], **columns)
    wanted = cv.compare(*(cv.read_clustering(path, **columns) for path in paths))
    assert facts(engine.call(cv.compare, *tables)) == facts(wanted)


@pytest.mark.parametrize(
    ("universe", "same"),
    [(20, range(20)), ("right", [0, 1, 7]), (range(5), [0, 1, 2, 3, 4]),
     ([3, 1, 0, 2], range(4)), ("ids.txt", [0, 1, 2, 3])],
)  # fmt: skip
def test_universes_of_every_kind_are_those_of_their_ids(
    engine, tmp_path, monkeypatch, universe, same
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ids.txt").write_text("3\n0\n1\n2\n")
    universe = tmp_path / universe if universe == "ids.txt" else universe
    right = [7] if isinstance(universe, int) or universe == "right" else []
    tables, _ = tables_of(
        engine, tmp_path, ([0, 1, 2], [0, 0, -1]), ([0, 1, *right], [5, 6, *[-1] * len(right)])
    )
    wanted = cv.compare({0: 0, 1: 0}, {0: 5, 1: 6} | dict.fromkeys(right, -1), universe=same)
    once = iter(universe) if isinstance(universe, list) else universe
    found = engine.call(cv.compare, *tables, universe=once)
    assert facts(found)[0] == facts(wanted)[0]
    assert (found.columns(), found.outliers) == (wanted.columns(), wanted.outliers)
    assert found.universe.n_objects == len(same)


@pytest.mark.parametrize(
    ("left", "right", "rules", "message"),
    [
        ((range(8), [0] * 8), ([0], [0]), {"universe": [0]},
         "left has members .*universe: 1, 2, 3, 4, 5 and 2 more"),
        (([0], [0]), ([3, 4], [0, None]), {"universe": [0]},
         "right has members outside the universe: 3"),
        (([0], [0]), ([3, -1, 2], [0, None, 1]), {"universe": 3},
         "right has objects outside the universe: -1, 3"),
        ((["a"], [0]), (["a"], [0]), {"universe": 3}, "left has objects outside .*: 'a'"),
        (([0], [0]), ([1], [0]), {"n_objects": 1}, "n_objects is 1, but .* know 2"),
    ],
)  # fmt: skip
def test_objects_outside_the_universe_are_named(engine, tmp_path, left, right, rules, message):
    tables, _ = tables_of(engine, tmp_path, left, right)
    error = engine.call(cv.compare, *tables, **rules)
    assert isinstance(error, cv.UniverseError)
    assert re.search(message, str(error))


@pytest.mark.parametrize(
    ("measure", "options"),
    [
        ("fstar_wo", {"similarity": "recall", "balance": 0.25}),
        ("fstar_w", {"average": "equal"}),
        ("onmi", {"normalization": "lfk"}),
        ("onmi", {"variant": "mcdaid"}),
        ("exact_f1", {}),
    ],
)
def test_measures_have_their_options(engine, tmp_path, measure, options):
    left, right = ([0, 1, 2, 3, 2], [1, 1, 2, 2, 1]), ([0, 1, 2, 3], [1, 2, 2, 1])
    tables, _ = tables_of(engine, tmp_path, left, right)
    sides = [
        cv.Clustering.from_memberships(list(zip(*side, strict=True))) for side in (left, right)
    ]
    found = engine.call(cv.score, *tables, measure=measure, **options)
    assert found == cv.score(*sides, measure, **options)
