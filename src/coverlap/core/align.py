"""Rules: which objects are compared; and align: two clusterings on one universe of objects."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from coverlap.core.checks import check_option
from coverlap.core.errors import OptionError, UniverseError
from coverlap.core.incidence import Runs, frozen, narrowest
from coverlap.core.match_ids import (
    MERGERS,
    check_index,
    comparable_ids,
    locate_members,
    merge_union,
)
from coverlap.core.memberships import MANY_OBJECTS, Memberships
from coverlap.core.objects import Objects, are_equal, locate
from coverlap.core.texts import Ids
from coverlap.core.values import INT64_MAX
from coverlap.core.wording import shown

MOST_OBJECTS = 2**28
"""Unmentioned objects are not written out one by one if there are more objects than this."""

SIDES = ("left", "right")

UniverseRule = Literal["union", "intersection", "left", "right"]
UniverseOption = UniverseRule | Iterable[Any] | int | Path
"""What users may pass for the universe: a rule, ids, a number n for 0..n-1, or a file of ids."""

DropRule = Literal["left", "right", "either", "both"]

RULES: tuple[str, ...] = get_args(UniverseRule)
DROP_RULES: tuple[str | None, ...] = (None, *get_args(DropRule))

Treatment = Literal["singletons", "cluster"]
TREATMENTS: tuple[str | None, ...] = (None, *get_args(Treatment))


class Rules(NamedTuple):
    """Which objects are compared, and what becomes of outliers; options of every verb.

    `coverlap.core.align.align` follows them. A new rule must also be followed where rules are
    handled apart: in `keep_all_objects`, in `coverlap.graph.align` and in `coverlap.bootstrap`.

    Attributes
    ----------
    universe : {"union", "intersection", "left", "right"} or Objects
        The objects to compare on. An object that a side does not know is an outlier there. Verbs
        also accept ids, a number or a file, which `coverlap.clustering.recognise` reads.
    n_objects : int, optional
        The number of objects in all, if some are never mentioned: they are outliers on both
        sides. Requires ``universe="union"``.
    drop_outliers : {None, "left", "right", "either", "both"}
        Leave out the objects that are outliers on that side, on either, or on both.
    outliers_as : {None, "singletons", "cluster"}
        Make a cluster of each outlier, or one cluster of all outliers of a side.
    """

    universe: Any = "union"
    n_objects: int | None = None
    drop_outliers: str | None = None
    outliers_as: str | None = None

    def check(self) -> None:
        """Raise an error for unknown rules, and for rules that contradict each other."""
        by_name = isinstance(self.universe, str)
        if by_name:
            check_option("universe", self.universe, RULES)
        check_option("drop_outliers", self.drop_outliers, DROP_RULES)
        check_option("outliers_as", self.outliers_as, TREATMENTS)
        if self.n_objects is not None and not (by_name and self.universe == "union"):
            raise OptionError("n_objects counts all objects, so it goes with universe='union' only")

    @property
    def symmetric(self) -> bool:
        """Whether left and right are treated alike."""
        one_sided = {"left", "right"}
        by_side = isinstance(self.universe, str) and self.universe in one_sided
        return not by_side and self.drop_outliers not in one_sided

    @property
    def keep_all_objects(self) -> bool:
        """Whether two clusterings of the same objects are compared on just these objects."""
        return (
            isinstance(self.universe, str) and self.universe in RULES
            and self.n_objects is None and self.drop_outliers is None
        )  # fmt: skip


DEFAULT_RULES = Rules()


class Pair(NamedTuple):
    """Two clusterings of the same objects, which have the same positions on both sides.

    ``n_unmentioned`` objects of the universe are known to neither side: outliers on both.
    ``n_only_left`` and ``n_only_right`` count the objects that only one side knew; ``disjoint``
    says whether both sides knew objects, but none in common. ``weights`` are those of the objects,
    integers or floats above 0, and ``n_weightless`` objects of weight 0 were left out.
    """

    left: Memberships
    right: Memberships
    objects: Objects
    rule: str
    n_only_left: int = 0
    n_only_right: int = 0
    n_unmentioned: int = 0
    n_outliers_dropped: int = 0
    disjoint: bool = False
    weights: NDArray[Any] | None = None
    n_weightless: int = 0

    @property
    def n_objects(self) -> int:
        """Number of objects in the universe."""
        return self.objects.n + self.n_unmentioned


def align(left: Memberships, right: Memberships, rules: Rules = DEFAULT_RULES) -> Pair:
    """Put two clusterings on one universe, and treat their outliers."""
    universe, n_objects = rules.universe, rules.n_objects
    one, other = left.objects, right.objects
    by_position = identified_by_position(one, other)
    if by_position and one.n != other.n:
        raise _different_numbers(left, right)
    in_place = isinstance(universe, str) and n_objects is None
    if in_place and by_position:
        pair = _pair_in_place(left, right, universe)
    elif in_place and have_equal_ids(one, other):
        if one.identified_by == other.identified_by == "index":
            check_index(one, "the index of left")
        pair = _pair_in_place(left, right, universe)
    else:
        pair = _align_ids(left, right, universe, n_objects)
    if rules.drop_outliers is not None:
        pair = remove_outliers(pair, rules.drop_outliers)
    return treat_outliers(pair, rules.outliers_as)


def have_equal_ids(one: Objects, other: Objects) -> bool:
    """Return whether objects are seen to have the same ids, in the same order."""
    if "position" in (one.identified_by, other.identified_by) or one.n != other.n:
        return False
    if one.ids is None or other.ids is None:
        return one.ids is other.ids
    return one.ids is other.ids or are_equal(one.ids, other.ids)


def identified_by_position(left: Objects, right: Objects) -> bool:
    """Return whether objects are identified by position."""
    kinds = {left.identified_by, right.identified_by}
    return "position" in kinds and "id" not in kinds


def _different_numbers(left: Memberships, right: Memberships) -> UniverseError:
    hint = "pass dicts, Series or pairs to compare different objects"
    for name, side, n in (("left", left, right.n_objects), ("right", right, left.n_objects)):
        n_rows = side.n_clusters + side.n_dropped + side.n_merged
        if isinstance(side.incidence, Runs) and n_rows == n:
            how = "write it transposed" if side.from_file else "say from_matrix(m, rows='objects')"
            hint = f"if {name} is a matrix of objects x clusters, {how}"
    return UniverseError(
        f"left has {left.n_objects:,} objects and right has {right.n_objects:,}, but without ids "
        f"they must be the same ones; {hint}"
    )


def _pair_in_place(left: Memberships, right: Memberships, rule: str) -> Pair:
    one, other = left.objects, right.objects
    if one.ids is not other.ids or "index" in (one.identified_by, other.identified_by):
        right = replace(right, objects=one)
    is_wide = left.objects.ids is None and left.objects.n > MANY_OBJECTS
    if is_wide and left.mentions_few and right.mentions_few:
        return _pair_of_mentioned(left, right, rule)
    return Pair(left, right, left.objects, rule)


def _pair_of_mentioned(left: Memberships, right: Memberships, rule: str) -> Pair:
    """Return a pair on the objects in some cluster, the others being unmentioned."""
    members = [side.runs.members for side in (left, right)]
    ids = np.unique(np.concatenate(members)).astype(np.int64)
    objects = Objects(len(ids), ids, "id")
    places = [np.searchsorted(ids, own).astype(narrowest(len(ids))) for own in members]
    one, other = (
        replace(side, incidence=Runs(side.runs.pointers, frozen(place)), objects=objects)
        for side, place in zip((left, right), places, strict=True)
    )
    return Pair(one, other, objects, rule, n_unmentioned=left.n_objects - len(ids))


def _align_ids(
    left: Memberships, right: Memberships, universe: str | Objects, n_objects: int | None
) -> Pair:
    for objects in (left.objects, right.objects):
        if objects.ids is None:
            check_can_be_written_out(objects.n)
    left_ids: Ids
    right_ids: Ids
    if identified_by_position(left.objects, right.objects):
        left_ids, right_ids = np.arange(left.n_objects), np.arange(right.n_objects)
    else:
        left_ids, right_ids = comparable_ids(left.objects, right.objects)
    left_position = locate(right_ids, left_ids)
    n_common = int(np.count_nonzero(left_position >= 0))
    n_unmentioned = 0
    if isinstance(universe, str):
        rule = universe
        to_left, to_right, ids = MERGERS[universe](left_ids, right_ids, left_position)
    else:
        rule = "given objects"
        to_left = locate_members(left, left_ids, universe, "left")
        to_right = locate_members(right, right_ids, universe, "right")
        if universe.ids is not None:
            ids = universe.ids
        else:
            to_left, to_right, ids = merge_union(left_ids, right_ids, left_position)
            n_unmentioned = universe.n - len(ids)
    if n_objects is not None:
        rule = "given number of objects"
        n_unmentioned = count_unmentioned(n_objects, len(ids))
    objects = Objects(len(ids), ids, "id")
    return Pair(
        left.moved(to_left, objects), right.moved(to_right, objects), objects, rule,
        len(left_ids) - n_common, len(right_ids) - n_common, n_unmentioned,
        disjoint=n_common == 0 < min(len(left_ids), len(right_ids)),
    )  # fmt: skip


def count_unmentioned(n_objects: Any, n_known: int) -> int:
    """Return how many of n_objects are known to neither side."""
    if isinstance(n_objects, bool) or not isinstance(n_objects, (int, np.integer)):
        raise OptionError(f"n_objects must be an integer, not {shown(n_objects)}")
    if n_objects < n_known:
        raise UniverseError(
            f"n_objects is {shown(n_objects)}, but the two clusterings know {n_known:,} objects"
        )
    if n_objects > INT64_MAX:
        raise OptionError(f"n_objects must be below 2**63, not {shown(n_objects)}")
    return int(n_objects) - n_known


def write_out_unmentioned(pair: Pair) -> Pair:
    """Add the objects that neither side mentions, as outliers on both sides."""
    if pair.n_unmentioned == 0:
        return pair
    check_can_be_written_out(pair.n_objects)
    objects = Objects(pair.n_objects)
    left, right = (side.moved(None, objects) for side in (pair.left, pair.right))
    return pair._replace(left=left, right=right, objects=objects, n_unmentioned=0)


def check_can_be_written_out(n_objects: int) -> None:
    """Raise an error if there are too many objects for one item each."""
    if n_objects > MOST_OBJECTS:
        raise UniverseError(
            f"{n_objects:,} objects, most of them never mentioned, are too many for this; leave "
            "n_objects out, or give a smaller universe"
        )


def remove_outliers(pair: Pair, rule: str) -> Pair:
    """Remove the objects that are outliers on that side, on either, or on both."""
    left, right = pair.left.outlier_mask(), pair.right.outlier_mask()
    masks = {"left": left, "right": right, "either": left | right, "both": left & right}
    kept = keep_objects(pair, ~masks[rule])
    return kept._replace(n_unmentioned=0, n_outliers_dropped=pair.n_objects - kept.objects.n)


def keep_objects(pair: Pair, stays: NDArray[np.bool_]) -> Pair:
    """Return the pair without the objects that do not stay."""
    position = np.where(stays, np.cumsum(stays) - 1, -1)
    objects = Objects(int(np.count_nonzero(stays)), pair.objects.id_array()[stays], "id")
    left, right = (side.moved(position, objects) for side in (pair.left, pair.right))
    return pair._replace(left=left, right=right, objects=objects)


def treat_outliers(pair: Pair, outliers_as: str | None) -> Pair:
    """Put the outliers of each side into clusters, unless they stay outliers."""
    return pair if outliers_as is None else cluster_outliers(pair, outliers_as)


def cluster_outliers(pair: Pair, outliers_as: str) -> Pair:
    """Put the outliers of each side into one cluster, or into a cluster each."""
    whole = write_out_unmentioned(pair)
    left, right = (side.with_outliers_as(outliers_as) for side in (whole.left, whole.right))
    return whole._replace(left=left, right=right)
