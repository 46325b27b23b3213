"""Queries that select the memberships of a table in DuckDB, one in each row."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from coverlap.core.align import Rules
from coverlap.core.errors import InputError, InputTypeError
from coverlap.core.texts import Texts
from coverlap.files.detect import detect_all
from coverlap.files.formats import parquet
from coverlap.files.formats.parquet import Pairs, find_shared_pairs
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.universe import read_universe as read_ids_of_universe
from coverlap.inputs.sets import read_universe
from coverlap.tables.database import Database
from coverlap.tables.staged import scan_arrow, scan_relation
from coverlap.tables.table import Table, is_relation
from coverlap.tables.text import scan_text
from coverlap.tables.text_facts import USE_MEMORY

UNIVERSE = "given_universe"


def scan(
    database: Database, table: Table, side: str, *, only_objects: bool = False,
    is_copied: bool = True,
) -> Pairs:  # fmt: skip
    """Return the query that selects the objects of a table as o, and their clusters as c.

    Text files are copied, unless the query is run only once and may overlook faults.
    """
    options = table.options._replace(guessed=table.format == "auto", only_objects=only_objects)
    if is_relation(table.source):
        return scan_relation(database, table, options, side)
    if not table.is_files:
        raise InputTypeError(f"{side} is a frame of Spark; compare it by engine='spark'")
    paths = table.paths(side)
    with Source(paths[0], side) as first:
        form = detect_all(
            [first, *(Source(path, side) for path in paths[1:])], options, table.format
        )
    form.check_options(options)
    sources = [Source(path, side) for path in paths]
    if form.name == "parquet":
        return _scan_parquet(database, sources, options)
    if form.name == "arrow":
        return scan_arrow(database, sources, options, side)
    if form.name == "pairs":
        return scan_text(database, sources, options, side, is_copied=is_copied)
    raise InputError(
        f"{sources[0]}: files of the format {form.name!r} cannot be compared outside memory; "
        f"{USE_MEMORY}"
    )


def _scan_parquet(database: Database, sources: Sequence[Source], options: ReadOptions) -> Pairs:
    """Return the query of Parquet files, whose columns must be of the same types."""
    paths = []
    for source in sources:
        source.check_start(parquet.START, parquet.UNREADABLE)
        paths.append(database.keep(source.as_path()))
    return find_shared_pairs(database.connection, sources, paths, options)


def scan_universe(database: Database, rules: Rules) -> tuple[Pairs | None, Rules]:
    """Return the query of a given universe, and the rules that need no more than that.

    A universe is the name of a rule, a number, a table, a file, or ids.
    """
    universe = rules.universe
    if isinstance(universe, str):
        return None, rules
    if isinstance(universe, Table):
        return scan(database, universe, "universe", only_objects=True), rules
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
