"""Matching two clusterings of any kind."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import Runs, code_type
from coverlap.core.threads import Workers
from coverlap.counting.matching import Matching, Side, SimilarityFormula
from coverlap.counting.memory.best import Best, count_type, merged, no_best, scratch


class Turned(NamedTuple):
    """The right side turned round: object i is in clusters[ends[i]:ends[i + 1]], `most` at most."""

    ends: NDArray[Any]
    clusters: NDArray[Any]
    most: int

    def room(self) -> NDArray[Any]:
        """Return scratch for gathering the clusters of some objects; see `count_shared`."""
        return np.empty(_kernels.matching.BLOCK + self.most, self.clusters.dtype)


def match_covers(
    left: Runs, right: Runs, n_objects: int, form: SimilarityFormula, team: Workers
) -> Matching:
    """Turn the right side round, then walk over the members of the left clusters."""
    threads = team.threads
    left_sizes, right_sizes = np.diff(left.pointers), np.diff(right.pointers)
    n_right = len(right_sizes)
    turned = turn(right, n_objects, team)
    order = np.argsort(left_sizes, kind="stable")
    left_best = no_best(len(left_sizes))
    right_bests = [no_best(n_right) for _ in range(threads)]
    team.run(
        _kernels.matching.match_clusters, [order[i::threads].copy() for i in range(threads)],
        left.pointers, left.members, turned.ends, turned.clusters, right_sizes.astype(np.float64),
        tuple(form), [turned.room() for _ in range(threads)],
        *scratch(threads, n_right, int(left_sizes.max(initial=0))), left_best, right_bests,
    )  # fmt: skip
    covered = cover(left, n_objects, team)
    return matching(left_sizes, right_sizes, left_best, merged(right_bests), covered, turned)


def turn(runs: Runs, n_objects: int, team: Workers) -> Turned:
    """List the clusters of each object."""
    pointers, members = runs
    begins, ends = team.ranges(n_objects)
    bounds = np.zeros(n_objects + 1, count_type(len(members)))
    team.run(_kernels.matching.count_clusters, pointers, members, begins, ends, bounds[1:])
    most = int(_kernels.matching.accumulate(bounds))
    clusters = np.empty(len(members), code_type(len(pointers)))
    free = bounds[:-1].copy()
    team.run(_kernels.matching.transpose_range, pointers, members, begins, ends, free, clusters)
    return Turned(bounds, clusters, most)


def cover(runs: Runs, n_objects: int, team: Workers) -> NDArray[np.bool_]:
    """Tell which objects are members of some cluster."""
    covered = np.zeros(n_objects, bool)
    team.run(_kernels.matching.mark_members, runs.members, *team.ranges(len(runs.members)), covered)
    return covered


def matching(
    left_sizes: NDArray[np.int64],
    right_sizes: NDArray[np.int64],
    left_best: Best,
    right_best: Best,
    covered: NDArray[np.bool_],
    turned: Turned,
) -> Matching:
    """Put a matching together, with the outliers of both sides."""
    left_out = ~covered
    right_out = turned.ends[1:] == turned.ends[:-1]
    n_outliers = map(np.count_nonzero, (left_out, right_out, left_out & right_out))
    return Matching(
        _side(left_sizes, left_best), _side(right_sizes, right_best), len(covered),
        *map(int, n_outliers),
    )  # fmt: skip


def _side(sizes: NDArray[np.int64], best: Best) -> Side:
    match, shared, similarity = best
    return Side(sizes, np.where(shared > 0, match, -1), shared, similarity)
