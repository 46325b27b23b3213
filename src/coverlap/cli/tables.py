"""The table of a result as a file, in the format that belongs to the name of the file."""

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.cli import output
from coverlap.clustering.write import open_target
from coverlap.core.errors import OptionError
from coverlap.core.frames import AnyColumn, CodedColumn
from coverlap.files.output import check_encodable
from coverlap.files.registry import format_of_name
from coverlap.files.source import Source
from coverlap.files.text.split import delimiter_of_name
from coverlap.results.result import json_name
from coverlap.results.table import rows_of, typed

FORMATS = ("pairs", "json", "parquet", "arrow")
"""The formats of tables; pairs stands for text with a delimiter."""

DTYPES: dict[str, Any] = {"integer": np.int64, "float": float, "boolean": bool, "text": object}


def table_format(option: str, target: str) -> str:
    """Return the format of the table that a file is to hold: CSV if its name has no suffix."""
    name = Source(target).name
    form = format_of_name(name)
    if form is not None and form.name in FORMATS:
        return form.name
    if form is None and PurePath(name).suffix in {"", ".txt"}:
        return "pairs"
    raise OptionError(
        f"{option} must be - or a file whose name ends in .csv, .tsv, .json, .parquet or .arrow, "
        f"not {output.file_name(target)}"
    )


def write_table(target: str, table: Sequence[AnyColumn], form: str) -> None:
    """Write a table to a file, or as CSV to standard output.

    Lists of names are JSON, also in the cells of other formats.
    """
    if form == "json":
        text = json.dumps(rows_of(table, json_name), indent=2) + "\n"
    else:
        columns = {column.name: _cells(column) for column in table}
        delimiter = delimiter_of_name(Source(target).name) or ","
        text = output.csv_text(columns, zip(*columns.values(), strict=True), delimiter)
    check_encodable([text], "name of a cluster")
    if target == "-":
        output.write_text(text)
        return
    with open_target(Source(target)) as file:
        if form in ("parquet", "arrow"):
            from coverlap.files.formats import arrow, parquet

            module = parquet if form == "parquet" else arrow
            module.write_columns({column.name: _array(column) for column in typed(table)}, file)
        else:
            file.write(text.encode())


def _cells(column: AnyColumn) -> list[Any]:
    """Return the value of each row; lists become JSON."""
    if not isinstance(column, CodedColumn) or column.pointers is None:
        return column.tolist()
    names = [json.dumps(json_name(name), ensure_ascii=False) for name in column.names]
    return [f"[{', '.join(row)}]" for row in column._replace(names=names).tolist()]


def _array(column: AnyColumn) -> NDArray[Any]:
    """Return the values of a column, masked where they are missing."""
    is_list = isinstance(column, CodedColumn) and column.pointers is not None
    kind, cells = "text" if is_list else column.kind, _cells(column)
    missing = [item is None for item in cells]
    zero = "" if kind == "text" else 0
    items = [zero if item is None else item for item in cells]
    return np.ma.MaskedArray(np.array(items, DTYPES[kind]), missing)
