"""Results of the element-centric similarity: the score of each object, and an estimate."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from coverlap.results.result import NameWriter, Result


@dataclass(frozen=True, eq=False)
class ObjectScores(Result):
    """The id of each object and its score, in the same order.

    This is the result of `ecs_objects` and of `PairwiseScores.object_stability`.
    """

    KINDS: ClassVar = {"object": "name"}

    objects: NDArray[Any]
    scores: NDArray[np.float64]

    def columns(self) -> dict[str, list[Any]]:
        """Return the columns object and score."""
        return {"object": self.objects.tolist(), "score": self.scores.tolist()}

    def _facts(self, write_name: NameWriter) -> dict[str, Any]:
        objects = [write_name(item) for item in self.objects.tolist()]
        return {"objects": objects, "scores": self.scores.tolist()}

    def __repr__(self) -> str:
        return f"ObjectScores({len(self.scores):,} objects)"


@dataclass(frozen=True, eq=False)
class Estimate(Result):
    """The result of `ecs_estimate`: a mean score estimated from some of the objects.

    ``error`` is the standard error of ``score``, and ``n_sampled`` the number of objects drawn.
    """

    KINDS: ClassVar = {"n_sampled": "integer"}

    score: float
    error: float
    n_sampled: int
