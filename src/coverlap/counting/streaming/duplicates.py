"""Equal clusters of one side: found by fingerprints, and compared member by member."""

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import frozen
from coverlap.core.threads import Workers
from coverlap.counting.streaming.members import list_members
from coverlap.tables.coding import CodedSide
from coverlap.tables.database import Database


def repeated_clusters(
    side: CodedSide, clusters: NDArray[np.int64], sizes: NDArray[np.int64],
    fingerprints: NDArray[np.uint64], flags: NDArray[np.uint8], wanted: int, room: int,
    database: Database, team: Workers,
) -> NDArray[np.int64]:  # fmt: skip
    """Return those of some clusters that are equal to an earlier one, in cluster order.

    ``room`` is the number of members to hold at a time, more if one group of candidates has more.
    """
    order, starts = _candidates(sizes, fingerprints)
    if len(order) == 0:
        return np.empty(0, np.int64)
    n_rows = _count_rows(side, database)
    found, ends = [], np.append(np.flatnonzero(np.diff(starts)) + 1, len(order))
    rows_until = np.cumsum(n_rows[clusters[order]])
    begin = 0
    while begin < len(order):
        most = (rows_until[begin - 1] if begin else 0) + room
        fitting = ends[(ends > begin) & (rows_until[ends - 1] <= most)]
        end = int(fitting[-1]) if len(fitting) else int(ends[ends > begin][0])
        chosen = clusters[order[begin:end]]
        members = list_members(side, chosen, n_rows[chosen], flags, wanted, database, team)
        pointers, unsorted = members.runs
        first_equal = np.empty(len(chosen), np.int64)
        _kernels.streaming.find_equal(
            frozen(starts[begin:end] - begin), pointers, unsorted.copy(), first_equal
        )
        found.append(chosen[first_equal != np.arange(len(chosen))])
        begin = end
    return np.sort(np.concatenate(found))


def _candidates(
    sizes: NDArray[np.int64], fingerprints: NDArray[np.uint64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the clusters with the size and fingerprint of another, group by group.

    Also return where the group of each of them begins. Each group is in cluster order.
    """
    keys = sizes, fingerprints[:, 0], fingerprints[:, 1]
    order = np.argsort(keys[1], kind="stable")
    order = order[sizes[order] > 0]
    candidate = np.zeros(len(order), bool)
    candidate[1:] = keys[1][order[1:]] == keys[1][order[:-1]]
    candidate[:-1] |= candidate[1:]
    order = order[candidate]
    order = order[np.lexsort([key[order] for key in keys])]
    changes = np.ones(len(order) + 1, bool)
    changes[1:-1] = np.any([key[order[1:]] != key[order[:-1]] for key in keys], axis=0)
    first = np.flatnonzero(changes)
    lengths = np.diff(first)
    order = order[np.repeat(lengths > 1, lengths)]
    lengths = lengths[lengths > 1]
    return order, np.repeat(np.cumsum(lengths) - lengths, lengths)


def _count_rows(side: CodedSide, database: Database) -> NDArray[np.int64]:
    """Return the number of rows of each cluster."""
    counts = np.zeros(len(side.names), np.int64)
    for _, codes in side.rows.chunks(database):
        _kernels.streaming.count_rows(frozen(codes), side.numbers, counts)
    return counts
