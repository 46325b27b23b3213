"""The ids of a universe: one per line, or the vertices of a graph."""

import numpy as np

from coverlap.core.errors import InputError
from coverlap.core.texts import Ids
from coverlap.files.source import Source
from coverlap.files.text.edges import are_columns, tokens_of_ids
from coverlap.files.text.tokens import FileTokens, reject_header

PARQUET = b"PAR1\x15"
"""How Parquet files begin; an id of text may be PAR1, too."""


def read_universe(source: Source) -> Ids:
    """Read one id from each line, or two from each line of a file of edges.

    Lines that begin with '#' are comments, or with '%' if the first line does.
    """
    if source.peek(len(PARQUET)) == PARQUET:
        raise InputError(
            f"{source}: a Parquet file, but a file of a universe must be text, with an id in each "
            "line; coverlap.Table(path) is a universe of Parquet files"
        )
    ids = FileTokens()
    n_fields, first = 0, 0
    for tokens, n_fields, first in tokens_of_ids(source):  # noqa: B007 - both are constant
        is_id = np.arange(len(tokens.begins)) % n_fields < 2
        ids.number(tokens.data, tokens.begins[is_id], tokens.ends[is_id])
    _reject_header(source, ids, n_fields, first)
    return ids.values()


def _reject_header(source: Source, ids: FileTokens, n_fields: int, line: int) -> None:
    """Reject a first line that is text where only integers follow, or that names columns."""
    texts = ids.texts()
    if texts.get(0) == "object":
        raise InputError(f"{source}, line {line}: 'object' is the name of a column, and no id")
    n_first = 1 if n_fields == 1 else 2
    reject_header(source, ids, min(n_first, len(ids)), line)
    first = [texts.get(number, "").lower() for number in range(n_first)]
    if n_fields > 1 and are_columns(first):
        raise InputError(f"{source}, line {line}: {' and '.join(first)} are names of columns")
