"""Queries that select the memberships of a table in DuckDB, one in each row."""

from pathlib import Path
from typing import Any

import numpy as np

from coverlap.core.align import Rules
from coverlap.core.errors import InputError
from coverlap.core.texts import Texts
from coverlap.files.detect import detect
from coverlap.files.formats.parquet import Pairs, find_pairs
from coverlap.files.registry import format_named
from coverlap.files.source import Source
from coverlap.files.universe import read_universe as read_ids_of_universe
from coverlap.inputs.sets import read_universe
from coverlap.tables.database import Database
from coverlap.tables.table import Table
from coverlap.tables.text import scan_text
from coverlap.tables.text_facts import USE_MEMORY

UNIVERSE = "given_universe"


def scan(database: Database, table: Table, side: str) -> Pairs:
    """Return the query that selects the objects of a table as o, and their clusters as c."""
    paths = table.paths()
    with Source(paths[0], side) as source:
        form = table.format
        if form == "auto":
            form = detect(source, table.options).name
        options = table.options._replace(guessed=table.format == "auto")
        format_named(form).check_options(options)
        if form == "pairs":
            return scan_text(database, paths, options, side)
        if form != "parquet":
            raise InputError(
                f"{source}: files of the format {form!r} cannot be compared outside memory; "
                f"{USE_MEMORY}"
            )
        with database.reported():
            return find_pairs(database.connection, source, paths, options)


def scan_universe(database: Database, rules: Rules) -> tuple[Pairs | None, Rules]:
    """Return the query of a given universe, and the rules that need no more than that.

    A universe is the name of a rule, a number, a table, a file, or ids.
    """
    universe = rules.universe
    if isinstance(universe, str):
        return None, rules
    if isinstance(universe, Table):
        return scan(database, universe, "universe"), rules
    if isinstance(universe, Path):
        with Source(universe, "universe") as source:
            known = read_universe(read_ids_of_universe(source))
    else:
        known = read_universe(universe)
    if known.ids is None:
        return None, rules._replace(universe=known.n)
    ids: Any = known.ids
    if isinstance(ids, Texts) or ids.dtype == object:
        kind, ids = _kind(ids.tolist()), np.array([str(item) for item in ids], object)
    else:
        kind = "BIGINT"
    database.register(UNIVERSE, {"o": ids})
    return Pairs(f"SELECT o FROM {UNIVERSE}", "universe", kind, "", ""), rules


def _kind(ids: list[Any]) -> str:
    """Return the type of DuckDB for ids that are written as text."""
    if all(isinstance(item, str) for item in ids):
        return "VARCHAR"
    if all(type(item) is int for item in ids):
        return "HUGEINT"
    raise InputError("universe must be integers or text, unless engine='memory'")
