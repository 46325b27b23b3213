"""What measures count in two tables that are compared where they are."""

from typing import Any

import numpy as np

from coverlap.core.align import Pair, Rules
from coverlap.core.errors import OptionError
from coverlap.core.lazy import lazy_property
from coverlap.counting.contingency import BCubed, Contingency, PairCounts, n_pairs_within
from coverlap.counting.counts import Counts
from coverlap.counting.engines import Choice, count_in_tables, repeatable
from coverlap.counting.matching import (
    SIMILARITIES,
    Matching,
    Similarity,
    SimilarityFormula,
    Totals,
)
from coverlap.counting.table_counts import TableCounts
from coverlap.counting.table_pair import TablePair

USE_MEMORY = "use engine='memory' (--engine memory)"


class NotInTablesError(OptionError):
    """A measure needs what engines for tables do not count."""


class CountsOfTables(Counts):
    """The counts of two tables: best matches, and how many objects clusters share.

    The measures that are functions of these have the same scores as in memory. What needs the
    memberships of each object raises an error.
    """

    def __init__(self, tables: TablePair) -> None:
        super().__init__(None, tables.threads)
        self.tables = tables

    @property
    def found(self) -> TableCounts:
        """What was counted at first."""
        return self.tables.counts

    @property
    def pair(self) -> Pair:
        """The two clusterings, which are not in memory."""
        raise NotInTablesError(f"needs the memberships of each object in memory; {USE_MEMORY}")

    @property
    def of_sets(self) -> "CountsOfTables":
        """The same counts, since equal clusters of tables are merged."""
        return self

    @property
    def n_objects(self) -> int:
        """Number of objects of the universe."""
        return self.found.matching.n_objects

    @property
    def overlapping(self) -> tuple[bool, bool]:
        """Whether clusters overlap, on the left and on the right."""
        left, right = self.tables.n_in_several
        return left > 0, right > 0

    @property
    def n_outliers(self) -> tuple[int, int]:
        """Number of outliers on the left and on the right."""
        return self.found.matching.n_left_outliers, self.found.matching.n_right_outliers

    @lazy_property
    def contingency(self) -> Contingency:
        """Number of objects that each left cluster shares with each right one."""
        return self.tables.contingency()

    @lazy_property
    def pair_counts(self) -> PairCounts:
        """Pairs of objects in one cluster on each side and on both; requires no overlaps."""
        self._reject_overlaps()
        cells = self.contingency
        left, right = n_pairs_within(cells.left_sizes), n_pairs_within(cells.right_sizes)
        both = n_pairs_within(cells.shared.astype(np.int64))
        return PairCounts(self.n_objects, (0, left), (0, right), both, both)

    @property
    def bcubed(self) -> BCubed:
        """Extended B-cubed, which is not counted in tables."""
        self._reject_overlaps()
        return super().bcubed

    def matching(self, similarity: SimilarityFormula | Similarity) -> Matching:
        """Return the best matches by a similarity."""
        if similarity == SIMILARITIES["jaccard"]:
            return self.found.matching
        return self.once(_match, similarity)

    def totals(self, similarity: SimilarityFormula | Similarity, average: str) -> Totals:
        """Return the sums over the best matches by a similarity."""
        return self.matching(similarity).totals(average)

    def _reject_overlaps(self) -> None:
        if any(self.overlapping):
            raise NotInTablesError(
                f"needs the pairs of objects in memory, since clusters overlap; {USE_MEMORY}"
            )


def _match(counts: CountsOfTables, similarity: Any) -> Matching:
    return counts.tables.match(similarity)


def counts_of_tables(chosen: Choice, rules: Rules, threads: int | None) -> CountsOfTables:
    """Count two tables by DuckDB or by Spark, for measures."""
    if rules.outliers_as is not None:
        raise OptionError(f"outliers_as (--outliers-as) needs both clusterings; {USE_MEMORY}")
    rules = repeatable(rules)
    found = count_in_tables(chosen, rules, SIMILARITIES["jaccard"])
    return CountsOfTables(TablePair(chosen, rules, found, threads))
