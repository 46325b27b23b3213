"""Which engine counts a comparison: in memory, or where the tables are."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from coverlap.core.align import Pair, Rules
from coverlap.core.checks import check_option
from coverlap.core.errors import InputTypeError, OptionError, ResourceError
from coverlap.core.threads import all_threads
from coverlap.core.wording import shown
from coverlap.counting.counts import counts_of
from coverlap.counting.matching import Similarity, SimilarityFormula
from coverlap.counting.relational.relations import Relations
from coverlap.counting.relational.runner import Runner
from coverlap.counting.table_counts import TableCounts
from coverlap.files.source import Progress
from coverlap.tables.limits import Limits, check_limits, free_memory, limits_of, written
from coverlap.tables.size import memory_of
from coverlap.tables.table import Table, as_table, is_spark_frame

Engine = Literal["auto", "memory", "duckdb", "spark"]
ENGINES: tuple[str, ...] = get_args(Engine)


class Choice(NamedTuple):
    """An engine, the limits of what it may use, and a note if the user did not choose it."""

    engine: str
    limits: Limits | None = None
    notes: tuple[str, ...] = ()


IN_MEMORY = Choice("memory")
NO_TABLES = (np.ndarray, list, dict)
"""Types that hold labels or clusters, and never a table."""


def choose_engine(
    left: Any, right: Any, engine: str, threads: int | None, memory_limit: Any, temp_dir: Any
) -> Choice:
    """Choose an engine by the types and the sizes of the inputs, unless the user chose one."""
    if engine == "auto" and memory_limit is temp_dir is None and type(left) in NO_TABLES:
        return IN_MEMORY  # at once, since small inputs are compared in no time
    check_option("engine", engine, ENGINES)
    check_limits(memory_limit, temp_dir)
    tables = as_table(left), as_table(right)
    if engine == "memory" or (engine == "auto" and None in tables):
        return IN_MEMORY
    limits = limits_of(memory_limit, temp_dir, threads)
    one, other = (
        _required(table, side, given, engine)
        for table, side, given in zip(tables, ("left", "right"), (left, right), strict=True)
    )
    if engine != "auto":
        return Choice(engine, limits)
    if is_spark_frame(one.source) or is_spark_frame(other.source):
        return Choice("spark", limits, ("compared by Spark, since an input is a frame of Spark",))
    sizes = [memory_of(table) for table in (one, other)]
    if None in sizes:
        return IN_MEMORY
    needed = sum(size for size in sizes if size is not None)
    if needed <= limits.memory and all(len(table.paths()) == 1 for table in (one, other)):
        return IN_MEMORY
    limit = "the limit" if limits.is_given else "half of the memory that is free"
    why = (
        f"in memory, the files take about {written(needed)}, and {limit} is "
        f"{written(limits.memory)}"
        if needed > limits.memory
        else "there are several files"
    )
    return Choice("duckdb", limits, (f"compared by DuckDB, since {why}",))


def _required(table: Table | None, side: str, given: Any, engine: str) -> Table:
    if table is None:
        raise InputTypeError(
            f"engine={engine!r} compares files and tables, but {side} is "
            f"{type(given).__name__}: {shown(given)}; use engine='memory', or pass a path or "
            "a coverlap.Table"
        )
    return table


def count_in_tables(
    left: Any, right: Any, rules: Rules, similarity: SimilarityFormula | Similarity,
    chosen: Choice, progress: Progress | None = None,
) -> TableCounts:  # fmt: skip
    """Count two tables by DuckDB or by Spark."""
    if not isinstance(similarity, SimilarityFormula):
        raise OptionError(
            "a user-defined similarity needs engine='memory' (--engine memory); the other engines "
            "have jaccard, f1, precision and recall"
        )
    rules.check()
    one, other, limits = _checked(left, right, chosen)
    if chosen.engine == "spark":
        from coverlap.counting.relational.spark import count_in_spark

        return count_in_spark(one, other, rules, similarity)
    from coverlap.counting.in_duckdb import count_in_duckdb

    return count_in_duckdb(one, other, rules, similarity, limits, progress)


def open_tables(
    left: Any, right: Any, rules: Rules, chosen: Choice
) -> AbstractContextManager[tuple[Runner, Relations]]:
    """Open tables that were counted, as relations of DuckDB or of Spark."""
    one, other, limits = _checked(left, right, chosen)
    if chosen.engine == "spark":
        from coverlap.counting.relational.spark import open_in_spark

        return open_in_spark(one, other, rules)
    from coverlap.counting.in_duckdb import open_in_duckdb

    return open_in_duckdb(one, other, rules, limits)


def _checked(left: Any, right: Any, chosen: Choice) -> tuple[Table, Table, Limits]:
    one, other = as_table(left), as_table(right)
    assert one is not None and other is not None and chosen.limits is not None  # noqa: PT018, S101
    return one, other, chosen.limits


def repeatable(rules: Rules) -> Rules:
    """Return rules whose universe can be read again, since ids may come from an iterator."""
    if isinstance(rules.universe, Iterator):
        return rules._replace(universe=list(rules.universe))
    return rules


def read_pair(left: Any, right: Any, rules: Rules, threads: int | None) -> Pair:
    """Read two tables into memory, for what needs their memberships; reject them if too large."""
    tables = [as_table(side) for side in (left, right)]
    needed = sum(memory_of(table) or 0 for table in tables if table is not None)
    if needed > free_memory():
        raise ResourceError(
            f"this table needs both clusterings in memory, about {written(needed)}, and "
            f"{written(free_memory())} is free; the table of clusters and the score do not"
        )
    with all_threads(threads):
        return counts_of(left, right, rules, threads).of_sets.pair
