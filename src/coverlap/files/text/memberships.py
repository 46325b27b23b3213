"""Memberships collected from the tokens of a text file, one block at a time."""

import numpy as np
from numpy.typing import NDArray

from coverlap.files.content import (
    Content,
    concatenate_and_clear,
    memberships_of_pairs,
    number_labels,
    sort_integer_ids,
)
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.text.tokens import FileTokens, Labels, reject_header

NO_LABEL = -1


class MembershipCollector:
    """The distinct objects and labels of a file, and the pairs of them that were added."""

    def __init__(self, source: Source) -> None:
        self.objects = FileTokens()
        self.labels = Labels(source)
        self._source = source
        self._object_numbers: list[NDArray[np.int32]] = [np.empty(0, np.int32)]
        self._label_numbers: list[NDArray[np.int32]] = [np.empty(0, np.int32)]

    def add(self, objects: NDArray[np.int32], labels: NDArray[np.int32]) -> None:
        """Add pairs of numbers of objects and labels; -1 stands for no label."""
        self._object_numbers.append(objects)
        self._label_numbers.append(labels)

    def reject_header(self, line: int) -> None:
        """Reject a first line of text if all other objects, or labels, are integers."""
        for tokens in (self.objects, self.labels.tokens):
            reject_header(self._source, tokens, 1, line)

    def content(self, options: ReadOptions, title: str, notes: tuple[str, ...] = ()) -> Content:
        """Return the memberships of all pairs."""
        objects = concatenate_and_clear(self._object_numbers)
        ids = sort_integer_ids(self.objects.values(), objects)
        where = f"{self._source}: clusters"
        labels = number_labels(self.labels.tokens.labels(), options, where)
        clusters = np.append(labels.numbers, np.int32(NO_LABEL))[
            concatenate_and_clear(self._label_numbers)
        ]
        memberships = memberships_of_pairs(objects, clusters, ids, labels.names)
        return Content(memberships, title, notes, labels.outlier_labels)
