"""Count two relations on one universe, where they are; the counterpart of `coverlap.core.align`."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.align import Rules, count_unmentioned
from coverlap.core.errors import UniverseError
from coverlap.core.texts import Ids
from coverlap.core.wording import some
from coverlap.counting.matching import Matching, Side, SimilarityFormula
from coverlap.counting.relational.cluster_statements import ClusterStatements
from coverlap.counting.relational.duplicates import EqualClusters
from coverlap.counting.relational.object_statements import ObjectStatements
from coverlap.counting.relational.relations import CASE, Relations
from coverlap.counting.relational.rows import Integers, Rows, rows_of_sides
from coverlap.counting.relational.runner import Columns, Runner
from coverlap.counting.table_counts import TableCounts, TableSide

SIDES = ("left", "right")
NAMED = 5
"""The number of objects outside the universe that an error names."""

FEW_CLUSTERS = 1 << 21
"""Up to this number of clusters, each machine of Spark gets their sizes: some 100 MB."""


class ClusterNames(NamedTuple):
    """The names of the clusters of a side, in cluster order.

    ``numbers`` are the numbers that the clusters have in the relation, in ascending order; None if
    these are the positions of their names.
    """

    names: Ids
    numbers: Integers | None = None
    outlier_texts: tuple[Any, ...] = ()

    def of(self, clusters: Integers) -> Ids:
        """Return the names of clusters."""
        if self.numbers is None:
            return self.names[clusters]
        return self.names[np.searchsorted(self.numbers, clusters)]


def count_relations(
    runner: Runner, relations: Relations, names: tuple[ClusterNames, ClusterNames],
    rules: Rules, form: SimilarityFormula,
) -> TableCounts:  # fmt: skip
    """Count two relations of memberships.

    The universe of the rules is the name of a rule or a number; it does not matter if a relation
    has the given objects. Outliers stay outliers: ``outliers_as`` is not considered.
    """
    return _Counted(runner, relations, names, rules, form).case(0)


def count_cases(
    runner: Runner, relations: Relations, cases: Iterable[int],
    names: tuple[ClusterNames, ClusterNames], rules: Rules, form: SimilarityFormula,
) -> list[TableCounts]:  # fmt: skip
    """Count many comparisons at once; their relations have a column of numbers of cases."""
    counted = _Counted(runner, relations, names, rules, form)
    return [counted.case(case) for case in cases]


class _Chosen(NamedTuple):
    """The clusters of a side that are compared, and how many there are not, by case."""

    rows: Rows
    is_kept: NDArray[np.bool_]
    is_dropped: NDArray[np.bool_]
    in_several: dict[int, int] | None


class _Counted:
    """What one or many comparisons count."""

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
        self._objects = runner.arrays(about_objects.objects())
        self._check_universe(about_objects)
        few_clusters = sum(len(side.names) for side in names) <= FEW_CLUSTERS
        self._statements = ClusterStatements(
            relations, rules, runner.hash, few_clusters=few_clusters
        )
        columns = runner.arrays(self._statements.matches(form))
        rows = rows_of_sides(columns, self._statements.n_stages)
        self._sides = [self._choose(side, rows[side], relations.by_case) for side in (0, 1)]

    def _check_universe(self, statements: ObjectStatements) -> None:
        """Reject members outside a given universe, objects other than 0..n-1, too many objects."""
        if self._rules.n_objects is not None:
            count_unmentioned(
                self._rules.n_objects, int(self._objects["n_universe"].max(initial=0))
            )
        for side, name in enumerate(SIDES):
            n_outside = int(self._objects[f"n_{name}_outside"].sum())
            if n_outside:
                first = self._runner.arrays(statements.outside(side, NAMED))["object"].tolist()
                if self._has_integers:  # which are text if some of them are very large
                    first = sorted(map(int, first))
                more = f" and {n_outside - NAMED:,} more" if n_outside > NAMED else ""
                what = "members" if self._has_given else "objects"
                raise UniverseError(f"{name} has {what} outside the universe: {some(first)}{more}")

    def _choose(self, side: int, rows: Rows, by_case: bool) -> _Chosen:
        """Drop the clusters that are empty after a step of the rules, and merge equal ones.

        An empty cluster counts once even if several were equal before they were empty.
        """
        equal = EqualClusters(self._runner, self._statements, side, rows, by_case=by_case)
        is_dropped = np.zeros(len(rows.clusters), bool)
        is_left = ~is_dropped
        for stage, after in enumerate(rows.stages[1:]):
            empty = is_left & (after.sizes == 0)
            if empty.any():
                is_dropped |= equal.firsts(stage, empty)
                is_left &= ~empty
        is_kept = equal.firsts(len(rows.stages) - 1, is_left)
        merged = np.flatnonzero(is_left & ~is_kept)
        in_several = equal.count_in_several(merged) if len(merged) else None
        return _Chosen(rows, is_kept, is_dropped, in_several)

    def case(self, case: int) -> TableCounts:
        """Return the counts of one case, which is 0 if there is only one comparison."""
        n = _row_of_case(self._objects, case)
        places = [np.flatnonzero((side.rows.cases == case) & side.is_kept) for side in self._sides]
        left, right = (self._side(side, places) for side in (0, 1))
        n_objects, n_dropped, rule = self._universe(n)
        n_more = n_objects - n["n_objects"]
        matching = Matching(
            left, right, n["n_objects"], n["n_left"], n["n_right"], n["n_shared"]
        ).with_outliers(n_more)
        one, other = (
            self._describe(side, case, places[side], n[f"n_{SIDES[side]}_several"])
            for side in (0, 1)
        )
        return TableCounts(
            matching, one, other, rule, n["n_only_left"], n["n_only_right"], n_dropped,
            disjoint=n["n_common"] == 0 < min(n["n_only_left"], n["n_only_right"]),
        )  # fmt: skip

    def _universe(self, n: dict[str, int]) -> tuple[int, int, str]:
        """Return the number of objects, of outliers dropped, and how the universe was chosen."""
        n_known = n["n_universe"]
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
        return n["n_objects"], n_universe - n["n_objects"], rule

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

    def _describe(self, side: int, case: int, places: Integers, n_in_several: int) -> TableSide:
        chosen, names = self._sides[side], self._names[side]
        of_case = chosen.rows.cases == case
        n_clusters, n_dropped = int(of_case.sum()), int((chosen.is_dropped & of_case).sum())
        if chosen.in_several is not None:
            n_in_several = chosen.in_several.get(case, 0)
        return TableSide(
            names.of(chosen.rows.clusters[places]),
            int(chosen.rows.stages[-1].sizes[places].sum()),
            n_clusters - n_dropped - len(places),
            n_dropped,
            n_in_several,
            names.outlier_texts,
            chosen.rows.clusters[places],
        )


def _row_of_case(columns: Columns, case: int) -> dict[str, int]:
    """Return the counts of objects of one case, which are 0 if no side has objects."""
    if CASE not in columns:
        return {name: int(column[0]) for name, column in columns.items()}
    found = np.flatnonzero(columns[CASE] == case)
    return {name: int(column[found[0]]) if len(found) else 0 for name, column in columns.items()}
