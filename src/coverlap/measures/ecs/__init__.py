"""Element-centric similarity (ECS): how alike walks from each object spread on the two sides.

From an object, step to one of its clusters and on to one of its members, each at random; follow
such a step with probability alpha, else start over. An object scores 1 minus the distance of the
two distributions that this gives, scaled so that 0 is the least; the score of two clusterings is
the mean over all objects. An outlier walks as in a cluster of its own, so this measure does not
tell the two apart.

A. J. Gates, I. B. Wood, W. P. Hetrick and Y.-Y. Ahn, *Element-centric clustering comparison
unifies overlaps and hierarchy*, Scientific Reports 9 (2019) 8574.
"""

from itertools import chain
from math import fsum, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import Codes, Runs, code_sizes, frozen, runs_of_codes
from coverlap.core.threads import Workers
from coverlap.measures.ecs.walks import walk
from coverlap.measures.ecs.webs import (
    Floats,
    Groups,
    Web,
    grouped,
    in_fixed_order,
    settled,
    twins,
    web,
)


class Estimate(NamedTuple):
    """A mean score estimated from some of the objects, and its standard error."""

    score: float
    error: float
    n_sampled: int


class Plan(NamedTuple):
    """Two clusterings made ready for walks.

    Objects of one of the ``groups`` have the same score. ``scores`` has one for each group, NaN
    where it takes a walk to know it.
    """

    left: Web
    right: Web
    groups: Groups
    scores: Floats


def partition_scores(left: Codes, right: Codes, team: Workers) -> Floats:
    """Score each object of clusterings without overlaps: shared / larger size of its clusters.

    Takes linear time. Whatever alpha is, walks from an object in clusters c and d spread evenly
    over them, and the score comes to ``|c & d| / max(|c|, |d|)``.
    """
    sizes, right_sizes = code_sizes(left), code_sizes(right)
    pointers, members = runs_of_codes(left, sizes)
    scores = np.ones(len(left.codes))
    only_right = (left.codes < 0) & (right.codes >= 0)
    scores[only_right] = 1 / right_sizes[right.codes[only_right]]
    begins, ends = team.ranges(len(members))
    cuts = np.searchsorted(pointers, [*begins, ends[-1]]).tolist()
    cuts[0], cuts[-1] = 0, len(pointers) - 1
    counts = [np.zeros(right.n_codes, np.int64) for _ in begins]
    team.run(
        _kernels.ecs.score_partition, cuts[:-1], cuts[1:], pointers, members, right.codes,
        frozen(right_sizes), counts, scores,
    )  # fmt: skip
    return scores


def plan(left: Runs, right: Runs, n_objects: int) -> Plan:
    """Find out which objects have equal scores, and which scores need no walk."""
    left, right = in_fixed_order(left), in_fixed_order(right)
    one, other = web(left, n_objects), web(right, n_objects)
    groups = grouped(one, other)
    return Plan(one, other, groups, settled(groups, one, other, twins(left, right, one, other)))


def object_scores(
    left: Runs,
    right: Runs,
    n_objects: int,
    alpha: float,
    team: Workers,
    positions: NDArray[Any] | None = None,
) -> Floats:
    """Score each object, or those at some positions only.

    Takes time of about the square of the objects in both of two components (see `webs`), and for
    some of them that part. Memory is a few numbers per membership, and up to 512 MiB a side for
    the inverse matrices of components (see `spreads`).
    """
    return scores_at(plan(left, right, n_objects), alpha, team, positions)


def scores_at(
    ready: Plan, alpha: float, team: Workers, positions: NDArray[Any] | None = None
) -> Floats:
    """Score what a plan leaves open for the objects at some positions, or for all."""
    group = ready.groups.group if positions is None else ready.groups.group[positions]
    unknown = np.zeros(len(ready.scores), bool)
    unknown[group] = True
    unknown &= np.isnan(ready.scores)
    scores = ready.scores.copy()
    if unknown.any():
        walk(*ready[:3], np.flatnonzero(unknown), alpha, team, scores)
    return np.asarray(scores[group])


def mean_score(scores: Floats, n_unmentioned: int = 0) -> float:
    """Return the mean over all objects; those never mentioned are outliers twice and score 1."""
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
    n_samples: int,
    generator: np.random.Generator,
    n_unmentioned: int = 0,
) -> Estimate:
    """Estimate the mean score from walks from some objects.

    The objects whose scores need no walk are not sampled: those scores are known. Of the others
    ``n_samples`` (2 at least) are drawn at random, without replacement and each as likely as any
    other, so the estimate is unbiased. The standard error is that of such a sample, with the
    correction for a finite number of objects; it is 0 where all were drawn.
    """
    ready = plan(left, right, n_objects)
    known = ready.scores[ready.groups.group]
    unknown = np.flatnonzero(np.isnan(known))
    drawn = unknown
    if n_samples < len(unknown):
        drawn = unknown[generator.choice(len(unknown), n_samples, replace=False, shuffle=False)]
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
