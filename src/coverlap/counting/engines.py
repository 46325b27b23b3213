"""Which engine counts a comparison: in memory, or where the tables are."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from coverlap.core.align import SIDES, Pair, Rules
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
    """Two tables, the engine that counts them and its limits, and why, unless the user chose it."""

    engine: str
    left: Table
    right: Table
    limits: Limits
    notes: tuple[str, ...] = ()


NO_TABLES = (np.ndarray, list, dict)
"""Types that hold labels or clusters, and never a table."""


def choose_engine(
    left: Any, right: Any, engine: str, threads: int | None, memory_limit: Any, temp_dir: Any,
    universe: Any = None,
) -> Choice | None:  # fmt: skip
    """Choose an engine by the types and the sizes of the inputs, unless the user chose one.

    Return None if the inputs are to be read into memory.
    """
    if engine == "auto" and memory_limit is temp_dir is None and type(left) in NO_TABLES:
        return None  # at once, since small inputs are compared in no time
    check_option("engine", engine, ENGINES)
    check_limits(memory_limit, temp_dir)
    tables = as_table(left), as_table(right)
    if engine == "memory" or (engine == "auto" and None in tables):
        return None
    limits = limits_of(memory_limit, temp_dir, threads)
    sources = {
        side: _required(table, side, given, engine)
        for table, side, given in zip(tables, SIDES, (left, right), strict=True)
    }
    if isinstance(universe, Table):
        sources["universe"] = universe
    chosen = Choice(engine, sources["left"], sources["right"], limits)
    if engine == "auto" and any(is_spark_frame(table.source) for table in sources.values()):
        note = "compared by Spark, since an input is a frame of Spark"
        chosen = chosen._replace(engine="spark", notes=(note,))
    if chosen.engine == "spark":
        _check_frames(sources)
    if chosen.engine != "auto":
        return chosen
    needed = memory_of(sources, limits)
    if needed <= limits.memory:
        return None
    kind = "files" if all(table.is_files for table in sources.values()) else "tables"
    limit = "the limit" if limits.is_given else "half of the memory that is free"
    note = (
        f"compared by DuckDB, since in memory, the {kind} take about {written(needed)}, and "
        f"{limit} is {written(limits.memory)}"
    )
    return chosen._replace(engine="duckdb", notes=(note,))


def _required(table: Table | None, side: str, given: Any, engine: str) -> Table:
    if table is None:
        what, other = "files and tables", "a path or a coverlap.Table"
        if engine == "spark":
            what = other = "frames of Spark"
        raise InputTypeError(
            f"engine={engine!r} compares {what}, but {side} is {type(given).__name__}: "
            f"{shown(given)}; use engine='memory', or pass {other}"
        )
    return table


def _check_frames(tables: Mapping[str, Table]) -> None:
    """Reject files and relations of DuckDB, which Spark does not read here."""
    for side, table in tables.items():
        if not is_spark_frame(table.source):
            raise OptionError(
                f"engine='spark' compares frames of Spark, but {side} is {table}; read files by "
                "Spark, as by session.read.parquet(path), and pass the frame"
            )


def count_in_tables(
    chosen: Choice, rules: Rules, similarity: SimilarityFormula | Similarity,
    progress: Progress | None = None,
) -> TableCounts:  # fmt: skip
    """Count two tables by DuckDB or by Spark."""
    if not isinstance(similarity, SimilarityFormula):
        raise OptionError(
            "a user-defined similarity needs engine='memory' (--engine memory); the other engines "
            "have jaccard, f1, precision and recall"
        )
    rules.check()
    _, left, right, limits, _ = chosen
    if chosen.engine == "spark":
        from coverlap.counting.relational.spark import count_in_spark

        return count_in_spark(left, right, rules, similarity)
    from coverlap.counting.in_duckdb import count_in_duckdb

    return count_in_duckdb(left, right, rules, similarity, limits, progress)


def open_tables(chosen: Choice, rules: Rules) -> AbstractContextManager[tuple[Runner, Relations]]:
    """Open tables that were counted, as relations of DuckDB or of Spark."""
    _, left, right, limits, _ = chosen
    if chosen.engine == "spark":
        from coverlap.counting.relational.spark import open_in_spark

        return open_in_spark(left, right, rules)
    from coverlap.counting.in_duckdb import open_in_duckdb

    return open_in_duckdb(left, right, rules, limits)


def repeatable(rules: Rules) -> Rules:
    """Return rules whose universe can be read again, since ids may come from an iterator."""
    if isinstance(rules.universe, Iterator):
        return rules._replace(universe=list(rules.universe))
    return rules


def read_pair(left: Table, right: Table, rules: Rules, threads: int | None) -> Pair:
    """Read two tables into memory, for what needs their memberships; reject them if too large."""
    limits = limits_of(None, None, threads)._replace(memory=free_memory())
    needed = memory_of({"left": left, "right": right}, limits)
    if needed > limits.memory:
        raise ResourceError(
            f"this table needs both clusterings in memory, about {written(needed)}, and "
            f"{written(limits.memory)} is free; the table of clusters and the score do not"
        )
    with all_threads(threads):
        return counts_of(left, right, rules, threads).of_sets.pair
