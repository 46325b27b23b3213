"""Element-centric similarity: the score, the score of each object, and an estimate."""

from typing import Any

import numpy as np

from coverlap.core.align import DropRule, Rules, Treatment, UniverseOption
from coverlap.core.checks import check_integer
from coverlap.counting.counts import counts_of
from coverlap.measures.ecs import check_alpha, ecs_by_object, estimated_ecs
from coverlap.results.ecs import Estimate, ObjectScores
from coverlap.verbs.score import score


def ecs_score(
    left: Any,
    right: Any,
    *,
    alpha: float = 0.9,
    outliers_as: Treatment | None = None,
    universe: UniverseOption = "union",
    n_objects: int | None = None,
    drop_outliers: DropRule | None = None,
    threads: int | None = None,
) -> float:
    r"""Score two clusterings by the element-centric similarity.

    A random walk from an object steps to one of its clusters and then to one of its members, with
    probability alpha, and otherwise returns to its start. With :math:`P_{ij}` the share of time
    that walks from i spend at j,

    .. math::

        S_i = 1 - \frac{1}{2 \alpha} \sum_j |P^A_{ij} - P^B_{ij}|

    and the score is the mean of :math:`S_i` over all objects. Walks from an outlier stay there, so
    it counts like a singleton cluster.

    Parameters
    ----------
    left, right, universe, n_objects, drop_outliers, outliers_as, threads
        As in `score`. The measure is defined for outliers, so ``outliers_as`` is not needed.
    alpha : float
        Probability of a step, above 0 and below 1. Without overlaps it does not change the score.

    Notes
    -----
    Without overlaps the score of an object is shared / larger size of its two clusters, which takes
    linear time. With overlaps, a system of equations in the clusters is solved for each side, which
    takes time of about objects x memberships; for large inputs, see `ecs_estimate`.

    References
    ----------
    A. J. Gates, I. B. Wood, W. P. Hetrick, Y.-Y. Ahn: Element-centric clustering comparison unifies
    overlaps and hierarchy. Scientific Reports 9, 8574 (2019).

    Examples
    --------
    >>> import coverlap as cv
    >>> cv.ecs_score([0, 0, 1, 1], [0, 0, 0, 1])
    0.5416666666666666
    >>> round(cv.ecs_score([{0, 1, 2}, {2, 3}], [{0, 1}, {2, 3}]), 6)
    0.552632
    """
    return score(
        left, right, "ecs", alpha=alpha, outliers_as=outliers_as, universe=universe,
        n_objects=n_objects, drop_outliers=drop_outliers, threads=threads,
    )  # fmt: skip


def ecs_objects(
    left: Any,
    right: Any,
    *,
    alpha: float = 0.9,
    universe: UniverseOption = "union",
    n_objects: int | None = None,
    drop_outliers: DropRule | None = None,
    threads: int | None = None,
) -> ObjectScores:
    """Score each object by the element-centric similarity.

    Parameters
    ----------
    left, right, alpha, universe, n_objects, drop_outliers, threads
        As in `ecs_score`. Objects that neither side mentions have no id and are left out.

    Examples
    --------
    >>> import coverlap as cv
    >>> cv.ecs_objects([0, 0, 1, 1], [0, 0, 0, 1]).scores.tolist()
    [0.6666666666666666, 0.6666666666666666, 0.3333333333333333, 0.5]
    """
    alpha = check_alpha(alpha)
    counts = counts_of(left, right, Rules(universe, n_objects, drop_outliers), threads)
    return ObjectScores(np.asarray(counts.pair.objects.id_array()), ecs_by_object(counts, alpha))


def ecs_estimate(
    left: Any,
    right: Any,
    *,
    n_draws: int = 1000,
    seed: int = 0,
    alpha: float = 0.9,
    universe: UniverseOption = "union",
    n_objects: int | None = None,
    drop_outliers: DropRule | None = None,
    threads: int | None = None,
) -> Estimate:
    """Estimate the element-centric similarity from some of the objects.

    The objects drawn are scored exactly, so the estimate is unbiased; its standard error is that
    of drawing without replacement. Objects whose score follows from their clusters are not drawn.

    Parameters
    ----------
    left, right, alpha, universe, n_objects, drop_outliers, threads
        As in `ecs_score`.
    n_draws : int
        Number of objects to draw. If these are all, the estimate is exact and its error is 0.
    seed : int
        Seed of the objects drawn.

    Examples
    --------
    >>> import coverlap as cv
    >>> left, right = [{0, 1, 2}, {2, 3}, {3, 4}], [{0, 1}, {1, 2, 3}, {4}]
    >>> estimate = cv.ecs_estimate(left, right, n_draws=3)
    >>> abs(estimate.score - cv.ecs_score(left, right)) < 3 * estimate.error
    True
    """
    alpha = check_alpha(alpha)
    n_draws, seed = check_integer("n_draws", n_draws, 2), check_integer("seed", seed, 0)
    counts = counts_of(left, right, Rules(universe, n_objects, drop_outliers), threads)
    return Estimate(*estimated_ecs(counts, alpha, n_draws, seed))
