"""Collect the vertices of a graph file and the clusters that an attribute names."""

import re
from collections.abc import Iterable

import numpy as np

from coverlap.core.errors import InputError
from coverlap.core.spelling import token_value
from coverlap.core.wording import shown
from coverlap.files.content import Content, memberships_of_pairs, number_labels, sort_integer_ids
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.text.tokens import continuous_problem, text_ids

ITEM = r"""\s*+(?:'([^']*+)'|"([^"]*+)"|([^\s,'"\[\]]++))\s*+(?:,|\Z)"""
"""An item of a list such as [2, 7] or ['T cell', 'B cell'], and the comma after it."""


class Vertices:
    """The vertices of a graph file, which are the objects, and their clusters.

    Parameters
    ----------
    source : Source
        The file, for error messages.
    hint : str
        The end of the error message about two vertices with the same name.
    """

    def __init__(self, source: Source, hint: str = "") -> None:
        self._source = source
        self._hint = hint
        self._vertices: dict[str, str] = {}
        self._labels: dict[str, int] = {}
        self._positions: list[int] = []
        self._numbers: list[int] = []

    def add(self, name: str, values: Iterable[str], place: str) -> None:
        """Add a vertex, an outlier if it has no values or only empty ones.

        Error messages name its place, such as ``line 3``.
        """
        name = name.strip()
        if not name:
            raise self._error(place, "a node without a name")
        if name in self._vertices:
            first = self._vertices[name]
            after = "" if first == place else f", after the one of {first}"
            raise self._error(place, f"a second node called {shown(name)}{after}{self._hint}")
        for value in values:
            for label in self._labels_of(value.strip(), place):
                if label not in self._labels and (problem := continuous_problem(label)):
                    raise self._error(place, problem)
                self._positions.append(len(self._vertices))
                self._numbers.append(self._labels.setdefault(label, len(self._labels)))
        self._vertices[name] = place

    def content(self, options: ReadOptions, title: str) -> Content:
        """Return the clustering of all vertices that were added."""
        places = np.array(self._positions, np.int32)
        ids = sort_integer_ids(text_ids(self._vertices), places)
        labels = [token_value(label) for label in self._labels]
        rank, names, met = number_labels(labels, options, f"{self._source}: clusters")
        parts = memberships_of_pairs(places, rank[np.array(self._numbers, np.int64)], ids, names)
        return Content(parts, title, outlier_labels=met)

    def _labels_of(self, value: str, place: str) -> list[str]:
        """Return the labels in a value: the items of a list in brackets, or the value itself."""
        if not (value.startswith("[") and value.endswith("]")):
            return [value]
        items = value[1:-1].strip()
        if not re.fullmatch(f"(?:{ITEM})*+", items):
            raise self._error(
                place, f"{shown(value)} is no list of labels such as [2, 7] or ['T cell', 'B cell']"
            )
        return ["".join(groups) for groups in re.findall(ITEM, items)]

    def _error(self, place: str, reason: str) -> InputError:
        return InputError(f"{self._source}, {place}: {reason}")
