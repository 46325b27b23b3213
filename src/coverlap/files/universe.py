"""The ids of a universe: one a line, or the vertices of a graph."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.files.source import Source
from coverlap.files.text.cutting import refuse_header
from coverlap.files.text.edges import are_columns, tokens_of_ids
from coverlap.files.text.tokens import Dictionary


def read_universe(source: Source) -> NDArray[Any]:
    """Read ids: one on each line, or two and perhaps a weight, as a graph's edges are written.

    Lines that begin with '#' are comments, or with '%' if the first line does.
    """
    ids = Dictionary()
    n_fields, first = 0, 0
    for tokens, n_fields, first in tokens_of_ids(source):  # noqa: B007 - they stay the same
        wanted = np.arange(len(tokens.begins)) % n_fields < 2
        ids.number(tokens.data, tokens.begins[wanted], tokens.ends[wanted])
    _refuse_header(source, ids, n_fields, first)
    return ids.values()


def _refuse_header(source: Source, ids: Dictionary, n_fields: int, line: int) -> None:
    """Refuse a first line of text where only integers follow, or that names a column of ours."""
    texts = ids.texts()
    if texts.get(0) == "object":
        raise InputError(f"{source}, line {line}: 'object' is the name of a column, and no id")
    n_first = 1 if n_fields == 1 else 2
    refuse_header(source, ids, min(n_first, len(ids)), line)
    first = [texts.get(number, "").lower() for number in range(n_first)]
    if n_fields > 1 and are_columns(first):
        raise InputError(f"{source}, line {line}: {' and '.join(first)} are names of columns")
