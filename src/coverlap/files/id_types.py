"""A common type for the ids of all files that are read together."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import UniverseError
from coverlap.core.spelling import INTEGER, integral_value
from coverlap.core.texts import Ids, Texts
from coverlap.core.values import object_array
from coverlap.core.wording import shown
from coverlap.files.text.tokens import PLAIN_NUMBER

KINDS = (bool, int, float, Decimal, str, datetime, date, time)
"""Kinds of ids; a value is of the first kind that it is an instance of."""

TEMPORAL: dict[type, Any] = {kind: kind for kind in (datetime, date, time)}


class SourceIds(NamedTuple):
    """Ids, and the source that they were read from."""

    source: str
    values: Ids


def share_type(files: Sequence[SourceIds]) -> list[Ids]:
    """Convert ids to one type, so that an id has the same value whatever the format.

    Ids are integers if all are written as such. Integers become text beside text. Beside dates or
    times, text must be written as Python writes them, and becomes such values. Numbers that are
    not integers become text without trailing zeros if some file has numbers of another type, or
    text, which must be written as numbers then. Other types must be the same in all files.
    """
    if len(files) < 2 or all(map(_are_integers, files)):
        return [ids.values for ids in files]
    each = [_kinds(ids) for ids in files if len(ids.values)]
    kinds = set().union(*each)
    if kinds <= {int, str}:
        return _share_integers_or_text(files)
    if kinds <= {int, float} or kinds == {Decimal}:
        return [ids.values for ids in files]
    if kinds <= {int, float, Decimal, str}:
        return _convert(files, _number_text, "a number")
    if str not in kinds and all(own == kinds for own in each):
        return [ids.values for ids in files]
    special = kinds - {str}
    kind = TEMPORAL.get(special.pop()) if len(special) == 1 else None
    if kind is None:
        raise _different(files)
    return _convert(files, lambda value: _parsed(kind, value), f"a {kind.__name__}")


def _share_integers_or_text(files: Sequence[SourceIds]) -> list[Ids]:
    """Convert integers to text; raise an error if one file has only integers and one has none."""
    fractions = [_fraction_of_integers(ids.values) for ids in files]
    if 1 in fractions and 0 in fractions:
        numbers, text = files[fractions.index(1)], files[fractions.index(0)]
        raise UniverseError(
            f"the ids of {numbers.source} are integers ({numbers.values[0]}, ...) and those of "
            f"{text.source} are not ({shown(text.values[0])}, ...), so they share no object; "
            "convert one side"
        )
    _reject_integral_floats(files)
    return [
        ids.values
        if isinstance(ids.values, Texts)
        else _distinct(ids, list(map(str, ids.values.tolist())))
        for ids in files
    ]


def _kinds(ids: SourceIds) -> set[type]:
    """Return the kinds of the ids of a file."""
    if isinstance(ids.values, Texts):
        return {str}
    if ids.values.dtype != object:
        return {int}
    types = set(map(type, ids.values.tolist()))
    return {next((kind for kind in KINDS if issubclass(t, kind)), t) for t in types}


def _are_integers(ids: SourceIds) -> bool:
    values = ids.values
    if isinstance(values, Texts):
        return len(values) == 0
    return values.dtype != object or all(type(value) is int for value in values.tolist())


def _fraction_of_integers(values: Ids) -> float:
    """Return the fraction of values that are integers or text of an integer; NaN for none."""
    if len(values) == 0:
        return np.nan
    if values.dtype != object:
        return 1.0
    if isinstance(values, Texts):
        return float(values.find_integers().mean())
    return sum(bool(INTEGER.fullmatch(str(value))) for value in values.tolist()) / len(values)


def _reject_integral_floats(files: Sequence[SourceIds]) -> None:
    """Reject text such as '1.0' where another file has the integer 1, perhaps read from 1.0."""
    found: dict[int | None, tuple[str, str]] = {}
    with_integers = [ids for ids in files if not isinstance(ids.values, Texts)]
    for ids in files if with_integers else ():
        texts = [value for value in ids.values.tolist() if isinstance(value, str) and "." in value]
        found |= {integral_value(text): (ids.source, text) for text in texts}
    found.pop(None, None)
    for ids in with_integers if found else ():
        for value in found.keys() & set(ids.values.tolist()):
            source, text = found[value]
            if source != ids.source:
                raise UniverseError(
                    f"{source} has an id {text!r} and {ids.source} has {value}, which may be the "
                    "same object; write both in the same way"
                )


def _convert(files: Sequence[SourceIds], convert: Callable[[Any], Any], kind: str) -> list[Ids]:
    """Convert all ids by a function that returns None for what cannot be converted."""
    converted: list[Ids] = []
    for ids in files:
        values = ids.values.tolist()
        new = list(map(convert, values))
        if None in new:
            raise UniverseError(
                f"{ids.source} has an id {shown(values[new.index(None)])}, which is not written as "
                f"{kind} and so cannot be compared with {_example(files, ids)}; convert one side"
            )
        converted.append(_distinct(ids, new))
    return converted


def _example(files: Sequence[SourceIds], but: SourceIds) -> str:
    """Return an id of another file that is not text, for error messages."""
    pairs = ((ids, value) for ids in files if ids is not but for value in ids.values.tolist())
    ids, value = next((pair for pair in pairs if not isinstance(pair[1], str)), (but, ""))
    return f"{shown(value)} of {ids.source}" if ids is not but else "others of that file"


def _number_text(value: Any) -> str | None:
    """Return a number as text without an exponent or trailing zeros; None for other text."""
    if isinstance(value, str) and not PLAIN_NUMBER.fullmatch(value):
        return None
    text = format(Decimal(repr(value)) if isinstance(value, float) else Decimal(value), "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def _parsed(kind: Any, value: Any) -> Any:
    """Return the date or time that text stands for; None if it is not written in full."""
    if not isinstance(value, str):
        return value
    try:
        parsed = kind.fromisoformat(value)
    except ValueError:
        return None
    return parsed if str(parsed) == value.replace("T", " ", 1) else None


def _distinct(ids: SourceIds, values: list[Any]) -> NDArray[Any]:
    """Return new values of ids, and raise an error if two of them are equal."""
    if len(set(values)) < len(values):
        again = next(value for value, times in Counter(values).items() if times > 1)
        equal = [old for old, new in zip(ids.values.tolist(), values, strict=True) if new == again]
        raise UniverseError(
            f"{ids.source} has an object {shown(equal[0])} and another one {shown(equal[1])}, "
            "which would be one beside the ids of another file"
        )
    return object_array(values)


def _different(files: Sequence[SourceIds]) -> UniverseError:
    known = [ids for ids in files if len(ids.values)]
    named = [
        f"{' and '.join(sorted(kind.__name__ for kind in _kinds(ids)))} in {ids.source}"
        for ids in known
    ]
    return UniverseError(f"the ids are of different types: {', '.join(named)}; convert them")
