"""The relational engine on DuckDB counts what the engine in memory counts."""

import numpy as np
import pytest

from coverlap.core.align import Rules
from coverlap.core.errors import UniverseError
from coverlap.counting.matching import SIMILARITIES
from coverlap.counting.relational.engine import ClusterNames, count_cases, count_relations
from coverlap.counting.relational.relations import Dialect, Relations
from coverlap.counting.relational.runner import DuckDBRunner
from coverlap.tables.database import open_database
from coverlap.tables.limits import limits_of
from tests.counting.relations import (
    NAMES,
    columns_of,
    expected,
    found,
    option_sets,
    random_comparisons,
    rules_of,
)


@pytest.fixture(scope="module")
def database():
    with open_database(limits_of("1GB", None, 1)) as opened:
        yield opened


def store(database, name, columns):
    """Store columns, or none if there are no rows, as a table."""
    rows = list(zip(*columns.values(), strict=True)) if columns else []
    database.execute(
        f"CREATE OR REPLACE TABLE {name} (case_number INTEGER, object INTEGER, cluster BIGINT)"
    )
    if rows:
        values = ", ".join(
            f"({case}, {item}, {'NULL' if cluster is None else cluster})"
            for case, item, cluster in rows
        )
        database.execute(f"INSERT INTO {name} VALUES {values}")


def counted(database, comparisons, options, dialect=None):
    universe, drop_outliers, similarity = options
    for name, columns in zip(("one", "other", "given"), columns_of(comparisons), strict=True):
        store(database, name, columns)
    runner = DuckDBRunner(database)
    if dialect:
        runner.dialect = dialect
    relations = Relations("one", "other", "given" if universe == "given" else None, by_case=True)
    return count_cases(
        runner, relations, range(len(comparisons)), (NAMES, NAMES),
        rules_of(universe, drop_outliers), SIMILARITIES[similarity],
    )  # fmt: skip


@pytest.mark.parametrize("options", option_sets(), ids=str)
def test_random_comparisons_equal_those_in_memory(database, options):
    comparisons = random_comparisons(20, seed=str(options))
    for comparison, counts in zip(comparisons, counted(database, comparisons, options), strict=True):
        assert found(counts) == expected(comparison, *options), comparison
