"""TablePair: two tables on one universe, of which an engine counts more when it is asked to."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.align import Pair, Rules
from coverlap.core.errors import ResourceError
from coverlap.core.incidence import frozen
from coverlap.core.values import object_array, value_array
from coverlap.counting.contingency import Contingency
from coverlap.counting.engines import Choice, count_in_tables, open_tables, read_pair
from coverlap.counting.matching import Matching, SimilarityFormula
from coverlap.counting.relational.member_statements import (
    CELL,
    IN_LEFT,
    IN_RIGHT,
    MOVED,
    MemberStatements,
)
from coverlap.counting.relational.runner import Runner
from coverlap.counting.table_counts import TableCounts
from coverlap.files.coded_columns import TEMPORAL, temporal_values
from coverlap.tables.limits import written

Integers = NDArray[np.int64]
Partners = tuple[Integers, Integers]
"""The position of the partner of each cluster, -1 for none, for the left and the right side."""

CELL_COLUMNS = ("l_cluster", "r_cluster", "shared")

BYTES_PER_CELL = 56
"""The memory of a pair of clusters that share objects, while the pairs are collected."""


ROWS_PER_PART = 1 << 20
"""About how many rows of a large table are in memory at a time."""


class Moved(NamedTuple):
    """The moved objects that clusters share, and counts of objects in clusters of both sides.

    ``n_moved`` of these objects have moved; ``n_common`` is how many of them each cluster of the
    left and of the right side has.
    """

    cells: Contingency
    n_moved: int
    n_common: tuple[Integers, Integers]


@dataclass(frozen=True, eq=False)
class TablePair:
    """Two tables that were compared where they are; the counterpart of `coverlap.core.align.Pair`.

    Each method reads the tables again. Only counts by cluster and by pairs of clusters come here,
    and an error is raised if these do not fit in half of the memory of the comparison.
    """

    chosen: Choice
    rules: Rules
    counts: TableCounts
    threads: int | None = None

    @property
    def has_overlaps(self) -> bool:
        """Whether clusters of some side overlap."""
        return any(self.n_in_several)

    @property
    def n_in_several(self) -> tuple[int, int]:
        """Number of objects in several clusters, on the left and on the right."""
        return self.counts.left.n_in_several, self.counts.right.n_in_several

    def read(self) -> Pair:
        """Read both tables into memory, unless they do not fit."""
        return read_pair(self.chosen.left, self.chosen.right, self.rules, self.threads)

    def match(self, form: SimilarityFormula) -> Matching:
        """Return the best matches by another similarity."""
        return count_in_tables(self.chosen, self.rules, form).matching

    def contingency(self) -> Contingency:
        """Count the objects that each left cluster shares with each right one."""
        with self.opened() as (runner, statements):
            found = self._collected(runner, statements.cells(), CELL_COLUMNS)
        return self._cells(*found)

    def n_common(self) -> tuple[Integers, Integers]:
        """Count the members of each cluster that are in clusters of the other side."""
        with self.opened() as (runner, statements):
            found = runner.arrays(statements.common())
        return self._common(*(np.asarray(found[name]) for name in ("kind", "one", "n")))

    def moved(self, partners: Partners) -> Moved:
        """Count the moved objects: those in clusters whose partners do not hold them."""
        with self.opened(partners) as (runner, statements):
            kind, one, other, n = self._collected(
                runner, statements.moved(), ("kind", "one", "other", "n")
            )
        is_cell = kind == CELL
        cells = self._cells(one[is_cell], other[is_cell], n[is_cell])
        return Moved(cells, int(n[kind == MOVED].sum()), self._common(kind, one, n))

    def count_unions(self, groups: Partners, n_groups: int) -> tuple[Integers, ...]:
        """Count the objects in the clusters of each group; -1 is for clusters in no group.

        The counts are of the objects on the left, on the right and on both sides, and of those on
        one side that are outliers on the other.
        """
        counts = np.zeros((5, n_groups), np.int64)
        with self.opened() as (runner, statements), ExitStack() as views:
            names = [
                views.enter_context(
                    runner.relation({"code": side.codes[part >= 0], "part": part[part >= 0]})
                )
                for side, part in zip(self._sides, groups, strict=True)
            ]
            found = runner.arrays(statements.unions((names[0], names[1])))
        kind, part = (np.asarray(found[name], np.int64) for name in ("kind", "part"))
        counts[kind, part] = found["n"]
        is_side = kind < 2
        counts[kind[is_side] + 3, part[is_side]] = np.asarray(found["n_outside"])[is_side]
        return tuple(counts)

    def ordered_cells(self, others: tuple[Integers, ...]) -> Iterator[list[Integers]]:
        """Yield the pairs of clusters that share objects, with other pairs, in parts.

        Clusters are counted from 1 on. The pairs that share most are first.
        """
        columns = dict(zip(CELL_COLUMNS, others, strict=True))
        with self.opened() as (runner, statements), runner.relation(columns) as name:
            chunks = runner.chunks(statements.ordered_cells(name), CELL_COLUMNS)
            rows = ([column.astype(np.int64) for column in chunk] for chunk in chunks)
            yield from _in_parts(chain([[np.empty(0, np.int64)] * 3], rows))

    def moved_members(self, partners: Partners) -> Iterator[list[NDArray[Any]]]:
        """Yield the memberships of the objects that moved, in parts of whole objects.

        Each has the ids, the side (0 or 1) and the position of the cluster, in this order.
        """
        with self.opened(partners) as (runner, statements):
            rest: list[NDArray[Any]] = [np.empty(0, np.int64)] * 3
            for part in _in_parts(runner.objects(statements.moved_objects())):
                if statements.have_integers and part[0].dtype == object:  # text of digits
                    part[0] = np.asarray(value_array(list(map(int, part[0]))))
                elif statements.id_type in TEMPORAL:
                    part[0] = object_array(temporal_values(part[0].tolist(), statements.id_type))
                rows = [np.concatenate(column) for column in zip(rest, part, strict=True)]
                last = int(np.argmax(rows[0] == rows[0][-1]))
                if last:
                    yield [column[:last] for column in rows]
                rest = [column[last:] for column in rows]
            yield rest

    @property
    def _sides(self) -> tuple[Any, Any]:
        return self.counts.left, self.counts.right

    @contextmanager
    def opened(self, partners: Partners | None = None) -> Iterator[tuple[Runner, MemberStatements]]:
        """Open the tables again, with the clusters that are compared and their partners."""
        with (
            open_tables(self.chosen, self.rules) as (runner, relations),
            ExitStack() as views,
        ):
            names = []
            for number, side in enumerate(self._sides):
                cluster = np.arange(len(side.codes))
                partner = np.full(len(cluster), -1) if partners is None else partners[number]
                columns = {"code": side.codes, "cluster": cluster, "partner": partner}
                names.append(views.enter_context(runner.relation(columns)))
            yield runner, MemberStatements(relations, self.rules, (names[0], names[1]))

    def _collected(
        self, runner: Runner, sql: str, names: tuple[str, ...]
    ) -> list[NDArray[np.uint32]]:
        """Return the columns of a query with a row for each of many pairs of clusters."""
        assert self.chosen.limits is not None  # noqa: S101
        chunks, room = [[np.empty(0, np.uint32)] * len(names)], self.chosen.limits.memory // 2
        for chunk in runner.chunks(sql, names):
            chunks.append([column.copy() for column in chunk])
            room -= BYTES_PER_CELL * len(chunk[0])
            if room < 0:
                raise ResourceError(
                    f"the pairs of clusters that share objects do not fit in "
                    f"{written(self.chosen.limits.memory)} of memory; use more by memory_limit= "
                    "(--memory-limit), or write the table of pairs to a file by "
                    "write_table('contingency', path) (coverlap diff --contingency FILE)"
                )
        return [np.concatenate(column) for column in zip(*chunks, strict=True)]

    def _cells(
        self, rows: NDArray[Any], columns: NDArray[Any], shared: NDArray[Any]
    ) -> Contingency:
        matching = self.counts.matching
        sizes = matching.left.sizes, matching.right.sizes
        order = np.lexsort((columns, rows))
        lengths = np.bincount(rows, minlength=len(sizes[0]))
        pointers = np.concatenate(([0], np.cumsum(lengths)))
        left_sizes, right_sizes = (frozen(size.copy()) for size in sizes)
        return Contingency(
            frozen(pointers), frozen(columns[order]), frozen(shared[order]),
            left_sizes, right_sizes, matching.n_objects,
        )  # fmt: skip

    def _common(
        self, kind: NDArray[Any], clusters: NDArray[Any], n: NDArray[Any]
    ) -> tuple[Integers, Integers]:
        made = []
        for side, wanted in zip(self._sides, (IN_LEFT, IN_RIGHT), strict=True):
            counts = np.zeros(len(side.codes), np.int64)
            counts[clusters[kind == wanted]] = n[kind == wanted]
            made.append(frozen(counts))
        return made[0], made[1]


def _in_parts(chunks: Iterable[list[NDArray[Any]]]) -> Iterator[list[NDArray[Any]]]:
    """Join chunks of columns, so that no part but the last one is small."""
    held: list[list[NDArray[Any]]] = []
    for chunk in chunks:
        held.append(chunk)
        if sum(len(columns[0]) for columns in held) >= ROWS_PER_PART:
            yield [np.concatenate(column) for column in zip(*held, strict=True)]
            held = []
    if held:
        yield [np.concatenate(column) for column in zip(*held, strict=True)]
