"""Parquet: object and cluster in two columns, read and written by DuckDB."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.core.memberships import Memberships
from coverlap.core.threads import finished_before_exit
from coverlap.core.values import code_values, object_array, value_array
from coverlap.core.wording import some
from coverlap.files.content import Content, memberships_of_pairs, number_labels
from coverlap.files.options import ReadOptions, WriteOptions
from coverlap.files.output import membership_columns
from coverlap.files.source import Source

NUMBERS = re.compile(r"U?(TINY|SMALL|BIG)?INT(EGER)?|FLOAT|DOUBLE|BOOLEAN")
WIDE_NUMBERS = re.compile(r"U?HUGEINT|BIGNUM|DECIMAL\(.*\)")
"""Types of numbers that NumPy has, and those that it does not have."""

NESTED = ("STRUCT", "MAP", "UNION", "BLOB", "VARIANT")

OFFLINE: dict[str, Any] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
}
"""Options of DuckDB: load no extensions, and do not look up names of Python variables."""


def read(source: Source, options: ReadOptions) -> Content:
    """Read a membership from each row; an object with a null cluster is an outlier.

    A column of lists holds the clusters of each object.
    """
    with source.as_path() as own, _without_backslash(own) as path:
        return _read_file(source, path, options)


@finished_before_exit()
def _read_file(source: Source, path: Path, options: ReadOptions) -> Content:
    import duckdb

    with connected() as connection:
        try:
            return _read(connection, source, path, options)
        except duckdb.Error as error:
            reason = str(error).splitlines()[0].replace(str(path), str(source))
            raise InputError(f"{source}: not a Parquet file that can be read: {reason}") from None


@finished_before_exit()
def write(memberships: Memberships, file: BinaryIO, options: WriteOptions) -> None:
    """Write the memberships, and each outlier with a null cluster."""
    objects, clusters = membership_columns(memberships, "parquet")
    item, cluster = map(quoted, options.columns())
    with TemporaryDirectory(prefix="coverlap-") as folder, connected() as connection:
        path = Path(folder) / "pairs.parquet"
        connection.register("pairs", {"o": objects, "c": clusters})
        connection.execute(
            f"COPY (SELECT o AS {item}, c AS {cluster} FROM pairs) TO {_literal(str(path))} "
            "(FORMAT parquet)"
        )
        with path.open("rb") as written:
            shutil.copyfileobj(written, file)


@contextmanager
def connected() -> Iterator[Any]:
    """Open a database in memory and close it; otherwise DuckDB warns when Python exits."""
    import duckdb

    connection = duckdb.connect(":memory:", config=OFFLINE)
    try:
        yield connection
    finally:
        connection.close()


def quoted(name: str) -> str:
    """Return a name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def _read(connection: Any, source: Source, path: Path, options: ReadOptions) -> Content:
    pattern = re.sub(r"[*?\[]", lambda sign: f"[{sign[0]}]", path.as_posix())  # matches only path
    table = f"read_parquet([{_literal(pattern)}], hive_partitioning = false)"
    described = connection.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()
    types = {name: type_name for name, type_name, *_ in described}
    item, cluster = find_columns(source, list(types), options)
    o, c = quoted(item), quoted(cluster)
    cluster_type = types[cluster]
    if cluster_type.endswith("[]"):
        cluster_type = cluster_type.removesuffix("[]")
        c = f"unnest(CASE WHEN len({c}) > 0 THEN {c} ELSE [NULL] END)"
    for name, type_name in ((item, types[item]), (cluster, cluster_type)):
        if type_name.endswith("]") or type_name.startswith(NESTED):
            raise InputError(
                f"{source}: column {name!r} is of type {type_name}, which names nothing"
            )
    connection.execute(f"CREATE TEMP VIEW pairs AS SELECT {o} AS o, {c} AS c FROM {table}")
    objects = _Column(connection, "o", types[item], f"{source}: column {item!r}")
    clusters = _Column(connection, "c", cluster_type, f"{source}: column {cluster!r}")
    rows = connection.execute(
        f"SELECT {objects.selected} AS o, {clusters.selected} AS c "
        f"FROM pairs {objects.join} {clusters.join}"
    ).fetchnumpy()
    object_codes, ids = objects.code(rows["o"])
    if np.any(object_codes < 0):
        raise InputError(f"{objects.where} has nulls, and an object must have an id")
    label_codes, labels = clusters.code(rows["c"])
    numbered = number_labels(labels, options, clusters.where)
    cluster_codes = np.append(numbered.numbers, np.int32(-1))[label_codes]
    memberships = memberships_of_pairs(object_codes, cluster_codes, ids, numbered.names)
    title = f"Parquet, object in column {item!r} and cluster in column {cluster!r}"
    return Content(memberships, title, outlier_labels=numbered.outlier_labels)


class _Column:
    """A column of ids or labels.

    NumPy codes numbers. DuckDB codes text, so that Python gets each distinct text only once.
    """

    def __init__(self, connection: Any, name: str, type_name: str, where: str) -> None:
        self.where = where
        self._distinct: NDArray[Any] | None = None
        if NUMBERS.fullmatch(type_name):
            number = "TINYINT" if type_name == "BOOLEAN" else type_name
            self.selected, self.join = f"CAST(pairs.{name} AS {number})", ""
            return
        known = f"known_{name}"
        connection.execute(
            f"CREATE TEMP TABLE {known} AS SELECT v, row_number() OVER (ORDER BY v) - 1 AS n FROM "
            f"(SELECT DISTINCT CAST({name} AS VARCHAR) AS v FROM pairs WHERE {name} IS NOT NULL)"
        )
        texts = list(connection.execute(f"SELECT v FROM {known} ORDER BY n").fetchnumpy()["v"])
        if WIDE_NUMBERS.fullmatch(type_name):
            self._distinct = value_array([self._integer(text) for text in texts])
        else:
            self._distinct = object_array(texts)
        self.selected = f"CAST(coalesce({known}.n, -1) AS INTEGER)"
        self.join = f"LEFT JOIN {known} ON CAST(pairs.{name} AS VARCHAR) = {known}.v"

    def code(self, values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return a code for each row, -1 for a null, and the values of the codes."""
        if self._distinct is not None:
            return np.asarray(values), self._distinct
        missing = np.ma.getmaskarray(values)
        numbers = np.asarray(values)
        if numbers.dtype.kind == "f":
            missing = missing | np.isnan(numbers)
            numbers = self._integers(np.where(missing, 0, numbers))
        codes = np.full(len(numbers), -1, np.int32)
        codes[~missing], distinct = code_values(numbers[~missing], self.where)
        return codes, distinct

    def _integer(self, text: str) -> int:
        number = Decimal(text)
        if number != int(number):
            raise self._continuous(text)
        return int(number)

    def _integers(self, numbers: NDArray[Any]) -> NDArray[np.int64]:
        with np.errstate(invalid="ignore"):
            integers = numbers.astype(np.int64)
        if not np.array_equal(integers, numbers):
            raise self._continuous(numbers[np.argmax(integers != numbers)])
        return integers

    def _continuous(self, number: Any) -> InputError:
        return InputError(
            f"{self.where} has the continuous number {number}, and that names nothing"
        )


def find_columns(source: Source, names: list[str], options: ReadOptions) -> tuple[str, str]:
    """Return the names of the columns of objects and clusters."""
    item, cluster = options.columns()
    return _find_column(source, names, item), _find_column(source, names, cluster)


def _find_column(source: Source, names: list[str], column: str | int) -> str:
    if isinstance(column, int):
        if column >= len(names):
            raise InputError(f"{source} has {len(names)} columns, so there is no {column}")
        column = names[column]
    if column not in names:
        raise InputError(
            f"{source} has no column {column!r}, only {some(list(names))}; say which by "
            "object= and cluster= (--object, --cluster)"
        )
    if names.count(column) > 1:
        raise InputError(f"{source} has several columns called {column!r}")
    return column


@contextmanager
def _without_backslash(path: Path) -> Iterator[Path]:
    """Yield a path that DuckDB can open: a link if the name of a file has a backslash."""
    if "\\" not in path.as_posix():
        yield path
        return
    with TemporaryDirectory(prefix="coverlap-") as folder:
        link = Path(folder) / "pairs.parquet"
        link.symlink_to(path)
        yield link


def _literal(text: str) -> str:
    """Return text as an SQL string."""
    return "'" + text.replace("'", "''") + "'"
