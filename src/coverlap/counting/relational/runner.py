"""What runs the statements of the relational engine: DuckDB here, Spark in `spark`."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from coverlap.inputs.arrow import TextColumn
from coverlap.tables.database import Database
from coverlap.tables.limits import Limits

Columns = dict[str, NDArray[Any]]
Codes = list[NDArray[np.uint32]]


class Runner(Protocol):
    """A database that runs statements."""

    @property
    def hash(self) -> str:
        """The SQL of a hash as an integer of 64 bits, with ``{}`` for what is hashed."""

    def arrays(self, sql: str) -> Columns:
        """Return the columns of a query, masked where they have nulls."""

    def chunks(self, sql: str, names: Sequence[str]) -> Iterator[Codes]:
        """Yield columns of integers from 0 on in chunks, each valid until the next one."""

    def objects(self, sql: str) -> Iterator[list[NDArray[Any]]]:
        """Yield a column of objects, as integers or text, and two of integers, in chunks."""

    def relation(self, columns: Columns) -> Any:
        """Return a context in which columns of integers are a relation; it returns the name."""


NAMED_STRUCT = """CREATE OR REPLACE TEMP MACRO named_struct(_0, similarity, _1, partner, _2, shared)
AS struct_pack(similarity := similarity, partner := partner, shared := shared)"""
"""The function of Spark that makes a struct of names and values, for the only names in use."""

DIRECT_SHARE, DIRECT_BYTES, MOST_DIRECT_BITS = 0.25, 128, 24
"""The share of the memory for tables that have a place for each number of a cluster, the bytes of
a place, and the most bits of such numbers. Each thread has two such tables."""


class DuckDBRunner:
    """Runs statements in a database of DuckDB."""

    hash = "hash({})"

    def __init__(self, database: Database) -> None:
        database.execute(NAMED_STRUCT)
        database.execute(f"SET perfect_ht_threshold = {_direct_bits(database.limits)}")
        self.arrays = database.arrays
        self._database = database
        self._numbers = count()

    def chunks(self, sql: str, names: Sequence[str]) -> Iterator[Codes]:
        """Yield columns of integers from 0 on in chunks, each valid until the next one."""
        columns = ", ".join(f"CAST({name} AS UINTEGER) AS {name}" for name in names)
        return self._database.stream(f"SELECT {columns} FROM ({sql})")

    def objects(self, sql: str) -> Iterator[list[NDArray[Any]]]:
        """Yield a column of objects, as integers or text, and two of integers, in chunks."""
        codes = ("side", "cluster")
        columns = ", ".join(f"CAST({name} AS UINTEGER) AS {name}" for name in codes)
        for first, *numbers in self._database.stream(f"SELECT object, {columns} FROM ({sql})"):
            is_text = isinstance(first, TextColumn)
            ids = np.array(first.texts.tolist(), object) if is_text else first.astype(np.int64)
            yield [ids, *(column.copy() for column in numbers)]

    @contextmanager
    def relation(self, columns: Columns) -> Iterator[str]:
        """Make a view of columns of integers, and remove it at the end."""
        name = f"coverlap_columns_{next(self._numbers)}"
        self._database.register(name, columns)
        try:
            yield name
        finally:
            self._database.execute(f"DROP VIEW {name}")


def _direct_bits(limits: Limits) -> int:
    """Return how many bits numbers of clusters may have to be grouped by place, without hashing.

    That takes a third less time. The limit of DuckDB itself is 12 bits.
    """
    places = DIRECT_SHARE * limits.memory / (2 * limits.threads * DIRECT_BYTES)
    return min(max(int(math.log2(places)), 1), MOST_DIRECT_BITS)
