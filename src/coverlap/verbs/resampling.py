"""Clusterings for the bootstrap: several on one universe, and with objects repeated."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.clustering.clustering import Clustering
from coverlap.core.checks import check_option
from coverlap.core.incidence import Codes, Incidence, Runs, frozen, narrowest
from coverlap.core.objects import Objects, locate
from coverlap.core.universe import align, lay_out, same_positions
from coverlap.inputs.parts import Parts

Integers = NDArray[np.int64]


def on_one_universe(sides: list[Clustering], universe: Any) -> list[Clustering]:
    """Align clusterings on one universe, with the objects in the same order."""
    if isinstance(universe, str):
        check_option("universe", universe, ("union", "intersection", "left"))
    for other in sides[1:]:
        align(sides[0], other)  # raises an error if the ids do not fit together
    ids = _ids_by_left(sides)
    if not isinstance(universe, str):
        return _on_given_universe(sides, ids, universe)
    known = _common_ids(ids, universe)
    objects = Objects(len(known), known, "id")
    return [
        side._moved(locate(own, known), objects) for side, own in zip(sides, ids, strict=True)
    ]  # fmt: skip


def _ids_by_left(sides: list[Clustering]) -> list[NDArray[Any]]:
    """Return the ids of each side; a side aligned by position has the ids of left."""
    left, *others = sides
    placed = [same_positions(left._objects, other._objects) for other in others]
    own = np.arange(left.n_objects) if all(placed) else left._ids()
    return [own, *(own if same else other._ids()
                   for other, same in zip(others, placed, strict=True))]  # fmt: skip


def _on_given_universe(
    sides: list[Clustering], ids: list[NDArray[Any]], universe: Any
) -> list[Clustering]:
    """Align clusterings on a given universe, including the objects that none mentions."""
    left, *others = (
        side._moved(None, Objects(len(own), own, "id"))
        for side, own in zip(sides, ids, strict=True)
    )
    pairs = [lay_out(align(left, other, universe=universe)) for other in others]
    if isinstance(universe, (int, np.integer)):  # each pair has its own order of objects
        everyone = np.arange(universe)
        pairs = [align(left, other, universe=everyone) for other in others]
    return [pairs[0].left, *(pair.right for pair in pairs)]


def _common_ids(ids: list[NDArray[Any]], rule: str) -> NDArray[Any]:
    known = ids[0]
    for other in ids[1:]:
        if rule == "intersection":
            known = known[locate(known, other) >= 0]
        elif rule == "union":
            known = np.concatenate((known, other[locate(other, known) < 0]))
    return known


def resampled(clustering: Clustering, times: Integers) -> Clustering:
    """Repeat each object a number of times; copies of one object are in the same clusters."""
    n_objects = int(times.sum())
    incidence: Incidence = clustering._incidence
    if isinstance(incidence, Codes):
        incidence = Codes(frozen(np.repeat(incidence.codes, times)), incidence.n_codes)
    else:
        incidence = _repeated(incidence, times, n_objects)
    return Clustering._make(Parts(incidence, Objects(n_objects)))


def _repeated(runs: Runs, times: Integers, n_objects: int) -> Runs:
    """Repeat each member as often as it was drawn; copies of an object are consecutive."""
    members_times = times[runs.members]
    ends = np.cumsum(members_times)
    first_copy = np.cumsum(times) - times
    places = np.arange(int(ends[-1]) if len(ends) else 0)
    nth_copy = places - np.repeat(ends - members_times, members_times)
    members = np.repeat(first_copy[runs.members], members_times) + nth_copy
    pointers = np.concatenate(([0], ends))[runs.pointers]
    return Runs(frozen(pointers), frozen(members.astype(narrowest(n_objects))))
