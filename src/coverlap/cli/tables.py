"""The table of a result as a file, in the format that belongs to the name of the file."""

from collections.abc import Iterable

from coverlap.cli import output
from coverlap.files.source import Source
from coverlap.results.table_files import Part, texts_of_parts, write_parts
from coverlap.results.table_files import table_format as format_of_table


def table_format(option: str, target: str) -> str:
    """Return the format of the table that a file is to hold: CSV if its name has no suffix."""
    return format_of_table(f"{option} must be - or", Source(target))


def write_table(target: str, parts: Iterable[Part], form: str) -> None:
    """Write a table, which comes in parts, to a file, or as CSV to standard output."""
    if target != "-":
        write_parts(Source(target), parts, form)
        return
    for text in texts_of_parts(parts, form, Source(target)):
        output.write_text(text)
