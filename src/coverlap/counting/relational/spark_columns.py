"""The columns of objects and clusters of a table in Spark: their types, and ids of one type."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import numpy as np

from coverlap.core.errors import InputError
from coverlap.core.texts import Ids
from coverlap.core.values import value_array
from coverlap.counting.relational.spark_session import SparkRunner

INTEGERS = re.compile(r"tinyint|smallint|int|bigint|boolean")
FLOATS = re.compile(r"float|double")
DECIMALS = re.compile(r"decimal\(\d+,\d+\)")
TEXT = re.compile(r"(string|varchar|char)\b.*")
TIMES = re.compile(r"date|timestamp|timestamp_ntz")

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Column(NamedTuple):
    """A column of a view; ``where`` is what messages call it."""

    where: str
    view: str
    name: str
    type: str

    @property
    def kind(self) -> str:
        """What kind of values the column has; the name of the type for dates and times."""
        if TEXT.fullmatch(self.type):
            return "text"
        if TIMES.fullmatch(self.type):
            return self.type
        if any(kind.fullmatch(self.type) for kind in (INTEGERS, FLOATS, DECIMALS)):
            return "integers"
        raise InputError(f"{self.where} is of type {self.type}, which names nothing")

    @property
    def present(self) -> str:
        """The expression of the value, null for NaN."""
        if FLOATS.fullmatch(self.type):
            return f"CASE WHEN isnan({self.name}) THEN NULL ELSE {self.name} END"
        return self.name

    @property
    def integer(self) -> str:
        """The expression of the value as BIGINT; the values must have been checked."""
        return f"CAST({self.present} AS BIGINT)"

    @property
    def text(self) -> str:
        """The expression of the value as text."""
        if self.type == "string":
            return self.name
        value = self.name if self.kind == "text" else self.integer
        return f"CAST({value} AS STRING)"

    def check_numbers(self, runner: SparkRunner) -> None:
        """Reject numbers that are not integers, and those of more than 64 bits."""
        if not (FLOATS.fullmatch(self.type) or DECIMALS.fullmatch(self.type)):
            return
        value = self.present
        is_large = f"abs({value}) >= 9.2E18"
        rows = runner.rows(
            f"SELECT MIN(CASE WHEN {is_large} THEN NULL WHEN {value} <> floor({value}) "
            f"THEN {value} END), MAX(CASE WHEN {is_large} THEN {value} END) FROM {self.view}"
        )
        continuous, large = rows[0]
        if continuous is not None:
            raise InputError(
                f"{self.where} has the continuous number {continuous}, and that names nothing"
            )
        if large is not None:
            raise InputError(
                f"{self.where} has the number {large}, which is too large for Spark's integers; "
                "store it as text"
            )


class FoundLabels(NamedTuple):
    """The distinct values of a column of clusters.

    ``expression`` is how the column has these values, of the SQL type ``type``; ``labels`` are the
    labels that they stand for.
    """

    expression: str
    type: str
    values: Ids
    labels: Ids | list[Any]


def distinct_labels(runner: SparkRunner, column: Column) -> FoundLabels:
    """Return the distinct values of a column of clusters, and the labels that they stand for."""
    kind = column.kind
    column.check_numbers(runner)
    expression, kind_there = {
        "integers": (column.integer, "bigint"),
        "text": (column.text, "string"),
        "timestamp": (f"unix_micros({column.name})", "bigint"),
    }.get(kind, (column.name, kind))
    found = runner.arrays(
        f"SELECT DISTINCT {expression} AS label FROM {column.view} "
        f"WHERE {column.present} IS NOT NULL"
    )["label"]
    if kind in ("integers", "timestamp"):
        values: Ids = np.asarray(found, np.int64)
    else:
        values = value_array(found.tolist())
    labels: Ids | list[Any] = values
    if kind == "timestamp":
        labels = [EPOCH + timedelta(microseconds=n) for n in found.tolist()]
    return FoundLabels(expression, kind_there, values, labels)
