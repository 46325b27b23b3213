"""Parquet: object and cluster in two columns, read and written by DuckDB."""

import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.errors import FileError, InputError
from coverlap.core.incidence import frozen
from coverlap.core.memberships import Memberships
from coverlap.core.threads import finished_before_exit
from coverlap.files.coded_columns import distrust_statistics, read_columns
from coverlap.files.content import Content, memberships_of_pairs, number_labels, only_objects
from coverlap.files.options import ReadOptions, WriteOptions
from coverlap.files.output import membership_columns
from coverlap.files.parts import different_columns, name_of
from coverlap.files.source import MAX_BYTES, Source, in_memory_limit, scratch_file
from coverlap.inputs.arrow import StreamError

START = re.compile(b"PAR1")
UNREADABLE = "not a Parquet file that can be read"

MAX_PRECISION = 38
"""The number of digits of the decimals that DuckDB has; it reads longer ones as floats."""

NESTED = ("STRUCT", "MAP", "UNION", "BLOB", "VARIANT")

OFFLINE: dict[str, Any] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "temp_directory": "",
}
"""Options of DuckDB: load no extensions, look up no Python variables, write no temporary files."""

TYPES = {"i": "BIGINT", "f": "DOUBLE", "b": "BOOLEAN", "O": "VARCHAR"}
"""The types of columns that are written, by the kinds of arrays."""

BYTES_PER_ROW = 16
"""The memory that an object and a cluster take."""


def read(source: Source, options: ReadOptions) -> Content:
    """Read a membership from each row; an object with a null cluster is an outlier.

    A column of lists holds the clusters of each object.
    """
    return read_files([source], options)


def read_files(sources: Sequence[Source], options: ReadOptions) -> Content:
    """Read files as one table, whose columns must be of the same names and types."""
    with ExitStack() as opened:
        paths = []
        for source in sources:
            source.check_start(START, UNREADABLE)
            paths.append(opened.enter_context(source.as_path()))
        return _read_plain(sources, paths, options)


@finished_before_exit()
def _read_plain(sources: Sequence[Source], paths: Sequence[Path], options: ReadOptions) -> Content:
    with connected() as connection, reported(sources, paths):
        return _read(connection, sources, paths, options)


def column_names(source: Source, path: Path) -> list[str]:
    """Return the names of all columns."""
    source.check_start(START, UNREADABLE)
    with connected() as connection, reported([source], [path]):
        table, (pattern,) = _table([path])
        return [column.name for column in _columns(connection, table, pattern)]


@contextmanager
def reported(sources: Sequence[Source], paths: Sequence[Path]) -> Iterator[None]:
    """Raise errors of a database as errors about files."""
    import duckdb

    try:
        yield
    except (duckdb.Error, StreamError) as error:
        reason = str(error).splitlines()[0]
        for source, path in zip(sources, paths, strict=True):
            reason = reason.replace(str(path), str(source))
        raise InputError(f"{name_of(sources)}: {UNREADABLE}: {reason}") from None


def _table(paths: Sequence[Path]) -> tuple[str, list[str]]:
    """Return the SQL expression of the rows of files, and patterns that only these match."""
    patterns = list(map(pattern_of, paths))
    listed = ", ".join(map(literal, patterns))
    return f"read_parquet([{listed}], hive_partitioning = false)", patterns


def pattern_of(path: Path) -> str:
    """Return the pattern that matches one file only."""
    return re.sub(r"[*?\[]", lambda sign: f"[{sign[0]}]", path.as_posix())


def write(memberships: Memberships, file: BinaryIO, options: WriteOptions) -> None:
    """Write the memberships, and each outlier with a null cluster."""
    columns = membership_columns(memberships, "parquet")
    write_parts([dict(zip(options.columns(), columns, strict=True))], file)


@finished_before_exit()
def write_parts(parts: Iterable[dict[str, NDArray[Any]]], file: BinaryIO) -> None:
    """Write columns of numbers, booleans or text, null where they are masked.

    The rows come in one part or several, each of which is first written to a file of its own.
    """
    with ExitStack() as kept, connected() as connection:
        files = []
        for columns in parts:
            written, path = kept.enter_context(scratch_file())
            named = [
                f"CAST(c{i} AS {TYPES[values.dtype.kind]}) AS {quoted(name)}"
                for i, (name, values) in enumerate(columns.items())
            ]
            connection.register("rows", {f"c{i}": v for i, v in enumerate(columns.values())})
            _copy(connection, f"SELECT {', '.join(named)} FROM rows", path)
            files.append((written, path))
        if len(files) > 1:
            listed = ", ".join(literal(pattern_of(path)) for _, path in files)
            table = f"read_parquet([{listed}], hive_partitioning = false, union_by_name = true)"
            files.append(kept.enter_context(scratch_file()))
            _copy(connection, f"SELECT * FROM {table}", files[-1][1])
        shutil.copyfileobj(files[-1][0], file)


def _copy(connection: Any, sql: str, path: Path) -> None:
    import duckdb

    target = f"{literal(str(path))} (FORMAT parquet, USE_TMP_FILE false)"
    try:
        connection.execute(f"COPY ({sql}) TO {target}")
    except duckdb.IOException:
        raise FileError(
            "a temporary file cannot be written, perhaps since the disk is full; TMPDIR names "
            "another folder for it"
        ) from None


def connect(options: dict[str, Any] | None = None, *, with_progress: bool = False) -> Any:
    """Open a database in memory, which never prints its progress, but counts it if asked to."""
    import duckdb

    connection = duckdb.connect(":memory:", config=OFFLINE | (options or {}))
    connection.execute(f"SET enable_progress_bar = {with_progress}")
    connection.execute("SET enable_progress_bar_print = false")  # it would, in a notebook
    distrust_statistics(connection)
    return connection


@contextmanager
def connected() -> Iterator[Any]:
    """Open a database in memory and close it; otherwise DuckDB warns when Python exits."""
    connection = connect()
    try:
        yield connection
    finally:
        connection.close()


def quoted(name: str) -> str:
    """Return a name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


class Pairs(NamedTuple):
    """The query that selects objects as o and clusters as c, and their columns and types."""

    sql: str
    item: str
    item_type: str
    cluster: str
    cluster_type: str


def find_pairs(
    connection: Any, source: Source, paths: Sequence[Path], options: ReadOptions
) -> Pairs:
    """Find the columns of objects and clusters; the clusters in a column of lists are unnested."""
    table, patterns = _table(paths)
    columns = _columns(connection, table, patterns[0])
    item, cluster = options.find_columns([column.name for column in columns], source)
    chosen = {column.name: column for column in columns}
    for column in (chosen[item], chosen[cluster]):
        if column.precision > MAX_PRECISION:
            raise InputError(
                f"{source}: column {column.name!r} has decimals of {column.precision} digits, but "
                f"at most {MAX_PRECISION} can be read exactly; store them as text"
            )
        if column.is_cut:
            raise InputError(
                f"{source}: column {column.name!r} has times of day in UTC with nanoseconds, which "
                "cannot be read exactly; store them as text"
            )
    item_type, cluster_type = chosen[item].type, chosen[cluster].type
    o, c = quoted(chosen[item].alias), quoted(chosen[cluster].alias)
    if cluster_type.endswith("[]"):
        cluster_type = cluster_type.removesuffix("[]")
        c = f"unnest(CASE WHEN len({c}) > 0 THEN {c} ELSE [NULL] END)"
    for name, type_name in ((item, item_type), (cluster, cluster_type)):
        if type_name.endswith("]") or type_name.startswith(NESTED):
            raise InputError(
                f"{source}: column {name!r} is of type {type_name}, which names nothing"
            )
    _reject_hidden_values(connection, source, patterns, (item, cluster))
    return Pairs(f"SELECT {o} AS o, {c} AS c FROM {table}", item, item_type, cluster, cluster_type)


def find_shared_pairs(
    connection: Any, sources: Sequence[Source], paths: Sequence[Path], options: ReadOptions
) -> Pairs:
    """Find the columns of objects and clusters of files that are one table."""
    each = []
    for source, path in zip(sources, paths, strict=True):
        with reported([source], [path]):
            each.append(find_pairs(connection, source, [path], options))
        if each[-1][1:] != each[0][1:]:
            raise different_columns(source, sources[0], *map(_columns_of, (each[0], each[-1])))
    return each[0] if len(each) == 1 else find_pairs(connection, sources[0], paths, options)


def _columns_of(pairs: Pairs) -> str:
    return f"{pairs.item} {pairs.item_type} and {pairs.cluster} {pairs.cluster_type}"


def _read(
    connection: Any, sources: Sequence[Source], paths: Sequence[Path], options: ReadOptions
) -> Content:
    source = name_of(sources)
    _check_size(connection, source, paths)
    sql, item, item_type, cluster, cluster_type = find_shared_pairs(
        connection, sources, paths, options
    )
    connection.execute(f"CREATE TEMP VIEW pairs AS {sql}")
    types = {
        "o": (item_type, f"{source}: column {item!r}"),
        "c": (cluster_type, f"{source}: column {cluster!r}"),
    }
    if options.only_objects:
        types.pop("c")
    objects, *others = read_columns(connection, "pairs", types)
    object_codes, ids = objects.code()
    if object_codes.min(initial=0) < 0:
        raise InputError(f"{objects.where} has nulls, and an object must have an id")
    if not others:
        return only_objects(ids, f"Parquet, object in column {item!r}")
    (clusters,) = others
    label_codes, labels = clusters.code()
    numbered = number_labels(labels, options, clusters.where)
    n_kept = int(
        _kernels.incidence.keep_clustered(object_codes, label_codes, frozen(numbered.numbers))
    )
    memberships = memberships_of_pairs(
        object_codes[:n_kept], label_codes[:n_kept], ids, numbered.names
    )
    title = f"Parquet, object in column {item!r} and cluster in column {cluster!r}"
    return Content(memberships, title, outlier_labels=numbered.outlier_labels)


def _check_size(connection: Any, source: str, paths: Sequence[Path]) -> None:
    """Reject files with more values in a column than the memory holds; few bytes can be many."""
    (n_values, _), limit = size_of(connection, paths), in_memory_limit()
    if n_values * BYTES_PER_ROW > limit:
        raise InputError(
            f"{source}: the columns must take at most {limit:,} bytes of memory, but have "
            f"{n_values:,} values; {MAX_BYTES} sets this limit"
        )


def size_of(connection: Any, paths: Sequence[Path]) -> tuple[int, int]:
    """Return the number of values in the longest column of files, and the bytes of all columns.

    A column of lists has more values than rows; the bytes are those before compression.
    """
    listed = ", ".join(literal(pattern_of(path)) for path in paths)
    n_values, n_bytes = connection.execute(
        "SELECT coalesce(max(n), 0), coalesce(sum(bytes), 0) FROM ("
        "SELECT sum(num_values) AS n, sum(total_uncompressed_size) AS bytes "
        f"FROM parquet_metadata([{listed}]) GROUP BY column_id)"
    ).fetchone()
    return int(n_values), int(n_bytes)


def _reject_hidden_values(
    connection: Any, source: Source, patterns: Sequence[str], names: Sequence[str]
) -> None:
    """Reject columns whose values DuckDB does not read, since the footer says that all are null.

    Nulls have no bounds, and take next to no bytes.
    """
    hidden = connection.execute(
        "SELECT path_in_schema FROM "
        f"parquet_metadata([{', '.join(map(literal, patterns))}]) "
        "WHERE stats_null_count >= num_values AND num_values > 0 AND ("
        "coalesce(stats_min, stats_max, stats_min_value, stats_max_value) IS NOT NULL "
        "OR total_uncompressed_size > 100 + num_values / 2)"
    ).fetchall()
    for name in names:
        if any(f"{path}, ".startswith(f"{name}, ") for (path,) in hidden):
            raise InputError(
                f"{source}: column {name!r} has values, but the statistics of the file say that "
                "all are null; write the file anew"
            )


class _Named(NamedTuple):
    """The name of a column in the file and in DuckDB, its type, and the digits of its decimals.

    ``is_cut`` is whether DuckDB cuts its times to microseconds.
    """

    name: str
    alias: str
    type: str
    precision: int
    is_cut: bool


def _columns(connection: Any, table: str, pattern: str) -> list[_Named]:
    """Return the columns of a file; DuckDB renames those whose names differ only in case."""
    described = connection.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()
    nodes = connection.execute(
        "SELECT name, num_children, coalesce(precision, 0), coalesce(logical_type, '') LIKE "
        f"'TimeType(isAdjustedToUTC=1%NanoSeconds%' FROM parquet_schema({literal(pattern)})"
    ).fetchall()[1:]  # without the root
    found: list[tuple[str, int, bool]] = []
    n_inner = 0
    for name, n_children, precision, is_cut in nodes:
        if n_inner == 0:
            found.append((name, precision, is_cut))
        else:
            n_inner -= 1
            outer = found[-1]
            found[-1] = outer[0], max(outer[1], precision), outer[2] or is_cut
        n_inner += n_children or 0
    return [
        _Named(name, alias, kind, precision, is_cut)
        for (name, precision, is_cut), (alias, kind, *_) in zip(found, described, strict=True)
    ]


def literal(text: str) -> str:
    """Return text as an SQL string."""
    return "'" + text.replace("'", "''") + "'"
