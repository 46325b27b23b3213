"""Measure: a way to compare two clusterings, and what is known about it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from coverlap.core.errors import OptionError, UndefinedError
from coverlap.core.wording import some
from coverlap.counting.counts import Counts

Needs = Literal["matching", "contingency", "pairs", "memberships"]
Handling = Literal["native", "singletons", "ignored", "undefined"]


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A measure by name; `coverlap.MEASURES` holds all.

    Attributes
    ----------
    name, title : str
        What it is called in code, and in print.
    needs : {"matching", "contingency", "pairs", "memberships"}
        What has to be counted: best matches, objects shared by pairs of clusters, pairs of
        objects, or nothing less than the memberships themselves.
    range : tuple of float
        The least and the largest score.
    identical : float or None
        The score of equal clusterings; None if it depends on them.
    symmetric : bool
        Whether swapping the sides changes nothing. Where it does, left is taken for the truth.
    overlaps : {"native", "undefined"}
        Whether clusters may overlap.
    outliers : {"native", "singletons", "ignored", "undefined"}
        What outliers are to it: outliers, as good as singleton clusters, nothing, or a reason to
        refuse unless ``outliers_as=`` says what to make of them.
    chance : float or None
        The score to expect of unrelated clusterings; None if it depends on the sizes of clusters.
    cost : str
        What its time grows with.
    reference : str
        Who proposed it.
    instead : str
        What to use where it is not defined.
    options : tuple of str
        Options of its own.
    compute : function
        From what is counted in a pair of clusterings to the score.
    """

    name: str
    title: str
    compute: Callable[..., float]
    needs: Needs
    overlaps: Handling
    outliers: Handling
    cost: str
    reference: str
    range: tuple[float, float] = (0.0, 1.0)
    identical: float | None = 1.0
    symmetric: bool = True
    chance: float | None = None
    instead: str = "fstar_wo"
    options: tuple[str, ...] = ()

    def score(self, counts: Counts, **options: Any) -> float:
        """Compute the score, or say why there is none."""
        why = self.why_undefined(counts)
        if why is not None:
            raise UndefinedError(f"{self.name} is {why}")
        return float(self.compute(counts, **options))

    def why_undefined(self, counts: Counts) -> str | None:
        """Say why the measure is not defined for two clusterings; None if it is."""
        if self.overlaps == "undefined" and any(counts.overlapping):
            sides = dict(zip(("left", "right"), counts.overlapping, strict=True))
            where = " and ".join(f"the {side}" for side, does in sides.items() if does)
            return f"not defined for clusters that overlap, as on {where}; use {self.instead}"
        if self.outliers == "undefined" and any(counts.n_outliers):
            left, right = counts.n_outliers
            return (
                f"not defined for outliers ({left:,} on the left, {right:,} on the right); say "
                f"outliers_as= (--outliers-as) singletons, cluster or drop, or use {self.instead}"
            )
        return None

    def check_options(self, options: dict[str, Any]) -> None:
        """Refuse options that the measure does not have."""
        unknown = [name for name in options if name not in self.options]
        if unknown:
            own = f"its options are {some([*self.options])}" if self.options else "it has none"
            raise OptionError(f"{self.name} has no option {some([*unknown])}; {own}")
