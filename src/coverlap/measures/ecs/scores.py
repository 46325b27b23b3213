"""Element-centric scores of objects, and their mean."""

from itertools import chain
from math import fsum, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import Codes, Runs, code_sizes, frozen, runs_of_codes
from coverlap.core.threads import Workers
from coverlap.measures.ecs.components import (
    Components,
    Floats,
    Groups,
    equal_components,
    find_components,
    group_objects,
    scores_without_walks,
    sort_clusters,
)
from coverlap.measures.ecs.walks import score_by_walks


class Estimate(NamedTuple):
    """A mean score estimated from some of the objects, and its standard error."""

    score: float
    error: float
    n_sampled: int


class Plan(NamedTuple):
    """Two clusterings prepared for walks.

    Objects of one of the ``groups`` have the same score. ``scores`` has one for each group, NaN
    where a walk is needed to compute it.
    """

    left: Components
    right: Components
    groups: Groups
    scores: Floats


def partition_scores(left: Codes, right: Codes, team: Workers) -> Floats:
    """Score each object of clusterings without overlaps: shared / larger size of its clusters.

    Takes linear time. For any alpha, walks from an object in clusters c and d are uniform on them,
    and the score is ``|c & d| / max(|c|, |d|)``.
    """
    sizes, right_sizes = code_sizes(left), code_sizes(right)
    pointers, members = runs_of_codes(left, sizes)
    scores = np.ones(len(left.codes))
    only_right = (left.codes < 0) & (right.codes >= 0)
    scores[only_right] = 1 / right_sizes[right.codes[only_right]]
    begins, ends = team.balanced(pointers)
    counts = [np.zeros(right.n_codes, np.int64) for _ in begins]
    team.run(
        _kernels.ecs.score_partition, begins, ends, pointers, members, right.codes,
        frozen(right_sizes), counts, scores,
    )  # fmt: skip
    return scores


def plan(left: Runs, right: Runs, n_objects: int) -> Plan:
    """Find the objects that have equal scores, and the scores that need no walk."""
    left, right = sort_clusters(left), sort_clusters(right)
    one, other = find_components(left, n_objects), find_components(right, n_objects)
    groups = group_objects(one, other)
    equal = equal_components(left, right, one, other)
    return Plan(one, other, groups, scores_without_walks(groups, one, other, equal))


def object_scores(
    left: Runs,
    right: Runs,
    n_objects: int,
    alpha: float,
    team: Workers,
    positions: NDArray[Any] | None = None,
) -> Floats:
    """Score all objects, or those at some positions.

    The time is about the square of the number of objects that two components share (see
    `components`), or proportionally less for some positions. The memory is a few numbers per
    membership, and up to 512 MiB per side for inverse matrices (see `walks`).
    """
    return scores_at(plan(left, right, n_objects), alpha, team, positions)


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


def estimated_score(
    left: Runs,
    right: Runs,
    n_objects: int,
    alpha: float,
    team: Workers,
    n_draws: int,
    generator: np.random.Generator,
    n_unmentioned: int = 0,
) -> Estimate:
    """Estimate the mean score from walks from some objects.

    Objects whose scores need no walk are not sampled, because their scores are known. Of the
    others, ``n_draws`` (at least 2) are drawn uniformly without replacement, so the estimate is
    unbiased. The standard error is that of such a sample, with the correction for a finite number
    of objects; it is 0 if all were drawn.
    """
    ready = plan(left, right, n_objects)
    known = ready.scores[ready.groups.group]
    unknown = np.flatnonzero(np.isnan(known))
    drawn = unknown
    if n_draws < len(unknown):
        drawn = unknown[generator.choice(len(unknown), n_draws, replace=False, shuffle=False)]
    sample = scores_at(ready, alpha, team, drawn)
    n_all, n_unknown, n_drawn = n_objects + n_unmentioned, len(unknown), len(drawn)
    if n_drawn == n_unknown:
        known[drawn] = sample
        return Estimate(mean_score(known, n_unmentioned), 0.0, n_drawn)
    total = fsum(chain(known[~np.isnan(known)].data, (n_unmentioned,)))
    mean = fsum(sample.data) / n_drawn
    variance = fsum(((sample - mean) ** 2).data) / (n_drawn - 1)
    error = sqrt(variance * (1 - n_drawn / n_unknown) / n_drawn)
    share = n_unknown / n_all
    return Estimate((total + n_unknown * mean) / n_all, share * error, n_drawn)
