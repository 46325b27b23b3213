"""Labels and ids as values: their order, which are missing or mean outliers, and their codes."""

import marshal
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from coverlap.core.coding import in_order, number_keys, number_rows
from coverlap.core.errors import InputError, InputTypeError, OptionError
from coverlap.core.incidence import frozen, narrowest
from coverlap.core.spelling import FIRST_OF_OUTLIERS, label_value
from coverlap.core.texts import Ids, Texts, chunks_of, encode
from coverlap.core.times import exact_time, numpy_time, plain_time
from coverlap.core.wording import shown

INT64_MAX = np.iinfo(np.int64).max

MANY = 4096
"""From this many values on, arrays and texts are faster than lists of Python objects."""

MARSHALLED: Final = np.dtype([("kind", "u1"), ("value", "<i4")])
"""An integer of 32 bits as `marshal` writes it."""

LONGEST_DECIMAL = 10_000
"""Decimals of more digits than this are not converted to integers, which could take hours."""


def code_values(
    values: Sequence[Any] | NDArray[Any] | Texts, where: str
) -> tuple[NDArray[Any], Ids]:
    """Number the distinct values in cluster order; see `ordered`.

    Return the code of each item, and the distinct values.

    Examples
    --------
    >>> codes, values = code_values(["b", 2, "a", 2.0], "labels")
    >>> codes.tolist(), values.tolist()
    ([2, 0, 1, 0], [2, 'a', 'b'])
    """
    if isinstance(values, np.ndarray):
        kind = values.dtype.kind
        if kind in "ib" or (kind == "u" and int(values.max(initial=0)) <= INT64_MAX):
            return code_integers(values.astype(np.int64, copy=False))
        if kind in "US" and values.dtype.itemsize > 0:
            return _code_text(values)
    if isinstance(values, Texts):
        return values.code()
    items = array_items(values) if isinstance(values, np.ndarray) else list(values)
    if (gathered := gather(items)) is not None:
        return code_values(gathered, where)
    if set(map(type, items)) == {int}:
        try:
            return code_integers(np.array(items, dtype=np.int64))
        except OverflowError:
            pass
    return _code_hashables(items, where)


def are_all(kind: type, values: Collection[Any]) -> bool:
    """Return whether all values are of a type, and not of a subtype; faster than a set of types."""
    return list(map(type, values)).count(kind) == len(values)


def gather(values: Sequence[Any]) -> NDArray[np.int64] | Texts | None:
    """Return many integers as an array, many strings as texts; None if few, or of other types."""
    return gather_chunks(chunks_of(values), len(values)) if len(values) >= MANY else None


def gather_chunks(
    chunks: Iterable[Collection[Any]], n_values: int
) -> NDArray[np.int64] | Texts | None:
    """Gather the values of all chunks as `gather` does.

    Chunks should be short, so that values are still in the cache when they are converted.
    """
    if n_values < MANY:
        return None
    chunks = iter(chunks)
    first = next(chunks)
    kind = type(next(iter(first)))
    try:
        if kind is int:
            return np.concatenate([_integers(chunk) for chunk in chain([first], chunks)])
        return Texts(utf8=encode(_texts(chain([first], chunks)))) if kind is str else None
    except (TypeError, OverflowError):
        return None


def _integers(chunk: Collection[Any]) -> NDArray[np.int64]:
    """Return Python integers, and nothing else, as an array.

    Marshalling checks and converts them in one pass, and takes two thirds of the time that a list
    of the types and `np.fromiter` take. It writes five bytes for the list, and each integer of 32
    bits, but no value of another type, as the letter i and four bytes.
    """
    values = chunk if isinstance(chunk, list) else list(chunk)
    try:
        written = marshal.dumps(values, 2)  # later versions refer to values that were seen before
    except ValueError:
        raise TypeError from None
    if len(written) == 5 * (1 + len(values)) and written[5::5] == b"i" * len(values):
        return np.frombuffer(written, MARSHALLED, offset=5)["value"].astype(np.int64)
    if not are_all(int, values):
        raise TypeError
    return np.fromiter(values, np.int64, count=len(values))


def _texts(chunks: Iterable[Collection[Any]]) -> Iterator[Collection[str]]:
    for chunk in chunks:
        if not are_all(str, chunk):
            raise TypeError
        yield chunk


def array_items(array: NDArray[Any]) -> list[Any]:
    """Return the items of an array; `tolist` would give bare numbers for nanoseconds."""
    return list(array) if array.dtype.kind in "Mm" else list(array.tolist())


def code_integers(values: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Number the distinct integers in ascending order."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    if high - low < 8 * len(values):
        return _code_dense(values, low, high)
    codes, firsts = number_keys(frozen(values).view(np.uint64))
    distinct = values[firsts]
    return in_order(codes, np.argsort(distinct)), np.sort(distinct)


def _code_dense(
    values: NDArray[np.int64], low: int, high: int
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Number integers of a small range, without hashing."""
    place = values - low
    there = np.zeros(high - low + 1, bool)
    there[place] = True
    if there.all():
        return place.astype(narrowest(len(values))), low + np.arange(len(there))
    rank = np.cumsum(there, dtype=narrowest(len(values))) - 1
    return rank[place], np.flatnonzero(there) + low


def _code_text(values: NDArray[Any]) -> tuple[NDArray[Any], Ids]:
    plain = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("="), copy=False))
    size = values.dtype.itemsize
    word = np.uint64 if size % 8 == 0 else np.uint32 if size % 4 == 0 else np.uint8
    words = plain.view(word).reshape(len(values), -1)
    codes, firsts = number_rows(words)
    distinct = value_array(plain[firsts].tolist())
    order = order_of_ids(distinct)
    return in_order(codes, order), distinct[order]


def _code_hashables(values: Sequence[Any], where: str) -> tuple[NDArray[Any], Ids]:
    try:
        try:
            found = list(dict.fromkeys(values))
        except TypeError:  # from an item without a hash, or Decimal(1) == np.int8(1)
            values = [plain_value(value) for value in values]
            found = list(dict.fromkeys(values))
        plain = [plain_value(value) for value in found]
        distinct = list(dict.fromkeys(plain))
    except TypeError:
        raise _unhashable(values, where) from None
    order = ordered(distinct)
    rank = {distinct[place]: i for i, place in enumerate(order)}
    number = {value: rank[same] for value, same in zip(found, plain, strict=True)}
    codes = np.fromiter(map(number.__getitem__, values), np.int64, count=len(values))
    return codes, value_array([distinct[i] for i in order])


def _unhashable(values: Sequence[Any], where: str) -> InputTypeError:
    for i, value in enumerate(values):
        try:
            hash((value, plain_value(value)))
        except TypeError:
            kind = type(value).__name__
            return InputTypeError(
                f"{where} must be hashable, but item {i} is a {kind}: {shown(value)}"
            )
    return InputTypeError(f"{where} must be values that == can compare with each other")


def reject_masked(values: object, where: str) -> None:
    """Reject object ids that are masked."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.getmaskarray(values).any():
        raise InputError(f"{where} must not be missing (null or masked)")


def ordered(values: Sequence[Any]) -> list[int]:
    """Return positions sorted into cluster order: numbers, strings, others, missing values.

    Others are sorted by value, too, unless they are of several types or have no order. Sets have
    none, since ``<`` means that one is part of another.
    """
    numbers: list[int] = []
    strings: list[int] = []
    others: list[int] = []
    missing: list[int] = []
    for i, value in enumerate(values):
        if isinstance(value, str):
            strings.append(i)
        elif is_missing(value):
            missing.append(i)
        else:
            (numbers if isinstance(value, (int, float)) else others).append(i)
    numbers.sort(key=values.__getitem__)
    strings.sort(key=values.__getitem__)
    types = {type(values[i]) for i in others}
    if len(types) == 1 and not issubclass(types.pop(), AbstractSet):
        with suppress(TypeError, ValueError):  # the latter from arrays that comparisons return
            others = sorted(others, key=values.__getitem__)
    return numbers + strings + others + missing


def order_of_ids(ids: Ids) -> NDArray[np.int64]:
    """Return positions sorted by id, in the order of `ordered`."""
    if isinstance(ids, Texts):
        order = ids.order()
        return np.arange(len(ids)) if order is None else order
    if ids.dtype != object:
        return np.argsort(ids, kind="stable")
    return np.array(ordered(ids.tolist()), np.int64)


def value_array(values: Sequence[Any]) -> Ids:
    """Return integers as an array, many strings as texts, other values as an array of objects."""
    if len(values) >= MANY and are_all(str, values):
        return Texts(values if isinstance(values, list) else list(values))
    kinds = set(map(type, values))
    if kinds <= {int}:
        try:
            return np.array(values, dtype=np.int64)
        except OverflowError:
            pass
    return object_array(values if kinds <= {int, str} else [plain_value(value) for value in values])


def plain_value(value: Any) -> Any:
    """Convert scalars of NumPy, pandas and Arrow to Python values, and numbers to integers.

    Booleans are integers, too, as in arrays of NumPy and in files. No value is rounded: a decimal
    number becomes a float only if this is exact.
    """
    if type(value) in (int, str):
        return value
    if hasattr(value, "as_py"):
        value = _arrow_value(value)
    if getattr(value, "nanosecond", 0) or getattr(value, "nanoseconds", 0):
        value = numpy_time(value)
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return plain_time(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.longdouble):
        exact = float(value) == value or not np.isfinite(value)
        value = float(value) if exact else Fraction(*value.as_integer_ratio())
    if isinstance(value, Decimal):
        return _plain_decimal(value)
    if isinstance(value, Fraction) and value.denominator == 1:
        return int(value)
    is_integral = isinstance(value, bool) or (isinstance(value, float) and value.is_integer())
    return int(value) if is_integral else value


def _plain_decimal(value: Decimal) -> int | float | Decimal:
    """Return an integer or a float if it equals the value, and the value otherwise."""
    if not value.is_finite() or abs(value.adjusted()) > LONGEST_DECIMAL:
        return value
    if value == value.to_integral_value():
        return int(value)
    return float(value) if float(value) == value else value


def _arrow_value(scalar: Any) -> Any:
    kind = str(scalar.type)
    in_nanoseconds = kind.startswith(("timestamp[ns", "duration[ns", "time64[ns"))
    if in_nanoseconds and scalar.is_valid and scalar.value % 1000:
        return exact_time("zoned" if "tz=" in kind else kind.partition("[")[0], scalar.value)
    return scalar.as_py()


def is_missing(value: object) -> bool:
    """Return whether a value is None, NaN, NaT, pandas' NA or NumPy's masked."""
    if value is None or value is np.ma.masked or type(value).__name__ == "NAType":
        return True
    try:
        return bool(value != value)  # noqa: PLR0124 - only missing values differ from themselves
    except (TypeError, ValueError, ArithmeticError):  # the last one for a signalling NaN
        return False


def is_continuous(value: object) -> bool:
    """Return whether a plain value is a number, but no integer, and so cannot be a label."""
    return isinstance(value, (float, Decimal)) and not is_missing(value)


def reject_missing(values: Ids, where: str) -> None:
    """Reject object ids that are missing values."""
    if isinstance(values, Texts):
        return
    if values.dtype == object and any(is_missing(value) for value in values.tolist()):
        raise InputError(f"{where} must not be missing (None or NaN)")


def object_array(values: Sequence[Any]) -> NDArray[Any]:
    """Return an array of Python objects, one for each value even if it is a sequence."""
    return np.fromiter(values, dtype=object, count=len(values))


class _NegativeIntegers:
    def __repr__(self) -> str:
        return "<negative integers>"

    def __reduce__(self) -> str:
        return "NEGATIVE"  # there is only one, which options are compared with


NEGATIVE: Final = _NegativeIntegers()
"""The default outlier labels. Missing values are outliers under every rule."""


def outlier_test(outlier_label: Any) -> Callable[[Any], bool]:
    """Return the function that returns whether a label means outlier.

    Text means what it spells: ``"-1"`` is the label -1, in memory as in files.
    """
    if outlier_label is NEGATIVE:
        return _is_negative_or_missing
    try:
        named = {plain_value(label) for label in outlier_labels(outlier_label)}
        chosen = named | {label_value(label) for label in named}
    except (TypeError, NotImplementedError):  # of views of several dimensions
        raise OptionError(
            f"outlier_label must be a label or a collection of labels, not {shown(outlier_label)}"
        ) from None

    def is_outlier(label: Any) -> bool:
        value = label_value(label)
        return is_missing(value) or value in chosen or label in chosen

    return is_outlier


def _is_negative_or_missing(label: Any) -> bool:
    if isinstance(label, str) and label[:1] not in FIRST_OF_OUTLIERS:
        return False
    value = label_value(label) if isinstance(label, (str, bytes)) else label
    return is_missing(value) or (isinstance(value, int) and value < 0)


def outlier_labels(outlier_label: Any) -> list[Any]:
    """Return the labels that a user chose, given as one label or as an iterable of labels."""
    several = isinstance(outlier_label, Iterable) and not isinstance(outlier_label, (str, bytes))
    return list(outlier_label) if several else [outlier_label]
