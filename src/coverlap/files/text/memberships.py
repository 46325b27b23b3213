"""Memberships collected from the tokens of a text file, one block at a time."""

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import frozen
from coverlap.core.texts import Ids
from coverlap.core.threads import workers_for
from coverlap.files.content import (
    Content,
    NumberedLabels,
    code_small_integers,
    concatenate_and_clear,
    memberships_of_pairs,
    number_labels,
    sort_integer_ids,
)
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.text.tokens import FileTokens, Labels, reject_header
from coverlap.files.text.writing import integer_tokens

NO_LABEL = -1


class MembershipCollector:
    """The distinct objects and labels of files, and the pairs of them that were added."""

    def __init__(self, source: Source) -> None:
        self.objects = FileTokens()
        self.labels = Labels(source)
        self._source = source
        self._integers: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
        self._object_numbers: list[NDArray[np.int32]] = [np.empty(0, np.int32)]
        self._label_numbers: list[NDArray[np.int32]] = [np.empty(0, np.int32)]

    @property
    def may_add_integers(self) -> bool:
        """Whether no other pairs were added."""
        return len(self._object_numbers) == 1

    def begin(self, source: Source) -> None:
        """Say which file the labels are read from, for error messages."""
        self.labels.source = source

    def add(self, objects: NDArray[np.int32], labels: NDArray[np.int32]) -> None:
        """Add pairs of numbers of objects and labels; -1 stands for no label."""
        self._object_numbers.append(objects)
        self._label_numbers.append(labels)

    def reject_header(self, line: int) -> None:
        """Reject a first line of text if all other objects, or labels, are integers."""
        for tokens in (self.objects, self.labels.tokens):
            reject_header(self._source, tokens, 1, line)

    def add_integers(self, objects: NDArray[np.int32], labels: NDArray[np.int32]) -> None:
        """Add pairs of integers, with `MISSING` for no label, before any other pairs.

        They are not hashed unless other pairs follow.
        """
        self._integers.append((objects.copy(), labels.copy()))

    def number_integers(self) -> None:
        """Number the integers that were added as the tokens that they were read from."""
        for objects, labels in self._integers:
            numbers = []
            for tokens, values in ((self.objects, objects), (self.labels.tokens, labels)):
                data, spans = integer_tokens(values)
                begins, ends = spans[:-1], spans[1:] - 1
                ends = np.where(values == _kernels.text.MISSING, begins, ends)
                numbers.append(tokens.number(data, begins, ends))
            self.add(*numbers)
        self._integers.clear()

    def content(self, options: ReadOptions, title: str, notes: tuple[str, ...] = ()) -> Content:
        """Return the memberships of all pairs."""
        where = f"{self._source}: clusters"
        ids: Ids
        if self._integers:
            blocks = tuple(map(list, zip(*self._integers, strict=True)))
            self._integers.clear()
            objects, ids = code_small_integers(concatenate_and_clear(blocks[0]))
            codes, values = code_small_integers(concatenate_and_clear(blocks[1]))
            labels = _number_integer_labels(values, options, where)
        else:
            objects = concatenate_and_clear(self._object_numbers)
            ids = sort_integer_ids(self.objects.values(), objects)
            labels = number_labels(self.labels.tokens.labels(), options, where)
            codes = concatenate_and_clear(self._label_numbers)
        numbers = frozen(np.append(np.int32(NO_LABEL), labels.numbers))
        with workers_for(len(codes)) as team:
            parts = team.slices(codes)
            team.run(_kernels.incidence.renumber, parts, numbers, parts)
        memberships = memberships_of_pairs(objects, codes, ids, labels.names)
        return Content(memberships, title, notes, labels.outlier_labels)


def _number_integer_labels(
    values: NDArray[np.int64], options: ReadOptions, where: str
) -> NumberedLabels:
    """Number distinct sorted labels, of which the first may be `MISSING`."""
    n_missing = int(np.searchsorted(values, _kernels.text.MISSING, "right"))
    labels = number_labels(values[n_missing:], options, where)
    if not n_missing:
        return labels
    return labels._replace(
        numbers=np.append(np.int32(NO_LABEL), labels.numbers),
        outlier_labels=labels.outlier_labels | {None},
    )
