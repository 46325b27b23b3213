"""The columns of objects and of clusters in a table: the names to look for, and how to choose."""

from collections.abc import Iterable, Sequence
from typing import Any

from coverlap.core.errors import InputError
from coverlap.core.wording import did_you_mean, shown, some

USUAL_NAMES = {
    "object": ("object", "unique_id", "record_id", "node", "id", "name"),
    "cluster": ("cluster", "cluster_id", "label", "community", "component"),
}
"""The names that a column of objects, and one of clusters, often has. The first has precedence."""


class Usual(str):
    """The name of a column by default; if there is none, the other usual names are tried."""

    __slots__ = ()


USUAL_OBJECT, USUAL_CLUSTER = map(Usual, USUAL_NAMES)


def find_column(
    names: Sequence[Any], role: str, given: Any, *, other: Any, where: str, hint: str
) -> Any:
    """Return the name of the column of objects or of clusters.

    Parameters
    ----------
    names : sequence
        The names of all columns.
    role : {"object", "cluster"}
        What the column holds.
    given : name or Usual
        The name that the user gave; or a `Usual` one, which means the only column with a usual
        name.
    other : name or Usual
        The same for the other role. A name that the user gave for it is not considered here.
    where, hint : str
        The beginning of error messages, and the end of those about columns that are not found.
    """
    hint = suggestion(given, names, hint)
    if isinstance(given, Usual) and given not in names:
        taken = () if isinstance(other, Usual) else (other,)
        found = [name for name in names if name in USUAL_NAMES[role] and name not in taken]
        if len(set(found)) > 1:
            raise InputError(f"{where}: {some(found)} can each be the column of {role}s; {hint}")
        given = found[0] if found else str(given)
    if given not in names:
        others = f"among {some(list(names))}" if names else "and no other"
        raise InputError(f"{where}: no column {shown(given)} {others}; {hint}")
    if names.count(given) > 1:
        raise InputError(f"{where}: {names.count(given)} columns called {shown(given)}")
    return given


def suggestion(given: Any, names: Iterable[Any], hint: str) -> str:
    """Return a question that suggests names similar to the one that the user gave, or the hint."""
    return hint if isinstance(given, Usual) else did_you_mean(given, names) or hint
