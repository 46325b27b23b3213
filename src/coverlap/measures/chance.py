r"""The score to expect by chance: the mean of F\* over all permutations of one side."""

from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.errors import OptionError, UndefinedError
from coverlap.core.incidence import frozen
from coverlap.core.threads import number_of_threads, workers
from coverlap.counting.counts import Counts
from coverlap.counting.matching import (
    SIMILARITIES,
    Similarity,
    SimilarityFormula,
    find_similarity,
)
from coverlap.measures.fstar import score_of_counts

PRECISION = 1e-12
"""Bound of the error of the expected similarity of one cluster; see docs/theory.md."""

MOST_STEPS = 10_000_000
"""Steps for one direction, of about 1 µs, above which some sizes of clusters are interpolated."""

FEWEST_SIZES = 64
"""Smallest number of sizes of clusters for which the expected similarity is computed."""

SAMPLED_SIZES = 256
"""Number of sizes from which the number of steps is estimated."""

Sizes = NDArray[np.int64]
Floats = NDArray[np.float64]


class Expected(NamedTuple):
    """An expected value, a bound of its error, and whether nothing was interpolated."""

    value: float
    error: float
    exact: bool


def formula_of(similarity: str | Similarity) -> SimilarityFormula:
    """Return the formula of a built-in similarity; raise an error for a user-defined function."""
    form = find_similarity(similarity)
    if isinstance(form, SimilarityFormula):
        return form
    names = ", ".join(repr(name) for name in SIMILARITIES)
    raise OptionError(
        f"similarity must be one of {names} here, not a function, whose expected score is not "
        "known; baseline estimates it by permutations"
    )


def adjusted_fstar(
    counts: Counts,
    *,
    balance: float = 0.5,
    similarity: str | Similarity = "jaccard",
    average: str = "size",
) -> float:
    r"""Return F\*_wo adjusted for chance, (score - expected) / (1 - expected).

    Permuted objects score 0 on average. Equal clusterings score 1.0, also if all permutations are
    equal, as those of a single cluster of all objects are.
    """
    form = formula_of(similarity)
    score = score_of_counts(
        counts, outliers=True, balance=balance, similarity=similarity, average=average
    )
    if score == 1:
        return 1.0
    expected = expected_score(counts, form, True, float(balance), average).value  # noqa: FBT003
    return (score - expected) / (1 - expected) if expected < 1 else 0.0


def n_steps(counts: Counts) -> float:
    """Return about how many steps the expected score takes for both directions."""
    left, right = (np.unique(side.sizes) for side in (counts.pair.left, counts.pair.right))
    both = (left, right), (right, left)
    return sum(float(_steps(*sides, max(counts.n_objects, 1)).sum()) for sides in both)


def expected_score(
    counts: Counts, form: SimilarityFormula, outliers: bool, balance: float, average: str
) -> Expected:
    r"""Compute the mean of F\* over all permutations of the objects of one side.

    Each direction needs that the clusters of the side that is searched do not overlap. Of the other
    side only the sizes of clusters matter.
    """
    sides = counts.pair.left, counts.pair.right
    if not (counts.n_objects and any(side.n_clusters for side in sides)):
        return Expected(1.0, 0.0, exact=True)
    parts = []
    for own, weight in enumerate((balance, 1 - balance)):
        if weight:
            clusters = _expected_direction(counts, form, own, average)
            parts.append(_with_outliers(counts, form, own, clusters, outliers, weight))
    return Expected(
        min(fsum(part.value for part in parts), 1.0),
        PRECISION + fsum(part.error for part in parts),
        all(part.exact for part in parts),
    )


def _expected_direction(
    counts: Counts, form: SimilarityFormula, own: int, average: str
) -> Expected:
    """Return the expected mean similarity of the clusters of one side to their best matches."""
    side, other = (counts.pair.left, counts.pair.right)[:: 1 if own == 0 else -1]
    if not (side.n_clusters and other.n_clusters):
        return Expected(0.0, 0.0, exact=True)
    if counts.overlapping[1 - own]:
        where = "right" if own == 0 else "left"
        raise UndefinedError(
            f"the expected score is known only without overlaps, but clusters overlap on the "
            f"{where}, where matches are searched; baseline estimates it by permutations"
        )
    own_sizes, own_numbers = np.unique(side.sizes, return_counts=True)
    sizes, numbers = np.unique(other.sizes, return_counts=True)
    weights = own_numbers * (own_sizes if average == "size" else 1) / 1.0
    weights /= weights.sum()
    steps = _steps(own_sizes, sizes, counts.n_objects)
    chosen = _chosen_sizes(own_sizes, weights, steps)
    values = np.zeros(len(own_sizes))
    arguments = counts.n_objects, frozen(sizes), frozen(numbers), _floats(form), values
    with workers(number_of_threads(counts.threads, 100 * int(steps[chosen].sum()), 1)) as team:
        order = chosen[np.argsort(steps[chosen], kind="stable")]
        parts = [frozen(np.ascontiguousarray(part)) for part in team.dealt(order)]
        team.run(_kernels.chance.expected, parts, frozen(own_sizes), *arguments)
    values, errors = _interpolated(own_sizes, values, chosen)
    exact = len(chosen) == len(own_sizes)
    return Expected(fsum(weights * values), fsum(weights * errors), exact)


def _with_outliers(
    counts: Counts, form: SimilarityFormula, own: int, clusters: Expected, outliers: bool,
    weight: float,
) -> Expected:  # fmt: skip
    """Average the clusters and the outliers of one side, and multiply by a weight."""
    if not outliers:
        return Expected(weight * clusters.value, weight * clusters.error, clusters.exact)
    n, n_own, n_other = counts.n_objects, counts.n_outliers[own], counts.n_outliers[1 - own]
    alike = 0.0
    if n_own and n_other:
        alike = _kernels.chance.expected_of_two(n_own, n_other, n, _floats(form))
    share = (n - n_own) / n
    value = share * clusters.value + n_own / n * alike
    return Expected(weight * value, weight * share * clusters.error, clusters.exact)


def _floats(form: SimilarityFormula) -> Floats:
    return frozen(np.array(form[:4], np.float64))


def _steps(own_sizes: Sizes, sizes: Sizes, n_objects: int) -> Floats:
    """Return about how many levels are visited for each own size, estimated from some sizes."""
    every = max(-(-len(sizes) // SAMPLED_SIZES), 1)
    sizes = sizes[::every]
    steps = np.empty(len(own_sizes))
    for i, own in enumerate(own_sizes.tolist()):
        spread = 10 + 12 * np.sqrt(sizes * (own / n_objects))
        steps[i] = every * np.minimum(np.minimum(sizes, own), spread).sum()
    return steps


def _chosen_sizes(sizes: Sizes, weights: Floats, steps: Floats) -> Sizes:
    """Return the places of the sizes to compute: all, or some that keep the error small.

    Between two of these sizes the bound of the error is proportional to their distance on a
    logarithmic scale. With a weight w(x) per unit of this scale, the bound of the mean is smallest
    if the distances are proportional to w(x) ** -1/2.
    """
    share = MOST_STEPS / steps.sum()
    if share >= 1 or len(sizes) <= FEWEST_SIZES:
        return np.arange(len(sizes))
    wanted = max(FEWEST_SIZES, int(share * len(sizes)))
    distances = np.gradient(np.log(sizes))
    position = np.cumsum(np.sqrt(weights * distances))
    targets = np.linspace(position[0], position[-1], wanted)
    return np.unique(np.searchsorted(position, targets).clip(0, len(sizes) - 1))


def _interpolated(sizes: Sizes, values: Floats, chosen: Sizes) -> tuple[Floats, Floats]:
    """Interpolate the values of sizes that are not chosen, and return bounds of the errors.

    The value of size c is at least c/d and at most d/c times that of a larger size d.
    """
    known_sizes, known = sizes[chosen], values[chosen]
    after = np.searchsorted(known_sizes, sizes)
    before = np.where(known_sizes[after] == sizes, after, after - 1)
    ratios = known_sizes[before] / sizes, sizes / known_sizes[after]
    least = np.maximum(known[before] * ratios[0], known[after] * ratios[1])
    most = np.minimum(known[before] / ratios[0], known[after] / ratios[1])
    between = np.exp(np.interp(np.log(sizes), np.log(known_sizes), np.log(known)))
    found = np.where(before == after, known[before], np.clip(between, least, most))
    return found, np.maximum(np.maximum(most - found, found - least), 0)
