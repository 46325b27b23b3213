"""Count two relations on one universe, where they are; the counterpart of `coverlap.core.align`."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.align import SIDES, Rules, count_unmentioned
from coverlap.core.errors import UniverseError
from coverlap.core.wording import some
from coverlap.counting.matching import Matching, Side, SimilarityFormula
from coverlap.counting.relational.cluster_statements import ClusterStatements
from coverlap.counting.relational.duplicates import EqualClusters
from coverlap.counting.relational.object_statements import ObjectStatements
from coverlap.counting.relational.relations import Relations
from coverlap.counting.relational.rows import Integers, Rows, rows_of_sides
from coverlap.counting.relational.runner import Runner
from coverlap.counting.table_counts import TableCounts, TableSide
from coverlap.tables.labels import ClusterNames

NAMED = 5
"""The number of objects outside the universe that an error names."""

FEW_CLUSTERS = 1 << 21
"""Up to this number of clusters, each machine of Spark gets their sizes: some 100 MB."""


def count_relations(
    runner: Runner, relations: Relations, names: tuple[ClusterNames, ClusterNames],
    rules: Rules, form: SimilarityFormula,
) -> TableCounts:  # fmt: skip
    """Count two relations of memberships.

    The universe of the rules is the name of a rule or a number; it does not matter if a relation
    has the given objects. Outliers stay outliers: ``outliers_as`` is not considered.
    """
    return _Counted(runner, relations, names, rules, form).counts()


class _Chosen(NamedTuple):
    """The clusters of a side that are compared or dropped, and how many objects are in several.

    These are not counted again if no clusters are merged.
    """

    rows: Rows
    is_kept: NDArray[np.bool_]
    is_dropped: NDArray[np.bool_]
    n_in_several: int | None


class _Counted:
    """What a comparison counts."""

    def __init__(
        self, runner: Runner, relations: Relations, names: tuple[ClusterNames, ClusterNames],
        rules: Rules, form: SimilarityFormula,
    ) -> None:  # fmt: skip
        self._runner = runner
        self._names = names
        self._rules = rules
        self._form = form
        self._has_given = relations.given is not None
        self._has_integers = relations.have_integers
        about_objects = ObjectStatements(relations, rules)
        found = runner.arrays(about_objects.objects())
        self._n = {name: int(column[0]) for name, column in found.items()}
        self._check_universe(about_objects)
        few_clusters = sum(len(side.names) for side in names) <= FEW_CLUSTERS
        self._statements = ClusterStatements(
            relations, rules, runner.hash, few_clusters=few_clusters
        )
        columns = runner.arrays(self._statements.matches(form))
        rows = rows_of_sides(columns, self._statements.n_stages)
        self._sides = [self._choose(side, rows[side]) for side in (0, 1)]

    def _check_universe(self, statements: ObjectStatements) -> None:
        """Reject members outside a given universe, objects other than 0..n-1, too many objects."""
        if self._rules.n_objects is not None:
            count_unmentioned(self._rules.n_objects, self._n["n_universe"])
        for side, name in enumerate(SIDES):
            n_outside = self._n[f"n_{name}_outside"]
            if n_outside:
                first = self._runner.arrays(statements.outside(side, NAMED))["object"].tolist()
                if self._has_integers:  # which are text if some of them are very large
                    first = sorted(map(int, first))
                more = f" and {n_outside - NAMED:,} more" if n_outside > NAMED else ""
                what = "members" if self._has_given else "objects"
                raise UniverseError(f"{name} has {what} outside the universe: {some(first)}{more}")

    def _choose(self, side: int, rows: Rows) -> _Chosen:
        """Drop the clusters that are empty after a step of the rules, and merge equal ones.

        An empty cluster counts once even if several were equal before they were empty.
        """
        equal = EqualClusters(self._runner, self._statements, side, rows)
        is_dropped = np.zeros(len(rows.clusters), bool)
        is_left = ~is_dropped
        for stage, after in enumerate(rows.stages[1:]):
            empty = is_left & (after.sizes == 0)
            if empty.any():
                is_dropped |= equal.firsts(stage, empty)
                is_left &= ~empty
        is_kept = equal.firsts(len(rows.stages) - 1, is_left)
        merged = np.flatnonzero(is_left & ~is_kept)
        n_in_several = equal.count_in_several(merged) if len(merged) else None
        return _Chosen(rows, is_kept, is_dropped, n_in_several)

    def counts(self) -> TableCounts:
        """Return all counts."""
        n = self._n
        places = [np.flatnonzero(side.is_kept) for side in self._sides]
        left, right = (self._side(side, places) for side in (0, 1))
        n_objects, n_dropped, rule = self._universe()
        n_more = n_objects - n["n_objects"]
        matching = Matching(
            left, right, n["n_objects"], n["n_left"], n["n_right"], n["n_shared"]
        ).with_outliers(n_more)
        one, other = (
            self._describe(side, places[side], n[f"n_{SIDES[side]}_several"]) for side in (0, 1)
        )
        return TableCounts(
            matching, one, other, rule, n["n_only_left"], n["n_only_right"], n_dropped,
            disjoint=n["n_common"] == 0 < min(n["n_only_left"], n["n_only_right"]),
        )  # fmt: skip

    def _universe(self) -> tuple[int, int, str]:
        """Return the number of objects, of outliers dropped, and how the universe was chosen."""
        n_known, n_kept = self._n["n_universe"], self._n["n_objects"]
        n_universe, rule = n_known, str(self._rules.universe)
        if self._has_given:
            rule = "given objects"
        elif not isinstance(self._rules.universe, str):
            n_universe, rule = int(self._rules.universe), "given objects"
        elif self._rules.n_objects is not None:
            n_universe = n_known + count_unmentioned(self._rules.n_objects, n_known)
            rule = "given number of objects"
        if self._rules.drop_outliers is None:
            return n_universe, 0, rule
        return n_kept, n_universe - n_kept, rule

    def _side(self, side: int, places: list[Integers]) -> Side:
        """Return the clusters of a side, with positions and similarities of their matches."""
        rows, others = self._sides[side].rows, self._sides[1 - side].rows
        own, other = places[side], places[1 - side]
        sizes, shared = rows.stages[-1].sizes[own], rows.shared[own]
        is_matched = shared > 0
        match = np.searchsorted(others.clusters[other], rows.partners[own])
        match = np.where(is_matched, match, -1)
        other_sizes = others.stages[-1].sizes[other]
        matched_sizes = np.zeros_like(sizes)
        matched_sizes[is_matched] = other_sizes[match[is_matched]]
        form = self._form
        above = (form.factor * shared).astype(np.float64)
        below = form.own * sizes + form.other * matched_sizes + form.both * shared
        similarity = np.zeros(len(own))
        np.divide(above, below.astype(np.float64), out=similarity, where=is_matched)
        return Side(sizes, match, shared, similarity)

    def _describe(self, side: int, places: Integers, n_in_several: int) -> TableSide:
        chosen, names = self._sides[side], self._names[side]
        n_dropped = int(chosen.is_dropped.sum())
        if chosen.n_in_several is not None:
            n_in_several = chosen.n_in_several
        return TableSide(
            names.of(chosen.rows.clusters[places]),
            int(chosen.rows.stages[-1].sizes[places].sum()),
            len(chosen.rows.clusters) - n_dropped - len(places),
            n_dropped,
            n_in_several,
            names.outlier_texts,
            chosen.rows.clusters[places],
        )
