"""Which engine counts a comparison: in memory, or where the tables are."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from coverlap.core.align import Pair, Rules
from coverlap.core.checks import check_option
from coverlap.core.errors import InputError, InputTypeError, OptionError, ResourceError
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
    left: Any, right: Any, engine: str, threads: int | None, memory_limit: Any, temp_dir: Any,
    universe: Any = None,
) -> Choice:  # fmt: skip
    """Choose an engine by the types and the sizes of the inputs, unless the user chose one."""
    needs_tables = isinstance(universe, Table)
    is_plain = engine == "auto" and memory_limit is temp_dir is None and not needs_tables
    if is_plain and type(left) in NO_TABLES:
        return IN_MEMORY  # at once, since small inputs are compared in no time
    check_option("engine", engine, ENGINES)
    check_limits(memory_limit, temp_dir)
    tables = as_table(left), as_table(right)
    if engine == "memory" or (engine == "auto" and None in tables):
        if needs_tables:
            raise OptionError(
                "a universe that is a Table needs engine='duckdb' or 'spark', and a file or a "
                "table on either side"
            )
        return IN_MEMORY
    limits = limits_of(memory_limit, temp_dir, threads)
    one, other = (
        _required(table, side, given, engine)
        for table, side, given in zip(tables, ("left", "right"), (left, right), strict=True)
    )
    if engine != "auto":
        return Choice(engine, limits)
    sources = [one.source, other.source, *([universe.source] if needs_tables else [])]
    if any(map(is_spark_frame, sources)):
        return Choice("spark", limits, ("compared by Spark, since an input is a frame of Spark",))
    if needs_tables:
        return Choice("duckdb", limits, ("compared by DuckDB, since the universe is a Table",))
    sizes = [memory_of(table) for table in (one, other)]
    if None in sizes:
        return IN_MEMORY
    needed = sum(size for size in sizes if size is not None)
    if needed <= limits.memory and one.is_one_path and other.is_one_path:
        return IN_MEMORY
    limit = "the limit" if limits.is_given else "half of the memory that is free"
    why = (
        f"in memory, the files take about {written(needed)}, and {limit} is "
        f"{written(limits.memory)}"
        if needed > limits.memory
        else "an input is a folder, has wildcards or is several files"
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
    left, right = _in_one_file(left), _in_one_file(right)
    tables = [as_table(side) for side in (left, right)]
    needed = sum(memory_of(table) or 0 for table in tables if table is not None)
    if needed > free_memory():
        raise ResourceError(
            f"this table needs both clusterings in memory, about {written(needed)}, and "
            f"{written(free_memory())} is free; the table of clusters and the score do not"
        )
    with all_threads(threads):
        return counts_of(left, right, rules, threads).of_sets.pair


def _in_one_file(given: Any) -> Any:
    """Return the table of the only file of a folder or of wildcards; other inputs as they are."""
    table = as_table(given)
    if table is None or not table.is_files or table.is_one_path:
        return given
    path, *others = table.paths()
    if others:
        raise InputError(
            "this needs both clusterings in memory, where several files cannot be read as one "
            f"({table}); join them to one file"
        )
    return replace(table, source=path)
