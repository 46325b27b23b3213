"""The experiments of the paper that proposed F*_wo, run anew, and its theory as checks."""

from coverlap.experiments.reproducing import Reproduction, reproduce
from coverlap.experiments.theory import Check, check_theory

__all__ = ["Check", "Reproduction", "check_theory", "reproduce"]
