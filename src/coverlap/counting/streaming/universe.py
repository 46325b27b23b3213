"""Which objects are compared, by flags of all objects, and how many are outliers."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap._kernels.streaming import GIVEN, KEPT, KNOWN, MEMBER
from coverlap.core.align import Rules, count_unmentioned
from coverlap.core.errors import UniverseError
from coverlap.core.threads import Workers
from coverlap.core.wording import some
from coverlap.tables.coding import CodedTables

LEFT, RIGHT = KNOWN, 2 * KNOWN
IN_LEFT, IN_RIGHT = MEMBER, 2 * MEMBER
EVERY = np.arange(256)

BITS = {"union": 0, "intersection": LEFT | RIGHT, "left": LEFT, "right": RIGHT}
"""The flags that the objects of each universe have."""

MOST_SHOWN = 100_000
"""Number of ids that are sorted for a message."""

Mask = NDArray[np.bool_]
"""Whether objects with each of the 256 flags have a property."""


class Kept(NamedTuple):
    """The universe: its objects, the outliers among them, and how it was chosen.

    ``bits`` are the flags that objects must have to be in it, before outliers are dropped.
    ``is_part`` is whether some members of clusters are not in it.
    """

    n_objects: int
    n_left_outliers: int
    n_right_outliers: int
    n_shared_outliers: int
    rule: str
    n_only_left: int
    n_only_right: int
    n_outliers_dropped: int
    disjoint: bool
    bits: int
    is_part: bool


def choose_objects(
    flags: NDArray[np.uint8], rules: Rules, tables: CodedTables, team: Workers
) -> Kept:
    """Mark the objects that are compared, by the rules of the call, and count them."""
    n = count_flags(flags, team)
    bits, rule = _universe(n, flags, rules, tables)
    is_known = has(LEFT | RIGHT)
    in_universe = has(GIVEN) if bits == GIVEN else has_all(bits) & is_known
    is_kept = in_universe & ~_dropped(rules.drop_outliers)
    n_known = total(n, is_known)
    n_unmentioned = 0
    if rules.n_objects is not None:
        rule = "given number of objects"
        n_unmentioned = count_unmentioned(rules.n_objects, n_known)
    elif isinstance(rules.universe, int):
        n_unmentioned = rules.universe - n_known
    n_all = total(n, in_universe) + n_unmentioned
    if rules.drop_outliers is not None:
        n_unmentioned = 0
    n_objects = total(n, is_kept) + n_unmentioned
    n_both = total(n, has(LEFT) & has(RIGHT))
    n_left, n_right = total(n, has(LEFT)), total(n, has(RIGHT))
    _replace_flags(flags, np.where(is_kept, EVERY | KEPT, EVERY).astype(np.uint8), team)
    no_left, no_right = is_kept & ~has(IN_LEFT), is_kept & ~has(IN_RIGHT)
    return Kept(
        n_objects,
        total(n, no_left) + n_unmentioned,
        total(n, no_right) + n_unmentioned,
        total(n, no_left & no_right) + n_unmentioned,
        rule,
        n_left - n_both,
        n_right - n_both,
        n_all - n_objects,
        n_both == 0 < min(n_left, n_right),
        bits,
        total(n, ~is_kept & has(IN_LEFT | IN_RIGHT)) > 0,
    )


def has(bits: int) -> Mask:
    """Return which flags have one of these bits."""
    return (EVERY & bits) > 0


def has_all(bits: int) -> Mask:
    """Return which flags have all of these bits."""
    found: Mask = (EVERY & bits) == bits
    return found


def total(counts: NDArray[np.int64], mask: Mask) -> int:
    """Return the number of objects whose flags have a property."""
    return int(counts[mask].sum())


def count_flags(flags: NDArray[np.uint8], team: Workers) -> NDArray[np.int64]:
    """Count the objects by their flags."""
    counts = np.zeros((team.threads, 256), np.int64)
    team.run(_kernels.streaming.count_flags, *team.ranges(len(flags)), flags, list(counts))
    summed: NDArray[np.int64] = counts.sum(axis=0)
    return summed


def _replace_flags(flags: NDArray[np.uint8], new: NDArray[np.uint8], team: Workers) -> None:
    team.run(_kernels.streaming.replace_flags, *team.ranges(len(flags)), flags, new)


def _universe(
    n: NDArray[np.int64], flags: NDArray[np.uint8], rules: Rules, tables: CodedTables
) -> tuple[int, str]:
    """Return the flags that objects of the universe have, and the rule that chose them."""
    universe = rules.universe
    if isinstance(universe, str):
        return BITS[universe], universe
    is_number = isinstance(universe, int)
    for side, known, member in (("left", LEFT, IN_LEFT), ("right", RIGHT, IN_RIGHT)):
        outside = has(known if is_number else member) & ~has(GIVEN)
        if total(n, outside):
            codes = np.flatnonzero(outside[flags])
            ids = sorted(tables.ids(codes[:MOST_SHOWN].tolist()))
            ids += [None] * (len(codes) - len(ids))  # so that they are counted
            what = "objects" if is_number else "members"
            raise UniverseError(f"{side} has {what} outside the universe: {some(ids)}")
    return 0 if is_number else GIVEN, "given objects"


def _dropped(rule: str | None) -> Mask:
    """Return which flags are those of objects that are left out as outliers."""
    left, right = ~has(IN_LEFT), ~has(IN_RIGHT)
    masks = {
        None: np.zeros(256, bool), "left": left, "right": right, "either": left | right,
        "both": left & right,
    }  # fmt: skip
    return masks[rule]
