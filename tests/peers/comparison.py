"""Compare what a function of another library returns with what coverlap returns."""

import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import coverlap as cv

Value = float | tuple[float, ...] | str
"""A score, several scores, or a word: `REFUSES`, or the text of an unexpected exception."""

REFUSES = "refuses"
NAN = math.nan


@dataclass(frozen=True)
class Difference:
    """A known difference between a function of another library and coverlap.

    Attributes
    ----------
    name : str
    theirs : function
        Given the arguments of the function, returns the value that the other library must return,
        or None if the difference does not apply. So a difference explains a value only if it
        predicts that value.
    """

    name: str
    theirs: Callable[..., Value | None]


@dataclass(frozen=True)
class Function:
    """A function of another library and the call of coverlap that corresponds to it.

    Attributes
    ----------
    name : str
    theirs, ours : function
        Take the same arguments.
    differences : iterable of Difference
    tolerance : float
        Largest difference of equal scores, relative to scores above 1.
    """

    name: str
    theirs: Callable[..., Any]
    ours: Callable[..., Any]
    differences: tuple[Difference, ...] = ()
    tolerance: float = 1e-10


@dataclass
class Peer:
    """Another library.

    Attributes
    ----------
    name : str
    functions : list of Function
    inputs : iterable of (source, arguments)
        Positional arguments for every function, and where they come from.
    homes : tuple of modules
        Where users and tests of the library find the functions, by name.
    suites : tuple of str
        Modules with tests that the library installs, which are run by pytest.
    examples : bool
        Whether the docstrings of the functions contain examples, which are run.
    """

    name: str
    functions: list[Function]
    inputs: Iterable[tuple[str, tuple[Any, ...]]] = ()
    homes: tuple[Any, ...] = ()
    suites: tuple[str, ...] = ()
    examples: bool = False


@dataclass
class Tally:
    """What the comparisons of one function found."""

    equal: int = 0
    both_refuse: int = 0
    differ: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    unexplained: list[str] = field(default_factory=list)

    @property
    def n_calls(self) -> int:
        return self.equal + self.both_refuse + self.differ.total() + len(self.unexplained)

    def add(self, other: "Tally") -> None:
        self.equal += other.equal
        self.both_refuse += other.both_refuse
        self.differ += other.differ
        self.sources += other.sources
        self.unexplained += other.unexplained


def compare(
    function: Function, source: str, theirs: Value, args: tuple[Any, ...], kwargs: dict[str, Any],
    tally: Tally,
) -> None:  # fmt: skip
    """Call coverlap with the arguments of another library, and count what is found."""
    tally.sources[source] += 1
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        ours = our_value(function.ours, *args, **kwargs)
        if agree(theirs, ours, function.tolerance):
            if ours == REFUSES:
                tally.both_refuse += 1
            else:
                tally.equal += 1
            return
        for difference in function.differences:
            predicted = our_value(difference.theirs, *args, **kwargs)
            if predicted is not None and agree(theirs, predicted, function.tolerance):
                tally.differ[difference.name] += 1
                return
    shown = ", ".join([*map(_shown, args), *(f"{k}={_shown(v)}" for k, v in kwargs.items())])
    tally.unexplained.append(f"{function.name}({shown[:600]}): {theirs}, coverlap: {ours}")


def our_value(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return a score of coverlap, or a word if it refuses; other exceptions are never expected."""
    try:
        return function(*args, **kwargs)
    except cv.CoverlapError:
        return REFUSES
    except Exception as error:  # noqa: BLE001 - whatever it is, it must be reported
        return f"fails with {error!r}"


def their_value(result: Any) -> Value:
    """Return the score or scores in the result of another library."""
    score = getattr(result, "score", result)  # cdlib returns scores with a deviation
    if isinstance(score, tuple):
        return tuple(map(float, score))
    try:
        return float(score)
    except TypeError:  # pandas.NA
        return NAN


def agree(theirs: Value, ours: Value, tolerance: float) -> bool:
    if isinstance(theirs, str) or isinstance(ours, str):
        return theirs == ours == REFUSES
    sides = [value if isinstance(value, tuple) else (value,) for value in (theirs, ours)]
    if len(sides[0]) != len(sides[1]):
        return False
    return all(_near(one, other, tolerance) for one, other in zip(*sides, strict=True))


def _near(one: float, other: float, tolerance: float) -> bool:
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return abs(one - other) <= tolerance * max(1.0, abs(one))


def _shown(argument: Any) -> str:
    return repr(getattr(argument, "communities", argument))
