"""Read labels: one cluster or outlier label per object."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError, InputTypeError
from coverlap.core.incidence import SPARE, Codes, frozen, largest_code, narrowest
from coverlap.core.memberships import Memberships
from coverlap.core.objects import NO_OBJECTS, Objects
from coverlap.core.spelling import FIRST_OF_OUTLIERS, spelled_values
from coverlap.core.texts import Ids, Texts
from coverlap.core.values import (
    INT64_MAX,
    NEGATIVE,
    code_values,
    gather,
    is_continuous,
    outlier_test,
)
from coverlap.core.wording import shown
from coverlap.inputs.columns import as_values


class CodedLabels(NamedTuple):
    """Labels as codes, and the name of each code (None: the code is the name).

    ``outlier_texts`` are the labels that mean outliers because of the value that they spell.
    """

    codes: Codes
    names: Ids | None
    outlier_texts: tuple[Any, ...] = ()

    def memberships(self, objects: Objects | None = None) -> Memberships:
        """Return the clustering of some objects, by default 0..n-1, that have these labels."""
        n_labels = len(self.codes.codes)
        known = (objects or Objects(n_labels)) if n_labels else NO_OBJECTS
        return Memberships(self.codes, known, self.names, outlier_texts=self.outlier_texts)


def read_labels(
    labels: Any,
    *,
    objects: Objects | None = None,
    outlier_label: Any = NEGATIVE,
    where: str = "labels",
    borrow: bool = False,
) -> Memberships:
    """Read one label per object.

    With ``borrow``, an integer array may be used without a copy; this is only safe during one call,
    since its owner can change it afterwards.
    """
    return code_labels(labels, outlier_label, where, borrow=borrow).memberships(objects)


def code_labels(
    labels: Any, outlier_label: Any, where: str, *, borrow: bool = False
) -> CodedLabels:
    """Number the clusters that labels name."""
    labels = labels if isinstance(labels, (list, np.ndarray, Texts)) else as_values(labels, where)
    if isinstance(labels, Texts):
        return _code_any(labels, outlier_label, where)
    if isinstance(labels, np.ndarray):
        return _code_array(labels, outlier_label, where, borrow)
    if isinstance(labels, (str, bytes, Mapping, AbstractSet)) or not isinstance(labels, Iterable):
        raise InputTypeError(f"{where} must be a sequence of labels, not {type(labels).__name__}")
    values = labels if isinstance(labels, list) else list(labels)
    if (gathered := gather(values)) is not None:
        return code_labels(gathered, outlier_label, where, borrow=True)
    kinds = set(map(type, values))
    if type(np.ma.masked) in kinds:
        values = [None if value is np.ma.masked else value for value in values]
    if kinds <= {int}:
        try:
            return _code_integers(np.array(values, dtype=np.int64), outlier_label, where, borrow)
        except OverflowError:
            pass
    return _code_any(values, outlier_label, where)


def _code_array(labels: NDArray[Any], outlier_label: Any, where: str, borrow: bool) -> CodedLabels:
    if isinstance(labels, np.ma.MaskedArray):
        return _code_masked(labels, outlier_label, where)
    check_flat(labels, where)
    kind = labels.dtype.kind
    if kind in "iub":
        return _code_integers(labels, outlier_label, where, borrow)
    if kind == "f":
        return _code_floats(labels, outlier_label, where)
    if kind in "cV":
        raise InputTypeError(f"{where} must be labels, not an array of {labels.dtype}")
    return _code_any(labels, outlier_label, where)


def check_flat(array: NDArray[Any], where: str) -> None:
    """Reject arrays that are not one-dimensional."""
    if array.ndim == 2:
        raise InputTypeError(
            f"{where} is a dense array of shape {array.shape}, and labels have one dimension; "
            'for memberships say Clustering.from_matrix(m, rows="objects") or rows="clusters"'
        )
    if array.ndim != 1:
        raise InputTypeError(f"{where} must have one dimension, not {array.ndim}")


def _code_integers(
    labels: NDArray[Any], outlier_label: Any, where: str, borrow: bool
) -> CodedLabels:
    dtype = labels.dtype
    if dtype.kind != "i" or dtype.itemsize < 4 or not dtype.isnative:
        if int(labels.max(initial=0)) > INT64_MAX:
            return _code_any(labels.tolist(), outlier_label, where)
        labels = labels.astype(np.int64)
    if outlier_label is not NEGATIVE:
        return _code_any(labels, outlier_label, where)
    labels = frozen(labels)
    top = largest_code(labels)
    if top < len(labels) + SPARE:
        if not borrow:
            labels = frozen(np.maximum(labels, -1).astype(narrowest(top + 1)))
        return CodedLabels(Codes(labels, top + 1), None)
    codes, names = code_values(labels, where)
    n_negative = int(np.searchsorted(names, 0))
    codes -= codes.dtype.type(n_negative)
    return CodedLabels(Codes(frozen(codes), len(names) - n_negative), names[n_negative:])


def _code_floats(labels: NDArray[Any], outlier_label: Any, where: str) -> CodedLabels:
    known = ~np.isnan(labels)
    values = labels[known]
    if values.size and max(float(values.max()), -float(values.min())) >= 2**63:
        return _code_any(labels.tolist(), outlier_label, where)
    whole = values.astype(np.int64)
    if not np.array_equal(whole, values):
        at = int(np.flatnonzero(known)[np.flatnonzero(whole != values)[0]])
        raise _continuous(where, at, float(labels[at]))
    return _with_missing(whole, known, outlier_label, where)


def _code_masked(
    labels: np.ma.MaskedArray[Any, Any], outlier_label: Any, where: str
) -> CodedLabels:
    check_flat(labels, where)
    known = ~np.ma.getmaskarray(labels)
    return _with_missing(np.asarray(labels)[known], known, outlier_label, where)


def _with_missing(
    values: NDArray[Any], known: NDArray[np.bool_], outlier_label: Any, where: str
) -> CodedLabels:
    coded = code_labels(values, outlier_label, where)
    codes = np.full(len(known), -1, coded.codes.codes.dtype)
    codes[known] = coded.codes.codes
    return coded._replace(codes=Codes(frozen(codes), coded.codes.n_codes))


def code_categories(
    numbers: NDArray[Any], categories: Any, outlier_label: Any, where: str
) -> CodedLabels:
    """Number the clusters that categories name, given the category of each object, -1 for none."""
    try:
        used = np.arange(len(categories))
        coded = code_labels(categories, outlier_label, where)
    except InputError:  # a category that is no label is an error only if it is used
        used = _used(numbers)
        coded = code_labels(categories[used], outlier_label, where)
    rank = np.full(len(categories) + 1, -1, coded.codes.codes.dtype)
    rank[used] = coded.codes.codes
    codes = coded.codes._replace(codes=frozen(rank.take(numbers, mode="wrap")))
    names = np.arange(codes.n_codes) if coded.names is None else coded.names
    texts = coded.outlier_texts
    if texts:
        there = set(categories[_used(numbers)].tolist())
        texts = tuple(text for text in texts if text in there)
    return CodedLabels(codes, names, texts)


def _used(numbers: NDArray[Any]) -> NDArray[np.int64]:
    """Return the numbers that occur, without -1, in ascending order."""
    return np.flatnonzero(np.bincount(numbers.astype(np.int64) + 1)[1:])


def _code_any(
    labels: Sequence[Any] | NDArray[Any] | Texts, outlier_label: Any, where: str
) -> CodedLabels:
    codes, values = code_values(labels, where)
    is_outlier = outlier_test(outlier_label)
    if isinstance(values, Texts) and outlier_label is NEGATIVE:
        out = values.begin_with(FIRST_OF_OUTLIERS)
        out[out] = [is_outlier(value) for value in values[out]]
    else:
        for number, value in enumerate(values.tolist()):
            if is_continuous(value):
                raise _continuous(where, int(np.flatnonzero(codes == number)[0]), value)
        out = np.fromiter(map(is_outlier, values.tolist()), bool, count=len(values))
    if not out.any():
        return CodedLabels(Codes(frozen(codes), len(values)), values)
    rank = np.where(out, -1, np.cumsum(~out) - 1).astype(codes.dtype)
    coded = Codes(frozen(rank[codes]), int(np.count_nonzero(~out)))
    texts = [value for value in values[out].tolist() if isinstance(value, (str, bytes))]
    return CodedLabels(coded, values[~out], spelled_values(texts) if texts else ())


def _continuous(where: str, at: int, value: object) -> InputError:
    return InputError(
        f"{where} must name clusters, but item {at} is {shown(value)}: continuous numbers are no "
        "labels"
    )
