"""The theory of the paper that proposed F*_wo, as checks that run."""

from coverlap.experiments.theory.check import Check
from coverlap.experiments.theory.checking import check_theory

__all__ = ["Check", "check_theory"]
