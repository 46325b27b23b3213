"""Comparing two tables by DuckDB: describe them, code them, and count them."""

from collections.abc import Callable

from coverlap.core.align import Rules
from coverlap.core.errors import ResourceError
from coverlap.core.threads import workers
from coverlap.counting.matching import SimilarityFormula
from coverlap.counting.streaming.engine import count_tables, plan_for
from coverlap.counting.table_counts import TableCounts
from coverlap.tables.coding import code_tables, describe_tables
from coverlap.tables.database import open_database
from coverlap.tables.id_codes import TooManyIdsError
from coverlap.tables.limits import Limits, written
from coverlap.tables.scan import scan, scan_universe
from coverlap.tables.table import Table

SHARE_OF_DUCKDB = 0.25
"""The share of the memory that DuckDB may use while kernels count."""

LEAST_OF_DUCKDB, MOST_OF_DUCKDB = 128 * 10**6, 10**9


def compare_tables(
    left: Table, right: Table, rules: Rules, form: SimilarityFormula, limits: Limits,
    progress: Callable[[int, int | None], None] | None = None,
) -> TableCounts:  # fmt: skip
    """Count two tables within the limits."""
    of_duckdb = int(SHARE_OF_DUCKDB * limits.memory)
    of_duckdb = min(max(of_duckdb, LEAST_OF_DUCKDB), MOST_OF_DUCKDB)
    memory = limits.memory - of_duckdb
    with open_database(limits, progress) as database:
        sides = [
            (scan(database, table, side), table.options, side)
            for table, side in ((left, "left"), (right, "right"))
        ]
        universe, rules = scan_universe(database, rules)
        tables = describe_tables(database, sides, universe)
        database.limit_memory(of_duckdb)
        with workers(limits.threads) as team:
            try:
                coded = code_tables(database, tables, team, memory)
            except TooManyIdsError:
                coded = None
        plan = coded and plan_for(coded, memory, limits.threads)
        if coded is None or plan is None:
            raise ResourceError(
                f"{written(limits.memory)} of memory do not suffice for the ids and one side; use "
                "more by memory_limit= (--memory-limit)"
            )
        return count_tables(database, coded, rules, form, plan)
