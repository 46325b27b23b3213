"""Telling the format of a file: by its name, or by what it holds if that allows one reading."""

import re

from coverlap.core.errors import InputError
from coverlap.files.formats import cluster_lines, object_lines, pairs
from coverlap.files.options import Reading
from coverlap.files.registry import FORMATS, Format, format_of_name
from coverlap.files.source import Source
from coverlap.files.text.lines import BYTE_ORDER_MARK

SAMPLE = 1 << 16
"""Bytes that are looked at."""

BOTH = {("json", "pairs"), ("json", "labels")}
"""How a file begins, and what it may be all the same: names may have brackets."""

TEXT = ("cluster-lines", "object-lines", "pairs", "labels")

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
"""How files of a format begin, where no other format's do."""


def detect(source: Source, reading: Reading) -> Format:
    """Tell the format of a file, or refuse it with the names of those that it may have."""
    by_name = format_of_name(source.name)
    if by_name and by_name.name not in TEXT:
        return by_name
    start = source.peek(SAMPLE).removeprefix(BYTE_ORDER_MARK)
    by_start = next((FORMATS[name] for pattern, name in STARTS if pattern.match(start)), None)
    if by_name and by_start and (by_start.name, by_name.name) not in BOTH:
        raise InputError(
            f"{source} has a name of format {by_name.name!r}, but begins as {by_start.name!r} "
            "does; say which by format= (--format)"
        )
    return by_name or by_start or FORMATS[_detect_text(source, start, reading)]


def _detect_text(source: Source, start: bytes, reading: Reading) -> str:
    if b"\0" in start or start.startswith((b"\xff\xfe", b"\xfe\xff", b"\xfd7zXZ")):
        raise InputError(f"{source}, line 1: this is no UTF-8 text, and no format that is known")
    lines = start.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(start) == SAMPLE and len(lines) > 1:
        lines.pop()  # most likely not all of it
    if cluster_lines.HEADER.fullmatch(lines[0]):
        return "cluster-lines"
    lines = [line for line in lines if line.strip() and not line.startswith("#")]
    if reading.object is not None or reading.cluster is not None or _has_header(lines, reading):
        return "pairs"
    if object_lines.has_list(start, reading.delimiter) or _are_objects(lines):
        return "object-lines"
    if all(_n_fields(line) == 1 for line in lines) or _are_repeated(lines):
        return "labels"
    raise InputError(f"{source} {_ambiguity(lines)}")


def _are_repeated(lines: list[str]) -> bool:
    """Tell whether most lines are there before: labels are, but no clusters and no objects."""
    words = {word for line in lines for word in re.split(r"[\s,;]+", line.strip())}
    return (
        len(lines) >= 2 * len(set(lines))
        and not any("\t" in line for line in lines)
        and not all(word.isdigit() for word in words)
    )


def _n_fields(line: str) -> int:
    return len(re.split(r"[\s,;]+", line.strip()))


def _has_header(lines: list[str], reading: Reading) -> bool:
    """Tell whether the first line names the columns of objects and clusters."""
    if not lines:
        return False
    try:
        fields = pairs.split(lines[0], reading.delimiter or pairs.guess_delimiter(lines[0]))
    except ValueError:
        return False
    return all(column in fields for column in reading.columns())


def _are_objects(lines: list[str]) -> bool:
    """Tell whether each line is an object, a tab, and numbers that are parted by spaces.

    Words after a tab could be one label just as well.
    """
    fields = [line.split("\t") for line in lines]
    return all(
        len(field) == 2 and " " not in field[0].strip() and field[1].replace(" ", "").isdigit()
        for field in fields
    ) and any(" " in field[1].strip() for field in fields)


def _ambiguity(lines: list[str]) -> str:
    """Name the formats that the lines may have."""
    names = ["cluster-lines", "object-lines"]
    if len({_n_fields(line) for line in lines}) == 1:
        names.append("pairs")
    if not any("\t" in line or "," in line for line in lines):
        names.append("labels")
    readings = [f"{name!r} ({FORMATS[name].title})" for name in names]
    return (
        f"can be read in {len(names)} ways; say which by format= (--format): "
        f"{', '.join(readings[:-1])} or {readings[-1]}"
    )
