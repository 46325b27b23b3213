"""Relations of DuckDB and Arrow files, written to Parquet once, so that they can be scanned."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coverlap.core.errors import CoverlapError, InputError
from coverlap.files.coded_columns import WIDE_NUMBERS, is_number
from coverlap.files.formats import arrow
from coverlap.files.formats.parquet import Pairs, find_pairs
from coverlap.files.options import ReadOptions
from coverlap.files.parts import different_columns
from coverlap.files.source import Source
from coverlap.tables.database import Database
from coverlap.tables.table import Table
from coverlap.tables.text_facts import USE_MEMORY

KEPT = ("VARCHAR", "DATE", "TIMESTAMP")
"""Types of DuckDB other than numbers that Parquet keeps, and that are the same in memory."""

ARROW_TYPES = ("int", "uint", "string", "large_string", "float", "double", "bool", "null", "date32")
"""How the names of Arrow's types begin that Parquet keeps, and that are the same in memory."""

DICTIONARY = re.compile(r"dictionary<values=(\w+),.*")
STAGED = ReadOptions("o", "c")


def scan_relation(database: Database, table: Table, options: ReadOptions, side: str) -> Pairs:
    """Return the query of a relation, which its own connection writes to Parquet."""
    relation, source = table.source, Source("relation", side)
    path = database.folder / f"{side}.parquet"
    try:
        names, types = list(relation.columns), list(map(str, relation.types))
        chosen = options.find_columns(names, source)
        places = [names.index(name) for name in chosen]
        selected = [
            f"{_written(column, i, types[i], names[i], source)} AS {column}"
            for i, column in zip(places, "oc", strict=True)
        ]
        relation.project(", ".join(selected)).write_parquet(str(path))
    except CoverlapError:
        raise
    except Exception as error:  # noqa: BLE001 - a relation runs the user's functions, too
        raise database.error(error, f"{source} cannot be read") from None
    return _typed(_staged(database, source, path, chosen), *(types[i] for i in places))


def _written(column: str, place: int, kind: str, name: str, source: Source) -> str:
    """Return the SQL expression of a column of a relation, as it is written to Parquet."""
    is_object = column == "o"
    base = kind if is_object else kind.removesuffix("[]")
    listed = kind[len(base) :]
    if is_number(base) or base in KEPT:
        return f"#{place + 1}"
    if WIDE_NUMBERS.fullmatch(base) or base.startswith("ENUM") or (kind == "UUID" and is_object):
        return f"CAST(#{place + 1} AS VARCHAR{listed})"  # Parquet has no wider integers
    if base == '"NULL"':
        return f"CAST(#{place + 1} AS INTEGER{listed})"
    raise InputError(
        f"{source}: column {name!r} is of type {kind}; cast it to VARCHAR, or {USE_MEMORY}"
    )


def _typed(pairs: Pairs, item_type: str, cluster_type: str) -> Pairs:
    """Return the query with numbers that were written as text in their own type."""
    kinds = [kind.removesuffix("[]") for kind in (item_type, cluster_type)]
    wide = [kind if WIDE_NUMBERS.fullmatch(kind) else "" for kind in kinds]
    o, c = (
        f"CAST({column} AS {kind})" if kind else column
        for column, kind in zip("oc", wide, strict=True)
    )
    return pairs._replace(
        sql=f"SELECT {o} AS o, {c} AS c FROM ({pairs.sql})",
        item_type=wide[0] or pairs.item_type,
        cluster_type=wide[1] or pairs.cluster_type,
    )


def scan_arrow(
    database: Database, sources: Sequence[Source], options: ReadOptions, side: str
) -> Pairs:
    """Return the query of Arrow files, whose batches are written to Parquet one by one."""
    arrow.import_pyarrow()
    import pyarrow.parquet as pq

    target = database.folder / f"{side}.parquet"
    writer, known, chosen = None, "", ("", "")
    try:
        for source in sources:
            with source, source.as_path() as plain:
                for batch in arrow.batches(source, plain):
                    chosen = options.find_columns(batch.schema.names, source)
                    found = arrow.columns_of(batch.select(chosen))
                    known = known or found
                    if found != known:
                        raise different_columns(source, sources[0], known, found)
                    with arrow.reported(source):
                        batch.select(chosen).validate(full=True)
                        table = _table([_plain(batch, name, source) for name in chosen])
                    writer = writer or pq.ParquetWriter(target, table.schema)
                    with database.reported():
                        writer.write_table(table)
    finally:
        if writer is not None:
            with database.reported():
                writer.close()
    return _staged(database, sources[0], target, chosen)


def _plain(batch: Any, name: str, source: Source) -> Any:
    """Return a column without a dictionary; reject types that are others in Parquet."""
    import pyarrow as pa

    column = batch.column(batch.schema.names.index(name))
    found = DICTIONARY.fullmatch(str(column.type))
    kind = found[1] if found else str(column.type)
    if not kind.startswith(ARROW_TYPES):
        raise InputError(f"{source}: column {name!r} is of type {kind}; {USE_MEMORY}")
    if found:
        column = column.dictionary_decode()
    if kind == "null":
        return column.cast(pa.int32())
    return column.cast(pa.string()) if kind == "string_view" else column


def _table(columns: Sequence[Any]) -> Any:
    import pyarrow as pa

    return pa.table(list(columns), names=["o", "c"])


def _staged(database: Database, source: Source, path: Path, names: Sequence[str]) -> Pairs:
    """Return the query of the Parquet file of columns that have these names."""
    with database.reported():
        pairs = find_pairs(database.connection, source, [path], STAGED)
    return pairs._replace(item=names[0], cluster=names[1])
