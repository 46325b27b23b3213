"""Scores compared with those of permuted objects (`baseline`) or resampled ones (`bootstrap`)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.clustering.recognise import recognise_all, recognise_universe
from coverlap.core.align import (
    DropRule,
    Rules,
    Treatment,
    UniverseOption,
    align,
    check_can_be_written_out,
    write_out_unmentioned,
)
from coverlap.core.align_many import align_three
from coverlap.core.checks import check_integer, check_option, check_share
from coverlap.core.incidence import Codes, Incidence, Runs, frozen, move, narrowest
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.core.threads import all_threads, check_threads, number_of_threads, use_one_thread
from coverlap.counting.counts import Counts, counts_of
from coverlap.measures.chance import expected_score, formula_of, n_steps
from coverlap.measures.registry import find_measure
from coverlap.results.inference import Baseline, Interval, mean_of

Model = Literal["permute"]
MODELS: tuple[str, ...] = get_args(Model)

OUTLIERS_COUNT = {"fstar_wo": True, "fstar_w": False}
"""The measures whose mean over all permutations is known, and whether outliers count in them."""

QUICK_STEPS = 2_000_000
"""Largest number of steps, of about 1 µs, for the exact mean."""


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
    r"""Score two clusterings, and the same two with the objects of one side permuted.

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

    Notes
    -----
    The mean of F\* over all permutations is known if no clusters overlap (see `expected_fstar`).
    Unless it takes long to compute, it is ``expected`` of the result, and ``mean``, ``z`` and
    ``adjusted`` use it. If clusters overlap, the mean is #P-hard to compute, because it tells the
    number of independent sets of a graph; it is then estimated by the mean of the draws.

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
    draws = draw_all(draw, seeds, memberships, threads)
    return Baseline(measure, model, observed, draws, _expected(counts, measure, options))


def _expected(counts: Counts, measure: str, options: dict[str, Any]) -> float | None:
    """Return the exact mean of all permutations; None if it is not known or takes long."""
    counts = counts.of_sets
    similarity = options.get("similarity", "jaccard")
    if measure not in OUTLIERS_COUNT or callable(similarity) or any(counts.overlapping):
        return None
    if n_steps(counts) > QUICK_STEPS:
        return None
    balance, average = float(options.get("balance", 0.5)), options.get("average", "size")
    form = formula_of(similarity)
    return expected_score(counts, form, OUTLIERS_COUNT[measure], balance, average).value


def bootstrap(
    left: Any,
    right: Any,
    measure: str = "fstar_wo",
    *,
    n_draws: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    universe: UniverseOption = "union",
    n_objects: int | None = None,
    drop_outliers: DropRule | None = None,
    outliers_as: Treatment | None = None,
    threads: int | None = None,
    **options: Any,
) -> Interval:
    """Score two clusterings, with an interval for the score if the objects are a random sample.

    Each resample draws as many objects as the universe has, with replacement. An object drawn
    twice counts as two objects with the same memberships on both sides: it has weight 2 in every
    size and in every shared count.

    Parameters
    ----------
    left, right, universe, n_objects, drop_outliers
        As in `fstar_score`. Objects are drawn from the universe.
    measure, outliers_as, **options
        As in `score`.
    n_draws : int
        Number of resamples.
    level : float
        Share of the resamples that the interval contains, after these are shifted by their bias
        (see below). The rest is cut off in equal parts at both ends.
    seed : int
        Seed of the resamples; they do not depend on the number of threads.
    threads : int, optional
        Number of resamples scored in parallel; by default one per core.

    Notes
    -----
    Resampling raises most scores, above all those of measures of pairs and of information, because
    two copies of an object are always in the same clusters. The interval is therefore shifted by
    ``bias``, the mean of the draws minus the score. Clusters are taken as given: the interval does
    not describe how an algorithm would cluster other data. With few objects it is slightly too
    narrow: for samples of 200 objects in overlapping clusters, intervals of level 0.9 contained the
    score of the population 82 to 88 times in 100, depending on the measure.

    Examples
    --------
    >>> import coverlap as cv
    >>> truth = [0] * 50 + [1] * 50 + [-1] * 20
    >>> found = [0] * 40 + [1] * 60 + [-1] * 20
    >>> result = cv.bootstrap(truth, found, n_draws=200)
    >>> result.low < result.value == cv.fstar_score(truth, found) < result.high
    True
    """
    rules = Rules(universe, n_objects, drop_outliers, outliers_as)
    rules.check()
    with all_threads(threads):
        sides = recognise_all({"left": left, "right": right})
        universe, sides = recognise_universe(universe, sides, ("left", "right"))
        pair = write_out_unmentioned(align(sides[0], sides[1], Rules(universe, n_objects)))
    sides = [pair.left, pair.right]
    return _bootstrap(sides, measure, options, rules, n_draws, level, seed, threads)


def bootstrap_difference(
    left: Any,
    right: Any,
    other: Any,
    measure: str = "fstar_wo",
    *,
    n_draws: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    universe: UniverseOption = "union",
    drop_outliers: DropRule | None = None,
    outliers_as: Treatment | None = None,
    threads: int | None = None,
    **options: Any,
) -> Interval:
    """Compute the difference of two scores with the same clustering, with an interval for it.

    Both are scored on the same resampled objects, so the variation that they share cancels out.

    Parameters
    ----------
    left : clustering
        The clustering that both are compared with, such as the truth.
    right, other : clusterings
        The value is the score of left and right minus the score of left and other.
    n_draws, level, seed, measure, drop_outliers, outliers_as, threads, **options
        As in `bootstrap`.
    universe : {"union", "intersection", "left"}, iterable of ids, or int
        The objects to compare on, common to all three.

    Examples
    --------
    >>> import coverlap as cv
    >>> truth = [0] * 50 + [1] * 50 + [-1] * 20
    >>> one = [0] * 45 + [1] * 55 + [-1] * 20
    >>> other = [0] * 30 + [1] * 60 + [-1] * 30
    >>> result = cv.bootstrap_difference(truth, one, other, n_draws=200)
    >>> result.low > 0
    True
    """
    rules = Rules(universe, None, drop_outliers, outliers_as)
    rules.check()
    with all_threads(threads):
        sides = recognise_all({"left": left, "right": right, "other": other})
    universe, sides = recognise_universe(universe, sides, ("left", "right", "other"))
    if isinstance(universe, str):
        check_option("universe", universe, ("union", "intersection", "left"))
    elif universe.ids is None:
        check_can_be_written_out(universe.n)
        universe = Objects(universe.n, universe.id_array(), "id")
    one, two, three = sides
    sides = align_three(one, two, three, universe)
    return _bootstrap(sides, measure, options, rules, n_draws, level, seed, threads)


def _bootstrap(
    sides: list[Memberships], measure: str, options: dict[str, Any], rules: Rules, n_draws: int,
    level: float, seed: int, threads: int | None,
) -> Interval:  # fmt: skip
    """Score the first side with the second, minus the first with the third if it is given."""
    chosen = find_measure(measure)
    chosen.check_options(options)
    check_threads(threads)
    n_draws, seed = check_integer("n_draws", n_draws, 2), check_integer("seed", seed, 0)
    level = check_share("level", level, inside=True)
    n_objects = sides[0].n_objects
    on_same_objects = rules._replace(universe="union", n_objects=None)

    def value(left: Memberships, *others: Memberships) -> float:
        pairs = (align(left, right, on_same_objects) for right in others)
        scores = [chosen.score(Counts(pair, 1), **options) for pair in pairs]
        return scores[0] - scores[1] if len(scores) > 1 else scores[0]

    def draw(sequence: np.random.SeedSequence) -> float:
        drawn = np.random.default_rng(sequence).integers(n_objects, size=n_objects)
        times = np.bincount(drawn, minlength=n_objects)
        return value(*(resampled(side, times) for side in sides))

    observed = value(*sides)
    draws = np.full(n_draws, observed)
    if n_objects > 0:
        n_memberships = sum(side.n_memberships for side in sides) + n_objects
        draws = draw_all(draw, np.random.SeedSequence(seed).spawn(n_draws), n_memberships, threads)
    bias = mean_of(draws) - observed
    low, high = (np.quantile(draws, [(1 - level) / 2, (1 + level) / 2]) - bias).tolist()
    if len(sides) > 2:
        return Interval(f"difference of {measure}", observed, low, high, level, draws)
    least, most = chosen.range
    return Interval(measure, observed, max(low, least), min(high, most), level, draws)


def draw_all(
    draw: Callable[[Any], float], seeds: list[Any], n_memberships: int, threads: int | None
) -> NDArray[np.float64]:
    """Return the values of a function for each seed; they do not depend on the threads."""
    n_threads = number_of_threads(threads, n_memberships * len(seeds), 1)
    with ThreadPoolExecutor(n_threads, initializer=use_one_thread) as pool:
        return np.array(list(pool.map(draw, seeds)), np.float64)


def permuted(clustering: Memberships, seed: np.uint64) -> Memberships:
    """Return the clustering with its objects permuted at random."""
    incidence = clustering.runs if clustering.listed else clustering.incidence
    if isinstance(incidence, Codes):
        codes = incidence.codes.astype(narrowest(incidence.n_codes + 1))
        _kernels.sampling.shuffle(codes, seed)
        return clustering.rearranged(Codes(frozen(codes), incidence.n_codes))
    n_objects = clustering.n_objects
    positions: NDArray[Any] = np.arange(n_objects, dtype=narrowest(n_objects))
    _kernels.sampling.shuffle(positions, seed)
    return clustering.rearranged(move(incidence, positions, n_objects))


def resampled(clustering: Memberships, times: NDArray[np.int64]) -> Memberships:
    """Repeat each object a number of times; copies of one object are in the same clusters."""
    n_objects = int(times.sum())
    incidence: Incidence = clustering.incidence
    if isinstance(incidence, Codes):
        incidence = Codes(frozen(np.repeat(incidence.codes, times)), incidence.n_codes)
    else:
        incidence = _repeated(incidence, times, n_objects)
    made = Memberships(incidence, Objects(n_objects), keeps_duplicates=clustering.keeps_duplicates)
    return made.distinct()


def _repeated(runs: Runs, times: NDArray[np.int64], n_objects: int) -> Runs:
    """Write each member as often as it was drawn; copies of one object follow one another."""
    members_times = times[runs.members]
    ends = np.cumsum(members_times)
    first_copy = np.cumsum(times) - times
    places = np.arange(int(ends[-1]) if len(ends) else 0)
    nth_copy = places - np.repeat(ends - members_times, members_times)
    members = np.repeat(first_copy[runs.members], members_times) + nth_copy
    pointers = np.concatenate(([0], ends))[runs.pointers]
    return Runs(frozen(pointers), frozen(members.astype(narrowest(n_objects))))
