"""A database of DuckDB for one comparison, within its limits, and its temporary files."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import CoverlapError, FileError, InputError, ResourceError
from coverlap.core.texts import Texts
from coverlap.core.threads import finished_before_exit
from coverlap.core.wording import shown
from coverlap.files.coded_columns import trust_statistics
from coverlap.files.formats.parquet import connect
from coverlap.files.source import Progress
from coverlap.inputs.arrow import NumberColumn, StreamError, stream_columns, texts_of
from coverlap.tables.limits import Limits, written

PREFIX = "coverlap-tables-"
LOCK = "lock"

FULL = ("No space left on device", "failed to offload", "max_temp_directory_size")
"""How DuckDB says that temporary files cannot be written."""

BETWEEN_REPORTS = 0.3
"""Seconds between reports of how far a query is, in percent."""

DTYPES = {"VARCHAR": None, "INTEGER": np.int32, "BIGINT": np.int64, "UINTEGER": np.uint32}
"""The types of columns that are streamed."""

INTERRUPTED = "Query interrupted"
"""How DuckDB says that the user interrupted Python."""


class Database:
    """A database in memory, which writes temporary files where its memory does not suffice.

    Use `open_database`. Errors of DuckDB are raised as errors of this library.
    """

    def __init__(
        self, connection: Any, limits: Limits, folder: Path, progress: Progress | None
    ) -> None:
        self.connection = connection
        self.limits = limits
        self.folder = folder
        self._progress = progress
        self._kept = ExitStack()
        self._thread = self._kept.enter_context(ThreadPoolExecutor(1))

    def keep(self, context: AbstractContextManager[Path]) -> Path:
        """Enter the context of a path, which is left when the database is closed."""
        return self._kept.enter_context(context)

    def close(self) -> None:
        """Close the database, and all that was kept for it."""
        self.connection.close()
        self._kept.close()

    def trust_statistics(self) -> None:
        """Let DuckDB plan by the statistics of tables, which are its own from now on."""
        with self.reported():
            trust_statistics(self.connection)

    def limit_memory(self, n_bytes: int) -> None:
        """Let DuckDB use so much memory."""
        self.execute(f"SET memory_limit = '{n_bytes}B'")

    def execute(self, sql: str) -> None:
        """Run a statement that returns nothing."""
        with self.reported():
            self._run(lambda: self.connection.execute(sql))

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query, which must be few."""
        with self.reported():
            rows: list[tuple[Any, ...]] = self._run(
                lambda: self.connection.execute(sql, list(values)).fetchall()
            )
        return rows

    def row(self, sql: str) -> tuple[Any, ...]:
        """Return the only row of a query."""
        return self.rows(sql)[0]

    def arrays(self, sql: str) -> dict[str, NDArray[Any]]:
        """Return the columns of a query."""
        with self.reported():
            columns: dict[str, NDArray[Any]] = self._run(
                lambda: self.connection.execute(sql).fetchnumpy()
            )
        return columns

    def _run(self, query: Callable[[], Any]) -> Any:
        """Run a query in a thread; DuckDB would notice Ctrl-C only at the end of some queries."""
        running = self._thread.submit(query)
        try:
            while self._progress and not wait([running], BETWEEN_REPORTS).done:
                self._progress(max(int(self.connection.query_progress()), 0), 100)
            return running.result()
        except KeyboardInterrupt:
            self.connection.interrupt()
            wait([running])
            raise

    def texts(self, sql: str) -> Texts:
        """Return the only column of a query, which must be text without nulls."""
        with self.reported():
            return texts_of(self.connection.sql(sql))

    def stream(self, sql: str) -> Iterator[list[Any]]:
        """Yield the columns of a query in chunks, text as `TextColumn`, and numbers as arrays.

        No number may be null. The arrays are valid until the next chunk is asked for.
        """
        with self.reported():
            relation = self.connection.sql(sql)
            dtypes = [DTYPES[str(kind)] for kind in relation.types]
            for chunk in stream_columns(relation, dtypes):
                yield [part.numbers if isinstance(part, NumberColumn) else part for part in chunk]

    def register(self, name: str, columns: dict[str, NDArray[Any]]) -> None:
        """Make a view of arrays, which must not change while it is used."""
        with self.reported():
            self.connection.register(name, columns)

    @contextmanager
    def reported(self) -> Iterator[None]:
        """Raise errors of DuckDB as errors of this library, which say what went wrong."""
        import duckdb

        try:
            yield
        except (duckdb.Error, StreamError, MemoryError, OSError) as error:
            raise self.error(error) from None
        except RuntimeError as error:
            if INTERRUPTED not in str(error):
                raise
            raise KeyboardInterrupt from None

    def error(self, error: Exception, what: str = "DuckDB cannot read the tables") -> BaseException:
        """Return the error of this library that says what an error of DuckDB means."""
        message = str(error).strip().splitlines()[0] if str(error).strip() else "out of memory"
        if isinstance(error, CoverlapError) and not isinstance(error, StreamError):
            return error
        if any(sign in message for sign in FULL):
            return ResourceError(
                f"the disk of the temporary files is full ({self.folder.parent}); choose another "
                "folder by temp_dir= (--temp-dir), or use more memory by memory_limit= "
                "(--memory-limit)"
            )
        if "Out of Memory" in message or isinstance(error, MemoryError):
            return ResourceError(
                f"{written(self.limits.memory)} of memory do not suffice; use more by "
                "memory_limit= (--memory-limit), or fewer threads by threads= (--threads)"
            )
        if "INTERRUPT" in message or INTERRUPTED in message:
            return KeyboardInterrupt()
        return InputError(f"{what}: {message}")


@contextmanager
def open_database(limits: Limits, progress: Progress | None = None) -> Iterator[Database]:
    """Open a database with a folder for temporary files, and remove both at the end."""
    with finished_before_exit(), _scratch_folder(limits.temp_dir) as folder:
        options = {
            "temp_directory": str(folder),
            "memory_limit": f"{limits.memory}B",
            "threads": limits.threads,
            "preserve_insertion_order": "false",
        }
        connection = connect(options, with_progress=progress is not None)
        database = Database(connection, limits, folder, progress)
        try:
            yield database
        finally:
            database.close()


@contextmanager
def _scratch_folder(parent: Path | None) -> Iterator[Path]:
    """Make a folder, and remove it at the end, also those of processes that were killed."""
    root = parent or Path(gettempdir())
    _remove_left_behind(root)
    try:
        folder = Path(mkdtemp(prefix=PREFIX, dir=root))
        lock = (folder / f"new-{LOCK}").open("w")
    except OSError as error:
        raise FileError(
            f"no temporary folder can be made in {shown(str(root))} ({error.strerror}); choose "
            "another one by temp_dir= (--temp-dir)"
        ) from None
    try:
        with lock:
            _lock(lock)
            (folder / f"new-{LOCK}").rename(folder / LOCK)  # locked from its first moment
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _lock(file: Any) -> bool:
    """Lock a file until it is closed or the process ends; return whether no other one has it."""
    try:
        import fcntl
    except ImportError:  # Windows, where folders of killed processes are left to the user
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove_left_behind(root: Path) -> None:
    """Remove the folders of processes that were killed: nobody holds the locks in them."""
    for folder in root.glob(f"{PREFIX}*"):
        with suppress(OSError):
            if folder.stat().st_uid != os.getuid():
                continue
            with (folder / LOCK).open("r+") as lock:
                is_left = _lock(lock)
            if is_left:
                shutil.rmtree(folder, ignore_errors=True)
