"""About how much memory tables would take if they were read and compared."""

from collections.abc import Callable, Mapping, Sequence

from coverlap.core.errors import CoverlapError
from coverlap.files.coded_columns import FLOATS, INTEGERS, is_number, most_of_range
from coverlap.files.formats.parquet import connected, quoted, reported, size_of
from coverlap.files.registry import format_of_name
from coverlap.files.source import Source
from coverlap.tables.database import Database, open_database
from coverlap.tables.limits import Limits
from coverlap.tables.scan import scan
from coverlap.tables.table import Table, is_spark_frame

OWN = 250 * 10**6
"""The memory of Python, its libraries and their threads."""

SMALL = 32 << 20
"""Parquet files up to this size in all are not looked at, unless the user gave a limit."""

MOST_OF_ROW = 300
"""The largest number of bytes that a row takes, but for long text."""

TIMES = {"": 4, ".gz": 33, ".bz2": 50, ".zst": 50}
"""The memory that a file of another kind takes, as a multiple of its size, by its compression."""

MOST_TIMES = 3
"""How much more than `TIMES` says such a file may take."""

HELD = {"arrow": 25, "relation": 70}
"""The bytes of a text, beside its characters, where all texts of a column are held at once."""

BUFFERS = 50 * 10**6
"""The bytes that DuckDB takes while it reads text from Parquet."""

FLOAT = 125
"""The bytes that a distinct float takes where floats are not read as arrays."""

IN_TEXT_FILE = 25
"""The bytes that a distinct token of a text file takes, beside what it takes elsewhere."""

PER_CLUSTER = 70
"""The bytes that a cluster takes, beside its name."""

DISTINCT = "approx_count_distinct({0})"
RANGE = "coalesce(CAST(max({0}) AS DOUBLE) - CAST(min({0}) AS DOUBLE), -1)"
LENGTH = "coalesce(avg(strlen(CAST({0} AS VARCHAR))), 0)"

FEW_CLUSTERS = 0.1
"""Up to this number of clusters for each row, the range of their numbers is as good as a count."""

Ask = Callable[[list[str]], tuple[float, ...]]
"""A function that computes aggregates of the columns o and c."""


def memory_of(tables: Mapping[str, Table], limits: Limits) -> int:
    """Return about how many bytes tables take that are compared in memory; they come by side.

    Tables that surely take less than the limit are not scanned; the number is an upper bound then.
    """
    most = OWN + sum(_at_most(table, side, limits) for side, table in tables.items())
    if most <= limits.memory:
        return int(most)
    with open_database(limits) as database:
        database.trust_statistics()
        return OWN + int(sum(_memory_of(database, table, side) for side, table in tables.items()))


def _at_most(table: Table, side: str, limits: Limits) -> float:
    """Return a number of bytes that a table takes at most, unless it was made to take more.

    It is 0 for what cannot be read, since its reader says why.
    """
    if not table.is_files:
        return _memory_of_relation(table, side, lambda ask, _: MOST_OF_ROW * ask(["count(*)"])[0])
    sources = [Source(path, side) for path in table.paths(side)]
    paths = [source.path for source in sources if source.path and not source.compression]
    in_parquet = len(paths) == len(sources) and _form(sources[0]) == "parquet"
    if not in_parquet or not (limits.is_given or sum(map(_size, sources)) > SMALL):
        return MOST_TIMES * _memory_by_size(sources)
    try:
        with connected() as connection, reported(sources, paths):
            n_values, n_bytes = size_of(connection, paths)
    except CoverlapError:
        return 0
    return MOST_OF_ROW * n_values + 1.5 * n_bytes


def _form(source: Source) -> str:
    """Return the format that a name tells, as far as it matters here."""
    form = format_of_name(source.name)
    return form.name if form and form.name in ("parquet", "arrow") else "text"


def _memory_by_size(sources: Sequence[Source]) -> float:
    return sum(TIMES[source.compression] * _size(source) for source in sources)


def _size(source: Source) -> int:
    """Return the size of a file, 0 for one that can be read only once."""
    return source.path.stat().st_size if source.path and source.path.is_file() else 0


def _memory_of(database: Database, table: Table, side: str) -> float:
    """Return about how many bytes a table takes; the figures were measured."""
    if not table.is_files:
        return _memory_of_relation(
            table, side, lambda ask, types: _bytes_of(ask, types, "relation")
        )
    sources = [Source(path, side) for path in table.paths(side)]
    try:
        pairs = scan(database, table, side, only_objects=side == "universe", is_copied=False)
        return _bytes_of(
            lambda aggregates: database.row(f"SELECT {', '.join(aggregates)} FROM ({pairs.sql})"),
            (pairs.item_type, pairs.cluster_type),
            _form(sources[0]),
        )
    except CoverlapError:  # DuckDB does not read it, or nothing does
        return _memory_by_size(sources)


def _memory_of_relation(
    table: Table, side: str, about: Callable[[Ask, Sequence[str]], float]
) -> float:
    """Return what a function says about the columns o and c of a relation and their types.

    It is 0 for a relation of Arrow data, which may be a stream that can be read only once, for
    one that fails, and for a frame of Spark.
    """
    relation = table.source
    if is_spark_frame(relation):
        return 0
    try:
        if "ARROW_SCAN" in relation.explain():
            return 0
        chosen = table.options._replace(only_objects=side == "universe").find_columns(
            list(relation.columns), Source("relation", side)
        )
        pairs = relation.project(
            ", ".join(
                f"{quoted(name)} AS {column}" for name, column in zip(chosen, "oc", strict=True)
            )
        )
        return about(
            lambda aggregates: pairs.aggregate(", ".join(aggregates)).fetchall()[0],
            list(map(str, pairs.types)),
        )
    except Exception:  # noqa: BLE001 - a relation runs the user's functions, too
        return 0


def _bytes_of(ask: Ask, types: Sequence[str], form: str) -> float:
    """Return about how many bytes a table takes, by the types of its columns o and c."""
    asked = [
        (RANGE if is_number(kind) else LENGTH).format(column)
        for column, kind in zip("oc", types, strict=True)
    ]
    counted = [DISTINCT.format(column) for column in "oc"]
    if form == "parquet" and all(map(INTEGERS.fullmatch, types)):  # statistics need no scan
        n_rows, *about = ask(["count(*)", *asked])
        n_values = [width + 1 for width in about]
        if about[0] >= most_of_range(n_rows) or n_values[1] > FEW_CLUSTERS * n_rows:
            n_values = list(ask(counted))
    else:
        n_rows, *found = ask(["count(*)", *asked, *counted])
        about, n_values = found[:2], found[2:]
    (of_ids, per_row), (of_labels, _) = (
        _bytes_of_column(form, *each, n_rows) for each in zip(types, n_values, about, strict=True)
    )
    buffers = BUFFERS if form == "parquet" and not is_number(types[0]) else 0
    return of_ids + of_labels + n_rows * per_row + n_values[1] * PER_CLUSTER + buffers


def _bytes_of_column(
    form: str, kind: str, n_values: float, about: float, n_rows: float
) -> tuple[float, float]:
    """Return the bytes of a column, and those of a row if it has the ids.

    ``about`` is the range of numbers, or the mean length of other values.
    """
    held = 0.0
    if form in HELD:
        held = 8 if is_number(kind) else HELD[form] + about
    more = IN_TEXT_FILE if form == "text" else 0
    if not is_number(kind):
        is_text = kind == "VARCHAR" or kind.startswith("ENUM") or form == "text"
        per_value, per_row = (50 if is_text else 140) + 1.35 * about + more, 12
    elif form in HELD and kind in FLOATS:
        per_value, per_row = FLOAT, 29
    elif about < most_of_range(n_rows):
        return 10 * about + n_rows * held, 24 if kind in FLOATS else 8
    else:
        per_value, per_row = 38 + more, 29
    return n_values * per_value + n_rows * held, per_row
