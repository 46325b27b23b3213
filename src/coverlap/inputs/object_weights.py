"""Weights of objects, read from arrays, lists, columns and dicts."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError, InputTypeError
from coverlap.core.objects import Objects
from coverlap.core.values import INT64_MAX, is_missing
from coverlap.core.weights import GivenWeights
from coverlap.core.wording import shown
from coverlap.inputs.columns import as_narwhals_column, is_column, library_of, plain_values
from coverlap.inputs.frames import is_frame, row_objects
from coverlap.inputs.sets import read_keys

LEAST, MOST = 1e-300, 1e300
"""Bounds of positive weights and of their sum, so that no quotient of them over- or underflows."""

_TOO_LARGE = "weights that are integers must be at least 0 and have a sum below 2**63"

ALLOWED = "weights must be an array, list or column of numbers, or a dict from object to number"


def read_object_weights(weights: Any) -> GivenWeights:
    """Read the weights of objects: by position, by the index of a pandas Series, or by id.

    The array that is returned is not that of the caller.
    """
    if isinstance(weights, Mapping):
        ids = read_keys(weights, "weights: objects")
        objects = Objects(len(ids), ids, "id")
        return _checked(list(weights.values()), objects)
    if is_column(weights):
        column = as_narwhals_column(weights, "weights")
        is_array = library_of(weights) == "pandas" and not hasattr(weights, "index")
        objects = Objects(len(column)) if is_array else row_objects(column)
        return _checked(plain_values(column), objects)
    if is_frame(weights):
        raise InputTypeError(f"{ALLOWED}, not a frame; pass one of its columns")
    values = _sequence(weights)
    return _checked(values, Objects(len(values)))


def _sequence(weights: Any) -> Sequence[Any] | NDArray[Any]:
    """Return the weights of an array or a sequence."""
    is_view = isinstance(weights, memoryview)
    if isinstance(weights, Sequence) and not isinstance(weights, (str, bytes)) and not is_view:
        return weights
    if not is_view and not hasattr(weights, "__array__"):
        raise InputTypeError(f"{ALLOWED}, not {type(weights).__name__}: {shown(weights)}")
    array = weights if isinstance(weights, np.ndarray) else np.asarray(weights)
    if array.ndim != 1:
        raise InputTypeError(f"{ALLOWED}, not an array of {array.ndim} dimensions")
    return array


def _checked(values: Sequence[Any] | NDArray[Any], objects: Objects) -> GivenWeights:
    """Return weights that are numbers which can be added up, or raise an error."""
    if isinstance(values, np.ma.MaskedArray):
        values = values.tolist() if np.ma.getmaskarray(values).any() else values.data
    if isinstance(values, np.ndarray) and values.dtype != object:
        numbers = _numbers_of_array(values)
    else:
        numbers = _numbers_of_items(list(values), objects)
    wrong = ~((numbers >= 0) & np.isfinite(numbers))
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        value = numbers.tolist()[at]
        raise InputError(
            f"weights must be finite and at least 0, but {_weight(at, objects)} is {value}"
        )
    _check_range(numbers, objects)
    return GivenWeights(numbers, objects)


def _numbers_of_array(values: NDArray[Any]) -> NDArray[Any]:
    if values.dtype.kind not in "iuf":
        hint = "; convert them by astype(int)" if values.dtype.kind == "b" else ""
        raise InputTypeError(f"weights must be numbers, not {values.dtype}{hint}")
    if values.dtype.kind == "u" and int(values.max(initial=0)) > INT64_MAX:
        raise InputError(f"{_TOO_LARGE}, not {int(values.max())}")
    return values.astype(np.float64 if values.dtype.kind == "f" else np.int64)


def _numbers_of_items(items: list[Any], objects: Objects) -> NDArray[Any]:
    """Return Python numbers as an array: integers if all of them are, floats otherwise."""
    kinds = set(map(type, items))
    if not kinds <= {int, float}:
        for at, item in enumerate(items):
            if is_missing(item) or not _is_number(item):
                what = "missing" if is_missing(item) else f"{type(item).__name__}: {shown(item)}"
                raise (InputError if is_missing(item) else InputTypeError)(
                    f"weights must be numbers, but {_weight(at, objects)} is {what}"
                )
    if all(issubclass(kind, (int, np.integer)) for kind in kinds):
        try:
            return np.array(items, np.int64)
        except OverflowError:
            largest = max(items, key=abs)
            raise InputError(f"{_TOO_LARGE}, not {shown(largest)}") from None
    try:
        return np.array([float(item) for item in items], np.float64)
    except OverflowError:
        raise InputError(f"weights must have a sum of at most {MOST}") from None


def _is_number(item: object) -> bool:
    if isinstance(item, Decimal):
        return not item.is_snan()
    return isinstance(item, Real) and not isinstance(item, (bool, np.bool_))


def _weight(at: int, objects: Objects) -> str:
    """Return how messages call a weight: by its object or its position."""
    if objects.ids is None:
        return f"that at position {at:,}"
    return f"that of {shown(objects.ids[at : at + 1].tolist()[0])}"


def _check_range(numbers: NDArray[Any], objects: Objects) -> None:
    """Reject weights whose sum is too large, and positive ones that are too small."""
    if numbers.dtype == np.int64:
        if numbers.sum(dtype=np.float64) >= 2.0**62 and sum(numbers.tolist()) > INT64_MAX:
            raise InputError(f"{_TOO_LARGE}; pass floats")
        return
    small = (numbers > 0) & (numbers < LEAST)
    if small.any():
        at = int(np.flatnonzero(small)[0])
        raise InputError(
            f"weights must be 0 or at least {LEAST}, but {_weight(at, objects)} is {numbers[at]}; "
            "scale them, or replace it by 0"
        )
    if numbers.max(initial=0) > MOST or numbers.sum() > MOST:
        raise InputError(f"weights must have a sum of at most {MOST}; scale them")
