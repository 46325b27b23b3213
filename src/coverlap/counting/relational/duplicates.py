"""Equal clusters of one side, found by fingerprints and verified by counting."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.counting.relational.cluster_statements import ClusterStatements
from coverlap.counting.relational.rows import Integers, Rows
from coverlap.counting.relational.runner import Runner


class EqualClusters(NamedTuple):
    """Finds the equal clusters of one side at the stages of the rules."""

    runner: Runner
    statements: ClusterStatements
    side: int
    rows: Rows

    def firsts(self, stage: int, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which of the chosen clusters are equal to none before them.

        Clusters with equal sizes and fingerprints are compared with the first of them. Those that
        differ from it, which is possible but rare, are compared with the first of themselves.
        """
        is_first = chosen.copy()
        clusters, leaders = self._candidates(stage, np.flatnonzero(chosen))
        while len(clusters):
            is_equal = self._are_equal(stage, clusters, leaders)
            is_first[clusters[is_equal]] = False
            clusters, leaders = _with_new_leaders(clusters[~is_equal], leaders[~is_equal])
        return is_first

    def _candidates(self, stage: int, places: Integers) -> tuple[Integers, Integers]:
        """Return the clusters whose fingerprints an earlier one has, and the first such cluster."""
        known = self.rows.stages[stage]
        columns = [column[places] for column in (known.fingerprints, known.sizes)]
        order = np.lexsort(columns)  # stable, so that clusters of one group stay in order
        is_new = np.ones(len(order), bool)
        is_new[1:] = np.any([column[order[1:]] != column[order[:-1]] for column in columns], axis=0)
        begins = np.flatnonzero(is_new)
        leaders = places[order[begins[np.cumsum(is_new) - 1]]]
        return places[order[~is_new]], leaders[~is_new]

    def _are_equal(self, stage: int, clusters: Integers, leaders: Integers) -> NDArray[np.bool_]:
        """Return whether clusters share all their objects with others of the same size."""
        numbers = self.rows.clusters
        columns = {"cluster": numbers[clusters], "leader": numbers[leaders]}
        with self.runner.relation(columns) as candidates:
            found = self.runner.arrays(self.statements.equal(self.side, stage, candidates))
        shared = np.zeros(len(numbers), np.int64)
        shared[np.searchsorted(numbers, found["cluster"])] = found["shared"]
        equal: NDArray[np.bool_] = shared[clusters] == self.rows.stages[stage].sizes[clusters]
        return equal

    def count_in_several(self, left_out: Integers) -> int:
        """Return how many objects are in several clusters, equal ones being left out."""
        with self.runner.relation({"cluster": self.rows.clusters[left_out]}) as names:
            found = self.runner.arrays(self.statements.several(self.side, names))
        return int(found["n"][0])


def _with_new_leaders(clusters: Integers, old: Integers) -> tuple[Integers, Integers]:
    """Choose the first cluster of each group as its leader; return the other ones."""
    _, begins, groups = np.unique(old, return_index=True, return_inverse=True)
    leaders = clusters[begins[groups]]
    others = clusters != leaders
    return clusters[others], leaders[others]
