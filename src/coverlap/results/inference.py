"""Baseline and Interval: a score beside the scores of random variations of the clusterings."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from coverlap.core.checks import check_share
from coverlap.measures.chance import PRECISION
from coverlap.measures.registry import MEASURES
from coverlap.results.result import NameWriter, Result

ROUNDING = 1e-13
"""Equal scores can differ by this share of them if they are computed from different counts."""


def mean_of(draws: NDArray[np.float64]) -> float:
    """Return the mean, which is exactly the value of the draws if they are all equal."""
    return float(draws[0] if (draws == draws[0]).all() else draws.mean())


def _deviation_of(draws: NDArray[np.float64]) -> float:
    """Return the standard deviation, which is exactly 0 if the draws are all equal."""
    return 0.0 if (draws == draws[0]).all() else float(draws.std(ddof=1))


@dataclass(frozen=True, eq=False)
class Baseline(Result):
    """The result of `baseline`: a score, and the scores of unrelated clusterings.

    ``draws`` holds the score of every permutation drawn. ``expected`` is the mean over all
    permutations where it is known (see `expected_fstar`), and None otherwise.
    """

    KINDS: ClassVar = {
        "measure": "text", "model": "text", "n_draws": "integer", "mean_is_exact": "boolean",
    }  # fmt: skip

    measure: str
    model: str
    score: float
    draws: NDArray[np.float64]
    expected: float | None = None

    @property
    def mean(self) -> float:
        """The score to expect by chance: ``expected``, or else the mean of the draws."""
        drawn = mean_of(self.draws)
        if self.expected is None or abs(self.expected - drawn) <= PRECISION:
            return drawn  # if no permutation changes the score, exactly this score
        return self.expected

    @property
    def sd(self) -> float:
        """Standard deviation of the scores of the permutations."""
        return _deviation_of(self.draws)

    @property
    def z(self) -> float | None:
        """Number of standard deviations from the mean to the score; None if ``sd`` is 0."""
        return (self.score - self.mean) / self.sd if self.sd > 0 else None

    @property
    def p(self) -> float:
        """Share of permutations with at least this similarity, the clusterings themselves included.

        It is never 0: with n permutations it is at least 1 / (n + 1). Scores that differ only by
        rounding count as equal.
        """
        sign = -1 if MEASURES[self.measure].identical == 0 else 1
        rounding = ROUNDING * max(1.0, abs(self.score))
        as_similar = sign * (self.draws - self.score) >= -rounding
        return (1 + int(np.count_nonzero(as_similar))) / (1 + len(self.draws))

    @property
    def adjusted(self) -> float | None:
        """The score on a scale where chance is 0 and equal clusterings are 1.

        That is (score - mean) / (best - mean). It is None if the mean is the best score, or if
        the best score depends on the clusterings.
        """
        best = MEASURES[self.measure].identical
        if best is None or best == self.mean:
            return None
        return (self.score - self.mean) / (best - self.mean)

    def quantile(self, share: float) -> float:
        """Return the score that this share of the permutations does not exceed."""
        return float(np.quantile(self.draws, check_share("share", share)))

    def columns(self) -> dict[str, list[Any]]:
        """Return one row with every value of `to_dict`, and a column for each quantile."""
        facts = self.to_dict()
        quantiles = facts.pop("quantiles")
        facts |= {f"quantile_{share}": value for share, value in quantiles.items()}
        return {name: [value] for name, value in facts.items()}

    def _facts(self, _write_name: NameWriter) -> dict[str, Any]:
        return {
            "measure": self.measure, "model": self.model, "n_draws": len(self.draws),
            "score": self.score, "mean": self.mean, "mean_is_exact": self.expected is not None,
            "sd": self.sd,
            "quantiles": {share: self.quantile(share) for share in (0.025, 0.5, 0.975)},
            "z": self.z, "p": self.p, f"adjusted_{self.model}": self.adjusted,
        }  # fmt: skip

    def __repr__(self) -> str:
        exact = " (exact)" if self.expected is not None else ""
        adjusted = "" if self.adjusted is None else f", adjusted {self.adjusted:.6g}"
        return (
            f"Baseline({self.measure}={self.score:.6g}, {self.model}: mean {self.mean:.6g}{exact}, "
            f"sd {self.sd:.3g}, p {self.p:.3g}{adjusted}, n {len(self.draws):,})"
        )


@dataclass(frozen=True, eq=False)
class Interval(Result):
    """The result of `bootstrap` and `bootstrap_difference`: a score or a difference of scores.

    ``low`` and ``high`` are the limits of the interval and ``draws`` the values of all resamples.
    The interval contains the share ``level`` of the draws, shifted by their bias. ``measure`` is
    the name of the measure, or "difference of" and that name.
    """

    KINDS: ClassVar = {"measure": "text", "n_draws": "integer"}

    measure: str
    value: float
    low: float
    high: float
    level: float
    draws: NDArray[np.float64]

    @property
    def standard_error(self) -> float:
        """Standard deviation of the draws."""
        return _deviation_of(self.draws)

    @property
    def bias(self) -> float:
        """Mean of the draws minus the value."""
        return mean_of(self.draws) - self.value

    @property
    def share_above_zero(self) -> float:
        """Share of the draws above 0 after they are shifted by the bias; zeros count half."""
        shifted = self.draws - self.bias
        above, ties = np.count_nonzero(shifted > 0), np.count_nonzero(shifted == 0)
        return float((above + ties / 2) / len(shifted))

    def _facts(self, _write_name: NameWriter) -> dict[str, Any]:
        return {
            "measure": self.measure, "value": self.value, "low": self.low, "high": self.high,
            "level": self.level, "n_draws": len(self.draws), "standard_error": self.standard_error,
            "bias": self.bias,
        }  # fmt: skip

    def __repr__(self) -> str:
        return (
            f"Interval({self.measure}: {self.value:.6g}, {self.level:.0%} interval "
            f"[{self.low:.6g}, {self.high:.6g}], n {len(self.draws):,})"
        )
