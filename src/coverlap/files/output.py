"""What writers need: memberships as text or as columns, and checks of what a file can hold."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.core.memberships import Memberships
from coverlap.core.spelling import DECIMAL, INTEGER, integral_value, token_value
from coverlap.core.values import INT64_MAX, NEGATIVE, object_array, outlier_test
from coverlap.core.wording import shown
from coverlap.files.text.lines import BYTE_ORDER_MARK
from coverlap.files.text.split import SPACES
from coverlap.files.text.tokens import looks_like_header

OTHER_FORMATS = "json and parquet can hold it"

TOO_LONG = 10**4001
"""The smallest integer that would not be read as an integer."""


class TextMemberships(NamedTuple):
    """Memberships for a text file: tokens of objects, names of clusters, members, outliers.

    ``clusters`` holds the positions of the members of each cluster, ``outliers`` positions, too.
    """

    objects: list[str]
    names: list[str]
    clusters: list[list[int]]
    outliers: list[int]


def as_text(
    memberships: Memberships,
    format: str,
    is_bad: Callable[[str], bool] | None = None,
    *,
    with_names: bool = True,
) -> TextMemberships:
    """Convert memberships to text, and reject those that would be read as something else.

    ``is_bad`` returns whether the format cannot hold a token.
    """
    runs = memberships.runs
    objects = _tokens(memberships.ids(), "object", format, is_bad)
    names = object_array(memberships.names if with_names else [])
    tokens = _tokens(names, "cluster", format, is_bad)
    _check_names(tokens, format)
    changed = [token for token in tokens if integral_value(token) is not None]
    if changed:
        raise InputError(
            f"cluster {changed[0]!r} would be read as an integer in {format}; {OTHER_FORMATS}"
        )
    members = runs.members.tolist()
    clusters = [members[begin:end] for begin, end in pairwise(runs.pointers.tolist())]
    outliers = np.flatnonzero(memberships.outlier_mask()).tolist()
    return TextMemberships(objects, tokens, clusters, outliers)


def _tokens(
    values: NDArray[Any], what: str, format: str, is_bad: Callable[[str], bool] | None
) -> list[str]:
    items = values.tolist()
    check_values(items, what, format)
    for value in items:
        if isinstance(value, str) and (
            not value or "\r" in value or "\0" in value or (is_bad is not None and is_bad(value))
        ):
            raise InputError(
                f"{what} {shown(value)} cannot be written to {format}; {OTHER_FORMATS}"
            )
    tokens = list(map(str, items))
    if len(set(tokens)) < len(tokens):
        raise InputError(
            f"a number and a text of the same digits cannot both be written to {format}"
        )
    return tokens


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


def reject_false_header(first: Sequence[str], tokens: Sequence[str], format: str) -> None:
    """Reject a first line that would be read as a header: text where only integers follow."""
    texts = [token for token in tokens if not INTEGER.fullmatch(token)]
    if sorted(texts) == sorted(first) and looks_like_header(first, len(tokens)):
        raise InputError(
            f"{shown(first[0])} would look like a header in {format}, among integers; "
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
    values = [token_value(name) for name in names]
    for name, value in zip(names, values, strict=True):
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
    texts = list(map(str, names))
    if {int, str} == set(map(type, names)) and len(set(texts)) == len(texts):
        return object_array(texts)
    return object_array(names)


def _column(values: NDArray[Any], what: str, format: str) -> NDArray[Any]:
    """Return values of one type: 64-bit integers or text."""
    items = values.tolist()
    if values.dtype != object or all(type(v) is int and abs(v) <= INT64_MAX for v in items):
        return np.array(items, np.int64)
    if all(isinstance(value, str) for value in items):
        check_encodable(items, what)
        return object_array(items)
    wrong = next(value for value in items if not isinstance(value, str))
    raise InputError(
        f"{what} {shown(wrong)} cannot be written to {format}, whose columns are all 64-bit "
        "integers or all text"
    )
