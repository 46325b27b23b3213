"""Element-centric similarity (ECS): compare random walks from each object on the two sides.

From an object, step to one of its clusters and on to one of its members, each at random; follow
such a step with probability alpha, else start again. The score of an object is 1 minus the distance
between the two distributions that this gives, scaled so that the least score is 0; the score of two
clusterings is the mean over all objects. An outlier is treated as a cluster of its own, so this
measure does not distinguish the two.

A. J. Gates, I. B. Wood, W. P. Hetrick and Y.-Y. Ahn, *Element-centric clustering comparison
unifies overlaps and hierarchy*, Scientific Reports 9 (2019) 8574.
"""

from typing import Any, cast

import numpy as np

from coverlap.core.align import Pair
from coverlap.core.checks import check_share
from coverlap.core.incidence import Codes, Runs, frozen, move, narrowest
from coverlap.core.memberships import Memberships
from coverlap.core.threads import number_of_threads, workers
from coverlap.core.values import order_of_ids
from coverlap.counting.counts import Counts
from coverlap.measures.ecs.components import Floats
from coverlap.measures.ecs.scores import (
    Estimate,
    estimated_score,
    mean_score,
    object_scores,
    partition_scores,
)

__all__ = ["Estimate", "check_alpha", "ecs_by_object", "ecs_of_counts", "estimated_ecs"]


def check_alpha(alpha: Any) -> float:
    """Reject values outside (0, 1); with 0 and 1 walks never move or never stop."""
    return check_share("alpha", alpha, inside=True)


def ecs_of_counts(counts: Counts, alpha: float = 0.9) -> float:
    """Return the mean score of all objects."""
    alpha = check_alpha(alpha)
    return mean_score(ecs_by_object(counts, alpha), counts.pair.n_unmentioned)


def ecs_by_object(counts: Counts, alpha: float) -> Floats:
    """Return the score of each object that is in the input of a side."""
    left, right, n_objects = counts.pair.left, counts.pair.right, counts.pair.objects.n
    with _team(counts) as team:
        if not any(counts.overlapping):
            return partition_scores(_codes(left), _codes(right), team)
        one, other, place = _by_id(counts.pair)
        return np.asarray(object_scores(one, other, n_objects, alpha, team)[place])


def estimated_ecs(counts: Counts, alpha: float, n_draws: int, seed: int) -> Estimate:
    """Estimate the mean score from some of the objects; without overlaps it is exact."""
    pair = counts.pair
    if not any(counts.overlapping):
        return Estimate(ecs_of_counts(counts, alpha), 0.0, pair.objects.n)
    left, right, _ = _by_id(pair)
    with _team(counts) as team:
        return estimated_score(
            left, right, pair.objects.n, alpha, team, n_draws, np.random.default_rng(seed),
            pair.n_unmentioned,
        )  # fmt: skip


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
    numbers = side.numbers.astype(narrowest(side.n_clusters + 1)) - 1
    return Codes(frozen(numbers), side.n_clusters)
