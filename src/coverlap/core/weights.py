"""Weights of objects: each object of two aligned clusterings is given its weight."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.align import (
    Pair,
    Rules,
    align,
    check_can_be_written_out,
    identified_by_position,
    keep_objects,
)
from coverlap.core.errors import InputError, OptionError, UniverseError
from coverlap.core.incidence import frozen
from coverlap.core.match_ids import check_index, have_common_type
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects, locate_among
from coverlap.core.texts import Ids
from coverlap.core.wording import quantity, shown, some


class GivenWeights(NamedTuple):
    """The weights that a user passed, integers or floats, and the objects that they belong to."""

    values: NDArray[Any]
    objects: Objects

    @property
    def by_position(self) -> bool:
        """Whether the weights have neither ids nor an index."""
        return self.objects.identified_by == "position"


def check_rules(rules: Rules) -> None:
    """Reject rules that add objects which cannot have a weight."""
    if rules.n_objects is not None:
        raise OptionError(
            "n_objects adds objects without ids, which cannot have weights; give the ids of all "
            "objects by universe="
        )


def align_weighted(
    left: Memberships, right: Memberships, rules: Rules, given: GivenWeights
) -> Pair:
    """Put two clusterings on one universe, without the objects of weight 0.

    Sides that are compared by position have no ids while they are aligned, so that the ids of the
    pair are positions in the weights.
    """
    index = left.objects.ids
    in_place = identified_by_position(left.objects, right.objects)
    if in_place:
        given = _in_order_of_sides(given, left.objects, right.objects)
        left, right = (replace(side, objects=Objects(side.n_objects)) for side in (left, right))
    else:
        index = None
        given = _with_ids(given, left.objects, right.objects)
    pair = _with_all_objects(align(left, right, rules))
    if given.by_position:
        _check_length(len(given.values), pair, rules, in_place=in_place)
    weights = _look_up(given, pair.objects.id_array())
    if index is not None and isinstance(rules.universe, str):
        pair = _with_index(pair, index)
    return _without_weightless(pair, weights)


def _in_order_of_sides(given: GivenWeights, left: Objects, right: Objects) -> GivenWeights:
    """Return the weights by position if a side has an index to look them up by, or they have."""
    side = left if left.ids is not None else right
    if given.by_position or (side.ids is None and given.objects.identified_by == "index"):
        return GivenWeights(given.values, Objects(len(given.values)))
    if side.ids is None:
        return given
    for objects, name in ((side, "left" if side is left else "right"), (given.objects, "weights")):
        check_index(objects, f"the index of {name}")
    return GivenWeights(_look_up(given, side.ids), Objects(side.n))


def _with_ids(given: GivenWeights, left: Objects, right: Objects) -> GivenWeights:
    """Return the weights with the ids by which the sides are compared."""
    check_index(given.objects, "the index of weights")
    if not given.by_position or "id" in (left.identified_by, right.identified_by):
        return given
    if not np.array_equal(locate_among(left.id_array(), right), np.arange(right.n)):
        raise UniverseError(
            "left and right are compared by their index, which differs, so weights must be a "
            "Series with an index or a dict, too"
        )
    if len(given.values) != left.n:
        raise _wrong_number(len(given.values), left.n)
    return given._replace(objects=left)


def _with_all_objects(pair: Pair) -> Pair:
    """Write out the objects of 0..n-1 that neither side mentions; they have weights, too."""
    if pair.n_unmentioned == 0:
        return pair
    check_can_be_written_out(pair.n_objects)
    objects, position = Objects(pair.n_objects), np.asarray(pair.objects.id_array(), np.int64)
    left, right = (side.moved(position, objects) for side in (pair.left, pair.right))
    return pair._replace(left=left, right=right, objects=objects, n_unmentioned=0)


def _check_length(n_weights: int, pair: Pair, rules: Rules, *, in_place: bool) -> None:
    """Raise an error if weights without ids are not as many as the objects, if these are known."""
    universe, n_objects = rules.universe, pair.n_objects + pair.n_outliers_dropped
    if isinstance(universe, Objects):
        if universe.ids is None and n_weights != n_objects:
            raise _wrong_number(n_weights, n_objects)
    elif (in_place or universe == "union") and n_weights != n_objects:
        longer = not in_place and n_weights > n_objects
        hint = f"; if the objects are 0 to {n_weights - 1:,}, say universe={n_weights}" * longer
        raise _wrong_number(n_weights, n_objects, hint)


def _wrong_number(n_weights: int, n_objects: int, hint: str = "") -> UniverseError:
    return UniverseError(
        f"weights must have one weight for each of the {quantity(n_objects, 'object')}, but has "
        f"{n_weights:,}{hint}"
    )


def _look_up(given: GivenWeights, ids: Ids) -> NDArray[Any]:
    """Return the weight of each id, or raise an error if one has none."""
    place = locate_among(ids, given.objects)
    missing = place < 0
    if not missing.any():
        return np.asarray(given.values[place])
    known = given.objects.id_array()
    hint = ""
    if given.by_position:
        hint = "; without ids, weights are those of 0, 1, ..., so pass a dict or a Series"
    elif len(known) and not have_common_type([ids, known]):
        hint = f"; the ids of weights are of another type: {shown(known[:1].tolist()[0])}, ..."
    raise UniverseError(
        f"weights must have a weight for each object, but lacks {some(ids[missing].tolist())}{hint}"
    )


def _with_index(pair: Pair, index: Ids) -> Pair:
    """Return a pair whose ids are positions with the ids of an index."""
    objects = Objects(pair.objects.n, index[pair.objects.id_array()], "index")
    left, right = (replace(side, objects=objects) for side in (pair.left, pair.right))
    return pair._replace(left=left, right=right, objects=objects)


def _without_weightless(pair: Pair, weights: NDArray[Any]) -> Pair:
    stays = weights > 0
    n_weightless = len(weights) - int(np.count_nonzero(stays))
    if n_weightless == 0:
        return pair._replace(weights=frozen(weights))
    if n_weightless == len(weights):
        raise InputError("the weights of the objects compared must not all be 0")
    kept = frozen(weights[stays])
    return keep_objects(pair, stays)._replace(weights=kept, n_weightless=n_weightless)
