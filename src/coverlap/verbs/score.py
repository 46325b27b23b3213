"""The score by any measure, and functions for the measures used most."""

from pathlib import Path
from typing import Any

from coverlap.core.align import DropRule, Rules, Treatment, UniverseOption
from coverlap.core.errors import OptionError
from coverlap.core.threads import check_threads
from coverlap.counting.counts import counts_of
from coverlap.counting.engines import Engine, choose_engine
from coverlap.counting.table_measures import NotInTablesError, counts_of_tables
from coverlap.measures.onmi import Normalization, Variant
from coverlap.measures.registry import find_measure


def score(
    left: Any,
    right: Any,
    measure: str = "fstar_wo",
    *,
    universe: UniverseOption = "union",
    n_objects: int | None = None,
    drop_outliers: DropRule | None = None,
    outliers_as: Treatment | None = None,
    threads: int | None = None,
    engine: Engine = "auto",
    memory_limit: int | str | None = None,
    temp_dir: str | Path | None = None,
    **options: Any,
) -> float:
    """Score two clusterings by any measure.

    Parameters
    ----------
    left, right : clusterings
        As in `fstar_score`. For a measure that is not symmetric, left is the truth.
    measure : str
        A name in `MEASURES`, such as "fstar_wo", "omega", "onmi", "ecs", "ari", "ami" or
        "bcubed_f1".
    universe, n_objects, drop_outliers, threads
        As in `fstar_score`.
    outliers_as : {None, "singletons", "cluster"}
        How to treat outliers first: make each a cluster of its own, or make one cluster of all
        outliers of a side. Measures that are not defined for outliers need this, or
        ``drop_outliers="either"``. The choice can change the score more than any other option;
        `outlier_sensitivity` shows how much.
    engine, memory_limit, temp_dir
        As in `compare`. Outside memory, measures can be computed that follow from the numbers of
        objects that clusters share: all but ecs and, if clusters overlap, omega and bcubed.
    **options
        Options of the measure: ``balance``, ``similarity`` and ``average`` of fstar_wo, fstar_w
        and fstar_adjusted, ``normalization`` and ``variant`` of onmi, ``mean`` of nmi and ami,
        ``alpha`` of ecs, ``beta`` of v.

    Raises
    ------
    UndefinedError
        If clusters overlap or objects are outliers, and the measure is not defined for these.

    Examples
    --------
    >>> import coverlap as cv
    >>> truth, found = [0, 0, 0, 1, 1, -1], [0, 0, 1, 1, 1, 1]
    >>> cv.score(truth, found, "omega")
    0.03669724770642202
    >>> cv.score(truth, found, "ari", drop_outliers="either")
    0.16666666666666666
    """
    chosen = find_measure(measure)
    chosen.check_options(options)
    check_threads(threads)
    rules = Rules(universe, n_objects, drop_outliers, outliers_as)
    where = choose_engine(left, right, engine, threads, memory_limit, temp_dir, universe)
    if where is None:
        return chosen.score(counts_of(left, right, rules, threads), **options)
    try:
        return chosen.score(counts_of_tables(where, rules, threads), **options)
    except NotInTablesError as error:
        raise OptionError(f"{chosen.name} {error}") from None


def omega_score(
    left: Any,
    right: Any,
    *,
    adjusted: bool = True,
    outliers_as: Treatment | None = None,
    universe: UniverseOption = "union",
    n_objects: int | None = None,
    drop_outliers: DropRule | None = None,
    threads: int | None = None,
) -> float:
    r"""Score two clusterings by the Omega index.

    It compares the numbers of clusters that each pair of objects shares on both sides. With
    :math:`N_A(j)` pairs that share j left clusters and :math:`N_B(j)` that share j right ones,

    .. math::

        \Omega = \frac{\omega_o - \omega_e}{1 - \omega_e}, \quad
        \omega_o = \frac{\#\{\text{pairs with equal numbers}\}}{N}, \quad
        \omega_e = \sum_j \frac{N_A(j) N_B(j)}{N^2}

    over all N pairs of the universe. For partitions this is the adjusted Rand index. An outlier
    shares no cluster with any object, so it counts like a singleton cluster.

    Parameters
    ----------
    left, right, universe, n_objects, drop_outliers, outliers_as, threads
        As in `score`. The measure is defined for outliers, so ``outliers_as`` is not needed.
    adjusted : bool
        Whether to adjust for chance; otherwise the score is the observed agreement.

    Returns
    -------
    float
        At most 1; if adjusted, unrelated clusterings score 0 on average. It is 1.0 if the
        expected agreement is 1, as for two clusterings of singletons.

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
    outliers_as: Treatment | None = None,
    universe: UniverseOption = "union",
    n_objects: int | None = None,
    drop_outliers: DropRule | None = None,
    threads: int | None = None,
) -> float:
    r"""Score two clusterings by the overlapping normalised mutual information.

    Each cluster is a binary variable over the objects. H(x|Y) is the smallest conditional entropy
    of a left cluster x given one right cluster, H(X) and H(X|Y) are the sums of H(x) and H(x|Y)
    over the left clusters, and I = ½ [H(X) - H(X|Y) + H(Y) - H(Y|X)].

    Parameters
    ----------
    left, right, universe, n_objects, drop_outliers, outliers_as, threads
        As in `score`. The measure is defined for outliers, so ``outliers_as`` is not needed. The
        number of objects matters: those that neither side mentions are part of the universe only
        if ``universe`` or ``n_objects`` says so.
    normalization : {"max", "mgh", "lfk", "lfk_total", "min", "sqrt", "mean", "joint"}
        "max" or "mgh" is I / max(H(X), H(Y)), the measure of McDaid, Greene and Hurley; "min",
        "sqrt" (geometric mean), "mean" and "joint" (H(X) + H(Y) - I) divide by that instead,
        and "min" and "sqrt" can exceed 1. "lfk" is the older measure of Lancichinetti, Fortunato
        and Kertész, 1 - ½ [mean of H(x|Y)/H(x) + mean of H(y|X)/H(y)], and "lfk_total" is
        1 - ½ [H(X|Y)/H(X) + H(Y|X)/H(Y)].
    variant : {"definition", "mcdaid"}
        "mcdaid" reproduces McDaid's program, which skips pairs of clusters that share no objects,
        and counts a cluster of all objects as unknown in "lfk".

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
    outliers_as: Treatment | None = None,
    universe: UniverseOption = "union",
    n_objects: int | None = None,
    drop_outliers: DropRule | None = None,
    threads: int | None = None,
) -> float:
    """Score two partitions by the adjusted Rand index.

    It is defined for clusterings in which every object is in exactly one cluster. For others use
    `omega_score`, which is equal for partitions, or treat outliers by ``outliers_as``.

    Parameters
    ----------
    left, right, universe, n_objects, drop_outliers, outliers_as, threads
        As in `score`.

    Returns
    -------
    float
        At most 1; unrelated partitions score 0 on average.

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
