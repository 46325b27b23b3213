"""The table of a result as a file, in the format that belongs to the name of the file."""

import json
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.cli import output
from coverlap.clustering.write import open_target
from coverlap.core.errors import OptionError
from coverlap.core.frames import Column
from coverlap.files.output import check_encodable
from coverlap.files.registry import format_of_name
from coverlap.files.source import Source
from coverlap.files.text.split import delimiter_of_name
from coverlap.results.comparison import Comparison
from coverlap.results.result import typed_columns

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


def write_table(target: str, result: Comparison, form: str) -> None:
    """Write the table of clusters to a file, or as CSV to standard output."""
    columns = result.columns()
    if form == "json":
        text = json.dumps(json.loads(result.to_json())["clusters"], indent=2) + "\n"
    else:
        delimiter = delimiter_of_name(Source(target).name) or ","
        text = output.csv_text(columns, zip(*columns.values(), strict=True), delimiter)
    check_encodable([text], "name of a cluster")
    if target == "-":
        output.write_text(text)
        return
    with open_target(Source(target)) as file:
        if form in ("parquet", "arrow"):
            from coverlap.files.formats import arrow, parquet

            typed = typed_columns(columns, result.KINDS)
            module = parquet if form == "parquet" else arrow
            module.write_columns({column.name: _array(column) for column in typed}, file)
        else:
            file.write(text.encode())


def _array(column: Column) -> NDArray[Any]:
    """Return the values of a column, masked where they are missing."""
    missing = [item is None for item in column.items]
    zero = "" if column.kind == "text" else 0
    items = [zero if item is None else item for item in column.items]
    return np.ma.MaskedArray(np.array(items, DTYPES[column.kind]), missing)
