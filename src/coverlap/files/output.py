"""What writers need: memberships as text or as columns, and checks of what a file can hold."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.errors import InputError
from coverlap.core.incidence import Runs, frozen
from coverlap.core.memberships import Memberships
from coverlap.core.spelling import DECIMAL, INTEGER, MISSING, integral_value, token_value
from coverlap.core.texts import Ids
from coverlap.core.values import (
    INT64_MAX,
    NEGATIVE,
    object_array,
    outlier_test,
    value_array,
)
from coverlap.core.wording import shown
from coverlap.files.text.lines import BYTE_ORDER_MARK
from coverlap.files.text.split import SPACES
from coverlap.files.text.tokens import NUMERIC, looks_like_header
from coverlap.files.text.writing import TokenColumn

OTHER_FORMATS = "json and parquet can hold it"

TOO_LONG = 10**4001
"""The smallest integer that would not be read as an integer."""


class TextMemberships(NamedTuple):
    """Memberships for a text file: ids, names of clusters, members, and positions of outliers."""

    objects: TokenColumn
    names: TokenColumn
    runs: Runs
    outliers: NDArray[np.int64]


def as_text(
    memberships: Memberships,
    format: str,
    delimiter: str | None,
    is_bad: Callable[[str], bool] | None = None,
    *,
    with_names: bool = True,
) -> TextMemberships:
    """Convert memberships to text, and reject those that would be read as something else.

    ``is_bad`` returns whether the format cannot hold a token.
    """
    suspects = suspect_bytes(delimiter)
    named = name_array(memberships.names if with_names else [])
    objects = _token_column(memberships.ids(), "object", format, suspects, is_bad)
    names = _token_column(named, "cluster", format, suspects, is_bad)
    _check_written_names(names, format)
    outliers = np.flatnonzero(memberships.outlier_mask())
    return TextMemberships(objects, names, memberships.runs, outliers)


def name_array(names: list[Any]) -> Ids:
    """Return names of clusters as an array, of integers if possible."""
    return value_array(names) if set(map(type, names)) == {int} else object_array(names)


def suspect_bytes(delimiter: str | None) -> NDArray[np.uint8]:
    """Return classes of bytes: a token without any of these bytes is read as it was written."""
    kernels = _kernels.writing
    classes = np.zeros(256, np.uint8)
    classes[np.frombuffer(b" #>" + BYTE_ORDER_MARK, np.uint8)] = kernels.AT_ENDS
    anywhere = '\r\n\t\v\f",;[]' + (delimiter or " ")
    classes[np.frombuffer(anywhere.encode(), np.uint8)] = kernels.ANYWHERE
    return frozen(classes)


def _token_column(
    values: Ids,
    what: str,
    format: str,
    suspects: NDArray[np.uint8],
    is_bad: Callable[[str], bool] | None,
) -> TokenColumn:
    if isinstance(values, np.ndarray) and values.dtype.kind == "i":
        return TokenColumn(values)
    items = values.tolist()
    check_values(items, what, format)
    are_texts = set(map(type, items)) <= {str}
    column = TokenColumn(items if are_texts else list(map(str, items)))
    for token in map(column.__getitem__, column.find(suspects)):
        if not token or "\r" in token or "\0" in token or (is_bad and is_bad(token)):
            raise InputError(
                f"{what} {shown(token)} cannot be written to {format}; {OTHER_FORMATS}"
            )
    if not are_texts and len(set(column.values)) < len(column):
        raise InputError(
            f"a number and a text of the same digits cannot both be written to {format}"
        )
    return column


def _check_written_names(column: TokenColumn, format: str) -> None:
    names = column.values
    if isinstance(names, np.ndarray):
        if np.any(names < 0):
            raise _not_a_cluster(column[int(np.argmax(names < 0))], format)
        return
    _check_names(names, format)
    for name in names:
        if name[:1] in NUMERIC and integral_value(name) is not None:
            raise InputError(
                f"cluster {name!r} would be read as an integer in {format}; {OTHER_FORMATS}"
            )


def needs_quotes(token: str, delimiter: str | None) -> bool:
    """Return whether a token without quotes would be read as several, or not as a whole.

    Without a delimiter (None) spaces separate tokens; with one, spaces are only removed from both
    ends. A byte-order mark is removed from the beginning of a file.
    """
    spaces = SPACES.decode()
    if token.startswith(BYTE_ORDER_MARK.decode()):
        return True
    if delimiter is None or delimiter == " ":
        return any(sign in token for sign in spaces + "\n")
    return token != token.strip(spaces) or "\n" in token or (delimiter != "" and delimiter in token)


def reject_false_header(first: Sequence[int], column: TokenColumn, format: str) -> None:
    """Reject tokens of a first line that would be read as a header: text among integers."""
    tokens = column.values
    if isinstance(tokens, np.ndarray) or len(column) < len(first) + 2:
        return
    no_digits = np.full(256, _kernels.writing.ANYWHERE, np.uint8)
    no_digits[np.frombuffer(b"-0123456789", np.uint8)] = 0
    if len(column.find(frozen(no_digits))) > len(first):
        return  # before all tokens are matched
    texts = [token for token in tokens if not INTEGER.fullmatch(token)]
    wanted = [tokens[i] for i in first]
    if sorted(texts) == sorted(wanted) and looks_like_header(wanted, len(tokens)):
        raise InputError(
            f"{shown(wanted[0])} would look like a header in {format}, among integers; "
            f"{OTHER_FORMATS}"
        )


def reject_overlaps(memberships: Memberships, format: str) -> None:
    """Reject overlapping clusters where each object has one label."""
    if memberships.has_overlaps:
        raise InputError(f"{format} cannot hold clusters that overlap; use cluster-lines or pairs")


def reject_named_objects(memberships: Memberships, format: str) -> None:
    """Reject objects other than 0..n-1 where an object is given by its position."""
    ids = memberships.objects.ids
    if memberships.n_objects == 0:
        raise InputError(f"no objects, and {format} has nothing to write for that")
    if ids is not None and (
        ids.dtype == object or not np.array_equal(np.sort(ids), np.arange(len(ids)))
    ):
        raise InputError(f"{format} can hold only objects called 0 to n-1; pairs can hold others")


def check_values(values: Sequence[Any], what: str, format: str) -> None:
    """Reject a value that is neither an integer nor text."""
    if set(map(type, values)) <= {str}:
        check_encodable(values, what)
        return
    for value in values:
        if type(value) not in (int, str):
            raise InputError(
                f"{what} {shown(value)} cannot be written to {format}: only integers and text can"
            )
        if isinstance(value, int) and abs(value) >= TOO_LONG:
            raise InputError(f"{what} of more than 4,001 digits cannot be written to {format}")
    check_encodable([value for value in values if isinstance(value, str)], what)


def check_encodable(texts: Sequence[str], what: str) -> None:
    """Reject text that cannot be encoded as UTF-8."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        raise InputError(f"some {what} is no Unicode text, and cannot be written") from None


def _check_names(names: list[str], format: str) -> None:
    """Reject names that would be read as outlier labels, as numbers, or as one another."""
    is_outlier = outlier_test(NEGATIVE)
    spelled = [name for name in names if name[:1] in NUMERIC or name in MISSING]
    values = [token_value(name) for name in spelled]
    for name, value in zip(spelled, values, strict=True):
        if is_outlier(value) or (DECIMAL.fullmatch(name) and isinstance(value, str)):
            raise _not_a_cluster(name, format)
    if len(set(values)) < len(values):
        raise InputError(f"two clusters would have one name in {format}; {OTHER_FORMATS}")


def _not_a_cluster(name: Any, format: str) -> InputError:
    return InputError(
        f"cluster {name!r} would not be read as a cluster from {format}; json can hold it"
    )


def membership_columns(memberships: Memberships, format: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the ids and the cluster names of all memberships, then outliers, masked."""
    runs = memberships.runs
    outliers = np.flatnonzero(memberships.outlier_mask())
    objects = _column(memberships.ids(), "object", format)
    names = _column(_as_one_type(memberships.names), "cluster", format)
    if names.dtype != object and np.any(names < 0):
        raise _not_a_cluster(int(names.min()), format)
    if names.dtype == object:
        _check_names(names.tolist(), format)
    padded = np.append(names, names[:1] if len(names) else 0)
    numbers = np.repeat(np.arange(len(names)), np.diff(runs.pointers))
    rows = np.concatenate((numbers, np.full(len(outliers), len(names))))
    clusters = np.ma.MaskedArray(padded[rows], rows == len(names))
    return objects[np.concatenate((runs.members, outliers))], clusters


def _as_one_type(names: list[Any]) -> NDArray[Any]:
    """Convert integers to text if other names are text and all names remain distinct."""
    if {int, str} == set(map(type, names)):
        texts = list(map(str, names))
        return object_array(texts if len(set(texts)) == len(texts) else names)
    return object_array(names)


def _column(values: Ids, what: str, format: str) -> NDArray[Any]:
    """Return values of one type: 64-bit integers or text."""
    if isinstance(values, np.ndarray) and values.dtype != object:
        return values.astype(np.int64, copy=False)
    items = values.tolist()
    if all(type(value) is int and abs(value) <= INT64_MAX for value in items):
        return np.array(items, np.int64)
    if all(isinstance(value, str) for value in items):
        check_encodable(items, what)
        return object_array(items)
    wrong = next(value for value in items if not isinstance(value, str))
    raise InputError(
        f"{what} {shown(wrong)} cannot be written to {format}, whose columns are all 64-bit "
        "integers or all text"
    )
