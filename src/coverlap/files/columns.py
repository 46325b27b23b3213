"""The names of the columns of a file, without reading its rows."""

from pathlib import Path

from coverlap.files.detect import SAMPLE, format_of_start
from coverlap.files.formats import arrow, pairs, parquet
from coverlap.files.registry import format_of_name
from coverlap.files.source import Source
from coverlap.files.text.lines import BYTE_ORDER_MARK


def column_names(path: Path) -> list[str]:
    """Return the names of the columns of a table, an empty list for other files.

    Compressed Parquet and Arrow files would have to be copied, so they are left out, too.
    """
    with Source(path) as source:
        start = source.peek(SAMPLE).removeprefix(BYTE_ORDER_MARK)
        form = format_of_name(source.name) or format_of_start(start)
        if form is not None and form.name in ("parquet", "arrow"):
            with path.open("rb") as file:
                if file.read(4) != start[:4]:
                    return []
            with source.as_path() as plain:
                read = parquet.column_names if form.name == "parquet" else arrow.column_names
                return read(source, plain)
    if form is not None and form.name != "pairs":
        return []
    line = start.partition(b"\n")[0].decode("utf-8", "replace").rstrip("\r")
    try:
        names = pairs.split_line(line, pairs.guess_delimiter(line))
    except ValueError:
        return []
    return names if len(names) > 1 else []
