"""Element-centric similarity: the score, the score of each object, and an estimate."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.clustering.clustering import name_column
from coverlap.core.checks import check_integer
from coverlap.counting.counts import count
from coverlap.inputs.frames import Column, write_frame
from coverlap.measures.ecs import Estimate, check_alpha, ecs_by_object, estimated_ecs
from coverlap.verbs.score import score


class ObjectScores(NamedTuple):
    """The result of `ecs_objects`: the id of each object and its score, in the same order."""

    objects: NDArray[Any]
    scores: NDArray[np.float64]

    def __repr__(self) -> str:
        return f"ObjectScores({len(self.scores):,} objects)"

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with the columns object and score; see `Comparison.to_frame`."""
        ids = name_column("object", self.objects.tolist())
        return write_frame([ids, Column("score", self.scores.tolist(), "float")], library)


def ecs_score(
    left: Any,
    right: Any,
    *,
    alpha: float = 0.9,
    outliers_as: str | None = None,
    universe: Any = "union",
    n_objects: int | None = None,
    drop_outliers: str | None = None,
    threads: int | None = None,
) -> float:
    r"""Score two clusterings by the element-centric similarity.

    From an object, walk to one of its clusters and on to one of its members, both at random; go
    on with probability alpha, else start over. With :math:`P_{ij}` the share of time that walks
    from i spend at j,

    .. math::

        S_i = 1 - \frac{1}{2 \alpha} \sum_j |P^A_{ij} - P^B_{ij}|

    and the score is the mean of :math:`S_i` over all objects. An outlier stays where it is, so it
    counts as a singleton cluster would.

    Parameters
    ----------
    left, right, universe, n_objects, drop_outliers, threads
        As in `fstar_score`.
    alpha : float
        Probability of another step, above 0 and below 1. Without overlaps it makes no difference.
    outliers_as : {None, "singletons", "cluster", "drop"}
        As in `score`; it is not needed here.

    Returns
    -------
    float

    Notes
    -----
    Without overlaps an object scores shared / larger size of its two clusters, in linear time.
    With overlaps the walks are not walked: one system of equations in the clusters is solved for
    each side. That takes time of about objects x memberships; for too many, see `ecs_estimate`.

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
    universe: Any = "union",
    n_objects: int | None = None,
    drop_outliers: str | None = None,
    threads: int | None = None,
) -> ObjectScores:
    """Score each object by the element-centric similarity, to see which ones are disputed.

    Parameters
    ----------
    left, right, alpha, universe, n_objects, drop_outliers, threads
        As in `ecs_score`. Objects that neither side mentions have no id, and are not listed.

    Returns
    -------
    ObjectScores

    Examples
    --------
    >>> import coverlap as cv
    >>> cv.ecs_objects([0, 0, 1, 1], [0, 0, 0, 1]).scores.tolist()
    [0.6666666666666666, 0.6666666666666666, 0.3333333333333333, 0.5]
    """
    alpha = check_alpha(alpha)
    counts = count(
        left, right, universe=universe, n_objects=n_objects, drop_outliers=drop_outliers,
        threads=threads,
    )  # fmt: skip
    return ObjectScores(counts.pair.objects.names(), ecs_by_object(counts, alpha))


def ecs_estimate(
    left: Any,
    right: Any,
    *,
    n_samples: int = 1000,
    seed: int = 0,
    alpha: float = 0.9,
    universe: Any = "union",
    n_objects: int | None = None,
    drop_outliers: str | None = None,
    threads: int | None = None,
) -> Estimate:
    """Estimate the element-centric similarity from some of the objects.

    Each object drawn is scored exactly, so the estimate is unbiased; its standard error is that of
    drawing without replacement. Objects whose score is known without walking are not drawn.

    Parameters
    ----------
    left, right, alpha, universe, n_objects, drop_outliers, threads
        As in `ecs_score`.
    n_samples : int
        Number of objects to draw. If that is all, the estimate is exact and its error 0.
    seed : int
        The same seed draws the same objects.

    Returns
    -------
    Estimate
        With the attributes ``score``, ``error`` and ``n_sampled``.

    Examples
    --------
    >>> import coverlap as cv
    >>> left, right = [{0, 1, 2}, {2, 3}, {3, 4}], [{0, 1}, {1, 2, 3}, {4}]
    >>> estimate = cv.ecs_estimate(left, right, n_samples=3)
    >>> abs(estimate.score - cv.ecs_score(left, right)) < 3 * estimate.error
    True
    """
    alpha = check_alpha(alpha)
    n_samples, seed = check_integer("n_samples", n_samples, 2), check_integer("seed", seed, 0)
    counts = count(
        left, right, universe=universe, n_objects=n_objects, drop_outliers=drop_outliers,
        threads=threads,
    )  # fmt: skip
    return estimated_ecs(counts, alpha, n_samples, seed)
