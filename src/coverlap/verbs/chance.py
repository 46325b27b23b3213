r"""The expected score of unrelated clusterings by F\*."""

from typing import Any

from coverlap.core.align import DropRule, Rules, UniverseOption
from coverlap.counting.counts import counts_of
from coverlap.counting.matching import SimilarityName
from coverlap.measures.chance import expected_score, formula_of
from coverlap.measures.fstar import Average, check_options
from coverlap.results.chance import Expectation


def expected_fstar(
    left: Any,
    right: Any,
    *,
    outliers: bool = True,
    balance: float = 0.5,
    similarity: SimilarityName = "jaccard",
    average: Average = "size",
    universe: UniverseOption = "union",
    n_objects: int | None = None,
    drop_outliers: DropRule | None = None,
    threads: int | None = None,
) -> Expectation:
    r"""Compute the mean of F\*_wo over all permutations of the objects of one side.

    This is the score to expect if the two clusterings are unrelated, but have clusters of these
    sizes and these numbers of outliers. It is computed from the sizes, without sampling.

    Parameters
    ----------
    left, right, outliers, balance, average, universe, n_objects, drop_outliers, threads
        As in `fstar_score`.
    similarity : {"jaccard", "f1", "precision", "recall"}
        As in `fstar_score`, but not a function.

    Returns
    -------
    Expectation
        ``value`` is the mean, and ``error`` a bound of its absolute error: 1e-12 where ``exact`` is
        true. This is the case unless the two sides have many different sizes of clusters, as
        10,000,000 objects in 10,000 clusters can have.

    Raises
    ------
    UndefinedError
        If clusters overlap on the side where matches are searched: on the right unless
        ``balance`` is 0, on the left unless it is 1. The mean is then #P-hard to compute;
        `baseline` estimates it by permutations.

    Notes
    -----
    The time is proportional to the number of pairs of different sizes of clusters, one from each
    side, times the number of objects that these clusters can share by chance.

    Examples
    --------
    >>> import coverlap as cv
    >>> cv.expected_fstar([0, 0, 1], [0, 0, 1])
    Expectation(value=0.6666666666666667, error=1e-12, exact=True)
    >>> truth, found = [0] * 50 + [1] * 50, [0] * 60 + [1] * 30 + [-1] * 10
    >>> expected = float(cv.expected_fstar(truth, found))
    >>> score = cv.fstar_score(truth, found)
    >>> abs((score - expected) / (1 - expected) - cv.score(truth, found, "fstar_adjusted")) < 1e-12
    True
    """
    check_options(outliers, balance, average)
    form = formula_of(similarity)
    counts = counts_of(left, right, Rules(universe, n_objects, drop_outliers), threads).of_sets
    return Expectation(*expected_score(counts, form, bool(outliers), float(balance), average))
