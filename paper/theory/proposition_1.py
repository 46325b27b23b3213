"""Proposition 1, checked for every pair of clusterings of up to three objects."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import NamedTuple

import numpy as np

import coverlap as cv
from paper.theory.check import AS_STATED, Check, format_fraction
from paper.theory.exact_scores import Sets, exact_score
from paper.theory.small_clusterings import MAX_OBJECTS, clusterings, renamings, score_table


class Pairs(NamedTuple):
    """Properties of the scores of all pairs of clusterings of n objects.

    Attributes
    ----------
    n, n_pairs : int
        Number of objects and of pairs.
    in_range, one_if_equal, symmetric, label_invariant : bool
        Whether the scores have these properties.
    largest : Fraction
        Largest score of two different clusterings.
    error : float
        Largest rounding error of coverlap's scores.
    """

    n: int
    n_pairs: int
    in_range: bool
    one_if_equal: bool
    symmetric: bool
    label_invariant: bool
    largest: Fraction
    error: float


def all_pairs(n: int) -> Pairs:
    """Score every pair of clusterings of n objects."""
    every = clusterings(n)
    pairs = list(combinations_with_replacement(every, 2))
    values = [exact_score(left, right, n) for left, right in pairs]
    table = score_table(n)
    return Pairs(
        n=n,
        n_pairs=len(pairs),
        in_range=all(0 <= value.score <= 1 and 0.0 <= value.rounded <= 1.0 for value in values),
        one_if_equal=all(
            (value.score == 1) == (value.rounded == 1.0) == (left == right)
            for (left, right), value in zip(pairs, values, strict=True)
        ),
        symmetric=bool((table == table.T).all()),
        label_invariant=all((table[np.ix_(to, to)] == table).all() for to in renamings(n)),
        largest=max(
            value.score for (left, right), value in zip(pairs, values, strict=True) if left != right
        ),
        error=max(abs(value.rounded - float(value.score)) for value in values),
    )


def score_in_every_order(n: int) -> tuple[int, bool]:
    """Score all pairs with their clusters in every order.

    Returns the number of calls, and whether the order never changed a score.
    """
    calls, same = 0, True
    for left, right in product(clusterings(n), repeat=2):
        expected = exact_score(left, right, n).rounded
        for orders in product(permutations(left), permutations(right)):
            calls += 1
            same &= cv.fstar_score(*map(list, orders), universe=n) == expected
    return calls, same


def singletons_for_outliers(n: int) -> list[tuple[Sets, Fraction]]:
    """Score every clustering against the one in which an outlier has become a singleton."""
    found = []
    for clustering in clusterings(n):
        for x in set(range(n)).difference(*clustering):
            changed = clustering | {frozenset({x})}
            found.append((clustering, exact_score(clustering, changed, n).score))
    return found


def check_proposition_1() -> list[Check]:
    """Check the four properties that the paper requires of a measure."""
    pairs = [all_pairs(n) for n in range(1, MAX_OBJECTS + 1)]
    tried = f"{_listed(f'{p.n_pairs:,}' for p in pairs)} pairs of clusterings of 1, 2 and 3 objects"
    calls, same = score_in_every_order(2)
    made = [score for n in range(1, MAX_OBJECTS + 1) for _, score in singletons_for_outliers(n)]
    largest = _listed(format_fraction(p.largest) for p in pairs[1:])
    return [
        Check(
            "Proposition 1 (1)", "The score does not depend on names or order.", AS_STATED,
            same and all(p.label_invariant for p in pairs),
            f"{tried}, under every renaming of the objects, and {calls:,} calls with the clusters "
            "of 2 objects in every order: the same float each time",
        ),
        Check(
            "Proposition 1 (2)", "The score is in [0, 1], and 1 only for equal clusterings.",
            AS_STATED,
            all(p.in_range and p.one_if_equal for p in pairs),
            f"{tried}: in [0, 1], 1.0 for equal ones and no others; the largest scores of others "
            f"are {largest} for 2 and 3 objects; floats are off by at most "
            f"{max(p.error for p in pairs):.1g}",
        ),
        Check(
            "Proposition 1 (3)", "The score is symmetric.", AS_STATED,
            all(p.symmetric for p in pairs), f"{tried}: the same float when sides are swapped",
        ),
        Check(
            "Proposition 1 (4)", "A cluster of one object is not the same as an outlier.",
            AS_STATED,
            max(made) < 1,
            f"{len(made)} times an outlier was made a cluster: the scores are from "
            f"{format_fraction(min(made))} to {format_fraction(max(made))}",
        ),
    ]  # fmt: skip


def _listed(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}"
