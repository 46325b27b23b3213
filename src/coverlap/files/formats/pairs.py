"""Pairs of object and cluster: one membership per line, in two columns of a table."""

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, islice
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError, OptionError
from coverlap.core.memberships import Memberships
from coverlap.core.threads import allowed_threads
from coverlap.core.token_table import HashedTokens
from coverlap.core.wording import shown
from coverlap.files.content import Content
from coverlap.files.options import ReadOptions, WriteOptions
from coverlap.files.output import as_text, needs_quotes, suspect_bytes
from coverlap.files.parts import different_columns
from coverlap.files.read_ahead import map_ahead, started
from coverlap.files.source import Source
from coverlap.files.text.lines import Block, read_lines
from coverlap.files.text.memberships import MembershipCollector
from coverlap.files.text.split import (
    SPACES,
    Layout,
    delimiter_of_name,
    split_integers,
    split_records,
)
from coverlap.files.text.writing import TokenColumn, one_run, tokens_of, write_runs

DELIMITER_NAMES = {",": "comma", "\t": "tab", ";": "semicolon", " ": "space"}


MANY = 4096
"""From this many lines on, objects and labels are numbered in two threads."""


class Table(NamedTuple):
    """The layout of a table, and its header if it has one."""

    layout: Layout
    header: list[str] | None


def read(source: Source, options: ReadOptions) -> Content:
    """Read a membership from each line; an object without a cluster is an outlier."""
    return read_files([source], options)


def read_files(sources: Sequence[Source], options: ReadOptions) -> Content:
    """Read files as one table; they have the same columns in the same order."""
    collector, known = MembershipCollector(sources[0]), None
    for source in sources:
        with source:
            blocks = read_lines(source)
            start = next(blocks)
            table, line = find_table(source, start, options), _first_line(start)
            if options.only_objects:
                columns = table.layout.columns[:1]
                table = table._replace(layout=table.layout._replace(columns=columns))
            known = known or (table, start.line, line)
            if table != known[0]:
                raise different_columns(source, sources[0], shown(known[2]), shown(line))
            if table.header is not None:
                start = start.after(start.data.index(b"\n") + 1)
            collector.begin(source)
            _collect(collector, source, chain([start] if start.data else [], blocks), table)
    assert known is not None, "there is at least one file"  # noqa: S101
    table, first, _ = known
    if table.header is None:
        collector.reject_header(first)
    return collector.content(options, _title(table))


def _first_line(start: Block) -> str:
    return start.data.partition(b"\n")[0].decode()


def _collect(
    collector: MembershipCollector, source: Source, blocks: Iterator[Block], table: Table
) -> None:
    """Add the memberships of one file."""
    has_labels = len(table.layout.columns) > 1
    if table.layout.delimiter != " " and has_labels and collector.may_add_integers:
        blocks = _read_integers(collector, blocks, table.layout)
    with ThreadPoolExecutor(1) as pool:
        for (objects, *others), lines in split_records(source, blocks, table.layout):
            _check_objects(source, objects, lines)
            if not others:
                collector.objects.number_hashed(objects)
                continue
            (labels,) = others
            number_labels = partial(collector.labels.number_hashed, labels, lines)
            in_thread = len(lines) >= MANY and allowed_threads() > 1
            numbers = started(pool, number_labels) if in_thread else number_labels
            collector.add(collector.objects.number_hashed(objects), numbers())


def _read_integers(
    collector: MembershipCollector, blocks: Iterator[Block], layout: Layout
) -> Iterator[Block]:
    """Add memberships of integers; return the lines from the first with other fields on."""
    split = partial(split_integers, layout=layout)
    for first in islice(blocks, 1):  # without threads, since most files are small
        results = chain([(first, split(first))], map_ahead(split, blocks))
        for block, (values, rest) in results:
            collector.add_integers(values[:, 0], values[:, 1])
            if rest.data:
                collector.number_integers()
                others = blocks if block is first else (block for block, _ in results)
                return chain([rest], others)
    return blocks


def split_line(line: str, delimiter: str) -> list[str]:
    """Split one line into fields as the kernels do; ValueError if a quote is misplaced."""
    spaces = SPACES.decode().replace(delimiter, "")
    if delimiter == " ":
        return re.findall(rf"[^{spaces} ]+", line)
    field = re.compile(
        rf'[{spaces}]*+(?:"((?:[^"]|"")*+)"[{spaces}]*+|((?!")[^{re.escape(delimiter)}]*+))'
        rf"({re.escape(delimiter)}|\Z)"
    )
    fields = []
    at, is_last = 0, False
    while not is_last:
        found = field.match(line, at)
        if not found:
            raise ValueError("a quote is not closed on this line, or text follows where it is")
        quoted, plain, end = found.groups()
        fields.append(plain.rstrip(spaces) if quoted is None else quoted.replace('""', '"'))
        at, is_last = found.end(), not end
    return fields


def guess_delimiter(line: str) -> str:
    """Return the first of tab, comma and semicolon that is in a line, or a space."""
    return next((delimiter for delimiter in "\t,;" if delimiter in line), " ")


def find_table(source: Source, start: Block, options: ReadOptions) -> Table:
    """Find the delimiter and the columns in the first line."""
    line = _first_line(start)
    of_name = delimiter_of_name(source.name)
    guess = of_name if of_name and of_name in line else guess_delimiter(line)
    delimiter = options.delimiter or guess
    if options.object is not None and line.startswith("#"):
        raise InputError(f"{source}, line 1: a comment, and pairs have none; remove it")
    try:
        fields = split_line(line, delimiter)
    except ValueError as error:
        raise InputError(f"{source}, line 1: {error}") from None
    item, cluster = options.columns()
    if isinstance(item, int) and isinstance(cluster, int):
        last = max(item, cluster)
        if last >= len(fields):
            raise InputError(
                f"{source}, line 1: {len(fields)} fields, so there is no column {last}; columns "
                "are counted from 0"
            )
        return Table(Layout(delimiter, len(fields), (item, cluster)), None)
    names = options.find_columns(fields, source, in_text=True)
    return Table(Layout(delimiter, len(fields), tuple(map(fields.index, names))), fields)


def _check_objects(source: Source, objects: HashedTokens, lines: NDArray[np.int64]) -> None:
    is_empty = objects.begins == objects.ends
    if is_empty.any():
        raise InputError(f"{source}, line {lines[np.argmax(is_empty)]}: no object")


def _title(table: Table) -> str:
    delimiter, columns = table.layout.delimiter, table.layout.columns
    item, *cluster = (repr(table.header[i]) if table.header else str(i) for i in columns)
    name = DELIMITER_NAMES.get(delimiter)
    pairs = f"{name}-separated pairs" if name else f"pairs separated by {delimiter!r}"
    return " and cluster in column ".join([f"{pairs}, object in column {item}", *cluster])


def write(memberships: Memberships, file: BinaryIO, options: WriteOptions) -> None:
    """Write a header and each membership on a line, and the outliers without a cluster."""
    delimiter = options.delimiter or ","
    is_bad = partial(needs_quotes, delimiter=None) if delimiter == " " else None
    text = as_text(memberships, "pairs", delimiter, is_bad)
    header = list(options.columns())
    if any(sign in name for name in header for sign in "\n\r\0"):
        raise OptionError("a name of a column cannot have line ends or null characters in pairs")
    if delimiter == " " and any(needs_quotes(name, None) or not name for name in header):
        raise OptionError("names of columns must have no spaces where spaces part the columns")
    file.write((delimiter.join(_quoted(header, delimiter)) + "\n").encode())
    objects, names = (_quoted_tokens(column, delimiter) for column in (text.objects, text.names))
    marks = ("", "\n", delimiter, "\n")
    write_runs(file, text.runs, objects, tails=names, marks=marks)
    if len(text.outliers):
        missing = tokens_of("NA\0" if delimiter == " " else "\0")
        write_runs(file, one_run(text.outliers), objects, tails=missing, marks=marks)


def _quoted_tokens(column: TokenColumn, delimiter: str) -> Any:
    suspects = column.find(suspect_bytes(delimiter))
    if delimiter == " " or not suspects:
        return column.tokens
    tokens = list(column.values)
    for i, token in zip(suspects, _quoted([tokens[i] for i in suspects], delimiter), strict=True):
        tokens[i] = token
    return TokenColumn(tokens).tokens


def _quoted(tokens: list[str], delimiter: str) -> list[str]:
    """Put quotes around tokens that would not be one field without them."""
    if delimiter == " ":
        return tokens
    return [
        '"' + token.replace('"', '""') + '"'
        if needs_quotes(token, delimiter) or '"' in token
        else token
        for token in tokens
    ]
