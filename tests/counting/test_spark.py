"""The relational engine on Spark counts what the engine in memory counts."""

import datetime as dt
import subprocess
import sys
import warnings
from importlib.util import find_spec

import pytest

import coverlap as cv
from coverlap.core.align import Rules
from coverlap.counting.counts import counts_of
from coverlap.counting.matching import SIMILARITIES
from coverlap.counting.relational.engine import count_cases
from coverlap.counting.relational.relations import CASE, Relations
from coverlap.counting.relational.spark import count_in_spark
from coverlap.counting.relational.spark_session import SparkRunner
from coverlap.tables.table import Table
from tests.counting.java import HOW_TO_INSTALL, find_java
from tests.counting.relations import (
    NAMES,
    columns_of,
    expected,
    expected_of,
    found,
    option_sets,
    random_comparisons,
    rules_of,
)

if find_spec("pyspark") is None:
    pytest.skip("PySpark is not installed", allow_module_level=True)
if find_java() is None:
    pytest.skip(f"Spark needs Java: {HOW_TO_INSTALL}, or 'make java'", allow_module_level=True)

JACCARD = SIMILARITIES["jaccard"]


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "local"),
        # Compiling queries, and their many small tasks, would take most of the time here.
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.adaptive.enabled": "false",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
        "spark.sql.session.timeZone": "UTC",
        "spark.log.level": "OFF",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Spark itself, where it starts
        started = builder.getOrCreate()
    yield started
    started.stop()


def view(runner, session, columns):
    names = (CASE, "object", "cluster")
    rows = list(zip(*columns.values(), strict=True))
    schema = ", ".join(f"{name} bigint" for name in names)
    return runner.view(session.createDataFrame(rows, schema))


def check_comparisons(session, options, comparisons):
    universe, drop_outliers, similarity = options
    runner = SparkRunner(session)
    views = [view(runner, session, columns) for columns in columns_of(comparisons)]
    relations = Relations(*views[:2], views[2] if universe == "given" else None, by_case=True)
    counted = count_cases(
        runner, relations, range(len(comparisons)), (NAMES, NAMES),
        rules_of(universe, drop_outliers), SIMILARITIES[similarity],
    )  # fmt: skip
    runner.close()
    for comparison, counts in zip(comparisons, counted, strict=True):
        assert found(counts) == expected(comparison, *options), comparison


@pytest.mark.slow
@pytest.mark.parametrize("options", option_sets(), ids=str)
def test_random_comparisons_equal_those_in_memory(session, options):
    check_comparisons(session, options, random_comparisons(15, seed=f"Spark {options}"))


ODD = "o`d\"d'.ob ject; DROP VIEW x --ü"
DAYS = [dt.date(2020, 1, day) for day in (1, 2, 3, 4)]
TIMES = [dt.datetime(2020, 1, 1, 12, 0, second, 7, dt.UTC) for second in range(4)]

TABLES = {
    "integers": ([1, 2, 3, 4, 4], [0, 0, -1, 5, 5], [1, 2, 3, 9], [7, 7, 7, None]),
    "text": (
        ["a", "ü'`\"", "a", "c"], ["-1", "x", "NA", "y"],
        ["a", "ü'`\"", "é"], ["z`'\"", "z`'\"", "10"],
    ),
    "integers beside text": ([1, 2, 3], ["b", "a", "b"], ["1", "2", "x"], [1, 1, 2]),
    "integral floats": ([1.0, 2.0, 3.0], [0.0, -1.0, float("nan")], [1, 2, 4], [0, 0, 1]),
    "booleans": ([True, False], [True, True], [1, 0, 2], [0, 0, 1]),
    "days": (DAYS, DAYS, DAYS[::-1], DAYS[:2] * 2),
    "times": (TIMES, TIMES[:1] * 4, TIMES[1:], TIMES[1:]),
    "lists": ([1, 2, 3, 4], [[0, 1], [], None, [1, 1]], [1, 2, 3, 4], [[5], [5], [-1, 6], [6]]),
    "no rows beside text": ([], [], ["a", "b"], [0, 0]),
}  # fmt: skip


def parquet(path, objects, clusters, names=(ODD, "cl`us.ter")):
    """Write a Parquet file, with columns whose names are no identifiers."""
    arrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    write_table(arrow.table([arrow.array(objects), arrow.array(clusters)], names=list(names)), path)
    return path


def in_memory(paths, rules, **options):
    """Return what the engine in memory counts in two files."""
    sides = [cv.read_clustering(path, **options) for path in paths]
    counts = counts_of(*sides, rules)
    return expected_of(counts, "jaccard"), [side.memberships.outlier_texts for side in sides]


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_tables_equal_those_in_memory(session, tmp_path, name):
    lefts, rights = TABLES[name][:2], TABLES[name][2:]
    paths = [
        parquet(tmp_path / f"a {{b}} [c]*{i}.parquet", *columns)
        for i, columns in enumerate((lefts, rights))
    ]
    columns = {"object": ODD, "cluster": "cl`us.ter"}
    wanted, texts = in_memory(paths, Rules(), **columns)
    counts = count_in_spark(
        Table(paths[0], **columns), Table(str(paths[1]), **columns), Rules(), JACCARD
    )
    assert found(counts) == wanted
    assert [counts.left.outlier_texts, counts.right.outlier_texts] == texts
    assert not session.catalog.listTables()


TEXTS = {
    "quotes and spaces": 'object,cluster\n 1 ,"a ""b"" c"\n2,\n"3", x y \n4,NA\n',
    "text that looks like numbers": "object,cluster\n007,1\n8,2.0\n9,-1\n",
    "integers": "object,cluster\n1,1\n8,1\n9,-1\n",
    "semicolons": "cluster;weight;object\na;1;1\nb;2;8\n",
    "windows": "object,cluster\r\n1,1\r\n8,2\r\n",
}


@pytest.mark.slow
@pytest.mark.usefixtures("session")
@pytest.mark.parametrize("name", TEXTS)
def test_csv_means_the_same_as_in_memory(tmp_path, name):
    path, other = tmp_path / "one.csv", tmp_path / "other.tsv"
    path.write_text(TEXTS[name], newline="")
    other.write_text("object\tcluster\n1\tp\n8\tp\n3\tq\n")
    wanted = expected_of(counts_of(str(path), str(other)), "jaccard")
    assert found(count_in_spark(Table(path), Table(other), Rules(), JACCARD)) == wanted


@pytest.mark.slow
def test_frames_equal_clusterings_in_memory(session):
    left = [("a", "x"), ("b", "x"), ("a", "w"), ("b", "w"), ("c", "-1"), ("d", None), ("e", "v")]
    right = [("a", 1), ("b", 2), ("c", 2), ("f", -7), ("a", 1)]
    names = f"`{ODD.replace('`', '``')}` string, `clus ter` "
    frames = [
        session.createDataFrame(rows, names + kind)
        for rows, kind in ((left, "string"), (right, "bigint"))
    ]
    tables = [Table(frame, object=ODD, cluster="clus ter") for frame in frames]
    sides = [
        cv.Clustering.from_memberships(
            [(item, None if name in ("-1", -7) else name) for item, name in rows]
        )
        for rows in (left, right)
    ]
    given = ["a", "b", "c", "e", "new"]
    rules = Rules(given, None, "both")
    wanted = expected_of(counts_of(*sides, rules), "f1")
    counts = count_in_spark(*tables, rules, SIMILARITIES["f1"])
    assert found(counts) == wanted
    assert counts.left.n_merged == 1
    assert counts.left.outlier_texts == ("-1",)
    assert not session.catalog.listTables()


@pytest.mark.slow
def test_universes_of_every_kind_equal_those_in_memory(session, tmp_path):
    left, right = [(0, 0), (1, 0), (2, -1)], [(0, 5), (1, 6), (7, -1)]
    frames = [session.createDataFrame(rows, "object int, cluster int") for rows in (left, right)]
    sides = [
        cv.Clustering.from_memberships([(item, n if n >= 0 else None) for item, n in rows])
        for rows in (left, right)
    ]
    ids = tmp_path / "ids.txt"
    ids.write_text("0\n1\n3\n")
    frame = session.createDataFrame([(0,), (1,), (3,)], "any long")
    wide = session.createDataFrame([(0, 9), (1, 9), (3, 9)], "node long, other long")
    universes = {
        20: 20, "right": "right", ids: ids, frame: [0, 1, 3], range(5): range(5),
        wide: [0, 1, 3], Table(wide, object="node"): [0, 1, 3],
    }  # fmt: skip
    for universe, same in universes.items():
        counts = count_in_spark(*map(Table, frames), Rules(universe), JACCARD)
        assert found(counts) == expected_of(counts_of(*sides, Rules(same)), "jaccard"), universe


def test_a_universe_of_integers_beyond_64_bits_is_rejected(session):
    frame = session.createDataFrame([(1, 0)], "object int, cluster int")
    with pytest.raises(cv.InputError, match="integer 18446744073709551616, which is too large"):
        cv.compare(frame, frame, universe=[1, 2**64])


def test_clusters_named_by_dates_are_ordered_by_value(session):
    days = list(enumerate([*DAYS[::-1], *TIMES[::-1]]))
    one = [(i, 0) for i, _ in days]
    for rows, kind in ((days[:4], "date"), (days[4:], "timestamp")):
        left = session.createDataFrame(
            one[:4] if kind == "date" else one[4:], "object int, cluster int"
        )
        result = cv.compare(left, session.createDataFrame(rows, f"object int, cluster {kind}"))
        assert result.cluster_names[1] == sorted(day for _, day in rows)
        assert result.columns()["match"][0] == min(day for _, day in rows)


REJECTED = {
    "integers and text share no object": ("o int", [(1,)], "o string", [("a",)]),
    "ids are of different types": ("o int", [(1,)], "o date", [(DAYS[0],)]),
    "has nulls": ("o int", [(None,)], "o int", [(1,)]),
    "continuous number 0.5": ("o double", [(0.5,)], "o int", [(1,)]),
    "which names nothing": ("o binary", [(b"a",)], "o int", [(1,)]),
    "'1.0'": ("o int", [(1,)], "o string", [("1.0",), ("2",)]),
}


@pytest.mark.slow
@pytest.mark.parametrize("message", REJECTED)
def test_ids_that_cannot_be_compared_are_an_error(session, message):
    kind, rows, other_kind, other_rows = REJECTED[message]
    tables = [
        Table(session.createDataFrame(own, types).selectExpr("o AS object", "0 AS cluster"))
        for types, own in ((kind, rows), (other_kind, other_rows))
    ]
    pattern = "so they share no object" if "share" in message else message
    with pytest.raises((cv.InputError, cv.UniverseError), match=pattern) as caught:
        count_in_spark(*tables, Rules(), JACCARD)
    assert "\n" not in str(caught.value)
    assert not session.catalog.listTables()


@pytest.mark.slow
def test_files_that_spark_reads_otherwise_are_rejected(session, tmp_path):
    frame = Table(session.createDataFrame([(1, 1)], "object int, cluster int"))
    spaces, lines, short = (tmp_path / name for name in ("a.txt", "b.cmty.txt", "c.csv"))
    spaces.write_text("object cluster\n1 2\n")
    lines.write_text("1 2 3\n4 5\n")
    short.write_text("object,cluster\n1,2\n3\n")
    for path, message in (
        (spaces, "any number of spaces; use engine='memory'"),
        (lines, "not 'cluster-lines'; use engine='memory'"),
        (short, "Spark cannot count the tables: .*[Mm]alformed"),
        (tmp_path / "none.parquet", "none.parquet"),
    ):
        with pytest.raises((cv.InputError, cv.FileError), match=message) as caught:
            count_in_spark(frame, Table(path), Rules(), JACCARD)
        assert "\n" not in str(caught.value)


WITHOUT_SESSION = """
import sys
{before}
from coverlap import CoverlapError
from coverlap.core.align import Rules
from coverlap.counting.matching import SIMILARITIES
from coverlap.counting.relational.spark import count_in_spark
from coverlap.tables.table import Table
try:
    count_in_spark(Table("a.parquet"), Table("b.parquet"), Rules(), SIMILARITIES["f1"])
except CoverlapError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("", "OptionError engine='spark' needs a session of Spark: start one by "),
        (
            "sys.modules['pyspark'] = None",
            "MissingDependencyError engine='spark' needs PySpark: pip install 'coverlap[spark]'",
        ),
    ],
)
def test_no_session_is_an_error_that_says_what_to_do(before, message):
    code = WITHOUT_SESSION.format(before=before)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(message)


@pytest.mark.slow
def test_frames_of_two_sessions_are_an_error(session):
    other = session.newSession()
    frame = other.createDataFrame([(1, 1)], "object int, cluster int")
    with pytest.raises(cv.InputError, match="must be of one session"):
        count_in_spark(
            Table(frame),
            Table(session.createDataFrame([(1, 1)], "object int, cluster int")),
            Rules(),
            JACCARD,
        )


AFTER_STOP = """
from pyspark.sql import SparkSession
import coverlap as cv
from coverlap.core.align import Rules
from coverlap.counting.matching import SIMILARITIES
from coverlap.counting.relational.spark import count_in_spark
from coverlap.tables.table import Table
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
for name in ("spark.driver.bindAddress", "spark.driver.host"):
    builder = builder.config(name, "127.0.0.1")
session = builder.config("spark.sql.warehouse.dir", {folder!r}).getOrCreate()
table = Table(session.range(3).selectExpr("id AS object", "0 AS cluster"))
process = session.sparkContext._gateway.proc
session.stop()
for attempt in ("stopped", "killed"):
    try:
        count_in_spark(table, table, Rules(), SIMILARITIES["f1"])
    except cv.InputError as error:
        print(error)
    process.kill()
    process.wait()
"""


@pytest.mark.slow
def test_a_session_that_is_gone_is_an_error(tmp_path):
    code = AFTER_STOP.format(folder=str(tmp_path / "warehouse"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    message = "the session of Spark has stopped or cannot be reached; start a new one and pass "
    assert [line.startswith(message) for line in done.stdout.splitlines()] == [True, True]


@pytest.mark.slow
def test_frames_are_explained_and_scored_as_in_memory(session, tmp_path):
    left = [("a", 1), ("b", 1), ("c", 1), ("d", 2), ("e", 2), ("a", 2), ("f", 3), ("f", 4)]
    right = [("a", 1), ("b", 1), ("c", 2), ("d", 2), ("e", -1), ("g", 5), ("c", 6), ("d", 6)]
    frames = [session.createDataFrame(rows, "object string, cluster int") for rows in (left, right)]
    paths = [tmp_path / f"{name}.csv" for name in ("left", "right")]
    for path, rows in zip(paths, (left, right), strict=True):
        path.write_text("object,cluster\n" + "".join(f"{o},{c}\n" for o, c in rows))
    for rules in ({}, {"universe": "left"}, {"drop_outliers": "either"}):
        found, wanted = cv.compare(*frames, **rules), cv.compare(*paths, **rules)
        for threshold in (0.5, 1):
            one, other = (side.changes(threshold, same=True) for side in (found, wanted))
            assert one.columns() == other.columns()
        for name in ("losses", "fates", "one_to_one", "contingency"):
            assert getattr(found, name)().columns() == getattr(wanted, name)().columns(), name
        assert found.n_moved == wanted.n_moved
        targets = [tmp_path / "found.csv", tmp_path / "wanted.csv"]
        for name in ("contingency", "moved"):
            for result, target in zip((found, wanted), targets, strict=True):
                result.write_table(name, target)
            assert targets[0].read_text() == targets[1].read_text()
        assert cv.score(*frames, "onmi", **rules) == cv.score(*paths, "onmi", **rules)
    assert not session.catalog.listTables()
