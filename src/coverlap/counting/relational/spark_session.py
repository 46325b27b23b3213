"""A session of Spark that runs the statements of the relational engine.

Only SQL and frames are used, so that Spark Connect works like classic Spark.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import (
    CoverlapError,
    InputError,
    MissingDependencyError,
    ResourceError,
)
from coverlap.core.texts import Ids
from coverlap.core.wording import cut
from coverlap.counting.relational.runner import Codes, Columns

LIBRARIES = ("pyspark", "py4j", "grpc")
"""The libraries whose exceptions are reported as errors of this library."""

LOST = (
    'SparkEnv$.get()" is null', 'SparkContext.dagScheduler()" is null',
    "SparkContext was shut down", "stopped SparkContext", "SparkSession is stopped",
    "Connection refused", "Answer from Java side is empty", "Error while sending or receiving",
    "SESSION_CLOSED", "NO_ACTIVE_SESSION", "SESSION_NOT_FOUND", "UNAVAILABLE",
    "An error occurred while trying to connect to the Java server",
)  # fmt: skip
FULL = ("No space left on device", "OutOfMemoryError", "UNABLE_TO_ACQUIRE_MEMORY")
"""How Spark says that its session is gone, and that disk or memory do not suffice."""


@contextmanager
def reported() -> Iterator[None]:
    """Raise the errors of Spark and of its connection as errors of this library, on one line."""
    try:
        yield
    except CoverlapError:
        raise
    except Exception as error:
        is_connection = isinstance(error, ConnectionError | EOFError)
        if type(error).__module__.partition(".")[0] not in LIBRARIES and not is_connection:
            raise
        raise _translated(error, is_connection=is_connection) from None


def _translated(error: Exception, *, is_connection: bool) -> CoverlapError:
    text = f"{type(error).__name__}: {error}"
    if is_connection or any(sign in text for sign in LOST) or "Network" in type(error).__name__:
        return InputError(
            "the session of Spark has stopped or cannot be reached; start a new one and pass "
            "frames of it"
        )
    if any(sign in text for sign in FULL):
        return ResourceError(
            "the memory or the disk of Spark does not suffice; give it more by "
            "spark.executor.memory (spark.driver.memory in local mode) or spark.local.dir, or use "
            "more spark.sql.shuffle.partitions"
        )
    return InputError(f"Spark cannot count the tables: {_reason(str(error))}")


def _reason(message: str) -> str:
    """Return the line of a message that says most: the innermost cause, or else the first one."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    causes = [line for line in lines if line.startswith("Caused by: ")]
    line = causes[-1] if causes else next((line for line in lines if "[" in line), lines[0])
    return cut(line.removeprefix("Caused by: ").partition(" SQLSTATE:")[0], 300)


class SparkRunner:
    """Runs statements in a session, with views that `close` drops."""

    hash = "xxhash64({})"

    def __init__(self, session: Any) -> None:
        try:
            import pyarrow as pa
        except ImportError:
            raise MissingDependencyError(
                "engine='spark' needs pyarrow: pip install 'coverlap[spark]'"
            ) from None
        self.session = session
        self._arrow = pa
        self._views: list[str] = []

    def view(self, frame: Any) -> str:
        """Make a temporary view of a frame, and return its name, which nothing else has."""
        name = f"coverlap_{uuid4().hex}"
        with reported():
            frame.createOrReplaceTempView(name)
        self._views.append(name)
        return name

    def query(self, sql: str) -> str:
        """Make a temporary view of a query, and return its name."""
        with reported():
            frame = self.session.sql(sql)
        return self.view(frame)

    def close(self) -> None:
        """Drop the views, also of a session that is gone."""
        with suppress(CoverlapError):
            while self._views:
                self._drop(self._views[-1])

    def _drop(self, name: str) -> None:
        self._views.remove(name)
        with reported():
            self.session.catalog.dropTempView(name)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query, which must be few."""
        with reported():
            return [tuple(row) for row in self.session.sql(sql).collect()]

    def arrays(self, sql: str) -> Columns:
        """Return the columns of a query, masked where they have nulls."""
        with reported():
            table = self.session.sql(sql).toArrow()
        return dict(zip(table.column_names, map(_array, table.columns), strict=True))

    def chunks(self, sql: str, names: Sequence[str]) -> Iterator[Codes]:
        """Yield columns of integers from 0 on, all at once."""
        columns = self.arrays(sql)
        yield [np.asarray(columns[name]).astype(np.uint32) for name in names]

    def objects(self, sql: str) -> Iterator[list[NDArray[Any]]]:
        """Yield a column of objects, as integers or text, and two of integers, all at once."""
        columns = self.arrays(sql)
        yield [np.asarray(columns[name]) for name in ("object", "side", "cluster")]

    @contextmanager
    def relation(self, columns: Columns) -> Iterator[str]:
        """Make a view of columns of integers, and drop it at the end."""
        name = self.view(self.frame(columns, dict.fromkeys(columns, "bigint")))
        try:
            yield name
        finally:
            with suppress(CoverlapError):
                self._drop(name)

    def frame(self, columns: Mapping[str, Ids], types: dict[str, str]) -> Any:
        """Return a frame of columns without nulls, of these types."""
        pa = self._arrow
        arrays = {
            name: pa.array(column.tolist(), pa.int64())
            if types[name] == "bigint"
            else pa.array([str(value) for value in column.tolist()], pa.string())
            for name, column in columns.items()
        }
        with reported():
            return self.session.createDataFrame(pa.table(arrays)).selectExpr(
                *(f"CAST({name} AS {kind}) AS {name}" for name, kind in types.items())
            )


def _array(column: Any) -> Any:
    """Return a column of Arrow as an array, of Python values unless it has integers."""
    if str(column.type).startswith("int"):
        values = column.fill_null(0).to_numpy()
    else:
        values = np.fromiter(column.to_pylist(), object, len(column))
    return np.ma.array(values, mask=column.is_null().to_numpy()) if column.null_count else values
