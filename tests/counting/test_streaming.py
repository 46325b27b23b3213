"""Tables that DuckDB scans give the same comparison as clusterings in memory, to the bit."""

import pickle
import random

import duckdb
import numpy as np
import pytest

import coverlap as cv
from coverlap.counting import in_duckdb
from coverlap.counting.streaming import engine
from coverlap.tables import labels as table_labels

N_CASES, N_QUICK = 30, 12

IDS = {
    "dense": ("INTEGER", lambda i: i),
    "negative": ("BIGINT", lambda i: i - 7),
    "sparse": ("BIGINT", lambda i: (i * 2**40 + 17) * (-1) ** i),
    "huge": ("UBIGINT", lambda i: 2**64 - 1 - i),
    "float": ("DOUBLE", float),
    "text": ("VARCHAR", lambda i: f"object 'é' {i}"),
    "digits": ("VARCHAR", lambda i: f"{i:03d}"),
    "date": ("DATE", lambda i: f"2026-11-{i + 1:02d}"),
}
LABELS = {
    "dense": ("INTEGER", lambda c: c),
    "negative": ("INTEGER", lambda c: c - 2),
    "sparse": ("BIGINT", lambda c: c * 2**33),
    "float": ("DOUBLE", float),
    "text": ("VARCHAR", lambda c: ["-1", "b", "10", "9", "ä", "", "NA", "a b"][c]),
    "date": ("DATE", lambda c: f"2025-01-{c + 1:02d}"),
}


def random_side(rng, n_objects):
    """Memberships with repeated rows, outliers, equal and nested clusters."""
    rows = []
    for item in range(n_objects):
        kind = rng.random()
        if kind < 0.15:
            continue  # not known to this side
        if kind < 0.3:
            rows.append((item, None))
        rows += [(item, rng.randrange(6)) for _ in range(rng.choice([0, 1, 1, 1, 2, 3]))]
    if rows and rng.random() < 0.5:  # equal clusters, and rows that are repeated
        twin = rng.randrange(6)
        rows = [row for row in rows if row[1] != 7]
        rows += [(item, 7) for item, cluster in rows if cluster == twin]
        rows += rng.sample(rows, len(rows) // 3)
    rng.shuffle(rows)
    return rows


def write(path, rows, ids, labels):
    (id_type, to_id), (label_type, to_label) = IDS[ids], LABELS[labels]
    named = [(to_id(o), None if c is None else to_label(c)) for o, c in rows]
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t (object {id_type}, cluster {label_type})")
        if named:
            connection.executemany("INSERT INTO t VALUES (?, ?)", named)
        target = str(path).replace("'", "''")
        connection.execute(f"COPY t TO '{target}' (FORMAT parquet)")


def random_rules(rng, ids, n_objects):
    rules = {"drop_outliers": rng.choice([None, None, "left", "right", "either", "both"])}
    universe = rng.choice(["union", "union", "intersection", "left", "right", "given", "all"])
    to_id = IDS[ids][1]
    if universe == "given" and ids != "date":
        some = rng.sample(range(n_objects), max(1, n_objects - 2))
        rules["universe"] = [to_id(i) for i in (some if rng.random() < 0.3 else range(30))]
    elif universe == "all":
        rules["n_objects"] = n_objects + rng.choice([-3, 0, 5])
    elif universe != "given":
        rules["universe"] = universe
    if ids in ("dense", "negative", "sparse", "float") and rng.random() < 0.25:
        rules.pop("n_objects", None)
        rules["universe"] = n_objects + rng.choice([-2, 0, 4])
    return rules


def compared(left, right, **options):
    """The comparison, or the error."""
    try:
        return cv.compare(left, right, **options)
    except cv.CoverlapError as error:
        return error


def facts(comparison):
    """All that a comparison says, with similarities to the bit."""
    if isinstance(comparison, Exception):
        return type(comparison).__name__, str(comparison)
    notes = [note for note in comparison.notes if "DuckDB" not in note]
    matching = comparison.matching
    return (
        comparison.score.hex(), comparison.columns(), comparison.universe, comparison.outliers,
        comparison.clusterings, comparison.cluster_names, comparison.left, comparison.right, notes,
        [np.asarray(column).tolist() for side in matching[:2] for column in side],
    )  # fmt: skip


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 20))]
)
def test_random_tables_equal_memory(tmp_path, monkeypatch, seed):
    rng = random.Random(seed)
    paths = tmp_path / "left.parquet", tmp_path / "right.parquet"
    n_errors, n_cases = 0, N_CASES if seed else N_QUICK
    for _ in range(n_cases):
        n_objects = rng.choice([0, 1, 4, 12, 25])
        ids, labels = rng.choice(list(IDS)), [rng.choice(list(LABELS)) for _ in paths]
        for path, label in zip(paths, labels, strict=True):
            write(path, random_side(rng, n_objects), ids, label)
        options = random_rules(rng, ids, n_objects) if n_objects else {}
        options["similarity"] = rng.choice(["jaccard", "f1", "precision", "recall"])
        options["average"], options["balance"] = rng.choice(["size", "equal"]), rng.choice([0.5, 1])
        options["outliers"], options["threads"] = rng.random() < 0.8, rng.choice([1, 2, 3])
        limit_room(monkeypatch, rng.choice([0, 1, 3, 10**6]))
        # With 0, integers that do not occur are numbered as well.
        monkeypatch.setattr(table_labels, "ROWS_PER_INTEGER", rng.choice([0, 64]))
        left, right = map(str, paths)
        if rng.random() < 0.2:
            left = cv.Table(paths[0], outlier_label=[LABELS[labels[0]][1](c) for c in (1, 3)])
        wanted = compared(left, right, **options)
        found = compared(left, right, engine="duckdb", memory_limit="500MB", **options)
        assert facts(found) == facts(wanted), (ids, labels, options)
        n_errors += isinstance(wanted, Exception)
    assert n_errors < n_cases / 2  # so most cases test numbers


def limit_room(monkeypatch, room):
    """Let few members be listed in each pass; with 0, count by SQL."""
    plan_for = engine.plan_for

    def plan(*arguments):
        return None if room == 0 else plan_for(*arguments)._replace(room=room)

    monkeypatch.setattr(in_duckdb, "plan_for", plan)


@pytest.mark.parametrize(
    "rules", [{"universe": 10}, {"universe": 10, "drop_outliers": "both"}, {"n_objects": 12},
              {"universe": [0, 5, 7, 9, 11]}, {"universe": range(10)}],
)  # fmt: skip
def test_integers_that_no_table_mentions_are_counted_once(tmp_path, rules):
    paths = [tmp_path / f"{name}.parquet" for name in ("left", "right")]
    write(paths[0], [(0, 1), (5, 1), (7, 2)], "dense", "dense")
    write(paths[1], [(0, 1), (5, 2), (7, 2)], "dense", "dense")
    found = cv.compare(*paths, engine="duckdb", **rules)
    assert facts(found) == facts(cv.compare(*paths, **rules))


def test_a_pickled_comparison_still_reads_its_tables(tmp_path):
    paths = [tmp_path / f"{name}.parquet" for name in ("left", "right")]
    for path, label in zip(paths, (0, 1), strict=True):
        write(path, [(0, label), (1, 0), (2, 1), (3, None)], "dense", "negative")
    found = pickle.loads(pickle.dumps(cv.compare(*paths, engine="duckdb")))  # noqa: S301
    wanted = cv.compare(*paths)
    assert not found.difference.is_in_memory
    assert found.objects().columns() == wanted.objects().columns()
    assert found.changes().columns() == wanted.changes().columns()


def test_what_cannot_be_counted_outside_memory_is_refused(tmp_path):
    path = tmp_path / "left.parquet"
    write(path, [(0, 0)], "dense", "dense")
    with pytest.raises(cv.InputTypeError, match="engine='duckdb' compares files and tables, but"):
        cv.compare([0, 1], path, engine="duckdb")
    with pytest.raises(cv.OptionError, match="a user-defined similarity needs engine='memory'"):
        cv.compare(path, path, engine="duckdb", similarity=np.minimum.reduce)
    with pytest.raises(cv.OptionError, match="a graph needs engine='memory'"):
        cv.compare(path, path, engine="duckdb", graph=[(0, 1)])
    with pytest.raises(cv.OptionError, match="memory_limit must be a number of bytes or text such"):
        cv.compare(path, path, memory_limit="much")
    with pytest.raises(cv.OptionError, match="temp_dir must be a folder, and"):
        cv.compare(path, path, temp_dir=tmp_path / "none")
    with pytest.raises(cv.OptionError, match="engine must be one of"):
        cv.compare(path, path, engine="dask")


def test_the_engine_is_chosen_by_size_and_the_note_says_so(tmp_path, monkeypatch):
    path = tmp_path / "left.parquet"
    write(path, [(item, item % 3) for item in range(100)], "dense", "dense")
    assert cv.compare(path, path, memory_limit="300MB").notes == ()
    monkeypatch.setattr("coverlap.counting.engines.memory_of", lambda _: 10**12)
    (note,) = cv.compare(path, path, memory_limit="300MB").notes
    assert note == (
        "compared by DuckDB, since in memory, the files take about 2000.0 GB, and the limit is "
        "300 MB"
    )
    with pytest.raises(
        cv.ResourceError, match=r"needs both clusterings in memory, about 2000\.0 GB"
    ):
        cv.compare(path, path, engine="duckdb").objects()
