"""Weights: what the objects of a weighted comparison weigh, and what cannot be weighted."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from coverlap.core.align import Pair
from coverlap.core.errors import UndefinedError
from coverlap.core.wording import amount, quantity
from coverlap.counting.matching import Matching

if TYPE_CHECKING:
    from coverlap.results.comparison import Comparison


@dataclass(frozen=True)
class Weights:
    """The sums of the weights of all objects, and of the outliers on the left, right and both.

    They are integers if all weights are. ``n_zero`` is the number of objects of weight 0, which
    are left out.
    """

    total: float
    left_outliers: float
    right_outliers: float
    shared_outliers: float
    n_zero: int

    @classmethod
    def of(cls, matching: Matching, pair: Pair) -> "Weights | None":
        """Return the sums of a weighted comparison; None if it is not weighted."""
        if pair.weights is None:
            return None
        return cls(
            matching.n_objects, matching.n_left_outliers, matching.n_right_outliers,
            matching.n_shared_outliers, pair.n_weightless,
        )  # fmt: skip

    def text(self, sides: tuple[str, str]) -> str:
        """Return the sums in one line."""
        left, right, both = map(
            amount, (self.left_outliers, self.right_outliers, self.shared_outliers)
        )
        text = (
            f"weights: {amount(self.total)} in all, outliers {left} in {sides[0]}, {right} in "
            f"{sides[1]}, {both} in both"
        )
        left_out = f"; {quantity(self.n_zero, 'object')} of weight 0 left out"
        return text + left_out * (self.n_zero > 0)


def reject_weights(comparison: "Comparison", what: str) -> None:
    """Raise an error if a comparison is weighted, for an explanation that counts objects."""
    if comparison.weights is not None:
        raise UndefinedError(
            f"{what} counts objects and has no form with weights; compare without weights for it. "
            "columns(), contingency(), losses() and objects() know weights"
        )
