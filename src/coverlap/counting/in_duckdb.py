"""Comparing two tables by DuckDB: in passes over codes, or by SQL alone if these do not fit."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from coverlap._kernels.streaming import NO_CLUSTER
from coverlap.core.align import Rules
from coverlap.core.threads import workers
from coverlap.counting.matching import SimilarityFormula
from coverlap.counting.relational.engine import ClusterNames, count_relations
from coverlap.counting.relational.relations import Relations
from coverlap.counting.relational.runner import DuckDBRunner
from coverlap.counting.streaming.engine import count_tables, plan_for
from coverlap.counting.table_counts import TableCounts
from coverlap.files.source import Progress
from coverlap.tables.coding import Described, Side, code_tables, describe_tables
from coverlap.tables.database import Database, open_database
from coverlap.tables.id_codes import TooManyIdsError
from coverlap.tables.ids import IdColumn
from coverlap.tables.limits import Limits
from coverlap.tables.scan import scan, scan_universe
from coverlap.tables.table import Table

SHARE_OF_DUCKDB = 0.25
"""The share of the memory that DuckDB may use while kernels count."""

LEAST_OF_DUCKDB, MOST_OF_DUCKDB, PER_THREAD = 128 * 10**6, 300 * 10**6, 100 * 10**6
"""The least and the most that it may use, which is more for many threads: a scan needs little."""


def count_in_duckdb(
    left: Table, right: Table, rules: Rules, form: SimilarityFormula, limits: Limits,
    progress: Progress | None = None, *, by_sql: bool = False,
) -> TableCounts:  # fmt: skip
    """Count two tables within the limits; ``by_sql`` does not try to code them."""
    with open_database(limits, progress) as database:
        tables, rules = _described(database, left, right, rules)
        counted = None if by_sql else _count_codes(database, tables, rules, form)
        return counted or _count_by_sql(database, tables, rules, form)


@contextmanager
def open_in_duckdb(
    left: Table, right: Table, rules: Rules, limits: Limits
) -> Iterator[tuple[DuckDBRunner, Relations]]:
    """Open a database with the relations of two tables; it gets half of the memory."""
    with open_database(limits) as database:
        tables, _ = _described(database, left, right, rules)
        database.limit_memory(limits.memory // 2)
        yield DuckDBRunner(database), _relations(database, tables)


def _described(
    database: Database, left: Table, right: Table, rules: Rules
) -> tuple[Described, Rules]:
    sides = [
        (scan(database, table, side), table.options, side)
        for table, side in ((left, "left"), (right, "right"))
    ]
    universe, rules = scan_universe(database, rules)
    return describe_tables(database, sides, universe), rules


def _count_codes(
    database: Database, tables: Described, rules: Rules, form: SimilarityFormula
) -> TableCounts | None:
    """Count by the streaming engine; return None if memory does not suffice for it."""
    limits = database.limits
    most = max(MOST_OF_DUCKDB, PER_THREAD * limits.threads)
    of_duckdb = min(max(int(SHARE_OF_DUCKDB * limits.memory), LEAST_OF_DUCKDB), most)
    memory = limits.memory - of_duckdb
    database.limit_memory(of_duckdb)
    with workers(limits.threads) as team:
        try:
            coded = code_tables(database, tables, team, memory)
        except TooManyIdsError:
            return None
    plan = plan_for(coded, memory, limits.threads)
    if plan is None:
        return None
    database.expect(plan.n_scanned)
    return count_tables(database, coded, rules, form, plan)


def _count_by_sql(
    database: Database, tables: Described, rules: Rules, form: SimilarityFormula
) -> TableCounts:
    database.limit_memory(database.limits.memory)
    names = [
        ClusterNames(side.names, outlier_texts=side.labels.outlier_texts)
        for side in (tables.left, tables.right)
    ]
    relations = _relations(database, tables)
    return count_relations(DuckDBRunner(database), relations, (names[0], names[1]), rules, form)


def _relations(database: Database, tables: Described) -> Relations:
    columns = tables.columns
    objects = [column.as_text().o for column in columns]
    if all(column.kind == "integer" for column in columns):
        objects = [f"CAST({column.o} AS {_smallest_type(columns)})" for column in columns]
    left = f"({_relation(database, tables.left, objects[0], 'numbers_left')})"
    right = f"({_relation(database, tables.right, objects[1], 'numbers_right')})"
    given = None
    if tables.universe is not None:
        given = f"(SELECT {objects[-1]} AS object FROM ({tables.universe.sql}))"
    have_integers = all(column.kind in ("integer", "digits") for column in columns)
    return Relations(left, right, given, have_integers=have_integers)


def _smallest_type(columns: list[IdColumn]) -> str:
    """Return the smaller type that holds integers; joins of it take a fifth less time."""
    lowest, highest = min(column.low for column in columns), max(column.high for column in columns)
    return "INTEGER" if lowest >= -(2**31) and highest < 2**31 else "BIGINT"


def _relation(database: Database, side: Side, o: str, table: str) -> str:
    """Return the query of objects and the positions of their clusters."""
    numbers, rows = side.labels.numbers[:-1], side.select(o, side.labels.code)
    codes = np.arange(len(numbers), dtype=np.uint32)
    if np.array_equal(numbers, codes):  # each code is the position
        return f"SELECT o AS object, CAST(c AS INTEGER) AS cluster FROM ({rows})"
    inside = numbers != NO_CLUSTER
    database.register("arrays", {"n": codes[inside], "cluster": numbers[inside].astype(np.int32)})
    # Of a table, unlike arrays, DuckDB knows the range of the clusters, and then groups faster.
    database.execute(f"CREATE TEMP TABLE {table} AS FROM arrays")
    return f"SELECT o AS object, cluster FROM ({rows}) LEFT JOIN {table} ON c = n"
