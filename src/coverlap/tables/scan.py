"""Queries that select the memberships of a table in DuckDB, one in each row."""

from coverlap.core.errors import InputError
from coverlap.files.detect import detect
from coverlap.files.formats.parquet import Pairs, find_pairs
from coverlap.files.registry import format_named
from coverlap.files.source import Source
from coverlap.tables.database import Database
from coverlap.tables.table import Table


def scan(database: Database, table: Table, side: str) -> Pairs:
    """Return the query that selects the objects of a table as o, and their clusters as c."""
    paths = table.paths()
    with Source(paths[0], side) as source:
        form = table.format
        if form == "auto":
            form = detect(source, table.options).name
        options = table.options._replace(guessed=table.format == "auto")
        format_named(form).check_options(options)
        if form != "parquet":
            raise InputError(
                f"{source}: only Parquet can be compared outside memory, not {form!r}; use "
                "engine='memory' (--engine memory)"
            )
        with database.reported():
            return find_pairs(database.connection, source, paths, options)
