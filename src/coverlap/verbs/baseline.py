"""Scores of unrelated clusterings of the same shape."""

from typing import Any, Literal, get_args

import numpy as np

from coverlap.core.align import DropRule, Rules, Treatment, UniverseOption, write_out_unmentioned
from coverlap.core.checks import check_integer, check_option
from coverlap.counting.counts import Counts, counts_of
from coverlap.measures.registry import find_measure
from coverlap.results.inference import Baseline
from coverlap.verbs.resampling import draw_all, permuted

Model = Literal["permute"]
MODELS: tuple[str, ...] = get_args(Model)


def baseline(
    left: Any,
    right: Any,
    measure: str = "fstar_wo",
    *,
    model: Model = "permute",
    n_draws: int = 1000,
    seed: int = 0,
    universe: UniverseOption = "union",
    n_objects: int | None = None,
    drop_outliers: DropRule | None = None,
    outliers_as: Treatment | None = None,
    threads: int | None = None,
    **options: Any,
) -> Baseline:
    """Score two clusterings, and the same two with the objects of one side permuted.

    Parameters
    ----------
    left, right, universe, n_objects, drop_outliers
        As in `fstar_score`.
    measure, outliers_as, **options
        As in `score`.
    model : {"permute"}
        How unrelated clusterings are drawn: "permute" permutes the objects of the right side at
        random. Sizes of clusters, overlaps and the number of outliers do not change.
    n_draws : int
        Number of permutations.
    seed : int
        Seed of the permutations; they do not depend on the number of threads.
    threads : int, optional
        Number of permutations scored in parallel; by default one per core.

    Examples
    --------
    >>> import coverlap as cv
    >>> truth = [0] * 10 + [1] * 10 + [-1] * 5
    >>> found = [0] * 9 + [1] * 10 + [-1] * 6
    >>> result = cv.baseline(truth, found, n_draws=200)
    >>> round(result.score, 3), round(result.p, 3)
    (0.853, 0.005)
    >>> result.mean < 0.5 < result.adjusted < result.score
    True
    """
    chosen = find_measure(measure)
    chosen.check_options(options)
    check_option("model", model, MODELS)
    n_draws, seed = check_integer("n_draws", n_draws, 2), check_integer("seed", seed, 0)
    counts = counts_of(left, right, Rules(universe, n_objects, drop_outliers, outliers_as), threads)
    pair = write_out_unmentioned(counts.pair)

    def draw(seed: np.uint64) -> float:
        return chosen.score(Counts(pair._replace(right=permuted(pair.right, seed)), 1), **options)

    observed = chosen.score(Counts(pair, threads), **options)
    seeds = list(np.random.SeedSequence(seed).generate_state(n_draws, np.uint64))
    memberships = pair.left.n_memberships + pair.right.n_memberships
    return Baseline(measure, model, observed, draw_all(draw, seeds, memberships, threads))
