"""Tables of results as files, in the format that belongs to the name of the file.

A table comes in parts with the same columns, so that one that is larger than memory can be written.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePath
from types import SimpleNamespace
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from coverlap.clustering.write import open_target
from coverlap.core.errors import OptionError
from coverlap.core.frames import AnyColumn, CodedColumn, Column
from coverlap.files.output import check_encodable
from coverlap.files.registry import format_of_name
from coverlap.files.source import Source
from coverlap.files.text.split import delimiter_of_name
from coverlap.results.result import json_name
from coverlap.results.table import rows_of, typed

Part = Sequence[AnyColumn]
"""Some rows of a table."""

FORMATS = ("pairs", "json", "parquet", "arrow")
"""The formats of tables; pairs stands for text with a delimiter."""

NAME = "name of a cluster"
"""What cannot be written if it is no Unicode text."""

DTYPES: dict[str, Any] = {"integer": np.int64, "float": float, "boolean": bool, "text": object}


def table_format(what: str, target: Source) -> str:
    """Return the format of the table that a file is to hold: CSV if its name has no suffix.

    ``what`` is the argument that names the file.
    """
    form = format_of_name(target.name)
    if form is not None and form.name in FORMATS:
        return form.name
    if form is None and PurePath(target.name).suffix in {"", ".txt"}:
        return "pairs"
    raise OptionError(
        f"{what} a file whose name ends in .csv, .tsv, .json, .parquet or .arrow, not {target}"
    )


def write_parts(target: Source, parts: Iterable[Part], form: str) -> None:
    """Write a table to a file, which gets its name only when it is complete."""
    with open_target(target) as file:
        if form in ("parquet", "arrow"):
            from coverlap.files.formats import arrow, parquet

            write: Callable[..., None] = (
                parquet.write_parts if form == "parquet" else arrow.write_parts
            )
            write(({column.name: _array(column) for column in typed(part)} for part in parts), file)
        else:
            for text in texts_of_parts(parts, form, target):
                file.write(text.encode())


def texts_of_parts(parts: Iterable[Part], form: str, target: Source) -> Iterator[str]:
    """Yield a table as JSON or CSV. Lists of names are JSON, also in the cells of CSV."""
    made = _json_texts(parts) if form == "json" else _csv_texts(parts, target)
    for text in made:
        check_encodable([text], NAME)
        yield text


def _json_texts(parts: Iterable[Part]) -> Iterator[str]:
    before = "["
    for part in parts:
        text = json.dumps(rows_of(part, json_name), indent=2)
        if text != "[]":
            yield before + text.removeprefix("[").removesuffix("\n]")
            before = ","
    yield "[]\n" if before == "[" else "\n]\n"


def _csv_texts(parts: Iterable[Part], target: Source) -> Iterator[str]:
    delimiter = delimiter_of_name(target.name) or ","
    for number, part in enumerate(parts):
        text = io.StringIO()
        writer = csv_writer(text, delimiter)
        if number == 0:
            writer.writerow(column.name for column in part)
        writer.writerows(zip(*map(_cells, part), strict=True))
        yield text.getvalue()


def csv_writer(text: TextIO, delimiter: str) -> Any:
    """Return a writer of lines of CSV, with quotes around carriage returns, too.

    Python quotes those characters only that are in its ends of lines.
    """
    lines = SimpleNamespace(write=lambda line: text.write(line[:-2] + "\n"))
    return csv.writer(lines, delimiter=delimiter, lineterminator="\r\n")


def _cells(column: AnyColumn) -> list[Any]:
    """Return the value of each row; lists become JSON."""
    if not isinstance(column, CodedColumn) or column.pointers is None:
        return column.tolist()
    names = [json.dumps(json_name(name), ensure_ascii=False) for name in column.names]
    return [f"[{', '.join(row)}]" for row in column._replace(names=names).tolist()]


def _array(column: AnyColumn) -> NDArray[Any]:
    """Return the values of a column, masked where they are missing."""
    is_list = isinstance(column, CodedColumn) and column.pointers is not None
    kind = "text" if is_list else column.kind
    zero = "" if kind == "text" else 0
    if isinstance(column, CodedColumn) and not is_list:
        check_encodable(column.names if kind == "text" else (), NAME)
        names = np.array([*column.names, zero], DTYPES[kind])
        return np.ma.MaskedArray(names[column.codes], column.codes < 0)
    if isinstance(column, Column) and isinstance(column.items, np.ndarray):
        return np.ma.MaskedArray(column.items.astype(DTYPES[kind]), mask=False)
    cells = _cells(column)
    missing = [item is None for item in cells]
    items: list[Any] = [zero if item is None else item for item in cells]
    check_encodable(items if kind == "text" else (), NAME)
    return np.ma.MaskedArray(np.array(items, DTYPES[kind]), missing)
