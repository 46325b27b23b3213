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
        "spark.sql.shuffle.partitions": "2",
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
