"""Pairs of object and cluster: one membership per line, in two columns of a table."""

import re
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError, OptionError
from coverlap.core.memberships import Memberships
from coverlap.core.wording import some
from coverlap.files.options import (
    Content,
    Reading,
    joined,
    membership_parts,
    rank_labels,
    sorted_ids,
)
from coverlap.files.source import Source
from coverlap.files.text.cutting import (
    SPACES,
    Fields,
    Labels,
    Layout,
    byte_classes,
    check_counts,
    columns_of,
    cut_fields,
    cut_lines,
    refuse_header,
)
from coverlap.files.text.lines import Block, read_lines
from coverlap.files.text.tokens import Dictionary
from coverlap.files.writing import Writing, lists, would_be_cut

DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon"}
"""The delimiters that are looked for, and what they are called."""

SUFFIXES = {".csv": ",", ".tsv": "\t", ".tab": "\t"}


class Table(NamedTuple):
    """How a table of pairs is laid out; the delimiter ' ' stands for any spaces and tabs."""

    delimiter: str
    header: list[str] | None
    n_fields: int
    columns: tuple[int, ...]


def read(source: Source, reading: Reading) -> Content:
    """Read a membership from each line; one without a cluster makes an outlier."""
    blocks = read_lines(source)
    start = next(blocks)
    table, rest = _lay_out(source, start, reading)
    objects, labels = Dictionary(), Labels(source)
    places: list[NDArray[np.int32]] = [np.empty(0, np.int32)]
    clusters: list[NDArray[np.int32]] = [np.empty(0, np.int32)]
    for fields in _fields(source, _chained(rest, blocks), table):
        _check_objects(source, fields)
        places.append(objects.number(fields.data, fields.begins[:, 0], fields.ends[:, 0]))
        clusters.append(
            labels.number(fields.data, fields.begins[:, 1], fields.ends[:, 1], fields.lines)
        )
    if table.header is None:
        for tokens in (objects, labels.tokens):
            refuse_header(source, tokens, 1, start.line)
    numbers = joined(places)
    ids = sorted_ids(objects.values(), numbers)
    values = labels.tokens.labels()
    rank, names, met = rank_labels(values, reading, f"{source}: clusters")
    parts = membership_parts(numbers, rank[joined(clusters)], ids, names)
    return Content(parts, _title(table), outlier_labels=met)


def split(line: str, delimiter: str) -> list[str]:
    """Cut one line into fields as the kernels do; ValueError if a quote in it is out of place."""
    spaces = SPACES.decode().replace(delimiter, "")
    if delimiter == " ":
        return re.findall(rf"[^{spaces} ]+", line)
    field = re.compile(
        rf'[{spaces}]*+(?:"((?:[^"]|"")*+)"[{spaces}]*+|((?!")[^{re.escape(delimiter)}]*+))'
        rf"({re.escape(delimiter)}|\Z)"
    )
    fields = []
    at, ended = 0, False
    while not ended:
        found = field.match(line, at)
        if not found:
            raise ValueError("a quote is not closed on this line, or text follows where it is")
        quoted, plain, end = found.groups()
        fields.append(plain.rstrip(spaces) if quoted is None else quoted.replace('""', '"'))
        at, ended = found.end(), not end
    return fields


def delimiter_of_name(name: str) -> str | None:
    """Return the delimiter that the name of a file tells, if it tells one."""
    return SUFFIXES.get(name[-4:])


def guess_delimiter(line: str) -> str:
    """Name the delimiter of a line: the first of tab, comma and semicolon in it, or spaces."""
    return next((delimiter for delimiter in "\t,;" if delimiter in line), " ")


def _lay_out(source: Source, start: Block, reading: Reading) -> tuple[Table, Block]:
    """Find the columns; return them, and the first block without the header."""
    first = start.data.partition(b"\n")[0]
    line = first.decode()
    delimiter = reading.delimiter or _delimiter(source, line)
    if reading.object is not None and line.startswith("#"):
        raise InputError(f"{source}, line 1: a comment, and pairs have none; remove it")
    try:
        fields = split(line, delimiter)
    except ValueError as error:
        raise InputError(f"{source}, line 1: {error}") from None
    item, cluster = reading.columns()
    if isinstance(item, int) and isinstance(cluster, int):
        _check_positions(source, len(fields), max(item, cluster))
        return Table(delimiter, None, len(fields), (item, cluster)), start
    columns = tuple(_find_column(source, fields, str(name)) for name in (item, cluster))
    rest = Block(start.data[len(first) + 1 :], start.line + 1)
    return Table(delimiter, fields, len(fields), columns), rest


def _delimiter(source: Source, line: str) -> str:
    """Take the delimiter that the name of the file tells, or that its first line has instead."""
    told = delimiter_of_name(source.name)
    return told if told and told in line else guess_delimiter(line)


def _fields(source: Source, blocks: Iterator[Block], table: Table) -> Iterator[Fields]:
    classes = byte_classes(table.delimiter)
    if table.delimiter == " ":
        for block in blocks:
            tokens = cut_lines(block, classes)
            check_counts(source, tokens, table.n_fields)
            yield columns_of(tokens, table.n_fields, table.columns)
        return
    layout = Layout(classes, ord('"'), table.n_fields, table.columns)
    yield from cut_fields(source, blocks, layout)


def _check_objects(source: Source, fields: Fields) -> None:
    empty = fields.begins[:, 0] == fields.ends[:, 0]
    if empty.any():
        raise InputError(f"{source}, line {fields.lines[np.argmax(empty)]}: no object")


def _check_positions(source: Source, n_fields: int, last: int) -> None:
    if last >= n_fields:
        raise InputError(
            f"{source}, line 1: {n_fields} fields, so there is no column {last}; columns are "
            "counted from 0"
        )


def _find_column(source: Source, header: list[str], name: str) -> int:
    if header.count(name) > 1:
        raise InputError(f"{source}, line 1: {header.count(name)} columns called {name!r}")
    if name not in header:
        raise InputError(
            f"{source}, line 1: no column {name!r} among {some(list(header))}; call the columns "
            "object and cluster, or say which they are by object= and cluster= (--object, "
            "--cluster): two names, or two positions if there is no header"
        )
    return header.index(name)


def _chained(first: Block, rest: Iterator[Block]) -> Iterator[Block]:
    if first.data:
        yield first
    yield from rest


def _title(table: Table) -> str:
    if table.header:
        columns = [repr(table.header[column]) for column in table.columns]
    else:
        columns = [str(column) for column in table.columns]
    sign = DELIMITERS.get(table.delimiter, "space" if table.delimiter == " " else "")
    pairs = f"{sign}-separated pairs" if sign else f"pairs separated by {table.delimiter!r}"
    return f"{pairs}, object in column {columns[0]} and cluster in column {columns[1]}"


def write(clustering: Memberships, file: BinaryIO, writing: Writing) -> None:
    """Write a header and each membership on a line, and the outliers without a cluster."""
    delimiter = writing.delimiter or ","
    bad = partial(would_be_cut, delimiter=None) if delimiter == " " else None
    text = lists(clustering, "pairs", bad)
    header = list(writing.columns())
    if any(sign in name for name in header for sign in "\n\r\0"):
        raise OptionError("a name of a column cannot have line ends or null characters in pairs")
    if delimiter == " " and any(would_be_cut(name, None) or not name for name in header):
        raise OptionError("names of columns must have no spaces where spaces part the columns")
    objects, clusters = (_quoted(tokens, delimiter) for tokens in (text.objects, text.clusters))
    file.write((delimiter.join(_quoted(header, delimiter)) + "\n").encode())
    for name, row in zip(clusters, text.rows(), strict=True):
        ending = f"{delimiter}{name}\n"
        file.write("".join([objects[member] + ending for member in row]).encode())
    ending = f"{delimiter}{'NA' if delimiter == ' ' else ''}\n"
    file.write("".join([objects[outlier] + ending for outlier in text.outliers]).encode())


def _quoted(tokens: list[str], delimiter: str) -> list[str]:
    """Put quotes around what would not be one field without them."""
    if delimiter == " ":
        return tokens
    return [
        '"' + token.replace('"', '""') + '"'
        if would_be_cut(token, delimiter) or '"' in token
        else token
        for token in tokens
    ]
