"""Detecting the format of a file by its name, or by its content if only one format fits."""

import re
from collections.abc import Sequence

from coverlap.core.errors import InputError
from coverlap.files.formats import cluster_lines, object_lines, pairs
from coverlap.files.options import ReadOptions
from coverlap.files.registry import FORMATS, Format, format_named, format_of_name
from coverlap.files.source import Source
from coverlap.files.text.lines import BYTE_ORDER_MARK

AUTO = "auto"
"""The format that is detected."""

SAMPLE = 1 << 16
"""Number of bytes examined."""

COMPATIBLE = {("json", "pairs"), ("json", "labels")}
"""Formats by content and by name that do not contradict each other: names may have brackets."""

TEXT = ("cluster-lines", "object-lines", "pairs", "labels")

BINARY = ("parquet", "arrow", "npy", "h5ad")
"""Formats whose files have null characters, and text has none."""

STARTS = (
    (re.compile(rb"PAR1"), "parquet"),
    (re.compile(rb"ARROW1|FEA1"), "arrow"),
    (re.compile(rb"\x93NUMPY|PK\x03\x04"), "npy"),
    (re.compile(rb"\x89HDF"), "h5ad"),
    (re.compile(rb"\s*<(\?xml|!--|!doctype|graphml|html)", re.IGNORECASE), "graphml"),
    (re.compile(rb"\s*(Creator\s[^\n]*\n\s*)?graph\s*\["), "gml"),
    (re.compile(rb"\s*[\[{]"), "json"),
    (re.compile(rb"(#[^\n]*\n)*# *path flow name"), "tree"),
    (re.compile(rb"(#[^\n]*\n)*# *(node|node_id|state_id) module"), "clu"),
)
"""Beginnings of files that only one format has."""


def detect(source: Source, options: ReadOptions) -> Format:
    """Return the format of a file, or raise an error that names the formats that fit."""
    by_name = format_of_name(source.name)
    if by_name and by_name.name not in TEXT:
        return by_name
    start = source.peek(SAMPLE).removeprefix(BYTE_ORDER_MARK)
    by_start = format_of_start(start)
    if by_name and by_start and b"\0" not in start and by_start.name in BINARY:
        return by_name  # the first id begins like such a file
    if by_name and by_start and (by_start.name, by_name.name) not in COMPATIBLE:
        raise InputError(
            f"{source} has a name of format {by_name.name!r}, but begins as {by_start.name!r} "
            f"does; {source.hint('format')}"
        )
    return by_name or by_start or FORMATS[_detect_text(source, start, options)]


def detect_all(sources: Sequence[Source], options: ReadOptions, form: str) -> Format:
    """Return the format of files that are one table: what is given, or that of all of them."""
    if form != AUTO:
        return format_named(form)
    first = detect(sources[0], options)
    for source in sources[1:]:
        with source.again() as start:
            found = detect(start, options)
        if found is not first:
            raise InputError(
                f"{source}: the format is {found.name!r}, but that of {sources[0]} is "
                f"{first.name!r}, and both are one table"
            )
    return first


def format_of_start(start: bytes) -> Format | None:
    """Return the only format of files that begin in this way, if there is one."""
    return next((FORMATS[name] for pattern, name in STARTS if pattern.match(start)), None)


def _detect_text(source: Source, start: bytes, options: ReadOptions) -> str:
    if b"\0" in start or start.startswith((b"\xff\xfe", b"\xfe\xff", b"\xfd7zXZ")):
        raise InputError(f"{source}, line 1: this is no UTF-8 text, and no format that is known")
    lines = start.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(start) == SAMPLE and len(lines) > 1:
        lines.pop()  # probably incomplete
    if cluster_lines.HEADER.fullmatch(lines[0]):
        return "cluster-lines"
    lines = [line for line in lines if line.strip() and not line.startswith("#")]
    if options.object is not None or options.cluster is not None:
        return "pairs"
    if _has_header(source, lines, options):
        return "pairs"
    if object_lines.has_list(start, options.delimiter) or _are_object_lines(lines):
        return "object-lines"
    if all(_n_fields(line) == 1 for line in lines) or _are_mostly_repeated(lines):
        return "labels"
    raise InputError(f"{source} {_ambiguity(source, lines)}")


def _are_mostly_repeated(lines: list[str]) -> bool:
    """Return whether most lines repeat an earlier one, as labels do and clusters do not."""
    words = {word for line in lines for word in re.split(r"[\s,;]+", line.strip())}
    return (
        len(lines) >= 2 * len(set(lines))
        and not any("\t" in line for line in lines)
        and not all(word.isdigit() for word in words)
    )


def _n_fields(line: str) -> int:
    return len(re.split(r"[\s,;]+", line.strip()))


def _has_header(source: Source, lines: list[str], options: ReadOptions) -> bool:
    """Return whether the first line names the columns of objects and clusters.

    Usual names other than object and cluster could also be words of a label or members of a
    cluster. So all lines must have the same number of fields then, the first must not occur again,
    and spaces may separate two fields only.
    """
    if not lines:
        return False
    try:
        delimiter = options.delimiter or pairs.guess_delimiter(lines[0])
        fields = pairs.split_line(lines[0], delimiter)
        names = options.find_columns(fields, source)
    except ValueError:  # an InputError, too
        return False
    return names == ("object", "cluster") or (
        len(set(map(_n_fields, lines))) == 1
        and lines[0] not in lines[1:]
        and (delimiter != " " or len(fields) == 2)
    )


def _are_object_lines(lines: list[str]) -> bool:
    """Return whether each line is an object, a tab, and numbers that are separated by spaces.

    Other words after a tab could also be one label.
    """
    fields = [line.split("\t") for line in lines]
    return all(
        len(field) == 2 and " " not in field[0].strip() and field[1].replace(" ", "").isdigit()
        for field in fields
    ) and any(" " in field[1].strip() for field in fields)


def _ambiguity(source: Source, lines: list[str]) -> str:
    """Return the end of a message that names the formats that the lines may have."""
    names = ["cluster-lines", "object-lines"]
    if len({_n_fields(line) for line in lines}) == 1:
        names.append("pairs")
    if not any("\t" in line or "," in line for line in lines):
        names.append("labels")
    choices = [f"{name!r} ({FORMATS[name].title})" for name in names]
    return (
        f"can be read in {len(names)} ways; {source.hint('format')}: "
        f"{', '.join(choices[:-1])} or {choices[-1]}"
    )
