"""One score by any measure, and functions for the measures that are asked for most."""

from typing import Any

from coverlap.counting.counts import count
from coverlap.measures.onmi import Normalization, Variant
from coverlap.measures.registry import find_measure


def score(
    left: Any,
    right: Any,
    measure: str = "fstar_wo",
    *,
    universe: Any = "union",
    n_objects: int | None = None,
    drop_outliers: str | None = None,
    outliers_as: str | None = None,
    threads: int | None = None,
    **options: Any,
) -> float:
    """Score two clusterings by any measure.

    Parameters
    ----------
    left, right : clusterings
        As in `fstar_score`. A measure that is not symmetric takes left for the truth.
    measure : str
        A name in `MEASURES`, such as "fstar_wo", "omega", "onmi_mgh", "ecs", "ari", "ami" or
        "bcubed_f1".
    universe, n_objects, drop_outliers, threads
        As in `fstar_score`.
    outliers_as : {None, "singletons", "cluster", "drop"}
        What to make of outliers first: a cluster of each, one cluster of all outliers of a side,
        or nothing (objects that are outliers on either side leave the universe). Measures that
        do not know outliers refuse them without this. The score can depend on it more than on
        anything else; `noise_sensitivity` shows how much.
    **options
        Options of the measure: ``balance``, ``similarity`` and ``average`` of fstar_wo and
        fstar_w, ``variant`` of the onmi measures, ``alpha`` of ecs.

    Returns
    -------
    float

    Raises
    ------
    UndefinedError
        If clusters overlap, or objects are outliers, and the measure is not defined for that.

    Examples
    --------
    >>> import coverlap as cv
    >>> truth, found = [0, 0, 0, 1, 1, -1], [0, 0, 1, 1, 1, 1]
    >>> cv.score(truth, found, "omega")
    0.03669724770642202
    >>> cv.score(truth, found, "ari", outliers_as="drop")
    0.16666666666666666
    >>> cv.score(truth, found, "ari")
    Traceback (most recent call last):
    ...
    coverlap.core.errors.UndefinedError: ari is not defined for outliers (1 on the left, 0 on the \
right); say outliers_as= (--outliers-as) singletons, cluster or drop, or use omega, ecs or fstar_wo
    """
    chosen = find_measure(measure)
    chosen.check_options(options)
    counts = count(
        left, right, universe=universe, n_objects=n_objects, drop_outliers=drop_outliers,
        outliers_as=outliers_as, threads=threads,
    )  # fmt: skip
    return chosen.score(counts, **options)


def omega_score(
    left: Any,
    right: Any,
    *,
    adjusted: bool = True,
    outliers_as: str | None = None,
    universe: Any = "union",
    n_objects: int | None = None,
    drop_outliers: str | None = None,
    threads: int | None = None,
) -> float:
    r"""Score two clusterings by the Omega index.

    Of each pair of objects it is asked how many clusters they share on either side. With
    :math:`N_A(j)` pairs that share j left clusters and :math:`N_B(j)` that share j right ones,

    .. math::

        \Omega = \frac{\omega_o - \omega_e}{1 - \omega_e}, \quad
        \omega_o = \frac{\#\{\text{pairs with equal numbers}\}}{N}, \quad
        \omega_e = \sum_j \frac{N_A(j) N_B(j)}{N^2}

    over all N pairs of the universe. For partitions this is the adjusted Rand index. An outlier
    shares no cluster with anybody, so it counts as a singleton cluster would.

    Parameters
    ----------
    left, right, universe, n_objects, drop_outliers, threads
        As in `fstar_score`.
    adjusted : bool
        Whether to adjust for chance; if not, the score is the observed agreement alone.
    outliers_as : {None, "singletons", "cluster", "drop"}
        As in `score`; it is not needed here.

    Returns
    -------
    float
        At most 1; 0 is what unrelated clusterings score on average, if adjusted. It is 1.0 where
        the expected agreement is 1, as for two clusterings of singletons.

    Examples
    --------
    >>> import coverlap as cv
    >>> left = [{0, 1, 2, 3}, {3, 4, 5, 6}, {7, 8}, {9}]
    >>> right = [{0, 1, 2, 3}, {2, 3, 4, 5, 6}, {7, 8, 9}]
    >>> cv.omega_score(left, right)
    0.7127659574468085
    """
    return score(
        left, right, "omega" if adjusted else "omega_raw", outliers_as=outliers_as,
        universe=universe, n_objects=n_objects, drop_outliers=drop_outliers, threads=threads,
    )  # fmt: skip


def onmi_score(
    left: Any,
    right: Any,
    *,
    normalization: Normalization = "max",
    variant: Variant = "definition",
    outliers_as: str | None = None,
    universe: Any = "union",
    n_objects: int | None = None,
    drop_outliers: str | None = None,
    threads: int | None = None,
) -> float:
    r"""Score two clusterings by the overlapping normalised mutual information.

    Each cluster is a binary variable over the objects. H(x|Y) is the smallest conditional entropy
    of a left cluster x given one right cluster, H(X) and H(X|Y) are the sums of H(x) and H(x|Y)
    over the left clusters, and I = ½ [H(X) - H(X|Y) + H(Y) - H(Y|X)].

    Parameters
    ----------
    left, right, universe, n_objects, drop_outliers, threads
        As in `fstar_score`. The number of objects matters: those that neither side mentions are
        part of the universe only if ``universe`` or ``n_objects`` says so.
    normalization : {"max", "mgh", "lfk", "lfk_total", "min", "sqrt", "mean", "joint"}
        "max" or "mgh" is I / max(H(X), H(Y)), the measure of McDaid, Greene and Hurley; "min",
        "sqrt" (geometric mean), "mean" and "joint" (H(X) + H(Y) - I) divide by that instead,
        and "min" and "sqrt" can exceed 1. "lfk" is the older measure of Lancichinetti, Fortunato
        and Kertész, 1 - ½ [mean of H(x|Y)/H(x) + mean of H(y|X)/H(y)], and "lfk_total" is
        1 - ½ [H(X|Y)/H(X) + H(Y|X)/H(Y)].
    variant : {"definition", "mcdaid"}
        "mcdaid" reproduces McDaid's program, which skips pairs of clusters that share no objects,
        and counts a cluster of all objects as unknown in "lfk".
    outliers_as : {None, "singletons", "cluster", "drop"}
        As in `score`; it is not needed here.

    Returns
    -------
    float
        1.0 for equal clusterings; 0.0 if only one side has clusters.

    Notes
    -----
    A cluster of all objects has no entropy: in "lfk" it counts as known if the other side has it
    as well, and as unknown otherwise. Any other 0/0 is 1.0 for equal clusterings, else 0.0.

    Examples
    --------
    >>> import coverlap as cv
    >>> left, right = [{0, 3}, {1, 2, 5}, {4}], [{0, 3}, {1, 2}, {4, 5}]
    >>> round(cv.onmi_score(left, right), 6)
    0.614955
    >>> round(cv.onmi_score(left, right, normalization="lfk"), 6)
    0.631869
    """
    return score(
        left, right, "onmi", normalization=normalization, variant=variant, outliers_as=outliers_as,
        universe=universe, n_objects=n_objects, drop_outliers=drop_outliers, threads=threads,
    )  # fmt: skip


def ari_score(
    left: Any,
    right: Any,
    *,
    outliers_as: str | None = None,
    universe: Any = "union",
    n_objects: int | None = None,
    drop_outliers: str | None = None,
    threads: int | None = None,
) -> float:
    """Score two partitions by the adjusted Rand index.

    It is defined for clusters that do not overlap and where every object is in one. For others use
    `omega_score`, which agrees with it on partitions, or say what to make of outliers.

    Parameters
    ----------
    left, right, universe, n_objects, drop_outliers, threads
        As in `fstar_score`.
    outliers_as : {None, "singletons", "cluster", "drop"}
        As in `score`.

    Returns
    -------
    float
        At most 1; 0 is what unrelated partitions score on average.

    Examples
    --------
    >>> import coverlap as cv
    >>> cv.ari_score(["a", "a", "b", "b"], [0, 0, 1, 2])
    0.5714285714285714
    """
    return score(
        left, right, "ari", outliers_as=outliers_as, universe=universe, n_objects=n_objects,
        drop_outliers=drop_outliers, threads=threads,
    )  # fmt: skip
