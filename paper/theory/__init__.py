"""The theory of the paper that proposed F*_wo, as checks that can be run."""

from paper.theory.all_checks import check_theory
from paper.theory.check import Check

__all__ = ["Check", "check_theory"]
