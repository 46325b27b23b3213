"""Text files of pairs: read by DuckDB once, and written to Parquet with the types of their tokens.

A file means what it means in memory (see `coverlap.files.formats.pairs`): columns are integers
only if every token is one as Python writes it, and spaces around fields are no part of them.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from coverlap.core.errors import InputError
from coverlap.core.wording import quantity, shown, some
from coverlap.files.formats.parquet import Pairs, literal, pattern_of
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.text.tokens import looks_like_header
from coverlap.tables.database import Database
from coverlap.tables.ids import FILE_TEXT
from coverlap.tables.text_facts import USE_MEMORY, TextFacts, spaces_around, text_facts

N_TRIED = 1000
"""Number of rows that tell whether a column may be integers."""

SHORT_INTEGER = "'0|-?[1-9][0-9]{0,17}'"
"""A pattern of the integers that `coverlap.core.token_table` does not keep as text."""


FAULTS = ("CSV Error on Line", "Expected Number", "quote found", "not utf-8", "Maximum line size")
"""The lines of a message of DuckDB that say what is wrong."""


def scan_text(database: Database, paths: Sequence[Path], options: ReadOptions, side: str) -> Pairs:
    """Return the query of the memberships in text files, which are copied to Parquet."""
    facts = [text_facts(path, options, side) for path in paths]
    names = [str(Source(path, side)) for path in paths]
    for other, name in zip(facts[1:], names[1:], strict=True):
        if other.table != facts[0].table:
            raise InputError(
                f"{name}: the columns must be those of {names[0]}, with which it is one table: "
                f"{some([*facts[0].first])}, not {some([*other.first])}"
            )
    where = names[0] if len(names) == 1 else f"{names[0]} and others"
    copy = _Copy(database, facts, where, f"{side}.parquet")
    return copy.pairs(_rows(database, paths, facts, side))


def _rows(database: Database, paths: Sequence[Path], facts: Sequence[TextFacts], side: str) -> str:
    """Return the query of all fields of text files, as c0, c1 and so on."""
    layout, header = facts[0].table
    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(layout.n_fields))
    groups = defaultdict(list)
    for path, own in zip(paths, facts, strict=True):
        stored = database.keep(Source(path, side).stored_path())
        groups[own.compression, own.line_end].append(literal(pattern_of(stored)))
    return " UNION ALL ".join(
        f"SELECT * FROM read_csv([{', '.join(listed)}], columns = {{{columns}}}, "
        f"auto_detect = false, header = {header is not None}, delim = {literal(layout.delimiter)}, "
        f"quote = '\"', escape = '\"', comment = '', nullstr = chr(0), "
        f"compression = '{compression}', strict_mode = true, "
        "null_padding = false, ignore_errors = false, hive_partitioning = false)"
        for (compression, _), listed in groups.items()
    )


class _Copy:
    """A copy of two columns of text files in Parquet."""

    def __init__(
        self, database: Database, facts: Sequence[TextFacts], where: str, name: str
    ) -> None:
        self._database, self._where = database, where
        self._table, self._first = facts[0].table, facts[0].first
        self._path = database.folder / name
        self._rows = f"read_parquet({literal(pattern_of(self._path))})"
        self._spaces = literal(spaces_around(self._table.layout.delimiter).decode())
        self._has_quotes = any(each.has_quotes for each in facts)
        self._has_spaces = any(each.has_spaces for each in facts)
        self._n_lines = sum(each.n_lines for each in facts)

    def pairs(self, sql: str) -> Pairs:
        """Copy the columns of a query; those that begin as integers are tried as such."""
        columns = self._table.layout.columns
        texts = [self._text(f"c{i}") for i in columns]
        are_integers = self._are_integers(f"SELECT * FROM ({sql}) LIMIT {N_TRIED}", texts)
        while True:
            self._write(sql, texts, are_integers)
            found = self._are_integers_written(are_integers)
            if found == are_integers:
                break
            are_integers = found
        self._check(are_integers)
        item, cluster = (
            str(i) if self._table.header is None else self._table.header[i] for i in columns
        )
        kinds = ["BIGINT" if is_integer else FILE_TEXT for is_integer in are_integers]
        return Pairs(f"SELECT o, c FROM {self._rows}", item, kinds[0], cluster, kinds[1])

    def _text(self, column: str) -> str:
        """Return the SQL expression of a field as it is read into memory."""
        if self._has_quotes or not self._has_spaces:  # trim takes longer than all the rest
            return column
        return f"trim({column}, {self._spaces})"

    def _are_integers(self, sql: str, texts: list[str]) -> list[bool]:
        """Return which of two columns have only integers; clusters may also be missing."""
        o, c = texts
        with self._faults_reported():
            row = self._database.row(
                f"SELECT bool_and({_integer(o)} IS NOT NULL), "
                f"bool_and({c} = '' OR {_integer(c)} IS NOT NULL) FROM ({sql})"
            )
        return [found is not False for found in row]

    def _write(self, sql: str, texts: list[str], are_integers: list[bool]) -> None:
        o, c = (
            _integer(text) if is_integer else text
            for text, is_integer in zip(texts, are_integers, strict=True)
        )
        with self._faults_reported():
            self._database.execute(
                f"COPY (SELECT {o} AS o, {c} AS c, {texts[1]} = '' AS is_missing FROM ({sql})) "
                f"TO {literal(str(self._path))} (FORMAT parquet, USE_TMP_FILE false)"
            )

    def _are_integers_written(self, tried: list[bool]) -> list[bool]:
        wrong = self._database.row(
            "SELECT count(*) FILTER (WHERE o IS NULL), "
            f"count(*) FILTER (WHERE c IS NULL AND NOT is_missing) FROM {self._rows}"
        )
        return [is_tried and not n for is_tried, n in zip(tried, wrong, strict=True)]

    def _check(self, are_integers: list[bool]) -> None:
        """Reject what memory rejects, and what DuckDB does not tell."""
        (n_rows,) = self._database.row(f"SELECT count(*) FROM {self._rows}")
        if n_rows != self._n_lines:
            raise InputError(
                f"{self._where}: DuckDB reads {quantity(n_rows, 'row')} from "
                f"{quantity(self._n_lines, 'line')}, as if some were in quotes; {USE_MEMORY}"
            )
        for column, is_integer in zip("oc", are_integers, strict=True):
            if self._has_quotes and self._has_spaces and not is_integer:
                self._reject_spaces(column)
        if not are_integers[0]:
            for _ in self._database.rows(f"SELECT 1 FROM {self._rows} WHERE o = '' LIMIT 1"):
                raise InputError(f"{self._where}: a line without an object")
        if self._table.header is None:
            for column, i in zip("oc", self._table.layout.columns, strict=True):
                self._reject_header(column, self._first[i])

    def _reject_spaces(self, column: str) -> None:
        found = self._database.rows(
            f"SELECT {column} FROM {self._rows} "
            f"WHERE trim({column}, {self._spaces}) <> {column} LIMIT 1"
        )
        for (text,) in found:
            raise InputError(
                f"{self._where}: DuckDB does not tell whether the spaces of {shown(text)} are in "
                f"quotes; {USE_MEMORY}"
            )

    def _reject_header(self, column: str, first: str) -> None:
        """Reject a first line of text if only integers follow, as `tokens.reject_header` does."""
        if not looks_like_header([first], 3):
            return
        texts = self._database.rows(
            f"SELECT DISTINCT {column} FROM {self._rows} WHERE {column} IS NOT NULL AND NOT "
            f"regexp_full_match(CAST({column} AS VARCHAR), {SHORT_INTEGER}) LIMIT 2"
        )
        if texts != [(first,)]:
            return
        numbers = self._database.rows(
            f"SELECT DISTINCT {column} FROM {self._rows} WHERE {column} <> {literal(first)} LIMIT 2"
        )
        if len(numbers) == 2:
            raise InputError(
                f"{self._where}, line 1: {shown(first)} looks like a header, since only integers "
                "follow, and there can be none here"
            )

    @contextmanager
    def _faults_reported(self) -> Iterator[None]:
        """Raise errors about the text as errors of this library."""
        try:
            yield
        except InputError as error:
            lines = getattr(error.__context__, "args", ("",))[0].splitlines()
            faults = [line.strip() for line in lines if any(sign in line for sign in FAULTS)]
            reason = "; ".join(faults) or (lines[0] if lines else str(error))
            reason = reason.removeprefix("Invalid Input Error: ")
            raise InputError(
                f"{self._where}: DuckDB cannot read it as CSV ({reason}); engine='memory' "
                "(--engine memory) reads more, and tells where it cannot"
            ) from None


def _integer(text: str) -> str:
    """Return the SQL expression of an integer, null for text that is not written as one."""
    number = f"TRY_CAST({text} AS BIGINT)"
    return f"CASE WHEN CAST({number} AS VARCHAR) = {text} THEN {number} END"
