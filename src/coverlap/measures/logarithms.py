"""The exact sign of a sum of logarithms."""

from decimal import Decimal, localcontext
from math import gcd


def sign_of_logarithms(terms: list[tuple[int, int]]) -> int:
    """Return the sign (-1, 0 or 1) of the sum of weight * log(number) over terms.

    The numbers are written as products of powers of coprime factors. Logarithms of coprime numbers
    are linearly independent over the integers, so the sum is 0 only if the total weight of each
    factor is 0. Otherwise the sum is computed with more and more digits until its sign is known.

    Examples
    --------
    >>> sign_of_logarithms([(3, 4), (-2, 8)])
    0
    >>> sign_of_logarithms([(1054, 2), (-665, 3)])
    -1
    """
    factors = _coprime_factors([number for _, number in terms])
    weights = [sum(w * _exponent(factor, number) for w, number in terms) for factor in factors]
    if not any(weights):
        return 0
    digits = 40
    while True:
        with localcontext(prec=digits):
            parts = [w * Decimal(f).ln() for w, f in zip(weights, factors, strict=True)]
            total = sum(parts, Decimal(0))
            if abs(total) > sum(map(abs, parts), Decimal(0)).scaleb(5 - digits):
                return 1 if total > 0 else -1
        digits *= 2


def _coprime_factors(numbers: list[int]) -> list[int]:
    """Return coprime factors above 1 such that each number is a product of their powers."""
    factors: list[int] = []
    remaining = [number for number in numbers if number > 1]
    while remaining:
        number = remaining.pop()
        for i, factor in enumerate(factors):
            common = gcd(number, factor)
            if common > 1:
                del factors[i]
                pieces = (number // common, factor // common, common)
                remaining += [piece for piece in pieces if piece > 1]
                break
        else:
            factors.append(number)
    return factors


def _exponent(factor: int, number: int) -> int:
    """Return the exponent of the largest power of a factor that divides a number."""
    exponent = 0
    while number % factor == 0:
        number //= factor
        exponent += 1
    return exponent
