"""The relational engine on Spark counts what the engine in memory counts."""

import datetime as dt
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


@pytest.mark.parametrize("options", [option_sets()[i] for i in (0, 6)], ids=str)
def test_random_comparisons_equal_those_in_memory(session, options):
    check_comparisons(session, options, random_comparisons(100, seed=str(options)))


@pytest.mark.slow
@pytest.mark.parametrize("options", option_sets(), ids=str)
def test_every_option_equals_memory(session, options):
    check_comparisons(session, options, random_comparisons(15, seed=f"slow {options}"))


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
@pytest.mark.parametrize("name", TEXTS)
def test_csv_means_the_same_as_in_memory(session, tmp_path, name):
    path, other = tmp_path / "one.csv", tmp_path / "other.tsv"
    path.write_text(TEXTS[name], newline="")
    other.write_text("object\tcluster\n1\tp\n8\tp\n3\tq\n")
    wanted = expected_of(counts_of(str(path), str(other)), "jaccard")
    assert found(count_in_spark(Table(path), Table(other), Rules(), JACCARD)) == wanted
