"""The ids of objects in tables, and a common type for those of all tables of a comparison.

The rules are those of `coverlap.files.id_types`, for columns that are not in memory.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from coverlap.core.errors import InputError, UniverseError
from coverlap.core.spelling import integral_value
from coverlap.core.values import INT64_MAX
from coverlap.core.wording import shown
from coverlap.files.coded_columns import FLOATS, WIDE_NUMBERS, is_number
from coverlap.files.formats.parquet import Pairs
from coverlap.tables.database import Database

FILE_TEXT = "TEXT OF A FILE"
"""The type of text of a file, which may spell integers and missing values; not one of DuckDB."""

INTEGER = "'0|-?[1-9][0-9]*'"
"""A pattern of integers as text."""

SUSPECTS = 1000
"""The number of ids that are compared one by one, because they look like rounded integers."""


class IdColumn(NamedTuple):
    """A column of ids: the query that has it, the SQL expression of an id, and what ids are.

    ``kind`` is "integer", "digits" for integers that are written as text, "text", or the name of
    another type, which is written as text. Integers are from ``low`` to ``high``.
    """

    where: str
    sql: str
    o: str
    kind: str
    n_rows: int
    low: int = 0
    high: int = -1

    def as_text(self) -> "IdColumn":
        """Return the same column with text as ids."""
        return self._replace(o=f"CAST({self.o} AS VARCHAR)") if self.kind == "integer" else self

    def is_like_integer(self) -> str:
        """Return the SQL expression of whether an id is an integer, perhaps as text."""
        return f"regexp_full_match({self.o}, {INTEGER})" if self.kind == "text" else "TRUE"


def smallest_type(low: int, high: int) -> str:
    """Return the smaller type that holds integers; joins and groups of it take less time."""
    return "INTEGER" if low >= -(2**31) and high < 2**31 else "BIGINT"


def id_column(database: Database, pair: Pairs, where: str) -> IdColumn:
    """Find out what the ids of a column are; reject nulls and continuous numbers."""
    known = "nullif(o, 'nan')" if pair.item_type in FLOATS else "o"
    # A condition would let DuckDB leave out rows by what the footer of a file says.
    n_rows, n_known = database.row(f"SELECT count(*), count({known}) FROM ({pair.sql})")
    if n_known < n_rows:
        raise InputError(f"{where} has nulls, and an object must have an id")
    if n_rows == 0:  # of any type
        return IdColumn(where, pair.sql, "CAST(NULL AS BIGINT)", "integer", 0)
    column = IdColumn(where, pair.sql, "CAST(o AS VARCHAR)", pair.item_type, n_rows)
    if pair.item_type in FLOATS or pair.item_type.startswith("DECIMAL"):
        reject_continuous(database, f"SELECT o FROM ({pair.sql})", pair.item_type, where)
    if pair.item_type == "VARCHAR" or pair.item_type.startswith("ENUM"):
        return column._replace(kind="text")
    if pair.item_type == FILE_TEXT:
        column = column._replace(o="o", kind="text")
        return column if _example(database, column, "NOT ") else column._replace(kind="digits")
    if WIDE_NUMBERS.fullmatch(pair.item_type):
        whole = "CAST(o AS HUGEINT)" if pair.item_type.startswith("DECIMAL") else "o"
        return column._replace(o=f"CAST({whole} AS VARCHAR)", kind="digits")
    if not is_number(pair.item_type):
        return column
    number = "TINYINT" if pair.item_type == "BOOLEAN" else "HUGEINT"
    low, high = database.row(
        f"SELECT CAST(min(o) AS {number}), CAST(max(o) AS {number}) FROM ({pair.sql})"
    )
    if high > INT64_MAX:
        return column._replace(kind="digits")
    whole = "CAST(CAST(o AS TINYINT) AS BIGINT)" if number == "TINYINT" else "CAST(o AS BIGINT)"
    return column._replace(o=whole, kind="integer", low=int(low), high=int(high))


def reject_continuous(database: Database, sql: str, kind: str, where: str) -> None:
    """Reject a number that is not an integer in the only column of a query, or one too large."""
    is_wrong = "floor(v) <> v"
    if kind in FLOATS:
        is_wrong = f"NOT isnan(v) AND ({is_wrong} OR abs(v) >= 9223372036854775808)"
    for (number,) in database.rows(f"SELECT v FROM ({sql}) AS t(v) WHERE {is_wrong} LIMIT 1"):
        raise InputError(f"{where} has the continuous number {number}, and that names nothing")


def common_type(database: Database, columns: Sequence[IdColumn]) -> list[IdColumn]:
    """Return the columns with ids of one type: integers, or text if some are text."""
    filled = [column for column in columns if column.n_rows]
    kinds = {column.kind for column in filled}
    if kinds <= {"integer"}:
        low, high = min(column.low for column in columns), max(column.high for column in columns)
        number = smallest_type(low, high)
        return [column._replace(o=f"CAST({column.o} AS {number})") for column in columns]
    if len(kinds) > 1 and not kinds <= {"integer", "digits", "text"}:
        named = ", ".join(f"{column.kind} in {column.where}" for column in filled)
        raise UniverseError(f"the ids are of different types: {named}; convert them")
    if "text" in kinds:
        _reject_disjoint_types(database, filled)
    if len(kinds) > 1:
        _reject_integral_floats(database, filled)
    return [column.as_text() for column in columns]


def _reject_disjoint_types(database: Database, columns: Sequence[IdColumn]) -> None:
    """Raise an error if the ids of one column are all integers and none of another is one."""
    integers = [column for column in columns if not _example(database, column, "NOT ")]
    others = [column for column in columns if column not in integers]
    if integers and others:
        text = next((column for column in others if not _example(database, column)), None)
        if text is not None:
            number = _example(database, integers[0])[0][0]
            example = _example(database, text, "NOT ")[0][0]
            raise UniverseError(
                f"the ids of {integers[0].where} are integers ({number}, ...) and those of "
                f"{text.where} are not ({shown(example)}, ...), so they share no object; convert "
                "one side"
            )


def _example(database: Database, column: IdColumn, negation: str = "") -> list[tuple[Any, ...]]:
    """Return an id that is like an integer, or is not; nothing if there is none."""
    return database.rows(
        f"SELECT {column.o} FROM ({column.sql}) WHERE {negation}{column.is_like_integer()} LIMIT 1"
    )


def _reject_integral_floats(database: Database, columns: Sequence[IdColumn]) -> None:
    """Reject text such as '1.0' where another column has the integer 1, perhaps read from 1.0."""
    for column in columns:
        if column.kind != "text":
            continue
        suspects = database.rows(
            f"SELECT DISTINCT {column.o} FROM ({column.sql}) WHERE contains({column.o}, '.') "
            f"AND regexp_full_match({column.o}, '[-+]?[0-9]*\\.[0-9]*([eE][-+]?[0-9]+)?') "
            f"LIMIT {SUSPECTS}"
        )
        values = {integral_value(text): text for (text,) in suspects}
        values.pop(None, None)
        for other in columns if values else ():
            if other is column or other.kind == "text":  # '1' and '1.0' are two texts
                continue
            wanted = ", ".join(f"'{value}'" for value in values)
            found = database.rows(
                f"SELECT {other.as_text().o} FROM ({other.sql}) "
                f"WHERE {other.as_text().o} IN ({wanted}) LIMIT 1"
            )
            for (value,) in found:
                raise UniverseError(
                    f"{column.where} has an id {values[int(value)]!r} and {other.where} has "
                    f"{value}, which may be the same object; write both in the same way"
                )
