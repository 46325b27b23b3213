"""A common type for the ids of all files that are read together."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import UniverseError
from coverlap.core.values import object_array
from coverlap.core.wording import shown
from coverlap.files.text.tokens import INTEGER


class Ids(NamedTuple):
    """Ids, and the source that they were read from."""

    source: str
    values: NDArray[Any]


def share_type(files: Sequence[Ids]) -> list[NDArray[Any]]:
    """Convert ids to one type: integers if all are written as such, text otherwise.

    Raise an error if all ids of one file are integers and none of another file.
    """
    if len(files) < 2 or all(map(_are_integers, files)):
        return [ids.values for ids in files]
    fractions = [_fraction_of_integers(ids.values) for ids in files]
    if 1 in fractions and 0 in fractions:
        numbers, text = files[fractions.index(1)], files[fractions.index(0)]
        raise UniverseError(
            f"the ids of {numbers.source} are integers ({numbers.values[0]}, ...) and those of "
            f"{text.source} are not ({shown(text.values[0])}, ...), so they share no object; "
            "convert one side"
        )
    return [_as_text(ids) for ids in files]


def _are_integers(ids: Ids) -> bool:
    return ids.values.dtype != object or all(type(value) is int for value in ids.values.tolist())


def _fraction_of_integers(values: NDArray[Any]) -> float:
    """Return the fraction of values that are integers or text of an integer; NaN for none."""
    if len(values) == 0:
        return np.nan
    if values.dtype != object:
        return 1.0
    n_integers = sum(bool(INTEGER.fullmatch(str(value))) for value in values.tolist())
    return n_integers / len(values)


def _as_text(ids: Ids) -> NDArray[Any]:
    values = ids.values.tolist()
    texts = [str(value) if isinstance(value, int) else value for value in values]
    if ids.values.dtype == object and len(set(texts)) < len(texts):
        again = next(value for value in values if isinstance(value, int) and str(value) in values)
        raise UniverseError(
            f"{ids.source} has an object {again} and another one {str(again)!r}, which would be "
            "one beside the text of another file"
        )
    return object_array(texts)
