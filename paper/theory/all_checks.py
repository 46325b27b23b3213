"""Run all checks of the theory."""

from collections.abc import Callable

from paper.theory.check import Check
from paper.theory.complements import check_complements
from paper.theory.expected_curves import check_expected_curves
from paper.theory.proposition_1 import check_proposition_1
from paper.theory.proposition_2 import check_proposition_2
from paper.theory.remarks import check_remarks
from paper.theory.theorem_1 import check_theorem_1
from paper.theory.theorem_a import check_theorem_a
from paper.theory.theorem_b import check_theorem_b
from paper.theory.theorem_c import check_theorem_c
from paper.theory.theorem_d import check_theorem_d
from paper.theory.theorem_e import check_theorem_e

PARTS: tuple[Callable[[], list[Check]], ...] = (
    check_proposition_1,
    check_proposition_2,
    check_theorem_1,
    check_remarks,
    check_complements,
    check_theorem_a,
    check_theorem_b,
    check_theorem_c,
    check_theorem_d,
    check_expected_curves,
    check_theorem_e,
)
"""The first part fills the cache of `exact_score` with scores that the others use."""


def check_theory(progress: Callable[[str, int, int], None] = lambda *_: None) -> list[Check]:
    """Check every statement about the measure, in the paper and in docs/theory.md.

    Parameters
    ----------
    progress : function
        Called with ``"theory"``, the number of finished parts and of all parts.

    Returns
    -------
    list of Check
        Those of the paper in its order, then Theorems A to E.
    """
    progress("theory", 0, len(PARTS))
    checks = []
    for n_done, part in enumerate(PARTS, 1):
        checks.extend(part())
        progress("theory", n_done, len(PARTS))
    return checks
