"""What unrelated clusterings of the same shape would score."""

import json
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.checks import check_integer, check_option, check_share
from coverlap.core.incidence import Codes, Incidence, frozen, move, narrowest
from coverlap.core.memberships import Memberships
from coverlap.core.universe import Rules, write_out_unmentioned
from coverlap.counting.counts import Counts, count
from coverlap.measures.registry import MEASURES, find_measure
from coverlap.verbs.draws import deviation_of, draw_all, mean_of

MODELS = ("permute",)

ROUNDING = 1e-13
"""Different tables can have the same score, which is then rounded differently."""


class Baseline(NamedTuple):
    """The result of `baseline`: a score, and the scores of unrelated clusterings.

    ``draws`` holds the score of every permutation.
    """

    measure: str
    model: str
    score: float
    draws: NDArray[np.float64]

    @property
    def mean(self) -> float:
        """Mean score of the permutations: what chance alone achieves."""
        return mean_of(self.draws)

    @property
    def sd(self) -> float:
        """Standard deviation of the scores of the permutations."""
        return deviation_of(self.draws)

    @property
    def z(self) -> float | None:
        """How many standard deviations the score is above the mean; None if they do not vary."""
        return (self.score - self.mean) / self.sd if self.sd > 0 else None

    @property
    def p(self) -> float:
        """Share of permutations that are at least as similar, the clusterings themselves included.

        It is never 0: with n permutations the least is 1 / (n + 1). Scores that differ by no more
        than rounding count as equal.
        """
        sign = -1 if MEASURES[self.measure].identical == 0 else 1
        rounding = ROUNDING * max(1.0, abs(self.score))
        as_good = sign * (self.draws - self.score) >= -rounding
        return (1 + int(np.count_nonzero(as_good))) / (1 + len(self.draws))

    @property
    def adjusted(self) -> float | None:
        """The score on a scale where chance is 0 and equal clusterings are 1.

        That is (score - mean) / (best - mean); None if chance does as well as equal clusterings,
        or if the best score depends on the clusterings.
        """
        best = MEASURES[self.measure].identical
        if best is None or best == self.mean:
            return None
        return (self.score - self.mean) / (best - self.mean)

    def quantile(self, share: float) -> float:
        """Return the score that this share of the permutations does not exceed."""
        return float(np.quantile(self.draws, check_share("share", share)))

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the draws; the adjusted score is called by the model."""
        return {
            "measure": self.measure, "model": self.model, "n": len(self.draws),
            "score": self.score, "mean": self.mean, "sd": self.sd,
            "quantiles": {share: self.quantile(share) for share in (0.025, 0.5, 0.975)},
            "z": self.z, "p": self.p, f"adjusted_{self.model}": self.adjusted,
        }  # fmt: skip

    def to_json(self, indent: int | None = None) -> str:
        """Return everything but the draws as JSON."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

    def __repr__(self) -> str:
        adjusted = "" if self.adjusted is None else f", adjusted {self.adjusted:.6g}"
        return (
            f"Baseline({self.measure}={self.score:.6g}, {self.model}: mean {self.mean:.6g}, "
            f"sd {self.sd:.3g}, p {self.p:.3g}{adjusted}, n {len(self.draws):,})"
        )


def baseline(
    left: Any,
    right: Any,
    measure: str = "fstar_wo",
    *,
    model: str = "permute",
    n: int = 1000,
    seed: int = 0,
    universe: Any = "union",
    n_objects: int | None = None,
    drop_outliers: str | None = None,
    outliers_as: str | None = None,
    threads: int | None = None,
    **options: Any,
) -> Baseline:
    """Score two clusterings, and what is left of them when their objects are shuffled.

    Parameters
    ----------
    left, right, universe, n_objects, drop_outliers
        As in `fstar_score`.
    measure, outliers_as, **options
        As in `score`.
    model : {"permute"}
        What unrelated clusterings are: "permute" exchanges the objects of the right side at
        random. Sizes of clusters, overlaps and the number of outliers stay as they are.
    n : int
        Number of permutations.
    seed : int
        The same seed gives the same permutations, whatever the number of threads.
    threads : int, optional
        Permutations that are scored at the same time; by default one per core.

    Returns
    -------
    Baseline

    Examples
    --------
    >>> import coverlap as cv
    >>> truth = [0] * 10 + [1] * 10 + [-1] * 5
    >>> found = [0] * 9 + [1] * 10 + [-1] * 6
    >>> result = cv.baseline(truth, found, n=200)
    >>> round(result.score, 3), round(result.p, 3)
    (0.853, 0.005)
    >>> result.mean < 0.5 < result.adjusted < result.score
    True
    """
    chosen = find_measure(measure)
    chosen.check_options(options)
    check_option("model", model, MODELS)
    n, seed = check_integer("n", n, 2), check_integer("seed", seed, 0)
    counts = count(left, right, Rules(universe, n_objects, drop_outliers, outliers_as), threads)
    pair = write_out_unmentioned(counts.pair)
    shuffled = _Shuffled(pair.right)

    def draw(seed: np.uint64) -> float:
        return chosen.score(Counts(pair._replace(right=shuffled.by(seed)), 1), **options)

    observed = chosen.score(Counts(pair, threads), **options)
    seeds = list(np.random.SeedSequence(seed).generate_state(n, np.uint64))
    memberships = pair.left.n_memberships + pair.right.n_memberships
    return Baseline(measure, model, observed, draw_all(draw, seeds, memberships, threads))


class _Shuffled:
    """A clustering whose objects can be exchanged at random."""

    def __init__(self, clustering: Memberships) -> None:
        self._clustering = clustering
        incidence = clustering.incidence
        if isinstance(incidence, Codes):
            self._values: NDArray[Any] = incidence.codes.astype(narrowest(incidence.n_codes + 1))
        else:
            self._values = np.arange(clustering.n_objects, dtype=narrowest(clustering.n_objects))

    def by(self, seed: np.uint64) -> Memberships:
        """Return the clustering with its objects exchanged."""
        values = self._values.copy()
        _kernels.sampling.shuffle(values, seed)
        incidence: Incidence = self._clustering.incidence
        if isinstance(incidence, Codes):
            incidence = Codes(frozen(values), incidence.n_codes)
        else:
            incidence = move(incidence, values, len(values))
        return self._clustering.rearranged(incidence)
