"""Simple readers of text files, with ``str.split`` and Python's ``csv``.

They use no blocks, hashes or bytes, and are correct for files without unusual features: no
byte-order mark, no lone carriage return, no quotes except those that ``csv`` itself writes.
"""

import csv
import io
import re
from typing import Any, NamedTuple

SPACES = " \t\v\f"
CANONICAL = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)
MISSING = {"", "nan", "NaN", "NaT", "None", "<NA>", "NA", "NULL", "null"}


class Found(NamedTuple):
    """The clusters without their names, and all objects."""

    clusters: set[frozenset[Any]]
    objects: set[Any]


def lines_of(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")


def tokens_of(line: str, delimiter: str | None) -> list[str]:
    if delimiter is None:
        return re.findall(f"[^{SPACES}]+", line)
    return [field for field in (part.strip(SPACES) for part in line.split(delimiter)) if field]


def label_of(token: str) -> Any:
    """Return the name of a cluster, or None for an outlier."""
    if token in MISSING:
        return None
    if CANONICAL.fullmatch(token):
        return int(token) if int(token) >= 0 else None
    return token


def found(memberships: dict[Any, set[str]], objects: list[str]) -> Found:
    """Convert all ids to integers if all are written as integers, else to text."""
    whole = all(CANONICAL.fullmatch(token) for token in objects)
    read = int if whole else str
    clusters = {frozenset(map(read, members)) for members in memberships.values() if members}
    return Found(clusters, set(map(read, objects)))


def cluster_lines(text: str, delimiter: str | None) -> Found:
    rows = [tokens_of(line, delimiter) for line in lines_of(text) if not line.startswith("#")]
    return found(dict(enumerate(map(set, rows))), [token for row in rows for token in row])


def object_lines(text: str, delimiter: str | None) -> Found:
    rows = [tokens_of(line, delimiter) for line in lines_of(text) if not line.startswith("#")]
    return memberships((row[0], row[1:] or [""]) for row in rows if row)


def pairs(text: str, delimiter: str) -> Found:
    _, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    return memberships((row[0], row[1:2]) for row in rows if row)


def labels(text: str) -> Found:
    rows = [line.strip(SPACES) for line in lines_of(text)]
    while not rows[-1]:
        rows.pop()
    return memberships((str(i), [label]) for i, label in enumerate(rows))


def memberships(rows: Any) -> Found:
    clusters: dict[Any, set[str]] = {}
    objects: list[str] = []
    for item, tokens in rows:
        objects.append(item)
        for name in map(label_of, tokens):
            if name is not None:
                clusters.setdefault(name, set()).add(item)
    return found(clusters, objects)
