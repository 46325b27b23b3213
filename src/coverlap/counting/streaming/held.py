"""The side that is held in memory: the clusters of each object, at 4 bytes a membership."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core import pages
from coverlap.core.hashing import KEY
from coverlap.core.incidence import frozen
from coverlap.core.threads import Workers
from coverlap.counting.memory.workspace import count_type
from coverlap.tables.coding import CodedSide
from coverlap.tables.database import Database


class Held(NamedTuple):
    """Object i is in the clusters ``lists[ends[i]:ends[i + 1]]``, each once."""

    ends: NDArray[np.unsignedinteger]
    lists: NDArray[np.uint32]
    sizes: NDArray[np.int64]
    fingerprints: NDArray[np.uint64]
    n_in_several: int


def count_clusters(
    side: CodedSide, known: int, flags: NDArray[np.uint8], database: Database, team: Workers
) -> tuple[NDArray[np.unsignedinteger], NDArray[np.bool_]]:
    """Count the rows of each object, after a 0 to begin with, and mark the objects.

    Also return which clusters occur.
    """
    bounds = pages.zeros(len(flags) + 1, count_type(side.n_rows))
    occurs = np.zeros(len(side.names), bool)
    ranges = team.ranges(len(flags))
    for objects, codes in side.rows.chunks(database):
        chunk = frozen(objects), frozen(codes), side.numbers
        team.run(
            _kernels.streaming.count_by_object, *chunk, *ranges, known, flags, bounds[1:], occurs
        )
    team.run(_kernels.streaming.mark_members, *ranges, bounds[1:], known, flags)
    return bounds, occurs


def hold(
    side: CodedSide, bounds: NDArray[np.unsignedinteger], flags: NDArray[np.uint8], wanted: int,
    database: Database, team: Workers,
) -> Held:  # fmt: skip
    """List the clusters of each object that is kept, given the counts of `count_clusters`.

    Kept objects have the wanted flags; all are kept if these are 0.
    """
    kernels, free = _kernels.streaming, bounds[1:]
    lists = pages.zeros(int(kernels.begin_lists(free, flags)), np.uint32)
    lows, highs = team.ranges(len(flags))
    for objects, codes in side.rows.chunks(database):
        chunk = frozen(objects), frozen(codes), side.numbers
        team.run(kernels.list_by_object, *chunk, lows, highs, flags, wanted, free, lists)
    repeated = team.map(kernels.sort_lists, lows, highs, bounds, lists)
    if sum(map(int, repeated)):
        lists = lists[: int(kernels.squeeze_lists(bounds, lists))]
    return _summed(frozen(bounds), frozen(lists), np.zeros(len(side.names), bool), team)


def without(held: Held, repeated: NDArray[np.int64], team: Workers) -> int:
    """Return the number of objects in several clusters if some clusters did not exist."""
    if len(repeated) == 0:
        return held.n_in_several
    skipped = np.zeros(len(held.sizes), bool)
    skipped[repeated] = True
    return _summed(held.ends, held.lists, skipped, team).n_in_several


def _summed(
    ends: NDArray[np.unsignedinteger], lists: NDArray[np.uint32], skipped: NDArray[np.bool_],
    team: Workers,
) -> Held:  # fmt: skip
    sizes = np.zeros((team.threads, len(skipped)), np.int64)
    sums = np.zeros((team.threads, len(skipped), 2), np.uint64)
    n_several = team.map(
        _kernels.streaming.sum_lists, *team.balanced(ends), ends, lists, skipped, KEY,
        list(sizes), list(sums),
    )  # fmt: skip
    fingerprints = np.stack(
        (np.bitwise_xor.reduce(sums[:, :, 0]), np.add.reduce(sums[:, :, 1])), axis=1
    )
    return Held(ends, lists, sizes.sum(axis=0), fingerprints, sum(map(int, n_several)))
