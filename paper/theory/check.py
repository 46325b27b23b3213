"""Check: a statement, whether it holds, and the numbers found."""

from fractions import Fraction
from typing import NamedTuple

AS_STATED = "as the paper says"
SHARPER = "sharper than the paper"
NOT_AS_STATED = "not as the paper says"
NOT_STATED = "not in the paper"


class Check(NamedTuple):
    """One statement about the measure, checked.

    Attributes
    ----------
    name : str
        The part of the paper that it belongs to.
    claim : str
        The statement, as in our documentation.
    paper : str
        Its relation to the paper: `AS_STATED`, `SHARPER`, `NOT_AS_STATED` or `NOT_STATED`.
    holds : bool
        Whether the claim holds in all cases tried.
    found : str
        The cases tried, and the numbers found.
    """

    name: str
    claim: str
    paper: str
    holds: bool
    found: str


def format_fraction(value: Fraction) -> str:
    """Write a fraction, its decimals, or both.

    Examples
    --------
    >>> format_fraction(Fraction(2)), format_fraction(Fraction(47, 48))
    ('2', '47/48 = 0.9792')
    >>> format_fraction(Fraction(4001, 2003))
    '1.998'
    """
    if value.denominator == 1:
        return str(value)
    if value.denominator < 1000:
        return f"{value} = {float(value):.4g}"
    return f"{float(value):.4g}"
