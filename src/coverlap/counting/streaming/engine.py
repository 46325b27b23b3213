"""Best matches of the clusters of two tables that are scanned, one of them in several passes."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap._kernels.streaming import GIVEN, KEPT, KNOWN
from coverlap.core.align import Rules
from coverlap.core.incidence import frozen
from coverlap.core.threads import Workers, number_of_threads, workers
from coverlap.counting.matching import Matching, Side, SimilarityFormula
from coverlap.counting.memory.workspace import (
    Best,
    block_scratch,
    by_row,
    merged,
    no_best,
    scratch,
)
from coverlap.counting.streaming.duplicates import repeated_clusters
from coverlap.counting.streaming.held import Held, count_clusters, hold, without
from coverlap.counting.streaming.members import Bits, list_members
from coverlap.counting.streaming.universe import Kept, choose_objects
from coverlap.counting.table_counts import TableCounts, TableSide
from coverlap.tables.coding import CodedSide, CodedTables
from coverlap.tables.database import Database

LEAST_ROOM = 1 << 16
"""The smallest number of memberships that one pass lists."""

BYTES_PER_CLUSTER = 68
"""The memory that a cluster takes: its size, fingerprint, best matches and counters."""

MOST_PASSES = 64


class Plan(NamedTuple):
    """Which side is held, how many members of the other one are listed at a time.

    ``n_scanned`` is the number of rows that all passes scan, unless clusters are equal.
    """

    holds_left: bool
    room: int
    n_scanned: int


def plan_for(tables: CodedTables, memory: int, threads: int) -> Plan | None:
    """Return how to count with so much memory, None if it does not suffice for this engine."""
    left, right = tables.left, tables.right
    holds_left = left.n_rows <= right.n_rows
    held, other = (left, right) if holds_left else (right, left)
    per_object = 5 + 3 * threads / 8 if held.n_rows < 2**32 else 9 + 3 * threads / 8
    n_clusters = len(left.names) + len(right.names)
    fixed = 4 * held.n_rows + per_object * tables.n_codes + BYTES_PER_CLUSTER * n_clusters
    room = max(int((memory - fixed) / 4), 0)
    if room < max(other.n_rows // MOST_PASSES, min(LEAST_ROOM, other.n_rows)):
        return None
    n_passes = -(-other.n_rows // room) if other.n_rows else 0
    return Plan(holds_left, room, 2 * held.n_rows + (1 + n_passes) * other.n_rows)


def count_tables(
    database: Database, tables: CodedTables, rules: Rules, form: SimilarityFormula, plan: Plan
) -> TableCounts:
    """Count two coded tables on one universe, and match their clusters."""
    left, right = tables.left, tables.right
    n_clusters = max(len(left.names), len(right.names))
    threads = number_of_threads(None, max(left.n_rows, right.n_rows), n_clusters)
    with workers(min(threads, database.limits.threads)) as team:
        return _Counting(database, tables, rules, form, plan, team).run()


class _Counting:
    """One comparison of tables: the side that is held, and the one that is scanned in passes."""

    def __init__(
        self, database: Database, tables: CodedTables, rules: Rules, form: SimilarityFormula,
        plan: Plan, team: Workers,
    ) -> None:  # fmt: skip
        self.database, self.tables, self.rules, self.form = database, tables, rules, form
        self.plan, self.team = plan, team
        sides = tables.left, tables.right
        self.held_side, self.other_side = sides if plan.holds_left else sides[::-1]
        self.flags = np.zeros(tables.n_codes, np.uint8)

    def run(self) -> TableCounts:
        """Count in passes over both tables."""
        known = KNOWN, 2 * KNOWN
        held_bit, other_bit = known if self.plan.holds_left else known[::-1]
        flags, team, other = self.flags, self.team, self.other_side
        bounds, self.held_occurs = count_clusters(
            self.held_side, held_bit, flags, self.database, team
        )
        counts = np.zeros((team.threads, len(other.names)), np.int64)
        ranges = team.ranges(len(flags))
        for objects, codes in other.rows.chunks(self.database):
            chunk = frozen(objects), frozen(codes), other.numbers
            team.run(
                _kernels.streaming.count_by_cluster, *chunk, *ranges, other_bit, flags, list(counts)
            )
        self.n_rows = counts.sum(axis=0)
        self._mark_given()
        kept = choose_objects(self.flags, self.rules, self.tables, self.team)
        self.wanted = KEPT if kept.is_part else 0
        held = hold(self.held_side, bounds, flags, self.wanted, self.database, team)
        return self._matched(held, kept)

    def _mark_given(self) -> None:
        """Mark the objects of a given universe, once those that the tables know are marked."""
        tables, universe = self.tables, self.rules.universe
        if tables.given is not None:
            for codes in tables.given:
                _kernels.streaming.mark(frozen(codes), GIVEN, self.flags)
        elif isinstance(universe, int) and tables.texts is None:
            low, high = -tables.first, universe - tables.first
            self.flags[max(low, 0) : max(high, 0)] |= GIVEN
        elif isinstance(universe, int) and tables.are_integers:
            known = np.flatnonzero(self.flags)
            inside = [0 <= item < universe for item in tables.ids(known.tolist())]
            self.flags[known[inside]] |= GIVEN

    def _matched(self, held: Held, kept: Kept) -> TableCounts:
        bits = Bits.of(len(self.flags), self.team)
        own_best, held_best, sizes, fingerprints = self._match(held, bits)
        database, flags, room, team = self.database, self.flags, self.plan.room, self.team
        repeated = held_repeated = np.empty(0, np.int64)
        n_several = bits.n_in_several()
        if n_several:  # only clusters that overlap can be equal
            repeated = repeated_clusters(
                self.other_side, np.arange(len(sizes)), sizes, fingerprints, flags, self.wanted,
                room, database, team,
            )  # fmt: skip
        if held.n_in_several:
            held_repeated = repeated_clusters(
                self.held_side, np.arange(len(held.sizes)), held.sizes, held.fingerprints, flags,
                self.wanted, room, database, team,
            )  # fmt: skip
        stays, held_stays = _staying(sizes, repeated), _staying(held.sizes, held_repeated)
        matched = (
            _side(sizes, own_best, stays, held_stays),
            _side(held.sizes, held_best, held_stays, stays),
        )
        if len(repeated):
            n_several = self._count_several(np.flatnonzero(stays))
        summaries = (
            self._summary(self.other_side, self.n_rows > 0, sizes, stays, n_several, kept.bits),
            self._summary(
                self.held_side, self.held_occurs, held.sizes, held_stays,
                without(held, held_repeated, team), kept.bits,
            ),
        )  # fmt: skip
        if self.plan.holds_left:
            matched, summaries = matched[::-1], summaries[::-1]
        matching = Matching(
            *matched, kept.n_objects, kept.n_left_outliers, kept.n_right_outliers,
            kept.n_shared_outliers,
        )  # fmt: skip
        return TableCounts(
            matching, *summaries, kept.rule, kept.n_only_left, kept.n_only_right,
            kept.n_outliers_dropped, kept.disjoint,
        )  # fmt: skip

    def _match(
        self, held: Held, bits: Bits
    ) -> tuple[Best, Best, NDArray[np.int64], NDArray[np.uint64]]:
        """Match the clusters of both sides, in passes over the side that is not held.

        Also return the sizes and fingerprints of that side, and mark its objects.
        """
        n_own, n_held, threads = len(self.n_rows), len(held.sizes), self.team.threads
        own_best, held_bests = no_best(n_own), no_best(threads, n_held)
        sizes, fingerprints = np.zeros(n_own, np.int64), np.zeros((n_own, 2), np.uint64)
        held_sizes = held.sizes.astype(np.float64)
        for begin, end in self._ranges(np.arange(n_own)):
            clusters = np.arange(begin, end)
            members = list_members(
                self.other_side, clusters, self.n_rows[begin:end], self.flags, self.wanted,
                self.database, self.team, bits,
            )  # fmt: skip
            sizes[begin:end] = np.diff(members.runs.pointers)
            fingerprints[begin:end] = members.fingerprints
            pointers = np.zeros(n_own + 1, np.int64)
            pointers[begin : end + 1] = members.runs.pointers
            order = begin + np.argsort(sizes[begin:end], kind="stable")
            largest = int(sizes[begin:end].max(initial=0))
            self.team.run(
                _kernels.matching.match_clusters, self.team.dealt(order), frozen(pointers),
                members.runs.members, held.ends, held.lists, held_sizes, tuple(self.form),
                block_scratch(threads, n_held), *scratch(threads, n_held, largest), own_best,
                by_row(held_bests),
            )  # fmt: skip
        return own_best, merged(held_bests, self.team), sizes, fingerprints

    def _ranges(self, clusters: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
        """Cut clusters of the side that is not held into ranges whose rows fit in memory."""
        rows_until = np.cumsum(self.n_rows[clusters])
        begin = 0
        while begin < len(clusters):
            before = int(rows_until[begin - 1]) if begin else 0
            end = int(np.searchsorted(rows_until, before + self.plan.room, "right"))
            end = max(end, begin + 1)
            yield begin, end
            begin = end

    def _count_several(self, clusters: NDArray[np.int64]) -> int:
        """Return the number of objects in several of these clusters of the side not held."""
        bits = Bits.of(len(self.flags), self.team)
        for begin, end in self._ranges(clusters):
            chosen = clusters[begin:end]
            list_members(
                self.other_side, chosen, self.n_rows[chosen], self.flags, self.wanted,
                self.database, self.team, bits,
            )  # fmt: skip
        return bits.n_in_several()

    def _summary(
        self, side: CodedSide, occurs: NDArray[np.bool_], sizes: NDArray[np.int64],
        stays: NDArray[np.bool_], n_several: int, bits: int,
    ) -> TableSide:  # fmt: skip
        n_dropped = self._count_dropped(side, np.flatnonzero(occurs & (sizes == 0)), bits)
        n_merged = int(np.count_nonzero(occurs)) - n_dropped - int(np.count_nonzero(stays))
        names = side.names if stays.all() else side.names[stays]
        n_memberships = int(sizes[stays].sum())
        return TableSide(
            names, n_memberships, n_merged, n_dropped, n_several, side.outlier_texts,
            np.flatnonzero(stays),
        )  # fmt: skip

    def _count_dropped(self, side: CodedSide, emptied: NDArray[np.int64], bits: int) -> int:
        """Return the number of clusters without members, of which equal ones count once.

        The engine in memory merges equal clusters when it reads them, and again when objects
        outside the universe are left out, before it drops outliers.
        """
        if len(emptied) == 0:
            return 0
        n_rows = np.zeros(len(side.names), np.int64)
        for _, codes in side.rows.chunks(self.database):
            _kernels.streaming.count_rows(frozen(codes), side.numbers, n_rows)
        n_distinct = 0
        for wanted in (bits, 0):
            database, flags, team = self.database, self.flags, self.team
            members = list_members(side, emptied, n_rows[emptied], flags, wanted, database, team)
            sizes, fingerprints = np.diff(members.runs.pointers), members.fingerprints
            repeated = repeated_clusters(
                side, emptied, sizes, fingerprints, flags, wanted, self.plan.room, database, team
            )
            n_distinct += int(np.count_nonzero(sizes)) - len(repeated)
            emptied = emptied[sizes == 0]
        return n_distinct


def _staying(sizes: NDArray[np.int64], repeated: NDArray[np.int64]) -> NDArray[np.bool_]:
    stays = sizes > 0
    stays[repeated] = False
    return stays


def _side(
    sizes: NDArray[np.int64], best: Best, stays: NDArray[np.bool_], others: NDArray[np.bool_]
) -> Side:
    """Return the clusters that stay, with the positions of their matches among those that stay.

    A match always stays: the first of equal clusters wins the tie.
    """
    match, shared, similarity = best[0][stays], best[1][stays], best[2][stays]
    if not others.all():
        match = (np.cumsum(others) - 1)[match]
    return Side(sizes[stays], np.where(shared > 0, match, -1), shared, similarity)
