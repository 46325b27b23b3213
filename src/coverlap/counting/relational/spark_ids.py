"""Ids of one type for the objects of both sides and of a universe, as files in memory get."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from coverlap.core.errors import InputError, UniverseError
from coverlap.core.wording import shown
from coverlap.counting.relational.spark_columns import Column
from coverlap.counting.relational.spark_session import SparkRunner

INTEGER = "^(0|-?[1-9][0-9]*)$"
"""The pattern of text that is an integer; see `coverlap.core.spelling.INTEGER`."""

DECIMAL = "^[+-]?([0-9]+[.][0-9]*|[.][0-9]+)(e[+-]?[0-9]{1,9})?$"
"""The pattern of text that is a number with a point; see `coverlap.core.spelling.DECIMAL`."""


class IdColumn(NamedTuple):
    """A column of ids, and what was found out about its values.

    The number of ids counts repeated ones, and ``n_integers`` those that are written as integers.
    """

    column: Column
    n_ids: int
    n_integers: int
    example: Any

    def expression(self, kind: str) -> str:
        """Return the expression of the ids as integers or text, or as they are."""
        if self.n_ids == 0:
            return f"CAST(NULL AS {SQL_TYPES.get(kind, kind)})"
        if kind == "integers":
            return self.column.integer
        return self.column.text if kind == "text" else self.column.name


SQL_TYPES = {"integers": "BIGINT", "text": "STRING"}


class SharedIds(NamedTuple):
    """The expressions of ids of one type, and whether that is integers."""

    expressions: list[str]
    are_integers: bool


def inspect_ids(runner: SparkRunner, column: Column) -> IdColumn:
    """Find out what the ids of a column are; reject nulls."""
    kind = column.kind
    column.check_numbers(runner)
    value = column.text if kind == "text" else column.present
    is_integer = f"{value} RLIKE '{INTEGER}'" if kind == "text" else "1 = 1"
    rows = runner.rows(
        f"SELECT COUNT(*), COUNT({column.present}), COALESCE(SUM(CASE WHEN {is_integer} THEN 1 "
        f"ELSE 0 END), 0), CAST(MIN({value}) AS STRING) FROM {column.view}"
    )
    n_rows, n_ids, n_integers, example = rows[0]
    if n_ids < n_rows:
        raise InputError(f"{column.where} has nulls, and an object must have an id")
    return IdColumn(column, n_rows, n_integers, example)


def share_ids(runner: SparkRunner, columns: Sequence[IdColumn]) -> SharedIds:
    """Convert ids to one type, as `coverlap.files.id_types.share_type` does.

    Integers become text beside text. Dates and times must be of one type.
    """
    known = [ids for ids in columns if ids.n_ids]
    kinds = {ids.column.kind for ids in known}
    if len(kinds) > 1 and kinds != {"integers", "text"}:
        raise _different(known)
    kind = "text" if "text" in kinds else next(iter(kinds), "integers")
    if kind == "text":
        _reject_integers_beside_text(known)
        _reject_integral_floats(runner, known)
    return SharedIds([ids.expression(kind) for ids in columns], kind == "integers")


def _reject_integers_beside_text(known: Sequence[IdColumn]) -> None:
    """Raise an error if one side has only integers and one has none."""
    numbers = next((ids for ids in known if ids.n_integers == ids.n_ids), None)
    text = next((ids for ids in known if ids.n_integers == 0), None)
    if numbers and text:
        raise UniverseError(
            f"the ids of {numbers.column.where} are integers ({numbers.example}, ...) and those "
            f"of {text.column.where} are not ({shown(text.example)}, ...), so they share no "
            "object; convert one side"
        )


def _reject_integral_floats(runner: SparkRunner, known: Sequence[IdColumn]) -> None:
    """Reject text such as '1.0' where another side has the integer 1, perhaps read from 1.0."""
    for numbers in known:
        for text in known:
            if numbers.column.kind != "integers" or text.column.kind != "text":
                continue
            value = text.column.text
            rows = runner.rows(
                f"SELECT MIN(t.value) FROM (SELECT DISTINCT {value} AS value FROM "
                f"{text.column.view} WHERE lower({value}) RLIKE '{DECIMAL}') t "
                f"JOIN {numbers.column.view} n ON TRY_CAST(t.value AS DOUBLE) = "
                f"CAST({numbers.column.integer} AS DOUBLE)"
            )
            if rows[0][0] is not None:
                raise UniverseError(
                    f"{text.column.where} has an id {rows[0][0]!r} and {numbers.column.where} has "
                    "the same number as an integer, which may be the same object; write both in "
                    "the same way"
                )


def _different(known: Sequence[IdColumn]) -> UniverseError:
    named = ", ".join(f"{ids.column.kind} in {ids.column.where}" for ids in known)
    return UniverseError(f"the ids are of different types: {named}; convert them")
