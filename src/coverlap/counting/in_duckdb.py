"""Comparing two tables by SQL in DuckDB, within limits of memory."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from coverlap.core.align import SIDES, Rules
from coverlap.counting.matching import SimilarityFormula
from coverlap.counting.relational.engine import count_relations
from coverlap.counting.relational.relations import Relations
from coverlap.counting.relational.runner import DuckDBRunner
from coverlap.counting.table_counts import TableCounts
from coverlap.files.source import Progress
from coverlap.tables.database import Database, open_database
from coverlap.tables.ids import IdColumn, common_type, id_column, smallest_type
from coverlap.tables.labels import ClusterNames, number_labels_of
from coverlap.tables.limits import Limits
from coverlap.tables.scan import scan, scan_universe
from coverlap.tables.table import Table


def count_in_duckdb(
    left: Table, right: Table, rules: Rules, form: SimilarityFormula, limits: Limits,
    progress: Progress | None = None,
) -> TableCounts:  # fmt: skip
    """Count two tables within the limits."""
    with open_database(limits, progress) as database:
        relations, names, known = _relations(database, left, right, rules)
        return count_relations(DuckDBRunner(database), relations, names, known, form)


@contextmanager
def open_in_duckdb(
    left: Table, right: Table, rules: Rules, limits: Limits
) -> Iterator[tuple[DuckDBRunner, Relations]]:
    """Open a database with the relations of two tables; it gets half of the memory."""
    with open_database(limits) as database:
        relations, *_ = _relations(database, left, right, rules)
        database.limit_memory(limits.memory // 2)
        yield DuckDBRunner(database), relations


def _relations(
    database: Database, left: Table, right: Table, rules: Rules
) -> tuple[Relations, tuple[ClusterNames, ClusterNames], Rules]:
    """Return copies of the memberships of both tables, the names of their clusters, and the rules.

    The ids of all tables are checked and get one type before the clusters are numbered.
    """
    tables = left, right
    pairs = [scan(database, table, side) for table, side in zip(tables, SIDES, strict=True)]
    universe, rules = scan_universe(database, rules)
    columns = [
        id_column(database, pair, f"{side}: column {pair.item!r}")
        for pair, side in zip(
            [*pairs, universe] if universe else pairs, (*SIDES, "universe"), strict=False
        )
    ]
    columns = common_type(database, columns)
    labels = [
        number_labels_of(database, pair, table.options, side, f"labels_{side}")
        for pair, table, side in zip(pairs, tables, SIDES, strict=True)
    ]
    queries = [
        f"SELECT {column.o} AS object, {side.number} AS cluster FROM ({column.sql}) {side.join}"
        for column, side in zip(columns, labels, strict=False)
    ]
    queries += [f"SELECT {column.o} AS object FROM ({column.sql})" for column in columns[2:]]
    have_integers = all(column.kind in ("integer", "digits") for column in columns)
    names = None if have_integers else "object_names"
    if names:
        _name_objects(database, columns, names)
        queries = [
            f"SELECT q.* REPLACE (n.object AS object) FROM ({query}) q "
            f"JOIN {names} n ON n.name = q.object"
            for query in queries
        ]
    copies = [f"rows_{i}" for i in range(len(queries))]
    for copy, query in zip(copies, queries, strict=True):
        database.execute(f"CREATE TEMP TABLE {copy} AS {query}")
    database.trust_statistics()
    one, other, *given = copies
    relations = Relations(
        one, other, given[0] if given else None, have_integers=have_integers, names=names,
        id_type=next((column.kind for column in columns if column.n_rows), "integer"),
    )  # fmt: skip
    return relations, (labels[0].names, labels[1].names), rules


def _name_objects(database: Database, columns: Sequence[IdColumn], names: str) -> None:
    """Make a table of the names of all objects and their numbers.

    Numbers are joined and grouped in less time and memory than text.
    """
    every = " UNION ALL ".join(f"SELECT {column.o} FROM ({column.sql})" for column in columns)
    number = smallest_type(0, sum(column.n_rows for column in columns))
    database.execute(
        f"CREATE TEMP TABLE {names} AS "
        f"SELECT name, CAST(row_number() OVER () - 1 AS {number}) AS object "
        f"FROM (SELECT DISTINCT name FROM ({every}) AS t(name))"
    )
