"""The members of some clusters of a table, collected while its rows are scanned."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap._kernels.streaming import NO_CLUSTER
from coverlap.core import pages
from coverlap.core.hashing import KEY
from coverlap.core.incidence import Runs, frozen
from coverlap.core.threads import Workers
from coverlap.tables.coding import CodedSide
from coverlap.tables.database import Database


class Bits(NamedTuple):
    """Which objects are in some cluster, and in several, as bits; a row for each thread."""

    once: NDArray[np.uint64]
    twice: NDArray[np.uint64]

    @classmethod
    def of(cls, n_objects: int, team: Workers) -> "Bits":
        """Return the bits of objects in no cluster yet."""
        shape = team.threads, n_objects // 64 + 1
        return cls(np.zeros(shape, np.uint64), np.zeros(shape, np.uint64))

    def n_in_several(self) -> int:
        """Return the number of objects in several clusters."""
        return int(_kernels.streaming.count_bits(self.once, self.twice))


class Members(NamedTuple):
    """The members of some clusters, each once, and a fingerprint of each cluster.

    Equal clusters have equal fingerprints.
    """

    runs: Runs
    fingerprints: NDArray[np.uint64]


def list_members(
    side: CodedSide, clusters: NDArray[np.int64], n_rows: NDArray[np.int64],
    flags: NDArray[np.uint8], wanted: int, database: Database, team: Workers,
    bits: Bits | None = None,
) -> Members:  # fmt: skip
    """Scan a table for the members of some clusters; objects must have the wanted flags.

    ``n_rows`` is the number of rows of each of these clusters. The members are not sorted, and
    marked in ``bits``.
    """
    kernels, n_clusters = _kernels.streaming, len(clusters)
    begins = np.zeros(n_clusters + 1, np.int64)
    np.cumsum(n_rows, out=begins[1:])
    members, ends = pages.zeros(int(begins[-1]), np.uint32), begins[:-1].copy()
    numbers = renumbered(side.numbers, clusters)
    ranges = team.balanced(begins)
    for objects, codes in side.rows.chunks(database):
        chunk = frozen(objects), frozen(codes), numbers
        team.run(kernels.list_by_cluster, *chunk, *ranges, flags, wanted, ends, members)
    fingerprints = np.empty((n_clusters, 2), np.uint64)
    once, twice = bits or Bits.of(len(flags), team)
    seen = np.zeros_like(once)
    team.run(
        kernels.distinct_members, *ranges, frozen(begins.copy()), ends, KEY, list(seen),
        list(once), list(twice), members, fingerprints,
    )  # fmt: skip
    n_left = int((ends - begins[:-1]).sum())
    if n_left < len(members):
        kernels.close_gaps(begins, ends, members)
    runs = Runs(frozen(begins), frozen(members[:n_left]))
    return Members(runs, fingerprints)


def renumbered(numbers: NDArray[np.uint32], clusters: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Number some clusters from 0 on, in this order, as if the others were outliers."""
    position = np.full(int(clusters.max(initial=-1)) + 2, NO_CLUSTER, np.uint32)
    position[clusters] = np.arange(len(clusters), dtype=np.uint32)
    return frozen(position[np.minimum(numbers, len(position) - 1)])
