"""What a writer is asked, and what of a clustering it can hold."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError, OptionError
from coverlap.core.memberships import Memberships
from coverlap.core.values import INT64_MAX, NEGATIVE, object_array, outlier_test
from coverlap.core.wording import shown
from coverlap.files.text.cutting import SPACES, looks_like_header
from coverlap.files.text.lines import BYTE_ORDER_MARK
from coverlap.files.text.tokens import DECIMAL, INTEGER, token_value

ELSEWHERE = "json and parquet can hold it"

TOO_LONG = 10**4001
"""The first integer that would not be read as one."""


class Writing(NamedTuple):
    """How a file is to be written; the options of `coverlap.write_clustering`."""

    object: str | None = None
    cluster: str | None = None
    delimiter: str | None = None
    as_matrix: bool = False

    def columns(self) -> tuple[str, str]:
        """Return the names of the columns of objects and clusters."""
        names = self.object or "object", self.cluster or "cluster"
        if names[0] == names[1]:
            raise OptionError(f"object and cluster must be two columns, not {names[0]!r} twice")
        return names


class Lists(NamedTuple):
    """A clustering for a text file: how objects and clusters are written, and who is in which."""

    objects: list[str]
    clusters: list[str]
    pointers: list[int]
    members: list[int]
    outliers: list[int]

    def rows(self) -> list[list[int]]:
        """Return the members of each cluster."""
        return [self.members[a:b] for a, b in pairwise(self.pointers)]


def lists(
    clustering: Memberships,
    form: str,
    bad: Callable[[str], bool] | None = None,
    *,
    named: bool = True,
) -> Lists:
    """Take a clustering apart for a text file, or refuse it if the file would say another thing.

    ``bad`` tells the tokens that the format cannot hold, if there are any.
    """
    pointers, members = clustering.runs
    objects = _tokens(clustering.ids(), "object", form, bad)
    clusters = _tokens(object_array(clustering.names), "cluster", form, bad) if named else []
    _check_names(clusters, form)
    outliers = np.flatnonzero(clustering.outlier_mask())
    return Lists(objects, clusters, pointers.tolist(), members.tolist(), outliers.tolist())


def refuse_false_header(first: Sequence[str], tokens: Sequence[str], form: str) -> None:
    """Refuse a first line that would be taken for a header: text where only integers follow."""
    texts = [token for token in tokens if not INTEGER.fullmatch(token)]
    if sorted(texts) == sorted(first) and looks_like_header(first, len(tokens)):
        raise InputError(
            f"{shown(first[0])} would look like a header in {form}, among integers; {ELSEWHERE}"
        )


def would_be_cut(token: str, delimiter: str | None) -> bool:
    """Tell whether a token would be read as several, or as less than it is.

    Without a delimiter (None) spaces part tokens; with one, they are only cut off at the ends. A
    byte-order mark is cut off if it comes first.
    """
    spaces = SPACES.decode()
    if token.startswith(BYTE_ORDER_MARK.decode()):
        return True
    if delimiter is None or delimiter == " ":
        return any(sign in token for sign in spaces + "\n")
    return token != token.strip(spaces) or "\n" in token or (delimiter != "" and delimiter in token)


def refuse_outliers(text: Lists, form: str) -> None:
    """Refuse to lose outliers."""
    if text.outliers:
        raise InputError(
            f"outliers cannot be written to {form}, and there are {len(text.outliers):,}; leave "
            "them out by outliers=False (--no-outliers), or write object-lines, pairs, json "
            "or parquet"
        )


def refuse_overlaps(clustering: Memberships, form: str) -> None:
    """Refuse clusters that one label for each object cannot tell."""
    if clustering.has_overlaps:
        raise InputError(f"{form} cannot hold clusters that overlap; use cluster-lines or pairs")


def refuse_named_objects(clustering: Memberships, form: str) -> None:
    """Refuse objects that are not 0..n-1, where a place stands for an object."""
    ids = clustering.objects.ids
    if clustering.n_objects == 0:
        raise InputError(f"no objects, and {form} has nothing to write for that")
    if ids is not None and (
        ids.dtype == object or not np.array_equal(np.sort(ids), np.arange(len(ids)))
    ):
        raise InputError(f"{form} can hold only objects called 0 to n-1; pairs can hold others")


def check_values(values: Sequence[Any], what: str, form: str) -> None:
    """Refuse what is neither an integer nor text."""
    for value in values:
        if type(value) not in (int, str):
            raise InputError(
                f"{what} {shown(value)} cannot be written to {form}: only integers and text can"
            )
        if isinstance(value, int) and abs(value) >= TOO_LONG:
            raise InputError(f"{what} of more than 4,001 digits cannot be written to {form}")
    check_encodable([value for value in values if isinstance(value, str)], what)


def check_encodable(texts: Sequence[str], what: str) -> None:
    """Refuse text that cannot be written as UTF-8."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        raise InputError(f"some {what} is no Unicode text, and cannot be written") from None


def _tokens(
    values: NDArray[Any], what: str, form: str, bad: Callable[[str], bool] | None
) -> list[str]:
    items = values.tolist()
    check_values(items, what, form)
    for value in items:
        if isinstance(value, str) and (
            not value or "\r" in value or "\0" in value or (bad is not None and bad(value))
        ):
            raise InputError(f"{what} {shown(value)} cannot be written to {form}; {ELSEWHERE}")
    tokens = list(map(str, items))
    if len(set(tokens)) < len(tokens):
        raise InputError(f"a number and a text of the same digits cannot both be written to {form}")
    return tokens


def _check_names(names: list[str], form: str) -> None:
    """Refuse names that would be read as outliers, as numbers, or as one another."""
    is_outlier = outlier_test(NEGATIVE)
    values = [token_value(name) for name in names]
    for name, value in zip(names, values, strict=True):
        if is_outlier(value) or (DECIMAL.fullmatch(name) and isinstance(value, str)):
            raise _no_cluster(name, form)
    if len(set(values)) < len(values):
        raise InputError(f"two clusters would have one name in {form}; {ELSEWHERE}")


def _no_cluster(name: Any, form: str) -> InputError:
    return InputError(f"cluster {name!r} would be no cluster any more in {form}; json can hold it")


def membership_columns(clustering: Memberships, form: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the ids and cluster names of all memberships, then of the outliers, masked."""
    pointers, members = clustering.runs
    outliers = np.flatnonzero(clustering.outlier_mask())
    objects = column(clustering.ids(), "object", form)
    names = column(_one_type(clustering.names), "cluster", form)
    if names.dtype != object and np.any(names < 0):
        raise _no_cluster(int(names.min()), form)
    if names.dtype == object:
        _check_names(names.tolist(), form)
    padded = np.append(names, names[:1] if len(names) else 0)
    numbers = np.repeat(np.arange(len(names)), np.diff(pointers))
    rows = np.concatenate((numbers, np.full(len(outliers), len(names))))
    clusters = np.ma.MaskedArray(padded[rows], rows == len(names))
    return objects[np.concatenate((members, outliers))], clusters


def _one_type(names: list[Any]) -> NDArray[Any]:
    """Turn numbers into text if some names are text and all stay different."""
    texts = list(map(str, names))
    if {int, str} == set(map(type, names)) and len(set(texts)) == len(texts):
        return object_array(texts)
    return object_array(names)


def column(values: NDArray[Any], what: str, form: str) -> NDArray[Any]:
    """Return integers or text as a column has them: one type for all."""
    items = values.tolist()
    if values.dtype != object or all(type(v) is int and abs(v) <= INT64_MAX for v in items):
        return np.array(items, np.int64)
    if all(isinstance(value, str) for value in items):
        check_encodable(items, what)
        return object_array(items)
    wrong = next(value for value in items if not isinstance(value, str))
    raise InputError(
        f"{what} {shown(wrong)} cannot be written to {form}, whose columns are all 64-bit integers "
        "or all text"
    )
