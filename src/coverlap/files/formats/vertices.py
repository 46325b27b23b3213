"""The vertices of a graph file: each is an object, and an attribute names its clusters."""

import re
from collections.abc import Iterable, Iterator

import numpy as np

from coverlap.core.errors import InputError
from coverlap.core.wording import shown
from coverlap.files.content import Content, memberships_of_pairs, number_labels, sort_integer_ids
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.text.tokens import continuous_problem, text_ids, token_value

ITEM = re.compile(r"""\s*+(?:'([^']*+)'|"([^"]*+)"|([^\s,'"\[\]]++))\s*+(,|\Z)""")
"""An item of a list such as [2, 7] or ['T cell', 'B cell'], and what follows it."""


class Vertices:
    """Vertices as they are read, each with the values of the attribute that names its clusters.

    ``hint`` ends the message about two vertices of one name.
    """

    def __init__(self, source: Source, hint: str = "") -> None:
        self._source = source
        self._hint = hint
        self._lines: dict[str, int] = {}
        self._labels: dict[str, int] = {}
        self._places: list[int] = []
        self._numbers: list[int] = []

    def add(self, name: str, values: Iterable[str], line: int) -> None:
        """Add a vertex; one without values, or with empty ones, is an outlier."""
        name = name.strip()
        if not name:
            raise InputError(f"{self._source}, line {line}: a node without a name")
        if name in self._lines:
            raise InputError(
                f"{self._source}, line {line}: a second node called {shown(name)}, after the one "
                f"of line {self._lines[name]}{self._hint}"
            )
        place = len(self._lines)
        self._lines[name] = line
        for value in values:
            for label in self._split(value.strip(), line):
                self._places.append(place)
                self._numbers.append(self._number(label, line))

    def content(self, options: ReadOptions, title: str) -> Content:
        """Make a clustering of all that was added."""
        places = np.array(self._places, np.int32)
        ids = sort_integer_ids(text_ids(self._lines), places)
        labels = [token_value(label) for label in self._labels]
        rank, names, met = number_labels(labels, options, f"{self._source}: clusters")
        parts = memberships_of_pairs(places, rank[np.array(self._numbers, np.int64)], ids, names)
        return Content(parts, title, outlier_labels=met)

    def _split(self, value: str, line: int) -> Iterator[str]:
        """Yield the labels of a value: those of a list in brackets, or the value itself."""
        if not (value.startswith("[") and value.endswith("]")):
            yield value
            return
        items = value[1:-1].strip()
        at = 0
        while at < len(items):
            item = ITEM.match(items, at)
            if item is None:
                raise InputError(
                    f"{self._source}, line {line}: {shown(value)} is no list of labels such as "
                    "[2, 7] or ['T cell', 'B cell']"
                )
            yield next(group for group in item.groups() if group is not None)
            at = item.end()

    def _number(self, label: str, line: int) -> int:
        if label not in self._labels and (problem := continuous_problem(label)):
            raise InputError(f"{self._source}, line {line}: {problem}")
        return self._labels.setdefault(label, len(self._labels))
