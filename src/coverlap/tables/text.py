"""Text files of pairs: read by DuckDB once, and written to Parquet with the types of their tokens.

A file means what it means in memory (see `coverlap.files.formats.pairs`): columns are integers
only if every token is one as Python writes it, and spaces around fields are no part of them.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from coverlap.core.errors import InputError
from coverlap.core.wording import quantity, shown
from coverlap.files.formats.parquet import Pairs, literal, pattern_of
from coverlap.files.options import ReadOptions
from coverlap.files.parts import different_columns, name_of
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


def scan_text(
    database: Database, sources: Sequence[Source], options: ReadOptions, side: str, *,
    is_copied: bool = True,
) -> Pairs:  # fmt: skip
    """Return the query of the memberships in text files, which are copied to Parquet.

    Without a copy, the types are those of the first rows.
    """
    facts = [text_facts(source, options) for source in sources]
    for source, own in zip(sources, facts, strict=True):
        if own.table != facts[0].table:
            raise different_columns(source, sources[0], *map(_first_line, (facts[0], own)))
    copy = _Copy(database, facts, name_of(sources), f"{side}.parquet")
    rows = _rows(database, sources, facts)
    return copy.pairs(rows) if is_copied else copy.first_pairs(rows)


def _first_line(facts: TextFacts) -> str:
    return shown(facts.table.layout.delimiter.join(facts.first))


def _rows(database: Database, sources: Sequence[Source], facts: Sequence[TextFacts]) -> str:
    """Return the query of all fields of text files, as c0, c1 and so on."""
    layout, header = facts[0].table
    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(layout.n_fields))
    groups = defaultdict(list)
    for source, own in zip(sources, facts, strict=True):
        stored = database.keep(source.stored_path())
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

    def first_pairs(self, sql: str) -> Pairs:
        """Return a query of the columns, of integers if those of the first rows are."""
        texts, are_integers = self._tried(sql)
        o, c = _typed(texts, are_integers)
        return self._pairs(f"SELECT {o} AS o, {c} AS c FROM ({sql})", are_integers)

    def pairs(self, sql: str) -> Pairs:
        """Copy the columns of a query; those that begin as integers are tried as such."""
        texts, are_integers = self._tried(sql)
        while True:
            self._write(sql, texts, are_integers)
            found = self._are_integers_written(are_integers)
            if found == are_integers:
                break
            are_integers = found
        self._check(are_integers)
        return self._pairs(f"SELECT o, c FROM {self._rows}", are_integers)

    def _tried(self, sql: str) -> tuple[list[str], list[bool]]:
        """Return the expressions of both columns, and which of them begin as integers."""
        texts = [self._text(f"c{i}") for i in self._table.layout.columns]
        return texts, self._are_integers(f"SELECT * FROM ({sql}) LIMIT {N_TRIED}", texts)

    def _pairs(self, sql: str, are_integers: list[bool]) -> Pairs:
        item, cluster = (
            str(i) if self._table.header is None else self._table.header[i]
            for i in self._table.layout.columns
        )
        kinds = ["BIGINT" if is_integer else FILE_TEXT for is_integer in are_integers]
        return Pairs(sql, item, kinds[0], cluster, kinds[1])

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
        o, c = _typed(texts, are_integers)
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


def _typed(texts: list[str], are_integers: list[bool]) -> list[str]:
    return [
        _integer(text) if is_integer else text
        for text, is_integer in zip(texts, are_integers, strict=True)
    ]


def _integer(text: str) -> str:
    """Return the SQL expression of an integer, null for text that is not written as one."""
    number = f"TRY_CAST({text} AS BIGINT)"
    return f"CASE WHEN CAST({number} AS VARCHAR) = {text} THEN {number} END"
