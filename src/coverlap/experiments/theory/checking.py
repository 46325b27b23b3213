"""Run all checks of the theory."""

from collections.abc import Callable

from coverlap.experiments.running import Progress
from coverlap.experiments.theory.check import Check
from coverlap.experiments.theory.disjoint import check_without_overlaps
from coverlap.experiments.theory.exact import exact, read
from coverlap.experiments.theory.moves import concerns
from coverlap.experiments.theory.propositions import check_proposition_1
from coverlap.experiments.theory.remarks import check_remarks
from coverlap.experiments.theory.robustness import check_robustness
from coverlap.experiments.theory.triangles import check_proposition_2

PARTS: tuple[Callable[[], list[Check]], ...] = (
    check_proposition_1,
    check_proposition_2,
    check_without_overlaps,
    check_robustness,
    check_remarks,
)
"""The first part fills the memory of `exact` with what the others use."""


def check_theory(progress: Progress | None = None) -> list[Check]:
    """Check every statement of the paper about the measure, in about ten seconds.

    Parameters
    ----------
    progress : function, optional
        Is told ``"theory"``, how many parts are done, and of how many.

    Returns
    -------
    list of Check
        In the order of the paper.
    """
    told = progress or (lambda *_: None)
    told("theory", 0, len(PARTS))
    checks = []
    try:
        for done, part in enumerate(PARTS, 1):
            checks.extend(part())
            told("theory", done, len(PARTS))
    finally:
        for remembered in (exact, read, concerns):
            remembered.cache_clear()
    return checks
