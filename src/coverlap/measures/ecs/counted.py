"""The element-centric similarity of what is counted in a pair of clusterings."""

from typing import Any, cast

import numpy as np

from coverlap.clustering.clustering import Clustering
from coverlap.core.checks import check_share
from coverlap.core.incidence import Codes, Runs, frozen, move, narrowest
from coverlap.core.threads import number_of_threads, workers
from coverlap.core.universe import Pair
from coverlap.core.values import order_of_ids
from coverlap.counting.counts import Counts
from coverlap.measures.ecs import (
    Estimate,
    estimated_score,
    mean_score,
    object_scores,
    partition_scores,
)
from coverlap.measures.ecs.webs import Floats


def check_alpha(alpha: Any) -> float:
    """Refuse what is no probability, and 0 and 1, where walks never move or never stop."""
    return check_share("alpha", alpha, inside=True)


def ecs_of_counts(counts: Counts, alpha: float = 0.9) -> float:
    """Return the mean score of all objects."""
    alpha = check_alpha(alpha)
    return mean_score(ecs_by_object(counts, alpha), counts.pair.n_unmentioned)


def ecs_by_object(counts: Counts, alpha: float) -> Floats:
    """Return the score of each object that is mentioned."""
    left, right, n_objects = counts.pair.left, counts.pair.right, counts.pair.objects.n
    with _team(counts) as team:
        if not any(counts.overlapping):
            return partition_scores(_codes(left), _codes(right), team)
        one, other, place = _by_id(counts.pair)
        return np.asarray(object_scores(one, other, n_objects, alpha, team)[place])


def estimated_ecs(counts: Counts, alpha: float, n_samples: int, seed: int) -> Estimate:
    """Estimate the mean score from some of the objects; without overlaps it is computed."""
    pair = counts.pair
    if not any(counts.overlapping):
        return Estimate(ecs_of_counts(counts, alpha), 0.0, pair.objects.n)
    left, right, _ = _by_id(pair)
    with _team(counts) as team:
        return estimated_score(
            left, right, pair.objects.n, alpha, team, n_samples, np.random.default_rng(seed),
            pair.n_unmentioned,
        )  # fmt: skip


def _by_id(pair: Pair) -> tuple[Runs, Runs, Any]:
    """Return both sides with their objects in the order of their ids, and where each one went.

    Which side comes first, or how sets are gone through, must not change a bit.
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


def _codes(side: Clustering) -> Codes:
    if isinstance(side.incidence, Codes):
        return side.incidence
    numbers = side.numbers.astype(narrowest(side.n_clusters + 1)) - 1
    return Codes(frozen(numbers), side.n_clusters)
