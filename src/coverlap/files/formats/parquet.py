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
from coverlap.core.values import code_values, object_array, value_array
from coverlap.core.wording import some
from coverlap.files.options import Content, Reading, membership_parts, rank_labels
from coverlap.files.source import Source
from coverlap.files.writing import Writing, membership_columns

NUMBERS = re.compile(r"U?(TINY|SMALL|BIG)?INT(EGER)?|FLOAT|DOUBLE|BOOLEAN")
WIDE_NUMBERS = re.compile(r"U?HUGEINT|BIGNUM|DECIMAL\(.*\)")
"""Numbers that NumPy can hold, and those that it cannot."""

NESTED = ("STRUCT", "MAP", "UNION", "BLOB", "VARIANT")

OFFLINE: dict[str, Any] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
}
"""DuckDB reads what it is given: it fetches nothing, and takes no name for a Python variable."""


def read(source: Source, reading: Reading) -> Content:
    """Read a membership from each row; one with a null cluster makes an outlier.

    A column of lists holds the clusters of each object.
    """
    import duckdb

    with source.as_path() as own, _without_backslash(own) as path, connected() as connection:
        try:
            return _read(connection, source, path, reading)
        except duckdb.Error as error:
            reason = str(error).splitlines()[0].replace(str(path), str(source))
            raise InputError(f"{source}: not a Parquet file that can be read: {reason}") from None


def write(clustering: Memberships, file: BinaryIO, writing: Writing) -> None:
    """Write the memberships, and each outlier with a null cluster."""
    columns = membership_columns(clustering, "parquet")
    named = (quoted(name) for name in writing.columns())
    chosen = ", ".join(f"{key} AS {name}" for key, name in zip(("o", "c"), named, strict=True))
    with TemporaryDirectory(prefix="coverlap-") as folder, connected() as connection:
        path = Path(folder) / "pairs.parquet"
        connection.register("pairs", dict(zip(("o", "c"), columns, strict=True)))
        literal = str(path).replace("'", "''")
        connection.execute(f"COPY (SELECT {chosen} FROM pairs) TO '{literal}' (FORMAT parquet)")
        with path.open("rb") as written:
            shutil.copyfileobj(written, file)


@contextmanager
def connected() -> Iterator[Any]:
    """Open a DuckDB in memory, and close it: one left open complains when Python ends."""
    import duckdb

    connection = duckdb.connect(":memory:", config=OFFLINE)
    try:
        yield connection
    finally:
        connection.close()


def quoted(name: str) -> str:
    """Write a name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def _read(connection: Any, source: Source, path: Path, reading: Reading) -> Content:
    table = f"read_parquet([{_literal(path)}], hive_partitioning = false)"
    described = connection.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()
    kinds = {name: kind for name, kind, *_ in described}
    wanted = find_columns(source, list(kinds), reading)
    object_kind, cluster_kind = (kinds[name] for name in wanted)
    o, c = map(quoted, wanted)
    if cluster_kind.endswith("[]"):
        cluster_kind = cluster_kind.removesuffix("[]")
        c = f"unnest(CASE WHEN len({c}) > 0 THEN {c} ELSE [NULL] END)"
    for name, kind in zip(wanted, (object_kind, cluster_kind), strict=True):
        if kind.endswith("]") or kind.startswith(NESTED):
            raise InputError(f"{source}: column {name!r} is of type {kind}, which names nothing")
    connection.execute(f"CREATE TEMP VIEW pairs AS SELECT {o} AS o, {c} AS c FROM {table}")
    objects, clusters = (
        _Column(connection, "o", object_kind),
        _Column(connection, "c", cluster_kind),
    )
    rows = connection.execute(
        f"SELECT {objects.choice} AS o, {clusters.choice} AS c "
        f"FROM pairs {objects.join} {clusters.join}"
    ).fetchnumpy()
    places, ids = objects.code(rows["o"], f"{source}: column {wanted[0]!r}")
    if np.any(places < 0):
        raise InputError(f"{source}: column {wanted[0]!r} has nulls, and an object must have an id")
    codes, labels = clusters.code(rows["c"], f"{source}: column {wanted[1]!r}")
    rank, names, met = rank_labels(labels, reading, f"{source}: column {wanted[1]!r}")
    known = np.append(rank, np.int32(-1))[codes]
    title = f"Parquet, object in column {wanted[0]!r} and cluster in column {wanted[1]!r}"
    parts = membership_parts(places, known, ids, names)
    return Content(parts, title, outlier_labels=met)


class _Column:
    """A column of ids or labels. Numbers come as they are; text is numbered by DuckDB.

    To number text there keeps it out of Python, but for one string each.
    """

    def __init__(self, connection: Any, name: str, kind: str) -> None:
        self._text: list[str] | None = None
        if NUMBERS.fullmatch(kind):
            number = "TINYINT" if kind == "BOOLEAN" else kind
            self.choice, self.join = f"CAST(pairs.{name} AS {number})", ""
            return
        known = f"known_{name}"
        connection.execute(
            f"CREATE TEMP TABLE {known} AS SELECT v, row_number() OVER (ORDER BY v) - 1 AS n FROM "
            f"(SELECT DISTINCT CAST({name} AS VARCHAR) AS v FROM pairs WHERE {name} IS NOT NULL)"
        )
        found = connection.execute(f"SELECT v FROM {known} ORDER BY n").fetchnumpy()["v"]
        self._text = list(found)
        self._is_number = bool(WIDE_NUMBERS.fullmatch(kind))
        self.choice = f"CAST(coalesce({known}.n, -1) AS INTEGER)"
        self.join = f"LEFT JOIN {known} ON CAST(pairs.{name} AS VARCHAR) = {known}.v"

    def code(self, values: NDArray[Any], where: str) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return a number for each row, -1 for a null, and what the numbers stand for."""
        if self._text is not None:
            if self._is_number:
                return np.asarray(values), value_array([_exact(text, where) for text in self._text])
            return np.asarray(values), object_array(self._text)
        missing = np.ma.getmaskarray(values)
        numbers = np.asarray(values)
        if numbers.dtype.kind == "f":
            missing = missing | np.isnan(numbers)
            numbers = _whole(np.where(missing, 0, numbers), where)
        codes, distinct = code_values(numbers[~missing], where)
        places = np.full(len(numbers), -1, np.int32)
        places[~missing] = codes
        return places, distinct


def _exact(text: str, where: str) -> int:
    number = Decimal(text)
    if number != int(number):
        raise InputError(f"{where} has the continuous number {text}, and that names nothing")
    return int(number)


def _whole(numbers: NDArray[Any], where: str) -> NDArray[np.int64]:
    with np.errstate(invalid="ignore"):
        whole = numbers.astype(np.int64)
    if np.array_equal(whole, numbers):
        return whole
    at = int(np.argmax(whole != numbers))
    raise InputError(f"{where} has the continuous number {numbers[at]}, and that names nothing")


def find_columns(source: Source, names: list[str], reading: Reading) -> tuple[str, str]:
    """Return the names of the columns of objects and clusters."""
    wanted = []
    for column in reading.columns():
        if isinstance(column, int):
            if column >= len(names):
                raise InputError(f"{source} has {len(names)} columns, so there is no {column}")
            wanted.append(names[column])
        elif column in names:
            wanted.append(column)
        else:
            raise InputError(
                f"{source} has no column {column!r}, only {some(list(names))}; say which by "
                "object= and cluster= (--object, --cluster)"
            )
        if names.count(wanted[-1]) > 1:
            raise InputError(f"{source} has several columns called {wanted[-1]!r}")
    return wanted[0], wanted[1]


@contextmanager
def _without_backslash(path: Path) -> Iterator[Path]:
    """Give a path that DuckDB can open: a link if there is a backslash that parts no folders."""
    if "\\" not in path.as_posix():
        yield path
        return
    with TemporaryDirectory(prefix="coverlap-") as folder:
        link = Path(folder) / "pairs.parquet"
        link.symlink_to(path)
        yield link


def _literal(path: Path) -> str:
    """Write a path for SQL so that it names one file: signs of a pattern stand for themselves."""
    plain = re.sub(r"[*?\[]", lambda sign: f"[{sign[0]}]", path.as_posix())
    return "'" + plain.replace("'", "''") + "'"
