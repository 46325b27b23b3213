"""About how much memory a table would take if it were read."""

from pathlib import Path

from coverlap.files.formats.parquet import connected, n_rows_of
from coverlap.files.source import Source
from coverlap.tables.table import Table

SMALL = 32 << 20
"""Files up to this size are not looked at, since they fit in any memory."""

BYTES_PER_ROW = 40
"""The memory that a row of Parquet takes while it is read and compared."""

TIMES = 3
"""The memory that other files take, as a multiple of their size."""

SUFFIXES = (".parquet", ".pq")


def memory_of(table: Table) -> int | None:
    """Return about how many bytes a table takes in memory; None for what is not in files."""
    if not table.is_files:
        return None
    paths = [path for path in table.paths() if path.is_file()]
    sizes = [path.stat().st_size for path in paths]
    if sum(sizes) <= SMALL:
        return sum(sizes)
    return sum(map(_memory_of_file, paths, sizes))


def _memory_of_file(path: Path, size: int) -> int:
    name = Source(path).name
    if name.endswith(SUFFIXES):
        with connected() as connection:
            return BYTES_PER_ROW * n_rows_of(connection, path)
    return TIMES * size
