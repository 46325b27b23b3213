"""Element-centric similarity (ECS): compare random walks from each object on the two sides.

The walks and the score of an object are defined in `coverlap.ecs_score`. An outlier is treated as a
cluster of its own, so this measure does not distinguish the two.
"""

from itertools import chain
from math import fsum, sqrt
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.align import Pair
from coverlap.core.checks import check_share
from coverlap.core.incidence import Codes, Runs, codes_of_runs, move
from coverlap.core.memberships import Memberships
from coverlap.core.threads import Workers, number_of_threads, workers
from coverlap.core.values import order_of_ids
from coverlap.counting.counts import Counts
from coverlap.measures.ecs import components
from coverlap.measures.ecs.components import Components, Floats, Groups
from coverlap.measures.ecs.walks import score_by_walks

Estimate = tuple[float, float, int]
"""A mean score estimated from some objects, its standard error, and the number of objects drawn."""


class Plan(NamedTuple):
    """Two clusterings prepared for walks.

    Objects of one of the ``groups`` have the same score. ``scores`` has one for each group, NaN
    where a walk is needed to compute it.
    """

    left: Components
    right: Components
    groups: Groups
    scores: Floats


def check_alpha(alpha: Any) -> float:
    """Reject values outside (0, 1); with 0 and 1 walks never move or never stop."""
    return check_share("alpha", alpha, inside=True)


def ecs_of_counts(counts: Counts, alpha: float = 0.9) -> float:
    """Return the mean score of all objects."""
    alpha = check_alpha(alpha)
    return mean_score(ecs_by_object(counts, alpha), counts.pair.n_unmentioned)


def ecs_by_object(counts: Counts, alpha: float) -> Floats:
    """Return the score of each object that is in the input of a side.

    With overlaps, the time is about the square of the number of objects that two components share
    (see `components`). The memory is a few numbers per membership, and up to 512 MiB per side for
    inverse matrices (see `walks`).
    """
    pair = counts.pair
    with _team(counts) as team:
        if not any(counts.overlapping):
            return partition_scores(pair.left, pair.right, team)
        one, other, place = _by_id(pair)
        return np.asarray(scores_at(plan(one, other, pair.objects.n), alpha, team)[place])


def estimated_ecs(counts: Counts, alpha: float, n_draws: int, seed: int) -> Estimate:
    """Estimate the mean score from walks from some of the objects; without overlaps it is exact.

    Objects whose scores need no walk are not sampled, because their scores are known. Of the
    others, ``n_draws`` (at least 2) are drawn uniformly without replacement, so the estimate is
    unbiased. The standard error is that of such a sample, with the correction for a finite number
    of objects; it is 0 if all were drawn.
    """
    pair = counts.pair
    if not any(counts.overlapping):
        return ecs_of_counts(counts, alpha), 0.0, pair.objects.n
    left, right, _ = _by_id(pair)
    ready = plan(left, right, pair.objects.n)
    known = ready.scores[ready.groups.group]
    drawn = unknown = np.flatnonzero(np.isnan(known))
    if n_draws < len(unknown):
        rng = np.random.default_rng(seed)
        drawn = unknown[rng.choice(len(unknown), n_draws, replace=False, shuffle=False)]
    with _team(counts) as team:
        sample = scores_at(ready, alpha, team, drawn)
    n_unknown, n_drawn = len(unknown), len(drawn)
    if n_drawn == n_unknown:
        known[drawn] = sample
        return mean_score(known, pair.n_unmentioned), 0.0, n_drawn
    total = fsum(chain(known[~np.isnan(known)].data, (pair.n_unmentioned,)))
    mean = fsum(sample.data) / n_drawn
    variance = fsum(((sample - mean) ** 2).data) / (n_drawn - 1)
    error = sqrt(variance * (1 - n_drawn / n_unknown) / n_drawn)
    share = n_unknown / pair.n_objects
    return (total + n_unknown * mean) / pair.n_objects, share * error, n_drawn


def _by_id(pair: Pair) -> tuple[Runs, Runs, Any]:
    """Return both sides with their objects sorted by id, and the new position of each object.

    This makes scores independent, to the bit, of the order of the sides and of objects in sets.
    """
    ids, n_objects = pair.objects.ids, pair.objects.n
    if ids is None:
        return pair.left.runs, pair.right.runs, slice(None)
    place = np.empty(n_objects, np.int64)
    place[order_of_ids(ids)] = np.arange(n_objects)
    left, right = (move(side.runs, place, n_objects) for side in (pair.left, pair.right))
    return cast(Runs, left), cast(Runs, right), place


def _team(counts: Counts) -> Any:
    memberships = max(counts.pair.left.n_memberships, counts.pair.right.n_memberships)
    work = memberships * (1 if not any(counts.overlapping) else counts.pair.objects.n)
    return workers(number_of_threads(counts.threads, work, 1))


def _codes(side: Memberships) -> Codes:
    if isinstance(side.incidence, Codes):
        return side.incidence
    return codes_of_runs(side.incidence, side.n_objects)


def partition_scores(left: Memberships, right: Memberships, team: Workers) -> Floats:
    """Score each object of clusterings without overlaps: shared / larger size of its clusters.

    Takes linear time. For any alpha, walks from an object in clusters c and d are uniform on them,
    and the score is ``|c & d| / max(|c|, |d|)``.
    """
    pointers, members = left.runs
    codes, sizes = _codes(right).codes, right.code_sizes
    scores = np.ones(left.n_objects)
    only_right = left.outlier_mask() & (codes >= 0)
    scores[only_right] = 1 / sizes[codes[only_right]]
    begins, ends = team.balanced(pointers)
    counts = [np.zeros(len(sizes), np.int64) for _ in begins]
    team.run(
        _kernels.ecs.score_partition, begins, ends, pointers, members, codes, sizes, counts, scores
    )
    return scores


def plan(left: Runs, right: Runs, n_objects: int) -> Plan:
    """Find the objects that have equal scores, and the scores that need no walk."""
    left, right = components.sort_clusters(left), components.sort_clusters(right)
    one = components.find_components(left, n_objects)
    other = components.find_components(right, n_objects)
    groups = components.group_objects(one, other)
    equal = components.equal_components(left, right, one, other)
    return Plan(one, other, groups, components.scores_without_walks(groups, one, other, equal))


def scores_at(
    plan: Plan, alpha: float, team: Workers, positions: NDArray[Any] | None = None
) -> Floats:
    """Return the scores of all objects, or of those at some positions, by walks where needed."""
    group = plan.groups.group if positions is None else plan.groups.group[positions]
    unknown = np.zeros(len(plan.scores), bool)
    unknown[group] = True
    unknown &= np.isnan(plan.scores)
    scores = plan.scores.copy()
    if unknown.any():
        wanted = np.flatnonzero(unknown)
        score_by_walks(plan.left, plan.right, plan.groups, wanted, alpha, team, scores)
    return np.asarray(scores[group])


def mean_score(scores: Floats, n_unmentioned: int = 0) -> float:
    """Return the mean over all objects; unmentioned ones are outliers on both sides and score 1."""
    n_objects = len(scores) + n_unmentioned
    if n_objects == 0:
        return 1.0
    return fsum(chain(scores.data, (n_unmentioned,))) / n_objects
