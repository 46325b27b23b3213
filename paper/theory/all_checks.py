"""Run all checks of the theory."""

from collections.abc import Callable

from paper.theory.check import Check
from paper.theory.disjoint_clusters import check_disjoint_clusters
from paper.theory.proposition_1 import check_proposition_1
from paper.theory.proposition_2 import check_proposition_2
from paper.theory.remarks import check_remarks
from paper.theory.theorem_1 import check_theorem_1

PARTS: tuple[Callable[[], list[Check]], ...] = (
    check_proposition_1,
    check_proposition_2,
    check_disjoint_clusters,
    check_theorem_1,
    check_remarks,
)
"""The first part fills the cache of `exact_score` with scores that the others use."""


def check_theory(progress: Callable[[str, int, int], None] = lambda *_: None) -> list[Check]:
    """Check every statement of the paper about the measure.

    Parameters
    ----------
    progress : function
        Called with ``"theory"``, the number of finished parts and of all parts.

    Returns
    -------
    list of Check
        In the order of the paper.
    """
    progress("theory", 0, len(PARTS))
    checks = []
    for n_done, part in enumerate(PARTS, 1):
        checks.extend(part())
        progress("theory", n_done, len(PARTS))
    return checks
