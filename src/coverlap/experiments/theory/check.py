"""Check: a statement, whether it came out, and what was found."""

from fractions import Fraction
from typing import NamedTuple

SAME = "as the paper says"
SHARPER = "sharper than the paper"
OTHERWISE = "not as the paper says"
MORE = "not in the paper"


class Check(NamedTuple):
    """One statement about the measure, checked.

    Attributes
    ----------
    name : str
        Which part of the paper it belongs to.
    claim : str
        The statement, as our documentation has it.
    paper : str
        How it stands to the paper: `SAME`, `SHARPER`, `OTHERWISE` or `MORE`.
    holds : bool
        Whether the claim came out.
    found : str
        What was tried, and the numbers found.
    """

    name: str
    claim: str
    paper: str
    holds: bool
    found: str


def exactly(value: Fraction) -> str:
    """Write a fraction with its decimals: 47/48 = 0.9792; one with long terms has only these."""
    if value.denominator == 1:
        return str(value)
    if value.denominator < 1000:
        return f"{value} = {float(value):.4g}"
    return f"{float(value):.4g}"
