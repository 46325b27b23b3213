"""Queries that select the memberships of a table in DuckDB, one in each row."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from coverlap.core.align import Rules
from coverlap.core.errors import InputError, InputTypeError
from coverlap.core.texts import Texts
from coverlap.files.detect import detect
from coverlap.files.formats import parquet
from coverlap.files.formats.parquet import Pairs, find_pairs
from coverlap.files.options import ReadOptions
from coverlap.files.registry import format_named
from coverlap.files.source import Source
from coverlap.files.universe import read_universe as read_ids_of_universe
from coverlap.inputs.sets import read_universe
from coverlap.tables.database import Database
from coverlap.tables.staged import scan_arrow, scan_relation
from coverlap.tables.table import Table, is_relation
from coverlap.tables.text import scan_text
from coverlap.tables.text_facts import USE_MEMORY

UNIVERSE = "given_universe"


def scan(database: Database, table: Table, side: str, *, only_objects: bool = False) -> Pairs:
    """Return the query that selects the objects of a table as o, and their clusters as c."""
    options = table.options._replace(guessed=table.format == "auto", only_objects=only_objects)
    if is_relation(table.source):
        return scan_relation(database, table, options, side)
    if not table.is_files:
        raise InputTypeError(f"{side} is a frame of Spark; compare it by engine='spark'")
    paths = table.paths()
    form = _format(paths, table.format, options, side)
    if form == "parquet":
        return _scan_parquet(database, paths, options, side)
    if form == "arrow":
        return scan_arrow(database, paths, options, side)
    if form == "pairs":
        return scan_text(database, paths, options, side)
    raise InputError(
        f"{Source(paths[0], side)}: files of the format {form!r} cannot be compared outside "
        f"memory; {USE_MEMORY}"
    )


def _format(paths: Sequence[Path], form: str, options: ReadOptions, side: str) -> str:
    """Return the format of files, which must be the same for all."""
    if form == "auto":
        for path in paths:
            with Source(path, side) as source:
                found = detect(source, options).name
            if form not in ("auto", found):
                raise InputError(
                    f"{source}: the format is {found!r}, but that of {paths[0]} is {form!r}, and "
                    "both are one table"
                )
            form = found
    format_named(form).check_options(options)
    return form


def _scan_parquet(
    database: Database, paths: Sequence[Path], options: ReadOptions, side: str
) -> Pairs:
    """Return the query of Parquet files, whose columns must be of the same types."""
    sources = [Source(path, side) for path in paths]
    plain: list[Path] = []
    first: Pairs | None = None
    for source in sources:
        source.check_start(parquet.START, parquet.UNREADABLE)
        plain.append(database.keep(source.as_path()))
        with database.reported(f"{source}: {parquet.UNREADABLE}"):
            found = find_pairs(database.connection, source, plain[-1:], options)
        first = first or found
        if found[1:] != first[1:]:
            raise InputError(
                f"{source}: the columns must be those of {paths[0]}, with which it is one table: "
                f"{_columns(first)}, not {_columns(found)}"
            )
    with database.reported(f"{sources[0]}: {parquet.UNREADABLE}"):
        return find_pairs(database.connection, sources[0], plain, options)


def _columns(pairs: Pairs) -> str:
    return f"{pairs.item} {pairs.item_type} and {pairs.cluster} {pairs.cluster_type}"


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
