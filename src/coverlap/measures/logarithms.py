"""The sign of a sum of logarithms, exactly."""

from decimal import Decimal, localcontext
from math import gcd


def sign_of_logarithms(terms: list[tuple[int, int]]) -> int:
    """Return the sign (-1, 0 or 1) of the sum of weight * log(number) over terms.

    Logarithms of numbers without a common factor never cancel, so the sum is 0 only if it is in
    each of the factors. If it is not, enough digits will show the sign.

    Examples
    --------
    >>> sign_of_logarithms([(3, 4), (-2, 8)])
    0
    >>> sign_of_logarithms([(1054, 2), (-665, 3)])
    -1
    """
    factors = _coprime_factors([number for _, number in terms])
    weights = [sum(w * _power(factor, number) for w, number in terms) for factor in factors]
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
    """Find numbers above 1 without common factors, of whose powers the given ones are products."""
    factors: list[int] = []
    waiting = [number for number in numbers if number > 1]
    while waiting:
        number = waiting.pop()
        for place, factor in enumerate(factors):
            common = gcd(number, factor)
            if common > 1:
                del factors[place]
                pieces = (number // common, factor // common, common)
                waiting += [piece for piece in pieces if piece > 1]
                break
        else:
            factors.append(number)
    return factors


def _power(factor: int, number: int) -> int:
    """Return how often a factor divides a number."""
    power = 0
    while number % factor == 0:
        number //= factor
        power += 1
    return power
