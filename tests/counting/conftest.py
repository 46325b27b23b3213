"""The engines that count, as fixtures; those of Spark need Java."""

import warnings
from importlib.util import find_spec

import pytest

from tests.counting.java import HOW_TO_INSTALL, find_java
from tests.counting.tables import Engine


@pytest.fixture(scope="session")
def session(tmp_path_factory):
    """Return a session of Spark on this machine."""
    if find_spec("pyspark") is None:
        pytest.skip("PySpark is not installed")
    if find_java() is None:
        pytest.skip(f"Spark needs Java: {HOW_TO_INSTALL}, or 'make java'")
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


@pytest.fixture(
    scope="session", params=["memory", "duckdb", pytest.param("spark", marks=pytest.mark.spark)]
)
def engine(request):
    """Run a test in memory, by SQL on DuckDB, and on Spark."""
    is_spark = request.param == "spark"
    return Engine(request.param, request.getfixturevalue("session") if is_spark else None)
